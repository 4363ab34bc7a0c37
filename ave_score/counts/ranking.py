"""Rankings of each question's answers by descending confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
    unknown
        The number of answers that are left out of the ranking because their label is UNKNOWN.
    """

    groups: tuple[tuple[int, ...], ...]
    unranked: tuple[int, ...] = ()
    unknown: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether no answer was ranked, not even one that was left out."""
        return not self.groups and not self.unknown


@dataclass(eq=False, repr=False)
class RankingCounts(Counts):
    """Frequencies of rankings among the questions; expected frequencies for a baseline.

    `candidates` ranks all answers to a question, `accepted` only those that the run validated.
    """

    candidates: Counter[Ranking] = field(default_factory=Counter)
    accepted: Counter[Ranking] = field(default_factory=Counter)


_NO_TIES = TIES_CHOICES["file"]


def count_rankings(run: Run, collection: Collection, ties: str) -> RankingCounts:
    """Return how often each ranking occurs; `ties` is a choice of `Policies.ties`.

    Answers labelled UNKNOWN leave the rankings: condensed lists (Sakai, SIGIR 2007).
    """
    counts = RankingCounts()
    for candidates, accepted in rankings(run, collection, ties):
        counts.candidates[candidates] += 1
        counts.accepted[accepted] += 1
    return counts


def rankings(run: Run, collection: Collection, ties: str) -> Iterator[tuple[Ranking, Ranking]]:
    """Yield for each question the rankings of all answers and of the accepted answers."""
    worths, labels, verdicts = _worths(collection), collection.labels, run.verdicts
    chosen, ids, sure_of = TIES_CHOICES[ties], collection.index.ids, run.confidences.__getitem__
    for span in collection.index.spans:
        sure = run.confidences[span]
        order = chosen if len(set(sure)) < len(sure) else _NO_TIES
        places: Sequence[int] = range(span.start, span.stop)
        unknown: list[int] = []  # the verdicts on answers that are left out
        if Label.UNKNOWN in labels[span]:
            unknown = [verdicts[place] for place in places if labels[place] == Label.UNKNOWN]
            places = [place for place in places if labels[place] != Label.UNKNOWN]
        arranged = order.arranged(places, ids)
        ranked = sorted(arranged, key=sure_of, reverse=True)
        accepted = [place for place in ranked if verdicts[place] in ACCEPTED]
        others = tuple(sorted(worths[one] for one in places if verdicts[one] not in ACCEPTED))
        left_out = sum(map(unknown.count, ACCEPTED))
        yield (
            Ranking(_groups(ranked, run, worths, order), (), len(unknown)),
            Ranking(_groups(accepted, run, worths, order), others, left_out),
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
    counts = RankingCounts()
    for judged, unknown in _judged(collection):
        best = sorted(judged, key=lambda code: (code & 1, code), reverse=True)
        counts.candidates[Ranking(tuple((code,) for code in best), (), unknown)] += 1
        accepted = tuple((code,) for code in best if code & 1)
        others = tuple(sorted(code for code in best if not code & 1))
        counts.accepted[Ranking(accepted, others)] += 1
    return counts


def random_rankings(collection: Collection) -> RankingCounts:
    """Return rankings in which all answers to a question are tied.

    Each answer is the only accepted one with equal probability, so the frequencies are fractions.
    """
    counts = RankingCounts()
    alike = Counter((tuple(sorted(judged)), unknown) for judged, unknown in _judged(collection))
    for (items, unknown), times in alike.items():
        counts.candidates[Ranking((items,) if items else (), (), unknown)] += times
        size = len(items) + unknown
        for item, equal in Counter(items).items():
            at = items.index(item)
            ranking = Ranking(((item,),), items[:at] + items[at + 1 :])
            counts.accepted[ranking] += Fraction(times * equal, size)  # type: ignore[assignment]
        if unknown:
            left_out = Ranking((), items, 1)
            counts.accepted[left_out] += Fraction(times * unknown, size)  # type: ignore[assignment]
        if not size:
            counts.accepted[Ranking(())] += times
    return counts


def _judged(collection: Collection) -> Iterator[tuple[list[int], int]]:
    """Yield for each question the codes of its judged answers, and the number of the others."""
    worths, labels = _worths(collection), collection.labels
    for span in collection.index.spans:
        places = range(span.start, span.stop)
        judged = [worths[place] for place in places if labels[place] != Label.UNKNOWN]
        yield judged, len(places) - len(judged)


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


def _groups(
    ranked: Sequence[int], run: Run, worths: Sequence[int], order: TiesChoice
) -> tuple[tuple[int, ...], ...]:
    """Return the codes of ranked answers; the mean is taken over the orders of each group."""
    if not order.is_mean:
        return tuple((worths[place],) for place in ranked)
    tied = groupby(ranked, key=run.confidences.__getitem__)
    return tuple(tuple(sorted(worths[place] for place in group)) for _, group in tied)


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
    unknown="leave the ranking, which closes up (condensed list); their questions count",
)
