"""Tables of any columns, laid out for a terminal, Markdown, LaTeX or as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from ave_score.reports.latex import escaped
from ave_score.reports.look import Look
from ave_score.reports.markdown import plain
from ave_score.reports.markdown import row as markdown_row
from ave_score.text import visible

_GAP = "  "


class Grid(NamedTuple):
    """A table of texts.

    Attributes
    ----------
    title
        What it shows.
    heads
        The heads of the columns.
    rows
        The cells, as many in each row as there are heads.
    names
        How many columns, from the left, hold names and not figures.
    best
        The row and the column of cells to be set off.
    notes
        What there is to say below it.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    best: frozenset[tuple[int, int]] = frozenset()
    notes: Sequence[str] = ()


def grid_markdown(grid: Grid) -> str:
    """Return a table in Markdown under its title; the best of a column is bold."""
    figures = len(grid.heads) - grid.names
    lines = [
        markdown_row([plain(head) for head in grid.heads]),
        markdown_row(["---"] * grid.names + ["--:"] * figures),
        *(markdown_row(cells) for cells in _cells(grid, plain, "**{}**")),
    ]
    parts = [f"### {plain(grid.title)}", "\n".join(lines), *map(plain, grid.notes)]
    return "\n\n".join(parts) + "\n"


def grid_latex(grid: Grid) -> str:
    """Return a `table` environment for the booktabs package; the best of a column is bold."""
    columns = "l" * grid.names + "r" * (len(grid.heads) - grid.names)
    caption = " ".join([f"{grid.title}.", *grid.notes])
    rows = [" & ".join(cells) + r" \\" for cells in _cells(grid, escaped, r"\textbf{{{}}}")]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped(caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            " & ".join(map(escaped, grid.heads)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def grid_csv(grid: Grid) -> str:
    """Return a header and the rows as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(visible, grid.heads))
    for cells in grid.rows:
        writer.writerow(map(visible, cells))
    return out.getvalue()


def grid_terminal(grid: Grid, look: Look) -> str:
    """Return a table for a terminal, `*` at the best; row by row where it is too narrow."""
    rows = [[*map(visible, grid.heads)], *_cells(grid, visible, "{}*")]
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    width = sum(widths) + len(_GAP) * (len(widths) - 1)
    lines = _records(rows, grid) if look.width and width > look.width else _lines(rows, grid, look)
    return "\n".join([visible(grid.title), *lines, *map(visible, grid.notes)]) + "\n"


def _lines(rows: Sequence[Sequence[str]], grid: Grid, look: Look) -> Iterator[str]:
    """Yield the rows with names to the left and figures to the right of their columns."""
    widths = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)]
    for place, cells in enumerate(rows):
        padded = []
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            blanks = " " * (width - cell_len(cell))
            padded.append(cell + blanks if number < grid.names else blanks + cell)
        yield _GAP.join(padded).rstrip()
        if place == 0:
            yield _GAP.join(("─" if look.lines else "-") * width for width in widths)


def _records(rows: Sequence[Sequence[str]], grid: Grid) -> Iterator[str]:
    """Yield each row as lines of head and figure."""
    heads, *others = rows
    widest = max(map(cell_len, heads))
    for cells in others:
        yield ""
        yield " ".join(filter(None, cells[: grid.names]))
        for head, cell in zip(heads[grid.names :], cells[grid.names :], strict=True):
            if cell:
                yield f"{_GAP}{head}{' ' * (widest - cell_len(head))}{_GAP}{cell}"


def _cells(grid: Grid, escape: Callable[[str], str], best: str) -> list[list[str]]:
    return [
        [
            best.format(escape(cell)) if (place, number) in grid.best else escape(cell)
            for number, cell in enumerate(cells)
        ]
        for place, cells in enumerate(grid.rows)
    ]
