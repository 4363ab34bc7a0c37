"""Tables in a terminal: long names wrap at their marks, figures are never split.

If a table is too wide even with wrapped names, its other columns continue below, under the same
names. Colours and bold text carry no information that the text does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ave_score.core.text import visible
from ave_score.reports.columns import head_lines, parts_of
from ave_score.reports.report import Report, ReportTable, RowStyle, notes_on_best
from ave_score.reports.style import TextStyle, cells_of, folded, folded_name, name_pieces

_NAME_WIDTH, _KEY_WIDTH = 8, 12
"""Minimum widths of a column of names, and of a key column."""

_WHOLE = 24
"""A piece of a name up to this width is never split, nor is one that is half a terminal wide."""

_BOLD, _ROW_CODES = "1", {RowStyle.BASELINE: "2;3", RowStyle.SYSTEM: "36", None: ""}
"""The codes of a terminal: bold; dim and italic, cyan."""


class _TerminalColumn(NamedTuple):
    """A column as it is drawn.

    Attributes
    ----------
    head
        The lines of the head.
    cells
        The texts; figures are already aligned.
    best
        For each cell, whether it is the best of the column.
    width
        The width that it needs without wrapping.
    least
        The width at which no piece of a name is split.
    floor
        The minimum width, if there is no other way to fit.
    gap
        Spaces before the next column.
    """

    head: Sequence[str]
    cells: Sequence[str]
    best: Sequence[bool]
    width: int
    least: int
    floor: int
    gap: int = 2


def render(report: Report, style: TextStyle) -> str:
    """Return all tables, between the heading and the signature."""
    tables = report.tables()
    texts = [table_text(table, style) for table in tables]
    if report.heading is None:
        return "\n".join(texts)
    title, description, signature = report.heading
    best = notes_on_best(tables, "* best of its column")
    above = _text([*_line(visible(title), style, _BOLD), *_line(description, style)])
    return "\n".join([above, *texts, "\n".join([*best, f"Signature: {signature}", ""])])


def table_text(table: ReportTable, style: TextStyle) -> str:
    """Return a table with its title and notes."""
    lines = _line(visible(table.title), style, _BOLD) if table.title else []
    if table.rows:
        styles = [table.styles.get(number) for number in range(len(table.rows))]
        columns = _columns(table, max(_WHOLE, (style.width or 0) // 2))
        for number, part in enumerate(_split(columns, table.keys, style.width)):
            lines += [""] * (number > 0)
            lines += _grid_lines(part, styles, style)
    lines += [line for note in table.notes for line in _line(visible(note), style)]
    return _text(lines)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _line(text: str, style: TextStyle, code: str = "") -> list[str]:
    """Return a line of text, which wraps in a narrow terminal; no word is split."""
    lines = [text] if style.width is None else folded(text, style.width)
    return [_styled(line, code, style) for line in lines]


def _styled(text: str, code: str, style: TextStyle) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if style.colour and code and text else text


def _columns(table: ReportTable, whole: int) -> list[_TerminalColumn]:
    """Return the columns of a table; pieces of names up to the width `whole` are not split."""
    columns = []
    for number, (head, letter) in enumerate(zip(table.heads, table.align, strict=True)):
        best = [(row, number) in table.best for row in range(len(table.rows))]
        cells = [visible(row[number]) for row in table.rows]
        if letter == "l":
            width = max(map(cells_of, [head, *cells]))
            floor = min(width, _KEY_WIDTH if number < table.keys else _NAME_WIDTH)
            pieces = (piece.lstrip() for text in [head, *cells] for piece in name_pieces(text))
            least = max(floor, min(whole, max(map(cells_of, pieces), default=0)))
            columns.append(_TerminalColumn([head], cells, best, width, least, floor))
            continue
        # the mark of the best value has its own character column, to keep figures aligned
        mark = " " if any(best) else ""
        lines = [line + mark for line in head_lines(head, cells)]
        marked = [cell + ("*" if top else mark) for cell, top in zip(cells, best, strict=True)]
        width = max(map(cells_of, [*lines, *marked]))
        heads, cells = ([_right(text, width) for text in texts] for texts in (lines, marked))
        columns.append(_TerminalColumn(heads, cells, best, width, width, width))
    return columns


def _right(text: str, width: int) -> str:
    return " " * (width - cells_of(text)) + text


def _total(columns: Sequence[_TerminalColumn]) -> int:
    return sum(column.least + column.gap for column in columns) - columns[-1].gap


def _split(
    columns: Sequence[_TerminalColumn], keys: int, available: int | None
) -> list[list[_TerminalColumn]]:
    """Return the columns of each part of a table, none wider than it may be.

    Every part begins with the key columns.
    """
    if not available:
        return [list(columns)]
    # the character column of the mark is mostly empty: a gap of 1 after it is enough
    tight = [column._replace(gap=1) if any(column.best) else column for column in columns]
    if _total(tight) <= available:
        fits = _total(columns) <= available
        return [_narrowed(columns if fits else tight, available)]
    widths = [column.least + column.gap for column in columns]
    parts = parts_of(widths, keys, available + columns[-1].gap)
    return [_narrowed([columns[number] for number in part], available) for part in parts]


def _narrowed(columns: Sequence[_TerminalColumn], available: int) -> list[_TerminalColumn]:
    """Return columns that fit together, if they can; the widest are narrowed first."""
    gaps = sum(column.gap for column in columns[:-1])
    widest = min(available, max(column.width for column in columns))
    floors = [[column.least for column in columns], [column.floor for column in columns]]
    tried = (
        [max(low, min(column.width, limit)) for low, column in zip(lows, columns, strict=True)]
        for lows in floors
        for limit in range(widest, 0, -1)
    )
    widths = next((widths for widths in tried if sum(widths) + gaps <= available), floors[1])
    return [column._replace(width=width) for column, width in zip(columns, widths, strict=True)]


def _grid_lines(
    columns: Sequence[_TerminalColumn], styles: Sequence[RowStyle | None], style: TextStyle
) -> Iterator[str]:
    """Yield the lines of a table; the texts of a narrow column stand on several."""
    heads = [
        [line for text in column.head for line in folded_name(text, column.width)]
        for column in columns
    ]
    texts = [[folded_name(cell, column.width) for cell in column.cells] for column in columns]
    widths = [
        max(cells_of(line) for lines in [head, *of_column] for line in lines) + column.gap
        for head, of_column, column in zip(heads, texts, columns, strict=True)
    ]
    height = max(map(len, heads))
    above = [[""] * (height - len(head)) + head for head in heads]
    yield from _row_lines(above, [_BOLD] * len(heads), widths, style)
    yield ("─" if style.unicode else "-") * (sum(widths) - columns[-1].gap)
    for number, kind in enumerate(styles):
        code = _ROW_CODES[kind]
        codes = [";".join(filter(None, [_BOLD * column.best[number], code])) for column in columns]
        yield from _row_lines([of_column[number] for of_column in texts], codes, widths, style)


def _row_lines(
    cells: Sequence[Sequence[str]], codes: Sequence[str], widths: Sequence[int], style: TextStyle
) -> Iterator[str]:
    """Yield the lines of a row, whose cells have several lines each."""
    for texts in zip_longest(*(map(str.rstrip, lines) for lines in cells), fillvalue=""):
        yield "".join(
            _styled(text, code, style) + " " * (width - cells_of(text))
            for text, code, width in zip(texts, codes, widths, strict=True)
        )
