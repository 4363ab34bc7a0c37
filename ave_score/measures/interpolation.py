"""Interpolated precision of one question's ranking, averaged over all orders of ties."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, groupby
from math import comb, prod
from operator import itemgetter, mul
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ave_score.core.exact import sum_by_denominator
from ave_score.counts import Ranking
from ave_score.measures.orders import all_correct, shape
from ave_score.measures.registry import NotApplicable
from ave_score.measures.subsets import Shape

MOST_WORK = 500_000_000
"""The limit of the work of one row: the means over the orders of its ties take a few seconds."""

_TOO_MANY = "so many answers are tied that the exact mean over all their orders takes too long"


def check_ties(rankings: Counter[Ranking]) -> None:
    """Raise `NotApplicable` if the values of `interpolated` for all rankings take too long."""
    sizes = [len(group) for ranking in rankings for group in ranking.groups]
    if len(sizes) * max(sizes, default=0) ** 4 // 16 <= MOST_WORK:  # no shapes take more
        return
    shapes = set(map(shape, rankings))
    work = sum((right * (size - right)) ** 2 for shape in shapes for size, right in shape)
    if work > MOST_WORK:
        raise NotApplicable(_TOO_MANY)


RANK_RULES: Mapping[str, Callable[[int, int, int], int]] = {
    "exact": lambda share, by, everything: -(-share * everything // by),
    "trec9": lambda share, by, everything: int(share / by * everything + 0.9),
    "trec10": lambda share, by, everything: int(Fraction(share / by * everything) + Fraction(1, 2)),
}
"""How many correct answers reach a share of them, the default first; trec_eval computes floats."""


def interpolated(
    ranking: Ranking, shares: Sequence[tuple[int, int]], rule: str = "exact"
) -> Fraction:
    """Return the mean of the best precisions that reach shares of the correct answers.

    `shares` has numerators and denominators; `rule` is one of `RANK_RULES`.
    """
    numbers, needed = _needed(all_correct(ranking), shares, rule)
    known = _KNOWN.setdefault(ranking, {})
    best = known[needed] = known.get(needed) or _best(shape(ranking), needed)
    if len(numbers) == 1:
        return Fraction(*best[numbers[0]])
    sums: defaultdict[int, int] = defaultdict(int)
    for numerator, by in map(best.__getitem__, numbers):
        sums[by * len(numbers)] += numerator
    return sum_by_denominator(sums)


_Best = Mapping[int, tuple[int, int]]

_KNOWN: WeakKeyDictionary[Ranking, dict[Sequence[int], _Best]] = WeakKeyDictionary()
"""What `_best` returns for rankings that are in use: several measures need it."""


@lru_cache(2**14)
def _needed(
    everything: int, shares: Sequence[tuple[int, int]], rule: str
) -> tuple[Sequence[int], Sequence[int]]:
    """Return how many correct answers reach each share; the same and tenths, sorted."""
    number_for = RANK_RULES[rule]
    tenths = {max(1, number_for(tenth, 10, everything)) for tenth in range(11)}  # cached together
    numbers = [max(1, number_for(share, by, everything)) for share, by in shares]
    return numbers, tuple(sorted(tenths.union(numbers)))


_Precision = tuple[int, int, int]
"""A precision: a sort key, the correct answers, and the ranks that they are among."""

_NOTHING = (0, 0, 1)


def _precision(correct: int, places: int) -> _Precision:
    """Return a precision; others have another key, up to 2^32 ranks."""
    return (correct << 64) // places, correct, places


def _best(shape: Shape, needed: Sequence[int]) -> _Best:
    """Return the expected best precision from the n-th correct answer onwards, for each n.

    It is a numerator and a denominator. The best precision is always at the rank of a correct
    answer.
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
    if not tied:
        return {n: certain[n][1:] for n in needed}
    expected = _expected_best(tied, {n: certain[n] for n in needed})
    return {n: precision.as_integer_ratio() for n, precision in expected.items()}


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
        for _, equal in groupby(self._ranks(min(firsts)), key=lambda pair: pair[0][0]):
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
        return sorted(ranks, key=lambda pair: pair[0][0])


def _expected_best(tied: Sequence[_Tied], certain: Mapping[int, _Precision]) -> dict[int, Fraction]:
    """Return the expected best precision from the n-th correct answer onwards.

    `certain` has the best precision that every order reaches, for each n. The orders of a ranking
    that do not exceed a precision are the product of those of its ties.
    """
    steps: list[_Step] = []
    for tie in tied:
        needed = [n for n, least in certain.items() if tie.exceeds(n, least)]
        steps += [(precision, tie, added) for precision, added in tie.orders(needed)]
    steps.sort(key=itemgetter(0))
    return {n: _expected(steps, n, least) for n, least in certain.items()}


_Step = tuple[_Precision, _Tied, Mapping[int, int]]
"""A best precision, a tie, and its numbers of orders that have it."""


def _expected(steps: Sequence[_Step], n: int, least: _Precision) -> Fraction:
    """Return the mean of the best precisions from the n-th correct answer on, or of the least."""
    orders = {tie: 0 for _, tie, _ in steps if tie.exceeds(n, least)}
    if not orders:
        return Fraction(*least[1:])
    sums: defaultdict[int, int] = defaultdict(int)
    reached = 0
    for precision, tie, added in steps:
        if tie in orders and (more := added[tie.first(n)]):
            orders[tie] += more
            product = prod(orders.values())
            _, correct, places = max(precision, least)
            sums[places] += correct * (product - reached)
            reached = product
    return sum_by_denominator(sums) / reached
