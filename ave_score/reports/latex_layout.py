"""Tables on a page of LaTeX: how wide texts are, what fits side by side, what continues below.

Widths are estimates from the metrics of Computer Modern, in points at the size of 10 points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from textwrap import wrap
from typing import NamedTuple

from ave_score.core.text import visible

LINE = 343.0
"""Points of a line in the class article at 10 points, 345, without a reserve."""

_PAGE_LINES, _FEW_NOTES = 40, 8
"""Lines of tables on a page, which leave space for a caption and this number of lines of notes."""

_NAME_WIDTHS = 90.0, 240.0
"""Least width of a column of names that wrap, and that of names of many lines."""

_NAME_LINES = 20
"""Lines of a name for which a column is made wider."""

_HEAD_CHARACTERS = 8
"""A head is wrapped to the width of its column, but to no fewer characters."""

_WIDTHS = {
    character: width
    for characters, width in (
        ("!',.:;il|[]`", 2.8),
        (" -jf", 3.4),
        ("()Irst*", 4.0),
        ("cez?", 4.7),
        ('0123456789aognovxy/$"–', 5.0),
        ("BEFPLRTZ^~", 7.4),
        ("CDGHKNOQUVXYA_+=<>&−", 7.9),
        ("mM#%w", 9.2),
        ("W@", 10.3),
    )
    for character in characters
}
_OTHER, _WIDE = 5.6, 10.0

_LONGEST_WORD = 30
"""Characters of a word in a head that is not divided."""


class Size(NamedTuple):
    """The size of the letters of a table, relative to 10 points, and its narrowness."""

    command: str
    scale: float
    gap: float
    wraps_heads: bool


SIZES = (
    Size("", 1.0, 6, False),
    Size("", 1.0, 6, True),
    Size(r"\small", 0.925, 5, True),
    Size(r"\footnotesize", 0.85, 4, True),
    Size(r"\footnotesize", 0.85, 3, True),
)
"""From the most comfortable to the narrowest."""


class LatexCell(NamedTuple):
    """The text of a cell, what follows in brackets, and the decimals that others have and it not.

    `markup` is a command of LaTeX, or empty.
    """

    text: str
    behind: str = ""
    absent: str = ""
    markup: str = ""


class LatexColumn(NamedTuple):
    """A column of texts, `l` or `r`; it wraps if it has a width, in points."""

    heads: Sequence[str]
    cells: Sequence[LatexCell]
    letter: str
    width: float = 0.0

    @property
    def is_double(self) -> bool:
        """Whether what follows the figures is aligned, too."""
        return any(cell.behind for cell in self.cells)

    @property
    def natural(self) -> float:
        """The width that the texts need without wrapping."""
        figure = max(width_of(cell.text + cell.absent) for cell in self.cells)
        behind = max(width_of(cell.behind) for cell in self.cells)
        return max(figure + (behind + width_of(" ")) * self.is_double, *map(width_of, self.heads))


def space_beside(notes: Sequence[str]) -> int:
    """Return the number of lines of tables on a page with these notes below."""
    lines = sum(ceil(width_of(note) * SIZES[-1].scale / LINE) for note in notes)
    return max(_PAGE_LINES - max(lines - _FEW_NOTES, 0), _FEW_NOTES)


class LatexPanel(NamedTuple):
    """Columns and rows that are printed as one grid; `lines` is its height."""

    columns: Sequence[LatexColumn]
    rows: range
    lines: int


@lru_cache(1 << 14)
def width_of(text: str) -> float:
    """Return the width of a text in points."""
    return sum(
        _WIDTHS.get(character, _OTHER if ord(character) < 0x1100 else _WIDE) for character in text
    )


_FIGURE = re.compile(r"([-+]?[\d.,]+|n/a) ([(\[].*[)\]])")


def column_of(head: str, letter: str, texts: Sequence[str], markup: Sequence[str]) -> LatexColumn:
    """Return a column with a head of one line; figures have minus signs, ranges have dashes."""
    cells = [
        LatexCell(visible(text), markup=each) for text, each in zip(texts, markup, strict=True)
    ]
    if letter == "r":
        cells = _aligned([_parted(cell) for cell in cells])
    return LatexColumn([visible(head)], cells, letter)


def _parted(cell: LatexCell) -> LatexCell:
    match = _FIGURE.fullmatch(cell.text)
    text, behind = (match[1], match[2]) if match else (cell.text, "")
    return cell._replace(text=_signed(text), behind=_signed(behind))


def _aligned(cells: Sequence[LatexCell]) -> list[LatexCell]:
    """Return the cells of figures, which reserve space for decimals that only others have."""
    decimals = [re.fullmatch(r"[−+]?[\d,]+(\.\d+)?", cell.text) for cell in cells]
    longest = max((match[1] or "" for match in decimals if match), key=len, default="")
    return [
        cell._replace(absent=longest[len(match[1] or "") :]) if match else cell
        for cell, match in zip(cells, decimals, strict=True)
    ]


def _signed(text: str) -> str:
    if text.startswith("("):  # a name
        return text
    return re.sub(r"(?<=\d)-(?=\d)", "–", re.sub(r"(?<![\w.])-(?=[\d.])", "−", text))


def panels_of(
    columns: Sequence[LatexColumn], keys: int, space: int
) -> tuple[Size, list[LatexPanel]]:
    """Return the largest size at which a table fits, and its parts, which have all key columns.

    `space` is the number of lines of a page.
    """
    for size in SIZES:
        laid = [_headed(column, size) for column in columns]
        if _total(laid, size) <= LINE:
            return size, [*_cut([laid], size, space)]
    for size in SIZES[2:]:
        laid = [_headed(column, size) for column in columns]
        shared = _shared(laid, size)
        if shared is not None:
            return size, [*_cut([shared], size, space)]
    narrow = _limited(laid, size)
    return size, [*_cut(_split(narrow, keys, size), size, space)]


def _headed(column: LatexColumn, size: Size) -> LatexColumn:
    if not size.wraps_heads or column.letter == "l":
        return column
    most = max(_HEAD_CHARACTERS, *(len(cell.text + cell.behind) for cell in column.cells))
    (head,) = column.heads
    longest = max(map(len, head.split()), default=0)
    heads = wrap(head, min(max(most, longest), max(most, _LONGEST_WORD)))
    return column._replace(heads=heads or [""])


def _total(columns: Sequence[LatexColumn], size: Size) -> float:
    widths = [column.width or column.natural * size.scale for column in columns]
    return sum(widths) + 2 * size.gap * (len(columns) - 1)


def _shared(columns: Sequence[LatexColumn], size: Size) -> list[LatexColumn] | None:
    """Return columns whose long names share what is left of a line, None if that is too little."""
    by_width = sorted((one.natural * size.scale, one.letter == "l") for one in columns)
    names = [width for width, is_name in by_width if is_name]
    left = LINE - _total(columns, size) + sum(names)
    while names and left / len(names) >= names[0]:
        left -= names.pop(0)
    share = left / len(names) if names else 0
    return _limited(columns, size, share) if share > _least(names) else None


def _least(names: Sequence[float]) -> float:
    """Return how wide a column has to be to wrap names of these widths."""
    low, high = _NAME_WIDTHS
    return min(max([low, *(width / _NAME_LINES for width in names)]), high)


def _limited(columns: Sequence[LatexColumn], size: Size, most: float = 0) -> list[LatexColumn]:
    """Return columns of which names that are longer than `most`, or their least, wrap."""
    limited = []
    for one in columns:
        width = one.natural * size.scale
        limit = most or _least([width])
        limited.append(one._replace(width=limit) if one.letter == "l" and width > limit else one)
    return limited


def _split(columns: Sequence[LatexColumn], keys: int, size: Size) -> list[list[LatexColumn]]:
    """Return as few parts as possible, of even widths."""
    widths = [_total([column], size) for column in columns]
    parts = _filled(columns, widths, keys, size, LINE)
    for width in range(int(LINE), 0, -5):
        even = _filled(columns, widths, keys, size, width)
        if len(even) > len(parts):
            break
        parts = even
    return parts


def _filled(
    columns: Sequence[LatexColumn], widths: Sequence[float], keys: int, size: Size, most: float
) -> list[list[LatexColumn]]:
    """Return parts that have the key columns and as many others as fit."""
    parts, used = [[*columns[:keys]]], [*widths[:keys]]
    for column, width in zip(columns[keys:], widths[keys:], strict=True):
        if len(used) > keys and sum([*used, width]) + 2 * size.gap * len(used) > most:
            parts.append([*columns[:keys]])
            used = [*widths[:keys]]
        parts[-1].append(column)
        used.append(width)
    return parts


def _cut(parts: Sequence[Sequence[LatexColumn]], size: Size, space: int) -> Iterator[LatexPanel]:
    """Yield the panels: as many rows as a page has space for, in all parts."""
    lines = len(parts[0][0].cells)
    heights = [max(_lines(one, row, size) for one in parts[0]) for row in range(lines)]
    start = 0
    while start < lines:
        head = max(len(column.heads) for part in parts for column in part)
        stop, height = start + 1, head + heights[start]
        while stop < lines and height + heights[stop] <= space:
            height += heights[stop]
            stop += 1
        yield from (LatexPanel(part, range(start, stop), height) for part in parts)
        start = stop


def _lines(column: LatexColumn, row: int, size: Size) -> int:
    if not column.width:
        return 1
    return ceil(1.1 * width_of(column.cells[row].text) * size.scale / column.width) or 1
