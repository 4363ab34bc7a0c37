"""Stability of measures: the error rate and the proportion of ties of comparisons.

Two runs are compared on many random samples. If a measure ranks A above B on most samples, the
samples on which it ranks A below B are errors; nearly equal scores are ties. A good measure has few
errors and few ties.

Sources: Buckley, Voorhees, Evaluating Evaluation Measure Stability, SIGIR 2000.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ave_score.core.exact import ratio
from ave_score.inference.by_question import TOLERANCE, Floats, Integers

FUZZINESS = tuple(Fraction(percent, 100) for percent in range(1, 11))
"""The values of the paper: 1 % to 10 %."""


class Comparisons(NamedTuple):
    """The outcomes of all comparisons at one fuzziness.

    Attributes
    ----------
    fuzziness
        A difference smaller than this share of the larger score is a tie, in 0..1.
    greater, less, equal
        For each pair of runs, in the order of `pairs`: the number of samples on which the first
        run scored higher, lower, and about the same. Samples on which the measure of either run is
        undefined are excluded.
    """

    fuzziness: Fraction
    greater: Integers
    less: Integers
    equal: Integers

    @property
    def total(self) -> int:
        """All comparisons of all pairs."""
        return int(self.greater.sum() + self.less.sum() + self.equal.sum())

    @property
    def error_rate(self) -> Fraction | None:
        """The share of comparisons that contradict the majority of their pair, in 0..1/2."""
        return ratio(int(np.minimum(self.greater, self.less).sum()), self.total)

    @property
    def ties(self) -> Fraction | None:
        """The share of comparisons that are ties, in 0..1."""
        return ratio(int(self.equal.sum()), self.total)


def pairs(runs: int) -> list[tuple[int, int]]:
    """Return all pairs of runs, each once."""
    return list(combinations(range(runs), 2))


def stability_curve(scores: Floats, fuzziness: Sequence[Fraction] = FUZZINESS) -> list[Comparisons]:
    """Compare every pair of runs in every sample, at every fuzziness.

    As in the paper, a difference equal to the bound is not a tie; two scores of 0 are a tie. Of
    negative scores, the larger is the one with the larger absolute value.

    Parameters
    ----------
    scores
        A row per sample, a column per run; NaN where the measure is undefined.
    """
    runs = scores.shape[1]
    outcomes = np.zeros((len(fuzziness), 3, len(pairs(runs))), dtype=np.int64)
    start = 0
    for run in range(runs - 1):
        mine, others = scores[:, [run]], scores[:, run + 1 :]
        stop = start + others.shape[1]
        for number, share in enumerate(fuzziness):
            outcomes[number, :, start:stop] = _outcomes(mine, others, float(share))
        start = stop
    return [Comparisons(share, *counts) for share, counts in zip(fuzziness, outcomes, strict=True)]


def _outcomes(mine: Floats, others: Floats, share: float) -> Integers:
    """Return how often a run is above, below and tied with each of the others."""
    difference = mine - others
    apart = np.abs(difference)
    bound = share * np.maximum(np.abs(mine), np.abs(others))
    tied = (apart < bound - TOLERANCE) | (apart <= TOLERANCE)
    above, below = (difference > 0) & ~tied, (difference < 0) & ~tied
    return np.stack([outcome.sum(axis=0) for outcome in (above, below, tied)])
