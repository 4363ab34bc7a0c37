"""The stability of measures: a table for each, the curves and the outcomes of pairs as data."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import NamedTuple

from ave_score.exact import as_float
from ave_score.inference.samples import Sampled
from ave_score.inference.stability import Comparisons, pairs
from ave_score.reports.grid import Grid
from ave_score.reports.study import Study, document, drawn, figure, left_out

SCHEMA = "ave-score/stability/1"

_LEGEND = (
    "Error rate: how many of 100 comparisons contradict the majority of their pair; 50 is chance. "
    "Ties: how many differences are smaller than the fuzziness, a share of the larger score."
)


class Stability(NamedTuple):
    """A measure in its samples, and the outcomes at each fuzziness."""

    sampled: Sampled
    curve: Sequence[Comparisons]

    def undefined(self, study: Study) -> int:
        """Return how many comparisons had to be left out."""
        return study.pairs * study.repetitions - self.curve[0].total


def stability_grids(study: Study, found: Sequence[Stability], digits: int) -> list[Grid]:
    """Return a table for each measure, with a row for each fuzziness."""
    grids = [_grid(study, one, digits) for one in found]
    notes = [*grids[-1].notes, _LEGEND, *study.caution(), f"Signature: {study.signature}"]
    return [*grids[:-1], grids[-1]._replace(notes=notes)]


def _grid(study: Study, one: Stability, digits: int) -> Grid:
    return Grid(
        f"Stability of {one.sampled.measure.title}, {study.repetitions:,} samples of "
        f"{drawn(one.sampled)}",
        ["Fuzziness", "Error rate, %", "Ties, %"],
        [
            [
                figure(point.fuzziness, 2),
                figure(point.error_rate, digits, 100),
                figure(point.ties, digits, 100),
            ]
            for point in one.curve
        ],
        align="lrr",
        notes=left_out(one.undefined(study), one.sampled),
    )


def stability_csv(found: Sequence[Stability]) -> str:
    """Return every point of every curve; rates are shares in 0..1, empty where undefined."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["measure", "unit", "size", "fuzziness", "error_rate", "ties"])
    for one in found:
        told = document(one.sampled)
        for point in one.curve:
            figures = map(as_float, (point.fuzziness, point.error_rate, point.ties))
            writer.writerow([told["measure"], told["unit"], told["size"], *figures])
    return out.getvalue()


def stability_json(study: Study, found: Sequence[Stability]) -> str:
    """Return the same with the outcomes of each pair; docs/json.md describes every key."""
    told = {
        "schema": SCHEMA,
        "signature": study.signature,
        "runs": list(study.runs),
        "pairs": [[study.runs[a], study.runs[b]] for a, b in pairs(len(study.runs))],
        "repetitions": study.repetitions,
        "seed": study.seed,
        "measures": [
            {
                **document(one.sampled),
                "undefined": one.undefined(study),
                "curve": list(map(_point, one.curve)),
            }
            for one in found
        ],
    }
    return json.dumps(told, indent=2, allow_nan=False) + "\n"


def _point(point: Comparisons) -> dict[str, object]:
    return {
        "fuzziness": as_float(point.fuzziness),
        "error_rate": as_float(point.error_rate),
        "ties": as_float(point.ties),
        "greater": point.greater.tolist(),
        "less": point.less.tolist(),
        "equal": point.equal.tolist(),
    }
