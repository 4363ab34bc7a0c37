"""What a terminal shows: lines, and columns of tables side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ave_score.reports.report import RowStyle

UNLIMITED = 1_000_000


class TerminalLine(NamedTuple):
    """A line of text, which wraps in a narrow terminal."""

    text: str = ""
    is_bold: bool = False


class TerminalColumn(NamedTuple):
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


class TerminalGrid(NamedTuple):
    """The columns of a table that are drawn side by side, and the styles of its rows."""

    columns: Sequence[TerminalColumn]
    styles: Sequence[RowStyle | None]


Part = TerminalLine | TerminalGrid
