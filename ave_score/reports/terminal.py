"""Tables in a terminal: long names wrap, figures are never split.

If a table is too wide even with wrapped names, its other columns continue below, under the same
names. Colours and bold text carry no information that the text does not. Without them, and if every
line fits, text is drawn here; anything else is drawn by rich, which takes long to import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ave_score.core.text import visible
from ave_score.reports.columns import head_lines, parts_of
from ave_score.reports.report import Report, ReportTable
from ave_score.reports.style import TextStyle, cells_of, is_narrow
from ave_score.reports.terminal_parts import (
    UNLIMITED,
    Part,
    TerminalColumn,
    TerminalGrid,
    TerminalLine,
)

_NAME_WIDTH, _KEY_WIDTH = 8, 12
"""Minimum widths of a column of names, and of a key column."""


def render(report: Report, style: TextStyle) -> str:
    """Return all tables, between the heading and the signature."""
    tables = report.tables()
    texts = [table_text(table, style) for table in tables]
    if report.heading is None:
        return "\n".join(texts)
    title, description, signature = report.heading
    best = ["* best of its column, baselines excluded"] * any(table.best for table in tables)
    above = _drawn([TerminalLine(visible(title), is_bold=True), TerminalLine(description)], style)
    return "\n".join([above, *texts, "\n".join([*best, f"Signature: {signature}", ""])])


def table_text(table: ReportTable, style: TextStyle) -> str:
    """Return a table with its title and notes."""
    parts: list[Part] = [TerminalLine(visible(table.title), is_bold=True)] if table.title else []
    styles = [table.styles.get(number) for number in range(len(table.rows))]
    least = 0
    if table.rows:
        for number, columns in enumerate(_split(_columns(table), table.keys, style.width)):
            parts += [TerminalLine()] * (number > 0)
            parts.append(TerminalGrid([*columns[:-1], columns[-1]._replace(gap=1)], styles))
            least = max(least, _total(columns))
    parts += [TerminalLine(visible(note)) for note in table.notes]
    return _drawn(parts, style, least)


def _columns(table: ReportTable) -> list[TerminalColumn]:
    columns = []
    for number, (head, letter) in enumerate(zip(table.heads, table.align, strict=True)):
        best = [(row, number) in table.best for row in range(len(table.rows))]
        cells = [visible(row[number]) for row in table.rows]
        if letter == "l":
            width = max(map(cells_of, [head, *cells]))
            least = _KEY_WIDTH if number < table.keys else _NAME_WIDTH
            columns.append(TerminalColumn(head, cells, best, True, min(width, least)))
            continue
        # the mark of the best value has its own character column, to keep figures aligned
        mark = " " if any(best) else ""
        lines = [line + mark for line in head_lines(head, cells)]
        marked = [cell + ("*" if top else mark) for cell, top in zip(cells, best, strict=True)]
        width = max(map(cells_of, [*lines, *marked]))
        aligned = [_right(cell, width) for cell in marked]
        text = "\n".join(_right(line, width) for line in lines)
        columns.append(TerminalColumn(text, aligned, best, False, width))
    return columns


def _right(text: str, width: int) -> str:
    return " " * (width - cells_of(text)) + text


def _total(columns: Sequence[TerminalColumn]) -> int:
    return sum(column.least + column.gap for column in columns) - columns[-1].gap


def _split(
    columns: Sequence[TerminalColumn], keys: int, available: int | None
) -> list[list[TerminalColumn]]:
    """Return the columns of each part of a table; every part begins with the key columns."""
    # the character column of the mark is mostly empty: a gap of 1 after it is enough
    tight = [column._replace(gap=1) if any(column.best) else column for column in columns]
    if not available or _total(tight) <= available:
        return [list(columns if not available or _total(columns) <= available else tight)]
    widths = [column.least + column.gap for column in columns]
    parts = parts_of(widths, keys, available + columns[-1].gap)
    return [[columns[number] for number in part] for part in parts]


def _drawn(parts: Sequence[Part], style: TextStyle, least: int = 0) -> str:
    """Return the text of titles, tables and notes; tables are at least `least` columns wide."""
    lines = None if style.colour else _plain_lines(parts, style, least)
    if lines is None:
        from ave_score.reports.rich_text import drawn

        lines = drawn(parts, style, least)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _plain_lines(parts: Sequence[Part], style: TextStyle, least: int) -> list[str] | None:
    """Return the lines of parts without colours; None if one of them does not fit."""
    width = style.width or UNLIMITED
    lines: list[str] = []
    for part in parts:
        if isinstance(part, TerminalLine):
            drawn, widths = [part.text], [len(part.text)]
            fits = is_narrow(part.text) and widths[0] <= width
        else:
            widths = [_width(column) for column in part.columns]
            fits = all(widths) and sum(widths) + len(widths) - 1 <= max(width, least)
            fits = fits and all(map(is_narrow, _texts(part.columns)))
            drawn = [*_grid_lines(part.columns, widths, "─" if style.unicode else "-")]
        if not fits:
            return None
        lines += drawn
    return lines


def _texts(columns: Sequence[TerminalColumn]) -> Iterator[str]:
    for column in columns:
        yield from [column.head] if column.is_name else column.head.split("\n")
        yield from column.cells


def _width(column: TerminalColumn) -> int:
    """Return the width that a column needs without wrapping, with all of its gap but one space."""
    least = max(map(len, [column.head, *column.cells])) if column.is_name else column.least
    return least + column.gap - 1


def _grid_lines(
    columns: Sequence[TerminalColumn], widths: Sequence[int], dash: str
) -> Iterator[str]:
    """Yield the lines of a table whose columns have these widths."""
    heads = [column.head.split("\n") for column in columns]
    height = max(map(len, heads))
    rows = [[""] * (height - len(lines)) + lines for lines in heads]
    for row in zip(*rows, strict=True):
        yield " ".join(map(str.ljust, row, widths))
    yield dash * (sum(widths) + len(widths) - 1)
    for row in zip(*(column.cells for column in columns), strict=True):
        yield " ".join(map(str.ljust, row, widths))
