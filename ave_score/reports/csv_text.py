"""Records as CSV: the one place that writes it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from typing import TextIO

from ave_score.reports.report import Cell, Records, Report
from ave_score.reports.style import TextStyle
from ave_score.text import visible


def render(report: Report, _style: TextStyle) -> str:
    """Return the records of a report under a line with the names of the columns."""
    return csv_text(report.records())


def csv_text(records: Records) -> str:
    """Return records under a line with the names of the columns."""
    out = io.StringIO()
    write_csv(out, records)
    return out.getvalue()


def write_csv(out: TextIO, records: Records, *, has_head: bool = True) -> None:
    """Write records to a file; the names of the columns first unless they are there already."""
    writer = csv.writer(out, lineterminator="\n")
    if has_head:
        writer.writerow(_plain(records.columns))
    writer.writerows(map(_plain, records.rows))


def _plain(row: Sequence[Cell]) -> Sequence[Cell]:
    """Return what the cells are in CSV: ratios as floats, booleans as 0 and 1.

    A file name that is not UTF-8 could not be written; its escape can.
    """
    if _PLAIN.issuperset(map(type, row)):
        text = " ".join([cell for cell in row if isinstance(cell, str)])
        if visible(text) is text:
            return row
    return [_cell(cell) for cell in row]


_PLAIN = frozenset([str, int, type(None)])
"""Types of cells that are written as they are, if their texts are visible."""


def _cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return visible(cell)
    if isinstance(cell, Fraction):
        return float(cell)
    return int(cell) if isinstance(cell, bool) else cell
