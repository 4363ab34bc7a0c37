"""Rankings of each question's answers by descending confidence."""

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
from ave_score.policies import TIES_CHOICES, TiesChoice


class Ranking(NamedTuple):
    """The answers to a question in ranked order, as codes of their worth.

    Attributes
    ----------
    groups
        From the first rank to the last. Tied answers whose ranks are averaged form one group. The
        code of an answer is twice its gain, plus 1 if it is correct.
    unranked
        The other answers to the question, which the run rejected.
    """

    groups: tuple[tuple[int, ...], ...]
    unranked: tuple[int, ...] = ()


@dataclass(eq=False, repr=False)
class RankingCounts(Counts):
    """Frequencies of rankings among the questions; expected frequencies for a baseline.

    `candidates` ranks all answers to a question, `accepted` only those that the run validated.
    """

    candidates: Counter[Ranking] = field(default_factory=Counter)
    accepted: Counter[Ranking] = field(default_factory=Counter)


def count_rankings(run: Run, collection: Collection, ties: str) -> RankingCounts:
    """Return how often each ranking occurs; `ties` is a choice of `Policies.ties`.

    Only answers labelled VALIDATED are correct; REJECTED and UNKNOWN are not.
    """
    counts = RankingCounts()
    for candidates, accepted in rankings(run, collection, ties):
        counts.candidates[candidates] += 1
        counts.accepted[accepted] += 1
    return counts


def rankings(run: Run, collection: Collection, ties: str) -> Iterator[tuple[Ranking, Ranking]]:
    """Yield for each question the rankings of all answers and of the accepted answers."""
    worths = _worths(collection)
    order, ids = TIES_CHOICES[ties], collection.index.ids
    for span in collection.index.spans:
        places = range(span.start, span.stop)
        arranged = order.arranged(places, ids)
        ranked = sorted(arranged, key=run.confidences.__getitem__, reverse=True)
        accepted = [place for place in ranked if run.verdicts[place] in ACCEPTED]
        others = [worths[place] for place in places if run.verdicts[place] not in ACCEPTED]
        yield (
            _ranking(ranked, run, worths, order, ()),
            _ranking(accepted, run, worths, order, others),
        )


def question_rankings(run: Run, collection: Collection, ties: str) -> Iterator[RankingCounts]:
    """Yield the counts of each question alone; equal rankings share one object."""
    made: dict[tuple[Ranking, Ranking], RankingCounts] = {}
    for pair in rankings(run, collection, ties):
        if pair not in made:
            made[pair] = RankingCounts(Counter([pair[0]]), Counter([pair[1]]))
        yield made[pair]


def perfect_rankings(collection: Collection) -> RankingCounts:
    """Return rankings with the best answers first; only correct answers are accepted."""
    worths = _worths(collection)
    counts = RankingCounts()
    for span in collection.index.spans:
        best = sorted(
            worths[span.start : span.stop], key=lambda code: (code & 1, code), reverse=True
        )
        counts.candidates[Ranking(tuple((code,) for code in best))] += 1
        accepted = tuple((code,) for code in best if code & 1)
        others = tuple(sorted(code for code in best if not code & 1))
        counts.accepted[Ranking(accepted, others)] += 1
    return counts


def random_rankings(collection: Collection) -> RankingCounts:
    """Return rankings in which all answers to a question are tied.

    Each answer is the only accepted one with equal probability, so the frequencies are fractions.
    """
    worths = _worths(collection)
    counts = RankingCounts()
    for span in collection.index.spans:
        items = tuple(sorted(worths[span.start : span.stop]))
        counts.candidates[Ranking((items,) if items else ())] += 1
        if not items:
            counts.accepted[Ranking(())] += 1
        for place, item in enumerate(items):
            ranking = Ranking(((item,),), items[:place] + items[place + 1 :])
            counts.accepted[ranking] += Fraction(1, len(items))  # type: ignore[assignment]
    return counts


def _expected_rankings(baseline: SelectionBaseline) -> RankingCounts:
    rank = perfect_rankings if baseline.is_perfect else random_rankings
    return rank(baseline.collection)


def _worths(collection: Collection) -> list[int]:
    """Return the code of every answer: twice its gain, plus 1 if it is correct.

    The gain is the grade of the answer; without one it is 1 for a correct answer, else 0.
    """
    correct = [label == Label.VALIDATED for label in collection.labels]
    grades = collection.grades
    return [2 * grades.get(place, right) + right for place, right in enumerate(correct)]


def _ranking(
    ranked: Sequence[int],
    run: Run,
    worths: Sequence[int],
    order: TiesChoice,
    others: Iterable[int],
) -> Ranking:
    if order.is_mean:
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
