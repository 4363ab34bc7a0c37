"""A title for each figure, and in words what is to be seen in it: the alternative text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.exact import fixed
from ave_score.reports.plots.data import (
    Bar,
    Bars,
    Curve,
    Curves,
    Difference,
    LeftOut,
    Reliabilities,
    Reliability,
    TieCurve,
)
from ave_score.text import counted, visible

DIGITS = 2


class Axes(NamedTuple):
    """What a figure of curves shows: its title, its axes, and the measure that sums it up."""

    title: str
    x: str
    y: str
    area: str
    meaning: str
    higher_is_better: bool = True


CURVES = {
    "roc": Axes(
        "ROC curves", "False positive rate", "True positive rate", "AUC", "area under the curve"
    ),
    "precision-recall": Axes(
        "Precision and recall", "Recall", "Precision", "AP", "mean precision at the correct answers"
    ),
    "risk-coverage": Axes(
        "Risk and coverage",
        "Coverage: questions answered, surest first",
        "Risk: share of wrong answers",
        "AURC",
        "area under the curve, the mean risk",
        higher_is_better=False,
    ),
}
"""Figure of curves -> what stands at it."""


class Words(NamedTuple):
    """Everything that is said of a figure.

    Attributes
    ----------
    title
        Above it; one line.
    text
        Its numbers, in sentences: the alternative text.
    notes
        Below it: what a reader must know to read it, and what it lacks.
    """

    title: str
    text: str
    notes: Sequence[str] = ()


def bars_words(data: Bars) -> Words:
    """Return the words of bars."""
    lines = (("Perfect selection", data.perfect), ("Random", data.random))
    told = [f"{place}. {_bar(bar)}." for place, bar in enumerate(data.bars, 1)]
    told += [f"{name}: {number(value)}." for name, value in lines if value is not None]
    head = "Horizontal bars, the best first: QA accuracy, and behind it the potential by rejection."
    notes = []
    if data.level is not None:
        notes.append(f"Whiskers: intervals of {data.level:g} % of the QA accuracy.")
    notes += left_out_notes(data.left_out)
    return _words("QA accuracy and potential by rejection", [head, *told], notes)


def _bar(bar: Bar) -> str:
    kind = " (QA system)" if bar.is_system else ""
    between = ""
    if bar.interval is not None:
        between = f" [{bar.interval[0]:.{DIGITS}f}, {bar.interval[1]:.{DIGITS}f}]"
    potential = f", potential by rejection {number(bar.potential)}" if bar.potential else ""
    return f"{visible(bar.run)}{kind}: QA accuracy {number(bar.accuracy)}{between}{potential}"


def curves_words(data: Curves) -> Words:
    """Return the words of curves."""
    axes = CURVES[data.figure]
    head = f"A curve a run, the best first: {_short(axes.y)} over {_short(axes.x)}."
    told = [_curve(curve, axes) for curve in data.curves]
    if data.chance is not None:
        told.append(f"Share of correct answers: {number(data.chance)}.")
    notes = [f"{axes.area}: {axes.meaning}. Large marks: the runs' own decisions."]
    return _words(axes.title, [head, *told], [*notes, *left_out_notes(data.left_out)])


def _curve(curve: Curve, axes: Axes) -> str:
    area = "undefined" if curve.area is None else number(curve.area)
    own = ""
    if curve.decided is not None:
        x, y = (number(value) for value in curve.decided)
        own = f"; its own decisions: {_short(axes.x)} {x}, {_short(axes.y)} {y}"
    return f"{visible(curve.run)}: {axes.area} {area}{own}."


def _short(label: str) -> str:
    return label.partition(":")[0].lower()


def reliability_words(data: Reliabilities) -> Words:
    """Return the words of reliability diagrams."""
    head = (
        "A diagram a run: the share of correct answers in each bin of confidence, and the number "
        "of answers; on the diagonal confidences are what they say."
    )
    notes = [
        "Bars: share of correct answers in a bin; points: at its mean confidence. Below: answers.",
        *left_out_notes(data.left_out),
    ]
    return _words("Reliability of confidences", [head, *map(_bins, data.runs)], notes)


def _bins(one: Reliability) -> str:
    told = [
        f"{counted(each.answers, 'answer')} of {number(each.low, 1)} to {number(each.high, 1)}, "
        f"{number(each.accuracy)} correct"
        for each in one.bins
        if each.accuracy is not None
    ]
    error = "undefined" if one.error is None else number(one.error)
    return f"{visible(one.run)}: ECE {error}; {'; '.join(told)}."


def ties_words(curves: Sequence[TieCurve]) -> Words:
    """Return the words of ties against error rate."""
    head = "A curve a measure: the proportion of ties over the error rate, as fuzziness grows."
    told = [
        f"{visible(curve.measure)}: "
        + "; ".join(
            f"fuzziness {point.fuzziness:g}: error rate {point.error_rate:.3f}, "
            f"ties {point.ties:.3f}"
            for point in curve.points
        )
        + "."
        for curve in curves
    ]
    fuzziness = sorted({point.fuzziness for curve in curves for point in curve.points})
    notes = []
    if fuzziness:
        notes.append(f"Marks: fuzziness {fuzziness[0]:g} (large) to {fuzziness[-1]:g}.")
    return _words("Ties against error rate", [head, *told], notes)


def differences_words(title: str, differences: Sequence[Difference], level: float) -> Words:
    """Return the words of differences with intervals; `level` in per cent."""
    told = [
        f"{visible(one.name)}: {one.difference:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"
        f"{'' if one.is_clear else ', zero among them'}."
        for one in differences
    ]
    notes = [f"Intervals of {level:g} %, one by one. Hollow: zero inside."]
    return _words(title, ["Differences with intervals.", *told], notes)


def left_out_notes(left_out: Iterable[LeftOut]) -> list[str]:
    """Tell which runs a figure lacks: a note for each reason."""
    by_reason: dict[str, list[str]] = {}
    for one in left_out:
        by_reason.setdefault(one.reason, []).append(visible(one.run))
    return [f"Not drawn: {', '.join(runs)}: {reason}." for reason, runs in by_reason.items()]


def number(value: Fraction | None, digits: int = DIGITS) -> str:
    """Return a number as figures print it."""
    return "n/a" if value is None else fixed(value, digits)


def _words(title: str, told: Iterable[str], notes: Sequence[str]) -> Words:
    return Words(title, " ".join([*told, *notes]), notes)
