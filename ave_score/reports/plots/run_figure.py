"""The figure of scored runs, whose data is collected while they are scored."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import ResponseRun
from ave_score.core.parts import mentioned
from ave_score.core.policies import Policies, settled_table
from ave_score.counts import SELF_SCORE, ConfidenceCounts, NotCounted, SelfScoreCounts
from ave_score.counts.base import SYSTEM
from ave_score.counts.confidence import (
    count_confidences,
    count_self_scores,
    count_system_self_scores,
)
from ave_score.counts.counted import Kind
from ave_score.counts.judged import JudgedSystem
from ave_score.inference.sweep import decided_at
from ave_score.measures import Measure, NotApplicable, parse_measures
from ave_score.reports.plots import FIGURES
from ave_score.reports.plots.bars import INTERVAL_OF, bars, draw_bars
from ave_score.reports.plots.curves import (
    CURVES,
    Curves,
    RunCurve,
    draw_curves,
    generalised_risk,
    over_threshold,
    precision_recall,
    risk_coverage,
    roc,
    share_correct,
)
from ave_score.reports.plots.reliability import (
    Reliabilities,
    RunReliability,
    draw_reliability,
    reliability,
)
from ave_score.reports.plots.sheet import WIDTH, LeftOut, Sheet, left_out_notes
from ave_score.tasks.score import Scores

if TYPE_CHECKING:
    from ave_score.inference.units import Subject

BARS = FIGURES[0]

_OF_ANSWERS: dict[str, Callable[[str, ConfidenceCounts], RunCurve | RunReliability]] = {
    "roc": roc,
    "precision-recall": precision_recall,
    "reliability": reliability,
    "reliability-mass": partial(reliability, kind="mass"),
}
"""Figure of all judged answers -> the function that returns the data of a run."""

_OF_RETURNED: dict[str, Callable[[str, SelfScoreCounts], RunCurve]] = {
    "risk-coverage": risk_coverage,
    "generalised-risk": generalised_risk,
}
"""Figure of returned answers -> the function that returns the data of a run or a system."""

_THRESHOLD = "threshold"
"""The figure of decisions at every threshold."""


class RunFigure:
    """Collects runs and systems while they are scored, then draws one of `FIGURES`.

    The collection has no UNKNOWN labels; the width is in inches. Raises `UsageError` if the figure
    is about questions and the collection has none.
    """

    def __init__(
        self, figure: str | None, collection: Collection, policies: Policies, width: float | None
    ) -> None:
        self._figure = figure or BARS
        if collection.index.is_pairs and self._figure in (BARS, *_OF_RETURNED, _THRESHOLD):
            raise UsageError(
                f"--figure {self._figure} is about questions, and pairs belong to none"
            )
        self._collection = collection
        self._policies = policies
        self._width = width or WIDTH
        self._found: list[RunCurve | RunReliability] = []
        self._left_out: list[LeftOut] = []
        self._chance: ConfidenceCounts | None = None

    def take(self, run: Subject) -> Subject:
        """Collect the data of a run or a system, and return it unchanged."""
        assert not isinstance(run, ResponseRun)
        threshold, decided = self._policies.threshold, run
        if threshold is not None and isinstance(run, Run):
            decided = decided_at(run, threshold)
        try:
            if self._figure in _OF_ANSWERS:
                counts = self._of_answers(decided)
                self._found.append(_OF_ANSWERS[self._figure](run.name, counts))
            elif self._figure in _OF_RETURNED:
                returned = self._of_returned(decided)
                self._found.append(_OF_RETURNED[self._figure](run.name, returned))
            elif self._figure == _THRESHOLD:
                if isinstance(run, QARun):
                    raise NotCounted(SYSTEM)
                self._found.append(over_threshold(run, self._of(run)))
        except (NotApplicable, NotCounted) as reason:
            self._left_out.append(LeftOut(run.name, str(reason)))
        return run

    def _of(self, run: Run | QARun) -> Collection:
        """Return what a run is scored against."""
        return mentioned(run, self._collection)

    def _of_answers(self, run: Run | QARun) -> ConfidenceCounts:
        """Count the confidences of a run; raises `NotCounted` for a system."""
        if isinstance(run, QARun):
            raise NotCounted(SYSTEM)
        collection = self._of(run)
        counts = count_confidences(run, collection, self._policies.ties)
        if collection is self._collection:  # chance is that of the whole collection
            self._chance = counts
        return counts

    def _of_returned(self, run: Run | QARun) -> SelfScoreCounts:
        """Count the returned answers; raises `NotCounted` without confidences."""
        ties = self._policies.ties
        if isinstance(run, Run):
            return count_self_scores(run, self._of(run), ties)
        table = settled_table(self._policies.campaign, self._policies.unknown)
        return count_system_self_scores(JudgedSystem(run, self._of(run), table, ties))

    def measures(self, asked: list[Measure]) -> list[Measure]:
        """Return the requested measures, and the measure of whiskers if the figure has any."""
        if self._figure != BARS or self._policies.intervals is None:
            return asked
        keys = {measure.key for measure in asked}
        added = parse_measures(INTERVAL_OF)
        return [*asked, *(measure for measure in added if measure.key not in keys)]

    def drawing(self, scores: Scores) -> tuple[Callable[[], Sheet], list[str]]:
        """Return a function that draws the figure, and notes on the runs that are left out.

        Raises `UsageError` if there is nothing to draw.
        """
        draw, rows, left_out = self._drawing(scores)
        notes = left_out_notes(left_out)
        if not rows:
            raise UsageError(f"nothing to draw in --figure {self._figure}. {' '.join(notes)}")
        return draw, notes

    def _drawing(self, scores: Scores) -> tuple[Callable[[], Sheet], int, list[LeftOut]]:
        """Return a function that draws the figure, its number of runs, and those left out."""
        width, left_out = self._width, self._left_out
        if self._figure == BARS:
            data = bars(scores)
            return partial(draw_bars, data, width), len(data.bars), [*data.left_out]
        found = self.data(scores)
        if isinstance(found, Reliabilities):
            return partial(draw_reliability, found, width), len(found.runs), left_out
        return partial(draw_curves, found, width), len(found.curves), left_out

    def data(self, scores: Scores) -> Curves | Reliabilities:
        """Return the collected data of a figure other than the bars; curves are best first.

        They are in the order of their areas or, if these do not compare runs, of the first measure
        of `scores` that does and that all of them have.
        """
        if self._figure not in CURVES:
            diagrams = [data for data in self._found if isinstance(data, RunReliability)]
            kind = "mass" if self._figure == "reliability-mass" else "width"
            return Reliabilities(diagrams, self._left_out, kind)
        curves = [data for data in self._found if isinstance(data, RunCurve)]
        record = CURVES[self._figure]
        if record.is_of_returned:
            by = _by_scores(curves, scores)
        else:
            sign, by = -1 if record.higher_is_better else 1, record.area
            curves.sort(key=lambda curve: (sign * (curve.area or 0), curve.run))
        has_chance = self._figure == "precision-recall" and self._chance is not None
        chance = share_correct(self._chance) if has_chance and self._chance else None
        return Curves(self._figure, curves, chance, self._left_out, by)


def _by_scores(curves: list[RunCurve], scores: Scores) -> str:
    """Sort curves by the first measure that all their runs have, and return its title.

    Measures of the returned answers alone, such as the areas, do not count. Without another one the
    curves are sorted by name, and the title is "".
    """
    values = {row.run: row.values for row in scores.rows if row.kind is not Kind.BASELINE}
    curves.sort(key=lambda curve: curve.run)
    for measure in scores.measures:
        if measure.family is not SELF_SCORE and all(
            values[curve.run][measure.key] is not None for curve in curves
        ):
            curves.sort(key=lambda curve: measure.sort_key(values[curve.run][measure.key]))
            return measure.title
    return ""
