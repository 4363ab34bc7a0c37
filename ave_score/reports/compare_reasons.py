"""Why pairs of a comparison have no p, no interval or another one, and which are rough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan

from ave_score.core.text import brief, quantity
from ave_score.inference.by_question import TOLERANCE
from ave_score.inference.compare_records import Comparison, Pair
from ave_score.inference.intervals import FEW

MOST_LISTED = 10
"""Runs whose groups a conclusion names, pairs and figures in a note, and questions of a run."""

_OF_FEW = "the runs differ on too few {unit}s for the test to reject any"
_ALIKE = "the difference is the same on every {unit}"

METHODS = {"score": "Tango's score", "t": "Student's t", "rule of three": "the rule of three"}
"""`Pair.method` -> its name in a sentence."""


def reason_of(comparison: Comparison, pair: Pair) -> str:
    """Say why a pair has no p, no interval or another one; "" if the test gives what it can."""
    title = comparison.measure.title
    if pair.difference is None:
        return f"{title} is undefined"
    for run, number in pair.rests_on:
        if not number:
            return f"no {comparison.unit} contributes to {title} of {run}"
    if not comparison.design.procedure.is_of_measure:
        return ""
    if pair.method:
        why = (_OF_FEW if pair.deviation > TOLERANCE else _ALIKE).format(unit=comparison.unit)
        return f"by {METHODS[pair.method]}, because {why}"
    if not isnan(pair.interval.low):
        return ""
    is_known = pair.deviation < TOLERANCE or pair.score is None
    if pair.p == 1 and not pair.difference and is_known:
        return f"{title} of these runs differs on no {comparison.unit}"
    if pair.deviation < TOLERANCE:
        return _ALIKE.format(unit=comparison.unit)
    if comparison.design.test == "bootstrap":
        return f"{comparison.design.resampling.resamples:,} samples are too few"
    if isnan(pair.deviation):
        return f"{title} of these runs shows no variance to compute one from"
    return f"the runs differ on too few {comparison.unit}s"


def missing_notes(pairs: Iterable[tuple[Comparison, Pair]]) -> list[str]:
    """Say why pairs have no p, no interval or another one, and how many."""
    reasons = Counter(
        f"{'Not tested' if isnan(pair.p) else 'No interval' if not pair.method else 'Interval'}: "
        f"{reason}"
        for comparison, pair in pairs
        if (reason := reason_of(comparison, pair))
    )
    return [f"{reason} ({quantity(number, 'pair')})." for reason, number in reasons.items()]


def rough_of(comparison: Comparison, pair: Pair) -> list[str]:
    """Say which runs of a pair rest on few questions, so that p and interval are rough."""
    return [
        f"{comparison.measure.title} of {run} rests on {quantity(number, comparison.unit)}"
        for run, number in pair.rests_on
        if 0 < number < FEW
    ]


def rough_text(sentences: Sequence[str]) -> str:
    """Say that p and intervals are rough, and why."""
    return f"p and interval are rough: {brief(sentences, MOST_LISTED)}"


def reasons_of(comparison: Comparison, pair: Pair) -> str:
    """Say why a pair has no p or no interval, or why both are rough; "" if there is no reason."""
    reasons = [reason_of(comparison, pair)]
    if rough := rough_of(comparison, pair):
        reasons.append(rough_text(rough))
    return "; ".join(filter(None, reasons))
