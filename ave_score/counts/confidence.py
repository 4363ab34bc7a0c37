"""Confidence: how sure a run is of every judged answer, beside what is true."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field

from ave_score.counts.base import Counts, Family, NotCounted
from ave_score.counts.joined import ACCEPTED
from ave_score.model import Collection, Label, Run

NO_CONFIDENCES = "it does not give a confidence in every answer"


@dataclass(eq=False, repr=False)
class ConfidenceCounts(Counts):
    """The judged answers of a run in the collection's order, each with its confidence.

    `decisions` has a code an answer: 1 if it is correct, and 2 if it was validated. `ties` says in
    what order answers of one confidence stand: that of the `file` of the collection, or the
    `average` of all.
    """

    confidences: array[float] = field(default_factory=lambda: array("d"))
    decisions: bytes = b""
    ties: str = "file"


def has_confidences(run: Run) -> bool:
    """Tell whether a run has a confidence for every answer; runs of pairs may have none."""
    return not any(map(math.isnan, run.confidences))


def count_confidences(run: Run, collection: Collection, ties: str) -> ConfidenceCounts:
    """Return the judged answers of a run with their confidences, in the order of the collection.

    Raises `NotCounted` where an answer has no confidence.
    """
    if not has_confidences(run):
        raise NotCounted(NO_CONFIDENCES)
    judged = [label < Label.UNKNOWN for label in collection.labels]
    rows = zip(judged, run.confidences, run.verdicts, collection.labels, strict=True)
    samples = [
        (confidence, 2 * (verdict in ACCEPTED) + label)
        for is_judged, confidence, verdict, label in rows
        if is_judged
    ]
    return ConfidenceCounts(
        array("d", (confidence for confidence, _ in samples)),
        bytes(decision for _, decision in samples),
        ties,
    )


CONFIDENCE = Family(
    "confidence",
    ConfidenceCounts,
    table="confidence",
    of_run=count_confidences,
    is_ranked=True,
    of_pairs=True,
    needs_candidates=True,
)
