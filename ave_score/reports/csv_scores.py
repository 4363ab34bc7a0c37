"""Scores as CSV: one row a run, with its counts and measures, for other programs."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from math import isnan

from ave_score.counts import ANSWERING, QUESTIONS, SELECTION, VALIDATION
from ave_score.exact import fixed
from ave_score.reports.json_scores import flat_counts
from ave_score.scoring import Row, Scores
from ave_score.text import visible

FAMILIES = (VALIDATION, SELECTION, ANSWERING, QUESTIONS)
"""What has columns in every file of decisions, whatever is asked for."""


def render_csv(scores: Scores, digits: int | None) -> str:
    """Return a header and a row each; undefined and inapplicable cells are empty.

    Ratios are never percentages; they are unrounded where `digits` is None.
    """
    decided = any(row.counts.keys() & {*FAMILIES} for row in scores.rows)
    asked = [one.family for one in scores.measures]
    families = dict.fromkeys([*(FAMILIES if decided else ()), *asked])
    counted = [name for family in families for name in family.counts.names()]
    keys = [measure.key for measure in scores.measures]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    ends = [f"{key}_{end}" for key in keys for end in ("low", "high")]
    ends = ends if scores.policies.intervals else []
    writer.writerow(["run", "group", "kind", *counted, *keys, *ends])
    for row in scores.rows:
        counts = flat_counts(row)
        figures = [_cell(row.values[key], digits) for key in keys]
        names = [visible(row.run), visible(row.group or ""), row.kind]
        told = [_end(row, key, place, digits) for key in keys for place in range(2)] if ends else []
        writer.writerow([*names, *(counts.get(name) for name in counted), *figures, *told])
    return out.getvalue()


def _end(row: Row, key: str, place: int, digits: int | None) -> str | float | None:
    """Return an end of a confidence interval."""
    ends = row.intervals.get(key)
    if ends is None or isnan(ends[place]):
        return None
    return _cell(Fraction(repr(ends[place])), digits)


def _cell(value: Fraction | None, digits: int | None) -> str | float | None:
    if value is None:
        return None
    return float(value) if digits is None else fixed(value, digits)
