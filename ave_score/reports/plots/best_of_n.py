"""The accuracy of choices over the number of candidates, on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import isnan

from ave_score.core.drawing import Drawing
from ave_score.core.errors import UsageError
from ave_score.core.text import visible
from ave_score.inference.best_of_n import Curve
from ave_score.reports.plots.figure import (
    STROKES,
    WIDTH,
    CurvePoint,
    Guide,
    NamedCurve,
    Square,
    Words,
    words_of,
)
from ave_score.reports.plots.paint import paint_square
from ave_score.reports.plots.painted import drawing_of
from ave_score.reports.report import figure_text
from ave_score.tasks.best_of_n import BestOfN

_BOUNDS = {"oracle": (5, 2), "random": (1, 3)}
"""The choices that are drawn as grey lines, with their dashes."""

_MOST_LABELS, _CLOSE = 10, 1.5
"""Labels beside each other on the axis, and the least ratio of two values of n with labels."""


def best_of_n(result: BestOfN, width: float | None = None) -> Drawing:
    """Return the figure of curves; raises `UsageError` for more than there are line styles."""
    drawn = [curve for curve in result.curves if _points(curve)]
    named = [curve for curve in drawn if curve.choice not in _BOUNDS]
    if len(named) > len(STROKES):
        raise UsageError(f"a figure shows at most {len(STROKES)} curves, found {len(named)}")
    values = [float(point.value or 0) for curve in result.curves for point in curve.points]
    highest = max([*values, *(high for curve in named for _, _, high in _band(curve))])
    words = best_of_n_words(result)
    data = Square(
        words,
        "n: candidates drawn",
        "Accuracy",
        [NamedCurve(curve.name, _points(curve), band=_band(curve)) for curve in named],
        [
            Guide(_points(curve), _BOUNDS[curve.choice])
            for curve in drawn
            if curve.choice in _BOUNDS
        ],
        xs=(1, max(2, result.sizes[-1])),
        ys=(0, min(1.0, max(0.1, highest * 1.05))),
        ticks=_ticks(result.sizes),
    )
    return drawing_of(partial(paint_square, data, width or WIDTH), words)


def best_of_n_words(result: BestOfN) -> Words:
    """Return the title, text and notes of the figure."""
    head = "A curve per choice: its accuracy over n, the number of candidates that are drawn."
    sentences = [_curve_words(curve) for curve in result.curves]
    note = "Grey lines: the oracle (pass@n, dashed) and a random choice (dotted)."
    if result.intervals is not None:
        note += f" Bands: {result.intervals.level:g} % intervals."
    return words_of("Accuracy of the choice among n candidates", [head, *sentences], [note])


def _curve_words(curve: Curve) -> str:
    points = (f"n = {point.n}: {figure_text(point.value)}" for point in curve.points)
    return f"{visible(curve.name)}: {', '.join(points)}."


def _points(curve: Curve) -> list[CurvePoint]:
    """Return the values over n, where there are any."""
    return [(Fraction(point.n), point.value) for point in curve.points if point.value is not None]


def _band(curve: Curve) -> list[tuple[float, float, float]]:
    """Return the intervals over n, where there are any."""
    return [
        (point.n, *point.interval.interval)
        for point in curve.points
        if point.interval is not None and not isnan(point.interval.low)
    ]


def _ticks(sizes: Sequence[int]) -> list[tuple[int, str]]:
    """Return the values of n with their labels, which are "" where there is no room."""
    last = len(sizes) - 1
    step = 1 if len(sizes) <= _MOST_LABELS else 2
    labels = ["" if (last - at) % step else str(size) for at, size in enumerate(sizes)]
    if last and sizes[-1] < _CLOSE * sizes[-2]:
        labels[-2] = ""
    return [*zip(sizes, labels, strict=True)]
