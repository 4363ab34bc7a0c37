"""Figures painted by matplotlib, which lays out axes, labels and legends: curves and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any

from ave_score.core.text import shorten, shortened, visible
from ave_score.reports.plots.curves import area_text
from ave_score.reports.plots.figure import (
    STROKES,
    CurvePoint,
    Dash,
    NamedCurve,
    Square,
    Words,
    floats_of,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

    from ave_score.reports.plots.row_records import RowsFigure, ValueRow

RUN_FILL, SYSTEM_FILL = "#3B6FA5", "#E8B668"
"""Bars of answer-validation runs and of QA systems: distinguishable in greyscale."""

GUIDE, FAINT = "#777777", "#BBBBBB"
"""Lines for comparison, and curves without a stroke of their own."""

TITLE, LABEL, TICK, NOTE, SMALL = 9.0, 8.0, 7.0, 6.5, 6.0
"""Sizes of text in points, independent of the width of the figure."""

_SETTINGS: dict[str, object] = {
    "text.parse_math": False,  # a name with two dollar signs is not a formula
    "svg.hashsalt": "ave-score",  # the same input, the same bytes
    "pdf.fonttype": 42,
    "font.family": ["DejaVu Sans"],  # included in matplotlib
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelsize": LABEL,
    "axes.axisbelow": True,
    "grid.color": "#E0E0E0",
    "grid.linewidth": 0.5,
    "xtick.labelsize": TICK,
    "ytick.labelsize": TICK,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.scale_dashes": False,
    "legend.fontsize": TICK,
    "legend.frameon": False,
    "legend.borderaxespad": 0,
}


@contextmanager
def looks(suffix: str) -> Iterator[None]:
    """Apply the style of this package, regardless of the settings of the user.

    The text of an SVG stays text and uses the fonts of the viewer.
    """
    import warnings

    import matplotlib

    settings: Any = _SETTINGS
    with matplotlib.rc_context(), warnings.catch_warnings():
        # SVG text needs no glyphs; `drawable` escapes missing glyphs in other formats
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        matplotlib.rcParams["svg.fonttype"] = "none" if suffix == "svg" else "path"
        yield


# --- text -----------------------------------------------------------------------------------------


def drawable(name: str) -> str:
    r"""Return a visible name; except in SVG, letters missing from the font become `\u1234`."""
    import matplotlib

    shown = visible(name)
    if matplotlib.rcParams["svg.fonttype"] == "none":
        return shown
    has = _letters()
    return "".join(
        letter if ord(letter) in has else letter.encode("unicode_escape").decode()
        for letter in shown
    )


@cache
def _letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


POINTS = 72

_ON_PIXELS = 1.08
"""How many times wider than their outlines letters are at most where they fit pixels."""


def inches(text: str, size: float = TICK) -> float:
    """Return the width of a text; letters missing from the font count as squares."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    has = _letters()
    known = "".join(letter for letter in text if ord(letter) in has)
    wide = size * (len(text) - len(known))
    if known:
        font = FontProperties(family="DejaVu Sans", size=size)
        wide += float(text_to_path.get_text_width_height_descent(known, font, ismath=False)[0])
    return wide * _ON_PIXELS / POINTS


def fitting(names: Sequence[str], room: float) -> list[str]:
    """Shorten names to at most `room` inches by removing the middle, so that they stay distinct."""
    return shortened([*map(drawable, names)], room, inches)


