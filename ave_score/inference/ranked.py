"""What measures of rankings are of each question of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from ave_score.counting.ranking import rankings
from ave_score.counts import Ranking, RankingCounts
from ave_score.inference.by_question import Floats
from ave_score.measures import Measure
from ave_score.model import Collection, Run


def rank_by_question(
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
