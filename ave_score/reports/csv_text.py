"""Records as CSV: the one place that writes it."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import chain
from typing import TextIO

from ave_score.core.text import not_calculated, visible
from ave_score.reports.report import Cell, Figure, Records, Report
from ave_score.reports.style import TextStyle


def render(report: Report, _style: TextStyle) -> str:
    """Return the records of a report under a line with the names of the columns."""
    return csv_text(report.records())


def csv_text(records: Records) -> str:
    """Return records under a line with the names of the columns; see `write_csv`."""
    out = io.StringIO()
    write_csv(out, records)
    return out.getvalue()


def write_csv(out: TextIO, records: Records, *, has_head: bool = True) -> None:
    """Write records to a file; the names of the columns first unless they are there already.

    A text that a spreadsheet would calculate gets an apostrophe, which makes it a text there, as
    from the buttons of a page.
    """
    writer = csv.writer(out, lineterminator="\n")
    rows = chain([records.columns] if has_head else [], records.rows)
    writer.writerows([c if type(c) in _PLAIN else _cell(c) for c in row] for row in rows)


_PLAIN = (int, type(None))
"""Types of cells that are written as they are."""


def _cell(cell: Cell) -> Cell:
    """Return what a cell is in CSV: a ratio as a float, a boolean as 0 or 1.

    A file name that is not UTF-8 could not be written; its escape can.
    """
    if isinstance(cell, str):
        return visible(cell) if isinstance(cell, Figure) else not_calculated(cell)
    if isinstance(cell, Fraction):
        return float(cell)
    return int(cell) if isinstance(cell, bool) else cell
