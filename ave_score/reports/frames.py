"""Records as pandas frames."""

from __future__ import annotations

from fractions import Fraction
from math import nan

import pandas as pd

from ave_score.reports.report import Cell, Records


def frame_of(records: Records) -> pd.DataFrame:
    """Return records as a frame: ratios as floats, NaN where a number is missing."""
    rows = [
        [float(cell) if isinstance(cell, Fraction) else cell for cell in row]
        for row in records.rows
    ]
    columns = zip(*rows, strict=True) if rows else ([] for _ in records.columns)
    return pd.DataFrame(
        {name: _column(list(cells)) for name, cells in zip(records.columns, columns, strict=True)}
    )


def _column(cells: list[Cell]) -> list[Cell]:
    """Return a column with NaN for missing numbers; missing texts stay None."""
    if any(isinstance(cell, str) for cell in cells):
        return cells
    return [nan if cell is None else cell for cell in cells]
