"""The formats of reports: one record each, from which the command line takes its choices.

A new format is a module with a function `render(report, style)` and an entry in `FORMATS`. The
module is imported when the format is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ave_score.reports.report import Report
    from ave_score.reports.style import TextStyle


class Form(Enum):
    """The part of a report that a format shows."""

    TABLES = "tables"
    DOCUMENT = "document"
    RECORDS = "records"


class Format(NamedTuple):
    """A format of reports.

    Attributes
    ----------
    name
        The name on the command line.
    use
        What the format is for.
    form
        The part of the report that it shows.
    module
        The module that defines `render(report: Report, style: TextStyle) -> str`.
    """

    name: str
    use: str
    form: Form
    module: str


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("table", "tables in a terminal", Form.TABLES, "ave_score.reports.terminal"),
        Format("json", "everything, unrounded", Form.DOCUMENT, "ave_score.reports.json_text"),
        Format("csv", "rows for other programs", Form.RECORDS, "ave_score.reports.csv_text"),
        Format("markdown", "tables on a web page", Form.TABLES, "ave_score.reports.markdown"),
        Format("latex", "tables in a paper", Form.TABLES, "ave_score.reports.latex"),
    )
}
"""Every format by its name, in the order in which help lists them."""


def render(report: Report, format: str, style: TextStyle) -> str:
    """Return a report in one of `FORMATS`."""
    module = import_module(FORMATS[format].module)
    renderer: Callable[[Report, TextStyle], str] = module.render
    return renderer(report, style)
