"""Runs at every threshold, the curves as data; and at thresholds chosen on other data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import NamedTuple, cast

from ave_score.core.collection_summary import CollectionSummary
from ave_score.core.exact import as_decimal
from ave_score.core.policies import HASH_DIGITS
from ave_score.inference.sweep import AppliedThreshold, Sweep
from ave_score.measures import Measure
from ave_score.reports.data import (
    COUNT,
    LEFT_OUT,
    MEASURE,
    NOTES,
    NUMBER,
    SIGNATURE,
    TEXT,
    VALUE,
    Reporter,
    ResultDocument,
    entry,
    list_of,
    numeric,
    rounded,
)
from ave_score.reports.report import DIGITS, Cell, Records, Report, ReportTable, with_notes
from ave_score.reports.score import cell_text, ranks, row_styles, score_report
from ave_score.reports.score_data import THRESHOLDS
from ave_score.reports.score_notes import run_notes
from ave_score.tasks.ranked import not_primary_notes
from ave_score.tasks.score import Row, Scores
from ave_score.tasks.sweep import Swept

_POINT = {
    "threshold": NUMBER.or_null(
        "The lowest confidence that is accepted; null: above all confidences."
    ),
    "accepted": COUNT("The number of answers that reach it."),
    "value": VALUE("The measure at this threshold."),
}

_SWEEP = {
    "run": TEXT("The name of the run."),
    "submitted": VALUE("The measure for the run's own decisions."),
    "best": entry(_POINT, "point")(
        "The point with the best value. In a tie it is the point that accepts the fewest answers.",
        lambda sweep, swept: sweep.best(swept.measure),
    ),
    "curve": list_of(entry(_POINT, "point"))(
        "All points, from the highest threshold to the lowest.", "points"
    ),
}

DOCUMENT = ResultDocument(
    "sweep",
    "Sweeps",
    "A measure at every threshold of each run: `ave-score score --sweep MEASURE`. CSV has a row "
    "for each point.",
    {
        "signature": SIGNATURE,
        "measure": MEASURE("The name of the measure.", "measure.key"),
        "runs": list_of(entry(_SWEEP))("The runs in the given order.", "sweeps"),
        "left_out": LEFT_OUT,
        "notes": NOTES,
    },
)

_NOTE = (
    "Each threshold was chosen on the answers that it is scored on, so the values are too high "
    "for other data. --threshold-from chooses thresholds on other data."
)


def _tables(swept: Swept, digits: int) -> list[ReportTable]:
    measure, groups = swept.measure, swept.groups

    def best_first(of: tuple[Sweep, Row]) -> tuple[object, ...]:
        return of[1].is_apart, measure.sort_key(of[0].best(measure).value), of[1].run

    listed = sorted(zip(swept.sweeps, swept.rows, strict=True), key=best_first)
    values = [sweep.best(measure).value if row.is_ranked else None for sweep, row in listed]
    is_comparable = not swept.notes  # otherwise runs are scored on different answers
    best = measure.best(values) if is_comparable else None
    names = ["#", "Run", *["Group"] * bool(groups)]
    figures = ["Threshold", "Accepted", measure.title, f"{measure.title} submitted"]
    rows = []
    in_order = [value for value, (_, row) in zip(values, listed, strict=True) if row.is_ranked]
    rank_texts = iter(ranks(in_order))
    for sweep, row in listed:
        rank = next(rank_texts) * is_comparable if row.is_ranked else ""
        point = sweep.best(measure)
        threshold = _threshold_text(point.threshold, sweep.below(point))
        group = [row.group or ""] * bool(groups)
        cells = [cell_text(value, measure, digits) for value in (point.value, sweep.submitted)]
        rows.append([rank, row.shown, *group, threshold, f"{point.accepted:,}", *cells])
    table = ReportTable(
        f"Best threshold, by {measure.title}",
        [*names, *figures],
        rows,
        align="r" + "l" * (len(names) - 1) + "r" * len(figures),
        keys=2,
        best=frozenset(
            (number, len(names) + 2)
            for number, value in enumerate(values)
            if value is not None and value == best
        ),
        styles=row_styles(row for _, row in listed),
        notes=[*run_notes(swept.rows), *not_primary_notes(swept.rows), _NOTE],
    )
    return with_notes([table], swept.notes, swept.signature)


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
        [sweep.run, point.threshold, point.accepted, numeric(point.value, digits)]
        for sweep in swept.sweeps
        for point in sweep.points
    )
    return Records(["run", "threshold", "accepted", swept.measure.key], rows)


sweep_report = Reporter(DOCUMENT, _tables, _records)


# --- thresholds chosen on another collection ------------------------------------------------------


class AppliedThresholds(NamedTuple):
    """The thresholds of all runs, the collection they were chosen on, and by which measure."""

    collection: CollectionSummary
    measure: Measure
    runs: Sequence[AppliedThreshold]

    @property
    def signature(self) -> str:
        """The part of the signature that identifies the choice."""
        return f"threshold-from:{self.collection.sha256[:HASH_DIGITS]}|by:{self.measure.key}"


def thresholds_report(
    scores: Scores,
    applied: AppliedThresholds,
    digits: int | None,
    sort: str | None,
    by_question: Mapping[tuple[str, str], str],
) -> Report:
    """Return a report of scores with the thresholds that the runs were decided at.

    Their table comes first; JSON has them under `thresholds`, CSV in the last columns.
    """
    signed = replace(scores, signature=f"{scores.signature}|{applied.signature}")
    report = score_report(signed, digits, sort, by_question)
    shown = DIGITS if digits is None else digits
    return report._replace(
        tables=lambda: [thresholds_table(applied, shown), *report.tables()],
        document=lambda: {
            **cast("dict[str, object]", report.document()),
            "thresholds": THRESHOLDS.made(applied),
        },
        records=lambda: _with_applied_columns(report.records(), applied, digits),
    )


def thresholds_table(applied: AppliedThresholds, digits: int) -> ReportTable:
    """Return the table of the thresholds that runs were decided at."""
    collection, measure, runs = applied
    return ReportTable(
        f"Thresholds chosen on {collection.path}, by {measure.title}",
        ["Run", "Chosen on", "Threshold", f"{measure.title} in-sample", measure.title],
        [
            [
                *(of.run, of.chosen_on, _threshold_text(of.point.threshold, of.below)),
                *(cell_text(value, measure, digits) for value in (of.point.value, of.value)),
            ]
            for of in runs
        ],
        align="llrrr",
        notes=[
            "In-sample: the value on the answers on which the threshold was chosen, which is too "
            "high for other data. The last column has the value here, as in the tables below."
        ],
    )


def _with_applied_columns(
    records: Records, applied: AppliedThresholds, digits: int | None
) -> Records:
    """Append the columns of thresholds; rows of systems and baselines have none."""
    of_run = {choice.run: choice for choice in applied.runs}
    kind = records.columns.index("kind")

    def rows() -> Iterator[Sequence[Cell]]:
        for row in records.rows:
            choice = of_run.get(str(row[0])) if row[kind] == "AV" else None
            cells: list[Cell] = [None] * 4
            if choice is not None:
                values = (rounded(value, digits) for value in (choice.point.value, choice.value))
                cells = [choice.chosen_on, choice.point.threshold, *values]
            yield [*row, *cells]

    key = applied.measure.key
    added = ("chosen_on", "threshold", f"{key}_in_sample", f"{key}_out_of_sample")
    return Records([*records.columns, *added], rows())
