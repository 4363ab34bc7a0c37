"""A sheet with square axes for curves, and their legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ave_score.reports.plots.sheet import (
    LEGEND_ROW,
    MARGIN,
    STROKES,
    TICK,
    Sheet,
    Stroke,
    Words,
    fitting,
    inches,
    new_sheet,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_LEFT, _BELOW = 0.5, 0.45
"""Space in inches for tick labels and axis labels."""

_WIDE = 5.0
"""The least width in inches with the legend beside the curves."""

_SIDE = 3.3
"""The maximum side of the axes in inches."""

_LONGEST = 3.0
"""The maximum width of names in a legend, in inches."""


def curve_sheet(
    words: Words, names: Sequence[str], ends: Sequence[str] | None, width: float
) -> tuple[Sheet, Axes]:
    """Return a sheet with a legend of curves, and square axes; `ends` follow the names."""
    is_wide = width >= _WIDE
    side = min(_SIDE, width * 0.52 if is_wide else width - _LEFT - 2 * MARGIN)
    ends = ends or [""] * len(names)
    start = _LEFT + side + 0.2 if is_wide else MARGIN
    room = width - start - 0.53 - max((inches(end, TICK) for end in ends), default=0) - MARGIN
    labels = fitting(names, min(room, _LONGEST), TICK)
    below = 0.0 if is_wide else len(names) * LEGEND_ROW + MARGIN
    sheet = new_sheet(width, side + _BELOW + below, words)
    axes = sheet.axes(_LEFT, _BELOW + below, side, side)
    samples = map(_sample, STROKES[: len(names)])
    entries = [
        (sample, label + end) for sample, label, end in zip(samples, labels, ends, strict=True)
    ]
    sheet.legend(entries, start, side + _BELOW if is_wide else below - MARGIN / 2)
    axes.grid(color="#E4E4E4", linewidth=0.5)
    axes.set_axisbelow(True)
    return sheet, axes


def _sample(stroke: Stroke) -> Artist:
    """Return the legend sample of a curve."""
    from matplotlib.lines import Line2D

    return Line2D(
        *([], []), color=stroke.colour, linestyle=stroke.dash, marker=stroke.marker, markersize=4.5
    )
