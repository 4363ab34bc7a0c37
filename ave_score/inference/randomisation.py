"""The paired randomisation test of a difference of means.

`swaps` has the ways of swapping the answers of two runs. The statistic of this test is the plain
difference. It is one of means over questions, so p also holds for runs that are equally good and
not exchangeable. For ratios, such as F, it would not: see `studentised`.

The interval of the difference inverts the test: it has the differences that the test, in its
studentised form, does not reject. It excludes 0 if and only if the difference is significant.

Sources: Noreen, Computer Intensive Methods for Testing Hypotheses, 1989; Yeh, More Accurate Tests
for the Statistical Significance of Result Differences, 2000; Smucker, Allan, Carterette, A
Comparison of Statistical Significance Tests for Information Retrieval Evaluation, 2007; Ernst,
Permutation Methods: A Basis for Exact Inference, Statistical Science 2004.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from sys import float_info
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import TOLERANCE, ByQuestion, Floats
from ave_score.inference.paired import added_by_pair, pairs_of_rows
from ave_score.inference.resampling import Resampling
from ave_score.inference.student import quantile
from ave_score.inference.swaps import AnswerSwaps, Ways, drawable, grouped
from ave_score.measures import Measure

_STREAM = 1
"""Separates these random numbers from those of the bootstrap, which uses the seed alone."""

_SMALLEST = float_info.min
"""Smaller probabilities are rounded to it: those of these tests are never 0."""


class PairResult(NamedTuple):
    """The result of a test of two runs.

    Attributes
    ----------
    p
        In 0..1; NaN if the measure is undefined for one of the runs.
    is_exact
        Whether no random numbers were used.
    error
        The relative standard error of p that is due to sampling; 0 if unknown or exact.
    """

    p: float
    is_exact: bool = False
    error: float = 0.0


class _Statistics(NamedTuple):
    """The statistic after each of some ways of swapping, and the weight of each way."""

    values: Floats
    weights: Floats

    def tail(self, least: float) -> Floats:
        """Return the weights of the statistics of at least this size; others are 0."""
        return np.where(self.values >= least, self.weights, 0.0)


class SwapTest(ABC):
    """A test of two runs whose statistic is computed again after ways of swapping their answers.

    The run with the higher value comes first, whatever the order of the arguments.

    Attributes
    ----------
    observed
        The statistic of the runs as they are, at least 0; NaN if the measure is undefined.
    contributing
        The numbers of questions that contribute to the measure of each run; None for means. A run
        without such a question is not tested.
    free
        The degrees of freedom of the deviation: the questions that contribute to the measure of
        either run, or of a ratio those of the run with fewer of them, minus 1.
    """

    observed: float
    free: int
    contributing: tuple[int, int] | None = None
    _about: float
    _swaps: AnswerSwaps
    _columns: Floats
    _seen: Floats
    _resampling: Resampling
    _questions: int

    @abstractmethod
    def _statistic(self, sums: Floats) -> Floats:
        """Return the statistic after each way of swapping; NaN if the measure is undefined.

        `sums` has the sums of the test's columns over each way.
        """

    @abstractmethod
    def _tilts(self, about: float) -> list[Floats]:
        """Return the tilts of samples of which about half have a statistic of at least `about`."""

    @abstractmethod
    def _as_extreme(self, statistics: Floats) -> Floats:
        """Return the least statistics that are as extreme as others, allowing for rounding."""

    @property
    @abstractmethod
    def deviation(self) -> float:
        """The standard deviation of the difference per question; NaN of a single question."""

    @abstractmethod
    def margin(self, level: float, samples: int | None = None) -> float:
        """Return half the width of the interval of the difference.

        Parameters
        ----------
        level
            The p, in 0..1, up to which a difference is significant.
        samples
            Replaces the number of samples of the resampling.

        Returns
        -------
        float
            Infinite if no result on these questions could be significant, NaN if the measure is
            undefined.
        """

    def margin_of_few(self, level: float) -> float:
        """Return the margin by Student's t, for runs that differ on few questions.

        They are the sample whose spread is known, less those that do not contribute to a ratio.
        NaN if it is unknown.
        """
        differ = int(self._swaps.sizes.sum())
        free = min(differ, *(self.contributing or [differ])) - 1
        if free < 1 or not self.deviation > 0:
            return np.nan
        return float(quantile(level, free) * self.deviation / self._questions**0.5)

    @property
    def size(self) -> int:
        """The number of groups of questions, to which time and memory are proportional."""
        return len(self._swaps.sizes)

    @property
    def is_exact(self) -> bool:
        """Whether all ways of swapping can be enumerated."""
        return self._swaps.is_few

    def test(self, samples: int | None = None) -> PairResult:
        """Test the difference, two-sided.

        Parameters
        ----------
        samples
            Replaces the number of samples of the resampling.
        """
        if np.isnan(self.observed):
            return PairResult(np.nan)
        if self.observed <= TOLERANCE:
            return PairResult(1.0, is_exact=True)
        least = float(self._as_extreme(np.array(self.observed)))
        if self.is_exact:
            return PairResult(_p(2 * float(self._all().tail(least).sum())), is_exact=True)
        tilts = [*map(drawable, self._tilts(self._about))]
        tail = self._sampled(tilts, samples).tail(least)
        # the observed way is one of the possible ones
        leaning = self._seen @ np.transpose(tilts)
        total = float(tail.sum() + self._swaps.weights(tilts, leaning[None])[0])
        error = float(tail.std() * np.sqrt(len(tail)) / max(total, _SMALLEST))
        return PairResult(_p(2 * total / (len(tail) + 1)), error=error)

    def critical(self, level: float, about: float, samples: int | None = None) -> float:
        """Return the largest statistic that is not significant.

        Parameters
        ----------
        level
            The p, in 0..1, up to which a statistic is significant.
        about
            A first guess, near which ways are sampled.
        samples
            Replaces the number of samples of the resampling.

        Returns
        -------
        float
            Infinite if this is the largest possible statistic.
        """
        if self.is_exact:
            ways = self._all()
        else:
            tilts = [*map(drawable, self._tilts(about))]
            ways = self._sampled(tilts, samples)
            ways = ways._replace(weights=ways.weights / len(ways.weights))
        order = np.argsort(-ways.values, kind="stable")
        statistics, reached = ways.values[order], np.cumsum(ways.weights[order])
        # equal statistics are reached together
        last = np.append(statistics[1:] < self._as_extreme(statistics[:-1]), True)
        is_kept = reached[last] > level / 2 + 1e-12
        if not is_kept.any():
            return 0.0
        return np.inf if is_kept[0] else float(statistics[last][is_kept][0])

    def _all(self) -> _Statistics:
        values, weights = self._evaluated(self._swaps.half(self._columns))
        pairs = self._swaps.number // 2  # of opposite ways
        opposite = np.where(np.isinf(values), values, -values)  # infinite ones are undefined
        values = np.append(values, opposite[:pairs][::-1])
        known = ~np.isnan(values)
        weights = np.append(weights, weights[:pairs][::-1])[known]
        return _Statistics(values[known], weights / weights.sum())

    def _sampled(self, tilts: Sequence[Floats], samples: int | None) -> _Statistics:
        seed, samples = (self._resampling.seed, _STREAM), samples or self._resampling.resamples
        ways = self._evaluated(self._swaps.sampled(seed, tilts, samples, self._columns))
        return ways._replace(values=np.nan_to_num(ways.values, nan=np.inf))

    def _evaluated(self, blocks: Iterable[Ways]) -> _Statistics:
        parts = [
            (self._statistic(rows), weights) for ways in blocks for rows, weights in ways.parts()
        ]
        return _Statistics(*map(np.concatenate, zip(*parts, strict=True)))


class Randomisation(SwapTest):
    """The randomisation test of the difference of a measure between two runs.

    Parameters
    ----------
    one, other
        The runs; their order does not matter.
    resampling
        The number of samples, unless all ways can be enumerated, and their seed.
    """

    def __init__(
        self, run: ByQuestion, other: ByQuestion, measure: Measure, resampling: Resampling
    ) -> None:
        self._run, self._other, self._measure = run, other, measure
        self._resampling = resampling
        totals = np.array([one.rows_of(measure).total for one in (run, other)])
        self._both = totals.sum(axis=0)
        self._questions = run.questions
        pairs = pairs_of_rows(run, other, measure)
        added = added_by_pair(run, other, measure, pairs)
        fields = run.fields(measure, totals)
        # a number of questions has no denominator: every question enters it
        entering = self._questions
        if not measure.whole:
            entering = int(pairs.enter(fields)[pairs.numbers].sum())
        self._entering, self.free = entering, entering - 1
        total = pairs.change[pairs.numbers].sum(axis=0, keepdims=True)
        difference = float(self._differences(total)[0])
        self._sign = -1.0 if difference < 0 else 1.0
        self.observed = self._sign * difference
        numbers = pairs.numbers[pairs.differ[pairs.numbers]]  # of the questions that differ
        self._swaps, group, signs = grouped(pairs.change, pairs.change.shape[1], numbers)
        self._seen, self._columns = self._swaps.seen, self._swaps.rows
        oriented = self._sign * added[numbers]
        self._size_of_added = float((oriented**2).sum())
        self._about = float(oriented.sum())
        # the contribution of an unswapped question of each group
        sums = np.bincount(group, oriented * signs, self.size)
        self._steps = sums / np.maximum(self._swaps.sizes, 1)

    def margin(self, level: float, samples: int | None = None) -> float:
        """Return half the width of the interval of the difference, as `SwapTest.margin`.

        Swapping keeps the sum of squared contributions, so a larger difference has a smaller
        variance, and the studentised statistic grows with the difference.
        """
        if np.isnan(self.observed):
            return np.nan
        if not self.size:
            return 0.0
        deviation = NormalDist().inv_cdf(1 - level / 2) * self._size_of_added**0.5
        critical = self.critical(level, deviation, samples)
        least = self._size_of_added - critical**2 / max(self._entering, 1)
        if least <= TOLERANCE * self._size_of_added:
            return np.inf
        return float(critical * (self._spread(self.observed) / least) ** 0.5)

    @property
    def deviation(self) -> float:
        """The standard error of a difference of means, times the root of all questions."""
        number = self._entering
        if number < 2:
            return np.nan
        error = np.sqrt(number / (number - 1) * self._spread(self._about))
        return float(error * np.sqrt(self._questions))

    def _spread(self, total: float) -> float:
        """Return the sum of squares of contributions about their mean, from their sum.

        Questions that do not enter the measure have none.
        """
        return max(0.0, self._size_of_added - total**2 / max(self._entering, 1))

    def _differences(self, sums: Floats) -> Floats:
        """Return the differences of runs whose counts differ by `sums` and add up to `both`."""
        halves = (self._both + sums) / 2, (self._both - sums) / 2
        value = self._run.computed(self._measure, halves[0])
        return value - self._other.computed(self._measure, halves[1])

    def _statistic(self, sums: Floats) -> Floats:
        return self._sign * self._differences(sums)

    def _as_extreme(self, statistics: Floats) -> Floats:
        return statistics - TOLERANCE

    def _tilts(self, about: float) -> list[Floats]:
        """Return the tilt with which the expected sum of contributions is `about`."""
        steps, sizes = np.abs(self._steps), self._swaps.sizes
        most = float((sizes * steps).sum())
        target = min(about, most * (1 - 0.5 / float(sizes.sum())))
        if target <= 0:
            return [0.0 * self._steps]
        low, high = 0.0, 1 / float(steps.max())
        while (sizes * steps * np.tanh(high * steps)).sum() < target:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            is_low = (sizes * steps * np.tanh(middle * steps)).sum() < target
            low, high = (middle, high) if is_low else (low, middle)
        return [high * self._steps]


def _p(probability: float) -> float:
    return min(1.0, max(_SMALLEST, probability))
