"""Parts of a report drawn by rich: colours, wide characters and lines that wrap."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.box import Box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ave_score.reports.report import RowStyle
from ave_score.reports.style import TextStyle
from ave_score.reports.terminal_parts import (
    UNLIMITED,
    Part,
    TerminalColumn,
    TerminalGrid,
    TerminalLine,
)

_ROW_STYLES = {RowStyle.BASELINE: "dim italic", RowStyle.SYSTEM: "cyan", None: ""}
_LINE = Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
_ASCII_LINE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)


def drawn(parts: Sequence[Part], style: TextStyle, least: int = 0) -> list[str]:
    """Return the lines of titles, tables and notes; tables are at least `least` columns wide."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=UNLIMITED,
        color_system="standard" if style.colour else None,
        force_terminal=style.colour,
        force_jupyter=False,
        no_color=False,
        legacy_windows=False,
        _environ={},
    )
    width = style.width or UNLIMITED
    for part in parts:
        if isinstance(part, TerminalLine):
            # do not split long words, such as signatures
            text = Text(part.text, "bold" if part.is_bold else "", overflow="ignore")
            for line in text.wrap(console, width):
                console.print(line)
        else:
            console.print(_table(part, style), width=max(width, least))
    return out.getvalue().splitlines()


def _table(grid: TerminalGrid, style: TextStyle) -> Table:
    """Return the table for rich: figures with a fixed width, names wrap."""
    box = _LINE if style.unicode else _ASCII_LINE
    table = Table(box=box, show_edge=False, padding=0, header_style="bold")
    for column in grid.columns:
        width = None if column.is_name else column.least + column.gap - 1
        table.add_column(_cell(column.head, column), width=width)
    for number, kind in enumerate(grid.styles):
        cells = [_cell(of.cells[number], of, is_best=of.best[number]) for of in grid.columns]
        table.add_row(*cells, style=_ROW_STYLES[kind])
    return table


def _cell(text: str, column: TerminalColumn, *, is_best: bool = False) -> Text | Padding:
    """Return a cell with the gap after it, less the character that rich puts between columns."""
    gap, style = column.gap - 1, "bold" if is_best else ""
    if column.is_name and gap:
        return Padding(Text(text, style, overflow="fold"), (0, gap, 0, 0))
    return Text(text.replace("\n", " " * gap + "\n") + " " * gap, style, overflow="fold")
