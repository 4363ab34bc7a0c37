"""Runs at every threshold: the best of each in a table, the curves as data."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ave_score.exact import as_float, plain
from ave_score.measures import Measure
from ave_score.reports.grid import Grid
from ave_score.reports.tables import cell_text, ranks
from ave_score.sweeping import Sweep
from ave_score.text import visible

SCHEMA = "ave-score/sweep/1"

_NOTE = (
    "Thresholds were chosen on the answers that they are measured on: this is what the confidences "
    "could have given, not what they would give elsewhere."
)


def sweep_grid(
    sweeps: Sequence[Sweep], measure: Measure, groups: Mapping[str, str], digits: int
) -> Grid:
    """Return the best threshold of each run, the best run first."""
    ranked = sorted(sweeps, key=lambda one: (measure.standing(one.best(measure).value), one.run))
    values = [one.best(measure).value for one in ranked]
    has_groups = any(one.run in groups for one in sweeps)
    best = measure.best(values)
    names = ["#", "Run", *["Group"] * has_groups]
    figures = ["Threshold", "Accepted", measure.title, f"{measure.title} submitted"]
    rows = []
    for one, rank in zip(ranked, ranks(values), strict=True):
        point = one.best(measure)
        threshold = "none" if point.threshold is None else f"{point.threshold!r}"
        group = [groups.get(one.run, "")] * has_groups
        told = [cell_text(value, measure, digits) for value in (point.value, one.submitted)]
        rows.append([rank, one.run, *group, threshold, f"{point.accepted:,}", *told])
    return Grid(
        f"Best threshold, by {measure.title}",
        [*names, *figures],
        rows,
        align="r" + "l" * (len(names) - 1) + "r" * len(figures),
        best=frozenset(
            (place, len(names) + 2)
            for place, value in enumerate(values)
            if value is not None and value == best
        ),
        notes=[_NOTE],
    )


def sweep_csv(sweeps: Sequence[Sweep], measure: Measure) -> str:
    """Return every point of every curve; the threshold is empty where nothing is accepted."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["run", "threshold", "accepted", measure.key])
    for one in sweeps:
        for point in one.points:
            writer.writerow([visible(one.run), *point[:2], plain(point.value)])
    return out.getvalue()


def sweep_json(
    sweeps: Sequence[Sweep], measure: Measure, signature: str, left_out: Sequence[str]
) -> str:
    """Return the same with the best points; docs/json.md describes every key."""
    document = {
        "schema": SCHEMA,
        "signature": signature,
        "measure": measure.key,
        "runs": [
            {
                "run": one.run,
                "submitted": as_float(one.submitted),
                "best": _point(one.best(measure)._asdict()),
                "curve": [_point(point._asdict()) for point in one.points],
            }
            for one in sweeps
        ],
        "left_out": list(left_out),
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _point(fields: dict[str, object]) -> dict[str, object]:
    value = fields["value"]
    return {**fields, "value": as_float(value if isinstance(value, Fraction) else None)}
