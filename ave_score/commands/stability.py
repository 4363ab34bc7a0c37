"""`ave-score stability`: error rate and proportion of ties of measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from ave_score.commands.options import PLOT, PLOT_WIDTH, command
from ave_score.commands.output_files import check_figure, whole_file, write_figure
from ave_score.commands.study import StudyOptions, score_in_samples
from ave_score.errors import UsageError
from ave_score.reports.formats import render

if TYPE_CHECKING:
    from ave_score.reports.plots.sheet import Sheet
    from ave_score.reports.studies import Stability


class StabilityOptions(StudyOptions):
    """The arguments and options of one call."""

    plot: str | None = PLOT
    plot_width: float | None = PLOT_WIDTH


@command(
    "stability",
    StabilityOptions,
)
def stability_command(options: StabilityOptions) -> int:
    """Estimate how often a measure ranks two RUNs differently in another sample, and ties them.

    Compares every pair of RUNs in random samples of the COLLECTION, drawn without replacement.
    Comparisons that contradict the majority for their pair are errors; differences smaller than the
    fuzziness value, 1 % to 10 % of the larger score, are ties (Buckley and Voorhees, SIGIR 2000).
    Shows a table per measure; csv and json contain the curves. With few runs, rates are imprecise.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.inference.stability import stability
    from ave_score.reports.studies import Stability, stability_report
    from ave_score.reports.style import style_for

    check_figure(options.plot, options.given("plot_width"))
    study, sampled = score_in_samples(options, samples=1)
    studied = [Stability(sample, stability(sample.scores[0])) for sample in sampled]
    with ExitStack() as open_files:
        if options.plot is not None:
            write_figure(options.plot, _figure(studied, options.plot_width), open_files)
        report = stability_report(study, studied, options.digits)
        text = render(report, options.format, style_for(options.output))
        open_files.enter_context(whole_file(options.output)).write(text)
    return 0


def _figure(studied: Sequence[Stability], width: float | None) -> Callable[[], Sheet]:
    """Return a function that draws ties against errors, one curve per measure.

    Raises `UsageError` for more measures than there are line styles.
    """
    from ave_score.reports.plots.sheet import STROKES, WIDTH
    from ave_score.reports.plots.ties import TieCurve, TiePoint, draw_ties

    most = len(STROKES)
    if len(studied) > most:
        raise UsageError(f"a figure shows at most {most} measures, found {len(studied)}")
    curves = [
        TieCurve(
            measure.sampled.measure.title,
            [
                TiePoint(float(point.fuzziness), float(point.error_rate), float(point.ties))
                for point in measure.curve
                if point.error_rate is not None and point.ties is not None
            ],
        )
        for measure in studied
    ]
    return partial(draw_ties, curves, width or WIDTH)
