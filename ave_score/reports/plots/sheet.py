"""A figure to draw on: how it looks, text that is shown literally and fits, its bytes as a file.

The same input gives the same bytes, and no date is in them. Matplotlib is imported when something
is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape

from ave_score.errors import UsageError
from ave_score.exact import fixed
from ave_score.text import visible

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DIGITS = 2


class Words(NamedTuple):
    """The words of a figure: the title above, the notes below, and its numbers as a text."""

    title: str
    text: str
    notes: Sequence[str] = ()


class LeftOut(NamedTuple):
    """A run that a figure cannot show, and why."""

    run: str
    reason: str


def left_out_notes(left_out: Iterable[LeftOut]) -> list[str]:
    """Tell which runs a figure lacks: a note for each reason."""
    by_reason: dict[str, list[str]] = {}
    for one in left_out:
        by_reason.setdefault(one.reason, []).append(visible(one.run))
    return [f"Not drawn: {', '.join(runs)}: {reason}." for reason, runs in by_reason.items()]


def number(value: Fraction | None, digits: int = DIGITS) -> str:
    """Return a number as figures print it."""
    return "n/a" if value is None else fixed(value, digits)


def words_of(title: str, told: Iterable[str], notes: Sequence[str]) -> Words:
    """Return the words of a figure: its notes end its text, too."""
    return Words(title, " ".join([*told, *notes]), notes)


Dash = Any
"""A line style of matplotlib: a name, or an offset and the lengths of strokes and gaps."""


class Stroke(NamedTuple):
    """How a curve is drawn."""

    colour: str
    dash: Dash
    marker: str


STROKES = (
    Stroke("#000000", "-", "o"),
    Stroke("#0072B2", (0, (5, 1.5)), "s"),
    Stroke("#D55E00", (0, (1.2, 1.2)), "^"),
    Stroke("#009E73", (0, (6, 1.5, 1.2, 1.5)), "D"),
    Stroke("#B0568B", (0, (3, 1, 1, 1, 1, 1)), "v"),
    Stroke("#56B4E9", "-", "P"),
    Stroke("#E69F00", (0, (9, 2)), "X"),
    Stroke("#777777", (0, (2.5, 2)), "*"),
)
"""Strokes in the order of curves; the colours are those of Okabe and Ito, nearly."""

FAINT = Stroke("#BBBBBB", "-", "")
"""The stroke of curves beyond those in `STROKES`."""

RUN_FILL, SYSTEM_FILL = "#3B6FA5", "#E8B668"
"""Bars of answer-validation runs and of QA systems: dark and light in grey."""

HATCH, HATCH_COLOUR = "/////", "#777777"
"""The texture of what could be."""

TITLE, LABEL, TICK, NOTE, SMALL = 9.0, 8.0, 7.0, 6.5, 6.0
"""Sizes of text in points, on paper: they stay the same whatever the width of the figure."""

_SETTINGS: dict[str, object] = {
    "text.parse_math": False,  # a name with two dollar signs is no formula
    "svg.hashsalt": "ave-score",  # the same input, the same bytes
    "pdf.fonttype": 42,
    "font.family": ["DejaVu Sans"],  # it comes with matplotlib
    "axes.unicode_minus": True,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelsize": LABEL,
    "xtick.labelsize": TICK,
    "ytick.labelsize": TICK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "legend.fontsize": TICK,
    "legend.frameon": False,
}


@contextmanager
def looks(suffix: str) -> Iterator[None]:
    """Draw as this package draws, whatever the settings of the user are.

    The text of an svg stays text, which is left to the fonts of whoever looks at it.
    """
    import warnings

    import matplotlib

    settings: Any = _SETTINGS
    with matplotlib.rc_context(), warnings.catch_warnings():
        # text of an SVG needs no glyphs, and `drawable` sees to that of others
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        matplotlib.rcParams["svg.fonttype"] = "none" if suffix == "svg" else "path"
        yield


MARGIN = 0.08
"""What stays free at all four sides."""

LEGEND_ROW = TICK * 1.55 / 72
"""The height of a row of a legend."""

_LEADING = 1.3

_POINTS = 72


class Sheet(NamedTuple):
    """A figure with its title and notes; between them lies the body, from `bottom` to `top`.

    All sizes are in inches, `width` is that of the whole figure.
    """

    figure: Figure
    words: Words
    width: float
    height: float
    bottom: float
    top: float

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Return axes in the body; `bottom` is counted from its lower edge."""
        box = (left / self.width, (self.bottom + bottom) / self.height)
        return self.figure.add_axes((*box, width / self.width, height / self.height))

    def legend(
        self,
        entries: Sequence[tuple[Artist, str]],
        left: float,
        top: float,
        columns: int = 1,
        sample: float = 3.6,
    ) -> None:
        """Put a legend in the body, its upper left corner at `left`, `top` from the lower edge.

        A `sample` is so many letters long.
        """
        if not entries:
            return
        legend = self.figure.legend(
            [artist for artist, _ in entries],
            ["-"] * len(entries),  # a label that begins with _ would be left out
            loc="upper left",
            bbox_to_anchor=(left / self.width, (self.bottom + top) / self.height),
            ncols=columns,
            borderaxespad=0,
            borderpad=0,
            handlelength=sample,
            handletextpad=0.6,
            columnspacing=1.2,
            labelspacing=LEGEND_ROW * _POINTS / TICK - 1.05,
        )
        for text, (_, label) in zip(legend.get_texts(), entries, strict=True):
            text.set_text(label)


