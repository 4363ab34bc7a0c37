"""Counts of decisions on candidate answers, and of answers to questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ave_score.counts.base import Counts
from ave_score.exact import Number


@dataclass(eq=False, repr=False)
class ValidationCounts(Counts):
    """Answers by what the run said (SELECTED counts as validated) and what is true.

    The counts of an expected baseline may be fractions. Answers labelled UNKNOWN stand apart.
    """

    validated_correct: Number = 0
    validated_incorrect: Number = 0
    rejected_correct: Number = 0
    rejected_incorrect: Number = 0
    validated_unknown: Number = 0
    rejected_unknown: Number = 0

    @property
    def judged(self) -> Number:
        """All answers that have a label other than UNKNOWN."""
        return (
            self.validated_correct
            + self.validated_incorrect
            + self.rejected_correct
            + self.rejected_incorrect
        )


@dataclass(eq=False, repr=False)
class SelectionCounts(Counts):
    """Questions by what the run selected and whether a correct answer was there.

    `selected_unknown` is part of the two wrong ones: an answer labelled UNKNOWN was selected.
    `expected_random` is what picking one answer of each question at random selects rightly on
    average: the sum over questions of correct answers / answers. `questions_with_correct` is what
    perfect selection gets right. Both belong to the collection: a QA system that is judged right on
    a question without a correct answer there adds to `selected_right` alone.
    """

    selected_right: Number = 0
    selected_wrong_answerable: Number = 0
    withheld_answerable: Number = 0
    selected_wrong_unanswerable: Number = 0
    withheld_unanswerable: Number = 0
    selected_unknown: Number = 0
    expected_random: Number = 0
    questions_with_correct: Number = 0

    @property
    def questions(self) -> Number:
        """All questions."""
        return (
            self.selected_right
            + self.selected_wrong_answerable
            + self.withheld_answerable
            + self.selected_wrong_unanswerable
            + self.withheld_unanswerable
        )


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


@dataclass(eq=False, repr=False)
class QuestionCounts(Counts):
    """What an average over questions needs: how many have an F1, and the sum of these."""

    questions_with_f1: int = 0
    sum_of_f1: Number = 0


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
        """Return what a run says that validates nothing where it finds no answer."""
        withheld = categories.unanswered_unanswerable
        return cls(
            categories.answered_unanswerable + withheld,
            categories.unanswered_answerable + withheld,
            withheld,
        )


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
