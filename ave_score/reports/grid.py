"""A table of any columns, before any layout; `terminal`, `markdown` and `latex` lay it out."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from ave_score.text import visible


class Tone(Enum):
    """How a row stands out: what is no run is printed otherwise than a run."""

    BASELINE = "baseline"
    SYSTEM = "system"


class Grid(NamedTuple):
    """A table of texts.

    Attributes
    ----------
    title
        What it shows.
    heads
        The heads of the columns.
    rows
        The cells, as many in each row as there are heads; none where there is nothing to show.
    align
        A letter for each column: `l` for names, `r` for figures.
    best
        Row and column, from 0, of cells to be set off.
    tones
        How rows stand out, by their number.
    notes
        What there is to say below it.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str
    best: frozenset[tuple[int, int]] = frozenset()
    tones: Mapping[int, Tone] = {}
    notes: Sequence[str] = ()

    @property
    def named(self) -> int:
        """The first column of names: what a row is called."""
        return self.align.index("l")

    def marked(self, escape: Callable[[str], str], best: str, baseline: str) -> Iterator[list[str]]:
        """Yield the cells of each row, escaped, in the marks of the best and of baselines.

        The marks have `{}` where the text goes.
        """
        for place, texts in enumerate(self.rows):
            cells = [
                best.format(escape(text)) if (place, number) in self.best else escape(text)
                for number, text in enumerate(texts)
            ]
            if self.tones.get(place) is Tone.BASELINE:
                cells[self.named] = baseline.format(cells[self.named])
            yield cells


def grid_csv(grid: Grid) -> str:
    """Return a header and the rows as CSV, figures as other programs read them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(visible, grid.heads))
    for cells in grid.rows:
        writer.writerow(
            visible(cell) if letter == "l" else cell.replace(",", "")
            for cell, letter in zip(cells, grid.align, strict=True)
        )
    return out.getvalue()
