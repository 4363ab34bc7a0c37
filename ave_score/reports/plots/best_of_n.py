"""The accuracy of choices over the number of candidates, on a logarithmic axis."""

from __future__ import annotations

from functools import partial
from math import nan
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError
from ave_score.core.text import visible
from ave_score.reports.plots.curve_sheet import curve_sheet
from ave_score.reports.plots.drawing import Drawing
from ave_score.reports.plots.sheet import STROKES, WIDTH, Sheet, Words, number, words_of
from ave_score.tasks.best_of_n import BestOfN, Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BOUNDS = ("oracle", "random")
"""The choices that are drawn as grey lines."""

_MOST_LABELS, _CLOSE = 10, 1.5
"""Labels beside each other on the axis, and the least ratio of two values of n with labels."""


def best_of_n(found: BestOfN, width: float | None = None) -> Drawing:
    """Return the figure of curves; raises `UsageError` for more than there are line styles."""
    named = [curve for curve in found.curves if curve.choice not in _BOUNDS]
    if len(named) > len(STROKES):
        raise UsageError(f"a figure shows at most {len(STROKES)} curves, found {len(named)}")
    return Drawing(partial(_draw, found, width or WIDTH))


def best_of_n_words(found: BestOfN) -> Words:
    """Return the title, text and notes of the figure."""
    head = "A curve per choice: its accuracy over n, the number of candidates that are drawn."
    sentences = [_curve_words(found, curve) for curve in found.curves]
    notes = ["Grey lines: the oracle (pass@n, dashed) and a random choice (dotted)."]
    return words_of("Accuracy of the choice among n candidates", [head, *sentences], notes)


def _curve_words(found: BestOfN, curve: Curve) -> str:
    points = (
        f"n = {size}: {number(point.value)}"
        for size, point in zip(found.sizes, curve.points, strict=True)
    )
    return f"{visible(curve.name)}: {', '.join(points)}."


def _draw(found: BestOfN, width: float) -> Sheet:
    named = [curve for curve in found.curves if curve.choice not in _BOUNDS]
    names = [curve.name for curve in named]
    sheet, axes = curve_sheet(best_of_n_words(found), names, None, width)
    for curve in found.curves:
        if curve.choice in _BOUNDS:
            dash = (0, (5, 2)) if curve.choice == "oracle" else (0, (1, 2))
            axes.plot(found.sizes, _values(curve), color="#777777", linewidth=0.8, linestyle=dash)
    for curve, stroke in zip(named, STROKES, strict=False):
        axes.plot(
            *(found.sizes, _values(curve)),
            color=stroke.colour,
            linestyle=stroke.dash,
            marker=stroke.marker,
            markersize=3.5,
            clip_on=False,
        )
    _frame(found, axes)
    return sheet


def _values(curve: Curve) -> list[float]:
    """Return the values over n; NaN, which interrupts the line, where there is none."""
    return [nan if point.value is None else float(point.value) for point in curve.points]


def _frame(found: BestOfN, axes: Axes) -> None:
    """Set the limits and labels of the axes."""
    values = [point.value or 0 for curve in found.curves for point in curve.points]
    highest, last = float(max(values)), len(found.sizes) - 1
    step = 1 if len(found.sizes) <= _MOST_LABELS else 2
    labels = ["" if (last - at) % step else str(size) for at, size in enumerate(found.sizes)]
    if last and found.sizes[-1] < _CLOSE * found.sizes[-2]:
        labels[-2] = ""
    axes.set_xscale("log", base=2)
    axes.set_xlim(1, max(2, found.sizes[-1]))
    axes.set_xticks(found.sizes, labels)
    axes.minorticks_off()
    axes.set_ylim(0, min(1.0, max(0.1, highest * 1.05)))
    axes.set_xlabel("n: candidates drawn")
    axes.set_ylabel("Accuracy")
