"""Exact sums over answers ranked by confidence, for measures of confidence.

Columns are lists of integers, or arrays of numpy where these pay (see `bulk`): equal results.
"""

from __future__ import annotations

from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from itertools import chain, groupby
from operator import eq, itemgetter, mul
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ave_score.bulk import loaded_numpy
from ave_score.counts import ConfidenceCounts, Counts, SelfScoreCounts
from ave_score.exact import Number, as_integers
from ave_score.policies import TIES_CHOICES

Column: TypeAlias = Any
"""Integers: a list, or an array of numpy with elements of 64 bits."""

Groups = Sequence[tuple[int, int]]
"""Ties, from the highest confidence to the lowest: number of answers, and of correct ones."""

_WIDE = 2**62
"""Sums of arrays have to be lower."""

_EXACT = 10**15
"""Ranks times the squared size of the largest tie, up to which terms of ranks fit into arrays."""

_SPARSE = 10
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
        for known, found in last:
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


class Sums(NamedTuple):
    """Of answers: their number, Σy, Σc, Σc² and Σcy."""

    answers: int
    rights: int
    total: Fraction
    squares: Fraction
    product: Fraction


@remembered
def sums(counts: ConfidenceCounts) -> Sums:
    """Return the sums of confidences c and correctness y."""
    values, rights, scale = judged(counts)
    return Sums(
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


def gaps(answers: Scaled, bins: int) -> int:
    """Return the sum over bins of |Σc - Σy|, times the scale."""
    values, rights, scale = answers
    if isinstance(values, list) or bins > _BINS or not len(values):
        found: defaultdict[int, int] = defaultdict(int)
        for value, right in zip(map(int, values), map(int, rights), strict=True):
            found[max(1, -(-value * bins // scale))] += value - right * scale
        return sum(map(abs, found.values()))
    np = loaded_numpy()
    bin_of = np.maximum(1, -(-values * bins // scale))
    by_bin = np.bincount(bin_of, values - rights * scale)  # exact: integers below 2^53
    return int(abs(by_bin).sum())


# --- ranks ----------------------------------------------------------------------------------------


class Ranked(NamedTuple):
    """Ties, from the highest confidence to the lowest: numbers of answers and correct ones."""

    sizes: Column
    rights: Column


def ranked(answers: Scaled, ties: str) -> Ranked:
    """Rank answers; if ties have one order, each is its own group."""
    values, rights, _ = answers
    if isinstance(values, list) or not len(values):
        groups = tied_groups(zip(values, rights, strict=True), ties)
        return Ranked([size for size, _ in groups], [right for _, right in groups])
    np = loaded_numpy()
    below = values.max() - values
    if not TIES_CHOICES[ties].is_mean:
        small = below.astype(np.uint16) if below.max() < 2**16 else below  # sorted by their digits
        return Ranked(np.ones_like(rights), rights[np.argsort(small, kind="stable")])
    if below.max() > _SPARSE * len(below):
        _, below = np.unique(below, return_inverse=True)
    sizes = np.bincount(below)
    found = np.bincount(below, rights).astype(np.int64)  # exact: integers below 2^53
    return Ranked(sizes[sizes > 0], found[sizes > 0])


@remembered
def ranked_judged(counts: ConfidenceCounts) -> Ranked:
    """Return the ranking of the judged answers."""
    return ranked(judged(counts), counts.ties)


@remembered
def ranked_returned(counts: SelfScoreCounts) -> Ranked:
    """Return the ranking of the returned answers."""
    return ranked(returned(counts), counts.ties)


def tied_groups(pairs: Iterable[tuple[Number | Decimal | float, int]], ties: str) -> Groups:
    """Rank pairs of a confidence and 1 or 0; if ties have one order, each is its own group."""
    ordered = sorted(pairs, key=itemgetter(0), reverse=True)
    if not TIES_CHOICES[ties].is_mean:
        return [(1, right) for _, right in ordered]
    tied = ([right for _, right in group] for _, group in groupby(ordered, key=itemgetter(0)))
    return [(len(rights), sum(rights)) for rights in tied]


class Terms(NamedTuple):
    """A fraction for each rank: numerators and denominators."""

    numerators: Column
    denominators: Column


def right_so_far(groups: Ranked, ranks: int = 0) -> Terms:
    """Return C(i) for each rank, perhaps up to more ranks; inside a tie, its expected value."""
    spread = _spread(groups)
    if spread is None:
        found: list[int] = []
        before = 0
        for size, right in zip(map(int, groups.sizes), map(int, groups.rights), strict=True):
            found += [before * size + place * right for place in range(1, size + 1)]
            before += right
        rest = ranks - len(found)
        return Terms(found + [before] * rest, _repeated(groups.sizes) + [1] * rest)
    size, right, before, place = spread
    np = loaded_numpy()
    so_far = before * size + (place + 1) * right
    rest = max(0, ranks - len(size))
    both = ((so_far, sum_of(groups.rights)), (size, 1))
    return Terms(*(np.concatenate([some, np.full(rest, last)]) for some, last in both))


def wrong_so_far(right: Terms) -> Terms:
    """Return i - C(i) for each rank."""
    numerators, by = right
    if isinstance(by, list):
        ranks = enumerate(zip(numerators, by, strict=True), 1)
        return Terms([i * below - above for i, (above, below) in ranks], by)
    np = loaded_numpy()
    return Terms(np.arange(1, len(by) + 1) * by - numerators, by)


def twice_correct_above_wrong(groups: Ranked) -> int:
    """Return the pairs of a correct answer and a wrong one behind it, twice; ties count once."""
    sizes, rights = groups
    if not isinstance(sizes, list):
        return dot(sizes - rights, 2 * rights.cumsum() - rights)
    twice = above = 0
    for size, right in zip(sizes, rights, strict=True):
        twice += (size - right) * (2 * above + right)
        above += right
    return twice


def precisions_of_right(groups: Ranked) -> Terms:
    """Return y·C(i) for each rank; inside a tie, its expected value over all orders.

    Behind a correct answer at its place j, counted from 0, j · (right - 1)/rest others of the tie
    are expected, where rest is the number of its other answers.
    """
    spread = _spread(groups)
    if spread is not None:
        size, right, before, place = spread
        rest = size - (size > 1)
        return Terms(right * ((before + 1) * rest + place * (right - 1)), size * rest)
    found: list[int] = []
    by: list[int] = []
    above = 0
    for size, right in zip(map(int, groups.sizes), map(int, groups.rights), strict=True):
        rest = max(1, size - 1)
        found += [right * ((above + 1) * rest + j * (right - 1)) for j in range(size)]
        by += [size * rest] * size
        above += right
    return Terms(found, by)


def _spread(groups: Ranked) -> tuple[Column, Column, Column, Column] | None:
    """Return for each rank of arrays: size, R and C of its group, and the place in it from 0.

    None for lists, and where numbers could be too large for arrays.
    """
    sizes, rights = groups
    if isinstance(sizes, list):
        return None
    np = loaded_numpy()
    number = int(sizes.sum())
    if number * int(sizes.max()) ** 2 > _EXACT:
        return None
    before = np.repeat(rights.cumsum() - rights, sizes)
    place = np.arange(number) - np.repeat(sizes.cumsum() - sizes, sizes)
    return np.repeat(sizes, sizes), np.repeat(rights, sizes), before, place


def _repeated(sizes: Column) -> list[int]:
    return [*chain.from_iterable([size] * size for size in map(int, sizes))]
