"""The paired randomisation test of any measure: exact, or by importance sampling.

Under the null hypothesis, two runs are exchangeable on each question, so all ways of swapping their
answers are equally probable. Questions on which the runs differ in the same way form a *group*. A
way of swapping is given by the number of questions of each group that are not swapped, which is
binomial. If the groups allow few ways, all are enumerated, and p is exact. For outcomes of 0 and 1,
this is the binomial test of the questions on which the runs differ.

Otherwise ways are sampled near the difference in question: a question is swapped with a probability
that depends on its contribution to the difference (exponential tilting), and every sample has the
ratio of both probabilities as its weight. A few thousand samples then estimate a p of 1e-12 as
precisely as one of 0.5, so the number of samples need not grow with the number of comparisons.

The interval of the difference inverts the test: it has the differences that the test, in its
studentised form, does not reject. It excludes 0 if and only if the difference is significant.

Sources: Noreen, Computer Intensive Methods for Testing Hypotheses, 1989; Yeh, More Accurate Tests
for the Statistical Significance of Result Differences, 2000; Smucker, Allan, Carterette, A
Comparison of Statistical Significance Tests for Information Retrieval Evaluation, 2007; Harrison,
Conservative Hypothesis Tests and Confidence Intervals Using Importance Sampling, Biometrika 2012;
Ernst, Permutation Methods: A Basis for Exact Inference, Statistical Science 2004.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil, log, prod
from statistics import NormalDist
from sys import float_info
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import (
    TOLERANCE,
    ByQuestion,
    Floats,
    Integers,
    distinct_rows,
)
from ave_score.inference.paired import PairsOfRows, added_by_pair, pairs_of_rows, score_of
from ave_score.inference.resampling import BLOCK, Resampling
from ave_score.measures import Measure

MOST_WAYS = 2**16
"""All ways of swapping are enumerated if there are at most so many."""

_STREAM = 1
"""Separates these random numbers from those of the bootstrap, which uses the seed alone."""


_SMALLEST = float_info.min
"""Smaller probabilities are rounded to it: those of this test are never 0."""


def _p(probability: float) -> float:
    return min(1.0, max(_SMALLEST, probability))


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


class _Ways(NamedTuple):
    """Ways of swapping: the difference of the runs after each, and the weight of each."""

    differences: Floats
    weights: Floats

    def tail(self, least: float) -> Floats:
        """Return the weights of the differences of at least this size, upwards; others are 0."""
        return np.where(self.differences >= least - TOLERANCE, self.weights, 0.0)


class Randomisation:
    """The randomisation test of the difference of a measure between two runs.

    Parameters
    ----------
    one, other
        The runs; their order does not matter to `test` and `margin`.
    resampling
        The number of samples, unless all ways can be enumerated, and their seed.
    """

    def __init__(
        self, one: ByQuestion, other: ByQuestion, measure: Measure, resampling: Resampling
    ) -> None:
        self._one, self._other, self._measure = one, other, measure
        self._resampling = resampling
        self._both = one.rows_of(measure).total + other.rows_of(measure).total
        self._questions = one.questions
        pairs = pairs_of_rows(one, other, measure)
        added = added_by_pair(one, other, measure, pairs)
        self.score = score_of(added[pairs.numbers], measure)
        total = pairs.change[pairs.numbers].sum(axis=0, keepdims=True)
        self._sign = 1.0
        self._observed = float(self._differences(total)[0])
        if self._observed < 0:
            self._sign, self._observed = -1.0, -self._observed
        self._group(pairs, self._sign * added)

    def _group(self, pairs: PairsOfRows, added: Floats) -> None:
        """Group the questions on which the runs differ in the same way, in either direction."""
        rows = np.round(pairs.change, 12)
        first = rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)]
        directions = np.where(first < 0, -1.0, 1.0)
        numbers = np.zeros(len(rows), dtype=np.int64)
        differ = pairs.differ
        self._changes, numbers[differ] = distinct_rows((rows * directions[:, None])[differ])
        index = pairs.numbers[differ[pairs.numbers]]  # of the questions that differ
        added, signs, group = added[index], directions[index], numbers[index]
        number = len(self._changes)
        self._sizes = np.bincount(group, minlength=number)
        self._size_of_added = float((added**2).sum())
        # the contribution of an unswapped question of each group, and of all as observed
        self._steps = np.bincount(group, added * signs, number) / np.maximum(self._sizes, 1)
        self._kept = np.bincount(group, signs > 0, number)
        self._sum = float(added.sum())

    @property
    def size(self) -> int:
        """The number of groups, to which time and memory are proportional."""
        return len(self._sizes)

    @property
    def is_exact(self) -> bool:
        """Whether all ways of swapping can be enumerated."""
        return log(MOST_WAYS) >= float(np.log(self._sizes + 1.0).sum()) - TOLERANCE

    def test(self, samples: int | None = None) -> PairResult:
        """Test the difference, two-sided.

        Parameters
        ----------
        samples
            Replaces the number of samples of the resampling.
        """
        if np.isnan(self._observed):
            return PairResult(np.nan)
        if self._observed <= TOLERANCE:
            return PairResult(1.0, is_exact=True)
        if self.is_exact:
            ways = self._all_ways()
            return PairResult(_p(2 * float(ways.tail(self._observed).sum())), is_exact=True)
        samples = samples or self._resampling.resamples
        tilt = self._tilt(self._sum)
        tail = np.concatenate([part.tail(self._observed) for part in self._sampled(tilt, samples)])
        # the observed way is one of the possible ones
        total = tail.sum() + self._weight(tilt, self._sum)
        error = float(tail.std() * np.sqrt(samples) / max(total, _SMALLEST))
        return PairResult(_p(2 * float(total) / (samples + 1)), error=error)

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
        if np.isnan(self._observed):
            return np.nan
        if not len(self._sizes):
            return 0.0
        if self.is_exact:
            ways = self._all_ways()
        else:
            deviation = NormalDist().inv_cdf(1 - level / 2) * self._size_of_added**0.5
            number = samples or self._resampling.resamples
            parts = [*self._sampled(self._tilt(deviation), number)]
            ways = _Ways(*map(np.concatenate, zip(*parts, strict=True)))
            ways = ways._replace(weights=ways.weights / number)
        return self._studentised(_critical(ways, level / 2))

    def _studentised(self, critical: float) -> float:
        """Return the margin that rejects as a critical value of the difference does.

        Swapping keeps the sum of squared contributions, so a larger difference has a smaller
        variance, and the studentised statistic grows with the difference.
        """
        least = self._size_of_added - critical**2 / self._questions
        if least <= TOLERANCE * self._size_of_added:
            return np.inf
        variance = max(0.0, self._size_of_added - self._observed**2 / self._questions)
        return float(critical * (variance / least) ** 0.5)

    def _differences(self, sums: Floats) -> Floats:
        """Return the differences of runs whose counts differ by `sums` and add up to `both`."""
        halves = (self._both + sums) / 2, (self._both - sums) / 2
        one = self._one.computed(self._measure, halves[0])
        return self._sign * (one - self._other.computed(self._measure, halves[1]))

    def _all_ways(self) -> _Ways:
        """Return all ways of swapping, with their probabilities."""
        number = prod(int(size) + 1 for size in self._sizes)
        kept = np.stack(np.unravel_index(np.arange(number), self._sizes + 1), axis=1)
        weights = np.ones(number)
        for column, size in zip(kept.T, self._sizes.tolist(), strict=True):
            weights *= _binomial(size)[column]
        differences = self._differences((2 * kept - self._sizes) @ self._changes)
        known = ~np.isnan(differences)
        return _Ways(differences[known], weights[known] / weights[known].sum())

    def _tilt(self, target: float) -> float:
        """Return the tilt with which the expected sum of contributions is `target`."""
        steps, sizes = np.abs(self._steps), self._sizes
        most = float((sizes * steps).sum())
        target = min(target, most * (1 - 0.5 / float(sizes.sum())))
        if target <= 0:
            return 0.0
        low, high = 0.0, 1 / float(steps.max())
        while (sizes * steps * np.tanh(high * steps)).sum() < target:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            is_low = (sizes * steps * np.tanh(middle * steps)).sum() < target
            low, high = (middle, high) if is_low else (low, middle)
        return high

    def _weight(self, tilt: float, sums: Floats | float) -> Floats:
        """Return the probability of ways of swapping divided by their probability in samples."""
        scaled = tilt * self._steps
        log_mean = float((self._sizes * np.logaddexp(scaled, -scaled)).sum())
        log_mean -= float(self._sizes.sum()) * log(2)
        return np.exp(log_mean - tilt * np.asarray(sums))

    def _sampled(self, tilt: float, samples: int) -> Iterator[_Ways]:
        """Yield blocks of random ways of swapping, with their weights."""
        generator = np.random.default_rng([self._resampling.seed, _STREAM])
        chance = 1 / (1 + np.exp(-2 * tilt * self._steps))
        single = self._sizes == 1
        rows = min(samples, ceil(BLOCK / len(chance)))
        for start in range(0, samples, rows):
            number = min(rows, samples - start)
            sums = np.zeros((number, self._changes.shape[1]))
            added = np.zeros(number)
            for mask in (single, ~single):
                if mask.any():
                    swaps = _drawn(generator, number, self._sizes[mask], chance[mask])
                    sums += swaps @ self._changes[mask]
                    added += swaps @ self._steps[mask]
            differences = self._differences(sums)
            yield _Ways(np.nan_to_num(differences, nan=np.inf), self._weight(tilt, added))


def _drawn(generator: np.random.Generator, number: int, sizes: Integers, chance: Floats) -> Floats:
    """Return questions of each group that are not swapped minus those that are, in each sample."""
    if sizes.max() == 1:
        kept = generator.random((number, len(sizes)), dtype=np.float32) < chance
        return np.where(kept, 1.0, -1.0)
    kept = generator.binomial(sizes, chance, (number, len(sizes))).astype(float)
    return np.asarray(2 * kept - sizes, dtype=float)


@cache
def _binomial(size: int) -> Floats:
    """Return the probabilities of 0 to `size` heads of a fair coin."""
    ways = [1]
    for heads in range(size // 2):
        ways.append(ways[-1] * (size - heads) // (heads + 1))
    half = np.array([way / (1 << size) for way in ways])
    return np.concatenate([half, half[: (size + 1) // 2][::-1]])


def _critical(ways: _Ways, tail: float) -> float:
    """Return the largest difference with a probability of more than `tail` to be reached.

    Infinite if this is the largest possible difference.
    """
    order = np.argsort(-ways.differences, kind="stable")
    differences, reached = ways.differences[order], np.cumsum(ways.weights[order])
    # equal differences are reached together
    last = np.append(np.diff(differences) < -TOLERANCE, True)
    is_kept = reached[last] > tail + 1e-12
    if not is_kept.any():
        return 0.0
    return np.inf if is_kept[0] else float(differences[last][is_kept][0])
