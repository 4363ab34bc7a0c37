"""Exact sums over the confidences of answers, for measures of confidence.

Columns are lists of integers, or arrays of numpy where these pay (see `bulk`): equal results.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from operator import eq, mul
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ave_score.core.bulk import loaded_numpy
from ave_score.core.exact import as_integers
from ave_score.counts import ConfidenceCounts, Counts, SelfScoreCounts

Column: TypeAlias = Any
"""Integers: a list, or an array of numpy with elements of 64 bits."""

_WIDE = 2**62
"""Sums of arrays have to be lower."""

SPARSE = 10
"""Possible values for each answer, up to which answers are counted by value."""

_BINS = 10**6
"""The maximum number of bins of arrays."""

Of = TypeVar("Of", bound=Counts)
Found = TypeVar("Found")


def remembered(function: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """Keep the results for the counts of one row, which several measures use."""
    last: deque[tuple[Of, Found]] = deque(maxlen=2)  # a row is also counted by other ties

    @wraps(function)
    def compute(counts: Of) -> Found:
        for known, found in tuple(last):  # another thread may add one
            if known is counts:
                return found
        found = function(counts)
        last.append((counts, found))
        return found

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
    return min(column) if isinstance(column, list) else int(column.min())


def max_of(column: Column) -> int:
    """Return the highest number."""
    return max(column) if isinstance(column, list) else int(column.max())


def sum_of(column: Column) -> int:
    """Return the sum; arrays have at most 2^32 numbers below 2^30."""
    return sum(column) if isinstance(column, list) else int(column.sum())


def dot(first: Column, second: Column) -> int:
    """Return the sum of the products."""
    if not isinstance(first, list):
        if not len(first) or int(abs(first).max()) * int(abs(second).max()) * len(first) < _WIDE:
            return int(first @ second)
        first, second = first.tolist(), second.tolist()
    return sum(map(mul, first, second))


def scaled(confidences: array[float], rights: bytes) -> Scaled:
    """Return answers as integers."""
    values, scale = as_integers(confidences)
    if isinstance(values, list):
        return Scaled(values, [*rights], scale)
    np = loaded_numpy()
    return Scaled(values, np.frombuffer(rights, np.uint8).astype(np.int64), scale)


_RIGHT = bytes(code & 1 for code in range(256))
_ACCEPTED = bytes(code >> 1 & 1 for code in range(256))


@remembered
def judged(counts: ConfidenceCounts) -> Scaled:
    """Return the judged answers."""
    return scaled(counts.confidences, counts.decisions.translate(_RIGHT))


@remembered
def returned(counts: SelfScoreCounts) -> Scaled:
    """Return the returned answers."""
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
    values, rights, scale = judged(counts)
    accepted = counts.decisions.translate(_ACCEPTED)
    if isinstance(values, list):
        pairs = zip(values, accepted, strict=True)
        sure = [value if is_in else scale - value for value, is_in in pairs]
        return Scaled(sure, [*map(eq, rights, accepted)], scale)
    np = loaded_numpy()
    is_in = np.frombuffer(accepted, np.uint8)
    sure = np.where(is_in, values, scale - values)
    return Scaled(sure, (rights == is_in).astype(np.int64), scale)


def bins_of(answers: Scaled, bins: int, kind: str) -> Column:
    """Return the bin of each answer, from 0.

    Bins have equal `width`: (0, 1/b], (1/b, 2/b] and so on, 0 in the first; or an equal `mass` of
    answers: the bin of an answer is b·L/N, rounded down, where L have a lower confidence.
    """
    values, _, scale = answers
    if kind == "mass":
        lower = _lower(values)
        if isinstance(lower, list):
            return [less * bins // len(lower) for less in lower]
        return lower * bins // max(1, len(lower))
    if isinstance(values, list):
        return [max(1, -(-value * bins // scale)) - 1 for value in values]
    return loaded_numpy().maximum(1, -(-values * bins // scale)) - 1


def _lower(values: Column) -> Column:
    """Return for each answer the number of answers with a lower confidence."""
    if isinstance(values, list):
        lower: dict[int, int] = {}
        for place, value in enumerate(sorted(values)):
            lower.setdefault(value, place)
        return [*map(lower.__getitem__, values)]
    _, at, sizes = loaded_numpy().unique(values, return_inverse=True, return_counts=True)
    return (sizes.cumsum() - sizes)[at]


def gaps(answers: Scaled, bins: int, kind: str = "width") -> int:
    """Return the sum over bins of |Σc - Σy|, times the scale."""
    values, rights, scale = answers
    if isinstance(values, list) or bins > _BINS or not len(values):
        found: defaultdict[int, int] = defaultdict(int)
        answers = Scaled([*map(int, values)], [*map(int, rights)], scale)
        by_bin = zip(bins_of(answers, bins, kind), answers.values, answers.rights, strict=True)
        for number, value, right in by_bin:
            found[number] += value - right * scale
        return sum(map(abs, found.values()))
    np = loaded_numpy()
    totals = np.bincount(bins_of(answers, bins, kind), values - rights * scale)  # below 2^53: exact
    return int(abs(totals).sum())


def likelihoods(answers: Scaled) -> Mapping[int, int]:
    """Return the probabilities given to what is true, times the scale, and their frequencies.

    An answer contributes c if it is correct, else 1 - c.
    """
    values, rights, scale = answers
    if isinstance(values, list):
        both = zip(values, rights, strict=True)
        return Counter(value if right else scale - value for value, right in both)
    np = loaded_numpy()
    likely = np.where(rights, values, scale - values)
    if likely.max(initial=0) > SPARSE * len(likely):
        found, times = np.unique(likely, return_counts=True)
    else:
        times = np.bincount(likely)
        found = times.nonzero()[0]
        times = times[found]
    return dict(zip(found.tolist(), times.tolist(), strict=True))


class Halved(NamedTuple):
    """Numbers of answers: confidence above 1/2, below, or 1/2; each wrong and right."""

    above: Sequence[int]
    below: Sequence[int]
    middle: Sequence[int]


@remembered
def halved(counts: ConfidenceCounts) -> Halved:
    """Count the judged answers by PAN's decisions: correct above 1/2, wrong below it."""
    values, rights, scale = judged(counts)
    if isinstance(values, list):
        sides = [(2 * value > scale) - (2 * value < scale) for value in values]
        both = Counter(zip(sides, rights, strict=True))
        return Halved(*((both[side, 0], both[side, 1]) for side in (1, -1, 0)))
    np = loaded_numpy()
    found = np.bincount(2 * np.sign(2 * values - scale) + rights + 2, minlength=6).tolist()
    return Halved(found[4:], found[:2], found[2:4])
