"""Figures of confidences: risk-coverage curves and reliability diagrams, as plain records.

The data is that of the figures of `ave-score score --plot` (`reports.plots`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from ave_score.pages.scales import SHORT, UNIT, Name, Scale, Tick, names_of, scale_of
from ave_score.reports.plots.curves import Curves
from ave_score.reports.plots.figure import Curve, CurvePoint, left_out_notes, number
from ave_score.reports.plots.reliability import Bin, Reliabilities, RunReliability

WIDTH, HEIGHT = 720, 340
"""The size in px of the plot of curves; its height is fixed, its width follows the page."""

STROKES = 8
"""Curves with a stroke and a label of their own; `templates/charts.css` has their styles."""

_GAP = 18
"""The least distance in px between two labels."""

_DIGITS = 3

_STEPS = 50
"""Coverages of the table of a figure of curves."""


class CurveLine(NamedTuple):
    """A curve: `points` of a polyline in a box of `WIDTH` x `HEIGHT`.

    `x` and `y` are the position of its end in per cent, `label` the height of its label; `stroke`
    counts from 1.
    """

    stroke: int
    name: Name
    area: str
    points: str
    x: str
    y: str
    label: str


class CurveFigure(NamedTuple):
    """Curves of runs, best first: `lines` have strokes of their own, `faint` ones are grey.

    `order` says by what, and `meaning` what the area is. The table has the coverages as heads of
    its rows, and a column for each of the lines.
    """

    title: str
    text: str
    x: str
    y: str
    area: str
    meaning: str
    order: str
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    lines: Sequence[CurveLine]
    faint: Sequence[str]
    table: Sequence[tuple[str, Sequence[str]]]
    notes: Sequence[str]

    @property
    def box(self) -> str:
        """The coordinates of polylines."""
        return f"0 0 {WIDTH} {HEIGHT}"


def curve_figure(data: Curves, own: Collection[str] = ()) -> CurveFigure:
    """Return risk-coverage curves, the data of `--plot --figure risk-coverage`.

    Curves are thinned: no point moves by half a pixel or more.

    Parameters
    ----------
    data
        At least one curve, best first; the first eight have strokes of their own.
    own
        The runs of the reader.
    """
    kind = data.kind
    shown = data.curves[:STROKES]
    pixels = [[(WIDTH * float(x), float(y)) for x, y in curve.points] for curve in data.curves]
    highest = max(y for points in pixels for _, y in points)
    scale = scale_of([0, min(1, max(0.1, highest))], 8)
    names = names_of((curve.name for curve in data.curves), own, SHORT)
    ends = [curve.points[-1] for curve in shown]
    labels = spread([float(scale.down(y)) * HEIGHT / 100 for _, y in ends])
    lines = [
        CurveLine(
            stroke,
            names[curve.name],
            number(curve.area, _DIGITS),
            _polyline(pixels[stroke - 1], scale),
            UNIT.at(curve.points[-1][0]),
            scale.down(curve.points[-1][1]),
            f"{100 * label / HEIGHT:.2f}",
        )
        for stroke, (curve, label) in enumerate(zip(shown, labels, strict=True), 1)
    ]
    sentences = "; ".join(f"{line.name.full} {line.area}" for line in lines)
    return CurveFigure(
        kind.title,
        f"A curve for each run, {data.order}: {kind.y} over {kind.x}. {kind.area}: {sentences}.",
        kind.x,
        kind.y,
        kind.area,
        kind.meaning,
        data.order,
        UNIT.ticks(),
        scale.ticks(is_upward=True),
        lines,
        [_polyline(points, scale) for points in pixels[STROKES:]],
        _table(shown),
        data.most_named(len(shown)) + left_out_notes(data.left_out),
    )


def _polyline(points: Sequence[tuple[float, float]], scale: Scale) -> str:
    high = HEIGHT / float(scale.high)
    pixels = thinned([(x, HEIGHT - high * y) for x, y in points])
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)


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
    kept = [points[0]]
    low, high = -inf, inf  # the slopes of lines that are close to all points since the last vertex
    for last, (n, (x, y)) in zip(points, enumerate(points[1:], 1), strict=False):
        x0, y0 = kept[-1]
        if not low <= (y - y0) / (x - x0) <= high:
            kept.append(last)
            (x0, y0), low, high = last, -inf, inf
        if n in stops:
            kept.append((x, y))
            low, high = -inf, inf
        else:
            low = max(low, (y - most - y0) / (x - x0))
            high = min(high, (y + most - y0) / (x - x0))
    return kept


def spread(wanted: Sequence[float], gap: float = _GAP, height: float = HEIGHT) -> list[float]:
    """Return positions of labels near those wanted, at least `gap` apart, from 0 to `height`."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    found = list(wanted)
    lowest = 0.0
    for n in order:
        found[n] = lowest = max(found[n], lowest)
        lowest += gap
    highest = height
    for n in reversed(order):
        found[n] = highest = min(found[n], highest)
        highest -= gap
    return found


