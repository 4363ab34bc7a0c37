"""Votes of the candidates of a question, counted in subsets one by one: all of them, or a sample.

`measures.subsets` counts majority votes without looking at subsets. Sums of scores need them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.measures.subsets import Votes, majority

Masks = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.integer[Any]]
Sums = npt.NDArray[np.float64]

MOST_DRAWS, LEAST_DRAWS, DRAWN, DRAWN_OF_ONE = 10_000, 50, 2**26, 2**24
"""Random subsets of each question: at most, at least, and in candidates of all and of each."""

_LIMB = 32
"""Bits of weights that are added as one number: sums of 2^21 candidates are exact in a float."""

_CELLS = 2**22
"""Candidates, or sums of keys, in memory at a time."""


class Won(NamedTuple):
    """What a vote gives in subsets: the mean share of correct candidates, and its variance."""

    value: Fraction
    variance: float


def weighted_majority(votes: Votes, weights: Sequence[int], size: int) -> Fraction:
    """Return as `majority` what the key with the highest sum of weights gives.

    Every subset is looked at: see `subsets.are_too_many`.
    """
    if size == 1:  # whatever the weights
        return majority(votes, 1)
    rows = _all_subsets(len(votes.keys), min(size, len(votes.keys)))
    ((_, won),) = won_votes(votes, [weights], [rows.shape[1]], rows)
    return won.value


@lru_cache(2)
def _all_subsets(candidates: int, size: int) -> Rows:
    numbers = chain.from_iterable(combinations(range(candidates), size))
    rows = comb(candidates, size)
    return np.fromiter(numbers, np.int32, rows * size).reshape(rows, size)


def number_of_draws(candidates: Sequence[int]) -> int:
    """Return of how many random subsets of each question the votes are counted in a second or two.

    `candidates` are the numbers of candidates of the questions.
    """
    of_one = DRAWN_OF_ONE // max(1, *candidates)
    return min(MOST_DRAWS, max(LEAST_DRAWS, min(DRAWN // max(1, sum(candidates)), of_one)))


def sampled_votes(
    votes: Votes,
    weightings: Sequence[Sequence[int]],
    sizes: Sequence[int],
    draws: int,
    seed: Sequence[int],
) -> list[list[Won]]:
    """Return `won_votes` of random subsets; each has all candidates of the next smaller one."""
    candidates = len(votes.keys)
    orders = np.broadcast_to(np.arange(candidates, dtype=np.int32), (draws, candidates))
    rows = np.random.default_rng(seed).permuted(orders, axis=1)
    return won_votes(votes, weightings, [min(size, candidates) for size in sizes], rows)


def won_votes(
    votes: Votes, weightings: Sequence[Sequence[int]], sizes: Sequence[int], rows: Rows
) -> list[list[Won]]:
    """Return for each size what a majority vote gives, and one weighted by each of some weights.

    The first candidates of each row are a subset of each of the sizes, which ascend. Weights are
    not negative; their sums are exact, so that equal ones are ties.
    """
    codes = {key: code for code, key in enumerate(votes.shares)}
    silent = len(codes)
    of_candidate = np.array([codes.get(key, silent) for key in votes.keys], np.int64)
    limbs = [_limbs(weights) for weights in ([1] * len(votes.keys), *weightings)]
    tallies = [[_WonShares(votes) for _ in limbs] for _ in sizes]
    step = max(1, _CELLS // max(rows.shape[1], silent + 1))
    for first in range(0, len(rows), step):
        block, start = rows[first : first + step], 0
        keys = of_candidate[block] + (silent + 1) * np.arange(len(block))[:, None]
        sums = [np.zeros((len(columns), len(block), silent + 1)) for columns in limbs]
        for size, of_size in zip(sizes, tallies, strict=True):
            added, at = block[:, start:size], keys[:, start:size].ravel()
            start = size
            for columns, totals in zip(limbs, sums, strict=True):
                for number, column in enumerate(columns):
                    counted = np.bincount(at, column[added].ravel(), totals[number].size)
                    totals[number] += counted.reshape(totals[number].shape)
            is_in = sums[0][0, :, :-1] > 0
            for totals, tally in zip(sums, of_size, strict=True):
                tally.add(_winners(is_in, totals[:, :, :-1]))
    return [[tally.won for tally in of_size] for of_size in tallies]


def _limbs(weights: Sequence[int]) -> list[Sums]:
    """Return the digits of integers to the base 2^32, the lowest ones first."""
    limbs: list[Sums] = []
    while max(weights, default=0) >> _LIMB:
        limbs.append(np.array([weight & ((1 << _LIMB) - 1) for weight in weights], float))
        weights = [weight >> _LIMB for weight in weights]
    return [*limbs, np.array(weights, float)]


def _winners(is_in: Masks, sums: Sums) -> Masks:
    """Tell which of the keys that are in each row have its highest sum."""
    carried = sums.copy() if len(sums) > 1 else sums
    for number in range(len(sums) - 1):
        carry = np.floor(carried[number] / 2**_LIMB)
        carried[number] -= carry * 2**_LIMB
        carried[number + 1] += carry
    for limb in carried[::-1]:
        known = np.where(is_in, limb, -1)
        is_in = is_in & (known == known.max(axis=1, initial=-1, keepdims=True))
    return is_in


class _WonShares:
    """The winners of a vote in subsets."""

    def __init__(self, votes: Votes) -> None:
        shares = [*votes.shares.values()]
        self._right = [code for code, share in enumerate(shares) if share]
        self._shares = [shares[code] for code in self._right]
        self._sums: defaultdict[int, Fraction] = defaultdict(Fraction)
        self._rows, self._squares = 0, 0.0

    def add(self, winners: Masks) -> None:
        """Add subsets; tied keys have equal parts of one."""
        self._rows += len(winners)
        right = winners[:, self._right]
        has_right = right.any(axis=1)
        right, tied = right[has_right], winners[has_right].sum(axis=1)
        values = right @ np.array([*map(float, self._shares)]) / tied
        self._squares += float(values @ values)
        for has_won, share in zip(right.T, self._shares, strict=True):
            for number, times in enumerate(np.bincount(tied[has_won]).tolist()):
                if times:
                    self._sums[number] += times * share

    @property
    def won(self) -> Won:
        """The mean over the subsets."""
        value = sum((share / tied for tied, share in self._sums.items()), Fraction(0)) / self._rows
        return Won(value, max(0.0, self._squares / self._rows - float(value) ** 2))
