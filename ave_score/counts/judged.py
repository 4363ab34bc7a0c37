"""What the judged answers of a question-answering system are worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ave_score.judgements import Answering, Meaning
from ave_score.model import (
    AnswerOutcome,
    Collection,
    JudgedAnswer,
    Label,
    Outcome,
    QARun,
)

WITHHELD = frozenset([Outcome.WITHHELD_ANSWERABLE, Outcome.WITHHELD_UNANSWERABLE])
"""What happened to questions that were left unanswered."""

_WRONG = frozenset([Outcome.SELECTED_WRONG_ANSWERABLE, Outcome.SELECTED_WRONG_UNANSWERABLE])

_OF_WITHHELD = {
    Label.VALIDATED: AnswerOutcome.WITHHELD_RIGHT,
    Label.REJECTED: AnswerOutcome.WITHHELD_WRONG,
}

_OUTCOMES = {
    (Answering.CORRECT, True): Outcome.SELECTED_RIGHT,
    (Answering.CORRECT, False): Outcome.SELECTED_RIGHT,
    (Answering.INCORRECT, True): Outcome.SELECTED_WRONG_ANSWERABLE,
    (Answering.INCORRECT, False): Outcome.SELECTED_WRONG_UNANSWERABLE,
    (Answering.UNANSWERED, True): Outcome.WITHHELD_ANSWERABLE,
    (Answering.UNANSWERED, False): Outcome.WITHHELD_UNANSWERABLE,
}


def judged_outcomes(
    run: QARun, collection: Collection, table: dict[str, Meaning]
) -> list[tuple[JudgedAnswer | None, Outcome]]:
    """Return a QA system's answer to each question of the collection, and what it was worth.

    The run has at most one answer a question. A system answers everything: no row is an answer
    that was wrong, unless the run says itself that it left the question unanswered.
    """
    given = {answer.q_id: answer for answer in run.answers}
    found = []
    for q_id, answerable in zip(collection.index.questions, collection.answerable, strict=True):
        answer = given.get(q_id)
        worth = Answering.INCORRECT
        if answer is not None:
            worth = table[answer.judgement].answering
            if answer.answered is False:
                worth = Answering.UNANSWERED
        found.append((answer, _OUTCOMES[worth, answerable]))
    return found


def answer_outcome(
    answer: JudgedAnswer | None, outcome: Outcome, table: dict[str, Meaning]
) -> AnswerOutcome:
    """Return what an outcome is worth as an answer; `answer` may have been withheld."""
    if outcome is Outcome.SELECTED_RIGHT:
        return AnswerOutcome.ANSWERED_RIGHT
    if outcome not in WITHHELD:
        return AnswerOutcome.ANSWERED_WRONG
    if answer is None or not (answer.a_id or answer.answer or answer.judgement):
        return AnswerOutcome.UNANSWERED
    return _OF_WITHHELD.get(table[answer.judgement].label, AnswerOutcome.UNANSWERED)


class SystemOutcome(NamedTuple):
    """What a QA system did with a question, and all that is counted of it.

    Attributes
    ----------
    outcome, worth
        Its answer as if it were a selection, and as an answer.
    is_unknown
        Whether it gave an answer that is labelled UNKNOWN, and counts as wrong.
    is_nil
        Whether it said that there is no answer.
    correct, candidates
        How many answers of the question are correct in the collection, and how many there are.
    has_answer
        Whether there is an answer to be found, in the collection or, where no candidates are
        known, by what any system of the file found.
    """

    outcome: Outcome
    worth: AnswerOutcome
    is_unknown: bool
    is_nil: bool
    correct: int
    candidates: int
    has_answer: bool


@dataclass(eq=False, repr=False)
class JudgedSystem:
    """A QA system beside a collection.

    Attributes
    ----------
    system, collection
        The two, UNKNOWN labels settled.
    table
        What judgements mean.
    ties
        How answers of one confidence are ranked.
    """

    system: QARun
    collection: Collection
    table: dict[str, Meaning]
    ties: str

    @cached_property
    def outcomes(self) -> list[SystemOutcome]:
        """What the system did with each question, in the order of the collection."""
        outcomes = judged_outcomes(self.system, self.collection, self.table)
        spans, labels = self.collection.index.spans, self.collection.labels
        return [
            self._outcome(answer, outcome, labels[span], has_answer=has_answer)
            for (answer, outcome), span, has_answer in zip(
                outcomes, spans, self._has_answer(), strict=True
            )
        ]

    def _outcome(
        self, answer: JudgedAnswer | None, outcome: Outcome, labels: bytes, *, has_answer: bool
    ) -> SystemOutcome:
        is_unknown = answer is not None and self.table[answer.judgement].label is Label.UNKNOWN
        return SystemOutcome(
            outcome,
            answer_outcome(answer, outcome, self.table),
            is_unknown=is_unknown and outcome in _WRONG,
            is_nil=answer is not None and answer.is_nil,
            correct=labels.count(Label.VALIDATED),
            candidates=len(labels),
            has_answer=has_answer,
        )

    def _has_answer(self) -> list[bool]:
        """Tell of each question whether there is an answer to be found.

        Where there are no candidates, a question has one if any system of the file found one, or
        was wrong in saying that there is none.
        """
        if len(self.collection.index):
            return self.collection.answerable
        pool = self.system.pool
        found = self.questions_judged(pool.answers, Answering.CORRECT)
        found |= self.questions_judged(pool.nil, Answering.INCORRECT)
        return [q_id in found for q_id in self.collection.index.questions]

    def questions_judged(self, judged: Iterable[tuple[str, str]], worth: Answering) -> set[str]:
        """Return the questions of which something was judged to be worth this."""
        return {q_id for q_id, letter in judged if self.table[letter].answering is worth}
