"""The stability of measures: error rates and ties."""

from __future__ import annotations

from itertools import combinations, islice

from ave_score.reports.data import (
    COUNT,
    NOTES,
    POSITIVE,
    RUNS,
    SEED,
    SHARE,
    SIGNATURE,
    TEXT,
    Reporter,
    ResultDocument,
    between,
    entry,
    list_of,
)
from ave_score.reports.report import (
    Column,
    ReportTable,
    figure_text,
    name_column,
    table_of,
    with_notes,
)
from ave_score.reports.study import (
    SAMPLE,
    SAMPLE_KEYS,
    UNDEFINED_COMPARISONS,
    caution,
    drawn_text,
    left_out_notes,
)
from ave_score.tasks.stability import Stability, StabilityStudy
from ave_score.tasks.study import Study

_POINT = {
    "fuzziness": between(0, 1)(
        "The relative difference below which two runs are tied.",
        lambda point, _: float(point.fuzziness),  # a setting, which is not rounded
    ),
    "error_rate": SHARE(
        "The share of comparisons that contradict the majority; null without comparisons."
    ),
    "ties": SHARE("The share of ties; null without comparisons."),
    "greater": list_of(COUNT)(
        "For each pair, the samples in which the first run is above the second.",
        lambda point, _: point.greater.tolist(),
    ),
    "less": list_of(COUNT)(
        "For each pair, the samples in which the first run is below the second.",
        lambda point, _: point.less.tolist(),
    ),
    "equal": list_of(COUNT)(
        "For each pair, the samples in which the runs are tied.",
        lambda point, _: point.equal.tolist(),
    ),
}

_MEASURE = SAMPLE_KEYS | {
    "undefined": COUNT(UNDEFINED_COMPARISONS, lambda measure, study: _undefined(study, measure)),
    "curve": list_of(entry(_POINT))("The rates by fuzziness."),
}

DOCUMENT = ResultDocument(
    "stability",
    "Stability",
    "Error rates of comparisons by samples: `ave-score stability`. CSV has a row for each measure "
    "and fuzziness, without the pairs.",
    {
        "signature": SIGNATURE,
        "runs": RUNS,
        "pairs": list_of(list_of(TEXT, 2))(
            "All pairs of runs.", lambda study, _: combinations(study.runs, 2)
        ),
        "resamples": POSITIVE("The number of samples."),
        "seed": SEED,
        "notes": NOTES,
        "measures": list_of(entry(_MEASURE))("The measures in the requested order."),
    },
)

_LEGEND = (
    "Error rate: percentage of comparisons that contradict the majority for their pair; 50 is "
    "chance. Ties: percentage of differences below the fuzziness, a share of the larger score."
)


def _tables(study: StabilityStudy, digits: int) -> list[ReportTable]:
    tables = [_curve_table(study, measure, digits) for measure in study.measures]
    notes = [_LEGEND, *caution(study), *study.notes]
    return with_notes(tables, notes, study.signature)


def _undefined(study: Study, measure: Stability) -> int:
    """Return the number of comparisons that were excluded."""
    return study.pairs * study.resamples - measure.curve[0].total


def _curve_table(study: Study, measure: Stability, digits: int) -> ReportTable:
    columns = [
        name_column("Fuzziness", lambda point: figure_text(point.fuzziness, 2)),
        Column("Error rate, %", lambda point: figure_text(point.error_rate, digits, 100)),
        Column("Ties, %", lambda point: figure_text(point.ties, digits, 100)),
    ]
    return table_of(
        f"Stability of {measure.sampled.measure.title}, {study.resamples:,} samples of "
        f"{drawn_text(measure.sampled)}",
        columns,
        measure.curve,
        notes=left_out_notes(_undefined(study, measure), measure.sampled),
    )


stability_report = Reporter(
    DOCUMENT,
    _tables,
    lambda study, digits: DOCUMENT.records(
        study, "measures.curve", [*SAMPLE, *islice(_POINT, 3)], digits
    ),
)