def wrapped(text: str, room: float, size: float) -> list[str]:
    """Wrap a text to lines of at most `room` inches; long words are shortened."""

    def width(line: str) -> float:
        return inches(line, size)

    lines = [""]
    for word in drawable(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(shorten(word, room, width))
    return [*filter(None, lines)]


# --- sheets ---------------------------------------------------------------------------------------

MARGIN = 0.08
"""The margin on all four sides, in inches."""

_ROW = TICK * 1.55 / POINTS
"""The height of a legend row, in inches."""


def sheet(words: Words, width: float, body: float, below: float = 0) -> Figure:
    """Return a figure with its title and notes, between which axes are laid out.

    Sizes are in inches: `body` is the height of axes and their labels, `below` that of a legend.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    room, leading = width - 2 * MARGIN, 1.3
    title = wrapped(words.title, room, TITLE)
    notes = [line for note in words.notes for line in wrapped(note, room, NOTE)]
    above = len(title) * TITLE * leading / POINTS + 2 * MARGIN
    end = len(notes) * NOTE * leading / POINTS + (2 if notes else 1) * MARGIN + below
    height = above + body + end
    left, edge = MARGIN / width, MARGIN / height
    rect = (left, end / height, room / width, body / height)
    layout = ConstrainedLayoutEngine(w_pad=0, rect=rect)
    figure = Figure(figsize=(width, height), layout=layout)
    style: dict[str, Any] = {"linespacing": leading, "in_layout": False}
    figure.text(left, 1 - edge, "\n".join(title), size=TITLE, va="top", **style)
    figure.text(left, edge, "\n".join(notes), size=NOTE, color="#333333", **style)
    return figure


def _legend(
    figure: Figure, entries: Sequence[tuple[Any, str]], axes: Axes | None = None, **options: object
) -> None:
    """Add a legend of artists and their labels, below all axes or beside `axes`."""
    engine = figure.get_layout_engine()
    assert engine is not None
    add: Callable[..., Legend] = figure.legend if axes is None else axes.legend
    corner = engine.get()["rect"][:2] if axes is None else (1.06, 1)
    # a label that begins with _ would be left out
    legend = add(
        *([artist for artist, _ in entries], ["-"] * len(entries)),
        loc="upper left",
        bbox_to_anchor=corner,
        **options,
    )
    for text, (_, label) in zip(legend.get_texts(), entries, strict=True):
        text.set_text(label)


# --- curves ---------------------------------------------------------------------------------------

_WIDE = 5.0
"""The least width in inches with the legend beside the curves."""

_SIDE, _LARGEST_SIDE, LABELS = 3.3, 5.0, 0.45
"""The height of axes, that of square ones at most, and space for their labels, in inches."""

_BESIDE, _SAMPLE, _LEAST = 0.75, 0.45, 0.46
"""Inches beside the axes and a legend, inches of a line in it, and the least share of the axes."""

_LONGEST = 3.0
"""The maximum width of names in a legend, in inches."""

_FEW = 20
"""Points of a curve that are all marked."""


def paint_square(data: Square, width: float) -> Figure:
    """Draw curves on square axes in a figure `width` inches wide."""
    named = data.curves[: len(STROKES)]
    is_wide = width >= _WIDE
    # with its interval, an area stands below the name
    between = "\n" if any(curve.interval for curve in named) else "  "
    ends = [f"{between}{data.area} {area_text(curve)}" if data.area else "" for curve in named]
    longest = max(map(inches, ends), default=0)
    room = width - 2 * MARGIN - _SAMPLE - longest * (between == "  ")
    room -= (min(_SIDE, _LEAST * width) + _BESIDE) * is_wide
    names = fitting([curve.name for curve in named], min(room, _LONGEST))
    entries = [f"{name}{end}" for name, end in zip(names, ends, strict=True)]
    side = width - LABELS - 2 * MARGIN
    if is_wide:
        lines = [line for entry in entries for line in entry.split("\n")]
        side = width - 2 * MARGIN - _BESIDE - _SAMPLE - max(map(inches, lines), default=0)
    side = min(side, _LARGEST_SIDE if is_wide and data.is_square else _SIDE)
    below = 0 if is_wide else "\n".join(entries).count("\n") * _ROW + _ROW + MARGIN
    figure = sheet(data.words, width, side + LABELS, below)
    axes = figure.subplots()
    if data.is_square:
        axes.set_box_aspect(1)
        axes.set_anchor("NW")
    axes.grid()
    for curve in data.curves[len(STROKES) :]:
        line_through(axes, curve.points, steps=data.steps, color=FAINT, linewidth=0.6)
    samples = [_curve(axes, curve, rank, data) for rank, curve in enumerate(named)]
    for guide in data.guides:
        line_through(axes, guide.points, dash=guide.dash, color=GUIDE, linewidth=0.8, zorder=1.5)
    if data.ticks:
        axes.set_xscale("log", base=2)
        axes.set_xticks(*zip(*data.ticks, strict=True))
        axes.minorticks_off()
    axes.set(xlim=data.xs, ylim=data.ys, xlabel=data.x, ylabel=data.y)
    place = axes if is_wide else None
    _legend(figure, [*zip(samples, entries, strict=True)], place, handlelength=3.6, markerscale=1.5)
    return figure


def _curve(axes: Axes, curve: NamedCurve, rank: int, data: Square) -> Artist:
    """Draw a curve with its marks, above those of lower rank if they have one; return the line."""
    stroke = STROKES[rank]
    rank_order = 3 - 0.05 * rank * bool(data.area)
    style: dict[str, Any] = {"dash": stroke.dash, "steps": data.steps, "zorder": rank_order}
    mark: dict[str, Any] = {"color": stroke.colour, "marker": stroke.marker}
    # shifted, so that marks of different curves do not coincide
    every = None if len(curve.points) <= _FEW else (0.03 * rank, 0.2)
    line = line_through(axes, curve.points, **style, **mark, markevery=every, markersize=3)
    if curve.band:
        xs, lows, highs = zip(*curve.band, strict=True)
        axes.fill_between(xs, lows, highs, color=stroke.colour, alpha=0.07, linewidth=0)
        for edge in (lows, highs):
            axes.plot(xs, edge, color=stroke.colour, alpha=0.5, linewidth=0.5, clip_on=False)
    if curve.thin:
        line_through(axes, curve.thin, **style, color=stroke.colour, linewidth=0.5)
    if curve.mark is not None:
        mark |= {"markersize": 7.5, "markeredgecolor": "white", "markeredgewidth": 0.8}
        line_through(axes, [curve.mark], **mark, zorder=5)
    return line


def line_through(
    axes: Axes,
    points: Sequence[CurvePoint],
    *,
    dash: Dash = (),
    steps: bool = False,
    **style: object,
) -> Artist:
    """Draw a line through points, and return it."""
    xs, ys = zip(*floats_of(points), strict=True) if points else ((), ())
    style |= {"linestyle": _dashed(dash), "drawstyle": "steps-pre" if steps else "default"}
    shape: dict[str, Any] = {"clip_on": False, "solid_joinstyle": "round", **style}
    return axes.plot(xs, ys, **shape)[0]


def _dashed(dash: Dash) -> Any:  # noqa: ANN401 - what matplotlib takes
    """Return a line style of matplotlib, whose lengths are points."""
    return (0, [0.75 * length for length in dash]) if dash else "-"


# --- rows -----------------------------------------------------------------------------------------

_MANY = 15
"""Rows are set closer if there are more."""

_SHARE = 0.36
"""The maximum share of the width used for names; the width counts up to 7 inches."""

_BARS: dict[str, tuple[str, dict[str, Any]]] = {
    "run": ("AV run", {"facecolor": RUN_FILL, "edgecolor": "black"}),
    "system": ("QA system", {"facecolor": SYSTEM_FILL, "edgecolor": "black"}),
    "gain": (
        "Potential by rejection",
        {"facecolor": "white", "edgecolor": GUIDE, "hatch": "/////"},
    ),
}
"""Mark of a row, or what is added -> its name in the legend, and how its bar looks."""


def paint_rows(data: RowsFigure, width: float) -> Figure:
    """Draw rows with their values and intervals, the first at the top; bars have a legend."""
    from matplotlib.patches import Patch

    has_bars, rows = any(row.gain is not None for row in data.rows), data.rows
    size, height = (TICK, 0.2) if len(rows) <= _MANY else (SMALL, 0.14)
    height *= 1.4 if any(row.alone for row in rows) else 1
    shown = {row.mark for row in rows} if has_bars else set()
    shown |= {"gain"} if has_bars and any(row.gain for row in rows) else set()
    entries: list[tuple[Any, str]] = [
        (Patch(**look, linewidth=0.5), name)
        for mark, (name, look) in _BARS.items()
        if mark in shown
    ]
    columns = 2 if width < _WIDE else 3
    below = -(-(len(entries) + len(data.levels)) // columns) * _ROW + MARGIN * has_bars
    figure = sheet(data.words, width, height * len(rows) + 0.5, below)
    axes = figure.subplots()
    names = fitting([row.label for row in rows], _SHARE * min(width, 7))
    axes.set_yticks(range(len(rows)), names, fontsize=size)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    for y, row in enumerate(rows):
        _row(axes, y, row, size)
    for level, dash in zip(data.levels, cycle([(2, 2), (5, 2), (9, 2, 2, 2)]), strict=False):
        line = axes.axvline(float(level.value), color="black", linestyle=_dashed(dash))
        entries.append((line, level.label))
    if entries:
        _legend(figure, entries, ncols=columns, handlelength=2.2)
    if data.alpha is not None:
        axes.axvline(0, color="black", linewidth=0.8, linestyle="--", zorder=0)
    ticks = [float(value) for value in data.scale.values]
    axes.set_xticks(ticks, [tick.text for tick in data.scale.ticks()])
    axes.set(xlim=(ticks[0], ticks[-1]), ylim=(len(rows) - 0.4, -0.6))
    axes.set_xlabel(data.measure.title if data.alpha is None else "Difference")
    return figure


def _row(axes: Axes, y: int, row: ValueRow, size: float) -> None:
    """Draw a value as a bar with its gain, or as a dot, and its interval."""
    from matplotlib.patheffects import Normal, withStroke

    value, ink = float(row.value or 0), "#666666" if row.mark == "hollow" else "black"
    dot: dict[str, Any] = {"markersize": 4.5, "zorder": 5, "clip_on": False}
    if row.gain is None:
        axes.plot([value], [y], "o", color=ink, mfc="white" if row.mark == "hollow" else ink, **dot)
    else:
        axes.barh(y, value, 0.74, **_BARS[row.mark][1], linewidth=0.5)
        line = 0.5 * bool(row.gain)
        axes.barh(y, float(row.gain), 0.74, value, **_BARS["gain"][1], linewidth=line)
        at_end: Any = axes.get_yaxis_transform()
        axes.text(1.02, y, row.text, size=size, va="center", transform=at_end)
    if row.interval is not None:
        halo = [withStroke(linewidth=2.6, foreground="white"), Normal()]  # to be seen on bars
        style: dict[str, Any] = {"markersize": 5, "path_effects": halo, "zorder": 4}
        axes.plot(row.interval, [y, y], "|-", color=ink, **style)
    if row.judged is not None:
        axes.plot([row.judged], [y], "D", color="#D0560A", mfc="white", **dot)
    if row.alone is not None:
        axes.plot([row.alone[0]], [y + 0.34], "o", color=FAINT, **dot)
        axes.plot(row.alone[1], [y + 0.34, y + 0.34], "|-", color=FAINT, markersize=5)
