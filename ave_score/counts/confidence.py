"""Confidences and correctness: of all judged answers, and of the returned answers."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from ave_score.core.choices import TIES_CHOICES
from ave_score.core.epochs import replicates_of
from ave_score.core.exact import Number, as_integers, sum_by_denominator, sums_by
from ave_score.core.judgements import Answering
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, Run, Verdict
from ave_score.counts.base import SYSTEM, Counts, Family, NotCounted, count
from ave_score.counts.decisions import cells_of, decisions_of, table_of
from ave_score.counts.judged import JudgedSystem

NO_CONFIDENCES = "not every answer has a confidence"
NOT_NAMED = "not every answer has a confidence; --log confidence=NAME names who gives numbers"
SEVERAL = "questions have several replicates, and it ranks one answer to each (--epochs first)"


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
    return not (math.isnan(sum(run.confidences)) and any(map(math.isnan, run.confidences)))


_NOT_JUDGED = 255
_REJECTED = [1, 0, _NOT_JUDGED]
_DECISIONS = table_of(2 * [3, 2, _NOT_JUDGED] + _REJECTED, _NOT_JUDGED, _REJECTED)
"""Cell -> code of `ConfidenceCounts`."""


def count_confidences(run: Run, collection: Collection, ties: str) -> ConfidenceCounts:
    """Return the judged answers of a run with their confidences.

    Raises `NotCounted` if an answer has no confidence.
    """
    if not has_confidences(run):
        raise NotCounted(NO_CONFIDENCES)
    codes = cells_of(run, collection).translate(_DECISIONS)
    judged: Sequence[int] = range(len(codes))
    if _NOT_JUDGED in codes:
        judged = [place for place in judged if codes[place] != _NOT_JUDGED]
    arranged = TIES_CHOICES[ties].arranged(judged, collection.index.ids)
    if isinstance(arranged, range):
        return ConfidenceCounts(run.confidences[:], codes, ties)
    return ConfidenceCounts(
        array("d", map(run.confidences.__getitem__, arranged)),
        bytes(map(codes.__getitem__, arranged)),
        ties,
    )


@dataclass(eq=False, repr=False)
class SelfScoreCounts(Counts):
    """The answers that a system returned, at most one per question, each with its confidence.

    Answers labelled UNKNOWN are left out, as if they had not been returned.
    `rights` is 1 for a correct answer, else 0. `ties` is as in `ConfidenceCounts`.
    """

    confidences: array[float] = field(default_factory=lambda: array("d"))
    rights: bytes = b""
    self_questions: int = count("All questions, answered or not, of the measures K and K1.")
    sum_of_k: Number = count("The sum of the contributions of questions to K.")
    outside_unit: int = count("Confidences of K that are outside 0..1.")
    ties: str = "average"


def count_self_scores(run: Run, collection: Collection, ties: str) -> SelfScoreCounts:
    """Return the selected answers of a run with their confidences, and its sum of K."""
    selected, total, outside = _selected_and_k(run, collection)
    arranged = [*TIES_CHOICES[ties].arranged(selected, collection.index.ids)]
    return SelfScoreCounts(
        array("d", map(run.confidences.__getitem__, arranged)),
        bytes(map(collection.labels.__getitem__, arranged)),
        len(collection.index.questions),
        total,
        outside,
        ties,
    )


@lru_cache(1)  # ties are counted in two ways
def _selected_and_k(run: Run, collection: Collection) -> tuple[Sequence[int], Number, int]:
    """Return the selected answers, the sum of K, and its confidences outside 0..1."""
    cells, decisions = cells_of(run, collection), decisions_of(run, collection)
    selected = [*compress(range(len(cells)), cells.translate(_SELECTED))]
    accepted = cells.translate(_ACCEPTED)
    kinds = {*decisions}
    sizes = {kind: kind.right + max(kind.wrong, kind.rejected_correct) for kind in kinds}
    times = {kind: kind.right + kind.wrong for kind in kinds}
    total, outside = _sum_of_k(
        array("d", compress(run.confidences, accepted)),
        accepted.translate(_IS_RIGHT, bytes(1)),
        [*map(sizes.__getitem__, decisions)],
        [*map(times.__getitem__, decisions)],
    )
    return selected, total, outside


_SELECTED = table_of([1, 1, 0] + 6 * [0])
"""Cell -> 1 if it is a selected answer that was judged, else 0."""

_ACCEPTED = table_of(2 * [2, 1, 0] + 3 * [0])
"""Cell -> 2 if it is an accepted correct answer, 1 if an accepted wrong one, else 0."""

_IS_RIGHT = bytes(code == 2 for code in range(256))


def _sum_of_k(
    confidences: array[float], rights: bytes, sizes: Sequence[int], times: Sequence[int]
) -> tuple[Fraction, int]:
    """Return the sum of the contributions of accepted answers to K.

    Each question has some accepted answers (`times`), whose sum is divided by its number in
    `sizes`: the accepted or the correct answers, if these are more. Confidences outside 0..1 are
    left out; their number is returned, too.
    """
    import numpy as np

    values, scale = as_integers(confidences)
    inside = (values >= 0) & (values <= scale)
    signed = np.where(np.frombuffer(rights, bool), values, -values)[inside]
    by_size = sums_by(np.repeat(np.array(sizes, np.int64), times)[inside], signed)
    return sum_by_denominator(by_size) / scale, len(values) - int(inside.sum())


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

    Answers labelled UNKNOWN are left out. Raises `NotCounted` for replicates, and if an answer has
    no confidence.
    """
    if judged.epochs.most > 1:
        raise NotCounted(SEVERAL)
    number_of, table = judged.collection.index.question_number, judged.table
    returned = []
    for answer in sorted(judged.system.answers, key=lambda answer: number_of[answer.q_id]):
        meaning = table[answer.judgement]
        worth = meaning.answering
        if answer.answered is False or worth is Answering.UNANSWERED:
            continue
        if answer.confidence is None:
            raise NotCounted(NO_CONFIDENCES)
        if meaning.label is Label.UNKNOWN:
            continue
        returned.append(ReturnedAnswer(answer, answer.confidence, worth is Answering.CORRECT))
    return [*TIES_CHOICES[judged.ties].arranged(returned, ReturnedAnswer.ids)]


