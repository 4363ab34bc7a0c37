"""Drawing of what has a row a run: bars with their baselines, and differences with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from ave_score.reports.plots.data import Bar, Bars, Difference
from ave_score.reports.plots.look import (
    HATCH,
    HATCH_COLOUR,
    RUN_FILL,
    SMALL,
    SYSTEM_FILL,
    TICK,
    Dash,
)
from ave_score.reports.plots.sheet import LEGEND_ROW, MARGIN, Sheet, fitting, inches, new_sheet
from ave_score.reports.plots.words import bars_words, differences_words, number

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_AXIS = 0.42
"""Room in inches for the figures and the name of the x axis."""

_MANY = 15
"""From so many rows on they are set closer."""

_NAMES = 0.36
"""What share of the width names have at most, of pages that are not very wide."""


def draw_bars(data: Bars, width: float) -> Sheet:
    """Draw a bar a run and QA system, `width` inches wide."""
    size, row = _row(len(data.bars))
    names = fitting([bar.run for bar in data.bars], _room(width), size)
    left = max((inches(name, size) for name in names), default=0) + MARGIN + 0.1
    figures = inches("0.00", size) + 0.06
    entries = _legend(data)
    columns = 2 if width < 5 else 3
    below = -(-len(entries) // columns) * LEGEND_ROW + MARGIN
    height = row * len(data.bars) + 0.1
    sheet = new_sheet(width, height + _AXIS + below, bars_words(data))
    room = width - left - figures - MARGIN
    axes = sheet.axes(left, _AXIS + below, room, height)
    _rows(axes, names, size)
    for place, bar in enumerate(data.bars):
        _bar(axes, place, bar, size)
    for value, dash in ((data.perfect, "--"), (data.random, ":")):
        if value is not None:
            axes.axvline(float(value), color="black", linestyle=dash, linewidth=1.2)
    axes.set_xlim(0, _end(data))
    axes.set_xlabel("QA accuracy")
    sheet.legend(entries, MARGIN, below - MARGIN / 2, columns, sample=2.2)
    return sheet


def _bar(axes: Axes, place: int, bar: Bar, size: float) -> None:
    """Draw a bar, what could be behind it, and its figure at the right end of the axes."""
    fill = SYSTEM_FILL if bar.is_system else RUN_FILL
    axes.barh(place, float(bar.accuracy), 0.74, color=fill, edgecolor="black", linewidth=0.5)
    axes.barh(
        *(place, float(bar.potential), 0.74, float(bar.accuracy)),
        facecolor="white",
        edgecolor=HATCH_COLOUR,
        hatch=HATCH,
        linewidth=0.5 if bar.potential else 0,
    )
    if bar.interval is not None:
        _whisker(axes, place, *bar.interval)
    axes.annotate(
        *(number(bar.accuracy), (1, place)),
        xycoords=("axes fraction", "data"),
        xytext=(3, 0),
        textcoords="offset points",
        va="center",
        fontsize=size,
        annotation_clip=False,
    )


def draw_differences(
    title: str, differences: Sequence[Difference], level: float, width: float
) -> Sheet:
    """Draw a row a difference with its interval, in the order given, and a line at zero.

    `level` is that of the intervals in per cent; `title` says of what they are.
    """
    size, row = _row(len(differences))
    names = fitting([one.name for one in differences], _room(width), size)
    left = max((inches(name, size) for name in names), default=0) + MARGIN + 0.1
    height = row * len(differences) + 0.1
    words = differences_words(title, differences, level)
    sheet = new_sheet(width, height + _AXIS, words)
    axes = sheet.axes(left, _AXIS, width - left - 2 * MARGIN, height)
    _rows(axes, names, size)
    for place, one in enumerate(differences):
        colour = "black" if one.is_clear else "#666666"
        axes.plot([one.low, one.high], [place, place], color=colour, linewidth=1.3)
        axes.plot([one.low, one.high], [place, place], "|", color=colour, markersize=5)
        face = colour if one.is_clear else "white"
        axes.plot([one.difference], [place], "o", color=colour, markersize=4.5, mfc=face)
    axes.axvline(0, color="black", linewidth=0.8, linestyle="--", zorder=0)
    axes.set_xlabel("Difference")
    return sheet


def _room(width: float) -> float:
    """Return how wide names may be, in inches."""
    return _NAMES * min(width, 7)


def _row(rows: int) -> tuple[float, float]:
    """Return the size of text in points, and the height of a row in inches."""
    return (TICK, 0.2) if rows <= _MANY else (SMALL, 0.14)


def _rows(axes: Axes, names: Sequence[str], size: float) -> None:
    """Name the rows, the first one above."""
    axes.set_yticks(range(len(names)), names, fontsize=size)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.5)
    axes.set_axisbelow(True)


def _whisker(axes: Axes, place: int, low: float, high: float) -> None:
    """Draw an interval that is seen before light and dark."""
    from matplotlib.patheffects import Normal, withStroke

    halo = [withStroke(linewidth=2.6, foreground="white"), Normal()]
    for marker in ("-", "|"):
        axes.plot(
            *([low, high], [place, place], marker),
            color="black",
            linewidth=1,
            markersize=5,
            path_effects=halo,
            zorder=4,
        )


def _end(data: Bars) -> float:
    """Return where the x axis ends: at the next tenth above everything."""
    ends = [float(bar.accuracy + bar.potential) for bar in data.bars]
    ends += [bar.interval[1] for bar in data.bars if bar.interval is not None]
    ends += [float(value) for value in (data.perfect, data.random) if value is not None]
    return min(1.0, ceil(10 * max(ends, default=1) + 0.1) / 10)


def _legend(data: Bars) -> list[tuple[Artist, str]]:
    """Return what there is to explain."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    kinds = {bar.is_system for bar in data.bars}
    entries: list[tuple[Artist, str]] = []
    for is_system, fill, name in ((False, RUN_FILL, "AV run"), (True, SYSTEM_FILL, "QA system")):
        if is_system in kinds:
            entries.append((Patch(facecolor=fill, edgecolor="black", linewidth=0.5), name))
    potential = Patch(facecolor="white", edgecolor=HATCH_COLOUR, hatch=HATCH, linewidth=0.5)
    entries.append((potential, "Potential by rejection"))
    dashes: tuple[Dash, Dash] = ("--", ":")
    lines = (("Perfect selection", data.perfect), ("Random", data.random))
    for (name, value), dash in zip(lines, dashes, strict=True):
        if value is not None:
            line = Line2D([], [], color="black", linestyle=dash, linewidth=1.2)
            entries.append((line, f"{name} ({number(value)})"))
    return entries
