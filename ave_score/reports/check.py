"""Findings as a table, for notebooks and frames; `reports.findings` has the formats of `check`."""

from __future__ import annotations

from collections.abc import Callable

from ave_score.core.findings import Finding, Findings
from ave_score.core.text import quantity
from ave_score.reports.report import (
    Cell,
    Column,
    Records,
    Report,
    ReportTable,
    name_column,
    table_of,
)

MOST = 100
"""Findings in a table; frames have all that are kept."""

_FACTS: dict[str, Callable[[Finding], Cell]] = {
    "path": lambda finding: finding.path,
    "line": lambda finding: finding.line,
    "column": lambda finding: finding.column,
    "end_column": lambda finding: finding.end_column,
    "code": lambda finding: finding.rule.code,
    "rule": lambda finding: finding.rule.name,
    "severity": lambda finding: str(finding.rule.severity),
    "fix": lambda finding: str(finding.fix),
    "message": lambda finding: finding.message,
}

_COLUMNS = (
    Column("Line", lambda finding: "" if finding.line is None else f"{finding.line:,}"),
    Column("Column", lambda finding: "" if finding.column is None else f"{finding.column:,}"),
    name_column("Rule", lambda finding: finding.rule.code),
    name_column("Finding", lambda finding: finding.message),
)


def findings_report(findings: Findings, _digits: int | None = None) -> Report:
    """Return a report of the findings of a file."""
    return Report(
        lambda: [findings_table(findings)],
        lambda: {"summary": findings.summary(), "findings": [*map(facts_of, findings)]},
        lambda: Records([*_FACTS], ([*facts_of(finding).values()] for finding in findings)),
    )


def facts_of(finding: Finding) -> dict[str, Cell]:
    """Return a finding as named cells."""
    return {name: fact(finding) for name, fact in _FACTS.items()}


def findings_table(findings: Findings) -> ReportTable:
    """Return the first findings of a file, and how many there are."""
    more = len(findings) - MOST
    notes = [f"{quantity(more, 'more finding')}."] * (more > 0)
    return table_of(findings.summary(), _COLUMNS, [*findings][:MOST], notes=notes)