def count_system_self_scores(judged: JudgedSystem) -> SelfScoreCounts:
    """Return the answers of a QA system with their confidences.

    Answers labelled UNKNOWN are left out. Without candidates, the number of correct answers to a
    question is unknown, and K assumes one. Raises `NotCounted` if an answer has no confidence.
    """
    index, answers = judged.collection.index, returned_answers(judged)
    confidences = array("d", (returned.confidence for returned in answers))
    rights = bytes(returned.is_right for returned in answers)
    spans = (index.spans[index.question_number[returned.answer.q_id]] for returned in answers)
    correct = (judged.collection.labels[span].count(Label.VALIDATED) for span in spans)
    sizes = [max(1, size) for size in correct]
    total, outside = _sum_of_k(confidences, rights, sizes, [1] * len(sizes))
    questions = len(index.questions)
    return SelfScoreCounts(confidences, rights, questions, total, outside, judged.ties)


def answers_as_run(judged: JudgedSystem) -> tuple[Run, Collection]:
    """Return the judged answers of a QA system as a run about them, with their own collection.

    Every replicate is an answer. The run validates what the system gave and rejects what it
    withheld, which is incorrect unless it was judged. Answers labelled UNKNOWN, and withheld ones
    without a confidence, are left out. Raises `NotCounted` if another has no confidence, and beside
    candidate answers, about which a system says nothing.
    """
    source = judged.collection
    if source.standard.has_candidates:
        raise NotCounted(SYSTEM)
    answers_of, starts, ids = replicates_of(judged.system), [0], list[tuple[str, str]]()
    labels, verdicts, sure = bytearray(), bytearray(), array("d")
    for q_id in source.index.questions:
        for answer in answers_of.get(q_id, ()):
            is_given = answer.answered is not False
            label = judged.table[answer.judgement].label
            if not (is_given or answer.judgement):
                label = Label.REJECTED
            if label is Label.UNKNOWN or (answer.confidence is None and not is_given):
                continue
            if answer.confidence is None:
                raise NotCounted(NOT_NAMED if source.standard.is_told_by_notes else NO_CONFIDENCES)
            labels.append(label)
            verdicts.append(Verdict.VALIDATED if is_given else Verdict.REJECTED)
            sure.append(answer.confidence)
            ids.append((q_id, answer.a_id))
        starts.append(len(labels))
    q_ids, a_ids = [q_id for q_id, _ in ids], [a_id for _, a_id in ids]
    index = AnswerIndex(source.index.questions, starts, q_ids, a_ids)
    lines = array("l", [0]) * len(ids)
    run = Run(judged.system.name, judged.system.path, index, bytes(verdicts), sure, lines)
    return run, Collection(source.path, source.sha256, index, bytes(labels))


def count_system_confidences(judged: JudgedSystem) -> ConfidenceCounts:
    """Return the judged answers of a QA system with their confidences; raises `NotCounted`."""
    return count_confidences(*answers_as_run(judged), judged.ties)


CONFIDENCE = Family(
    "confidence",
    ConfidenceCounts,
    table="confidence",
    of_run=count_confidences,
    of_system=count_system_confidences,
    is_ranked=True,
    of_pairs=True,
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
