"""What is counted of each question of a QA system."""

from __future__ import annotations

import numpy as np

from ave_score.counts import ANSWERING, SELECTION
from ave_score.counts.judged import answer_outcome, judged_outcomes
from ave_score.inference.by_question import ByQuestion
from ave_score.model import AnswerOutcome, Collection, JudgedRun, Label, Outcome
from ave_score.policies import Meaning


def count_system_by_question(
    system: JudgedRun, collection: Collection, table: dict[str, Meaning]
) -> ByQuestion:
    """Count a QA system question by question: its answers, as selections where there are any."""
    selected, answered = [], []
    for (answer, outcome), share, answerable in zip(
        judged_outcomes(system, collection, table),
        _shares(collection),
        collection.answerable,
        strict=True,
    ):
        unknown = answer is not None and table[answer.judgement].label is Label.UNKNOWN
        is_wrong = outcome in (
            Outcome.SELECTED_WRONG_ANSWERABLE,
            Outcome.SELECTED_WRONG_UNANSWERABLE,
        )
        ones = [float(outcome is one) for one in Outcome]
        selected.append([*ones, float(unknown and is_wrong), share, float(answerable)])
        worth = answer_outcome(answer, outcome, table)
        answered.append(_ANSWERED[worth])
    columns = {ANSWERING: np.array(answered)}
    if len(collection.roster):
        columns[SELECTION] = np.array(selected)
    return ByQuestion(system.name, columns)


_ANSWERED = {  # the fields of `AnsweringCounts`
    AnswerOutcome.ANSWERED_RIGHT: [1.0, 0.0, 0.0, 0.0, 0.0],
    AnswerOutcome.ANSWERED_WRONG: [0.0, 1.0, 0.0, 0.0, 0.0],
    AnswerOutcome.UNANSWERED: [0.0, 0.0, 1.0, 0.0, 0.0],
    AnswerOutcome.WITHHELD_RIGHT: [0.0, 0.0, 1.0, 1.0, 0.0],
    AnswerOutcome.WITHHELD_WRONG: [0.0, 0.0, 1.0, 0.0, 1.0],
}


def _shares(collection: Collection) -> list[float]:
    """Return the share of correct answers of each question."""
    labels, spans = collection.labels, collection.roster.spans
    return [labels[one].count(Label.VALIDATED) / max(1, one.stop - one.start) for one in spans]
