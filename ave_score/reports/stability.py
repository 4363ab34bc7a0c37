"""The stability of measures: error rates and ties."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.inference.stability import Comparisons, pairs
from ave_score.reports.report import Records, Report, ReportTable, noted, with_notes
from ave_score.reports.score import DIGITS
from ave_score.reports.study import (
    SAMPLE,
    caution,
    drawn_text,
    figure_text,
    left_out_notes,
    sample_cells,
    sample_document,
)
from ave_score.tasks.stability import Stability, StabilityStudy
from ave_score.tasks.study import Study

SCHEMA = "ave-score/stability/1"

_LEGEND = (
    "Error rate: percentage of comparisons that contradict the majority for their pair; 50 is "
    "chance. Ties: percentage of differences below the fuzziness, a share of the larger score."
)


def stability_report(study: StabilityStudy, digits: int | None = None) -> Report:
    """Return the report of the stability of measures."""
    shown = DIGITS if digits is None else digits
    return Report(
        lambda: _tables(study, shown),
        lambda: _document(study),
        lambda: _records(study.measures),
    )


def _tables(study: StabilityStudy, digits: int) -> list[ReportTable]:
    tables = [_curve_table(study, one, digits) for one in study.measures]
    notes = [_LEGEND, *caution(study), *study.notes]
    return with_notes(tables, notes, study.signature)


def _undefined(study: Study, one: Stability) -> int:
    """Return the number of comparisons that were excluded."""
    return study.pairs * study.repetitions - one.curve[0].total


def _curve_table(study: Study, one: Stability, digits: int) -> ReportTable:
    return ReportTable(
        f"Stability of {one.sampled.measure.title}, {study.repetitions:,} samples of "
        f"{drawn_text(one.sampled)}",
        ["Fuzziness", "Error rate, %", "Ties, %"],
        [
            [
                figure_text(point.fuzziness, 2),
                figure_text(point.error_rate, digits, 100),
                figure_text(point.ties, digits, 100),
            ]
            for point in one.curve
        ],
        align="lrr",
        notes=left_out_notes(_undefined(study, one), one.sampled),
    )


def _records(found: Sequence[Stability]) -> Records:
    """Return every point of every curve; rates are shares in 0..1."""
    rows = [
        [*sample_cells(one.sampled), point.fuzziness, point.error_rate, point.ties]
        for one in found
        for point in one.curve
    ]
    return Records([*SAMPLE, "fuzziness", "error_rate", "ties"], rows)


def _document(study: StabilityStudy) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "signature": study.signature,
        "runs": list(study.runs),
        "pairs": [[study.runs[a], study.runs[b]] for a, b in pairs(len(study.runs))],
        "repetitions": study.repetitions,
        "seed": study.seed,
        **noted(study.notes),
        "measures": [
            {
                **sample_document(one.sampled),
                "undefined": _undefined(study, one),
                "curve": list(map(_point, one.curve)),
            }
            for one in study.measures
        ],
    }


def _point(point: Comparisons) -> dict[str, object]:
    return {
        "fuzziness": point.fuzziness,
        "error_rate": point.error_rate,
        "ties": point.ties,
        "greater": point.greater.tolist(),
        "less": point.less.tolist(),
        "equal": point.equal.tolist(),
    }
