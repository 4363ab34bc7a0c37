"""Values of one question's ranking; ties are averaged over all their orders.

The measures of `ranking` are computed from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import ceil, comb, prod
from typing import NamedTuple

from ave_score.counts import Ranking
from ave_score.exact import log2, truncate


def _correct(items: Sequence[int]) -> int:
    """Return how many answers are correct."""
    return sum(item & 1 for item in items)


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
        right = _correct(group)
        yield places, correct, len(group), right
        places += len(group)
        correct += right


def reciprocal_rank(ranking: Ranking) -> Fraction:
    """Return 1/rank of the first correct answer, 0 without one, averaged over orders of ties."""
    for before, _, size, right in _placed(ranking):
        if right:  # the first of them has the j-th rank of its group
            ways = (
                Fraction(comb(size - j, right - 1), before + j) for j in range(1, size - right + 2)
            )
            return sum(ways, Fraction(0)) / comb(size, right)
    return Fraction(0)


def correct_in(ranking: Ranking, places: int) -> Fraction:
    """Return the expected number of correct answers in the first ranks."""
    total = Fraction(0)
    for before, _, size, right in _placed(ranking):
        total += Fraction(right * min(max(places - before, 0), size), size)
    return total


def is_hit(ranking: Ranking, places: int | None) -> Fraction:
    """Return the probability of a correct answer in the first ranks."""
    for before, _, size, right in _placed(ranking):
        inside = size if places is None else min(max(places - before, 0), size)
        if right:
            return 1 - Fraction(comb(size - right, inside), comb(size, inside))
    return Fraction(0)


def sum_of_precisions(ranking: Ranking) -> Fraction:
    """Return the sum of the precisions at the ranks of correct answers."""
    total = Fraction(0)
    for before, correct, size, right in _placed(ranking):
        for j in range(size if right else 0):
            others = Fraction(j * (right - 1), size - 1) if j else 0
            total += Fraction(right, size) * (correct + 1 + others) / (before + j + 1)
    return total


def _gain(item: int) -> int:
    """Return 2^g - 1 of an answer."""
    return (1 << (item >> 1)) - 1


@cache
def _discount(place: int) -> Fraction:
    return truncate(1 / log2(place + 1))


def discounted(groups: Sequence[Sequence[int]], places: int | None) -> Fraction:
    """Return the discounted gain of the first ranks; tied answers share their gains."""
    total, before = Fraction(0), 0
    for group in groups:
        gain = Fraction(sum(map(_gain, group)), len(group))
        last = before + len(group)
        end = last if places is None else min(last, places)
        if gain:
            total += gain * sum(map(_discount, range(before + 1, end + 1)))
        before = last
    return total


def interpolated(ranking: Ranking, shares: Sequence[Fraction]) -> list[Fraction]:
    """Return the best precision at any rank that reaches each share of the correct answers.

    The best precision is always at the rank of a correct answer.
    """
    everything = all_correct(ranking)
    certain = [Fraction(0)] * (everything + 2)  # the best from the n-th correct answer on
    tied: list[_Tied] = []
    for before, correct, size, right in _placed(ranking):
        if right == size:
            for m in range(1, size + 1):
                certain[correct + m] = Fraction(correct + m, before + m)
        elif right:
            tied.append(_Tied(before, correct, size, right))
    certain = list(accumulate(reversed(certain), max))[::-1]
    found = [max(1, ceil(share * everything)) for share in shares]
    best = {needed: certain[needed] for needed in found}
    if tied:
        best = _expected_best(tied, best)
    return [best[needed] for needed in found]


class _Tied(NamedTuple):
    """Tied answers, some of them correct: the ranks and correct answers before and in the tie."""

    before: int
    correct: int
    size: int
    right: int

    def precisions(self) -> Iterator[Fraction]:
        """Yield every possible precision at the rank of a correct answer."""
        for m in range(1, self.right + 1):
            for place in range(m, self.size - self.right + m + 1):
                yield Fraction(self.correct + m, self.before + place)

    def below(self, limit: Fraction, needed: Iterable[int]) -> list[Fraction]:
        """Return the share of orders with all precisions below a limit.

        Only precisions from the n-th correct answer of the whole ranking onwards count, for each
        needed n. Orders are counted from the last correct answer to the first.
        """
        firsts = [max(1, one - self.correct) for one in needed]
        shares = dict.fromkeys(range(self.right + 1, max(firsts) + 1), Fraction(1))
        every = comb(self.size, self.right)
        behind = [*[1] * (self.size + 1), 0]  # orders of the answers after this rank
        for m in range(self.right, 0, -1):
            lowest = (self.correct + m) * limit.denominator // limit.numerator - self.before + 1
            ways = [way if place >= lowest else 0 for place, way in enumerate(behind)]
            if m in firsts:
                orders = (comb(place - 1, m - 1) * ways[place] for place in range(m, self.size + 1))
                shares[m] = Fraction(sum(orders), every)
            behind = [*list(accumulate(reversed(ways)))[-2::-1], 0]
        return [shares[first] for first in firsts]


def _expected_best(tied: Sequence[_Tied], certain: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return the expected best precision from the n-th correct answer onwards.

    `certain` has the best precision that every order reaches, for each n. The mean of a number is
    the sum of its steps, each times the probability that the number is not below it.
    """
    total, reached = dict(certain), dict(certain)
    for step in sorted({one for group in tied for one in group.precisions()}):
        below = [group.below(step, certain) for group in tied]
        for needed, *shares in zip(certain, *below, strict=True):
            if step > reached[needed]:
                total[needed] += (step - reached[needed]) * (1 - prod(shares))
                reached[needed] = step
    return total
