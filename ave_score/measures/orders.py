"""Values of one question's ranking; ties are averaged over all their orders.

The measures of `ranking` are computed from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, groupby
from math import comb, prod
from operator import itemgetter, mul
from typing import NamedTuple

from ave_score.counts import Ranking
from ave_score.exact import log2, sum_by_denominator, sum_over_ranks, truncate
from ave_score.measures import subsets
from ave_score.measures.registry import NotApplicable

_CACHED = 2**14
"""Rankings whose values are kept: runs have many in common."""


def _correct(items: Sequence[int]) -> int:
    """Return how many answers are correct."""
    return sum(item & 1 for item in items)


@lru_cache(_CACHED)
def all_correct(ranking: Ranking) -> int:
    """Return R: the correct answers of the question."""
    return sum(map(_correct, ranking.groups)) + _correct(ranking.unranked)


def length(ranking: Ranking) -> int:
    """Return L: the number of ranked answers."""
    return sum(map(len, ranking.groups))


def _placed(ranking: Ranking) -> Iterator[tuple[int, int, int, int]]:
    """Yield the ranks and correct answers before each group of ties, then those in it."""
    places = correct = 0
    for group in ranking.groups:
        size = len(group)
        right = group[0] & 1 if size == 1 else _correct(group)
        yield places, correct, size, right
        places += size
        correct += right


@lru_cache(_CACHED)
def reciprocal_rank(ranking: Ranking) -> Fraction:
    """Return 1/rank of the first correct answer, 0 without one, averaged over orders of ties."""
    for before, _, size, right in _placed(ranking):
        if right:  # the first of them has the j-th rank of its group in so many orders
            ways, sums = comb(size - 1, right - 1), {}
            every = comb(size, right)
            for j in range(1, size - right + 2):
                sums[before + j] = ways
                ways = ways * (size - right - j + 1) // (size - j) if size > j else 0
            return sum_by_denominator(sums) / every
    return Fraction(0)


@lru_cache(_CACHED)
def correct_in(ranking: Ranking, places: int) -> Fraction:
    """Return the expected number of correct answers in the first ranks."""
    for before, correct, size, right in _placed(ranking):
        if before + size >= places:
            return correct + Fraction(right * max(places - before, 0), size)
    return Fraction(sum(map(_correct, ranking.groups)))


@lru_cache(_CACHED)
def is_hit(ranking: Ranking, places: int | None) -> Fraction:
    """Return the probability of a correct answer in the first ranks."""
    for before, _, size, right in _placed(ranking):
        inside = size if places is None else min(max(places - before, 0), size)
        if right:
            return 1 - Fraction(comb(size - right, inside), comb(size, inside))
    return Fraction(0)


@lru_cache(_CACHED)
def best_of(ranking: Ranking, candidates: int) -> Fraction:
    """Return the probability that the first of some random answers is correct."""
    return subsets.best_of(_shape(ranking), candidates)


@lru_cache(_CACHED)
def pass_at(ranking: Ranking, candidates: int) -> Fraction:
    """Return the probability that one of some random answers is correct."""
    return subsets.pass_at(length(ranking), sum(map(_correct, ranking.groups)), candidates)


def sum_of_precisions(ranking: Ranking) -> Fraction:
    """Return the sum of the precisions at the ranks of correct answers."""
    terms: defaultdict[int, list[int]] = defaultdict(list)  # by the factor of their denominators
    for before, correct, size, right in _placed(ranking):
        if not right:
            continue
        rest = max(1, size - 1)  # j · (right - 1) / rest others are expected before the j-th rank
        of_size = terms[1 if right == size else size * rest]
        of_size += [0] * (before - len(of_size))
        if right == size:
            of_size += range(correct + 1, correct + size + 1)
        else:
            of_size += (right * ((correct + 1) * rest + j * (right - 1)) for j in range(size))
    return sum((sum_over_ranks(some) / by for by, some in terms.items()), Fraction(0))


@lru_cache(_CACHED)
def average_precision(ranking: Ranking, *, of_returned: bool) -> Fraction:
    """Return the sum of precisions by the number of correct or of ranked answers; 0 for 0/0."""
    size = length(ranking) if of_returned else all_correct(ranking)
    return sum_of_precisions(ranking) / size if size else Fraction(0)


@lru_cache(_CACHED)
def r_precision(ranking: Ranking) -> Fraction:
    """Return the share of correct answers in the first R ranks; 0 if R is 0."""
    size = all_correct(ranking)
    return correct_in(ranking, size) / size if size else Fraction(0)


def _gain(item: int) -> int:
    """Return 2^g - 1 of an answer."""
    return (1 << (item >> 1)) - 1


_SCALE = 10**60
_DISCOUNTS = [0]
"""The sum of the discounts of the first ranks, times 10^60: each is truncated to 60 decimals."""


def _discounts(places: int) -> Sequence[int]:
    while len(_DISCOUNTS) <= places:
        discount = truncate(1 / log2(len(_DISCOUNTS) + 1)) * _SCALE
        _DISCOUNTS.append(_DISCOUNTS[-1] + discount.numerator)
    return _DISCOUNTS


def _discounted(groups: Sequence[Sequence[int]], places: int | None) -> Fraction:
    """Return the discounted gain of the first ranks; tied answers share their gains."""
    sums: defaultdict[int, int] = defaultdict(int)
    upto, before = _discounts(sum(map(len, groups))), 0
    for group in groups:
        size = len(group)
        last = before + size
        end = last if places is None else min(last, places)
        if before < end:
            gain = _gain(group[0]) if size == 1 else sum(map(_gain, group))
            sums[size] += gain * (upto[end] - upto[before])
        before = last
    return sum_by_denominator(sums) / _SCALE


@lru_cache(_CACHED)
def normalised_gain(ranking: Ranking, places: int | None) -> Fraction:
    """Return the discounted gain over that of the ideal ranking, 0 for 0/0, to 60 decimals."""
    items = [item for group in (*ranking.groups, ranking.unranked) for item in group]
    best = _discounted([(item,) for item in sorted(items, reverse=True)], places)
    return truncate(_discounted(ranking.groups, places) / best) if best else Fraction(0)


MOST_WORK = 500_000_000
"""The limit of the work of one row: the means over the orders of its ties take a few seconds."""

_TOO_MANY = "so many answers are tied that the exact mean over all their orders takes too long"

_Shape = tuple[tuple[int, int], ...]
"""For each group of a ranking, the number of answers and of correct ones."""


@lru_cache(_CACHED)
def _shape(ranking: Ranking) -> _Shape:
    return tuple((size, right) for _, _, size, right in _placed(ranking))


def check_ties(rankings: Iterable[Ranking]) -> None:
    """Raise `NotApplicable` if the values of `interpolated` for all rankings take too long."""
    sizes = [*map(len, chain.from_iterable(ranking.groups for ranking in rankings))]
    if len(sizes) * max(sizes, default=0) ** 4 // 16 <= MOST_WORK:  # no shapes take more
        return
    shapes = set(map(_shape, rankings))
    work = sum((right * (size - right)) ** 2 for shape in shapes for size, right in shape)
    if work > MOST_WORK:
        raise NotApplicable(_TOO_MANY)


@lru_cache(_CACHED)
def interpolated(ranking: Ranking, shares: Sequence[tuple[int, int]]) -> Fraction:
    """Return the mean of the best precisions that reach shares of the correct answers.

    `shares` has numerators and denominators.
    """
    everything = all_correct(ranking)
    tenths = {max(1, -(-tenth * everything // 10)) for tenth in range(11)}  # cached together
    found = [max(1, -(-share * everything // by)) for share, by in shares]
    best = _best(_shape(ranking), tuple(sorted(tenths.union(found))))
    return sum((best[needed] for needed in found), Fraction(0)) / len(shares)


_Precision = tuple[int, int, int]
"""A precision: a sort key, the correct answers, and the ranks that they are among."""

_NOTHING = (0, 0, 1)


def _precision(correct: int, places: int) -> _Precision:
    """Return a precision; others have another key, up to 2^32 ranks."""
    return (correct << 64) // places, correct, places


@lru_cache(_CACHED)
def _best(shape: _Shape, needed: Sequence[int]) -> Mapping[int, Fraction]:
    """Return the expected best precision from the n-th correct answer onwards, for each n.

    The best precision is always at the rank of a correct answer.
    """
    places = correct = 0
    certain = [_NOTHING]  # the best precision at the n-th correct answer that every order reaches
    tied: list[_Tied] = []
    for size, right in shape:
        if right == size:
            certain += [_precision(correct + m, places + m) for m in range(1, size + 1)]
        elif right:
            tied.append(_Tied(places, correct, size, right))
            certain += [_NOTHING] * (right - 1)
            certain.append(_precision(correct + right, places + size))
        places += size
        correct += right
    certain += [_NOTHING] * (max(needed) + 1 - len(certain))
    certain = list(accumulate(reversed(certain), max))[::-1]
    return _expected_best(tied, {n: certain[n] for n in needed})


class _Tied(NamedTuple):
    """Tied answers, some of them correct: the ranks and correct answers before and in the tie."""

    before: int
    correct: int
    size: int
    right: int

    def first(self, n: int) -> int:
        """Return the first answer from the n-th correct one of the ranking onwards."""
        return max(1, n - self.correct)

    def exceeds(self, n: int, certain: _Precision) -> bool:
        """Tell whether an order has a higher precision, from the n-th correct answer onwards."""
        last = self.correct + self.right
        return n <= last and _precision(last, self.before + self.right) > certain

    def orders(self, needed: Iterable[int]) -> Iterator[tuple[_Precision, dict[int, int]]]:
        """Yield each best precision, from the lowest, and the number of orders that have it.

        There is a number for the first answer that counts for each needed n. An order gives ranks
        to the correct answers. Ranks become allowed by increasing precision. Each adds the orders
        in which its answer has that rank and all others have allowed ones; they are counted from
        that answer back to the first.
        """
        firsts = {self.first(n) for n in needed}
        if not firsts:
            return
        lowest = [max(m, self._end(m) + 1) for m in range(self.right + 1)]  # the allowed ranks
        behind = [0] * (self.right + 1) + [1]  # the allowed orders from the m-th answer onwards
        ways = {m: [comb(rank - 1, m - 1) for rank in range(self.size, 0, -1)] for m in firsts}
        for _, equal in groupby(self._ranks(min(firsts)), key=lambda one: one[0][0]):
            added = dict.fromkeys(firsts, 0)
            for precision, m in equal:
                rank, after = precision[2] - self.before, behind[m + 1]
                lowest[m], units = rank, [1] if after else []
                for row in range(m, min(firsts) - 1, -1):
                    top = rank - m + row
                    width = top - lowest[row] + 1
                    units = units[:width] + units[-1:] * (width - len(units))
                    if not units:
                        break
                    if row in added:
                        added[row] += after * sum(map(mul, units, ways[row][self.size - top :]))
                    units = [*accumulate(units)]
                    behind[row] += after * units[-1]
            yield precision, added

    def _end(self, m: int) -> int:
        """Return the last rank at which the m-th answer has the precision of the whole tie."""
        places = (self.correct + m) * (self.before + self.size)
        return places // (self.correct + self.right) - self.before

    def _ranks(self, first: int) -> list[tuple[_Precision, int]]:
        """Return the precisions from that of the whole tie on, each with its correct answer."""
        ranks = [
            (_precision(self.correct + m, self.before + rank), m)
            for m in range(self.right, first - 1, -1)
            for rank in range(m, min(self._end(m), self.size - self.right + m) + 1)
        ]
        return sorted(ranks, key=lambda one: one[0][0])


def _expected_best(tied: Sequence[_Tied], certain: Mapping[int, _Precision]) -> dict[int, Fraction]:
    """Return the expected best precision from the n-th correct answer onwards.

    `certain` has the best precision that every order reaches, for each n. The orders of a ranking
    that do not exceed a precision are the product of those of its ties.
    """
    steps: list[_Step] = []
    for one in tied:
        needed = [n for n, least in certain.items() if one.exceeds(n, least)]
        steps += [(precision, one, added) for precision, added in one.orders(needed)]
    steps.sort(key=itemgetter(0))
    return {n: _expected(steps, n, least) for n, least in certain.items()}


_Step = tuple[_Precision, _Tied, Mapping[int, int]]
"""A best precision, a tie, and its numbers of orders that have it."""


def _expected(steps: Sequence[_Step], n: int, least: _Precision) -> Fraction:
    """Return the mean of the best precisions from the n-th correct answer on, or of the least."""
    orders = {one: 0 for _, one, _ in steps if one.exceeds(n, least)}
    if not orders:
        return Fraction(*least[1:])
    sums: defaultdict[int, int] = defaultdict(int)
    reached = 0
    for precision, one, added in steps:
        if one in orders and (more := added[one.first(n)]):
            orders[one] += more
            product = prod(orders.values())
            _, correct, places = max(precision, least)
            sums[places] += correct * (product - reached)
            reached = product
    return sum_by_denominator(sums) / reached
