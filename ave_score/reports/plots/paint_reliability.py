"""Reliability diagrams painted by matplotlib: accuracy over confidence, a panel per run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ave_score.reports.plots.figure import DIAGONAL
from ave_score.reports.plots.paint import (
    GUIDE,
    LABELS,
    MARGIN,
    POINTS,
    RUN_FILL,
    SMALL,
    TICK,
    fitting,
    inches,
    line_through,
    sheet,
)
from ave_score.reports.plots.reliability import whisker
from ave_score.reports.report import figure_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure

    from ave_score.reports.plots.reliability import Bin, Reliabilities, RunReliability

_PANEL, _LARGEST, _GAP = 1.05, 2.7, 0.14
"""The least and the largest width of a panel, and space between panels, in inches."""

_STRIP, _HEAD = 0.41, 0.3
"""The height of the numbers of answers, and of what is above a panel, in inches."""

_THINNEST = 0.005
"""The least width of a bar, for bins with a single confidence."""

_NUMBER = 5.0
"""The size of the numbers in points."""


def paint_reliability(data: Reliabilities, width: float) -> Figure:
    """Draw accuracy over confidence and numbers of answers, a panel per run."""
    runs, room = len(data.runs), width - 0.5 - 2 * MARGIN
    columns = max(1, min(runs, int((room + _GAP) // (_PANEL + _GAP))))
    rows = -(-runs // columns)
    columns = -(-runs // rows)  # as even as possible
    side = min(_LARGEST, (room + _GAP) / columns - _GAP)
    heights = [side, _STRIP] * rows
    body = rows * (side + _STRIP + _HEAD + _GAP) + LABELS
    figure = sheet(data.words, width, body)
    panels = figure.subplots(2 * rows, columns, squeeze=False, height_ratios=heights)
    for unused in panels[-2:, (runs - 1) % columns + 1 :].flat:
        unused.remove()
    names = fitting([diagram.run for diagram in data.runs], side)
    for at, (name, diagram) in enumerate(zip(names, data.runs, strict=True)):
        row, column = divmod(at, columns)
        axes, strip = panels[2 * row : 2 * row + 2, column]
        _panel(axes, diagram, data.level)
        _strip(strip, diagram, side)
        axes.set_title(f"{name}\nECE {figure_text(diagram.error)}", fontsize=TICK, pad=3)
        if column == 0:
            axes.set_ylabel("Share correct")
            strip.set_ylabel("Answers", fontsize=SMALL)
        else:
            axes.set_yticklabels([])
        if at + columns >= runs:
            strip.set_xlabel("Confidence")
        else:
            strip.set_xticklabels([])
    return figure


def _panel(axes: Axes, diagram: RunReliability, level: float | None) -> None:
    """Draw the share of correct answers of each bin with its interval, and the diagonal."""
    line_through(axes, DIAGONAL, dash=(1, 2), color=GUIDE, linewidth=0.8)
    bins = [bin_ for bin_ in diagram.bins if bin_.answers]
    shares, means = ([float(bin_[at] or 0) for bin_ in bins] for at in (4, 3))
    _bars(axes, bins, shares, color=RUN_FILL, alpha=0.45, linewidth=0.5)
    axes.plot(means, shares, "o-", color="black", markersize=3, linewidth=0.8, clip_on=False)
    if level is not None:
        ends = [whisker(bin_, level) for bin_ in bins]
        axes.vlines(means, *zip(*ends, strict=True), color=GUIDE, linewidth=1.2, zorder=1.9)
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1], xticklabels=[])


def _bars(
    axes: Axes, bins: Sequence[Bin], heights: Sequence[float], **style: object
) -> BarContainer:
    """Draw a bar for each bin."""
    lows = [float(bin_.low) for bin_ in bins]
    widths = [max(float(bin_.high) - low, _THINNEST) for bin_, low in zip(bins, lows, strict=True)]
    shape: dict[str, Any] = {"align": "edge", "edgecolor": "black", **style}
    return axes.bar(lows, heights, widths, **shape)


def _strip(axes: Axes, diagram: RunReliability, width: float) -> None:
    """Draw the number of answers of each bin, with rotated digits if the bars are narrow."""
    bins, line = diagram.bins, _NUMBER / POINTS
    most = max(bin_.answers for bin_ in bins)
    longest = inches(f"{most}", _NUMBER)
    is_upright = longest > 0.95 * width / len(bins)
    wide, high = (line, longest) if is_upright else (longest, line)
    shown = _bars(axes, bins, [bin_.answers for bin_ in bins], color="#CCCCCC", linewidth=0.4)
    has_room = (bin_.answers and float(bin_.high - bin_.low) * width > wide for bin_ in bins)
    texts = [f"{bin_.answers}" if fits else "" for bin_, fits in zip(bins, has_room, strict=True)]
    axes.bar_label(shown, texts, padding=1, fontsize=_NUMBER, rotation=90 * is_upright)
    axes.set(xlim=(0, 1), ylim=(0, most / max(0.2, 1 - (high + 0.03) / _STRIP)), yticks=[])
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
