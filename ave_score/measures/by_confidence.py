"""Exact sums over the confidences of answers, for measures of confidence."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ave_score.core.exact import as_integers, sums_by
from ave_score.counts import ConfidenceCounts, Counts, SelfScoreCounts

Column: TypeAlias = Any
"""Integers: an array of 64 bits, or of objects if they could be too large."""

_WIDE = 2**62
"""Sums of arrays have to be lower."""

_BINS = 10**6
"""The maximum number of bins for which 64 bits are enough."""

Of = TypeVar("Of", bound=Counts)
Found = TypeVar("Found")


def remembered(function: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """Keep the results for the counts of one row, which several measures use."""
    last: deque[tuple[Of, Found]] = deque(maxlen=2)  # a row is also counted by other ties

    @wraps(function)
    def compute(counts: Of) -> Found:
        for known, value in tuple(last):  # another thread may add one
            if known is counts:
                return value
        value = function(counts)
        last.append((counts, value))
        return value

    return compute


class Scaled(NamedTuple):
    """Answers with exact confidences: each times `scale` is in `values`; `rights` are 1 or 0."""

    values: Column
    rights: Column
    scale: int

    @property
    def are_probabilities(self) -> bool:
        """Whether all confidences are in 0..1."""
        return not len(self.values) or (
            min_of(self.values) >= 0 and max_of(self.values) <= self.scale
        )


def min_of(column: Column) -> int:
    """Return the lowest number."""
    return int(column.min())


def max_of(column: Column) -> int:
    """Return the highest number."""
    return int(column.max())


def sum_of(column: Column) -> int:
    """Return the sum; arrays have at most 2^32 numbers below 2^30."""
    return int(column.sum())


def dot(first: Column, second: Column) -> int:
    """Return the sum of the products."""
    if len(first) and int(abs(first).max()) * int(abs(second).max()) * len(first) >= _WIDE:
        first, second = first.astype(object), second.astype(object)
    return int(first @ second)


def scaled(confidences: array[float], rights: bytes) -> Scaled:
    """Return answers with their confidences as integers."""
    import numpy as np

    values, scale = as_integers(confidences)
    return Scaled(values, np.frombuffer(rights, np.uint8).astype(np.int64), scale)


_RIGHT = bytes(code & 1 for code in range(256))
_ACCEPTED = bytes(code >> 1 & 1 for code in range(256))


@remembered
def judged(counts: ConfidenceCounts) -> Scaled:
    """Return the judged answers, as `scaled`."""
    return scaled(counts.confidences, counts.decisions.translate(_RIGHT))


@remembered
def returned(counts: SelfScoreCounts) -> Scaled:
    """Return the returned answers, as `scaled`."""
    return scaled(counts.confidences, counts.rights)


class CalibrationSums(NamedTuple):
    """Of answers: their number, Σy, Σc, Σc² and Σcy."""

    answers: int
    rights: int
    total: Fraction
    squares: Fraction
    product: Fraction


@remembered
def sums(counts: ConfidenceCounts) -> CalibrationSums:
    """Return the sums of confidences c and correctness y."""
    values, rights, scale = judged(counts)
    return CalibrationSums(
        len(values),
        sum_of(rights),
        Fraction(sum_of(values), scale),
        Fraction(dot(values, values), scale**2),
        Fraction(dot(values, rights), scale),
    )


def decisions(counts: ConfidenceCounts) -> Scaled:
    """Return how sure each decision is, where the confidence of a rejection is 1 - c."""
    import numpy as np

    values, rights, scale = judged(counts)
    is_in = np.frombuffer(counts.decisions.translate(_ACCEPTED), np.uint8)
    sure = np.where(is_in, values, scale - values)
    return Scaled(sure, (rights == is_in).astype(np.int64), scale)


def bins_of(answers: Scaled, bins: int, kind: str) -> Column:
    """Return the bin of each answer, from 0.

    Bins have equal `width`: (0, 1/b], (1/b, 2/b] and so on, 0 in the first; or an equal `mass` of
    answers: the bin of an answer is b·L/N, rounded down, where L have a lower confidence.
    """
    import numpy as np

    values, _, scale = answers
    if kind == "mass":
        _, at, sizes = np.unique(values, return_inverse=True, return_counts=True)
        values, scale = (sizes.cumsum() - sizes)[at], max(1, len(values))
    if bins > _BINS:
        values = values.astype(object)
    if kind == "mass":
        return values * bins // scale
    return np.maximum(1, -(-values * bins // scale)) - 1


def gaps(answers: Scaled, bins: int, kind: str = "width") -> int:
    """Return the sum over bins of |Σc - Σy|, times the scale."""
    values, rights, scale = answers
    excess = sums_by(bins_of(answers, bins, kind), values - rights.astype(values.dtype) * scale)
    return sum(map(abs, excess.values()))


def likelihoods(answers: Scaled) -> Mapping[int, int]:
    """Return the probabilities given to what is true, times the scale, and their frequencies.

    An answer contributes c if it is correct, else 1 - c.
    """
    import numpy as np

    values, rights, scale = answers
    likely = np.where(rights, values, scale - values)
    return sums_by(likely, rights * 0 + 1)


class Halved(NamedTuple):
    """Numbers of answers: confidence above 1/2, below, or 1/2; each wrong and right."""

    above: Sequence[int]
    below: Sequence[int]
    middle: Sequence[int]


@remembered
def halved(counts: ConfidenceCounts) -> Halved:
    """Count the judged answers by PAN's decisions: correct above 1/2, wrong below it."""
    import numpy as np

    values, rights, scale = judged(counts)
    sides = np.sign(2 * values - scale).astype(np.int64)
    numbers = np.bincount(2 * sides + rights + 2, minlength=6).tolist()
    return Halved(numbers[4:], numbers[:2], numbers[2:4])
