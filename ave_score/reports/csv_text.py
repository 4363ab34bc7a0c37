"""Records as CSV: the one place that writes it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import TextIO

from ave_score.core.text import visible
from ave_score.reports.report import Cell, Figure, Records, Report
from ave_score.reports.style import TextStyle


def render(report: Report, _style: TextStyle) -> str:
    """Return the records of a report under a line with the names of the columns."""
    return csv_text(report.records())


def csv_text(records: Records, *, is_raw: bool = False) -> str:
    """Return records under a line with the names of the columns; see `write_csv`."""
    out = io.StringIO()
    write_csv(out, records, is_raw=is_raw)
    return out.getvalue()


def write_csv(
    out: TextIO, records: Records, *, has_head: bool = True, is_raw: bool = False
) -> None:
    """Write records to a file; the names of the columns first unless they are there already.

    A text that a spreadsheet would calculate gets an apostrophe, which makes it a text there, as
    from the buttons of a page; not if `is_raw`.
    """
    plain = partial(_plain, is_raw=is_raw)
    writer = csv.writer(out, lineterminator="\n")
    if has_head:
        writer.writerow(plain(records.columns))
    writer.writerows(map(plain, records.rows))


_CALCULATED = frozenset("=+-@\t\r")
"""What a spreadsheet takes for the start of a formula."""


def _plain(row: Sequence[Cell], *, is_raw: bool) -> Sequence[Cell]:
    """Return what the cells are in CSV: ratios as floats, booleans as 0 and 1.

    A file name that is not UTF-8 could not be written; its escape can.
    """
    if _PLAIN.issuperset(map(type, row)):
        texts = [cell for cell in row if isinstance(cell, str)]
        together = " ".join(texts)
        is_harmless = is_raw or _CALCULATED.isdisjoint(text[:1] for text in texts)
        if is_harmless and visible(together) is together:
            return row
    return [_cell(cell, is_raw=is_raw) for cell in row]


_PLAIN = frozenset([str, int, type(None)])
"""Types of cells that are written as they are, if their texts are visible and harmless."""


def _cell(cell: Cell, *, is_raw: bool) -> Cell:
    if isinstance(cell, str):
        text = visible(cell)
        is_text = not isinstance(cell, Figure) and not is_raw
        return f"'{text}" if is_text and text[:1] in _CALCULATED else text
    if isinstance(cell, Fraction):
        return float(cell)
    return int(cell) if isinstance(cell, bool) else cell
