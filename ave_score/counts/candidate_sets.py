"""Candidate sets: what the accepted answers of a question are worth, with no order among them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from ave_score.counts.base import ONE_ANSWER, Counts, Family
from ave_score.counts.joined import JoinedAnswers
from ave_score.counts.responses import Responses, match
from ave_score.counts.selection import SelectionBaseline, SelectionCounts
from ave_score.exact import Number
from ave_score.open_questions import QuestionType


@dataclass(eq=False, repr=False)
class CandidateSetCounts(Counts):
    """What an average over unranked sets of accepted answers needs (NTCIR QAC's RC).

    Questions without a correct answer are left out.
    """

    questions_with_rc: Number = 0
    sum_of_rc: Number = 0

    @classmethod
    def of(cls, selections: SelectionCounts) -> Self:
        """Return what one answer a question is worth: 1 for a correct one."""
        return cls(selections.questions_with_correct, selections.selected_right)


def _count_candidate_sets(joined: JoinedAnswers) -> CandidateSetCounts:
    """Sum what the accepted answers of each question are worth as an unranked set."""
    answerable, total = 0, Fraction(0)
    for (accepted, right, has_correct), times in Counter(joined.accepted()).items():
        answerable += times * has_correct
        if right:
            total += times * Fraction(right + 1, accepted + 1)
    return CandidateSetCounts(answerable, total)


def _expected_sets(baseline: SelectionBaseline) -> CandidateSetCounts:
    return CandidateSetCounts.of(baseline.selections)


def _count_response_sets(responses: Responses) -> CandidateSetCounts:
    """Sum what the responses to list questions are worth beside their best answer set."""
    worths = [
        max(match(given, one).rc for one in question.sets)
        for question, given in responses.of_type(QuestionType.LIST)
        if question.sets
    ]
    return CandidateSetCounts(len(worths), sum(worths, Fraction(0)))


CANDIDATE_SETS = Family(
    "candidate-sets",
    CandidateSetCounts,
    table="categories",
    of_answers=_count_candidate_sets,
    of_selection=_expected_sets,
    of_responses=_count_response_sets,
    asked_with="list",
    why_no_system=ONE_ANSWER,
    needs_candidates=True,
)
