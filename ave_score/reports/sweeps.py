"""Runs at every threshold: the best of each in a table, the curves as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ave_score.exact import to_number
from ave_score.measures import Measure
from ave_score.reports.report import Records, Report, ReportTable
from ave_score.reports.scores import DIGITS, cell_text, ranks
from ave_score.thresholds import Sweep

SCHEMA = "ave-score/sweep/1"

_NOTE = (
    "Thresholds were chosen on the same answers that they are evaluated on: the values are "
    "optimistic, and no estimate for other data."
)


class Swept(NamedTuple):
    """The data of a sweep report: all runs at all their thresholds."""

    sweeps: Sequence[Sweep]
    measure: Measure
    signature: str
    groups: Mapping[str, str]
    left_out: Sequence[str]


def sweep_report(swept: Swept, digits: int | None) -> Report:
    """Return the report of every threshold of every run."""
    return Report(
        lambda: [_table(swept, DIGITS if digits is None else digits)],
        lambda: _document(swept),
        lambda: _records(swept),
    )


def _table(swept: Swept, digits: int) -> ReportTable:
    sweeps, measure, signature, groups, _ = swept
    ranked = sorted(sweeps, key=lambda one: (measure.sort_key(one.best(measure).value), one.run))
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
        values_text = [cell_text(value, measure, digits) for value in (point.value, one.submitted)]
        rows.append([rank, one.run, *group, threshold, f"{point.accepted:,}", *values_text])
    return ReportTable(
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
        notes=[_NOTE, f"Signature: {signature}"],
    )


def _records(swept: Swept) -> Records:
    """Return every point of every curve; the threshold is empty if nothing is accepted."""
    rows = (
        [one.run, point.threshold, point.accepted, to_number(point.value)]
        for one in swept.sweeps
        for point in one.points
    )
    return Records(["run", "threshold", "accepted", swept.measure.key], rows)


def _document(swept: Swept) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "signature": swept.signature,
        "measure": swept.measure.key,
        "runs": [
            {
                "run": one.run,
                "submitted": one.submitted,
                "best": one.best(swept.measure)._asdict(),
                "curve": [point._asdict() for point in one.points],
            }
            for one in swept.sweeps
        ],
        "left_out": list(swept.left_out),
    }
