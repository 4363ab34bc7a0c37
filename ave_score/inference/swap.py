"""The swap method: the difference between two scores that is required for a given confidence.

Two runs are compared on two disjoint random samples. If the second comparison contradicts the
first, the runs have swapped. The share of swaps among comparisons with about the same difference is
the error rate of that difference; it decreases as differences grow.

Sources: Voorhees, Buckley, The Effect of Topic Set Size on Retrieval Experiment Error, SIGIR 2002.
Sakai, On the reliability of information retrieval metrics based on graded relevance, Information
Processing and Management 43(2), 2007. Rodrigo, PhD thesis, UNED 2010, pp. 86 and 118: the required
difference is the first bin with an error rate of at most 5 %.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ave_score.core.exact import ratio
from ave_score.core.levels import check_level, share_of
from ave_score.inference.by_question import TOLERANCE, Floats, Integers

BINS = 21
"""Bins of differences: from 0, from 0.01, ..., from 0.20 (unbounded above)."""

WIDTH = Fraction(1, 100)

_DECIMALS = 10**12


class Agreement(NamedTuple):
    """What a required difference has to reach.

    Attributes
    ----------
    level
        The percentage of comparisons without a swap, from 1 to below 100.
    """

    level: float | Fraction = 95

    @property
    def share(self) -> Fraction:
        """The level as a share, in 0..1."""
        return share_of(self.level)

    def check(self) -> None:
        """Raise `UsageError` for a level that is no percentage."""
        check_level(self.level)


USUAL = Agreement()


class SwapBin(NamedTuple):
    """The comparisons with about the same difference.

    Attributes
    ----------
    difference
        The smallest of these differences.
    comparisons, swaps
        Their number, and how many of them the second sample contradicts.
    error_rate
        The share of swaps, in 0..1; None without comparisons.
    """

    difference: Fraction
    comparisons: int
    swaps: int
    error_rate: Fraction | None


class Swaps(NamedTuple):
    """The outcomes of all comparisons of all pairs of runs.

    Attributes
    ----------
    comparisons, swaps
        For each bin: the number of differences on the first sample, and the number of these with
        the opposite sign on the second sample.
    undefined
        Comparisons excluded because the measure of either run is undefined on either sample.
    largest
        The largest difference on a first sample, to twelve decimals; None without differences.
    highest
        The largest absolute score on any sample, to twelve decimals; None without defined scores.
    equal
        The number of comparisons with equal scores on the first sample, all in the first bin. No
        second sample can contradict them.
    """

    comparisons: tuple[int, ...]
    swaps: tuple[int, ...]
    undefined: int
    largest: Fraction | None
    highest: Fraction | None
    equal: int = 0

    def error_rate(self, number: int) -> Fraction | None:
        """Return the share of swaps in a bin, numbered from 0, in 0..1; None if it is empty."""
        return ratio(self.swaps[number], self.comparisons[number])

    @property
    def bins(self) -> list[SwapBin]:
        """All bins."""
        counts = zip(self.comparisons, self.swaps, strict=True)
        return [SwapBin(n * WIDTH, *both, self.error_rate(n)) for n, both in enumerate(counts)]

    def required(self, agreement: Agreement) -> Fraction | None:
        """Return the lower end of the first bin with an error rate of at most 1 - level.

        The first is enough, as in the thesis. Empty bins are ignored, and so are equal scores,
        which are no difference. None if no difference is large enough, or if there are none.
        """
        agreed = self._agreed(agreement)
        return next((number * WIDTH for number in agreed if agreed[number]), None)

    def is_contradicted(self, agreement: Agreement) -> bool:
        """Tell whether a bin above the required difference has a higher error rate."""
        required = self.required(agreement)
        agreed = self._agreed(agreement)
        return required is not None and not all(
            agreed[number] for number in agreed if number * WIDTH > required
        )

    def _agreed(self, agreement: Agreement) -> dict[int, bool]:
        """Return whether each bin with differences has an error rate of at most 1 - level."""
        different = [self.comparisons[0] - self.equal, *self.comparisons[1:]]
        filled = [number for number in range(BINS) if different[number]]
        most = 1 - agreement.share
        return {n: Fraction(self.swaps[n], different[n]) <= most for n in filled}

    def relative(self, agreement: Agreement) -> Fraction | None:
        """Return the required difference as a share of the highest score (Sakai 2007)."""
        required = self.required(agreement)
        return None if required is None or self.highest is None else ratio(required, self.highest)

    def sensitivity(self, agreement: Agreement) -> Fraction | None:
        """Return the share of comparisons with at least the required difference, in 0..1."""
        required = self.required(agreement)
        enough = 0 if required is None else sum(self.comparisons[int(required / WIDTH) :])
        return ratio(enough, sum(self.comparisons))


def swap_counts(scores: Floats) -> Swaps:
    """Compare every pair of runs on both samples of every resample.

    Equal scores on either sample are not a swap.

    Parameters
    ----------
    scores
        Values of the measure, NaN where undefined; the axes are sample (2), resample, and run.
    """
    counts, undefined, largest = np.zeros((2, BINS), dtype=np.int64), 0, -1.0
    equal = 0
    for run in range(scores.shape[2] - 1):
        differences = scores[:, :, run, None] - scores[:, :, run + 1 :]
        known = ~np.isnan(differences).any(axis=0)
        undefined += int((~known).sum())
        first, second = differences[:, known]
        counts += _binned(first, second)
        equal += int((np.abs(first) <= TOLERANCE).sum())
        largest = max(largest, float(np.abs(first).max(initial=-1)))
    compared, swapped = (tuple(map(int, row)) for row in counts)
    highest = float(np.nanmax(np.abs(scores), initial=-1))
    return Swaps(compared, swapped, undefined, _fraction(largest), _fraction(highest), equal)


def _fraction(size: float) -> Fraction | None:
    """Round a size to twelve decimals; -1 stands for None."""
    return Fraction(round(size * _DECIMALS), _DECIMALS) if size >= 0 else None


def _binned(first: Floats, second: Floats) -> Integers:
    """Return the numbers of comparisons and of swaps in each bin."""
    bins = np.floor((np.abs(first) + TOLERANCE) / float(WIDTH)).astype(np.int64)
    bins = np.minimum(bins, BINS - 1)
    rise = (first > TOLERANCE) & (second < -TOLERANCE)
    fall = (first < -TOLERANCE) & (second > TOLERANCE)
    return np.stack([np.bincount(numbers, minlength=BINS) for numbers in (bins, bins[rise | fall])])
