"""The answers of each question ranked by confidence, the highest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from ave_score.counts import Ranking, RankingCounts
from ave_score.model import Collection, Label, Run, Verdict

_ACCEPTED = (Verdict.VALIDATED, Verdict.SELECTED)


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
    for span in collection.roster.spans:
        places = range(span.start, span.stop)
        ranked = sorted(places, key=run.confidences.__getitem__, reverse=True)
        accepted = [place for place in ranked if run.verdicts[place] in _ACCEPTED]
        others = [worths[place] for place in places if run.verdicts[place] not in _ACCEPTED]
        yield (
            _ranking(ranked, run, worths, share_places, ()),
            _ranking(accepted, run, worths, share_places, others),
        )


def perfect_rankings(collection: Collection) -> RankingCounts:
    """Return the rankings with the best answers of each question before the others.

    Only the correct ones of them are accepted.
    """
    worths = _worths(collection)
    counts = RankingCounts()
    for span in collection.roster.spans:
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
    for span in collection.roster.spans:
        items = tuple(sorted(worths[span.start : span.stop]))
        counts.candidates[Ranking((items,) if items else ())] += 1
        if not items:
            counts.accepted[Ranking(())] += 1
        for place, item in enumerate(items):
            one = Ranking(((item,),), items[:place] + items[place + 1 :])
            counts.accepted[one] += Fraction(1, len(items))  # type: ignore[assignment]
    return counts


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
