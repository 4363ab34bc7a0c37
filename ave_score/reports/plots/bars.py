"""Figures with a row for each run: bars with baselines, and differences with intervals.

The bars are those of figures A.1-A.5 of the thesis (Rodrigo, PhD thesis, UNED 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, isnan
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.text import visible
from ave_score.counts import ANSWERING, SELECTION, SelectionCounts
from ave_score.counts.counted import NO_CANDIDATES, Kind
from ave_score.measures.registry import BARS
from ave_score.measures.selection import qa_accuracy, qa_rej_accuracy
from ave_score.reports.plots.sheet import (
    DIGITS,
    HATCH,
    HATCH_COLOUR,
    LEGEND_ROW,
    MARGIN,
    RUN_FILL,
    SMALL,
    SYSTEM_FILL,
    TICK,
    Dash,
    LeftOut,
    Sheet,
    Words,
    fitting,
    inches,
    left_out_notes,
    new_sheet,
    number,
    words_of,
)
from ave_score.tasks.score import NOT_OF_KIND, Row, Scores

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


class Bar(NamedTuple):
    """The qa_accuracy of a run or a QA system, its interval, and its potential.

    `potential` is qa_rej_accuracy: the gain if every rightly rejected question is then answered.
    """

    run: str
    is_system: bool
    accuracy: Fraction
    potential: Fraction
    interval: tuple[float, float] | None = None


class Bars(NamedTuple):
    """Bars, best first, with the baselines if the collection has them.

    `level` is the confidence level of the intervals in per cent, None without intervals.
    """

    bars: Sequence[Bar]
    perfect: Fraction | None = None
    random: Fraction | None = None
    level: float | None = None
    left_out: Sequence[LeftOut] = ()


class Difference(NamedTuple):
    """A difference of two runs, or of a run and a baseline.

    `low` and `high` are the ends of its interval, NaN if the test gives none.
    """

    name: str
    difference: float
    low: float
    high: float
    is_significant: bool


INTERVAL_OF = BARS[0]
"""The measure whose intervals are drawn as whiskers."""

_NO_QUESTIONS = "there is no question"


def bars(scores: Scores) -> Bars:
    """Return a bar for each run and QA system, by descending qa_accuracy, then kind and name.

    A bar has an interval if `scores` have an interval of qa_accuracy. Rows without selection counts
    are left out.
    """
    shown: list[Bar] = []
    left_out: list[LeftOut] = []
    baselines: dict[str, Bar] = {}
    for row in scores.rows:
        bar = _bar_of(row)
        if row.kind is Kind.BASELINE:
            if isinstance(bar, Bar):
                baselines[row.run] = bar
        elif isinstance(bar, Bar):
            shown.append(bar)
        else:
            left_out.append(bar)
    shown.sort(key=lambda drawn: (-drawn.accuracy, drawn.is_system, drawn.run))
    perfect, random = baselines.get("Perfect selection"), baselines.get("Random")
    policy = scores.policies.intervals
    has_intervals = any(bar.interval for bar in shown)
    return Bars(
        shown,
        None if perfect is None else perfect.accuracy,
        None if random is None else random.accuracy,
        policy.level if policy and has_intervals else None,
        left_out,
    )


def _bar_of(row: Row) -> Bar | LeftOut:
    counts = row.counts.get(SELECTION)
    if not isinstance(counts, SelectionCounts):
        reason = NO_CANDIDATES if ANSWERING in row.counts else NOT_OF_KIND
        return LeftOut(row.run, reason)
    accuracy, potential = qa_accuracy(counts), qa_rej_accuracy(counts)
    if accuracy is None or potential is None:
        return LeftOut(row.run, _NO_QUESTIONS)
    ends = row.intervals.get(INTERVAL_OF)
    interval = None if ends is None or isnan(ends[0]) else (ends[0], ends[1])
    return Bar(row.run, row.kind is Kind.QA, accuracy, potential, interval)


def bars_words(data: Bars) -> Words:
    """Return the title, text and notes of the bars."""
    lines = (("Perfect selection", data.perfect), ("Random", data.random))
    sentences = [f"{rank}. {_bar_words(bar)}." for rank, bar in enumerate(data.bars, 1)]
    sentences += [f"{name}: {number(value)}." for name, value in lines if value is not None]
    head = "Horizontal bars, best first: QA accuracy, followed by the potential by rejection."
    notes = []
    if data.level is not None:
        notes.append(f"Whiskers: intervals of {data.level:g} % of the QA accuracy.")
    notes += left_out_notes(data.left_out)
    return words_of("QA accuracy and potential by rejection", [head, *sentences], notes)


def _bar_words(bar: Bar) -> str:
    kind = " (QA system)" if bar.is_system else ""
    between = ""
    if bar.interval is not None:
        between = f" [{bar.interval[0]:.{DIGITS}f}, {bar.interval[1]:.{DIGITS}f}]"
    potential = f", potential by rejection {number(bar.potential)}" if bar.potential else ""
    return f"{visible(bar.run)}{kind}: QA accuracy {number(bar.accuracy)}{between}{potential}"


def differences_words(title: str, differences: Sequence[Difference], alpha: float) -> Words:
    """Return the title, text and notes of the differences; `alpha` is the significance level."""
    sentences = [
        f"{visible(row.name)}: {row.difference:+.3f}{_ends(row)}"
        f"{', significant' if row.is_significant else ''}."
        for row in differences
    ]
    notes = [f"Filled: significant, corrected p up to {alpha:g}; hollow: not."]
    return words_of(title, ["Differences with intervals.", *sentences], notes)


def _ends(row: Difference) -> str:
    return "" if isnan(row.low) else f" [{row.low:+.3f}, {row.high:+.3f}]"


_AXIS = 0.42
"""Height in inches of the tick labels and the label of the x axis."""

_MANY = 15
"""Rows are set closer if there are more."""

_NAMES = 0.36
"""The maximum share of the width used for names; the width counts up to 7 inches."""


def draw_bars(data: Bars, width: float) -> Sheet:
    """Draw a bar for each run and QA system, in a figure `width` inches wide."""
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
    for y, bar in enumerate(data.bars):
        _bar(axes, y, bar, size)
    for value, dash in ((data.perfect, "--"), (data.random, ":")):
        if value is not None:
            axes.axvline(float(value), color="black", linestyle=dash, linewidth=1.2)
    axes.set_xlim(0, _end(data))
    axes.set_xlabel("QA accuracy")
    sheet.legend(entries, MARGIN, below - MARGIN / 2, columns, sample=2.2)
    return sheet


def _bar(axes: Axes, y: int, bar: Bar, size: float) -> None:
    """Draw a bar, its potential, its interval, and its value at the right end of the axes."""
    fill = SYSTEM_FILL if bar.is_system else RUN_FILL
    axes.barh(y, float(bar.accuracy), 0.74, color=fill, edgecolor="black", linewidth=0.5)
    axes.barh(
        *(y, float(bar.potential), 0.74, float(bar.accuracy)),
        facecolor="white",
        edgecolor=HATCH_COLOUR,
        hatch=HATCH,
        linewidth=0.5 if bar.potential else 0,
    )
    if bar.interval is not None:
        _whisker(axes, y, *bar.interval)
    axes.annotate(
        *(number(bar.accuracy), (1, y)),
        xycoords=("axes fraction", "data"),
        xytext=(3, 0),
        textcoords="offset points",
        va="center",
        fontsize=size,
        annotation_clip=False,
    )


def draw_differences(
    title: str, differences: Sequence[Difference], alpha: float, width: float
) -> Sheet:
    """Draw each difference with its interval, in the given order, and a line at zero.

    `alpha` is the significance level, in 0..1.
    """
    size, row = _row(len(differences))
    names = fitting([item.name for item in differences], _room(width), size)
    left = max((inches(name, size) for name in names), default=0) + MARGIN + 0.1
    height = row * len(differences) + 0.1
    words = differences_words(title, differences, alpha)
    sheet = new_sheet(width, height + _AXIS, words)
    axes = sheet.axes(left, _AXIS, width - left - 2 * MARGIN, height)
    _rows(axes, names, size)
    for y, item in enumerate(differences):
        colour = "black" if item.is_significant else "#666666"
        axes.plot([item.low, item.high], [y, y], color=colour, linewidth=1.3)
        axes.plot([item.low, item.high], [y, y], "|", color=colour, markersize=5)
        face = colour if item.is_significant else "white"
        axes.plot([item.difference], [y], "o", color=colour, markersize=4.5, mfc=face)
    axes.axvline(0, color="black", linewidth=0.8, linestyle="--", zorder=0)
    axes.set_xlabel("Difference")
    return sheet


def _room(width: float) -> float:
    """Return the maximum width of names in inches."""
    return _NAMES * min(width, 7)


def _row(rows: int) -> tuple[float, float]:
    """Return the text size in points and the row height in inches."""
    return (TICK, 0.2) if rows <= _MANY else (SMALL, 0.14)


def _rows(axes: Axes, names: Sequence[str], size: float) -> None:
    """Label the rows, the first at the top."""
    axes.set_yticks(range(len(names)), names, fontsize=size)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.5)
    axes.set_axisbelow(True)


def _whisker(axes: Axes, y: int, low: float, high: float) -> None:
    """Draw an interval that is visible on light and dark backgrounds."""
    from matplotlib.patheffects import Normal, withStroke

    halo = [withStroke(linewidth=2.6, foreground="white"), Normal()]
    for marker in ("-", "|"):
        axes.plot(
            *([low, high], [y, y], marker),
            color="black",
            linewidth=1,
            markersize=5,
            path_effects=halo,
            zorder=4,
        )


def _end(data: Bars) -> float:
    """Return the end of the x axis: the next tenth above all values, at most 1."""
    ends = [float(bar.accuracy + bar.potential) for bar in data.bars]
    ends += [bar.interval[1] for bar in data.bars if bar.interval is not None]
    ends += [float(value) for value in (data.perfect, data.random) if value is not None]
    return min(1.0, ceil(10 * max(ends, default=1) + 0.1) / 10)


def _legend(data: Bars) -> list[tuple[Artist, str]]:
    """Return the entries of the legend."""
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
