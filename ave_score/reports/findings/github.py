"""Findings as workflow commands, shown by GitHub next to the lines of a pull request.

GitHub's escapes are used: `%` first, then CR and LF; in properties also `:` and `,`. Therefore the
content of a file cannot end a command and start another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ave_score.core.text import quantity, visible
from ave_score.reports.findings.paths import relative_path
from ave_score.reports.findings.report import FindingsReport, ListedFinding
from ave_score.reports.style import TextStyle
from ave_score.rules import Rule

SHOWN_BY_GITHUB = 10
"""Annotations of a step that GitHub shows."""


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return a workflow command for each listed finding."""
    return "".join(f"{line}\n" for line in _commands(report))


def _commands(report: FindingsReport) -> Iterator[str]:
    ranked = list(_ranked(report))
    if len(ranked) > SHOWN_BY_GITHUB:
        ranked.sort(key=lambda command: command[0])
    yield from (command for _, command in ranked)
    if report.not_listed:
        yield f"::notice title=ave-score::{quantity(report.not_listed, 'finding')} not listed"


def _ranked(report: FindingsReport) -> Iterator[tuple[int, str]]:
    """Yield each command, with the number of earlier ones of its rule and file.

    With many findings, the first finding of each rule comes first.
    """
    for file in report.files:
        checked = file.checked
        times: Counter[Rule] = Counter()
        for listed in file.listed:
            rule = listed.finding.rule
            yield times[rule], _command(checked.path, listed)
            times[rule] += 1
        if checked.unreadable is not None:
            name = _property(relative_path(checked.path))
            yield 0, f"::error file={name},title=ave-score::{_data(checked.unreadable)}"


def _command(path: str, listed: ListedFinding) -> str:
    finding = listed.finding
    properties: dict[str, str | int] = {"file": relative_path(path)}
    if finding.line:
        properties["line"] = finding.line
    if finding.column:
        properties["col"] = finding.column
    if finding.end_column:
        properties["endColumn"] = finding.end_column - 1  # GitHub includes the last column
    properties["title"] = f"{finding.rule.code} {finding.rule.name}"
    joined = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{finding.rule.severity} {joined}::{_data(listed.message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
