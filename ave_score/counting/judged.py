"""What the judged answers of a question-answering system were worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ave_score.counts import AnsweringCounts, SelectionCounts
from ave_score.model import (
    AnswerOutcome,
    Collection,
    JudgedAnswer,
    JudgedRun,
    Label,
    Outcome,
)
from ave_score.policies import Answering, Meaning

WITHHELD = frozenset([Outcome.WITHHELD_ANSWERABLE, Outcome.WITHHELD_UNANSWERABLE])
"""What happened to questions that were left unanswered."""

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
    run: JudgedRun, collection: Collection, table: dict[str, Meaning]
) -> list[tuple[JudgedAnswer | None, Outcome]]:
    """Return a QA system's answer to each question of the collection, and what it was worth.

    The run has at most one answer a question. A system answers everything: no row is an answer
    that was wrong, unless the run says itself that it left the question unanswered.
    """
    given = {answer.q_id: answer for answer in run.answers}
    found = []
    for q_id, answerable in zip(collection.roster.questions, collection.answerable, strict=True):
        answer = given.get(q_id)
        worth = Answering.INCORRECT
        if answer is not None:
            worth = table[answer.judgement].answering
            if answer.answered is False:
                worth = Answering.UNANSWERED
        found.append((answer, _OUTCOMES[worth, answerable]))
    return found


def count_judged(
    run: JudgedRun, collection: Collection, table: dict[str, Meaning]
) -> tuple[SelectionCounts, AnsweringCounts]:
    """Count the questions of a QA system: its answers as if they were selections, and as answers.

    What it withheld counts as right or wrong by its judgement.
    """
    outcomes = judged_outcomes(run, collection, table)
    selections = _count_outcomes(outcomes, collection, table)
    withheld = Counter(answer_outcome(answer, outcome, table) for answer, outcome in outcomes)
    answers = replace(
        AnsweringCounts.of(selections),
        withheld_right=withheld[AnswerOutcome.WITHHELD_RIGHT],
        withheld_wrong=withheld[AnswerOutcome.WITHHELD_WRONG],
    )
    return selections, answers


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


def _count_outcomes(
    outcomes: Sequence[tuple[JudgedAnswer | None, Outcome]],
    collection: Collection,
    table: dict[str, Meaning],
) -> SelectionCounts:
    times = Counter(outcome.value for _, outcome in outcomes)
    wrong = {Outcome.SELECTED_WRONG_ANSWERABLE, Outcome.SELECTED_WRONG_UNANSWERABLE}
    unknown = sum(
        answer is not None and outcome in wrong and table[answer.judgement].label is Label.UNKNOWN
        for answer, outcome in outcomes
    )
    return SelectionCounts(
        **times,
        selected_unknown=unknown,
        expected_random=collection.expected_random,
        questions_with_correct=collection.questions_with_correct,
    )
