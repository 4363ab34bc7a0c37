"""`ave-score stability`: how often measures contradict themselves, or tie."""

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
    short_help="Study how often measures contradict themselves, or tie.",
)
def stability_command(options: StabilityOptions) -> int:
    """Say how often a measure orders two RUNs otherwise in another sample, and how often it ties.

    Every pair of RUNs is compared in random samples of the COLLECTION, drawn without replacement.
    Comparisons that contradict the majority of their pair are errors; differences that are smaller
    than the fuzziness, 1 % to 10 % of the larger score, are ties (Buckley and Voorhees, SIGIR
    2000). A table for each measure; csv and json have the curves. The rates of few runs are rough.

    Exit codes: 0 done, 1 a file has findings that forbid scoring, 2 could not run.
    """
    from ave_score.inference.stability import stability
    from ave_score.reports.studies import Stability, stability_report
    from ave_score.reports.style import style_for

    check_figure(options.plot, options.given("plot_width"))
    study, sampled = score_in_samples(options, samples=1)
    found = [Stability(one, stability(one.scores[0])) for one in sampled]
    with ExitStack() as open_files:
        if options.plot is not None:
            write_figure(options.plot, _figure(found, options.plot_width), open_files)
        report = stability_report(study, found, options.digits)
        text = render(report, options.format, style_for(options.output))
        open_files.enter_context(whole_file(options.output)).write(text)
    return 0


def _figure(found: Sequence[Stability], width: float | None) -> Callable[[], Sheet]:
    """Return what draws ties against errors, a curve a measure.

    Raises `UsageError` for more measures than can be told apart.
    """
    from ave_score.reports.plots.sheet import STROKES, WIDTH
    from ave_score.reports.plots.ties import TieCurve, TiePoint, draw_ties

    most = len(STROKES)
    if len(found) > most:
        raise UsageError(f"a figure has room for {most} measures, and there are {len(found)}")
    curves = [
        TieCurve(
            one.sampled.measure.title,
            [
                TiePoint(float(each.fuzziness), float(each.error_rate), float(each.ties))
                for each in one.curve
                if each.error_rate is not None and each.ties is not None
            ],
        )
        for one in found
    ]
    return partial(draw_ties, curves, width or WIDTH)
