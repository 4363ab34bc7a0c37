"""Means over the rankings of all questions, and notes on these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain

from ave_score.core.text import quantity
from ave_score.counts import Ranking, RankingCounts
from ave_score.counts.ranking import UNORDERED
from ave_score.measures import interpolation, orders
from ave_score.measures.parameters import Value
from ave_score.measures.registry import NotApplicable

_GRADE_2 = 4
"""The lowest code of an answer with a grade above 1: see `Ranking`."""

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
    few = sum(times for ranking, times in every.items() if orders.length(ranking) < wanted)
    if not few:
        return ""
    questions = f"{few:,} of {quantity(every.total(), 'question')}"
    if wanted == 1:
        return f"No judged candidate in {questions}: 0 each."
    return f"Fewer than {wanted:,} judged candidates in {questions}: all of them are drawn."


def check_replicates(counts: RankingCounts, k: Fraction) -> None:
    """Raise `NotApplicable` if a question of a QA system has fewer replicates than are drawn."""
    if counts.order == UNORDERED and (few := min(map(orders.length, counts.candidates))) < k:
        raise NotApplicable(f"a question has only {quantity(few, 'judged replicate')}")


def other_gain(counts: RankingCounts, of: str, gain: str, _: Value) -> str:
    """Return a note if the gain of trec_eval would give other values."""
    answers = (chain(*ranking.groups, ranking.unranked) for ranking in rankings_of(counts, of))
    if gain == "linear" or all(code < _GRADE_2 for code in chain.from_iterable(answers)):
        return ""
    return "Gain of nDCG: 2^grade - 1. That of trec_eval is the grade: nDCG (linear)."
