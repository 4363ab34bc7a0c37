"""Tables in a terminal, drawn by rich: long names wrap, figures are never split.

If a table is too wide even with wrapped names, its other columns continue below, under the same
names. Colours and bold text carry no information that the text does not.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ave_score.reports.report import Report, ReportTable, RowStyle
from ave_score.reports.style import TextStyle
from ave_score.text import visible

_HEAD_WIDTH = 9
_UNLIMITED = 1_000_000
_NAME_WIDTH, _KEY_WIDTH = 8, 12
"""Minimum widths of a column of names, and of a key column."""
_ROW_STYLES = {RowStyle.BASELINE: "dim italic", RowStyle.SYSTEM: "cyan", None: ""}
_LINE = Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
_ASCII_LINE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)


class _Column(NamedTuple):
    """A column as it is drawn.

    Attributes
    ----------
    head, cells
        The texts; figures are already aligned.
    best
        For each cell, whether it is the best of the column.
    is_name
        Whether the texts may wrap.
    least
        The minimum width.
    gap
        Spaces before the next column.
    """

    head: str
    cells: Sequence[str]
    best: Sequence[bool]
    is_name: bool
    least: int
    gap: int = 2


def render(report: Report, style: TextStyle) -> str:
    """Return all tables, between the heading and the signature."""
    tables = report.tables()
    texts = [table_text(table, style) for table in tables]
    if report.heading is None:
        return "\n".join(texts)
    title, description, signature = report.heading
    best = ["* best of its column, baselines excluded"] * any(table.best for table in tables)
    above = _drawn([Text(visible(title), "bold"), Text(description)], style)
    return "\n".join([above, *texts, "\n".join([*best, f"Signature: {signature}", ""])])


def table_text(table: ReportTable, style: TextStyle) -> str:
    """Return a table with its title and notes."""
    parts: list[Text | Table] = [Text(visible(table.title), "bold")] if table.title else []
    least = 0
    if table.rows:
        for number, columns in enumerate(_split(_columns(table), table.keys, style.width)):
            parts += [Text()] * (number > 0)
            parts.append(_drawable(columns, table, style))
            least = max(least, _total(columns))
    parts += [Text(visible(note)) for note in table.notes]
    return _drawn(parts, style, least)


def _columns(table: ReportTable) -> list[_Column]:
    columns = []
    for number, (head, letter) in enumerate(zip(table.heads, table.align, strict=True)):
        best = [(row, number) in table.best for row in range(len(table.rows))]
        cells = [visible(row[number]) for row in table.rows]
        if letter == "l":
            width = max(map(cell_len, [head, *cells]))
            least = _KEY_WIDTH if number < table.keys else _NAME_WIDTH
            columns.append(_Column(head, cells, best, True, min(width, least)))
            continue
        # the mark of the best value has its own character column, to keep figures aligned
        mark = " " if any(best) else ""
        most = max(_HEAD_WIDTH, *map(cell_len, cells))
        lines = [line + mark for line in wrap(head, most, break_long_words=False)]
        marked = [cell + ("*" if one else mark) for cell, one in zip(cells, best, strict=True)]
        width = max(map(cell_len, [*lines, *marked]))
        aligned = [_right(cell, width) for cell in marked]
        text = "\n".join(_right(line, width) for line in lines)
        columns.append(_Column(text, aligned, best, False, width))
    return columns


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text


def _total(columns: Sequence[_Column]) -> int:
    return sum(one.least + one.gap for one in columns) - columns[-1].gap


def _split(columns: Sequence[_Column], keys: int, available: int | None) -> list[list[_Column]]:
    """Return the columns of each part of a table; every part begins with the key columns."""
    # the character column of the mark is mostly empty: a gap of 1 after it is enough
    tight = [one._replace(gap=1) if any(one.best) else one for one in columns]
    if not available or _total(tight) <= available:
        return [list(columns if not available or _total(columns) <= available else tight)]
    parts = _filled(columns, keys, available)
    for width in range(available - 1, 0, -1):  # the same number of parts, of even widths
        even = _filled(columns, keys, width)
        if len(even) > len(parts):
            break
        parts = even
    return parts


def _filled(columns: Sequence[_Column], keys: int, width: int) -> list[list[_Column]]:
    """Return parts that have the key columns and as many others as fit."""
    parts = [list(columns[:keys])]
    for column in columns[keys:]:
        if len(parts[-1]) > keys and _total([*parts[-1], column]) > width:
            parts.append(list(columns[:keys]))
        parts[-1].append(column)
    return parts


def _drawable(columns: Sequence[_Column], table: ReportTable, style: TextStyle) -> Table:
    """Return the table for rich: figures with a fixed width, names wrap."""
    columns = [*columns[:-1], columns[-1]._replace(gap=1)]
    box = _LINE if style.unicode else _ASCII_LINE
    drawn = Table(box=box, show_edge=False, padding=0, header_style="bold")
    for one in columns:
        width = None if one.is_name else one.least + one.gap - 1
        drawn.add_column(_cell(one.head, one), width=width)
    for number in range(len(table.rows)):
        cells = [_cell(one.cells[number], one, is_best=one.best[number]) for one in columns]
        drawn.add_row(*cells, style=_ROW_STYLES[table.styles.get(number)])
    return drawn


def _cell(text: str, column: _Column, *, is_best: bool = False) -> Text | Padding:
    """Return a cell with the gap after it, less the character that rich puts between columns."""
    gap, style = column.gap - 1, "bold" if is_best else ""
    if column.is_name and gap:
        return Padding(Text(text, style, overflow="fold"), (0, gap, 0, 0))
    return Text(text.replace("\n", " " * gap + "\n") + " " * gap, style, overflow="fold")


def _drawn(parts: Sequence[Text | Table], style: TextStyle, least: int = 0) -> str:
    """Return the text of titles, tables and notes; tables are at least `least` columns wide."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=_UNLIMITED,
        color_system="standard" if style.colour else None,
        force_terminal=style.colour,
        force_jupyter=False,
        no_color=False,
        legacy_windows=False,
        _environ={},
    )
    width = style.width or _UNLIMITED
    for part in parts:
        if isinstance(part, Text):
            part.overflow = "ignore"  # do not split long words, such as signatures
            for line in part.wrap(console, width):
                console.print(line)
        else:
            console.print(part, width=max(width, least))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
