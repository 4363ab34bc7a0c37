"""Answering: questions by whether they were answered, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from ave_score.counts.base import Counts, Family
from ave_score.counts.joined import JoinedAnswers
from ave_score.counts.judged import SystemOutcome
from ave_score.counts.selection import (
    SelectionBaseline,
    SelectionCounts,
    count_selection,
    count_system_selection,
)
from ave_score.exact import Number
from ave_score.model import AnswerOutcome


@dataclass(eq=False, repr=False)
class AnsweringCounts(Counts):
    """Questions by whether a system answered them, and how.

    `withheld_right` and `withheld_wrong` are parts of `unanswered`: the system withheld an answer,
    and assessors looked at it.
    """

    answered_right: Number = 0
    answered_wrong: Number = 0
    unanswered: Number = 0
    withheld_right: Number = 0
    withheld_wrong: Number = 0

    @property
    def questions(self) -> Number:
        """All questions."""
        return self.answered_right + self.answered_wrong + self.unanswered

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return what selections are worth as answers: none selected is not answered."""
        wrong = selections.selected_wrong_answerable + selections.selected_wrong_unanswerable
        withheld = selections.withheld_answerable + selections.withheld_unanswerable
        return cls(selections.selected_right, wrong, withheld)


def _count_answering(joined: JoinedAnswers) -> AnsweringCounts:
    return AnsweringCounts.of(count_selection(joined))


def _count_system_answering(outcomes: Sequence[SystemOutcome]) -> AnsweringCounts:
    """Count the questions of a QA system; what it withheld is right or wrong by its judgement."""
    worths = Counter(one.worth for one in outcomes)
    return replace(
        AnsweringCounts.of(count_system_selection(outcomes)),
        withheld_right=worths[AnswerOutcome.WITHHELD_RIGHT],
        withheld_wrong=worths[AnswerOutcome.WITHHELD_WRONG],
    )


def _expected_answering(baseline: SelectionBaseline) -> AnsweringCounts:
    return AnsweringCounts.of(baseline.selections)


ANSWERING = Family(
    "answering",
    AnsweringCounts,
    table="answering",
    of_answers=_count_answering,
    of_outcomes=_count_system_answering,
    of_selection=_expected_answering,
    is_quick=True,
    in_all_data=True,
)
