"""Means over the rankings of all questions, and notes on these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from ave_score.core.text import quantity
from ave_score.counts import Ranking, RankingCounts
from ave_score.counts.ranking import UNORDERED
from ave_score.measures import interpolation, orders
from ave_score.measures.parameters import Value
from ave_score.measures.registry import NotApplicable

FIRST = Fraction(1)
"""The grade from which answers are correct, usually."""


def mean_of(
    counts: RankingCounts,
    of: str,
    worth: Callable[..., Fraction],
    *arguments: object,
    rel: Fraction = FIRST,
) -> Fraction | None:
    """Return the mean value of the rankings of all questions; for `worth`, see `orders.values`.

    Answers are correct from the grade `rel`.
    """
    rankings = rankings_of(counts, of)
    if rel > FIRST:
        graded: Counter[Ranking] = Counter()
        for ranking, times in rankings.items():
            graded[ranking.correct_from(int(rel))] += times
        rankings = graded
    return orders.mean(rankings, worth, *arguments)


def places(k: Value) -> int | None:
    """Return how many ranks are used; None for all."""
    return int(k) if isinstance(k, Fraction) else None


def rankings_of(counts: RankingCounts, of: str) -> Counter[Ranking]:
    """Return the rankings of candidates or of accepted answers; raises if there is no order."""
    if counts.order == UNORDERED:
        raise NotApplicable("replicates of a question have no order")
    return counts.accepted if of == "accepted" else counts.candidates


def interpolated(
    counts: RankingCounts, shares: Sequence[tuple[int, int]], of: str, rule: str
) -> Fraction | None:
    """Return the mean interpolated precision at shares of the correct answers."""
    interpolation.check_ties(rankings_of(counts, of))
    return mean_of(counts, of, interpolation.interpolated, shares, rule)


def too_few(counts: RankingCounts, k: Fraction) -> str:
    """Return a note on questions with fewer than k candidates."""
    every, wanted = counts.candidates, int(k)
    lengths = zip(orders.values(every, orders.length)[0], every.values(), strict=True)
    few = sum(times for length, times in lengths if length < wanted)
    if not few:
        return ""
    questions = f"{few:,} of {quantity(every.total(), 'question')}"
    if wanted == 1:
        return f"No judged candidate in {questions}: 0 each."
    return f"Fewer than {wanted:,} judged candidates in {questions}: all of them are drawn."
