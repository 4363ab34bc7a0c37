"""The studentised swap test of two runs by a ratio of counts: F, precision, kappa, MCC, c@1.

Runs may be equally good and not exchangeable: one accepts nearly everything, the other only what it
is sure of. Swapping their answers changes the denominators of both, so the plain difference of such
runs varies less after swapping than it does over samples of questions. The difference divided by
its standard error has nearly the same distribution in both cases. The standard error is linear in
the counts of questions, with the denominators of each run itself, and it is computed again for each
way of swapping.

If the runs are exchangeable, the test is exact or conservative. If they are equally good, it is
right for many questions, and nearly right for a few dozen. Three rules make it so:

- The variance is that of the runs as swapped, not that of both together.
- A run at a bound of the measure has no variance of its own, and one with few answers an uncertain
  one: less than the variance of both together, by size, is not taken from a run without variance or
  of less than half the size of the other. If all questions have the same denominator for both runs,
  as those of recall have, and are worth at least 30 of equal size, this holds of the difference
  alone: it has variance unless every question shows the same one, whichever run is at a bound.
- p is not less than that of Student's t, with the degrees of freedom of the run with fewer
  questions that contribute to the measure.

Sources: Janssen, Studentized Permutation Tests for Non-i.i.d. Hypotheses, Statistics and
Probability Letters 1997; Chung, Romano, Exact and Asymptotically Robust Permutation Tests, Annals
of Statistics 2013; Konietschke, Pauly, Bootstrapping and Permuting Paired t-Test Type Statistics,
Statistics and Computing 2014.
"""

from __future__ import annotations

from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import (
    FINE_STEP,
    STEP,
    TOLERANCE,
    ByQuestion,
    Floats,
    Integers,
)
from ave_score.inference.paired import pairs_of_rows
from ave_score.inference.randomisation import PairResult, SwapTest
from ave_score.inference.resampling import Resampling
from ave_score.inference.student import quantile, tail
from ave_score.inference.swaps import grouped
from ave_score.measures import Measure

_EQUAL = 1e-7
"""Statistics whose relative difference is smaller are equal: derivatives are numeric."""

_TILTS = np.geomspace(1e-2, 1e2, 49)
"""How many times the first tilt of a direction ever greater ones are."""

_WAYS = 4
"""Random counts of a run, between which denominators are compared."""

_ENOUGH = 30
"""Questions of equal size from which what a run at a bound did not show is not needed."""

_NO_PART = 1e-6
"""A variance that is a smaller part of that of both runs is none."""

_NO_ERROR = 1e-9
"""Standard errors below are 0."""


class Differences(NamedTuple):
    """Differences of a measure between two runs, after ways of swapping their answers.

    Attributes
    ----------
    values
        NaN where the measure is undefined.
    errors
        Their standard errors.
    """

    values: Floats
    errors: Floats

    @property
    def statistics(self) -> Floats:
        """The differences by their standard errors; infinite where the measure is undefined."""
        statistics = self.values / np.where(self.errors > _NO_ERROR, self.errors, 1e-300)
        statistics = np.where(np.abs(self.values) < TOLERANCE, 0.0, statistics)
        return np.where(np.isnan(statistics), np.inf, statistics)


