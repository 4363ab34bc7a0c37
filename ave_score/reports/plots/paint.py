"""Figures painted by matplotlib, which lays out axes, labels and legends and is imported here only.

The same input gives the same bytes, without a date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from itertools import cycle
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ave_score.core.text import shorten, shortened, visible
from ave_score.reports.plots.curves import area_text
from ave_score.reports.plots.figure import (
    DIAGONAL,
    STROKES,
    CurvePoint,
    Dash,
    NamedCurve,
    Square,
    Words,
    floats_of,
)
from ave_score.reports.plots.reliability import whisker
from ave_score.reports.report import figure_text

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

    from ave_score.reports.plots.reliability import Bin, Reliabilities, RunReliability
    from ave_score.reports.plots.rows import RowsFigure, ValueRow

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


_POINTS = 72

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
    return wide * _ON_PIXELS / _POINTS


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

_MARGIN = 0.08
"""The margin on all four sides, in inches."""

_ROW = TICK * 1.55 / _POINTS
"""The height of a legend row, in inches."""


def _sheet(words: Words, width: float, body: float, below: float = 0) -> Figure:
    """Return a figure with its title and notes, between which axes are laid out.

    Sizes are in inches: `body` is the height of axes and their labels, `below` that of a legend.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    room, leading = width - 2 * _MARGIN, 1.3
    title = wrapped(words.title, room, TITLE)
    notes = [line for note in words.notes for line in wrapped(note, room, NOTE)]
    above = len(title) * TITLE * leading / _POINTS + 2 * _MARGIN
    end = len(notes) * NOTE * leading / _POINTS + (2 if notes else 1) * _MARGIN + below
    height = above + body + end
    left, edge = _MARGIN / width, _MARGIN / height
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

_SIDE, _LARGEST_SIDE, _LABELS = 3.3, 5.0, 0.45
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
    room = width - 2 * _MARGIN - _SAMPLE - longest * (between == "  ")
    room -= (min(_SIDE, _LEAST * width) + _BESIDE) * is_wide
    names = fitting([curve.name for curve in named], min(room, _LONGEST))
    entries = [f"{name}{end}" for name, end in zip(names, ends, strict=True)]
    side = width - _LABELS - 2 * _MARGIN
    if is_wide:
        lines = [line for entry in entries for line in entry.split("\n")]
        side = width - 2 * _MARGIN - _BESIDE - _SAMPLE - max(map(inches, lines), default=0)
    side = min(side, _LARGEST_SIDE if is_wide and data.is_square else _SIDE)
    below = 0 if is_wide else "\n".join(entries).count("\n") * _ROW + _ROW + _MARGIN
    figure = _sheet(data.words, width, side + _LABELS, below)
    axes = figure.subplots()
    if data.is_square:
        axes.set_box_aspect(1)
        axes.set_anchor("NW")
    axes.grid()
    for curve in data.curves[len(STROKES) :]:
        _line(axes, curve.points, steps=data.steps, color=FAINT, linewidth=0.6)
    samples = [_curve(axes, curve, rank, data) for rank, curve in enumerate(named)]
    for guide in data.guides:
        _line(axes, guide.points, dash=guide.dash, color=GUIDE, linewidth=0.8, zorder=1.5)
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
    line = _line(axes, curve.points, **style, **mark, markevery=every, markersize=3)
    if curve.band:
        xs, lows, highs = zip(*curve.band, strict=True)
        axes.fill_between(xs, lows, highs, color=stroke.colour, alpha=0.07, linewidth=0)
        for edge in (lows, highs):
            axes.plot(xs, edge, color=stroke.colour, alpha=0.5, linewidth=0.5, clip_on=False)
    if curve.thin:
        _line(axes, curve.thin, **style, color=stroke.colour, linewidth=0.5)
    if curve.mark is not None:
        mark |= {"markersize": 7.5, "markeredgecolor": "white", "markeredgewidth": 0.8}
        _line(axes, [curve.mark], **mark, zorder=5)
    return line