def new_sheet(width: float, body: float, words: Words) -> Sheet:
    """Return a figure of some width with room for a body of some height."""
    from matplotlib.figure import Figure

    room = width - 2 * MARGIN
    title = wrapped(words.title, room, TITLE)
    notes = [line for note in words.notes for line in wrapped(note, room, NOTE)]
    above = len(title) * TITLE * _LEADING / _POINTS + 2 * MARGIN
    below = len(notes) * NOTE * _LEADING / _POINTS + (2 if notes else 1) * MARGIN
    height = above + body + below
    figure = Figure(figsize=(width, height))
    left, edge = MARGIN / width, MARGIN / height
    figure.text(left, 1 - edge, "\n".join(title), size=TITLE, va="top", linespacing=_LEADING)
    figure.text(left, edge, "\n".join(notes), size=NOTE, color="#333333", linespacing=_LEADING)
    return Sheet(figure, words, width, height, below, below + body)


def drawable(name: str) -> str:
    r"""Return a name made visible; what the font lacks is `\u1234`, unless text stays text."""
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


def inches(text: str, size: float) -> float:
    """Return how wide a text of a size in points is; letters that the font lacks are squares."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    has = _letters()
    known = "".join(letter for letter in text if ord(letter) in has)
    wide = size * (len(text) - len(known))
    if known:
        font = FontProperties(family="DejaVu Sans", size=size)
        wide += float(text_to_path.get_text_width_height_descent(known, font, ismath=False)[0])
    return wide / _POINTS


def fitting(names: Sequence[str], room: float, size: float) -> list[str]:
    """Return names that are no wider than `room`: the middle of longer ones is left out.

    What the names of runs differ in often stands at their end. Those that would be the same are
    numbered.
    """
    cut = [_cut(name, room, size) for name in map(drawable, names)]
    seen: dict[str, int] = {}
    told = []
    for name, full in zip(cut, names, strict=True):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] == 1:
            told.append(name)
        else:
            end = f" ({seen[name]})"
            told.append(_cut(drawable(full), room - inches(end, size), size) + end)
    return told


def _cut(name: str, room: float, size: float) -> str:
    """Return a name without so much of its middle that it fits."""
    if len(name) <= 200 and inches(name, size) <= room:
        return name
    fits, too_long = 2, min(len(name), 200)
    while fits + 1 < too_long:
        half = (fits + too_long) // 2
        if inches(_without_middle(name, half), size) <= room:
            fits = half
        else:
            too_long = half
    return _without_middle(name, fits)


def _without_middle(name: str, length: int) -> str:
    tail = length // 2
    return f"{name[: length - tail]}…{name[len(name) - tail :]}"


def wrapped(text: str, room: float, size: float) -> list[str]:
    """Return the lines of a text that is to be no wider than `room`; long words are cut."""
    lines: list[str] = []
    now = ""
    for word in drawable(text).split():
        longer = f"{now} {word}" if now else word
        if inches(longer, size) <= room:
            now = longer
            continue
        if now:
            lines.append(now)
        now = _cut(word, room, size)
    return [*lines, now] if now else lines


SUFFIXES = ("svg", "png", "pdf")
"""What the name of a figure's file can end in, and so what it is."""

WIDTH = 6.3
"""The width in inches where none is asked for: that of a page of text."""

_DOTS = 200
"""Dots per inch of PNG."""

_NOTHING: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What matplotlib would say of itself and of today."""


def plot_format(path: str) -> str:
    """Return what a file is to be: svg, png or pdf, by the end of its name.

    Raises `UsageError` where it is none of them, and where nothing can be drawn here.
    """
    suffix = path.rpartition(".")[2].lower() if "." in path else ""
    if suffix not in SUFFIXES:
        told = ", ".join(f".{one}" for one in SUFFIXES)
        raise UsageError(f"a figure is written to a file that ends in {told}, not to {path!r}")
    if find_spec("matplotlib") is None:
        raise UsageError("drawing needs matplotlib: pip install 'ave-score[plot]'")
    return suffix


def drawn(draw: Callable[[], Sheet], suffix: str) -> bytes:
    """Return the bytes of what `draw` draws, as svg, png or pdf, with its words in them."""
    with looks(suffix):
        sheet = draw()
        out = BytesIO()
        sheet.figure.savefig(out, format=suffix, dpi=_DOTS, metadata=_metadata(sheet.words, suffix))
    data = out.getvalue()
    return _with_words(data, sheet.words) if suffix == "svg" else data


def _metadata(words: Words, suffix: str) -> dict[str, str | None]:
    if suffix == "svg":  # its words become elements
        return {**_NOTHING[suffix]}
    text = "Description" if suffix == "png" else "Subject"
    return {**_NOTHING[suffix], "Title": words.title, text: words.text}


def _with_words(svg: bytes, words: Words) -> bytes:
    """Return an SVG that tells what is to be seen in it to those who do not see it."""
    start = svg.index(b"<svg ")
    end = svg.index(b">", start)  # no attribute of it holds one
    title = f'<title id="ave-score-title">{escape(words.title)}</title>'
    text = f'<desc id="ave-score-desc">{escape(words.text)}</desc>'
    role = ' role="img" aria-labelledby="ave-score-title ave-score-desc"'
    told = f"{role}>\n {title}\n {text}"
    return svg[:end] + told.encode() + svg[end + 1 :]
