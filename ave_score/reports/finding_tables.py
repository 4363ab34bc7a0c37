"""Findings as a table, for notebooks and frames; `reports.findings` has the formats of `check`."""

from __future__ import annotations

from ave_score.findings import Finding, Findings
from ave_score.fixing.fix import FixedRun
from ave_score.reports.report import Cell, Records, Report, ReportTable
from ave_score.text import counted

MOST = 100
"""Findings in a table; frames have all that are kept."""

_COLUMNS = ("path", "line", "column", "end_column", "code", "rule", "severity", "fix", "message")


def findings_report(findings: Findings, _digits: int | None = None) -> Report:
    """Return a report of the findings of a file."""
    return Report(
        lambda: [_findings_table(findings)],
        lambda: {"summary": findings.summary(), "findings": [*map(_facts, findings)]},
        lambda: Records(_COLUMNS, ([*_facts(found).values()] for found in findings)),
    )


def _facts(found: Finding) -> dict[str, Cell]:
    rule = found.rule
    cells: tuple[Cell, ...] = (
        *(found.path, found.line, found.column, found.end_column),
        *(rule.code, rule.name, str(rule.severity), str(found.fix), found.message),
    )
    return dict(zip(_COLUMNS, cells, strict=True))


def _findings_table(findings: Findings) -> ReportTable:
    rows = [
        [
            "" if found.line is None else f"{found.line:,}",
            "" if found.column is None else f"{found.column:,}",
            found.rule.code,
            found.message,
        ]
        for found in [*findings][:MOST]
    ]
    more = len(findings) - len(rows)
    notes = [f"{counted(more, 'more finding')}."] * (more > 0)
    heads = ("Line", "Column", "Rule", "Finding")
    return ReportTable(findings.summary(), heads, rows, "rrll", notes=notes)


def fixes_report(fixed: FixedRun, _digits: int | None = None) -> Report:
    """Return a report of the changes of a run, and of the findings that are left."""
    changes = [
        (change.line or None, change.rule.code, change.what, change.unsafe)
        for change in fixed.changes
    ]
    columns = ("line", "code", "change", "unsafe")
    return Report(
        lambda: [_changes_table(fixed), _findings_table(fixed.left)],
        lambda: {
            "changes": [dict(zip(columns, change, strict=True)) for change in changes],
            "left": [*map(_facts, fixed.left)],
        },
        lambda: Records(columns, changes),
    )


def _changes_table(fixed: FixedRun) -> ReportTable:
    rows = [
        [f"{change.line:,}" if change.line else "", change.rule.code, change.what]
        for change in fixed.changes[:MOST]
    ]
    more = len(fixed.changes) - len(rows)
    notes = [f"{counted(more, 'more change')}."] * (more > 0)
    title = f"{fixed.left.path}: {counted(len(fixed.changes), 'change')}"
    return ReportTable(title, ("Line", "Rule", "Change"), rows, "rll", notes=notes)
