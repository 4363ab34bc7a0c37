"""The figure of scored runs, whose data is collected while they are scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Unpack

from ave_score.core.drawing import Drawing
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, Label, QARun, Run
from ave_score.core.open_questions import OpenGold
from ave_score.core.parts import mentioned
from ave_score.core.policies import IntervalPolicy, Policies, settle_unknown, settled_table
from ave_score.counts import SELF_SCORE, ConfidenceCounts, NotCounted, SelfScoreCounts
from ave_score.counts.base import SYSTEM
from ave_score.counts.confidence import (
    count_confidences,
    count_self_scores,
    count_system_confidences,
    count_system_self_scores,
)
from ave_score.counts.judged import JudgedSystem
from ave_score.inference.intervals import IntervalSampler
from ave_score.measures import MEASURES, Measure, NotApplicable
from ave_score.measures.registry import BARS
from ave_score.reports.plots import FIGURES, check_figure
from ave_score.reports.plots.curves import (
    CURVES,
    Curves,
    generalised_risk,
    over_threshold,
    precision_recall,
    risk_coverage,
    roc,
    square_of,
)
from ave_score.reports.plots.figure import WIDTH, LeftOut, NamedCurve, left_out_notes
from ave_score.reports.plots.paint import paint_rows, paint_square
from ave_score.reports.plots.paint_reliability import paint_reliability
from ave_score.reports.plots.painted import drawing_of
from ave_score.reports.plots.reliability import Reliabilities, RunReliability, reliability
from ave_score.reports.plots.row_records import RowsFigure
from ave_score.reports.plots.rows import bars, dots, drawable
from ave_score.tasks.applied import with_epochs, with_policies
from ave_score.tasks.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.score import score
from ave_score.tasks.scores import Scores
from ave_score.tasks.subjects import table_measures, wanted_measures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ave_score.inference.intervals import IntervalSampler
    from ave_score.inference.units import Subject

BARS_FIGURE = FIGURES[0]

_OF_ANSWERS: dict[str, Callable[[str, ConfidenceCounts], NamedCurve | RunReliability]] = {
    "roc": roc,
    "precision-recall": precision_recall,
    "reliability": reliability,
    "reliability-mass": partial(reliability, kind="mass"),
}
"""Figure of all judged answers -> the function that returns the data of a run."""

_OF_RETURNED: dict[str, Callable[[str, SelfScoreCounts], NamedCurve]] = {
    "risk-coverage": risk_coverage,
    "generalised-risk": generalised_risk,
}
"""Figure of returned answers -> the function that returns the data of a run or a system."""

_THRESHOLD = "threshold"
"""The figure of decisions at every threshold."""

_PAINTERS: dict[type, Callable[[Any, float], Figure]] = {
    RowsFigure: paint_rows,
    Curves: lambda data, width: paint_square(square_of(data), width),
    Reliabilities: paint_reliability,
}
"""Type of the data of a figure -> the function that draws it."""

MIN_WIDTH, MAX_WIDTH = 3, 20
"""Widths of figures in inches."""


class RunFigure:
    """Collects runs and systems while they are scored, then draws one of `FIGURES`.

    The collection has no UNKNOWN labels; the width is in inches. Raises `UsageError` if the figure
    is about questions and the collection has none.
    """

    def __init__(
        self,
        figure: str | None,
        collection: Collection,
        policies: Policies,
        width: float | None = None,
    ) -> None:
        self._figure = figure or BARS_FIGURE
        if not collection.standard.has_questions and self._figure in (
            BARS_FIGURE,
            *_OF_RETURNED,
            _THRESHOLD,
        ):
            raise UsageError(
                f"the figure {self._figure} is about questions, and pairs belong to none"
            )
        self._collection = collection
        self._policies = policies
        self._width = width or WIDTH
        self._data: list[NamedCurve | RunReliability] = []
        self._left_out: list[LeftOut] = []
        self._measure: Measure | None = None  # of systems, which select none of candidates
        self._sampler: IntervalSampler | None = None

    def take(self, run: Subject) -> Subject:
        """Collect the data of a run or a system, and return it unchanged."""
        assert isinstance(run, Run | QARun)
        if self._sampler is not None:
            self._sampler.take(with_policies(run, self._collection, self._policies))
        try:
            if self._figure != BARS_FIGURE:
                self._data.append(self._of(run))
        except (NotApplicable, NotCounted) as reason:
            self._left_out.append(LeftOut(run.name, str(reason)))
        return run

    def _of(self, run: Run | QARun) -> NamedCurve | RunReliability:
        """Return the data of a run; raises `NotApplicable` or `NotCounted` if it has none."""
        policies = self._policies
        if self._figure != _THRESHOLD:
            run = with_policies(run, self._collection, policies)
        collection = mentioned(run, self._collection)
        if isinstance(run, QARun):
            if self._figure == _THRESHOLD:
                raise NotCounted(SYSTEM)
            table = settled_table(policies.letters, policies.unknown)
            judged = JudgedSystem(run, collection, table, policies.ties)
            if self._figure in _OF_ANSWERS:
                return _OF_ANSWERS[self._figure](run.name, count_system_confidences(judged))
            return _OF_RETURNED[self._figure](run.name, count_system_self_scores(judged))
        if self._figure == _THRESHOLD:
            return over_threshold(run, collection)
        if self._figure in _OF_RETURNED:
            returned = count_self_scores(run, collection, policies.ties)
            return _OF_RETURNED[self._figure](run.name, returned)
        counts = count_confidences(run, collection, policies.ties)
        return _OF_ANSWERS[self._figure](run.name, counts)

    def measures(self, wanted: list[Measure]) -> list[Measure]:
        """Return the requested measures, those of bars, and those whose intervals are drawn."""
        if self._figure == BARS_FIGURE and not self._collection.standard.has_candidates:
            self._measure = wanted[0]
            if self._policies.intervals is None:
                with_intervals = self._policies._replace(intervals=IntervalPolicy())
                self._sampler = IntervalSampler(self._collection, with_intervals, wanted[:1])
            return wanted
        keys = {measure.key for measure in wanted}
        drawn = [*BARS] if self._figure == BARS_FIGURE else []
        if self._policies.intervals and self._figure in CURVES:
            drawn += filter(None, [CURVES[self._figure].measure])
        return [*wanted, *(MEASURES[key] for key in drawn if key not in keys)]

    def drawing(self, scores: Scores) -> Drawing:
        """Return the figure; raises `UsageError` if there is nothing to draw."""
        data = self._rows(scores) if self._figure == BARS_FIGURE else self.data(scores)
        notes = left_out_notes(data.left_out)
        if not (data.rows if isinstance(data, RowsFigure) else self._data):
            raise UsageError(f"nothing to draw in the figure {self._figure}. {' '.join(notes)}")
        return drawing_of(partial(_PAINTERS[type(data)], data, self._width), data.words, notes)

    def _rows(self, scores: Scores) -> RowsFigure:
        """Return bars of runs, or the first measure of judged systems with its intervals."""
        if self._measure is None:
            return bars(scores)
        if self._sampler is not None:
            rows = (row for row in scores.rows if row.kind.is_submitted)
            found = zip(rows, self._sampler.intervals(), strict=True)
            known = {row.run: intervals for row, (intervals, _) in found}
            scores = replace(
                scores,
                rows=[row._replace(intervals=known.get(row.run, {})) for row in scores.rows],
                policies=scores.policies._replace(intervals=IntervalPolicy()),
            )
        return dots(scores, self._measure)

    def data(self, scores: Scores) -> Curves | Reliabilities:
        """Return the collected data of a figure other than the bars; curves are best first.

        They are in the order of their areas or, if these do not compare runs, of the first measure
        of `scores` that does and that all of them have.
        """
        intervals = self._policies.intervals
        level = intervals.level if intervals else None
        if self._figure not in CURVES:
            diagrams = [data for data in self._data if isinstance(data, RunReliability)]
            kind = "mass" if self._figure == "reliability-mass" else "width"
            return Reliabilities(diagrams, self._left_out, kind, level)
        record = CURVES[self._figure]
        bounds = {
            row.run: row.intervals[record.measure].interval
            for row in scores.rows
            if record.measure in row.intervals
        }
        curves = [
            data._replace(interval=drawable(bounds.get(data.name)))
            for data in self._data
            if isinstance(data, NamedCurve)
        ]
        if record.is_of_returned:
            by = _by_scores(curves, scores)
        else:
            sign, by = -1 if record.higher_is_better else 1, record.area
            curves.sort(key=lambda curve: (sign * (curve.area or 0), curve.name))
        chance = None
        if self._figure == "precision-recall":
            labels = self._collection.labels
            right = labels.count(Label.VALIDATED)
            chance = Fraction(right, max(1, right + labels.count(Label.REJECTED)))
        shown = f"{level:g} %" if level and (bounds or not record.measure) else ""
        return Curves(self._figure, curves, chance, self._left_out, by, shown)


def _by_scores(curves: list[NamedCurve], scores: Scores) -> str:
    """Sort curves by the first measure that all their runs have, and return its title.

    Measures of the returned answers alone, such as the areas, do not count. Without another one the
    curves are sorted by name, and the title is "".
    """
    values = {row.run: row.values for row in reversed(scores.rows)}  # runs before baselines
    curves.sort(key=lambda curve: curve.name)
    for measure in scores.measures:
        if measure.family is not SELF_SCORE and all(
            values[curve.name][measure.key] is not None for curve in curves
        ):
            curves.sort(key=lambda curve: measure.sort_key(values[curve.name][measure.key]))
            return measure.title
    return ""


@takes(TableWords)
def plot(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    *,
    figure: str = FIGURES[0],
    policies: Policies | None = None,
    width: float = WIDTH,
    **words: Unpack[TableWords],
) -> Drawing:
    """Draw a figure of runs and QA systems.

    Parameters
    ----------
    collection, runs
        As `score` takes them; no responses to open questions.
    figure
        `bars` (QA accuracy and what could be gained by rejection; of logs and judged files, the
        first measure with its intervals), `roc`, `precision-recall`,
        `reliability`, `reliability-mass` (bins of equal mass), `risk-coverage`, `generalised-risk`
        or `threshold` (c@1 and accuracy at every threshold).
    policies
        How to count; by default `Policies()`. With intervals, bars and bins have whiskers, areas
        have theirs in brackets.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    width
        The width in inches, 3 to 20; 3.3 fits one column of a paper.

    Returns
    -------
    Drawing
        The figure; notebooks show it, `save` writes it. `notes` names the runs that are left out.

    Raises
    ------
    UsageError
        An argument has a wrong type; the figure does not exist, does not apply to the collection or
        to any run; matplotlib is not installed.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    check_figure(figure)
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        raise UsageError(f"width {width:g}: expected {MIN_WIDTH} to {MAX_WIDTH} inches")
    policies = settings_of(policies, Policies)
    inputs = Inputs(policies, entrants=checked(words, TableWords))
    gold, systems = inputs.gold(collection)
    policies = inputs.policies
    if isinstance(gold, OpenGold):
        raise UsageError(f"figures show runs and QA systems, not {gold.standard.submitted}")
    collected = RunFigure(figure, settle_unknown(gold, policies.unknown), policies, width)
    subjects = with_epochs(chain(systems, inputs.runs(runs, gold)), policies)
    default = table_measures(["systems"] if not gold.standard.scored else gold.standard.scored)
    usual = [MEASURES[key] for key in BARS] if gold.standard.has_candidates else default
    measures = collected.measures(wanted_measures(usual, gold))
    scores = score(gold, map(collected.take, subjects), policies=policies, measures=measures)
    return collected.drawing(scores)
