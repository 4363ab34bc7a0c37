"""Figures measured in inches: styles, text that fits, and output as bytes.

The same input gives the same bytes, without a date. Matplotlib is imported only for drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape

from ave_score.core.errors import UsageError
from ave_score.core.exact import fixed
from ave_score.core.text import shorten, shortened, visible

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DIGITS = 2


class Words(NamedTuple):
    """The title and notes of a figure, and its data as text."""

    title: str
    text: str
    notes: Sequence[str] = ()


class LeftOut(NamedTuple):
    """A run that a figure cannot show, and why."""

    run: str
    reason: str


def left_out_notes(left_out: Iterable[LeftOut]) -> list[str]:
    """Return a note for each reason why runs are not drawn."""
    by_reason: dict[str, list[str]] = {}
    for run, reason in left_out:
        by_reason.setdefault(reason, []).append(visible(run))
    return [f"Not drawn: {', '.join(runs)}: {reason}." for reason, runs in by_reason.items()]


def number(value: Fraction | None, digits: int = DIGITS) -> str:
    """Return a number as printed in figures."""
    return "n/a" if value is None else fixed(value, digits)


def words_of(title: str, sentences: Iterable[str], notes: Sequence[str]) -> Words:
    """Return the words of a figure; the notes are also the end of its text."""
    return Words(title, " ".join([*sentences, *notes]), notes)


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
"""Strokes in the order of curves; the colours are close to those of Okabe and Ito."""

FAINT = Stroke("#BBBBBB", "-", "")
"""The stroke of curves beyond those in `STROKES`."""

RUN_FILL, SYSTEM_FILL = "#3B6FA5", "#E8B668"
"""Bars of answer-validation runs and of QA systems: distinguishable in greyscale."""

HATCH, HATCH_COLOUR = "/////", "#777777"
"""The hatching of potential values."""

TITLE, LABEL, TICK, NOTE, SMALL = 9.0, 8.0, 7.0, 6.5, 6.0
"""Sizes of text in points, independent of the width of the figure."""

_SETTINGS: dict[str, object] = {
    "text.parse_math": False,  # a name with two dollar signs is not a formula
    "svg.hashsalt": "ave-score",  # the same input, the same bytes
    "pdf.fonttype": 42,
    "font.family": ["DejaVu Sans"],  # included in matplotlib
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


MARGIN = 0.08
"""The margin on all four sides, in inches."""

LEGEND_ROW = TICK * 1.55 / 72
"""The height of a legend row, in inches."""

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

        `sample` is the length of a legend sample, in units of the font size.
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
    """Return an empty figure; `width` and the height of the `body` are in inches."""
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


def inches(text: str, size: float) -> float:
    """Return the width of a text; letters missing from the font count as squares."""
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
    """Shorten names to at most `room` inches by removing the middle.

    Names of runs often differ at the end. Names that become identical are numbered.
    """
    return shortened([*map(drawable, names)], room, partial(inches, size=size))


_ON_PIXELS = 1.05
"""How many times wider than their outlines letters are at most where they fit pixels."""


def wrapped(text: str, room: float, size: float) -> list[str]:
    """Wrap a text to lines of at most `room` inches; long words are shortened."""
    lines: list[str] = []
    now = ""
    for word in drawable(text).split():
        longer = f"{now} {word}" if now else word
        if inches(longer, size) * _ON_PIXELS <= room:
            now = longer
            continue
        if now:
            lines.append(now)
        now = shorten(word, room, partial(inches, size=size))
    return [*lines, now] if now else lines


SUFFIXES = ("svg", "png", "pdf")
"""The file name extensions of figures, which are also the formats."""

WIDTH = 6.3
"""The default width in inches: the text width of a page."""

_DOTS = 200
"""Dots per inch of PNG."""

_NOTHING: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata of matplotlib to leave out: dates and versions."""


def plot_format(path: str) -> str:
    """Return the format of a file by its extension: svg, png or pdf.

    Raises `UsageError` for any other extension, and if matplotlib is not installed.
    """
    suffix = path.rpartition(".")[2].lower() if "." in path else ""
    if suffix not in SUFFIXES:
        allowed = ", ".join(f".{known}" for known in SUFFIXES)
        raise UsageError(f"a figure is written to a file that ends in {allowed}, not to {path!r}")
    if find_spec("matplotlib") is None:
        raise UsageError("drawing needs matplotlib: pip install matplotlib")
    return suffix


def drawn(draw: Callable[[], Sheet], suffix: str) -> bytes:
    """Return a figure as bytes of an svg, png or pdf file, with its words as metadata."""
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
    """Add a title and a description for screen readers to an SVG."""
    start = svg.index(b"<svg ")
    end = svg.index(b">", start)  # no attribute contains >
    title = f'<title id="ave-score-title">{escape(words.title)}</title>'
    text = f'<desc id="ave-score-desc">{escape(words.text)}</desc>'
    role = ' role="img" aria-labelledby="ave-score-title ave-score-desc"'
    added = f"{role}>\n {title}\n {text}"
    return svg[:end] + added.encode() + svg[end + 1 :]
