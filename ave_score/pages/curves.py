"""Figures of confidences: risk-coverage curves and reliability diagrams, as plain records.

The data is that of the figures of `ave-score score --plot` (`reports.plots`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from ave_score.reports.plots.curves import Curves
from ave_score.reports.plots.figure import (
    STROKES,
    CurvePoint,
    NamedCurve,
    floats_of,
    left_out_notes,
)
from ave_score.reports.plots.reliability import MEANING, Reliabilities, RunReliability
from ave_score.reports.plots.scales import SHORT, Name, Scale, names_of, scale_of
from ave_score.reports.report import figure_text
from ave_score.reports.style import folded_name

WIDTH, HEIGHT = 720, 340
"""The size in px of the plot of curves, also in the template. Its width follows the page."""

_GAP, _LINE = 18, 14
"""The least distance in px between two labels of a line, and between the lines of one."""

_MOST_LINES = 3
"""Lines of the longest label: eight such fit beside the plot. A longer name is cut."""

_DIGITS = 3

_STEPS = 50
"""Coverages of the table of a figure of curves."""


class CurveLine(NamedTuple):
    """A curve: `points` of a polyline in a box of `WIDTH` x `HEIGHT`.

    `label` is the height of its label in per cent, `lines` is its text, `stroke` counts from 1.
    """

    stroke: int
    name: Name
    curve: NamedCurve
    points: str
    label: str
    lines: Sequence[str]


class CurveFigure(NamedTuple):
    """Curves of runs, best first: `lines` have strokes of their own, `faint` ones are grey.

    `scale` is that of the y axis. The table has the coverages as heads of its rows, and a column
    for each of the lines.
    """

    data: Curves
    scale: Scale
    lines: Sequence[CurveLine]
    faint: Sequence[str]
    table: Sequence[tuple[str, Sequence[str]]]
    notes: Sequence[str]


def curve_figure(data: Curves, own: Collection[str] = ()) -> CurveFigure:
    """Return risk-coverage curves, the data of `--plot risk-coverage=FILE`.

    Curves are thinned: no point moves by half a pixel or more.

    Parameters
    ----------
    data
        At least one curve, best first; the first eight have strokes of their own.
    own
        The runs of the reader.
    """
    shown = data.curves[: len(STROKES)]
    scale = scale_of([0, data.top], 8)
    names = names_of((curve.name for curve in data.curves), own, SHORT)
    texts = [_label(names[curve.name]) for curve in shown]
    heights = [float(scale.down(curve.points[-1][1])) * HEIGHT / 100 for curve in shown]
    labels = spread(heights, _GAP + _LINE * (max(map(len, texts)) - 1))
    polylines = [_polyline(curve, scale) for curve in data.curves]
    lines = [
        CurveLine(stroke, names[curve.name], curve, points, f"{100 * label / HEIGHT:.2f}", text)
        for stroke, (curve, points, label, text) in enumerate(
            zip(shown, polylines, labels, texts, strict=False), 1
        )
    ]
    notes = data.most_named(len(shown)) + left_out_notes(data.left_out)
    return CurveFigure(data, scale, lines, polylines[len(shown) :], _table(shown), notes)


def _label(name: Name) -> list[str]:
    """Return a name as lines, broken at separators."""
    lines = folded_name(name.full, SHORT)
    return lines if len(lines) <= _MOST_LINES else [name.short]


def _polyline(curve: NamedCurve, scale: Scale) -> str:
    high = HEIGHT / float(scale.high)
    pixels = [(WIDTH * x, HEIGHT - high * y) for x, y in floats_of(curve.points)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in thinned(pixels))


def thinned(points: Sequence[tuple[float, float]], most: float = 0.4) -> list[tuple[float, float]]:
    """Return the vertices of a curve that are needed to draw it without a visible change.

    Between the vertices kept, no y of the curve is further than `most` from the line. The ends and
    the lowest and highest points are kept.

    Parameters
    ----------
    points
        Points whose x increases.
    most
        The greatest vertical distance, in the unit of y.
    """
    if len(points) < 3:
        return [*points]
    order = sorted(range(len(points)), key=lambda n: points[n][1])
    stops = {order[0], order[-1], len(points) - 1}
    vertices = [points[0]]
    low, high = -inf, inf  # the slopes of lines that are close to all points since the last vertex
    for last, (n, (x, y)) in zip(points, enumerate(points[1:], 1), strict=False):
        x0, y0 = vertices[-1]
        if not low <= (y - y0) / (x - x0) <= high:
            vertices.append(last)
            (x0, y0), low, high = last, -inf, inf
        if n in stops:
            vertices.append((x, y))
            low, high = -inf, inf
        else:
            low = max(low, (y - most - y0) / (x - x0))
            high = min(high, (y + most - y0) / (x - x0))
    return vertices


def spread(wanted: Sequence[float], gap: float = _GAP, height: float = HEIGHT) -> list[float]:
    """Return positions of labels near those wanted, at least `gap` apart, from 0 to `height`."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    places = list(wanted)
    lowest = 0.0
    for n in order:
        places[n] = lowest = max(places[n], lowest)
        lowest += gap
    highest = height
    for n in reversed(order):
        places[n] = highest = min(places[n], highest)
        highest -= gap
    return places


def _table(curves: Sequence[NamedCurve]) -> list[tuple[str, list[str]]]:
    """Return the risk at each coverage: of the most confident answers to so many questions."""
    rows = []
    for step in range(1, _STEPS + 1):
        coverage = Fraction(step, _STEPS)
        risks = [_risk(curve.points, coverage) for curve in curves]
        if any(risk is not None for risk in risks):
            rows.append((figure_text(coverage), [figure_text(risk, _DIGITS) for risk in risks]))
    return rows


def _risk(points: Sequence[CurvePoint], coverage: Fraction) -> Fraction | None:
    """Return the risk at a coverage, None before the first answer or beyond the last."""
    at = bisect_right(points, coverage, key=lambda point: point[0])
    is_beyond = at == len(points) and points[-1][0] + Fraction(1, _STEPS) <= coverage
    return None if at == 0 or is_beyond else points[at - 1][1]


# --- reliability ----------------------------------------------------------------------------------

PANELS = 6
"""Runs whose diagrams are drawn."""


class Panel(NamedTuple):
    """The diagram of a run, and the axis of its numbers of answers."""

    name: Name
    diagram: RunReliability
    answers: Scale


class ReliabilityFigure(NamedTuple):
    """Reliability diagrams of runs, and notes: how to read them, and on runs without."""

    panels: Sequence[Panel]
    notes: Sequence[str]


def reliability_figure(data: Reliabilities, own: Collection[str] = ()) -> ReliabilityFigure:
    """Return reliability diagrams, the data of `--plot reliability=FILE`, of the first six.

    Parameters
    ----------
    data
        The bins of runs, the best first.
    own
        The runs of the reader.
    """
    shown = data.runs[:PANELS]
    names = names_of((diagram.run for diagram in shown), own, SHORT)
    notes = [MEANING, *data._replace(level=None).words.notes]  # whiskers are not drawn
    if len(shown) < len(data.runs):
        notes.insert(0, f"The {PANELS} best of {len(data.runs)} runs with confidences.")
    panels = []
    for diagram in shown:
        most = Fraction(max(bin_.answers for bin_ in diagram.bins))
        panels.append(Panel(names[diagram.run], diagram, Scale(Fraction(0), most, most)))
    return ReliabilityFigure(panels, notes)
