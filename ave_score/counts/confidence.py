"""Confidences and correctness: of all judged answers, and of the returned answers."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from typing import NamedTuple

from ave_score.counts.base import Counts, Family, NotCounted
from ave_score.counts.joined import ACCEPTED
from ave_score.counts.judged import JudgedSystem
from ave_score.exact import Number, as_decimal
from ave_score.judgements import Answering
from ave_score.model import Collection, JudgedAnswer, Label, Run, Verdict
from ave_score.policies import TIES_CHOICES

NO_CONFIDENCES = "it does not give a confidence in every answer"


@dataclass(eq=False, repr=False)
class ConfidenceCounts(Counts):
    """The judged answers of a run, each with its confidence.

    `decisions` has one code per answer, a bit mask: 1 if it is correct, 2 if it was validated.
    `ties` is a choice of `Policies.ties`. Unless it takes the mean over all orders, answers of
    equal confidence rank in the order of the columns.
    """

    confidences: array[float] = field(default_factory=lambda: array("d"))
    decisions: bytes = b""
    ties: str = "average"


def has_confidences(run: Run) -> bool:
    """Tell whether a run has a confidence for every answer; runs of pairs may have none."""
    return not any(map(math.isnan, run.confidences))


def count_confidences(run: Run, collection: Collection, ties: str) -> ConfidenceCounts:
    """Return the judged answers of a run with their confidences.

    Raises `NotCounted` if an answer has no confidence.
    """
    if not has_confidences(run):
        raise NotCounted(NO_CONFIDENCES)
    labels, verdicts = collection.labels, run.verdicts
    judged = [place for place, label in enumerate(labels) if label < Label.UNKNOWN]
    arranged = TIES_CHOICES[ties].arranged(judged, collection.index.ids)
    return ConfidenceCounts(
        array("d", (run.confidences[place] for place in arranged)),
        bytes(2 * (verdicts[place] in ACCEPTED) + labels[place] for place in arranged),
        ties,
    )


_EXACT = Context(prec=2000, traps=[Inexact])
"""Room for every digit of numbers in -1..1: the smallest float has 1,074 decimals."""


@dataclass(eq=False, repr=False)
class SelfScoreCounts(Counts):
    """The answers that a system returned, at most one per question, each with its confidence.

    Answers labelled UNKNOWN are left out, as if they had not been returned.
    `rights` is 1 for a correct answer, else 0. `self_questions` counts all questions, answered or
    not. `sum_of_k` is the sum of the questions' contributions to K, and `outside_unit` the number
    of confidences in it that are outside 0..1. `ties` is as in `ConfidenceCounts`.
    """

    confidences: array[float] = field(default_factory=lambda: array("d"))
    rights: bytes = b""
    self_questions: int = 0
    sum_of_k: Number = 0
    outside_unit: int = 0
    ties: str = "average"


def count_self_scores(run: Run, collection: Collection, ties: str) -> SelfScoreCounts:
    """Return the selected answers of a run with their confidences, and its sum of K."""
    labels = collection.labels
    selected = [
        number
        for number, verdict in enumerate(run.verdicts)
        if verdict == Verdict.SELECTED and labels[number] != Label.UNKNOWN
    ]
    arranged = TIES_CHOICES[ties].arranged(selected, collection.index.ids)
    terms = _KTerms()
    for span in collection.index.spans:
        accepted = [
            (run.confidences[place], labels[place] == Label.VALIDATED)
            for place in range(span.start, span.stop)
            if run.verdicts[place] in ACCEPTED and labels[place] != Label.UNKNOWN
        ]
        terms.add(accepted, labels[span].count(Label.VALIDATED))
    return SelfScoreCounts(
        array("d", (run.confidences[place] for place in arranged)),
        bytes(labels[place] == Label.VALIDATED for place in arranged),
        len(collection.index.questions),
        terms.total,
        terms.outside,
        ties,
    )


class ReturnedAnswer(NamedTuple):
    """An answer that a QA system returned, its confidence, and whether it was judged correct."""

    answer: JudgedAnswer
    confidence: float
    is_right: bool

    def ids(self) -> tuple[str, str]:
        """Return the answer id and the question id."""
        return self.answer.a_id, self.answer.q_id


def returned_answers(judged: JudgedSystem) -> list[ReturnedAnswer]:
    """Return the judged answers that a QA system returned, in the order of the policy on ties.

    Answers labelled UNKNOWN are left out. Raises `NotCounted` if an answer has no confidence.
    """
    number_of, table = judged.collection.index.question_number, judged.table
    found = []
    for answer in sorted(judged.system.answers, key=lambda answer: number_of[answer.q_id]):
        meaning = table[answer.judgement]
        worth = meaning.answering
        if answer.answered is False or worth is Answering.UNANSWERED:
            continue
        if answer.confidence is None:
            raise NotCounted(NO_CONFIDENCES)
        if meaning.label is Label.UNKNOWN:
            continue
        found.append(ReturnedAnswer(answer, answer.confidence, worth is Answering.CORRECT))
    return [*TIES_CHOICES[judged.ties].arranged(found, ReturnedAnswer.ids)]


def count_system_self_scores(judged: JudgedSystem) -> SelfScoreCounts:
    """Return the answers of a QA system with their confidences.

    Answers labelled UNKNOWN are left out. Without candidates, the number of correct answers to a
    question is unknown, and K assumes one. Raises `NotCounted` if an answer has no confidence.
    """
    index, given, terms = judged.collection.index, returned_answers(judged), _KTerms()
    for one in given:
        labels = judged.collection.labels[index.spans[index.question_number[one.answer.q_id]]]
        terms.add([(one.confidence, one.is_right)], labels.count(Label.VALIDATED))
    return SelfScoreCounts(
        array("d", (one.confidence for one in given)),
        bytes(one.is_right for one in given),
        len(index.questions),
        terms.total,
        terms.outside,
        judged.ties,
    )


class _KTerms:
    """Sums the questions' contributions to K exactly, by their denominators."""

    def __init__(self) -> None:
        self._sums: defaultdict[int, Decimal] = defaultdict(Decimal)
        self.outside = 0

    def add(self, accepted: Sequence[tuple[float, bool]], correct: int) -> None:
        """Add a question: its accepted answers, and the number of correct answers it has."""
        size = max(len(accepted), correct)
        for confidence, right in accepted:
            if 0 <= confidence <= 1:
                term = as_decimal(confidence)
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


CONFIDENCE = Family(
    "confidence",
    ConfidenceCounts,
    table="confidence",
    of_run=count_confidences,
    is_ranked=True,
    of_pairs=True,
    needs_candidates=True,
    unknown="are left out",
)

SELF_SCORE = Family(
    "self-score",
    SelfScoreCounts,
    table="confidence",
    of_run=count_self_scores,
    of_system=count_system_self_scores,
    is_ranked=True,
    unknown="are left out, as if they had not been returned; their questions count in n",
)
