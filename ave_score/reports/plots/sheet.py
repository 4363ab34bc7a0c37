"""A figure to draw on, measured in inches, and text that is shown literally and fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ave_score.reports.plots.look import NOTE, TICK, TITLE
from ave_score.reports.plots.words import Words
from ave_score.text import visible

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
