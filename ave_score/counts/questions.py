"""Questions: the F1 of validation of each question, for averages over questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from ave_score.counts.base import Counts, Family
from ave_score.counts.joined import VALIDATION_KIND, JoinedAnswers
from ave_score.exact import Number
from ave_score.model import Collection, Label


@dataclass(eq=False, repr=False)
class QuestionCounts(Counts):
    """What an average over questions needs: how many have an F1, and the sum of these."""

    questions_with_f1: int = 0
    sum_of_f1: Number = 0


def count_questions(joined: JoinedAnswers) -> QuestionCounts:
    """Sum the F1 of each question that has one."""
    kinds = joined.cells.translate(VALIDATION_KIND)
    triples = Counter(
        tuple(kinds.count(kind, span.start, span.stop) for kind in range(3))
        for span in joined.spans
    )
    total, defined = Fraction(0), 0
    for (validated_correct, validated_incorrect, rejected_correct), times in triples.items():
        size = 2 * validated_correct + validated_incorrect + rejected_correct
        if size:
            total += times * Fraction(2 * validated_correct, size)
            defined += times
    return QuestionCounts(defined, total)


def validate_share_by_question(collection: Collection, share: Fraction) -> QuestionCounts:
    """Return what to expect where each answer is validated with probability `share`.

    It is the F1 of each question's expected counts.
    """
    shapes = Counter(
        (labels.count(Label.VALIDATED), labels.count(Label.REJECTED))
        for labels in map(collection.labels.__getitem__, collection.roster.spans)
    )
    total = QuestionCounts()
    for (correct, incorrect), times in shapes.items():
        size = share * (correct + incorrect) + correct  # 2cv + iv + cr
        if size:
            total += QuestionCounts(times, times * 2 * share * correct / size)
    return total


QUESTIONS = Family(
    "questions",
    QuestionCounts,
    table="validation",
    of_answers=count_questions,
    of_share=validate_share_by_question,
    in_all_data=True,
    needs_candidates=True,
)
