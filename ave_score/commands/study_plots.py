"""The figures of `ave-score compare` and `ave-score stability`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ave_score.errors import UsageError
from ave_score.inference.compared import Comparison
from ave_score.reports.plots.data import Difference, TieCurve, TiePoint
from ave_score.reports.plots.draw_bars import draw_differences
from ave_score.reports.plots.draw_curves import draw_ties
from ave_score.reports.plots.look import STROKES
from ave_score.reports.plots.saving import WIDTH
from ave_score.reports.plots.sheet import Sheet
from ave_score.reports.studies import Stability


def differences_of(
    comparison: Comparison, percent: float, width: float | None
) -> Callable[[], Sheet]:
    """Return what draws the differences of all pairs by one measure, with their intervals.

    Raises `UsageError` where no pair has one.
    """
    found = [
        Difference(f"{pair.run} - {pair.other}", float(pair.difference), *pair.interval)
        for pair in comparison.pairs
        if pair.difference is not None
    ]
    if not found:
        raise UsageError(f"nothing to draw: no two runs have {comparison.measure.title}")
    title = f"Differences of {comparison.measure.title}"
    return partial(draw_differences, title, found, percent, width or WIDTH)


def ties_of(found: Sequence[Stability], width: float | None) -> Callable[[], Sheet]:
    """Return what draws ties against errors, a curve a measure.

    Raises `UsageError` for more measures than can be told apart.
    """
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
