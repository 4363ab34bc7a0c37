"""The formats of reports and findings, from which the command line takes its choices.

To add a format, add an entry here and a module with a function `render(report, style)`. The module
is imported when the format is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from ave_score.reports.style import TextStyle

if TYPE_CHECKING:
    from ave_score.reports.findings.report import FindingsReport
    from ave_score.reports.report import Report


class Form(Enum):
    """The part of a report that a format shows."""

    TABLES = "tables"
    DOCUMENT = "document"
    RECORDS = "records"
    VALUES = "values"


class Format(NamedTuple):
    """A format of reports: its name, its use, the form it shows, and its module."""

    name: str
    use: str
    form: Form
    module: str


class FindingsFormat(NamedTuple):
    """A format of findings.

    Attributes
    ----------
    is_text
        Whether the format can show statistics instead of findings.
    """

    name: str
    use: str
    module: str
    is_text: bool = False


_HERE = "ave_score.reports"
_FORMATS = (
    Format("table", "tables in a terminal", Form.TABLES, f"{_HERE}.terminal"),
    Format("json", "everything, unrounded", Form.DOCUMENT, f"{_HERE}.json_text"),
    Format("csv", "rows for a spreadsheet or a program", Form.RECORDS, f"{_HERE}.csv_text"),
    Format("markdown", "tables on a web page", Form.TABLES, f"{_HERE}.markdown"),
    Format("latex", "tables in a paper", Form.TABLES, f"{_HERE}.latex"),
    Format("value", "the number alone", Form.VALUES, f"{_HERE}.value_text"),
    Format("trec", "measure, query and value as trec_eval", Form.VALUES, f"{_HERE}.trec_text"),
    Format("scores", "a flat object of one run", Form.VALUES, f"{_HERE}.scores_text"),
)
FORMATS = {entry.name: entry for entry in _FORMATS}
"""Formats of reports by name, in the order of the help text."""


def of_any_report() -> list[str]:
    """Return the names of formats that show any report, not only scores of runs."""
    return [name for name, entry in FORMATS.items() if entry.form is not Form.VALUES]


_FINDINGS = (
    FindingsFormat("full", "lines with the offending text", f"{_HERE}.findings.full", True),
    FindingsFormat("concise", "a line for each finding", f"{_HERE}.findings.concise", True),
    FindingsFormat("json", "everything, for other programs", f"{_HERE}.findings.document"),
    FindingsFormat("markdown", "tables on a web page", f"{_HERE}.findings.markdown"),
    FindingsFormat("github", "annotations of a pull request", f"{_HERE}.findings.github"),
    FindingsFormat("gitlab", "a Code Quality report", f"{_HERE}.findings.gitlab"),
    FindingsFormat("sarif", "SARIF 2.1.0", f"{_HERE}.findings.sarif"),
    FindingsFormat("junit", "JUnit's XML", f"{_HERE}.findings.junit"),
)
FINDINGS_FORMATS = {entry.name: entry for entry in _FINDINGS}
"""Every format of findings by its name, in the order in which help lists them."""


def render(report: Report, format: str, style: TextStyle = TextStyle()) -> str:  # noqa: B008
    """Return a report in one of `FORMATS`."""
    function: Callable[[Report, TextStyle], str]
    function = import_module(FORMATS[format].module).render
    return function(report, style)


def render_findings(report: FindingsReport, format: str, style: TextStyle) -> str:
    """Return findings in one of `FINDINGS_FORMATS`."""
    function: Callable[[FindingsReport, TextStyle], str]
    function = import_module(FINDINGS_FORMATS[format].module).render
    return function(report, style)
