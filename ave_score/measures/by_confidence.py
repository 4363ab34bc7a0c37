"""Exact sums over answers ranked by confidence, for measures of confidence.

Columns are lists of integers, or arrays of numpy where these pay (see `bulk`): equal results.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from itertools import accumulate, groupby
from operator import eq, itemgetter, mul
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ave_score.bulk import loaded_numpy
from ave_score.counts import ConfidenceCounts, Counts, SelfScoreCounts
from ave_score.exact import Number, Spans, as_integers, sum_of_spans
from ave_score.policies import TIES_CHOICES

Column: TypeAlias = Any
"""Integers: a list, or an array of numpy with elements of 64 bits."""

Groups = Sequence[tuple[int, int]]
"""Ties, from the highest confidence to the lowest: number of answers, and of correct ones."""

_WIDE = 2**62
"""Sums of arrays have to be lower."""

_EXACT = 10**15
"""Ranks times the squared size of the largest tie, up to which terms of ranks fit into arrays."""

_INEXACT = 1e-3
"""Wrong answers: floats of their numbers are at least so exact."""

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


def factors_of_loss(answers: Scaled) -> tuple[list[int], int]:
    """Return factors, times the scale, whose product is the likelihood, and their number.

    An answer contributes c if it is correct, else 1 - c; equal ones are multiplied. A single factor
    is 0 if the likelihood is.
    """
    values, rights, scale = answers
    if isinstance(values, list):
        both = zip(values, rights, strict=True)
        counted = Counter(value if right else scale - value for value, right in both)
        return [factor**times for factor, times in sorted(counted.items())], len(values)
    np = loaded_numpy()
    likely = np.where(rights, values, scale - values)
    if not likely.all():
        return [0], len(values)
    if likely.max(initial=0) > _SPARSE * len(likely):
        factors, times = np.unique(likely, return_counts=True)
    else:
        times = np.bincount(likely)
        factors = times.nonzero()[0]
        times = times[factors]
    return [*map(pow, factors.tolist(), times.tolist())], len(values)


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
def ranked_thresholds(counts: ConfidenceCounts) -> Ranked:
    """Return the ranking of the judged answers in which those of equal confidence are a tie."""
    is_mean = TIES_CHOICES[counts.ties].is_mean
    return ranked_judged(counts) if is_mean else ranked(judged(counts), "average")


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


def precisions(groups: Ranked) -> Spans:
    """Return C(i)/i for each rank; inside a tie, its mean over all orders.

    If r answers precede a tie of s, C of them correct, and R of it are, the sum over its ranks is
    R + (C - r·R/s)·(H(r + s) - H(r)), where H(n) is the n-th harmonic number.
    """
    size, right, before, above = placed(groups)
    if isinstance(size, list):
        factors = [c * s - r * y for s, y, r, c in zip(size, right, before, above, strict=True)]
        wholes = [y * s for y, s in zip(right, size, strict=True)]
        return Spans(wholes, factors, size, before, [*accumulate(size)])
    return Spans(right * size, above * size - before * right, size, before, before + size)


def precisions_of_right(groups: Ranked) -> Spans:
    """Return y·C(i)/i for each rank; inside a tie, its mean over all orders.

    Behind a correct answer at its j-th rank, counted from 0, j·(R - 1)/t others of a tie of s are
    expected, where t is s - 1, or 1 if s is 1. The sum over its ranks is
    R/(s·t) · ((R - 1)·s + ((C + 1)·t - (r + 1)·(R - 1))·(H(r + s) - H(r))).
    """
    size, right, before, above = placed(groups)
    if not isinstance(size, list):
        if len(size) and size.max() == 1:  # the same, in less time
            return Spans(size * 0, right * (above + 1), size, before, before + 1)
        rest = size - (size > 1)
        factors = right * ((above + 1) * rest - (before + 1) * (right - 1))
        return Spans(right * (right - 1) * size, factors, size * rest, before, before + size)
    rest = [max(1, s - 1) for s in size]
    ties = zip(size, right, before, above, rest, strict=True)
    factors = [y * ((c + 1) * t - (r + 1) * (y - 1)) for s, y, r, c, t in ties]
    wholes = [y * (y - 1) * s for y, s in zip(right, size, strict=True)]
    return Spans(wholes, factors, [*map(mul, size, rest)], before, [*accumulate(size)])


def precisions_at_ties(groups: Ranked) -> Spans:
    """Return R·C/r for each tie: its correct answers, and the precision of all ranks up to it."""
    size, right, before, above = placed(groups)
    if not isinstance(size, list):
        ends, none = before + size, size * 0
        return Spans(none, right * (above + right), none + 1, ends - 1, ends)
    ends, factors = [*accumulate(size)], [*map(mul, right, accumulate(right))]
    return Spans([0] * len(ends), factors, [1] * len(ends), [end - 1 for end in ends], ends)


class Placed(NamedTuple):
    """Of each tie: its answers and correct ones, and the answers and correct ones before it."""

    size: Column
    right: Column
    before: Column
    above: Column


def placed(groups: Ranked) -> Placed:
    """Return where ties are; as lists if numbers could be too large for arrays."""
    sizes, rights = groups
    if not isinstance(sizes, list):
        if not len(sizes) or int(sizes.sum()) * int(sizes.max()) ** 2 <= _EXACT:
            return Placed(sizes, rights, sizes.cumsum() - sizes, rights.cumsum() - rights)
        sizes, rights = sizes.tolist(), rights.tolist()
    before, above = ([*accumulate(column, initial=0)][:-1] for column in (sizes, rights))
    return Placed(sizes, rights, before, above)


@remembered
def sum_of_precisions(counts: SelfScoreCounts) -> Fraction:
    """Return the sum of C(i)/i over the ranks of the returned answers."""
    return sum_of_spans(precisions(ranked_returned(counts)))


def right_so_far(groups: Ranked) -> Iterator[Fraction]:
    """Yield C(i) for each rank; inside a tie, its mean over all orders."""
    for size, right, _, above in zip(*placed(groups), strict=True):
        for rank in range(1, int(size) + 1):
            yield int(above) + Fraction(rank * int(right), int(size))


def right_in(groups: Placed, ranks: int) -> Fraction:
    """Return the correct answers in the first ranks, at least one; their mean inside a tie."""
    at = bisect_left(groups.before, ranks) - 1
    size, right, before, above = (int(column[at]) for column in groups)
    return above + Fraction((ranks - before) * right, size)


def most_ranks(groups: Placed, risk: Fraction) -> int:
    """Return the most ranks with at most this share of wrong answers; the mean inside ties."""
    allowed, of = risk.numerator, risk.denominator
    size, right, before, above = groups
    possible: Iterable[int] = range(len(size))
    if not isinstance(size, list):  # others exceed the risk by more than floats are inexact
        spare = float(risk) * before - (before - above)
        after = spare + float(risk) * size - (size - right)
        possible = (spare.clip(after) > -_INEXACT).nonzero()[0].tolist()
    for at in reversed([*possible]):
        answers, rights, ranks, found = (int(column[at]) for column in groups)
        spare = allowed * ranks - of * (ranks - found)
        change = allowed * answers - of * (answers - rights)  # over the whole tie
        if spare + change >= 0:
            return ranks + answers
        if spare >= 0 and (more := spare * answers // -change):
            return ranks + more
    return 0
