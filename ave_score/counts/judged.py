"""Outcomes of the judged answers of a question-answering system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from ave_score.core.epochs import Epochs, replicates_of, worth_of
from ave_score.core.exact import Number
from ave_score.core.judgements import Answering, Meaning
from ave_score.core.model import (
    AnswerOutcome,
    Collection,
    JudgedAnswer,
    Label,
    Outcome,
    QARun,
)
from ave_score.core.standards import Standard

WITHHELD = frozenset([Outcome.WITHHELD_ANSWERABLE, Outcome.WITHHELD_UNANSWERABLE])
"""Outcomes of questions for which nothing is selected."""

_ANSWERED = frozenset([AnswerOutcome.ANSWERED_RIGHT, AnswerOutcome.ANSWERED_WRONG])

_WRONG = frozenset([Outcome.SELECTED_WRONG_ANSWERABLE, Outcome.SELECTED_WRONG_UNANSWERABLE])

_OF_WITHHELD = {
    Label.VALIDATED: AnswerOutcome.WITHHELD_RIGHT,
    Label.REJECTED: AnswerOutcome.WITHHELD_WRONG,
}

OUTCOMES = {
    (Answering.CORRECT, True): Outcome.SELECTED_RIGHT,
    (Answering.CORRECT, False): Outcome.SELECTED_RIGHT,
    (Answering.INCORRECT, True): Outcome.SELECTED_WRONG_ANSWERABLE,
    (Answering.INCORRECT, False): Outcome.SELECTED_WRONG_UNANSWERABLE,
    (Answering.UNANSWERED, True): Outcome.WITHHELD_ANSWERABLE,
    (Answering.UNANSWERED, False): Outcome.WITHHELD_UNANSWERABLE,
}
"""What is returned, and whether an answer is correct -> the outcome of the question."""


class JudgedQuestion(NamedTuple):
    """A QA system's answer to a question, its outcome as a selection, and as an answer."""

    answer: JudgedAnswer | None
    outcome: Outcome
    worth: AnswerOutcome


def judged_outcomes(
    run: QARun, collection: Collection, table: dict[str, Meaning]
) -> list[list[JudgedQuestion]]:
    """Return a QA system's answers to each question of the collection, with their outcomes.

    A question has several if they are replicates. A question without a row counts as answered
    wrongly, unless the run marks it as unanswered. NIL selects no candidate, like an
    answer-validation run that selects none (thesis, table 4.2), with one exception: where no
    candidate is correct, NIL judged wrong is a wrong answer, not a right rejection. As an answer,
    and in a file without candidates, NIL counts as it was judged.
    """
    answers_of, of = replicates_of(run), collection.standard
    return [
        [
            _judged(answer, table, of, answerable=answerable)
            for answer in answers_of.get(q_id, [None])
        ]
        for q_id, answerable in zip(collection.index.questions, collection.answerable, strict=True)
    ]


def _judged(
    answer: JudgedAnswer | None,
    table: dict[str, Meaning],
    standard: Standard,
    *,
    answerable: bool,
) -> JudgedQuestion:
    """Return an answer to a question, None if there is none, with its outcomes."""
    worth = worth_of(answer, table)
    judged = OUTCOMES[worth, answerable]
    is_silence = standard.has_candidates and answer is not None and answer.is_nil
    is_silence &= answerable or worth is not Answering.INCORRECT
    outcome = OUTCOMES[Answering.UNANSWERED, answerable] if is_silence else judged
    return JudgedQuestion(answer, outcome, answer_outcome(answer, judged, table))


def answer_outcome(
    answer: JudgedAnswer | None, outcome: Outcome, table: dict[str, Meaning]
) -> AnswerOutcome:
    """Convert an outcome of selection to one of answering; `answer` may have been withheld."""
    if outcome is Outcome.SELECTED_RIGHT:
        return AnswerOutcome.ANSWERED_RIGHT
    if outcome not in WITHHELD:
        return AnswerOutcome.ANSWERED_WRONG
    if answer is None or not (answer.a_id or answer.answer or answer.judgement):
        return AnswerOutcome.UNANSWERED
    return _OF_WITHHELD.get(table[answer.judgement].label, AnswerOutcome.UNANSWERED)


