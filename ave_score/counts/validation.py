"""Validation: answers by verdict and label, over all answers and question by question."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from fractions import Fraction

from ave_score.core.exact import Number, whole_as_int
from ave_score.core.model import Collection, Label
from ave_score.counts.base import Counts, Family, count
from ave_score.counts.joined import VALIDATION_KIND, JoinedAnswers


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


_FIELDS = range(len(fields(ValidationCounts)))


def count_validation(joined: JoinedAnswers) -> ValidationCounts:
    """Count the answers of a run or of a single question."""
    kinds = joined.cells.translate(VALIDATION_KIND)
    return ValidationCounts(*map(kinds.count, _FIELDS))


def validate_share(collection: Collection, share: Fraction) -> ValidationCounts:
    """Return the expected counts if each answer is validated with probability `share`."""
    correct, incorrect, unknown = (
        collection.labelled(label) for label in (Label.VALIDATED, Label.REJECTED, Label.UNKNOWN)
    )
    return ValidationCounts(
        validated_correct=whole_as_int(share * correct),
        validated_incorrect=whole_as_int(share * incorrect),
        rejected_correct=whole_as_int((1 - share) * correct),
        rejected_incorrect=whole_as_int((1 - share) * incorrect),
        validated_unknown=whole_as_int(share * unknown),
        rejected_unknown=whole_as_int((1 - share) * unknown),
    )


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


def count_questions(joined: JoinedAnswers) -> QuestionCounts:
    """Sum the F1 of each question with a correct or a validated answer."""
    triples = Counter(zip(*joined.counts(0, 1, 2), strict=True))
    total, both, either = Fraction(0), 0, 0
    for (validated_correct, validated_incorrect, rejected_correct), times in triples.items():
        size = 2 * validated_correct + validated_incorrect + rejected_correct
        if size:
            total += times * Fraction(2 * validated_correct, size)
            either += times
        if validated_correct + rejected_correct and validated_correct + validated_incorrect:
            both += times
    return QuestionCounts(both, either, total)


def validate_share_by_question(collection: Collection, share: Fraction) -> QuestionCounts:
    """Return the expected counts if each answer is validated with probability `share`.

    Each question contributes the F1 of its expected counts.
    """
    counts = (
        collection.index.count(collection.labels, label)
        for label in (Label.VALIDATED, Label.REJECTED)
    )
    shapes = Counter(zip(*counts, strict=True))
    total = QuestionCounts()
    for (correct, incorrect), times in shapes.items():
        size = share * (correct + incorrect) + correct  # 2cv + iv + cr
        if size:
            both = times if share and correct else 0
            total += QuestionCounts(both, times, times * 2 * share * correct / size)
    return total


VALIDATION = Family(
    "validation",
    ValidationCounts,
    table="validation",
    of_answers=count_validation,
    of_share=validate_share,
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
    of_answers=count_questions,
    of_share=validate_share_by_question,
    in_all_data=True,
    needs_candidates=True,
    unknown="are left out",
)
