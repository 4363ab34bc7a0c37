"""Values of one question's ranking; ties are averaged over all their orders.

The measures of `ranking` are computed from them, and from those of `interpolation`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from ave_score.counts import Ranking
from ave_score.exact import Number, log2, ratio, sum_by_denominator, sum_over_ranks, truncate
from ave_score.measures import subsets


def _correct(items: Sequence[int]) -> int:
    """Return how many answers are correct."""
    return sum(item & 1 for item in items)


def all_correct(ranking: Ranking) -> int:
    """Return R: the correct answers of the question."""
    return sum(map(_correct, ranking.groups)) + _correct(ranking.unranked)


def length(ranking: Ranking) -> int:
    """Return L: the number of ranked answers."""
    return sum(map(len, ranking.groups))


def placed(ranking: Ranking, places: int | None = None) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield for each group of ties the ranks and correct answers before it, then those in it.

    The last number is that of its ranks among the first `places`; groups without any are left out.
    """
    before = correct = 0
    for group in ranking.groups:
        size = inside = len(group)
        if places is not None and before + size > places:
            inside = places - before
            if inside <= 0:
                return
        right = group[0] & 1 if size == 1 else _correct(group)
        yield before, correct, size, right, inside
        before += size
        correct += right


def shape(ranking: Ranking) -> subsets.Shape:
    """Return the number of answers and of correct ones in each group of ties."""
    return tuple((size, right) for _, _, size, right, _ in placed(ranking))


def reciprocal_rank(ranking: Ranking, places: int | None = None) -> Fraction:
    """Return 1/rank of the first correct answer, 0 without one in the first ranks."""
    for before, _, size, right, inside in placed(ranking, places):
        if right:  # the first of them has the j-th rank of its group in so many orders
            ways, sums = comb(size - 1, right - 1), {}
            every = comb(size, right)
            for j in range(1, min(size - right + 1, inside) + 1):
                sums[before + j] = ways
                ways = ways * (size - right - j + 1) // (size - j) if size > j else 0
            return sum_by_denominator(sums) / every
    return Fraction(0)


def correct_in(ranking: Ranking, places: int) -> Fraction:
    """Return the expected number of correct answers in the first ranks."""
    found = Fraction(0)
    for _, correct, size, right, inside in placed(ranking, places):
        found = correct + Fraction(right * inside, size)
    return found


def share_found(ranking: Ranking, places: int | None) -> Fraction:
    """Return the share of correct answers that are in the first ranks, by default R; 0 for 0/0."""
    size = all_correct(ranking)
    return correct_in(ranking, places or size) / size if size else Fraction(0)


def correct_ranks(ranking: Ranking, places: int) -> Sequence[tuple[int, int, int]]:
    """Return where answers may be correct: indices of ranks from 0, and the probability of each.

    A probability is a numerator and a denominator.
    """
    return [
        (before + at, right, size)
        for before, _, size, right, inside in placed(ranking, places)
        if right
        for at in range(inside)
    ]


def is_hit(ranking: Ranking, places: int | None) -> Fraction:
    """Return the probability of a correct answer in the first ranks."""
    for _, _, size, right, inside in placed(ranking, places):
        if right:
            return 1 - Fraction(comb(size - right, inside), comb(size, inside))
    return Fraction(0)


def best_of(ranking: Ranking, candidates: int) -> Fraction:
    """Return the probability that the first of some random answers is correct."""
    return subsets.best_of(shape(ranking), candidates)


def pass_at(ranking: Ranking, candidates: int) -> Fraction:
    """Return the probability that one of some random answers is correct."""
    return subsets.pass_at(length(ranking), sum(map(_correct, ranking.groups)), candidates)


def sum_of_precisions(ranking: Ranking, places: int | None) -> Fraction:
    """Return the sum of the precisions at those of the first ranks that have correct answers."""
    terms: defaultdict[int, list[int]] = defaultdict(list)  # by the factor of their denominators
    for before, correct, size, right, inside in placed(ranking, places):
        if not right:
            continue
        rest = max(1, size - 1)  # j · (right - 1) / rest others are expected before the j-th rank
        of_size = terms[1 if right == size else size * rest]
        of_size += [0] * (before - len(of_size))
        if right == size:
            of_size += range(correct + 1, correct + inside + 1)
        else:
            of_size += (right * ((correct + 1) * rest + j * (right - 1)) for j in range(inside))
    return sum((sum_over_ranks(some) / by for by, some in terms.items()), Fraction(0))


def average_precision(ranking: Ranking, norm: str, places: int | None = None) -> Fraction:
    """Return the sum of precisions in the first ranks by its norm; 0 for 0/0.

    The norm is R (`relevant`), the greatest possible number of correct answers there (`min`), or
    that of ranked answers (`returned`) or correct answers (`found`) there.
    """
    if norm == "found":
        return _mean_precision(ranking, places)
    size = length(ranking) if norm == "returned" else all_correct(ranking)
    if norm != "relevant" and places is not None:
        size = min(size, places)
    return sum_of_precisions(ranking, places) / size if size else Fraction(0)


