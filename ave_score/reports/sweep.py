"""Runs at every threshold, the curves as data."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Decimal
from typing import NamedTuple

from ave_score.core.exact import as_decimal
from ave_score.counts.counted import Kind
from ave_score.inference.sweep import Sweep
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text, entrant_columns, rank_column, row_styles
from ave_score.reports.data import (
    COUNT,
    MEASURE,
    NOT_SCORED,
    NUMBER,
    SIGNATURE,
    TEXT,
    VALUE,
    Reporter,
    ResultDocument,
    entry,
    list_of,
    numeric,
    record,
)
from ave_score.reports.report import Column, Records, ReportTable, table_of, with_notes
from ave_score.reports.score_data import ENTRANT
from ave_score.reports.score_notes import run_notes
from ave_score.tasks.ranked import best_first, not_primary_notes, ranks_of
from ave_score.tasks.scores import Row
from ave_score.tasks.sweep import Swept

_POINT = {
    "threshold": NUMBER.or_null(
        "The lowest confidence that is accepted; null: above all confidences."
    ),
    "accepted": COUNT("The number of answers that reach it."),
    "value": VALUE("The measure at this threshold."),
}


class _Run(NamedTuple):
    """A run at every threshold, and the row that says who it is."""

    row: Row
    sweep: Sweep


_SWEEP = {
    "run": TEXT("The name of the run.", "row.run"),
    **{name: key._replace(get=f"row.{name}") for name, key in ENTRANT.items()},
    "submitted": VALUE("The measure for the run's own decisions.", "sweep.submitted"),
    "best": entry(_POINT, "point")(
        "The point with the best value. In a tie it is the point that accepts the fewest answers.",
        lambda run, swept: run.sweep.best(swept.measure),
    ),
    "curve": list_of(entry(_POINT, "point"))(
        "All points, from the highest threshold to the lowest.", "sweep.points"
    ),
}

_NOTE = (
    "The best threshold is in-sample: it is chosen on the answers that it is scored on, so its "
    "value is too high for other data."
)

DOCUMENT = ResultDocument(
    "sweep",
    "Sweeps",
    "A measure at every threshold of each run: `ave-score score --sweep MEASURE`. CSV has a row "
    "for each point.",
    {
        "signature": SIGNATURE,
        "measure": MEASURE("The name of the measure.", "measure.key"),
        "runs": list_of(entry(_SWEEP))(
            "The runs in the given order.", lambda swept, _: map(_Run, swept.rows, swept.sweeps)
        ),
        "not_scored": NOT_SCORED,
        "notes": list_of(TEXT)(
            "That the best value is in-sample, and what runs are scored on with `--missing "
            "excluded`.",
            lambda swept, _: [_NOTE, *swept.notes],
        ),
    },
)


def _tables(swept: Swept, digits: int) -> list[ReportTable]:
    measure = swept.measure
    given = [*zip(swept.sweeps, swept.rows, strict=True)]
    sweep_of = {(row.kind, row.run): sweep for sweep, row in given}
    listed = best_first(
        (row._replace(values={measure.key: sweep.best(measure).value}) for sweep, row in given),
        measure,
    )
    values = [row.values[measure.key] if row.is_ranked else None for row in listed]
    is_comparable = not swept.notes  # otherwise runs are scored on different answers
    best = measure.best(values) if is_comparable else None
    in_order = ranks_of(listed, measure) if is_comparable else [""] * len(listed)
    own = Column(
        measure.title,
        lambda row: cell_text(row.values[measure.key], measure, digits),
        is_best=lambda row: best is not None and row.is_ranked and row.values[measure.key] == best,
    )
    table = table_of(
        f"Best threshold, by {measure.title}",
        [
            rank_column(listed, in_order),
            *entrant_columns(listed),
            *_points(sweep_of, measure),
            own,
            Column(
                f"{measure.title} submitted",
                lambda row: cell_text(sweep_of[row.kind, row.run].submitted, measure, digits),
            ),
        ],
        listed,
        styles=row_styles(listed),
        notes=[*run_notes(swept.rows), *not_primary_notes(swept.rows), _NOTE],
    )
    return with_notes([table], swept.notes, swept.signature)


def _points(sweep_of: Mapping[tuple[Kind, str], Sweep], measure: Measure) -> list[Column]:
    """Return the columns of the best threshold, and of how many answers reach it."""

    def threshold_of(row: Row) -> str:
        sweep = sweep_of[row.kind, row.run]
        point = sweep.best(measure)
        return _threshold_text(point.threshold, sweep.below(point))

    def accepted_of(row: Row) -> str:
        return f"{sweep_of[row.kind, row.run].best(measure).accepted:,}"

    return [Column("Threshold", threshold_of), Column("Accepted", accepted_of)]


def _threshold_text(threshold: float | None, below: float | None) -> str:
    """Return a threshold with four decimals, or with as many as accept the same answers."""
    if threshold is None:
        return "none"
    exact = as_decimal(threshold)
    for digits in range(4, -int(exact.as_tuple().exponent)):
        shown = exact.quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR)
        if below is None or shown > as_decimal(below):
            return f"{shown:f}"
    return repr(threshold)


def _records(swept: Swept, digits: int | None) -> Records:
    """Return every point of every curve; the threshold is empty if nothing is accepted."""
    rows = (
        [row.run, *who, point.threshold, point.accepted, numeric(point.value, digits)]
        for row, sweep in zip(swept.rows, swept.sweeps, strict=True)
        for who in [[*map(record(ENTRANT, row).get, ENTRANT)]]
        for point in sweep.points
    )
    return Records(["run", *ENTRANT, "threshold", "accepted", swept.measure.key], rows)


sweep_report = Reporter(DOCUMENT, _tables, _records)
