"""Tables for people: colour where there is a terminal, nothing that needs it to be understood.

The layout is set here and not by rich.table, which would take half the time of scoring a campaign's
runs; rich still measures the text (an ideogram is two columns wide).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

import click
from rich.cells import cell_len, chop_cells

from ave_score.reports.grid import Grid, Tone
from ave_score.reports.look import Look
from ave_score.reports.tables import describe
from ave_score.scoring import Scores
from ave_score.text import visible

_GAP = "  "
_HEAD_WIDTH = 9
_NARROWEST_NAME = 8


class _Column(NamedTuple):
    """One column: its cells, the head's lines first; names may be folded, figures may not.

    `best` tells for each cell whether it is set off.
    """

    head: list[str]
    cells: list[str]
    best: list[bool]
    right: bool

    @property
    def width(self) -> int:
        """Columns of the terminal that the widest cell takes."""
        return max(map(cell_len, [*self.head, *self.cells]))


def render_terminal(scores: Scores, tables: Sequence[Grid], look: Look) -> str:
    """Return what was scored, the tables and the signature, ready to be written to a terminal."""
    parts = [
        _bold(visible(scores.collection.path), look),
        *_filled(describe(scores), look),
    ]
    for table in tables:
        parts += ["", grid_terminal(table, look).removesuffix("\n")]
    has_best = any(table.best for table in tables)
    parts += ["", *["* best of its column, baselines aside"] * has_best]
    parts.append(f"Signature: {scores.signature}")
    return "\n".join(parts) + "\n"


def grid_terminal(grid: Grid, look: Look) -> str:
    """Return a table under its title, with its notes; row by row where it is too wide."""
    parts = [_bold(visible(grid.title), look)] if grid.title else []
    if grid.rows:
        columns = _columns(grid)
        widths = _widths(columns, look.width)
        wide = sum(widths) + len(_GAP) * (len(widths) - 1)
        is_too_wide = look.width is not None and wide > look.width
        parts += _records(grid, columns) if is_too_wide else _lines(grid, columns, widths, look)
    for note in grid.notes:
        parts += _filled(visible(note), look)
    return "\n".join(parts) + "\n"


def _bold(text: str, look: Look) -> str:
    return click.style(text, bold=True) if look.colour else text


def _filled(text: str, look: Look) -> list[str]:
    return wrap(text, look.width) if look.width else [text]


def _columns(grid: Grid) -> list[_Column]:
    columns = []
    for number, (head, letter) in enumerate(zip(grid.heads, grid.align, strict=True)):
        best = [(place, number) in grid.best for place in range(len(grid.rows))]
        cells = [visible(cells[number]) for cells in grid.rows]
        lines = wrap(head, _HEAD_WIDTH, break_long_words=False) if letter == "r" else [head]
        if any(best):
            # the star of the best has a place of its own, so that figures stay aligned
            cells = [cell + "* "[not one] for cell, one in zip(cells, best, strict=True)]
            lines = [f"{line} " for line in lines]
        columns.append(_Column(lines, cells, best, letter == "r"))
    deepest = max(len(column.head) for column in columns)
    return [
        column._replace(head=[""] * (deepest - len(column.head)) + column.head)
        for column in columns
    ]


def _widths(columns: Sequence[_Column], available: int | None) -> list[int]:
    """Return the width of each column; the widest names give way where there is too little room."""
    widths = [column.width for column in columns]
    names = [number for number, column in enumerate(columns) if not column.right]
    while available and sum(widths) + len(_GAP) * (len(widths) - 1) > available:
        widest = max(names, key=lambda number: widths[number])
        if widths[widest] <= _NARROWEST_NAME:
            break
        widths[widest] -= 1
    return widths


def _lines(
    grid: Grid, columns: Sequence[_Column], widths: Sequence[int], look: Look
) -> Iterator[str]:
    """Yield the lines of a table, names folded to the width of their columns."""
    for head in zip_longest(*(column.head for column in columns), fillvalue=""):
        yield _GAP.join(_padded(head, columns, widths)).rstrip()
    yield _GAP.join(("─" if look.lines else "-") * width for width in widths)
    for place in range(len(grid.rows)):
        folded = [
            [column.cells[place]] if column.right else _folded(column.cells[place], width)
            for column, width in zip(columns, widths, strict=True)
        ]
        for texts in zip_longest(*folded, fillvalue=""):
            cells = _padded(texts, columns, widths)
            if look.colour:
                tone = grid.tones.get(place)
                best = [column.best[place] for column in columns]
                cells = [_styled(cell, tone, one) for cell, one in zip(cells, best, strict=True)]
                yield _GAP.join(cells)
            else:
                yield _GAP.join(cells).rstrip()


def _folded(name: str, width: int) -> list[str]:
    """Break a name between words where that is enough, else anywhere."""
    lines = wrap(name, width) or [""]
    fits = max(map(cell_len, lines)) <= width
    return lines if fits else chop_cells(name, width)


def _padded(cells: Sequence[str], columns: Sequence[_Column], widths: Sequence[int]) -> list[str]:
    """Fill the cells up to the widths of their columns."""
    padded = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        blanks = " " * (width - cell_len(cell))
        padded.append(blanks + cell if column.right else cell + blanks)
    return padded


def _styled(text: str, tone: Tone | None, best: bool) -> str:
    if tone is Tone.BASELINE:
        return click.style(text, dim=True, italic=True)
    return click.style(text, fg="cyan" if tone is Tone.SYSTEM else None, bold=best)


def _records(grid: Grid, columns: Sequence[_Column]) -> Iterator[str]:
    """Yield each row as a name, with a line for each figure."""
    heads = [" ".join(filter(None, (line.strip() for line in one.head))) for one in columns]
    figures = [number for number, one in enumerate(columns) if one.right and heads[number]]
    widest = max((cell_len(heads[number]) for number in figures), default=0)
    for place in range(len(grid.rows)):
        yield ""
        yield " ".join(one.cells[place] for one in columns if not one.right and one.cells[place])
        for number in figures:
            cell = columns[number].cells[place].strip()
            if cell:
                yield f"{_GAP}{heads[number]}{' ' * (widest - cell_len(heads[number]))}{_GAP}{cell}"
