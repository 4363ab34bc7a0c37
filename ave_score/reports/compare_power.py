"""What a comparison could detect, as tables and as data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isnan

from ave_score.core.exact import fixed
from ave_score.core.text import counted
from ave_score.inference.compare_records import Comparison
from ave_score.inference.power import POWER, PairPower, PowerPolicy
from ave_score.measures import Measure
from ave_score.reports.report import MOST_PAIRS, UNDEFINED, ReportTable
from ave_score.tasks.compare import Powers

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
    heads = ["Run", "Other run", "Deviation", "Detectable"]
    if policy.difference is not None:
        heads.append(f"{unit.capitalize()}s for {policy.difference:g}")
    if policy.equivalence is not None:
        heads.append("p, equivalence")
    column = len(heads) - 1
    has_epochs = any(pair.due_to_epochs for pair in powers)
    if has_epochs:
        heads += ["Stderr", "Due to epochs", "Twice the epochs", f"Twice the {unit}s"]
    rows = [
        _row(pair, comparison.measure, policy, digits, has_epochs=has_epochs)
        for pair in powers[:MOST_PAIRS]
    ]
    equivalent = frozenset(
        (number, column)
        for number, pair in enumerate(powers[:MOST_PAIRS])
        if policy.equivalence is not None and pair.p_equivalent <= alpha
    )
    return ReportTable(
        f"Power by {comparison.measure.title}",
        heads,
        rows,
        "ll" + "r" * (len(heads) - 2),
        keys=2,
        best=equivalent,
        notes=_notes(comparison, powers, policy),
    )


def _row(
    pair: PairPower, measure: Measure, policy: PowerPolicy, digits: int, *, has_epochs: bool
) -> list[str]:
    detectable = "none" if pair.detectable > measure.span else _text(pair.detectable, digits)
    row = [pair.run, pair.other, _text(pair.deviation, digits), detectable]
    if policy.difference is not None:
        row.append(UNDEFINED if pair.questions is None else f"{pair.questions:,}")
    if policy.equivalence is not None:
        row.append(_text(pair.p_equivalent, 3))
    if has_epochs:
        errors = (pair.stderr, pair.with_twice_epochs, pair.with_twice_questions)
        now, *twice = (_text(error, digits) for error in errors)
        share = UNDEFINED if isnan(pair.due_to_epochs) else f"{100 * pair.due_to_epochs:.0f} %"
        row += [now, share, *twice]
    return row


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
        f"Discriminative power: {significant:,} of {counted(total, 'pair')} {verb} significant "
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
