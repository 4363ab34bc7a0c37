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
    align
        A letter for each column: `l` for names, `r` for figures.
    keys
        How many of the first columns identify a row.
    best
        Row and column, from 0, of cells to be set off.
    styles
        Row, from 0 -> its style.
    notes
        Paragraphs below the table.
    legend
        Notes that another table of the report has as well, for where each table stands alone.
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

    def marked(self, escape: Callable[[str], str], best: str, baseline: str) -> Iterator[list[str]]:
        """Yield the cells of each row, escaped, in the markup of the best and of baselines.

        The markup has `{}` where the text goes.
        """
        for number, row in enumerate(self.rows):
            cells = [
                best.format(escape(text)) if (number, column) in self.best else escape(text)
                for column, text in enumerate(row)
            ]
            if self.styles.get(number) is RowStyle.BASELINE:
                name = self.align.index("l")
                cells[name] = baseline.format(cells[name])
            yield cells


class Records(NamedTuple):
    """Rows of values for other programs, under the names of their columns."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


class Heading(NamedTuple):
    """What stands around all tables: what was scored against, and how figures were made."""

    title: str
    description: str
    signature: str


class Report(NamedTuple):
    """The result of a command: tables for people, the document of JSON, the records of CSV."""

    tables: Callable[[], Sequence[ReportTable]]
    document: Callable[[], object]
    records: Callable[[], Records]
    heading: Heading | None = None


def table_records(table: ReportTable) -> Records:
    """Return the rows of a table as records, figures without separators of thousands."""

    def record(row: Sequence[str]) -> list[str]:
        aligned = zip(row, table.align, strict=True)
        return [cell if letter == "l" else cell.replace(",", "") for cell, letter in aligned]

    return Records(table.heads, map(record, table.rows))
