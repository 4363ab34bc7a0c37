"""Ranking: the answers of each question ranked by confidence, the highest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ave_score.counts.base import ONE_ANSWER, Counts, Family
from ave_score.counts.joined import ACCEPTED
from ave_score.counts.selection import SelectionBaseline
from ave_score.model import Collection, Label, Run


class Ranking(NamedTuple):
    """The answers of a question in their order, by what each is worth.

    Attributes
    ----------
    groups
        From the first place to the last; answers that share a place (a tie that is averaged over)
        are a group of several. An answer is twice its gain, and 1 more if it is correct.
    unranked
        The other answers of the question: those that the run rejected.
    """

    groups: tuple[tuple[int, ...], ...]
    unranked: tuple[int, ...] = ()


@dataclass(eq=False, repr=False)
class RankingCounts(Counts):
    """How often each ranking occurs among the questions; of a baseline, how often on average.

    `candidates` ranks all answers of a question, `accepted` only those that the run validated.
    """

    candidates: Counter[Ranking] = field(default_factory=Counter)
    accepted: Counter[Ranking] = field(default_factory=Counter)


def count_rankings(run: Run, collection: Collection, ties: str) -> RankingCounts:
    """Return how often each ranking occurs; `ties` is a choice of `Policies.ties`.

    What is not labelled VALIDATED is not correct, be it REJECTED or UNKNOWN.
    """
    counts = RankingCounts()
    for candidates, accepted in rankings(run, collection, ties):
        counts.candidates[candidates] += 1
        counts.accepted[accepted] += 1
    return counts


def rankings(run: Run, collection: Collection, ties: str) -> Iterator[tuple[Ranking, Ranking]]:
    """Yield of each question the ranking of all its answers, and of the accepted ones."""
    worths = _worths(collection)
    share_places = ties == "average"
    for span in collection.index.spans:
        places = range(span.start, span.stop)
        ranked = sorted(places, key=run.confidences.__getitem__, reverse=True)
        accepted = [place for place in ranked if run.verdicts[place] in ACCEPTED]
        others = [worths[place] for place in places if run.verdicts[place] not in ACCEPTED]
        yield (
            _ranking(ranked, run, worths, share_places, ()),
            _ranking(accepted, run, worths, share_places, others),
        )


def question_rankings(run: Run, collection: Collection, ties: str) -> Iterator[RankingCounts]:
    """Yield the counts of each question alone, the same object for equal rankings."""
    made: dict[tuple[Ranking, Ranking], RankingCounts] = {}
    for pair in rankings(run, collection, ties):
        if pair not in made:
            made[pair] = RankingCounts(Counter([pair[0]]), Counter([pair[1]]))
        yield made[pair]


def perfect_rankings(collection: Collection) -> RankingCounts:
    """Return the rankings with the best answers of each question before the others.

    Only the correct ones of them are accepted.
    """
    worths = _worths(collection)
    counts = RankingCounts()
    for span in collection.index.spans:
        best = sorted(worths[span.start : span.stop], key=lambda one: (one & 1, one), reverse=True)
        counts.candidates[Ranking(tuple((one,) for one in best))] += 1
        accepted = tuple((one,) for one in best if one & 1)
        others = tuple(sorted(one for one in best if not one & 1))
        counts.accepted[Ranking(accepted, others)] += 1
    return counts


def random_rankings(collection: Collection) -> RankingCounts:
    """Return rankings in which all answers of a question share its places: every order counts.

    Any one of them is accepted, so that each ranking of one answer occurs a share of a time.
    """
    worths = _worths(collection)
    counts = RankingCounts()
    for span in collection.index.spans:
        items = tuple(sorted(worths[span.start : span.stop]))
        counts.candidates[Ranking((items,) if items else ())] += 1
        if not items:
            counts.accepted[Ranking(())] += 1
        for place, item in enumerate(items):
            one = Ranking(((item,),), items[:place] + items[place + 1 :])
            counts.accepted[one] += Fraction(1, len(items))  # type: ignore[assignment]
    return counts


def _expected_rankings(baseline: SelectionBaseline) -> RankingCounts:
    rank = perfect_rankings if baseline.is_perfect else random_rankings
    return rank(baseline.collection)


def _worths(collection: Collection) -> list[int]:
    """Return twice the gain of every answer, and 1 more for a correct one.

    The gain is the grade of the answer; without one it is 1 for a correct answer, else 0.
    """
    correct = [label == Label.VALIDATED for label in collection.labels]
    grades = collection.grades
    return [2 * grades.get(place, right) + right for place, right in enumerate(correct)]


def _ranking(
    ranked: Sequence[int],
    run: Run,
    worths: Sequence[int],
    share_places: bool,
    others: Iterable[int],
) -> Ranking:
    if share_places:
        tied = groupby(ranked, key=run.confidences.__getitem__)
        groups = tuple(tuple(sorted(worths[place] for place in group)) for _, group in tied)
    else:
        groups = tuple((worths[place],) for place in ranked)
    return Ranking(groups, tuple(sorted(others)))


RANKING = Family(
    "ranking",
    RankingCounts,
    table="ranking",
    of_run=count_rankings,
    by_question=question_rankings,
    of_selection=_expected_rankings,
    why_no_system=ONE_ANSWER,
    is_ranked=True,
    needs_candidates=True,
)
