"""Findings as lines `path:line:column CODE message`, similar ones counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ave_score.core.findings import Findings
from ave_score.reports.findings.report import (
    SHOWN,
    FindingsReport,
    ListedFinding,
    list_findings,
)
from ave_score.reports.findings.summary import summary_lines
from ave_score.reports.style import TextStyle
from ave_score.rules import Severity


def render(report: FindingsReport, style: TextStyle) -> str:
    """Return a line for each listed finding, then a summary of the files."""
    lines = [finding_line(listed) for file in report.files for listed in file.listed]
    return "".join(f"{line}\n" for line in (*lines, *summary_lines(report, style)))


def finding_line(listed: ListedFinding) -> str:
    """Return a finding as one line."""
    finding = listed.finding
    mark = "warning: " if finding.rule.severity is Severity.WARNING else ""
    return f"{finding.place} {finding.rule.code} {mark}{listed.message}"


def finding_lines(findings: Findings, *, every: bool = False) -> Iterator[str]:
    """Yield the findings of a file as lines; similar ones are counted unless `every` is true."""
    return map(finding_line, list_findings(findings, None if every else SHOWN))


def help_lines(files: Iterable[Findings]) -> Iterator[str]:
    """Yield the help of each rule with errors in the files, in the order of codes."""
    rules = {rule for findings in files for rule in findings.counts}
    for rule in sorted(rules, key=lambda rule: rule.code):
        if rule.severity is Severity.ERROR:
            yield f"  {rule.code} {rule.name}: {rule.help}"
