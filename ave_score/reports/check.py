"""Findings as a table, for notebooks and frames; `reports.findings` has the formats of `check`."""

from __future__ import annotations

from ave_score.core.findings import Finding, Findings
from ave_score.core.text import counted
from ave_score.reports.report import Cell, Records, Report, ReportTable

MOST = 100
"""Findings in a table; frames have all that are kept."""

_COLUMNS = ("path", "line", "column", "end_column", "code", "rule", "severity", "fix", "message")


def findings_report(findings: Findings, _digits: int | None = None) -> Report:
    """Return a report of the findings of a file."""
    return Report(
        lambda: [findings_table(findings)],
        lambda: {"summary": findings.summary(), "findings": [*map(facts_of, findings)]},
        lambda: Records(_COLUMNS, ([*facts_of(finding).values()] for finding in findings)),
    )


def facts_of(finding: Finding) -> dict[str, Cell]:
    """Return a finding as named cells."""
    rule = finding.rule
    cells: tuple[Cell, ...] = (
        *(finding.path, finding.line, finding.column, finding.end_column),
        *(rule.code, rule.name, str(rule.severity), str(finding.fix), finding.message),
    )
    return dict(zip(_COLUMNS, cells, strict=True))


def findings_table(findings: Findings) -> ReportTable:
    """Return the first findings of a file, and how many there are."""
    rows = [
        [
            "" if finding.line is None else f"{finding.line:,}",
            "" if finding.column is None else f"{finding.column:,}",
            finding.rule.code,
            finding.message,
        ]
        for finding in [*findings][:MOST]
    ]
    more = len(findings) - len(rows)
    notes = [f"{counted(more, 'more finding')}."] * (more > 0)
    heads = ("Line", "Column", "Rule", "Finding")
    return ReportTable(findings.summary(), heads, rows, "rrll", notes=notes)
