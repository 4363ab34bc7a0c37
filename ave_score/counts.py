"""Counts of what a run did, exact and addable: over answers, questions, files, languages.

They are the only thing that measures see. `counting` makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from operator import add
from typing import Self

from ave_score.exact import Number


class Family(StrEnum):
    """What is counted, and so which measures can be had."""

    VALIDATION = "validation"
    QUESTIONS = "questions"
    SELECTION = "selection"
    ANSWERING = "answering"


class Counts:
    """Base of all counts: they add up field by field."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, vars(self).values(), vars(other).values()))


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class QuestionCounts(Counts):
    """What an average over questions needs: how many have an F1, and the sum of these."""

    questions_with_f1: int = 0
    sum_of_f1: Number = 0


COUNTS: dict[Family, Callable[..., Counts]] = {
    Family.VALIDATION: ValidationCounts,
    Family.QUESTIONS: QuestionCounts,
    Family.SELECTION: SelectionCounts,
    Family.ANSWERING: AnsweringCounts,
}
"""Family -> the counts of it, made of their fields by name."""
