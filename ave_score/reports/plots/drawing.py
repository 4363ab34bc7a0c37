"""Figures of results, shown in notebooks or written to files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies, settle_unknown
from ave_score.core.writing import whole_file
from ave_score.measures import parse_measures
from ave_score.reports.plots import FIGURES
from ave_score.reports.plots.bars import INTERVAL_OF, Difference, draw_differences
from ave_score.reports.plots.run_figure import RunFigure
from ave_score.reports.plots.sheet import STROKES, WIDTH, Sheet, drawn, looks, plot_format
from ave_score.reports.plots.ties import TieCurve, TiePoint, draw_ties
from ave_score.reports.report import MOST_PAIRS
from ave_score.tasks.inputs import GoldGiven, Inputs, Path, SubjectsGiven, settings_of
from ave_score.tasks.score import score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ave_score.tasks.compare import Compared
    from ave_score.tasks.stability import StabilityStudy

MIN_WIDTH, MAX_WIDTH = 3, 20
"""Widths of figures in inches."""


class Drawing:
    """A figure: notebooks show it, `save` writes it.

    Parameters
    ----------
    draw
        Draws the figure.
    notes
        Notes on the runs that are left out.
    """

    def __init__(self, draw: Callable[[], Sheet], notes: Sequence[str] = ()) -> None:
        self.draw = draw
        self.notes = notes

    def __repr__(self) -> str:
        return f"<Drawing: {self._sheet.words.title}>"

    def _repr_svg_(self) -> str:
        return drawn(self.draw, "svg").decode()

    @cached_property
    def _sheet(self) -> Sheet:
        plot_format(".png")
        with looks("png"):
            return self.draw()

    @property
    def figure(self) -> Figure:
        """The figure of matplotlib, to change or to save it otherwise."""
        return self._sheet.figure

    def save(self, path: Path) -> None:
        """Write the figure to a file; the same figure gives the same bytes.

        Parameters
        ----------
        path
            A file that ends in .svg, .png or .pdf; one that exists is replaced.

        Raises
        ------
        UsageError
            Another suffix; matplotlib is not installed.
        InputError
            The file cannot be written.
        """
        name = os.fspath(path)
        suffix = plot_format(name)
        with whole_file(name) as out:
            out.buffer.write(drawn(self.draw, suffix))


def differences(compared: Compared, width: float | None = None) -> Drawing:
    """Return the differences of the best pairs by the first measure, with their intervals.

    Raises `UsageError` if no pair has a difference.
    """
    comparison = compared.comparisons[0]
    found = [
        Difference(
            f"{pair.run} - {pair.other}",
            float(pair.difference),
            *pair.interval,
            pair.is_significant,
        )
        for pair in comparison.best_pairs(MOST_PAIRS)
        if pair.difference is not None
    ]
    title = comparison.measure.title
    if not found:
        raise UsageError(f"nothing to draw: no two runs have a value of {title}")
    alpha, head = comparison.design.alpha, f"Differences of {title}"
    if not comparison.design.procedure.is_of_measure:
        head += f", tested by {comparison.basis}"
    return Drawing(partial(draw_differences, head, found, alpha, width or WIDTH))


def ties(study: StabilityStudy, width: float | None = None) -> Drawing:
    """Return the ties over the error rates, one curve per measure.

    Raises `UsageError` for more measures than there are line styles.
    """
    most = len(STROKES)
    if len(study.measures) > most:
        raise UsageError(f"a figure shows at most {most} measures, found {len(study.measures)}")
    curves = [
        TieCurve(
            measure.sampled.measure.title,
            [
                TiePoint(float(point.fuzziness), float(point.error_rate), float(point.ties))
                for point in measure.curve
                if point.error_rate is not None and point.ties is not None
            ],
        )
        for measure in study.measures
    ]
    return Drawing(partial(draw_ties, curves, width or WIDTH))


def plot(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    *,
    figure: str = FIGURES[0],
    policies: Policies | None = None,
    width: float = WIDTH,
) -> Drawing:
    """Draw a figure of runs and QA systems.

    Parameters
    ----------
    collection, runs
        As `score` takes them; no responses to open questions.
    figure
        `bars` (QA accuracy and what could be gained by rejection), `roc`, `precision-recall`,
        `reliability`, `reliability-mass` (bins of equal mass), `risk-coverage`, `generalised-risk`
        or `threshold` (c@1 and accuracy at every threshold).
    policies
        How to count; by default `Policies()`. With intervals, bars have whiskers.
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
    if figure not in FIGURES:
        raise UsageError(f"no figure {figure!r}, only {', '.join(FIGURES)}")
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        raise UsageError(f"width {width:g}: expected {MIN_WIDTH} to {MAX_WIDTH} inches")
    policies = settings_of(policies, Policies)
    inputs = Inputs(policies)
    gold, systems = inputs.gold(collection)
    if isinstance(gold, OpenGold):
        raise UsageError("figures show runs and QA systems, not responses to open questions")
    collected = RunFigure(figure, settle_unknown(gold, policies.unknown), policies, width)
    subjects = chain(systems, inputs.runs(runs, gold))
    measures = collected.measures(parse_measures(INTERVAL_OF))
    scores = score(gold, map(collected.take, subjects), policies=policies, measures=measures)
    return Drawing(*collected.drawing(scores))
