"""The formats of findings: one record each, from which the command line takes its choices.

A new format is a module with a function `render(report, style)` and an entry in `FORMATS`. The
module is imported when the format is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ave_score.reports.findings.report import Report
    from ave_score.reports.style import TextStyle

_HERE = "ave_score.reports.findings"


class FindingsFormat(NamedTuple):
    """A format of findings.

    Attributes
    ----------
    name
        The name on the command line.
    use
        What the format is for.
    module
        The module that defines `render(report: Report, style: TextStyle) -> str`.
    for_people
        Whether only the first findings of a rule in a file are listed.
    is_text
        Whether statistics can take the place of the findings.
    """

    name: str
    use: str
    module: str
    for_people: bool = False
    is_text: bool = False


FORMATS: dict[str, FindingsFormat] = {
    one.name: one
    for one in (
        FindingsFormat("full", "lines with the offending text", f"{_HERE}.full", True, True),
        FindingsFormat("concise", "a line for each finding", f"{_HERE}.concise", True, True),
        FindingsFormat("json", "everything, for other programs", f"{_HERE}.document"),
        FindingsFormat("markdown", "tables on a web page", f"{_HERE}.markdown", True),
        FindingsFormat("github", "annotations of a pull request", f"{_HERE}.github"),
        FindingsFormat("gitlab", "a Code Quality report", f"{_HERE}.gitlab"),
        FindingsFormat("sarif", "SARIF 2.1.0", f"{_HERE}.sarif"),
        FindingsFormat("junit", "JUnit's XML", f"{_HERE}.junit"),
    )
}
"""Every format by its name, in the order in which help lists them."""


def render(report: Report, format: str, style: TextStyle) -> str:
    """Return what was found in one of `FORMATS`."""
    module = import_module(FORMATS[format].module)
    renderer: Callable[[Report, TextStyle], str] = module.render
    return renderer(report, style)