def _line(
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

    has_bars, rows = data.alpha is None, data.rows
    size, height = (TICK, 0.2) if len(rows) <= _MANY else (SMALL, 0.14)
    shown = {row.mark for row in rows} if has_bars else set()
    shown |= {"gain"} if has_bars and any(row.gain for row in rows) else set()
    entries: list[tuple[Any, str]] = [
        (Patch(**look, linewidth=0.5), name)
        for mark, (name, look) in _BARS.items()
        if mark in shown
    ]
    columns = 2 if width < _WIDE else 3
    below = -(-(len(entries) + len(data.levels)) // columns) * _ROW + _MARGIN * has_bars
    figure = _sheet(data.words, width, height * len(rows) + 0.5, below)
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
    if has_bars:
        _legend(figure, entries, ncols=columns, handlelength=2.2)
    else:
        axes.axvline(0, color="black", linewidth=0.8, linestyle="--", zorder=0)
    ticks = [float(value) for value in data.scale.values]
    axes.set_xticks(ticks, [tick.text for tick in data.scale.ticks()])
    axes.set(xlim=(ticks[0], ticks[-1]), ylim=(len(rows) - 0.4, -0.6))
    axes.set_xlabel(data.measure.title if has_bars else "Difference")
    return figure


def _row(axes: Axes, y: int, row: ValueRow, size: float) -> None:
    """Draw a value as a bar with its gain, or as a dot, and its interval."""
    from matplotlib.patheffects import Normal, withStroke

    value, ink = float(row.value or 0), "#666666" if row.mark == "hollow" else "black"
    if row.gain is None:
        face = "white" if row.mark == "hollow" else ink
        axes.plot([value], [y], "o", color=ink, markersize=4.5, mfc=face, zorder=5)
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


# --- reliability ----------------------------------------------------------------------------------

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
    runs, room = len(data.runs), width - 0.5 - 2 * _MARGIN
    columns = max(1, min(runs, int((room + _GAP) // (_PANEL + _GAP))))
    rows = -(-runs // columns)
    columns = -(-runs // rows)  # as even as possible
    side = min(_LARGEST, (room + _GAP) / columns - _GAP)
    heights = [side, _STRIP] * rows
    body = rows * (side + _STRIP + _HEAD + _GAP) + _LABELS
    figure = _sheet(data.words, width, body)
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
    _line(axes, DIAGONAL, dash=(1, 2), color=GUIDE, linewidth=0.8)
    bins = [of for of in diagram.bins if of.answers]
    shares, means = ([float(of[at] or 0) for of in bins] for at in (4, 3))
    _bars(axes, bins, shares, color=RUN_FILL, alpha=0.45, linewidth=0.5)
    axes.plot(means, shares, "o-", color="black", markersize=3, linewidth=0.8, clip_on=False)
    if level is not None:
        ends = [whisker(of, level) for of in bins]
        axes.vlines(means, *zip(*ends, strict=True), color=GUIDE, linewidth=1.2, zorder=1.9)
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1], xticklabels=[])


def _bars(
    axes: Axes, bins: Sequence[Bin], heights: Sequence[float], **style: object
) -> BarContainer:
    """Draw a bar for each bin."""
    lows = [float(of.low) for of in bins]
    widths = [max(float(of.high) - low, _THINNEST) for of, low in zip(bins, lows, strict=True)]
    shape: dict[str, Any] = {"align": "edge", "edgecolor": "black", **style}
    return axes.bar(lows, heights, widths, **shape)


def _strip(axes: Axes, diagram: RunReliability, width: float) -> None:
    """Draw the number of answers of each bin, with rotated digits if the bars are narrow."""
    bins, line = diagram.bins, _NUMBER / _POINTS
    most = max(of.answers for of in bins)
    longest = inches(f"{most}", _NUMBER)
    is_upright = longest > 0.95 * width / len(bins)
    wide, high = (line, longest) if is_upright else (longest, line)
    shown = _bars(axes, bins, [of.answers for of in bins], color="#CCCCCC", linewidth=0.4)
    has_room = (of.answers and float(of.high - of.low) * width > wide for of in bins)
    texts = [f"{of.answers}" if fits else "" for of, fits in zip(bins, has_room, strict=True)]
    axes.bar_label(shown, texts, padding=1, fontsize=_NUMBER, rotation=90 * is_upright)
    axes.set(xlim=(0, 1), ylim=(0, most / max(0.2, 1 - (high + 0.03) / _STRIP)), yticks=[])
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])


# --- files ----------------------------------------------------------------------------------------

_DOTS = 200
"""Dots per inch of PNG."""

_NOTHING: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata of matplotlib to leave out: dates and versions."""


def file_of(figure: Figure, words: Words, suffix: str) -> bytes:
    """Return a figure as an svg, png or pdf file, with its words as metadata."""
    out = BytesIO()
    metadata: dict[str, str | None] = {**_NOTHING[suffix]}
    if suffix != "svg":  # its words become elements
        text = "Description" if suffix == "png" else "Subject"
        metadata |= {"Title": words.title, text: words.text}
    _lay_out(figure)
    figure.savefig(out, format=suffix, dpi=_DOTS, metadata=metadata)
    return _with_words(out.getvalue(), words) if suffix == "svg" else out.getvalue()


def _lay_out(figure: Figure) -> None:
    """Place the axes, and round where they are: the last digits depend on addresses in memory."""
    engine = figure.get_layout_engine()
    assert engine is not None
    figure.set_dpi(_DOTS)
    engine.execute(figure)
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 6), round(bottom, 6), round(width, 6), round(height, 6)))


def _with_words(svg: bytes, words: Words) -> bytes:
    """Add a title and a description for screen readers to an SVG."""
    start = svg.index(b"<svg ")
    end = svg.index(b">", start)  # no attribute contains >
    title = f'<title id="ave-score-title">{escape(words.title)}</title>'
    text = f'<desc id="ave-score-desc">{escape(words.text)}</desc>'
    role = ' role="img" aria-labelledby="ave-score-title ave-score-desc"'
    added = f"{role}>\n {title}\n {text}"
    return svg[:end] + added.encode() + svg[end + 1 :]
