"""What measures of counts and of rankings are computed from, question by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from ave_score.counts import RANKING, Family, Ranking, RankingCounts
from ave_score.counts.ranking import rankings
from ave_score.inference.by_question import ByQuestion, Floats, count_by_question
from ave_score.measures import Measure
from ave_score.model import Collection, Run


def is_countable(measure: Measure) -> bool:
    """Tell whether a measure is computed from what single questions add to it."""
    return measure.family.of_answers is not None or _is_ranked(measure)


def count_for(
    run: Run,
    collection: Collection,
    measures: Sequence[Measure],
    ties: str,
    also: Iterable[Family] = (),
) -> ByQuestion:
    """Count question by question what measures are computed of; rankings have values at once.

    The measures are countable; the families of `also` are counted in any case.
    """
    ranked = [one for one in measures if _is_ranked(one)]
    families = {one.family for one in measures if one not in ranked}.union(also)
    counted = count_by_question(run, collection, families)
    return counted._replace(values=_rank_by_question(run, collection, ties, ranked))


def _is_ranked(measure: Measure) -> bool:
    """Tell whether it is a mean of what rankings of questions are worth."""
    return measure.is_mean and measure.family is RANKING


def _rank_by_question(
    run: Run, collection: Collection, ties: str, measures: Iterable[Measure]
) -> dict[str, Floats]:
    """Return what each measure of rankings is of each question, by its key.

    The measures are means over questions.
    """
    ranked = list(rankings(run, collection, ties))
    found = {}
    for measure in measures:
        worths = {one: _of_ranking(measure, *one) for one in set(ranked)}
        found[measure.key] = np.array([worths[one] for one in ranked])
    return found


def _of_ranking(measure: Measure, candidates: Ranking, accepted: Ranking) -> float:
    value = measure(RankingCounts(Counter([candidates]), Counter([accepted])))
    return float("nan") if value is None else float(value)
