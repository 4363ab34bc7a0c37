"""Two runs by one measure: whether their difference is one of means, and what follows from it.

A difference is one of means if all units that contribute to the measure, of either run, have the
same denominator, as the questions of QA accuracy and MRR do. Otherwise it is one of ratios: of F
and precision, whose denominators depend on what a run accepts, and also of recall and accuracy, if
questions have different numbers of answers, and of all means over clusters of different sizes. The
contribution of a unit is then linearised with the denominators of each run itself (`studentised`),
because units with large denominators contribute more to a difference D: what is left of a unit is
its own difference minus D times its denominator, not minus the mean.

This is decided for each pair alone, here, for all tests and intervals, so that no other run changes
what is said of two.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from ave_score.inference.by_question import ByQuestion, Floats, distinct_rows
from ave_score.inference.paired import (
    Score,
    added_by_question,
    effect_size,
    pairs_of_rows,
    score_of,
    values_of_mean,
)
from ave_score.inference.randomisation import Randomisation, SwapTest
from ave_score.inference.resampling import Resampling, whole
from ave_score.inference.studentised import Studentised
from ave_score.measures import Measure

_SAMPLES = 4
"""Samples of units, at which slopes are compared."""

_PAIRS_KEPT = 1 << 8
"""Decisions that are kept."""


def is_ratio(run: ByQuestion, other: ByQuestion, measure: Measure) -> bool:
    """Tell whether units of two runs have unlike denominators; units without any do not count.

    If all have the same, the measure of a number of units is linear in their counts: replacing one
    unit by another changes it equally, whatever the other units are. This is tried in samples of
    the distinct units.
    """
    pairs = pairs_of_rows(run, other, measure)
    rows = np.hstack([pairs.left, pairs.right])
    return _has_unlike(measure, measure.key in run.values, rows.shape[1], rows.tobytes())


@lru_cache(_PAIRS_KEPT)  # many pairs of runs have the same units
def _has_unlike(measure: Measure, is_of_values: bool, width: int, pairs: bytes) -> bool:
    """Tell whether units have unlike denominators, from their rows in one run and in the other."""
    one, other = np.hsplit(np.frombuffer(pairs).reshape(-1, width), 2)
    both = distinct_rows(np.vstack([one, other]))[0]
    run = ByQuestion("", {}, {measure.key: both} if is_of_values else {})
    fields = run.fields(measure, _samples(both))
    enter = one[:, fields].any(axis=1) | other[:, fields].any(axis=1)
    rows = distinct_rows(np.vstack([one[enter], other[enter]]))[0]
    if len(rows) < 2:
        return not len(rows)  # two runs without any denominator: nothing to take a mean of
    # without zeros, slopes are not hidden by a bound of the measure
    slopes = run.linearised(measure, _samples(rows) + 1, fields)[1]
    added = (rows - rows[0])[:, fields] @ slopes.T
    return bool(np.ptp(added, axis=1).max() > 1e-6 * np.abs(added).max())


def _samples(rows: Floats) -> Floats:
    """Return the sums of samples of as many units, in which each has another weight."""
    times = 0.5 + np.random.default_rng(0).random((_SAMPLES, len(rows)))
    return np.asarray(times * (len(rows) / times.sum(axis=1, keepdims=True)) @ rows)


class OneRun:
    """A run and a measure, with what all its pairs need.

    Attributes
    ----------
    counted, measure
        The counts of the run, and the measure.
    """

    def __init__(self, counted: ByQuestion, measure: Measure) -> None:
        self.counted, self.measure = counted, measure

    @cached_property
    def adds_up(self) -> bool:
        """Whether the measure is computed from sums over units."""
        return self.counted.adds_up(self.measure)

    @cached_property
    def whole(self) -> float:
        """The measure on all units."""
        return whole(self.counted, self.measure)

    @cached_property
    def of_each(self) -> Floats:
        """The measure of each unit; NaN if it is undefined."""
        return self.counted.of_each(self.measure)

    @cached_property
    def as_values(self) -> ByQuestion:
        """The values of units in place of their counts."""
        return self.counted.as_values(self.measure)


class TwoRuns:
    """Two runs by one measure.

    Parameters
    ----------
    run, other
        The runs, by the same measure.
    """

    def __init__(self, run: OneRun, other: OneRun) -> None:
        self._runs, self.measure = (run, other), run.measure
        self._counted = run.counted, other.counted

    @cached_property
    def adds_up(self) -> bool:
        """Whether the measure of both runs is computed from sums over units."""
        return all(run.adds_up for run in self._runs)

    @cached_property
    def is_ratio(self) -> bool:
        """Whether the difference is one of ratios; False if the measure does not add up."""
        return self.adds_up and is_ratio(*self._counted, self.measure)

    @cached_property
    def is_of_values(self) -> bool:
        """Whether the difference is one of means of values of units."""
        return not self.is_ratio and self._values() is not None

    @property
    def is_of_outcomes(self) -> bool:
        """Whether these values are 0 or 1."""
        return self.is_of_values and bool(np.isin(np.array(self._values()), (0, 1)).all())

    @property
    def observed(self) -> float:
        """The difference."""
        return self._runs[0].whole - self._runs[1].whole

    def differences(self) -> Floats:
        """Return the difference on each unit, or what takes its place without values."""
        values = self._values()
        if values is not None:
            return np.asarray(values[0] - values[1])
        added = added_by_question(*self._counted, self.measure)
        return added * len(added)

    def effect(self) -> float | None:
        """Return Cohen's d_z; None for ratios."""
        return effect_size(self.differences()) if self.is_of_values else None

    def score(self) -> Score | None:
        """Return wins, ties and losses; None if the measure does not add up."""
        return score_of(added_by_question(*self._swapped(), self.measure), self.measure)

    def swaps(self, resampling: Resampling) -> SwapTest:
        """Return the swap test: of a difference of means, or of ratios."""
        if not self.is_ratio:
            return Randomisation(*self._swapped(), self.measure, resampling)
        return Studentised(*self._counted, self.measure, resampling)

    def _values(self) -> Floats | None:
        if not self.adds_up:
            return None
        wholes = [run.whole for run in self._runs]
        return values_of_mean([run.of_each for run in self._runs], wholes)

    def _swapped(self) -> tuple[ByQuestion, ByQuestion]:
        """Return what is swapped: units with the same values need not have the same counts."""
        one, other = self._runs
        return (one.as_values, other.as_values) if self.is_of_values else self._counted