class SystemOutcome(NamedTuple):
    """The outcome of one answer of a QA system to a question, with all data that is counted.

    Attributes
    ----------
    outcome, worth
        The outcome as a selection, and as an answer.
    is_unknown
        Whether the answer is labelled UNKNOWN, and counts as wrong.
    is_nil
        Whether the answer is NIL.
    correct, candidates
        Numbers of correct answers and of all answers to the question in the collection.
    has_answer
        Whether the question has an answer: in the collection or, without candidates, from any
        system of the file.
    """

    outcome: Outcome
    worth: AnswerOutcome
    is_unknown: bool
    is_nil: bool
    correct: int
    candidates: int
    has_answer: bool

    @property
    def is_answered(self) -> bool:
        """Whether the system answered, perhaps with NIL."""
        return self.worth in _ANSWERED


@dataclass(eq=False, repr=False)
class JudgedSystem:
    """A QA system and the collection that it is scored against.

    Attributes
    ----------
    system, collection
        The system and the collection, UNKNOWN labels resolved.
    table
        Judgement -> its meaning.
    ties
        The ranking of answers of equal confidence.
    """

    system: QARun
    collection: Collection
    table: dict[str, Meaning]
    ties: str

    @cached_property
    def outcomes(self) -> list[tuple[SystemOutcome, ...]]:
        """The outcomes of the replicates of each question, in the order of the collection."""
        answers_of = replicates_of(self.system)
        return [
            self.outcomes_of(number, answers_of.get(q_id, [None]))
            for number, q_id in enumerate(self.collection.index.questions)
        ]

    def outcomes_of(
        self, number: int, answers: Sequence[JudgedAnswer | None]
    ) -> tuple[SystemOutcome, ...]:
        """Return the outcomes of answers, or of none, to a question with this number."""
        collection, has_answer = self.collection, self._has_answer[number]
        labels = collection.labels[collection.index.spans[number]]
        of, answerable = collection.standard, collection.answerable[number]
        judged = [_judged(answer, self.table, of, answerable=answerable) for answer in answers]
        return tuple([self._outcome(one, labels, has_answer=has_answer) for one in judged])

    @cached_property
    def epochs(self) -> Epochs:
        """The numbers of replicates of questions."""
        return Epochs.sized(map(len, self.outcomes))

    def _outcome(self, judged: JudgedQuestion, labels: bytes, *, has_answer: bool) -> SystemOutcome:
        answer, outcome, worth = judged
        is_unknown = answer is not None and self.table[answer.judgement].label is Label.UNKNOWN
        return SystemOutcome(
            outcome,
            worth,
            is_unknown=is_unknown and outcome in _WRONG,
            is_nil=answer is not None and answer.is_nil,
            correct=labels.count(Label.VALIDATED),
            candidates=len(labels),
            has_answer=has_answer,
        )

    @cached_property
    def _has_answer(self) -> list[bool]:
        """Whether each question has an answer.

        Without candidates, a question has an answer if any system of the file answered it
        correctly, or if a NIL answer was judged incorrect.
        """
        if self.collection.standard.has_candidates:
            return self.collection.answerable
        pool = self.system.pool
        answerable = self.questions_judged(pool.answers, Answering.CORRECT)
        answerable |= self.questions_judged(pool.nil, Answering.INCORRECT)
        return [q_id in answerable for q_id in self.collection.index.questions]

    def questions_judged(self, judged: Mapping[str, set[str]], worth: Answering) -> set[str]:
        """Return the questions with a judgement of this worth."""
        letters = (letter for letter in judged if self.table[letter].answering is worth)
        return set[str]().union(*map(judged.__getitem__, letters))


def shares(
    questions: Iterable[Sequence[SystemOutcome]] | Mapping[Sequence[SystemOutcome], int],
) -> dict[SystemOutcome, Number]:
    """Return how many questions have each outcome; replicates share their question equally.

    Takes the outcomes of each question, or how many questions have the same.
    """
    shared: dict[SystemOutcome, Number] = {}
    for outcomes, times in Counter(questions).items():
        share = Fraction(times, len(outcomes)) if len(outcomes) > 1 else times
        for outcome in outcomes:
            shared[outcome] = shared.get(outcome, 0) + share
    return shared
