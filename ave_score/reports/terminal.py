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

from ave_score.reports.look import Look
from ave_score.reports.tables import Line, Table, describe
from ave_score.scoring import Kind, Scores
from ave_score.text import visible

_GAP = "  "
_HEAD_WIDTH = 9
_NARROWEST_NAME = 8


class _Column(NamedTuple):
    """One column: its cells, the head's lines first; names may be folded, figures may not."""

    head: list[str]
    cells: list[str]
    right: bool = False
    foldable: bool = False


def render_terminal(scores: Scores, tables: Sequence[Table], look: Look) -> str:
    """Return what was scored, the tables and the signature, ready to be written to a terminal."""
    parts = [
        _bold(visible(scores.collection.path), look),
        *_filled(describe(scores), look),
    ]
    for table in tables:
        parts += ["", _bold(table.title, look)]
        if table.lines:
            parts += _grid(table, look)
        for note in table.notes:
            parts += _filled(visible(note), look)
    parts += ["", "* best of its column, baselines aside", f"Signature: {scores.signature}"]
    return "\n".join(parts) + "\n"


def _bold(text: str, look: Look) -> str:
    return click.style(text, bold=True) if look.colour else text


def _filled(text: str, look: Look) -> list[str]:
    return wrap(text, look.width) if look.width else [text]


def _grid(table: Table, look: Look) -> Iterator[str]:
    """Yield the lines of a table, names folded as far as the width asks for it."""
    columns = _columns(table)
    widths = _widths(columns, look.width)
    for head in zip_longest(*(column.head for column in columns), fillvalue=""):
        yield _joined(head, columns, widths)
    yield _GAP.join(("─" if look.lines else "-") * width for width in widths)
    for number, line in enumerate(table.lines):
        folded = [
            _folded(column.cells[number], width) if column.foldable else [column.cells[number]]
            for column, width in zip(columns, widths, strict=True)
        ]
        for row in zip_longest(*folded, fillvalue=""):
            yield _joined(row, columns, widths, line if look.colour else None)


def _folded(name: str, width: int) -> list[str]:
    """Break a name between words where that is enough, else anywhere."""
    lines = wrap(name, width) or [""]
    fits = max(map(cell_len, lines)) <= width
    return lines if fits else chop_cells(name, width)


def _columns(table: Table) -> list[_Column]:
    lines = table.lines
    columns = [
        _Column(["#"], [line.rank for line in lines], right=True),
        _Column(["Run"], [visible(line.run) for line in lines], foldable=True),
    ]
    if table.has_groups:
        groups = [visible(line.group) for line in lines]
        columns.append(_Column(["Group"], groups, foldable=True))
    columns.append(_Column(["Kind"], [line.kind.value for line in lines]))
    for number, measure in enumerate(table.columns):
        # the star of the best value has a place of its own, so that figures stay aligned
        blank = "" if measure.whole else " "
        cells = [line.cells[number] + ("*" if line.best[number] else blank) for line in lines]
        head = [f"{part}{blank}" for part in wrap(measure.head, _HEAD_WIDTH)]
        columns.append(_Column(head, cells, right=True))
    deepest = max(len(column.head) for column in columns)
    return [
        column._replace(head=[""] * (deepest - len(column.head)) + column.head)
        for column in columns
    ]


def _widths(columns: Sequence[_Column], available: int | None) -> list[int]:
    """Return the width of each column; the widest names give way where there is too little room."""
    widths = [max(map(cell_len, [*column.head, *column.cells])) for column in columns]
    names = [number for number, column in enumerate(columns) if column.foldable]
    while available and sum(widths) + len(_GAP) * (len(widths) - 1) > available:
        widest = max(names, key=lambda number: widths[number])
        if widths[widest] <= _NARROWEST_NAME:
            break
        widths[widest] -= 1
    return widths


def _joined(
    cells: Sequence[str],
    columns: Sequence[_Column],
    widths: Sequence[int],
    styled_as: Line | None = None,
) -> str:
    """Pad the cells to one line of text, in the style of a line where one is given."""
    padded = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        blanks = " " * (width - cell_len(cell))
        padded.append(blanks + cell if column.right else cell + blanks)
    if styled_as is None:
        return _GAP.join(padded).rstrip()
    names = len(columns) - len(styled_as.best)
    best = [False] * names + list(styled_as.best)
    return _GAP.join(
        _styled(text, styled_as.kind, one) for text, one in zip(padded, best, strict=True)
    )


def _styled(text: str, kind: Kind, best: bool) -> str:
    if kind is Kind.BASELINE:
        return click.style(text, dim=True, italic=True)
    return click.style(text, fg="cyan" if kind is Kind.QA else None, bold=best)
