"""Reports of commands, independent of the format: tables, a document and records.

A report has a function for each form, and a renderer calls only the function that it needs. A CSV
file of 100,000 rows does not build tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import nan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.exact import fixed

if TYPE_CHECKING:
    import pandas as pd

Cell = str | int | float | Fraction | None
"""A value of a record; None if it is missing."""


class Figure(str):
    """A figure as a table prints it, which is a number to a spreadsheet."""

    __slots__ = ()


DIGITS = 2
"""Default number of decimals in tables and figures."""

UNDEFINED = "n/a"

BEST_IN_BOLD = "Best of its column in bold"

MOST_PAIRS = 20
"""Pairs of runs in a table or figure; json has all."""


class RowStyle(Enum):
    """The kind of a table row that is not a run."""

    BASELINE = "baseline"
    SYSTEM = "system"


class ReportTable(NamedTuple):
    """A table of strings.

    Attributes
    ----------
    align
        A letter for each column: `l` for names, `r` for figures.
    keys
        Number of leading columns that identify a row.
    best
        Row and column, from 0, of highlighted cells.
    styles
        Row, from 0 -> its style.
    notes
        Paragraphs below the table.
    legend
        Notes shared with other tables of the report, for formats that separate the tables.
    exact
        Row and column, from 0 -> the figure of the cell before it is rounded, for sorting.
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
    exact: Mapping[tuple[int, int], float] = {}

    def marked(self, escape: Callable[[str], str], best: str, baseline: str) -> Iterator[list[str]]:
        """Yield the escaped cells of each row, with markup for best values and baselines.

        `{}` in the markup is replaced by the text.
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


def notes_on_best(tables: Iterable[ReportTable], said: str) -> list[str]:
    """Return what tables say of highlighted cells, and of baselines; nothing without any."""
    shown = [*tables]
    baselines = any(RowStyle.BASELINE in table.styles.values() for table in shown)
    return [said + ", baselines excluded" * baselines] * any(table.best for table in shown)


class Column(NamedTuple):
    """A column of a table: everything that the table says of one property of its rows.

    Attributes
    ----------
    head
        Its head.
    text
        The cell of a row.
    align
        `r` for figures, `l` for names.
    exact
        The figure of a cell before it is rounded, for sorting; None if it has none.
    is_best
        Whether the cell of a row is highlighted.
    is_key
        Whether it identifies the row.
    """

    head: str
    text: Callable[[Any], str]
    align: str = "r"
    exact: Callable[[Any], float | None] = lambda _: None
    is_best: Callable[[Any], bool] = lambda _: False
    is_key: bool = False

    def within(self, get: Callable[[Any], Any]) -> Column:
        """Return this column for rows from which `get` gets what it is of."""
        return self._replace(
            text=lambda row: self.text(get(row)),
            exact=lambda row: self.exact(get(row)),
            is_best=lambda row: self.is_best(get(row)),
        )


def name_column(head: str, text: Callable[[Any], str], *, is_key: bool = False) -> Column:
    """Return a column of names."""
    return Column(head, text, "l", is_key=is_key)


def table_of(
    title: str,
    columns: Sequence[Column],
    rows: Iterable[object],
    *,
    styles: Mapping[int, RowStyle] = MappingProxyType({}),
    notes: Sequence[str] = (),
) -> ReportTable:
    """Return the table of some rows; the columns that identify them come first."""
    rows = [*rows]
    cells = [
        (number, row, at, column)
        for number, row in enumerate(rows)
        for at, column in enumerate(columns)
    ]
    exact = {(number, at): column.exact(row) for number, row, at, column in cells}
    return ReportTable(
        title,
        [column.head for column in columns],
        [[column.text(row) for column in columns] for row in rows],
        "".join(column.align for column in columns),
        keys=sum(column.is_key for column in columns) or 1,
        best=frozenset((number, at) for number, row, at, column in cells if column.is_best(row)),
        styles=styles,
        notes=notes,
        exact={place: value for place, value in exact.items() if value is not None},
    )


class Records(NamedTuple):
    """Named columns and rows of values for other programs."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame: ratios as floats, NaN where a number is missing."""
        import pandas as pd  # slow to import

        rows = [
            [float(cell) if isinstance(cell, Fraction) else cell for cell in row]
            for row in self.rows
        ]
        columns = zip(*rows, strict=True) if rows else ([] for _ in self.columns)
        named = zip(self.columns, columns, strict=True)
        return pd.DataFrame({name: _with_nan(list(cells)) for name, cells in named})


def _with_nan(cells: list[Cell]) -> list[Cell]:
    """Return a column with NaN for missing numbers; missing texts stay None."""
    if any(isinstance(cell, str) for cell in cells):
        return cells
    return [nan if cell is None else cell for cell in cells]


def figure_text(value: Fraction | None, digits: int = DIGITS, scale: int = 1) -> str:
    """Return a value times `scale` as tables and figures print it."""
    return UNDEFINED if value is None else fixed(scale * value, digits)


class Heading(NamedTuple):
    """The title of a report, the collection, and the signature of the settings."""

    title: str
    description: str
    signature: str


class RunValues(NamedTuple):
    """The values of a run by measures' keys, its kind, and the number of its questions.

    `absent` has the keys of measures that do not apply to a run of its kind.
    """

    run: str
    kind: str
    questions: int
    values: Mapping[str, Fraction | None]
    absent: frozenset[str] = frozenset()


class Values(NamedTuple):
    """The values of runs, without those of baselines.

    Attributes
    ----------
    runs
        Each run, in the order in which they are reported.
    whole
        The keys of measures that are whole numbers.
    digits
        The number of decimals; None: that of the format.
    by_question
        Kind and name of a run -> the lines of its single questions, if they were requested.
    trec_eval
        Key of a measure -> what trec_eval calls it, or the key.
    """

    runs: Sequence[RunValues]
    whole: frozenset[str]
    digits: int | None = None
    by_question: Mapping[tuple[str, str], str] = {}
    trec_eval: Mapping[str, str] = {}

    @property
    def is_defined(self) -> bool:
        """Whether every value is defined."""
        return all(value is not None for run in self.runs for value in run.values.values())


class Report(NamedTuple):
    """The result of a command: tables for people, the document of JSON, the records of CSV.

    Scores of runs also have `values`. `about` is the path of the collection, "" for several.
    """

    tables: Callable[[], Sequence[ReportTable]]
    document: Callable[[], object]
    records: Callable[[], Records]
    heading: Heading | None = None
    values: Callable[[], Values] | None = None
    about: str = ""


def values_of(report: Report, format: str) -> Values:
    """Return the values of a report; raises `UsageError` if it has none."""
    if report.values is None:
        raise UsageError(f"format {format}: only scores of runs have values for it")
    return report.values()


def with_notes(
    tables: Sequence[ReportTable], notes: Iterable[str], signature: str
) -> list[ReportTable]:
    """Return tables with more notes below the last one, and the signature of the settings."""
    *others, last = tables
    return [*others, last._replace(notes=[*last.notes, *notes, f"Signature: {signature}"])]


def table_records(table: ReportTable) -> Records:
    """Return the rows of a table as records, numbers without thousands separators."""

    def record(row: Sequence[str]) -> list[str]:
        aligned = zip(row, table.align, strict=True)
        return [
            cell if letter == "l" else Figure(cell.replace(",", "")) for cell, letter in aligned
        ]

    return Records(table.heads, map(record, table.rows))