def _table(curves: Sequence[Curve]) -> list[tuple[str, list[str]]]:
    """Return the risk at each coverage: of the most confident answers to so many questions."""
    rows = []
    for step in range(1, _STEPS + 1):
        coverage = Fraction(step, _STEPS)
        risks = [_risk(curve.points, coverage) for curve in curves]
        if any(risk is not None for risk in risks):
            rows.append((number(coverage), [number(risk, _DIGITS) for risk in risks]))
    return rows


def _risk(points: Sequence[CurvePoint], coverage: Fraction) -> Fraction | None:
    """Return the risk at a coverage, None before the first answer or beyond the last."""
    at = bisect_right(points, coverage, key=lambda point: point[0])
    is_beyond = at == len(points) and points[-1][0] + Fraction(1, _STEPS) <= coverage
    return None if at == 0 or is_beyond else points[at - 1][1]


# --- reliability ----------------------------------------------------------------------------------

PANELS = 6
"""Runs whose diagrams are drawn."""


class BinBar(NamedTuple):
    """A bin of confidence as a box, in per cent of a panel, and what it holds."""

    x: str
    width: str
    y: str
    height: str
    text: str


class Panel(NamedTuple):
    """The diagram of a run: bars of shares right, points at mean confidences, bars of answers.

    `text` describes it, `rows` is its table: confidence, answers, mean confidence, share right.
    """

    name: Name
    error: str
    text: str
    bars: Sequence[BinBar]
    points: Sequence[tuple[str, str]]
    answers: Sequence[BinBar]
    rows: Sequence[Sequence[str]]


class ReliabilityFigure(NamedTuple):
    """Reliability diagrams of runs, and notes on those without."""

    panels: Sequence[Panel]
    notes: Sequence[str]


def reliability_figure(data: Reliabilities, own: Collection[str] = ()) -> ReliabilityFigure:
    """Return reliability diagrams, the data of `--plot --figure reliability`, of the first six.

    Parameters
    ----------
    data
        The bins of runs, the best first.
    own
        The runs of the reader.
    """
    shown = data.runs[:PANELS]
    names = names_of((diagram.run for diagram in shown), own, SHORT)
    notes = left_out_notes(data.left_out)
    if len(shown) < len(data.runs):
        notes.insert(0, f"The {PANELS} best of {len(data.runs)} runs with confidences.")
    return ReliabilityFigure([_panel(diagram, names[diagram.run]) for diagram in shown], notes)


def _panel(diagram: RunReliability, name: Name) -> Panel:
    bins = [each for each in diagram.bins if each.accuracy is not None]
    most = max(each.answers for each in bins)
    points = [
        (UNIT.at(each.confidence), UNIT.down(each.accuracy))
        for each in bins
        if each.confidence is not None and each.accuracy is not None
    ]
    rows = [
        [_ends(each), f"{each.answers:,}", number(each.confidence), number(each.accuracy)]
        for each in bins
    ]
    return Panel(
        name,
        number(diagram.error, _DIGITS),
        "; ".join(f"{row[1]} answers of {row[0]}: {row[3]} right" for row in rows),
        [_bar(each, each.accuracy or Fraction(0)) for each in bins],
        points,
        [_bar(each, Fraction(each.answers, most)) for each in bins],
        rows,
    )


def _ends(each: Bin) -> str:
    return f"{number(each.low, 1)} to {number(each.high, 1)}"


def _bar(each: Bin, height: Fraction) -> BinBar:
    left, top = UNIT.at(each.low), UNIT.down(height)
    width, high = UNIT.at(each.high - each.low), UNIT.at(height)
    text = f"{_ends(each)}: {each.answers:,} answers, {number(each.accuracy)} right"
    return BinBar(left, width, top, high, text)
