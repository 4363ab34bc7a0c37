"""Categories: ROMIP's categories a to e of questions that were and could be answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ave_score.counts.base import Counts, Family
from ave_score.counts.joined import JoinedAnswers
from ave_score.counts.judged import WITHHELD, SystemOutcome
from ave_score.counts.responses import Responses, is_right
from ave_score.counts.selection import SelectionBaseline, SelectionCounts
from ave_score.exact import Number
from ave_score.model import Outcome
from ave_score.open_questions import QuestionType


@dataclass(eq=False, repr=False)
class CategoryCounts(Counts):
    """Questions by ROMIP's categories a to e: were there answers, and was there one to be found?

    A question is answered where a run accepts an answer of it, `some_right` where one of these is
    correct; it is answerable where the collection has a correct one.
    """

    some_right: Number = 0
    none_right_answerable: Number = 0
    answered_unanswerable: Number = 0
    unanswered_answerable: Number = 0
    unanswered_unanswerable: Number = 0

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return the categories where nothing but the selected answers is accepted."""
        return cls(
            selections.selected_right,
            selections.selected_wrong_answerable,
            selections.selected_wrong_unanswerable,
            selections.withheld_answerable,
            selections.withheld_unanswerable,
        )


def category(*, answered: bool, right: bool, answerable: bool) -> str:
    """Return the field of `CategoryCounts` that counts a question."""
    if right:
        return "some_right"
    if answered:
        return "none_right_answerable" if answerable else "answered_unanswerable"
    return "unanswered_answerable" if answerable else "unanswered_unanswerable"


def count_categories(joined: JoinedAnswers) -> CategoryCounts:
    """Count the questions of a run."""
    times = Counter(
        category(answered=accepted > 0, right=right > 0, answerable=answerable)
        for accepted, right, answerable in joined.accepted()
    )
    return CategoryCounts(**times)


def _count_system_categories(outcomes: Sequence[SystemOutcome]) -> CategoryCounts:
    return CategoryCounts(**Counter(map(_system_category, outcomes)))


def _system_category(one: SystemOutcome) -> str:
    """Return the category of a question of a QA system; an answer NIL is none."""
    right = one.outcome is Outcome.SELECTED_RIGHT
    if one.outcome in WITHHELD:
        return category(answered=False, right=False, answerable=one.has_answer)
    if one.is_nil:  # its judgement says whether there is an answer
        return category(answered=False, right=False, answerable=not right)
    return category(answered=True, right=right, answerable=one.has_answer)


def expected_categories(baseline: SelectionBaseline) -> CategoryCounts:
    """Return what to expect of a baseline."""
    return CategoryCounts.of(baseline.selections)


def count_response_categories(responses: Responses) -> CategoryCounts:
    """Count the factoid and list questions that were responded to."""
    asked = responses.of_type(QuestionType.FACTOID, QuestionType.LIST)
    times = Counter(
        category(
            answered=bool(given),
            right=bool(question.sets) and is_right(question, given),
            answerable=bool(question.sets),
        )
        for question, given in asked
    )
    return CategoryCounts(**times)


CATEGORIES = Family(
    "categories",
    CategoryCounts,
    table="categories",
    of_answers=count_categories,
    of_outcomes=_count_system_categories,
    of_selection=expected_categories,
    of_responses=count_response_categories,
)
