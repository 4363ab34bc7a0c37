"""Validation: answers by verdict and label, over all answers and question by question."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ave_score.core.exact import Number
from ave_score.counts.base import Counts, Family, count
from ave_score.counts.decisions import Decisions


@dataclass(eq=False, repr=False)
class ValidationCounts(Counts):
    """Answers by verdict and label; the expected counts of a baseline may be fractions."""

    validated_correct: Number = count(
        "Answers that are VALIDATED or SELECTED, and labelled VALIDATED."
    )
    validated_incorrect: Number = count(
        "Answers that are VALIDATED or SELECTED, and labelled REJECTED."
    )
    rejected_correct: Number = count("Answers that are REJECTED, and labelled VALIDATED.")
    rejected_incorrect: Number = count("Answers that are REJECTED, and labelled REJECTED.")
    validated_unknown: Number = count(
        "Answers that are VALIDATED or SELECTED, and labelled UNKNOWN. No measure uses them."
    )
    rejected_unknown: Number = count(
        "Answers that are REJECTED, and labelled UNKNOWN. No measure uses them."
    )

    @property
    def judged(self) -> Number:
        """All answers with a label other than UNKNOWN."""
        return (
            self.validated_correct
            + self.validated_incorrect
            + self.rejected_correct
            + self.rejected_incorrect
        )


def count_validation(decisions: Decisions) -> ValidationCounts:
    """Count the answers to a question."""
    return ValidationCounts(
        decisions.right,
        decisions.wrong,
        decisions.rejected_correct,
        decisions.rejected_incorrect,
        decisions.unsure,
        decisions.rejected_unknown,
    )


def _validate_share(share: Fraction, decisions: Decisions) -> ValidationCounts:
    """Return the expected counts if each answer is validated with probability `share`."""
    labelled = decisions.correct, decisions.incorrect, decisions.unknown
    (right, missed), (wrong, avoided), (unsure, left) = (
        (share * number, (1 - share) * number) for number in labelled
    )
    return ValidationCounts(right, wrong, missed, avoided, unsure, left)


@dataclass(eq=False, repr=False)
class QuestionCounts(Counts):
    """The numbers of questions over which F1 can be averaged, and the sum of these F1 values.

    With a correct and a validated answer, precision and recall are defined. With only one of them,
    F1 is 0 if it is computed from counts, and undefined if it is computed from both ratios; so the
    sum is the same.
    """

    questions_correct_and_validated: int = count(
        "Questions with a correct answer and a validated answer: the denominator of `macro_f1`."
    )
    questions_correct_or_validated: int = count(
        "Questions with a correct answer or a validated answer: the denominator of "
        "`macro_f1_either`."
    )
    sum_of_f1: Number = count("The sum of F over these questions.")


def _count_questions(decisions: Decisions) -> QuestionCounts:
    """Return the F1 of a question with a correct or a validated answer."""
    return _of_expected(decisions.right, decisions.wrong, decisions.rejected_correct)


def _of_expected(right: Number, wrong: Number, missed: Number) -> QuestionCounts:
    size = 2 * right + wrong + missed
    if not size:
        return QuestionCounts()
    both = right + missed > 0 and right + wrong > 0
    return QuestionCounts(int(both), 1, Fraction(2 * right, size))


def _validate_share_by_question(share: Fraction, decisions: Decisions) -> QuestionCounts:
    """Return the F1 of the expected counts if each answer is validated with this probability."""
    correct, incorrect = decisions.correct, decisions.incorrect
    return _of_expected(share * correct, share * incorrect, (1 - share) * correct)


VALIDATION = Family(
    "validation",
    ValidationCounts,
    table="validation",
    of_decisions=count_validation,
    of_share=_validate_share,
    is_quick=True,
    in_all_data=True,
    of_pairs=True,
    needs_candidates=True,
    unknown="are left out",
)

QUESTIONS = Family(
    "questions",
    QuestionCounts,
    table="validation",
    of_decisions=_count_questions,
    of_share=_validate_share_by_question,
    in_all_data=True,
    needs_candidates=True,
    unknown="are left out",
)
