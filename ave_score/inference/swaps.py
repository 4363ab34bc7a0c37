"""Ways of swapping the answers of two runs, question by question.

Under the null hypothesis, two runs are exchangeable on each question, so all ways of swapping their
answers are equally probable. Questions on which the runs differ in the same way form a *group*. A
way of swapping is given by the number of questions of each group that are not swapped, which is
binomial. If the groups allow few ways, all are enumerated, and p is exact. For outcomes of 0 and 1,
this is the binomial test of the questions on which the runs differ.

Otherwise ways are sampled near the statistic in question: a question is swapped with a probability
that depends on its *step*, roughly its contribution to the statistic (exponential tilting), and
every sample has the ratio of both probabilities as its weight. A few thousand samples then estimate
a p of 1e-12 as precisely as one of 0.5, so the number of samples need not grow with the number of
comparisons. Where one set of steps does not suit all ways, a mixture of several is sampled.

Sources: Harrison, Conservative Hypothesis Tests and Confidence Intervals Using Importance Sampling,
Biometrika 2012; Owen, Zhou, Safe and Effective Importance Sampling, JASA 2000 (mixtures).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, log, prod
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import TOLERANCE, Floats, Integers, distinct_rows
from ave_score.inference.resampling import BLOCK

MOST_WAYS = 2**16
"""All ways of swapping are enumerated if there are at most so many."""


_SMALL = 16
"""Sizes of groups that are drawn question by question: a binomial number takes as long as 20."""


class Ways(NamedTuple):
    """Ways of swapping.

    Attributes
    ----------
    net
        A row for each way: the questions of each group that are not swapped minus those that are.
    weights
        Their probabilities; of sampled ways, divided by their probability in samples.
    """

    net: Floats
    weights: Floats


@dataclass(frozen=True, eq=False)
class AnswerSwaps:
    """The ways of swapping the answers of two runs.

    Attributes
    ----------
    rows
        A row for each group of questions.
    sizes
        The number of questions of each group.
    seen
        The observed way: questions of each group that differ in the direction of its row, minus
        those that differ in the opposite one.
    """

    rows: Floats
    sizes: Integers
    seen: Floats

    @property
    def is_few(self) -> bool:
        """Whether all ways of swapping can be enumerated."""
        return log(MOST_WAYS) >= float(np.log(self.sizes + 1.0).sum()) - TOLERANCE

    def split(self) -> AnswerSwaps:
        """Return them with small groups divided into single questions, which are drawn faster."""
        is_small = self.sizes <= _SMALL
        times = np.where(is_small, self.sizes, 1)
        group = np.repeat(np.arange(len(times)), times)
        number = np.arange(len(group)) - np.repeat(np.cumsum(times) - times, times)
        signs = np.where(2 * number < (self.sizes + self.seen)[group], 1.0, -1.0)
        return AnswerSwaps(
            self.rows[group],
            np.where(is_small, 1, self.sizes)[group],
            np.where(is_small[group], signs, self.seen[group]),
        )

    def all(self) -> Ways:
        """Return all ways of swapping, with their probabilities."""
        number = prod(int(size) + 1 for size in self.sizes)
        heads = np.stack(np.unravel_index(np.arange(number), self.sizes + 1), axis=1)
        weights = np.ones(number)
        for column, size in zip(heads.T, self.sizes.tolist(), strict=True):
            weights *= _binomial(size)[column]
        return Ways(np.asarray(2.0 * heads - self.sizes, dtype=float), weights)

    def sampled(
        self, generator: np.random.Generator, tilts: Sequence[Floats], samples: int
    ) -> Iterator[Ways]:
        """Yield blocks of random ways of swapping, with their weights.

        Parameters
        ----------
        tilts
            For each part of the mixture, the tilt of each group: half of the logarithm of the odds
            that a question is not swapped. Each part has as many samples.
        """
        per_tilt, rows = ceil(samples / len(tilts)), ceil(BLOCK / max(1, len(self.sizes)))
        for start in range(0, per_tilt, rows):
            number = min(rows, per_tilt - start)
            net = np.vstack([self.drawn(generator, tilt, number) for tilt in tilts])
            yield Ways(net, self.weights(tilts, net))

    def drawn(self, generator: np.random.Generator, tilt: Floats, number: int) -> Floats:
        """Return random ways of swapping, a row each."""
        chance = 1 / (1 + np.exp(-2 * tilt))
        single = self.sizes == 1
        stays = generator.random((number, single.sum()), dtype=np.float32) < chance[single]
        drawn: Floats = stays.astype(float)
        drawn *= 2  # in place: numpy.where takes four times as long
        drawn -= 1
        if single.all():
            return drawn
        net = np.empty((number, len(chance)))
        net[:, single] = drawn
        sizes, shape = self.sizes[~single], (number, (~single).sum())
        net[:, ~single] = 2.0 * generator.binomial(sizes, chance[~single], shape) - sizes
        return net

    def weights(self, tilts: Sequence[Floats], net: Floats) -> Floats:
        """Return the probability of ways divided by their probability in samples."""
        logs = [
            net @ tilt - float((self.sizes * (np.logaddexp(tilt, -tilt) - log(2))).sum())
            for tilt in tilts
        ]
        return np.asarray(np.exp(log(len(tilts)) - np.logaddexp.reduce(logs, axis=0)))


class Grouped(NamedTuple):
    """Ways of swapping, with the group of each question and whether it has the direction of it.

    Attributes
    ----------
    signs
        1 for the direction of the row of the group, -1 for the opposite one.
    """

    swaps: AnswerSwaps
    group: Integers
    signs: Floats


def grouped(rows: Floats, change: int, index: Integers) -> Grouped:
    """Group questions that differ in the same way, in either direction.

    Parameters
    ----------
    rows
        A row for each distinct question: its `change` comes first, which swapping negates; what
        follows it is the same after swapping.
    change
        The number of columns of the change.
    index
        The number of the row of each question on which the runs differ.
    """
    rounded = np.round(rows, 12)
    first = rounded[np.arange(len(rows)), (rounded[:, :change] != 0).argmax(axis=1)]
    directions = np.where(first < 0, -1.0, 1.0)
    rounded[:, :change] *= directions[:, None]
    used, index = np.unique(index, return_inverse=True)
    distinct, numbers = distinct_rows(rounded[used])
    group, signs = numbers[index].astype(np.int64), directions[used][index]
    sizes = np.bincount(group, minlength=len(distinct))
    seen = np.bincount(group, signs, len(distinct)).astype(float)
    return Grouped(AnswerSwaps(distinct, sizes, seen), group, signs)


@cache
def _binomial(size: int) -> Floats:
    """Return the probabilities of 0 to `size` heads of a fair coin."""
    ways = [1]
    for heads in range(size // 2):
        ways.append(ways[-1] * (size - heads) // (heads + 1))
    half = np.array([way / (1 << size) for way in ways])
    return np.concatenate([half, half[: (size + 1) // 2][::-1]])
