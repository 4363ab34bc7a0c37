"""The accuracy of choices among n of N candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ave_score.core.text import quantity
from ave_score.inference.best_of_n import Curve, Point
from ave_score.measures import MEASURES
from ave_score.reports.cells import bounded_text, signed
from ave_score.reports.data import (
    ABSENT,
    COUNT,
    NUMBER,
    POSITIVE,
    SHARE,
    SIGNATURE,
    TEXT,
    Reporter,
    ResultDocument,
    entry,
    list_of,
    one_of,
    picked,
    record,
    shared,
)
from ave_score.reports.intervals import columns_of_ends, ends
from ave_score.reports.report import Records, ReportTable, with_notes
from ave_score.reports.score_notes import interval_notes
from ave_score.tasks.best_of_n import BestOfN

_POINT = {
    "n": POSITIVE("The number of candidates."),
    "value": SHARE.with_integers("The accuracy; null if it is not computed."),
    "reason": TEXT.optional("Why it is not computed.", lambda at, _: at.reason or ABSENT),
    "standard_error": NUMBER.optional(
        "The standard error of `value`, if votes are counted in random draws only.",
        lambda at, _: ABSENT if at.error is None else at.error,
    ),
    "interval": shared("interval").optional.in_columns("value_low", "value_high")(
        "Its interval, with `--ci`.", lambda at, _: ends(at.interval) if at.interval else ABSENT
    ),
    "interval_method": shared("method").optional.in_columns("value_method")(
        "The method of the interval.", lambda at, _: getattr(at.interval, "method", "") or ABSENT
    ),
    "interval_caution": TEXT.optional(
        "Why the interval should be read with care.",
        lambda at, _: getattr(at.interval, "caution", "") or ABSENT,
    ),
}

_CURVE = {
    "choice": one_of("verifier", "majority", "weighted", "oracle", "random")(
        "`verifier` takes the highest score, `majority` the most frequent answer, `weighted` the "
        "answer with the highest sum of scores, `oracle` any correct answer (pass@n)."
    ),
    "verifier": TEXT.or_null(
        "The name of the verifier, if the choice uses one.", lambda curve, _: curve.verifier or None
    ),
    "points": list_of(entry(_POINT))("The accuracy for n = 1, 2, 4, .., N."),
}

_POINT_OF_TWO = {
    "n": _POINT["n"],
    "difference": NUMBER.or_null.with_integers(
        "The accuracy by `verifier` minus that by `other`; null if one is null.", "value"
    ),
    **{key: _POINT[key] for key in _POINT if key.startswith("interval")},
}

_DIFFERENCE = {
    "choice": one_of("verifier", "weighted")("As in `curves`."),
    "verifier": TEXT("The name of a verifier."),
    "other": TEXT("The name of the verifier whose accuracy is subtracted."),
    "points": list_of(entry(_POINT_OF_TWO))(
        "The difference for n = 2, 4, .., N.",
        lambda curve, _: curve.points[1:],
    ),
}

DOCUMENT = ResultDocument(
    "best-of-n",
    "Best of n",
    "The accuracy of the best of n answers: `ave-score decide --curve`. CSV has a row for each n "
    "and choice.",
    {
        "signature": SIGNATURE,
        "questions": COUNT("The number of questions."),
        "notes": list_of(TEXT)("Sentences about the candidates."),
        "draws": POSITIVE.optional(
            "The random draws per question in which votes that take too long are counted.",
            lambda result, _: result.draws or ABSENT,
        ),
        "curves": list_of(entry(_CURVE))("The ways to choose an answer."),
        "differences": list_of(entry(_DIFFERENCE)).optional(
            "The differences of each two verifiers, with `--ci`; all intervals are from the same "
            "samples of the questions.",
            lambda result, _: result.differences or ABSENT,
        ),
    },
)

_LEGEND = (
    "n: candidates drawn at random from those of a question; each value is the exact mean over all "
    "draws{}. Oracle: whether a correct one is drawn, pass@n. Random: any of the candidates."
)
_VOTES = "Majority: the most frequent answer. Weighted: the answer with the highest sum of scores."

_OF_TWO = "Difference of two verifiers on the same questions"
_SHARES, _MEANS, _DIFFERENCES = "shares of questions", "means of probabilities", "differences"
"""What intervals are about: a choice is right or wrong, or right with some probability."""


def _tables(result: BestOfN, digits: int) -> list[ReportTable]:
    several = sum(curve.choice == "verifier" for curve in result.curves) > 1
    points_of = zip(*(curve.points for curve in result.curves), strict=True)
    rows = [[f"{points[0].n:,}", *_texts(points, digits)] for points in points_of]
    votes = [_VOTES] * any(curve.choice == "majority" for curve in result.curves)
    table = ReportTable(
        f"Accuracy of the choice among n candidates, {quantity(result.questions, 'question')}",
        ["n", *(_head(curve, several) for curve in result.curves)],
        rows,
        align="r" * (1 + len(result.curves)),
        notes=[_LEGEND.format(", but for those named below" * bool(result.draws)), *votes],
    )
    tables = [table, *_difference_tables(result, digits)]
    return with_notes(tables, [*result.notes, *_interval_notes(result)], result.signature)


def _difference_tables(result: BestOfN, digits: int) -> Iterator[ReportTable]:
    """Yield the differences of each two verifiers; of more than two only at the largest n."""
    of_pair: dict[tuple[str, str], list[Sequence[Point]]] = {}
    for curve in result.differences:
        of_pair.setdefault((curve.verifier, curve.other), []).append(curve.points)
    first = 1 if len(of_pair) == 1 else -1
    rows = [
        [*pair, f"{points[0].n:,}", *map(signed, _texts(points, digits))]
        for pair, curves in of_pair.items()
        for points in [*zip(*curves, strict=True)][first:]
    ]
    named = {"verifier": "Best score", "weighted": "Weighted"}
    columns = dict.fromkeys(named[curve.choice] for curve in result.differences)
    if rows:
        title, heads = _OF_TWO, ["Verifier", "minus", "n", *columns]
        yield ReportTable(title, heads, rows, align="ll" + "r" * (len(heads) - 2))


def _texts(points: Iterable[Point], digits: int) -> list[str]:
    measure = MEASURES["best_of@"]
    return [bounded_text(point.value, point.interval, measure, digits) for point in points]


def _head(curve: Curve, several: bool) -> str:
    return curve.choice.capitalize() if curve.choice == "weighted" and not several else curve.name


def _interval_notes(result: BestOfN) -> list[str]:
    """Return how intervals were computed."""
    if result.intervals is None:
        return []
    curves = [*result.curves, *result.differences]
    intervals = ((curve.other, point.interval) for curve in curves for point in curve.points)
    used = [
        (_DIFFERENCES if other else _SHARES if interval.method == "wilson" else _MEANS, interval)
        for other, interval in intervals
        if interval
    ]
    return interval_notes(result.intervals, used)


def _records(result: BestOfN, digits: int | None) -> Records:
    """Return a row for each n and choice."""
    ends = columns_of_ends(["value"] * (result.intervals is not None))
    rows = (
        {"choice": curve.choice, "verifier": curve.verifier, **record(_POINT, curve.points[at])}
        for at in range(len(result.sizes))
        for curve in result.curves
    )
    names = ["n", "choice", "verifier", "value", "standard_error", *ends]
    return picked(names, rows, digits)


best_of_n_report = Reporter(DOCUMENT, _tables, _records)
