"""What a command reports, before any format: tables, a document and records.

A report holds three functions, one for each form, and a renderer calls the one that it needs: a CSV
file of 100,000 rows makes no tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

Cell = str | int | float | Fraction | None
"""A value of a record; None where there is none."""


class RowStyle(Enum):
    """What the row of a table is about, where it is no run."""

    BASELINE = "baseline"
    SYSTEM = "system"


class ReportTable(NamedTuple):
    """A table of texts.

    Attributes
    ----------
    title
        What it shows.
    heads
        The heads of the columns.
    rows
        The cells, as many in each row as there are heads; no rows where there is nothing to show.
    align
        A letter for each column: `l` for names, `r` for figures.
    keys
        How many of the first columns identify a row.
    best
        Row and column, from 0, of cells to be set off.
    styles
        Styles of rows, by their number.
    notes
        Paragraphs below the table.
    legend
        Explanations that another table of the report has in its notes. They are only needed where
        each table stands alone, as floats in a paper do.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str
    keys: int = 1
    best: frozenset[tuple[int, int]] = frozenset()
    styles: Mapping[int, RowStyle] = {}
    notes: Sequence[str] = ()
    legend: Sequence[str] = ()

    @property
    def name_column(self) -> int:
        """The first column of names."""
        return self.align.index("l")

    def marked(self, escape: Callable[[str], str], best: str, baseline: str) -> Iterator[list[str]]:
        """Yield the cells of each row, escaped, with markup for the best and for baselines.

        Parameters
        ----------
        escape
            Escapes a text for the format.
        best, baseline
            Markup with `{}` where the text goes.
        """
        for number, row in enumerate(self.rows):
            cells = [
                best.format(escape(text)) if (number, column) in self.best else escape(text)
                for column, text in enumerate(row)
            ]
            if self.styles.get(number) is RowStyle.BASELINE:
                cells[self.name_column] = baseline.format(cells[self.name_column])
            yield cells


class Records(NamedTuple):
    """Rows of values for other programs, under the names of their columns."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


class Heading(NamedTuple):
    """What stands around all tables of a report.

    Attributes
    ----------
    title
        The file that was scored against.
    description
        What it holds, in a sentence.
    signature
        How the figures were made.
    """

    title: str
    description: str
    signature: str


class Report(NamedTuple):
    """The result of a command, for any renderer.

    Attributes
    ----------
    tables
        Makes the tables for people.
    document
        Makes what JSON prints: dicts, lists, strings, numbers; ratios may be fractions.
    records
        Makes what CSV prints.
    heading
        Title and signature, where they are not in the tables.
    """

    tables: Callable[[], Sequence[ReportTable]]
    document: Callable[[], object]
    records: Callable[[], Records]
    heading: Heading | None = None


def table_records(table: ReportTable) -> Records:
    """Return the rows of a table as records, figures without separators of thousands."""
    rows = [
        [
            cell if letter == "l" else cell.replace(",", "")
            for cell, letter in zip(row, table.align, strict=True)
        ]
        for row in table.rows
    ]
    return Records(table.heads, rows)
