"""How large a difference must be to be believed: the swap method.

Two runs are compared in two random samples that share nothing. Where the second says the opposite
of the first, the runs have swapped. The share of swaps among comparisons of about the same
difference is the error rate of that difference; it falls as differences grow.

Sources: Voorhees, Buckley, The Effect of Topic Set Size on Retrieval Experiment Error, SIGIR 2002.
Sakai, On the reliability of information retrieval metrics based on graded relevance, Information
Processing and Management 43(2), 2007.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ave_score.exact import ratio
from ave_score.inference.by_question import TOLERANCE, Floats, Integers

BINS = 21
"""Differences of 0 and more, 0.01 and more, .. 0.20 and more."""

WIDTH = Fraction(1, 100)

_DECIMALS = 10**12


class Swaps(NamedTuple):
    """The outcomes of all comparisons of all pairs of runs.

    Attributes
    ----------
    comparisons, swaps
        For each bin: how many differences of the first sample are in it, and how many of these
        have the other sign in the second sample.
    undefined
        Comparisons left out, as the measure of either run is undefined in either sample.
    largest
        The largest difference of a first sample, to twelve decimals; None: there is none.
    highest
        The score farthest from 0 in any sample, to twelve decimals; None: none is defined.
    """

    comparisons: tuple[int, ...]
    swaps: tuple[int, ...]
    undefined: int
    largest: Fraction | None
    highest: Fraction | None

    def error_rate(self, place: int) -> Fraction | None:
        """Return the share of swaps in a bin, from 0, in 0..1; None where it is empty."""
        return ratio(self.swaps[place], self.comparisons[place])

    def required(self, level: Fraction) -> Fraction | None:
        """Return the smallest difference from which all error rates are 1 - `level` at most.

        That is the lower end of a bin with comparisons in it; empty bins above say nothing. None:
        no difference was enough, or there is none at all.
        """
        if not self.largest:
            return None
        found = None
        for place in reversed(range(BINS)):
            rate = self.error_rate(place)
            if rate is not None and rate > 1 - level:
                break
            found = found if rate is None else place * WIDTH
        return found

    def relative(self, level: Fraction) -> Fraction | None:
        """Return the required difference as a share of the highest score (Sakai 2007)."""
        required = self.required(level)
        return None if required is None or self.highest is None else ratio(required, self.highest)

    def sensitivity(self, level: Fraction) -> Fraction | None:
        """Return the share of comparisons with the required difference at least, in 0..1."""
        required = self.required(level)
        enough = 0 if required is None else sum(self.comparisons[int(required / WIDTH) :])
        return ratio(enough, sum(self.comparisons))


def swap(scores: Floats) -> Swaps:
    """Compare every pair of runs in both samples of every repetition.

    Equal scores in either sample are no swap.

    Parameters
    ----------
    scores
        Sample (the first and the second), repetition, run -> the measure; NaN: undefined.
    """
    counts, undefined, largest = np.zeros((2, BINS), dtype=np.int64), 0, -1.0
    for place in range(scores.shape[2] - 1):
        differences = scores[:, :, place, None] - scores[:, :, place + 1 :]
        known = ~np.isnan(differences).any(axis=0)
        undefined += int((~known).sum())
        first, second = differences[:, known]
        counts += _binned(first, second)
        largest = max(largest, float(np.abs(first).max(initial=-1)))
    compared, swapped = (tuple(map(int, one)) for one in counts)
    highest = float(np.nanmax(np.abs(scores), initial=-1))
    return Swaps(compared, swapped, undefined, _fraction(largest), _fraction(highest))


def _fraction(size: float) -> Fraction | None:
    """Return a size to twelve decimals; None for -1, which is none."""
    return Fraction(round(size * _DECIMALS), _DECIMALS) if size >= 0 else None


def _binned(first: Floats, second: Floats) -> Integers:
    """Return for each bin the number of comparisons, and that of swaps."""
    bins = np.floor((np.abs(first) + TOLERANCE) / float(WIDTH)).astype(np.int64)
    bins = np.minimum(bins, BINS - 1)
    rise = (first > TOLERANCE) & (second < -TOLERANCE)
    fall = (first < -TOLERANCE) & (second > TOLERANCE)
    return np.stack([np.bincount(one, minlength=BINS) for one in (bins, bins[rise | fall])])
