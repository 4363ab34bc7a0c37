"""Drawing of curves: a run or a measure each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ave_score.reports.plots.data import Curve, Curves, Place, TieCurve
from ave_score.reports.plots.look import FAINT, STROKES, TICK, Stroke
from ave_score.reports.plots.sheet import LEGEND_ROW, MARGIN, Sheet, fitting, inches, new_sheet
from ave_score.reports.plots.words import CURVES, Words, curves_words, number, ties_words

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_LEFT, _BELOW = 0.5, 0.45
"""Room in inches for the figures and names of the axes."""

_WIDE = 5.0
"""From this width on, the legend stands beside the curves."""

_SIDE = 3.3
"""The longest side of the axes, in inches."""

_LONGEST = 3.0
"""How wide the names in a legend may be, in inches."""

_MARKS = 0.2
"""How far apart the marks of a curve stand, as a share of the diagonal."""


def draw_curves(data: Curves, width: float) -> Sheet:
    """Draw a curve a run, `width` inches wide; of very many only the best are told apart."""
    words = curves_words(data)
    told, faint = data.curves[: len(STROKES)], data.curves[len(STROKES) :]
    if faint:
        more = f"{len(told)} best runs of {len(data.curves)} are named, the others drawn in grey."
        words = words._replace(notes=[f"The {more}", *words.notes])
    area = CURVES[data.figure].area
    ends = [f"  {area} {number(curve.area)}" for curve in told]
    sheet, axes = _sheet(words, [curve.run for curve in told], ends, width)
    for curve in faint:
        _line(axes, data.figure, curve, FAINT, 0.6)
    for place in reversed(range(len(told))):
        curve, stroke = told[place], STROKES[place]
        # not all marks at one place
        _line(axes, data.figure, curve, stroke, 1.2, (0.03 * place, _MARKS))
        if curve.decided is not None:
            _decided(axes, curve.decided, stroke)
    _frame(axes, data)
    return sheet


def _decided(axes: Axes, place: Place, stroke: Stroke) -> None:
    """Draw the mark of a run's own decisions."""
    axes.plot(
        *([float(place[0])], [float(place[1])], stroke.marker),
        color=stroke.colour,
        markersize=7.5,
        markeredgecolor="white",
        markeredgewidth=0.8,
        clip_on=False,
        zorder=5,
    )


def draw_ties(curves: Sequence[TieCurve], width: float) -> Sheet:
    """Draw the proportion of ties over the error rate, a curve a measure (Buckley, Voorhees 2000).

    Raises `ValueError` for more measures than can be told apart, which are eight.
    """
    if len(curves) > len(STROKES):
        raise ValueError(f"at most {len(STROKES)} measures can be told apart, not {len(curves)}")
    sheet, axes = _sheet(ties_words(curves), [one.measure for one in curves], None, width)
    for curve, stroke in zip(curves, STROKES, strict=False):
        xs = [point.error_rate for point in curve.points]
        ys = [point.ties for point in curve.points]
        axes.plot(xs, ys, color=stroke.colour, linestyle=stroke.dash)
        axes.plot(xs, ys, stroke.marker, color=stroke.colour, markersize=3.5, clip_on=False)
        axes.plot(xs[:1], ys[:1], stroke.marker, color=stroke.colour, markersize=7, clip_on=False)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Error rate")
    axes.set_ylabel("Proportion of ties")
    return sheet


def _sheet(
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
    entries = [
        (_sample(place), label + end)
        for place, (label, end) in enumerate(zip(labels, ends, strict=True))
    ]
    sheet.legend(entries, start, side + _BELOW if is_wide else below - MARGIN / 2)
    axes.grid(color="#E4E4E4", linewidth=0.5)
    axes.set_axisbelow(True)
    return sheet, axes


def _sample(place: int) -> Artist:
    """Return what a legend shows of a curve."""
    from matplotlib.lines import Line2D

    stroke = STROKES[place]
    return Line2D(
        *([], []), color=stroke.colour, linestyle=stroke.dash, marker=stroke.marker, markersize=4.5
    )


def _line(
    axes: Axes,
    figure: str,
    curve: Curve,
    stroke: Stroke,
    width: float,
    marks: tuple[float, float] | None = None,
) -> None:
    """Draw the line of a curve; precision falls at once from point to point."""
    xs = [float(x) for x, _ in curve.points]
    ys = [float(y) for _, y in curve.points]
    if figure == "precision-recall":
        xs, ys = [0.0, *xs], [ys[0], *ys]
    axes.plot(
        *(xs, ys),
        color=stroke.colour,
        linestyle=stroke.dash,
        linewidth=width,
        marker=stroke.marker,
        markevery=marks,
        markersize=3,
        drawstyle="steps-pre" if figure == "precision-recall" else "default",
        solid_joinstyle="round",
        clip_on=False,
    )


def _frame(axes: Axes, data: Curves) -> None:
    """Draw what does not depend on runs: axes, and what knowing nothing gives."""
    level = [0.0, 1.0] if data.figure == "roc" else 2 * [float(data.chance or 0)]
    axes.plot([0, 1], level, color="#555555", linewidth=0.8, linestyle=(0, (1, 2)), zorder=1.5)
    axes.set_xlim(0, 1)
    top = 1.0
    if data.figure == "risk-coverage":
        highest = max(float(y) for curve in data.curves for _, y in curve.points)
        top = min(1.0, max(0.1, highest * 1.05))
    axes.set_ylim(0, top)
    axes.set_xlabel(CURVES[data.figure].x)
    axes.set_ylabel(CURVES[data.figure].y)
