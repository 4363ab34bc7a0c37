"""Confidences beside what is true: the samples that measures of confidence are computed from."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Sequence
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.exact import written
from ave_score.model import Collection, JudgedRun, Label, Run, Verdict
from ave_score.policies import Answering, Meaning

NO_CONFIDENCES = "it does not give a confidence in every answer"

_ACCEPTED = (Verdict.VALIDATED, Verdict.SELECTED)

_EXACT = Context(prec=2000, traps=[Inexact])
"""Room for every digit of numbers in -1..1: the smallest float has 1,074 decimals."""


def has_confidences(run: Run) -> bool:
    """Tell whether a run has a confidence for every answer; runs of pairs may have none."""
    return not any(map(math.isnan, run.confidences))


def count_confidences(run: Run, collection: Collection, ties: str) -> ConfidenceCounts:
    """Return the judged answers of a run with their confidences, in the order of the collection."""
    judged = [label < Label.UNKNOWN for label in collection.labels]
    rows = zip(judged, run.confidences, run.verdicts, collection.labels, strict=True)
    samples = [
        (confidence, 2 * (verdict in _ACCEPTED) + label)
        for is_judged, confidence, verdict, label in rows
        if is_judged
    ]
    return ConfidenceCounts(
        array("d", (confidence for confidence, _ in samples)),
        bytes(decision for _, decision in samples),
        ties,
    )


def count_self_scores(run: Run, collection: Collection, ties: str) -> SelfScoreCounts:
    """Return the selected answers of a run with their confidences, and its sum of K."""
    selected = [place for place, one in enumerate(run.verdicts) if one == Verdict.SELECTED]
    terms = _KTerms()
    for span in collection.roster.spans:
        accepted = [
            (run.confidences[place], collection.labels[place] == Label.VALIDATED)
            for place in range(span.start, span.stop)
            if run.verdicts[place] in _ACCEPTED
        ]
        terms.add(accepted, collection.labels[span].count(Label.VALIDATED))
    return SelfScoreCounts(
        array("d", (run.confidences[place] for place in selected)),
        bytes(collection.labels[place] == Label.VALIDATED for place in selected),
        len(collection.roster.questions),
        terms.total,
        terms.outside,
        ties,
    )


def count_judged_self_scores(
    system: JudgedRun, collection: Collection, table: dict[str, Meaning], ties: str
) -> SelfScoreCounts | None:
    """Return what a QA system answered with its confidences; None where it gives none.

    Where there are no candidates it is not known how many correct answers a question has: K then
    takes it that there is one.
    """
    number_of = collection.roster.question_number
    given = [
        answer
        for answer in sorted(system.answers, key=lambda one: number_of[one.q_id])
        if answer.answered is not False
        and table[answer.judgement].answering is not Answering.UNANSWERED
    ]
    if any(answer.confidence is None for answer in given):
        return None
    rights = [table[answer.judgement].answering is Answering.CORRECT for answer in given]
    confidences = [answer.confidence or 0.0 for answer in given]
    terms = _KTerms()
    for answer, confidence, right in zip(given, confidences, rights, strict=True):
        labels = collection.labels[collection.roster.spans[number_of[answer.q_id]]]
        terms.add([(confidence, right)], labels.count(Label.VALIDATED))
    return SelfScoreCounts(
        array("d", confidences),
        bytes(rights),
        len(collection.roster.questions),
        terms.total,
        terms.outside,
        ties,
    )


class _KTerms:
    """Sums what questions add to K, exactly, by their denominators."""

    def __init__(self) -> None:
        self._sums: defaultdict[int, Decimal] = defaultdict(Decimal)
        self.outside = 0

    def add(self, accepted: Sequence[tuple[float, bool]], correct: int) -> None:
        """Add a question with its accepted answers; `correct` are those that there are."""
        size = max(len(accepted), correct)
        for confidence, right in accepted:
            if 0 <= confidence <= 1:
                term = written(confidence)
                self._sums[size] = _EXACT.add(
                    self._sums[size], term if right else term.copy_negate()
                )
            else:
                self.outside += 1

    @property
    def total(self) -> Fraction:
        """The sum over all questions."""
        parts = (Fraction(total) / size for size, total in self._sums.items())
        return sum(parts, Fraction(0))
