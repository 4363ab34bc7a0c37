"""Findings as workflow commands, shown by GitHub next to the lines of a pull request.

GitHub's escapes are used: `%` first, then CR and LF; in properties also `:` and `,`. Therefore the
content of a file cannot end a command and start another.
"""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.reports.findings.paths import relative_path
from ave_score.reports.findings.report import Listed, Report
from ave_score.reports.style import TextStyle
from ave_score.text import counted, visible


def render(report: Report, _style: TextStyle) -> str:
    """Return a workflow command for each listed finding."""
    return "".join(f"{line}\n" for line in _commands(report))


def _commands(report: Report) -> Iterator[str]:
    for file in report.files:
        checked = file.checked
        for listed in file.listed:
            yield _command(checked.path, listed)
        if checked.unreadable is not None:
            name = _property(relative_path(checked.path))
            yield f"::error file={name},title=ave-score::{_data(checked.unreadable)}"
    if report.not_listed:
        yield f"::notice title=ave-score::{counted(report.not_listed, 'finding')} not listed"


def _command(path: str, listed: Listed) -> str:
    found = listed.finding
    properties: dict[str, str | int] = {"file": relative_path(path)}
    if found.line:
        properties["line"] = found.line
    if found.column:
        properties["col"] = found.column
    if found.end_column:
        properties["endColumn"] = found.end_column - 1  # GitHub includes the last column
    properties["title"] = f"{found.rule.code} {found.rule.name}"
    joined = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{found.rule.severity} {joined}::{_data(listed.message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
