"""NIL: questions that are said to have no answer, and those that have none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ave_score.counts.base import Counts, Family
from ave_score.counts.categories import (
    CategoryCounts,
    count_categories,
    count_response_categories,
    expected_categories,
)
from ave_score.counts.joined import JoinedAnswers
from ave_score.counts.judged import JudgedSystem
from ave_score.counts.responses import Responses
from ave_score.counts.selection import SelectionBaseline
from ave_score.exact import Number
from ave_score.policies import Answering


@dataclass(eq=False, repr=False)
class NilCounts(Counts):
    """Questions by whether a system says that there is no answer, and whether there is none.

    `nil_questions` are those without any answer, `nil_given` those that the system says have none,
    `nil_right` those of them of which that is true.
    """

    nil_questions: Number = 0
    nil_given: Number = 0
    nil_right: Number = 0

    @classmethod
    def of(cls, categories: CategoryCounts) -> Self:
        """Return what is said where nothing is answered: that there is no answer."""
        withheld = categories.unanswered_unanswerable
        return cls(
            categories.answered_unanswerable + withheld,
            categories.unanswered_answerable + withheld,
            withheld,
        )


def _count_nil(joined: JoinedAnswers) -> NilCounts:
    return NilCounts.of(count_categories(joined))


def _count_system_nil(judged: JudgedSystem) -> NilCounts:
    """Count the answers NIL of a QA system.

    The questions without an answer are those of which any system of its file said so rightly.
    """
    worths = [
        judged.table[one.judgement].answering
        for one in judged.system.answers
        if one.is_nil and one.answered is not False
    ]
    given = [worth for worth in worths if worth is not Answering.UNANSWERED]
    without = judged.questions_judged(judged.system.pool.nil, Answering.CORRECT)
    return NilCounts(len(without), len(given), given.count(Answering.CORRECT))


def _expected_nil(baseline: SelectionBaseline) -> NilCounts:
    return NilCounts.of(expected_categories(baseline))


def _count_response_nil(responses: Responses) -> NilCounts:
    return NilCounts.of(count_response_categories(responses))


NIL = Family(
    "nil",
    NilCounts,
    table="categories",
    of_answers=_count_nil,
    of_system=_count_system_nil,
    of_selection=_expected_nil,
    of_responses=_count_response_nil,
)
