"""Findings as workflow commands, which GitHub shows beside the lines of a pull request.

The escapes are GitHub's own: `%` first, then CR and LF; in properties also `:` and `,`. So nothing
in a file can end a command and begin another.
"""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.reports.findings.places import relative_path
from ave_score.reports.findings.report import Listed, Report
from ave_score.reports.style import TextStyle
from ave_score.text import counted, visible


def render(report: Report, _style: TextStyle) -> str:
    """Return one workflow command for each finding that is listed."""
    return "".join(f"{line}\n" for line in _commands(report))


def _commands(report: Report) -> Iterator[str]:
    for file in report.files:
        checked = file.checked
        for one in file.listed:
            yield _command(checked.path, one)
        if checked.unreadable is not None:
            name = _property(relative_path(checked.path))
            yield f"::error file={name},title=ave-score::{_data(checked.unreadable)}"
    if report.not_listed:
        yield f"::notice title=ave-score::{counted(report.not_listed, 'finding')} not listed"


def _command(path: str, one: Listed) -> str:
    found = one.finding
    properties: dict[str, str | int] = {"file": relative_path(path)}
    if found.line:
        properties["line"] = found.line
    if found.column:
        properties["col"] = found.column
    if found.end_column:
        properties["endColumn"] = found.end_column - 1  # GitHub's is the last column itself
    properties["title"] = f"{found.rule.code} {found.rule.name}"
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{found.rule.severity} {listed}::{_data(one.message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
