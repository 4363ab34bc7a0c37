"""The changes of a run, and the findings that are left, for notebooks and frames."""

from __future__ import annotations

from ave_score.core.text import counted
from ave_score.reports.check import MOST, facts_of, findings_table
from ave_score.reports.report import Records, Report, ReportTable
from ave_score.tasks.fix import FixedRun


def fix_report(fixed: FixedRun, _digits: int | None = None) -> Report:
    """Return a report of the changes of a run, and of the findings that are left."""
    changes = [
        (change.line or None, change.rule.code, change.what, change.unsafe)
        for change in fixed.changes
    ]
    columns = ("line", "code", "change", "unsafe")
    return Report(
        lambda: [_changes_table(fixed), findings_table(fixed.left)],
        lambda: {
            "changes": [dict(zip(columns, change, strict=True)) for change in changes],
            "left": [*map(facts_of, fixed.left)],
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