def _mean_precision(ranking: Ranking, places: int | None) -> Fraction:
    """Return the mean of the precisions at the ranks of correct answers; 0 without any.

    Only the tie that the last of the first ranks divides has a random number of correct answers
    there. Given that j of them are in its m ranks, their precisions add up to

        j·(C + 1)/m · Σ 1/i + j·(j - 1)/(m·(m - 1)) · Σ t/i

    over these ranks i, with C correct answers and t of its ranks before each.
    """
    *_, last = [(0, 0, 0, 0, 0), *placed(ranking, places)]
    before, correct, size, right, inside = last
    if inside == size:
        found = correct + right
        return sum_of_precisions(ranking, places) / found if found else Fraction(0)
    least = max(0, inside - (size - right))
    ways = comb(right, least) * comb(size - right, inside - least)
    sums: tuple[dict[int, int], ...] = {}, {}, {}
    for j in range(least, min(right, inside) + 1):
        for by, times in zip(sums, (1, j, j * (j - 1)), strict=True):
            by[max(1, correct + j)] = ways * times
        ways = ways * (right - j) * (inside - j) // ((j + 1) * (size - right - inside + j + 1))
    every = comb(size, inside)
    of_none, of_one, of_two = (sum_by_denominator(by) / every for by in sums)
    ones = sum_over_ranks([0] * before + [1] * inside) / inside
    pairs = sum_over_ranks([0] * before + [*range(inside)]) / (inside * max(1, inside - 1))
    above = sum_of_precisions(ranking, before)
    return above * of_none + (correct + 1) * ones * of_one + pairs * of_two


def _exponential(item: int) -> int:
    """Return 2^g - 1 of an answer."""
    return (1 << (item >> 1)) - 1


def _linear(item: int) -> int:
    """Return g of an answer."""
    return item >> 1


GAINS: Mapping[str, Callable[[int], int]] = {"exponential": _exponential, "linear": _linear}
"""The gain of an answer in `normalised_gain`, the default first."""

_SCALE = 10**60
_DISCOUNTS = [0]
"""The sum of the discounts of the first ranks, times 10^60: each is truncated to 60 decimals."""


def _discounts(places: int) -> Sequence[int]:
    while len(_DISCOUNTS) <= places:
        discount = truncate(1 / log2(len(_DISCOUNTS) + 1)) * _SCALE
        _DISCOUNTS.append(_DISCOUNTS[-1] + discount.numerator)
    return _DISCOUNTS


def _discounted(
    groups: Sequence[Sequence[int]], gain_of: Callable[[int], int], places: int | None
) -> Fraction:
    """Return the discounted gain of the first ranks; tied answers share their gains."""
    sums: defaultdict[int, int] = defaultdict(int)
    upto, before = _discounts(sum(map(len, groups))), 0
    for group in groups:
        size = len(group)
        last = before + size
        end = last if places is None else min(last, places)
        if before < end:
            gain = gain_of(group[0]) if size == 1 else sum(map(gain_of, group))
            sums[size] += gain * (upto[end] - upto[before])
        before = last
    return sum_by_denominator(sums) / _SCALE


def normalised_gain(ranking: Ranking, gain: str, places: int | None) -> Fraction:
    """Return the discounted gain over that of the ideal ranking, 0 for 0/0, to 60 decimals."""
    items = [item for group in (*ranking.groups, ranking.unranked) for item in group]
    ideal, of = [(item,) for item in sorted(items, reverse=True)], GAINS[gain]
    best = _discounted(ideal, of, places)
    return truncate(_discounted(ranking.groups, of, places) / best) if best else Fraction(0)


# --- all rankings ---------------------------------------------------------------------------------

_NUMBERS: dict[tuple[object, ...], int] = {}
"""A function of rankings and its arguments -> the number of its values in `Ranking.values`."""

_MOST_VALUES = 64
"""The most values that a ranking keeps."""


def each(rankings: Counter[Ranking], function: Callable[..., Any], *arguments: object) -> list[Any]:
    """Return a function of each ranking; values are kept, so it must not be a new one each time."""
    number = _NUMBERS.setdefault((function, *arguments), len(_NUMBERS))
    found = [one.values.get(number) for one in rankings]
    if None in found:
        for at, one in enumerate(rankings):
            if found[at] is None:
                if len(one.values) >= _MOST_VALUES:
                    one.values.clear()
                found[at] = one.values[number] = function(one, *arguments)
    return found


def _ratio(one: Ranking, worth: Callable[..., Fraction], *arguments: object) -> tuple[int, int]:
    return worth(one, *arguments).as_integer_ratio()


def mean(
    rankings: Counter[Ranking], worth: Callable[..., Fraction], *arguments: object
) -> Fraction | None:
    """Return the mean value of rankings; for `worth`, see `each`."""
    values = each(rankings, _ratio, worth, *arguments)
    sums: defaultdict[int, Number] = defaultdict(int)
    for (numerator, by), times in zip(values, rankings.values(), strict=True):
        sums[by] += times * numerator
    return ratio(sum_by_denominator(sums), rankings.total())


def correct_at_each(rankings: Counter[Ranking], places: int) -> list[Fraction]:
    """Return the expected number of correct answers at each of the first ranks."""
    sums: list[defaultdict[int, Number]] = [defaultdict(int) for _ in range(places)]
    found = each(rankings, correct_ranks, places)
    for ranks, times in zip(found, rankings.values(), strict=True):
        for at, numerator, by in ranks:
            sums[at][by] += times * numerator
    return [sum_by_denominator(one) for one in sums]
