"""Validation: answers by what a run says of them and what is true."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction

from ave_score.counts.base import Counts, Family
from ave_score.counts.joined import VALIDATION_KIND, JoinedAnswers
from ave_score.exact import Number, whole_as_int
from ave_score.model import Collection, Label


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


_FIELDS = range(len(fields(ValidationCounts)))


def count_validation(joined: JoinedAnswers) -> ValidationCounts:
    """Count the answers of a run, or those of a question."""
    kinds = joined.cells.translate(VALIDATION_KIND)
    return ValidationCounts(*map(kinds.count, _FIELDS))


def validate_share(collection: Collection, share: Fraction) -> ValidationCounts:
    """Return the counts to expect where each answer is validated with probability `share`."""
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
)
