"""Values of measures: of a row of counts, and of a system the means of those of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.exact import mean
from ave_score.counts.counted import Counted
from ave_score.measures.registry import Measure, NotApplicable

NOT_OF_KIND = "it does not apply to rows of this kind"
"""Why a measure has no value if no better reason is known."""


class MeasureValues(NamedTuple):
    """The values of measures by their keys.

    Attributes
    ----------
    values
        The value of each, None if it is undefined or does not apply.
    reasons
        Why measures do not apply.
    other_ties
        The values that differ if ties are ranked otherwise (`choices.other_ties`).
    of_runs
        The values of each run of a system; empty for a single run.
    """

    values: Mapping[str, Fraction | None]
    reasons: Mapping[str, str]
    other_ties: Mapping[str, Fraction]
    of_runs: Mapping[str, Sequence[Fraction | None]] = {}


def values_of(counted: Counted, measures: Sequence[Measure]) -> MeasureValues:
    """Return the values of one row, and why a measure does not apply to it."""
    values: dict[str, Fraction | None] = {}
    reasons: dict[str, str] = {}
    others: dict[str, Fraction] = {}
    for measure in measures:
        key, values[measure.key] = measure.key, None
        lacking = [family for family in measure.families if family not in counted.counts]
        if lacking:
            reasons[key] = counted.absent.get(lacking[0], NOT_OF_KIND)
            continue
        try:
            values[key] = measure.of(counted.counts)
            other = measure.with_other_ties(counted.counts, counted.other_ties)
            if other is not None and other != values[key]:
                others[key] = other
        except NotApplicable as reason:
            reasons[key] = str(reason)
    return MeasureValues(values, reasons, others)


def mean_values(runs: Sequence[MeasureValues]) -> MeasureValues:
    """Return the values of a system, the means of those of its runs."""
    of_runs = {key: [run.values[key] for run in runs] for key in runs[0].values}
    others = {
        key: mean(run.other_ties.get(key, run.values[key]) for run in runs)
        for key in of_runs
        if any(key in run.other_ties for run in runs)
    }
    return MeasureValues(
        {key: mean(values) for key, values in of_runs.items()},
        {key: why for run in runs for key, why in run.reasons.items()},
        {key: value for key, value in others.items() if value is not None},
        of_runs,
    )
