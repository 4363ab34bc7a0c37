"""The accuracy of choices among n of N candidates."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from ave_score.core.exact import to_number
from ave_score.core.text import counted
from ave_score.measures import MEASURES
from ave_score.reports.report import Cell, Records, Report, ReportTable
from ave_score.reports.score import DIGITS, bounded_text, cells_of_ends, columns_of_ends, rounded
from ave_score.reports.score_notes import interval_notes
from ave_score.tasks.best_of_n import BestOfN, Curve, Point

SCHEMA = "ave-score/best-of-n/1"

_LEGEND = (
    "n: candidates drawn at random from those of a question; each value is the exact mean over all "
    "draws. Oracle: whether a correct one is drawn, pass@n. Random: any of the candidates."
)
_VOTES = "Majority: the most frequent answer. Weighted: the answer with the highest sum of scores."

_SHARES, _MEANS = "shares of questions", "means of probabilities"
"""What intervals are about: a choice is right or wrong, or right with some probability."""


def best_of_n_report(found: BestOfN, digits: int | None = None) -> Report:
    """Return the report of curves; records are not rounded if `digits` is None."""
    return Report(
        lambda: [_table(found, DIGITS if digits is None else digits)],
        lambda: _document(found),
        lambda: _records(found, digits),
    )


def _table(found: BestOfN, digits: int) -> ReportTable:
    several = sum(curve.choice == "verifier" for curve in found.curves) > 1
    record = MEASURES["best_of@"]
    rows = [
        [
            f"{size:,}",
            *(
                bounded_text(point.value, point.interval, record, digits)
                for point in (curve.points[number] for curve in found.curves)
            ),
        ]
        for number, size in enumerate(found.sizes)
    ]
    votes = [_VOTES] * any(curve.choice == "majority" for curve in found.curves)
    return ReportTable(
        f"Accuracy of the choice among n candidates, {counted(found.questions, 'question')}",
        ["n", *(_head(curve, several) for curve in found.curves)],
        rows,
        align="r" * (1 + len(found.curves)),
        notes=[
            *(_LEGEND, *votes, *found.notes, *_interval_notes(found)),
            f"Signature: {found.signature}",
        ],
    )


def _head(curve: Curve, several: bool) -> str:
    return curve.choice.capitalize() if curve.choice == "weighted" and not several else curve.name


def _interval_notes(found: BestOfN) -> list[str]:
    """Return how intervals were computed."""
    if found.intervals is None:
        return []
    points = (point.interval for curve in found.curves for point in curve.points)
    used = [(_SHARES if one.method == "wilson" else _MEANS, one) for one in points if one]
    return interval_notes(found.intervals, used)


def _records(found: BestOfN, digits: int | None) -> Records:
    """Return a row for each n and choice."""
    bounded = ["value"] * (found.intervals is not None)

    def rows() -> Iterator[list[Cell]]:
        for number, size in enumerate(found.sizes):
            for curve in found.curves:
                point = curve.points[number]
                value = rounded(point.value, digits)
                cells = cells_of_ends({"value": point.interval}, bounded, digits)
                yield [size, curve.choice, curve.verifier, value, *cells]

    return Records(["n", "choice", "verifier", "value", *columns_of_ends(bounded)], rows())


def _document(found: BestOfN) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "signature": found.signature,
        "questions": found.questions,
        "notes": [*found.notes],
        "curves": [
            {
                "choice": curve.choice,
                "verifier": curve.verifier or None,
                "points": [
                    _point(size, point)
                    for size, point in zip(found.sizes, curve.points, strict=True)
                ],
            }
            for curve in found.curves
        ],
    }


def _point(size: int, point: Point) -> dict[str, object]:
    document: dict[str, object] = {"n": size, "value": to_number(point.value)}
    if point.reason:
        document["reason"] = point.reason
    one = point.interval
    if one is not None:
        document["interval"] = [None if isnan(end) else end for end in one.interval]
        document |= {"interval_method": one.method} if one.method else {}
        if one.caution:
            document["interval_caution"] = one.caution
    return document
