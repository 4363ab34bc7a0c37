"""Scores as CSV: one row a run, with its counts and measures, for other programs."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

from ave_score.counts import COUNTS, Family
from ave_score.exact import fixed
from ave_score.reports.json_scores import flat_counts
from ave_score.scoring import Scores
from ave_score.text import visible

FAMILIES = (Family.VALIDATION, Family.SELECTION, Family.ANSWERING, Family.QUESTIONS)
"""What has columns in every file, whatever is asked for."""


def render_csv(scores: Scores, digits: int | None) -> str:
    """Return a header and a row each; undefined and inapplicable cells are empty.

    Ratios are never percentages; they are unrounded where `digits` is None.
    """
    asked = [one.family for one in scores.measures if one.family not in FAMILIES]
    counted = [
        name for family in [*FAMILIES, *dict.fromkeys(asked)] for name in COUNTS[family].names()
    ]
    keys = [measure.key for measure in scores.measures]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["run", "group", "kind", *counted, *keys])
    for row in scores.rows:
        counts = flat_counts(row)
        figures = [_cell(row.values[key], digits) for key in keys]
        names = [visible(row.run), visible(row.group or ""), row.kind]
        writer.writerow([*names, *(counts.get(name) for name in counted), *figures])
    return out.getvalue()


def _cell(value: Fraction | None, digits: int | None) -> str | float | None:
    if value is None:
        return None
    return float(value) if digits is None else fixed(value, digits)
