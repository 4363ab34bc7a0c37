"""What a comparison could detect, as tables and as data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isnan

from ave_score.core.exact import fixed
from ave_score.core.text import quantity
from ave_score.inference.compare_records import Comparison
from ave_score.inference.power import POWER, PairPower, PowerPolicy
from ave_score.reports.report import (
    MOST_PAIRS,
    UNDEFINED,
    Column,
    ReportTable,
    name_column,
    table_of,
)
from ave_score.tasks.compared import Powers

ACHIEVED = (0.001, 0.01, 0.05, 0.1, 0.5)
"""Levels of p of the curve of discriminative power, in words."""


def power_tables(
    comparisons: Sequence[Comparison], powers: Powers, digits: int
) -> list[ReportTable]:
    """Return a table for each comparison."""
    pairs = zip(comparisons, powers.of_comparisons, strict=True)
    return [_table(comparison, of_pairs, powers.asked, digits) for comparison, of_pairs in pairs]


def _table(
    comparison: Comparison, powers: Sequence[PairPower], policy: PowerPolicy, digits: int
) -> ReportTable:
    unit, alpha = comparison.unit, comparison.design.alpha
    columns = [
        name_column("Run", lambda pair: pair.run, is_key=True),
        name_column("Other run", lambda pair: pair.other, is_key=True),
        Column("Deviation", lambda pair: _text(pair.deviation, digits)),
        Column(
            "Detectable",
            lambda pair: (
                "none"
                if pair.detectable > comparison.measure.span
                else _text(pair.detectable, digits)
            ),
        ),
    ]
    needed = Column(
        f"{unit.capitalize()}s for {policy.difference:g}" if policy.difference is not None else "",
        lambda pair: UNDEFINED if pair.questions is None else f"{pair.questions:,}",
    )
    equivalence = Column(
        "p, equivalence",
        lambda pair: _text(pair.p_equivalent, 3),
        is_best=lambda pair: pair.p_equivalent <= alpha,
    )
    columns += [needed] * (policy.difference is not None)
    columns += [equivalence] * (policy.equivalence is not None)
    columns += _of_epochs(unit, digits) if any(pair.due_to_epochs for pair in powers) else []
    title = f"Power by {comparison.measure.title}"
    return table_of(title, columns, powers[:MOST_PAIRS], notes=_notes(comparison, powers, policy))


def _of_epochs(unit: str, digits: int) -> list[Column]:
    """Return the columns of what more replicates, or questions, would change."""
    return [
        Column("Stderr", lambda pair: _text(pair.stderr, digits)),
        Column(
            "Due to epochs",
            lambda pair: (
                UNDEFINED if isnan(pair.due_to_epochs) else f"{100 * pair.due_to_epochs:.0f} %"
            ),
        ),
        Column("Twice the epochs", lambda pair: _text(pair.with_twice_epochs, digits)),
        Column(f"Twice the {unit}s", lambda pair: _text(pair.with_twice_questions, digits)),
    ]


def _notes(comparison: Comparison, powers: Sequence[PairPower], policy: PowerPolicy) -> list[str]:
    design, unit = comparison.design, comparison.unit
    significant = sum(pair.is_significant for pair in comparison.pairs)
    known = [pair.p for pair in comparison.pairs]  # NaN is above every level
    total = len(comparison.pairs)
    share = fixed(Fraction(100 * significant, total), 0)
    verb = "is" if significant == 1 else "are"
    achieved = (
        f"{level:g} for {fixed(Fraction(100 * sum(p <= level for p in known), total), 0)} %"
        for level in ACHIEVED
    )
    notes = [
        f"Discriminative power: {significant:,} of {quantity(total, 'pair')} {verb} significant "
        f"({share} %); uncorrected p is at most {', '.join(achieved)} of the pairs.",
        f"Detectable: the smallest true difference that a t test of {comparison.questions:,} "
        f"{unit}s, at p up to {comparison.cutoff:.2g} as here, finds with probability {POWER:g}; "
        f"none if it exceeds the range of the measure. Deviation: the standard "
        f"deviation of the difference per {unit}.",
    ]
    if any(pair.due_to_epochs for pair in powers):
        notes.append(
            "Stderr: the standard error of the difference, and with twice as many epochs or "
            f"{unit}s. Due to epochs: the share of its square that differences between epochs of "
            "the same question cause."
        )
    if policy.equivalence is not None:
        notes.append(
            f"Marked: the runs are equivalent, their true difference is less than "
            f"{policy.equivalence:g} (two one-sided t tests, corrected p at most {design.alpha:g})."
        )
    if len(powers) > MOST_PAIRS:
        notes.append(f"{len(powers) - MOST_PAIRS:,} more pairs: --format json has all.")
    return notes


def _text(value: float, digits: int) -> str:
    return UNDEFINED if isnan(value) else fixed(Fraction(value), digits)