class Studentised(SwapTest):
    """The studentised swap test of the difference of a measure between two runs.

    Parameters
    ----------
    one, other
        The runs; their order does not matter.
    resampling
        The number of samples, unless all ways can be enumerated, and their seed.

    Attributes
    ----------
    free
        The degrees of freedom: the questions that contribute to the measure of the run with fewer
        of them, minus 1.
    error
        The standard error of the difference of the runs as they are.
    """

    def __init__(
        self, run: ByQuestion, other: ByQuestion, measure: Measure, resampling: Resampling
    ) -> None:
        self._run, self._measure, self._resampling = run, measure, resampling
        pairs = pairs_of_rows(run, other, measure)
        times = np.bincount(pairs.numbers, minlength=len(pairs.left)).astype(float)
        self._questions = len(pairs.numbers)
        totals = np.array([times @ pairs.left, times @ pairs.right])
        self._whole_half = totals.mean(axis=0)
        self._fields = run.fields(measure, totals)  # the others do not enter the measure
        left, right = pairs.left[:, self._fields], pairs.right[:, self._fields]
        half, change = (left + right) / 2, (left - right) / 2
        # no swap changes these: half of all counts, and the products of both
        self._half = self._whole_half[self._fields]
        self._of_halves = (half * times[:, None]).T @ half
        self._of_changes = (change * times[:, None]).T @ change
        slope = run.slopes(measure, self._whole_half[None])[0, self._fields]
        self._pooled = float(self._half.sum()) * float(
            slope @ (self._of_halves + self._of_changes) @ slope
        )
        size = half.sum(axis=1)
        squares = float(times @ size**2)
        effective = float(times @ size) ** 2 / squares if squares else 0.0
        # of few questions, a run at a bound does not show its variance: it has at least the pooled
        self._is_fixed = effective >= _ENOUGH and self._keeps_denominators(change)
        one_has, other_has = (int(times @ side.any(axis=1)) for side in (left, right))
        self.contributing = one_has, other_has
        self.free = min(self.contributing) - 1
        self._group(change, half, pairs.numbers[pairs.differ[pairs.numbers]])
        as_seen = self._swaps.seen[None] @ self._columns
        observed = self._differences(as_seen)
        value = float(observed.values[0])
        self.error = float(self._differences(as_seen, FINE_STEP).errors[0])
        sign = -1.0 if value < 0 else 1.0
        self._seen = sign * self._swaps.seen
        self.observed = sign * float(observed.statistics[0]) if not np.isnan(value) else np.nan
        self._about = self.observed
        moved = self._seen @ self._changes
        own = self._linearised(np.array([self._half + moved, self._half - moved]))[1].sum(axis=0)
        self._steps = self._directions(slope, own)

    def _keeps_denominators(self, change: Floats) -> bool:
        """Tell whether no swap changes a denominator: then it adds the same, whatever else does."""
        moved = np.random.default_rng(0).random((_WAYS, len(change))) @ change
        slopes = self._linearised(self._half + 1 + moved)[1]  # without zeros, there is no bound
        added = change @ slopes.T
        return bool(np.ptp(added, axis=1).max(initial=0) <= 1e-6 * np.abs(added).max(initial=0))

    def _group(self, change: Floats, half: Floats, numbers: Integers) -> None:
        """Group the questions that have the same counts, but for which run has which."""
        self._swaps = grouped(np.hstack([change, half]), len(self._fields), numbers).swaps
        self._changes, halves = np.hsplit(self._swaps.rows, 2)
        products = halves[:, :, None] * self._changes[:, None, :]
        self._columns = np.hstack(
            [self._changes, products.reshape(len(halves), change.shape[1] ** 2)]
        )

    def _linearised(self, totals: Floats, step: float = STEP) -> tuple[Floats, Floats]:
        """Return the measure and its slopes, from sums of the fields that enter it."""
        whole = np.repeat(self._whole_half[:, None], len(totals), axis=1)
        whole[self._fields] = totals.T
        return self._run.linearised(self._measure, whole.T, self._fields, step)

    def _differences(self, sums: Floats, step: float = STEP) -> Differences:
        """Return the differences, and their standard errors, after ways of swapping."""
        number, fields = len(sums), len(self._fields)
        columns, half = np.ascontiguousarray(sums.T), self._half[:, None]
        moved, cross = columns[:fields], columns[fields:].reshape(fields, fields, number)
        totals = np.hstack([half + moved, half - moved])
        values, by_way = self._linearised(totals.T, step)
        slopes = by_way.T  # contiguous, as all that is added up here
        means = (slopes * totals).sum(axis=0)
        first, second = np.hsplit(slopes, 2)
        # both runs' sums of squared contributions, and the sum of their products
        squares = (((self._of_halves + self._of_changes).T @ slopes) * slopes).sum(axis=0)
        crossed = [np.einsum("is,ijs->js", slope, cross) for slope in (first, second)]
        squares[:number] += 2 * (crossed[0] * first).sum(axis=0)
        squares[number:] -= 2 * (crossed[1] * second).sum(axis=0)
        shared = (((self._of_halves - self._of_changes).T @ first) * second).sum(axis=0)
        shared += (crossed[1] * first).sum(axis=0) - (crossed[0] * second).sum(axis=0)
        shared -= means[:number] * means[number:] / self._questions
        own = squares - means**2 / self._questions
        variance = self._variance(own, shared, totals.sum(axis=0))
        correction = self._questions / max(self._questions - 1, 1)
        errors = np.sqrt(np.maximum(variance, 0) * correction)
        return Differences(values[:number] - values[number:], errors)

    def _variance(self, own: Floats, shared: Floats, sizes: Floats) -> Floats:
        """Return variances of differences, where they are doubtful not below that of both runs.

        Half of the own variances and of the sizes are of the one runs, half of the others; `shared`
        has the covariances.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            pooled = self._pooled / sizes
        if self._is_fixed:
            variance = own.reshape(2, -1).sum(axis=0) - 2 * shared
            least = pooled.reshape(2, -1).sum(axis=0)
            return np.asarray(np.where(variance < _NO_PART * least, least, variance))
        is_smaller = 2 * sizes < np.roll(sizes, len(sizes) // 2)
        is_doubtful = (own < _NO_PART * pooled) | is_smaller
        own = np.where((own < pooled) & is_doubtful, pooled, own)
        return np.asarray(own.reshape(2, -1).sum(axis=0) - 2 * shared)

    def _directions(self, *slopes: Floats) -> list[Floats]:
        """Return what each group adds to the difference, by several slopes."""
        added = [self._changes @ slope for slope in slopes]
        turned = [steps if self._seen @ steps >= 0 else -steps for steps in added]
        return [steps for steps in turned if np.abs(steps).max(initial=0) > TOLERANCE]

    def _statistic(self, sums: Floats) -> Floats:
        return self._differences(sums).statistics

    def _as_extreme(self, statistics: Floats) -> Floats:
        return statistics * (1 - _EQUAL * np.sign(statistics))

    def _tilts(self, about: float) -> list[Floats]:
        """Return the least tilt of each direction whose mean way reaches `about`."""
        least = [
            _TILTS[(reached >= min(about, float(reached.max()))).argmax()] * steps
            for steps, reached in self._paths
        ]
        return least or [np.zeros(self.size)]

    @cached_property
    def _paths(self) -> list[tuple[Floats, Floats]]:
        """For each direction, its tilt and the statistic of the mean way of ever greater ones."""
        paths = []
        for steps in self._steps:
            tilt = steps / np.abs(steps).max()
            mean = self._swaps.sizes * np.tanh(_TILTS[:, None] * tilt) @ self._columns
            paths.append((tilt, self._statistic(mean)))
        return paths

    def test(self, samples: int | None = None) -> PairResult:
        """Test the difference, two-sided, as `SwapTest.test`."""
        if self.free < 0:
            return PairResult(np.nan)
        result = super().test(samples)
        if result.p < 1:
            return result._replace(p=max(result.p, tail(self.observed, self.free)))
        return result

    def margin(self, level: float, samples: int | None = None) -> float:
        """Return half the width of the interval of the difference, as `Randomisation.margin`."""
        if np.isnan(self.observed) or self.free < 0:
            return np.nan
        if not self.size:
            return 0.0
        critical = self.critical(level, NormalDist().inv_cdf(1 - level / 2), samples)
        return max(critical, quantile(level, self.free)) * self.error

    @property
    def p_of_t(self) -> float:
        """The p of the t test of the statistic; NaN if the measure is undefined."""
        is_known = self.free >= 0 and not np.isnan(self.observed)
        return tail(self.observed, self.free) if is_known else np.nan

    def margin_of_t(self, level: float) -> float:
        """Return half the width of the interval of the t test at a level in 0..1."""
        return quantile(level, self.free) * self.error if self._has_error else np.nan

    @property
    def deviation(self) -> float:
        """The standard error of the difference, times the root of the number of questions."""
        is_known = self._has_error and self._questions > 1
        return self.error * self._questions**0.5 if is_known else np.nan

    @property
    def _has_error(self) -> bool:
        """Whether the standard error is known: unlike runs at one bound show no variance."""
        return self.free >= 0 and (self.error > _NO_ERROR or not self.size)
