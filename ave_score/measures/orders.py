"""Values of one question's ranking; ties are averaged over all their orders.

The measures of `ranking` are computed from them, and from those of `interpolation`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, chain
from math import comb, lcm

from ave_score.core.exact import (
    log2,
    ratio,
    sum_by_denominator,
    sum_over_ranks,
    truncate,
    weighted_sum,
)
from ave_score.counts import Ranking
from ave_score.measures import subsets


def _correct(items: Iterable[int]) -> int:
    """Return how many answers are correct."""
    return sum([item & 1 for item in items])


def all_correct(ranking: Ranking) -> int:
    """Return R: the correct answers of the question."""
    return _correct(chain(*ranking.groups, ranking.unranked))


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
        if right == size:
            return Fraction(1, before + 1)
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
    return Fraction(*_correct_in(ranking, places))


def share_found(ranking: Ranking, places: int | None) -> Fraction:
    """Return the share of correct answers that are in the first ranks, by default R; 0 for 0/0."""
    everything = all_correct(ranking)
    number, by = _correct_in(ranking, places or everything)
    return Fraction(number, by * everything) if everything else Fraction(0)


def _correct_in(ranking: Ranking, places: int) -> tuple[int, int]:
    """Return the numerator and the denominator of `correct_in`."""
    _, correct, size, right, inside = _last(ranking, places)
    return correct * size + right * inside, size


def _last(ranking: Ranking, places: int | None) -> tuple[int, int, int, int, int]:
    """Return the last group of `placed`."""
    *_, last = (0, 0, 1, 0, 1), *placed(ranking, places)
    return last


def weighted(ranking: Ranking, weights: Sequence[int]) -> Fraction:
    """Return the expected sum of weights of the ranks with correct answers.

    `weights` has the sum of the weights of the first 0, 1 .. ranks; others have none.
    """
    sums: defaultdict[int, int] = defaultdict(int)
    for before, _, size, right, inside in placed(ranking, len(weights) - 1):
        if right:
            sums[size] += right * (weights[before + inside] - weights[before])
    return sum_by_denominator(sums)


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
    return subsets.pass_at(length(ranking), _correct(chain(*ranking.groups)), candidates)


def pass_all(ranking: Ranking, candidates: int) -> Fraction:
    """Return the probability that all of some candidates drawn at random are correct."""
    return subsets.pass_all(length(ranking), _correct(chain(*ranking.groups)), candidates)


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
    if len(terms) == 1 and 1 in terms:
        return sum_over_ranks(terms[1])
    return sum((sum_over_ranks(numerators) / by for by, numerators in terms.items()), Fraction(0))


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
    before, correct, size, right, inside = _last(ranking, places)
    if inside == size:
        total = correct + right
        return sum_of_precisions(ranking, places) / total if total else Fraction(0)
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


GAINS: Mapping[str, Callable[[int], int]] = {
    "exponential": lambda item: (1 << (item >> 1)) - 1,  # 2^g - 1
    "linear": lambda item: item >> 1,  # g
}
"""The gain of an answer in `normalised_gain`, the default first."""


@cache
def _discounts(bits: int) -> Sequence[int]:
    """Return the sums of the discounts of the first ranks, times 10^60, up to numbers of some bits.

    Each discount is truncated to 60 decimals.
    """
    shorter = _discounts(bits - 1) if bits else [0]
    ranks = range(len(shorter), 1 << bits)
    discounts = (truncate(1 / log2(rank + 1)) * 10**60 for rank in ranks)
    sums = accumulate((discount.numerator for discount in discounts), initial=shorter[-1])
    return [*shorter[:-1], *sums]


def _discounted(
    groups: Iterable[Sequence[int]], gain_of: Callable[[int], int], places: int | None
) -> tuple[int, int]:
    """Return the discounted gain of the first ranks, times 10^60, as a fraction.

    Tied answers share their gains.
    """
    sums: defaultdict[int, int] = defaultdict(int)
    before = 0
    for group in groups:
        size = len(group)
        last = before + size
        end = last if places is None else min(last, places)
        if before < end:
            gain = gain_of(group[0]) if size == 1 else sum(map(gain_of, group))
            if gain:
                upto = _discounts(end.bit_length())
                sums[size] += gain * (upto[end] - upto[before])
        before = last
    by = lcm(*sums)
    return sum(gain * (by // size) for size, gain in sums.items()), by


@lru_cache(2**10)
def _ideal(items: Sequence[int], gain: str, places: int | None) -> int:
    """Return the discounted gain of answers in the order of their codes, times 10^60."""
    return _discounted(((item,) for item in items), GAINS[gain], places)[0]


def normalised_gain(ranking: Ranking, gain: str, places: int | None) -> Fraction:
    """Return the discounted gain over that of the ideal ranking, 0 for 0/0, to 60 decimals."""
    items = sorted(chain(*ranking.groups, ranking.unranked), reverse=True)
    best = _ideal(tuple(items), gain, places)
    if not best:
        return Fraction(0)
    gained, by = _discounted(ranking.groups, GAINS[gain], places)
    return truncate(gained, by * best)


# --- all rankings ---------------------------------------------------------------------------------


def mean(
    rankings: Counter[Ranking], worth: Callable[..., Fraction], *arguments: object
) -> Fraction | None:
    """Return the mean value of rankings; `worth` takes a ranking, then the arguments."""
    worths = [worth(ranking, *arguments) for ranking in rankings]
    return ratio(weighted_sum(worths, [*rankings.values()]), rankings.total())


def average_recall(rankings: Counter[Ranking], places: int) -> Fraction | None:
    """Return the mean over the first ranks of the correct answers up to each, of those possible.

    Both numbers are of all rankings together. A correct answer at a rank counts there and at all
    later ones, so it adds a weight: the sum of 1 / possible number over these ranks.
    """
    possible: Counter[int] = Counter()
    for ranking, times in rankings.items():
        possible[all_correct(ranking)] += times
    if not any(possible):
        return None
    last = min(places, max(*map(length, rankings), *possible))  # later ranks change nothing
    of_each = [
        1 / Fraction(places * sum(times * min(rank, size) for size, times in possible.items()))
        for rank in range(1, last + 1)
    ]
    of_each[-1] *= places - last + 1
    of_ranks = [*accumulate(reversed(of_each))][::-1]
    weights = [*accumulate(of_ranks, initial=Fraction(0))]
    by = lcm(*(weight.denominator for weight in weights))
    whole = tuple(weight.numerator * (by // weight.denominator) for weight in weights)
    worths = [weighted(ranking, whole) for ranking in rankings]
    return Fraction(weighted_sum(worths, [*rankings.values()])) / by
