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
from functools import cached_property, lru_cache
from itertools import product
from math import ceil, log, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.inference.by_question import TOLERANCE, Floats, Integers, distinct_rows
from ave_score.inference.resampling import BLOCK

MOST_WAYS = 2**16
"""All ways of swapping are enumerated if there are at most so many."""

_SMALL = 128
"""Sizes of groups that are drawn question by question: a binomial number takes as long as 150."""

_ONES = np.array([float(byte.bit_count()) for byte in range(256)])
"""How many bits of a byte are set."""

_AT_ONCE = 1 << 19
"""Questions drawn at a time, which bounds memory."""

_WAYS = 1 << 11
"""Ways of swapping that are computed at a time."""

_CHANCES = 1 << 16
"""A question is not swapped with a chance of a multiple of this part: such are drawn fast."""

_KEPT = 20
"""Blocks of random numbers that are kept."""


class Ways(NamedTuple):
    """Ways of swapping.

    Attributes
    ----------
    sums
        A row for each way: the sums of what is asked of each group, over the questions that are not
        swapped minus those that are.
    weights
        Their probabilities; of sampled ways, divided by their probability in samples.
    """

    sums: Floats
    weights: Floats

    def parts(self) -> Iterator[Ways]:
        """Yield parts that fit the processor's cache, with what is computed from them."""
        for start in range(0, len(self.weights), _WAYS):
            yield Ways(self.sums[start : start + _WAYS], self.weights[start : start + _WAYS])


@lru_cache(_KEPT)
def _numbers(seed: tuple[int, ...], size: int, block: int) -> npt.NDArray[np.uint16]:
    """Return a block of random numbers below `_CHANCES`; all tests begin with the same ones."""
    bits = np.random.PCG64(seed).advance(block * size // 4)
    return bits.random_raw(size // 4).astype("<u8", copy=False).view("<u2")


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

    @cached_property
    def _bits(self) -> tuple[Integers, npt.NDArray[np.bool_]]:
        """The group of each byte of questions of small groups, and the bits that are questions."""
        small = np.flatnonzero(self.sizes <= _SMALL)
        number = -(-self.sizes[small] // 8)
        group = np.repeat(small, number)
        place = np.arange(len(group)) - np.repeat(np.cumsum(number) - number, number)
        return group, 8 * place[:, None] + np.arange(8) < self.sizes[group][:, None]

    @property
    def number(self) -> int:
        """The number of all ways of swapping."""
        return prod(int(size) + 1 for size in self.sizes)

    def half(self, columns: Floats) -> Iterator[Ways]:
        """Yield the sums of columns, with a row for each group, over the first half of all ways.

        The others swap what these do not, in the opposite order; one in the middle is its own
        opposite.
        """
        stop = -(-self.number // 2)
        for start in range(0, stop, _WAYS):
            ways = np.arange(start, min(start + _WAYS, stop))
            heads = np.stack(np.unravel_index(ways, self.sizes + 1), axis=1)
            weights = np.ones(len(ways))
            for column, size in zip(heads.T, self.sizes.tolist(), strict=True):
                weights *= _binomial(size)[column]
            yield Ways((2.0 * heads - self.sizes) @ columns, weights)

    def sampled(
        self,
        seed: tuple[int, ...],
        tilts: Sequence[Floats],
        samples: int,
        columns: Floats,
    ) -> Iterator[Ways]:
        """Yield the sums of columns over blocks of random ways of swapping, with their weights.

        Parameters
        ----------
        seed
            Of the random numbers.
        tilts
            For each part of the mixture, the tilt of each group: half of the logarithm of the odds
            that a question is not swapped, `drawable`. Each part has as many samples.
        columns
            A row for each group.
        """
        per_tilt, rows = ceil(samples / len(tilts)), ceil(BLOCK / max(1, len(self.sizes)))
        bits, block = self._bits[1].size, 0
        size = max(_AT_ONCE, bits)
        few, generator = size // max(1, bits), np.random.default_rng((*seed, 1))
        summed = np.column_stack([columns, *tilts])
        for start in range(0, per_tilt, rows):
            end = min(start + rows, per_tilt)
            stay = []
            for tilt, first in product(tilts, range(start, end, few)):
                number = min(few, end - first)
                drawn = _numbers(seed, size, block)[: number * bits].reshape(number, bits)
                stay.append(self._staying(drawn, generator, tilt, summed))
                block += 1
            sums = 2 * np.vstack(stay) - self.sizes @ summed
            of_columns, leaning = np.split(sums, [columns.shape[1]], axis=1)
            yield Ways(of_columns, self.weights(tilts, leaning))

    def _staying(
        self,
        drawn: npt.NDArray[np.uint16],
        generator: np.random.Generator,
        tilt: Floats,
        columns: Floats,
    ) -> Floats:
        """Return sums over the questions that random ways do not swap, a way for each row drawn."""
        below, (group, is_question) = _chances(tilt), self._bits
        chances = np.where(is_question, below[group][:, None], 0).astype(np.uint16).ravel()
        sums: Floats = _ONES[np.packbits(drawn < chances, axis=1)] @ columns[group]
        large = self.sizes > _SMALL
        if large.any():
            sizes, shape = self.sizes[large], (len(drawn), large.sum())
            sums += generator.binomial(sizes, below[large] / _CHANCES, shape) @ columns[large]
        return sums

    def weights(self, tilts: Sequence[Floats], leaning: Floats) -> Floats:
        """Return the probability of ways divided by their probability in samples.

        `leaning` has the sums of the tilts over each way.
        """
        logs = [
            of_tilt - float((self.sizes * (np.logaddexp(tilt, -tilt) - log(2))).sum())
            for tilt, of_tilt in zip(tilts, leaning.T, strict=True)
        ]
        return np.asarray(np.exp(log(len(tilts)) - np.logaddexp.reduce(logs, axis=0)))


def drawable(tilt: Floats) -> Floats:
    """Return the tilts nearest to some whose chances can be drawn."""
    below = _chances(tilt)
    return np.asarray(np.log(below / (_CHANCES - below)) / 2)


def _chances(tilt: Floats) -> Floats:
    """Return the chance that a question is not swapped, in parts of `_CHANCES`."""
    return np.clip(np.round(_CHANCES / (1 + np.exp(-2 * tilt))), 1, _CHANCES - 1)


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


@lru_cache(2**8)
def _binomial(size: int) -> Floats:
    """Return the probabilities of 0 to `size` heads of a fair coin."""
    ways = [1]
    for heads in range(size // 2):
        ways.append(ways[-1] * (size - heads) // (heads + 1))
    half = np.array([way / (1 << size) for way in ways])
    return np.concatenate([half, half[: (size + 1) // 2][::-1]])
