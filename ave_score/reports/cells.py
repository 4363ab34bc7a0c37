"""Cells of tables: a measure with its interval, and what a row is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, Any

from ave_score.core.exact import mean, spread
from ave_score.counts.counted import Kind
from ave_score.measures import Measure
from ave_score.reports.report import (
    Column,
    ReportTable,
    RowStyle,
    figure_text,
    name_column,
    table_of,
)
from ave_score.tasks.scores import Row

if TYPE_CHECKING:
    from ave_score.inference.intervals import Estimate
    from ave_score.tasks.agreed import AgreementValues
    from ave_score.tasks.broken_down import Part

_STYLES = {
    Kind.QA: RowStyle.SYSTEM,
    Kind.REFERENCE: RowStyle.BASELINE,
    Kind.BASELINE: RowStyle.BASELINE,
}


def measured_text(row: Row | Part | AgreementValues, measure: Measure, digits: int) -> str:
    """Return a measure of a row as `bounded_text` prints it."""
    key = measure.key
    return bounded_text(row.values.get(key), row.intervals.get(key), measure, digits)


def text_with_error(row: Row | Part, measure: Measure, digits: int) -> str:
    """Return a measure of a row as `measured_text`, with its standard error, if it has one."""
    known, error = measured_text(row, measure, digits), row.stderr.get(measure.key)
    if error is None or row.values[measure.key] is None:
        return known
    value, space, interval = known.partition(" ")
    return f"{value} ± {error_text(error, measure, digits)}{space}{interval}"


def measured_column(
    measure: Measure, of: Callable[[Any], Row | Part | AgreementValues], digits: int
) -> Column:
    """Return the column of a measure; `of` returns what has it in a row of the table."""
    return Column(measure.title, lambda row: measured_text(of(row), measure, digits))


def bounded_text(
    value: Fraction | None, interval: Estimate | None, measure: Measure, digits: int
) -> str:
    """Return a measure's value and its interval, if it has one, as tables print them.

    Counts have none: shares of the same questions have it.
    """
    text = cell_text(value, measure, digits)
    if interval is None or isnan(interval.low) or measure.whole:
        return text
    low, high = (cell_text(Fraction(repr(end)), measure, digits) for end in interval.interval)
    return f"{text} [{low}, {high}]"


def signed(text: str) -> str:
    """Return a figure with its sign, which may be followed by other figures."""
    first, _, _ = text.partition(" ")
    is_positive = first[0] != "-" and any(digit in first for digit in "123456789")
    return f"+{text}" if is_positive else text


def cell_text(value: Fraction | None, measure: Measure, digits: int) -> str:
    """Return a measure's value as tables print it."""
    if value is not None and measure.whole and value.denominator == 1:
        return f"{value.numerator:,}"
    return figure_text(value, digits, 100 if measure.percent else 1)


def error_text(error: float, measure: Measure, digits: int) -> str:
    """Return a standard error as tables print it."""
    return figure_text(Fraction(repr(error)), digits, 100 if measure.percent else 1)


def row_styles(rows: Iterable[Row]) -> dict[int, RowStyle]:
    """Return number -> style of the rows that are no runs of participants."""
    return {number: _STYLES[row.kind] for number, row in enumerate(rows) if row.kind in _STYLES}


def rank_column(rows: Sequence[object], ranks: Sequence[str]) -> Column:
    """Return the column of the rank of each row."""
    rank_of = dict(zip(map(id, rows), ranks, strict=True))
    return Column("#", lambda row: rank_of[id(row)], is_key=True)


def entrant_columns(rows: Iterable[Row]) -> list[Column]:
    """Return the columns of what a run is called, and of its team, if any has one."""
    teams = [name_column("Team", lambda row: row.team or "")]
    names = name_column("Run", lambda row: row.shown, is_key=True)
    return [names, *(teams if any(row.team for row in rows) else ())]


def spread_table(
    systems: Iterable[tuple[Measure, str, Sequence[Fraction | None]]], digits: int
) -> ReportTable:
    """Return how the runs of systems differ, by a measure, the name and the values of the runs."""

    def figure(head: str, of: Callable[[Sequence[Fraction | None]], Fraction | None]) -> Column:
        return Column(head, lambda system: cell_text(of(system[2]), system[0], digits))

    columns = [
        name_column("Measure", lambda system: system[0].title, is_key=True),
        name_column("System", lambda system: system[1], is_key=True),
        Column("Runs", lambda system: f"{len(system[2])}"),
        figure("Mean", mean),
        figure("SD", lambda of_runs: spread(of_runs)[0]),
        figure("Lowest", lambda of_runs: spread(of_runs)[1]),
        figure("Highest", lambda of_runs: spread(of_runs)[2]),
    ]
    return table_of("Runs of each system", columns, systems)
