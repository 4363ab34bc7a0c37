"""The changes of a run, and the findings that are left, for notebooks and frames."""

from __future__ import annotations

from collections.abc import Callable

from ave_score.core.text import quantity
from ave_score.reports.check import MOST, facts_of, findings_table
from ave_score.reports.report import (
    Cell,
    Column,
    Records,
    Report,
    ReportTable,
    name_column,
    table_of,
)
from ave_score.tasks.fix import FixedRun
from ave_score.tasks.fix_changes import Change


def fix_report(fixed: FixedRun, _digits: int | None = None) -> Report:
    """Return a report of the changes of a run, and of the findings that are left."""
    changes = [{name: fact(change) for name, fact in _FACTS.items()} for change in fixed.changes]
    return Report(
        lambda: [_changes_table(fixed), findings_table(fixed.left)],
        lambda: {"changes": changes, "left": [*map(facts_of, fixed.left)]},
        lambda: Records([*_FACTS], ([*change.values()] for change in changes)),
    )


_FACTS: dict[str, Callable[[Change], Cell]] = {
    "line": lambda change: change.line or None,
    "code": lambda change: change.rule.code,
    "change": lambda change: change.what,
    "unsafe": lambda change: change.unsafe,
}

_COLUMNS = (
    Column("Line", lambda change: f"{change.line:,}" if change.line else ""),
    name_column("Rule", lambda change: change.rule.code),
    name_column("Change", lambda change: change.what),
)


def _changes_table(fixed: FixedRun) -> ReportTable:
    more = len(fixed.changes) - MOST
    notes = [f"{quantity(more, 'more change')}."] * (more > 0)
    title = f"{fixed.left.path}: {quantity(len(fixed.changes), 'change')}"
    return table_of(title, _COLUMNS, fixed.changes[:MOST], notes=notes)
