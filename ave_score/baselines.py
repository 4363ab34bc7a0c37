"""Baselines, as exact expectations: no dice are thrown.

Validation: every answer validated with probability p (100 %, 50 %, 0 % in the papers), independent
of what it is. Selection: one answer of each question at random, and the perfect choice.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from ave_score.counts import QuestionCounts, SelectionCounts, ValidationCounts
from ave_score.exact import Number
from ave_score.model import Collection, Label


def validate_share(collection: Collection, share: Fraction) -> ValidationCounts:
    """Return the counts to expect where each answer is validated with probability `share`."""
    correct, incorrect, unknown = (
        collection.labelled(label) for label in (Label.VALIDATED, Label.REJECTED, Label.UNKNOWN)
    )
    return ValidationCounts(
        validated_correct=_whole(share * correct),
        validated_incorrect=_whole(share * incorrect),
        rejected_correct=_whole((1 - share) * correct),
        rejected_incorrect=_whole((1 - share) * incorrect),
        validated_unknown=_whole(share * unknown),
        rejected_unknown=_whole((1 - share) * unknown),
    )


def validate_share_by_question(collection: Collection, share: Fraction) -> QuestionCounts:
    """Return the same question by question: the F1 of each question's expected counts."""
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


def select_perfectly(collection: Collection) -> SelectionCounts:
    """Return the counts of selecting a correct answer where there is one, else none."""
    questions, answerable = len(collection.roster.questions), collection.questions_with_correct
    return SelectionCounts(
        selected_right=answerable,
        withheld_unanswerable=questions - answerable,
        expected_random=collection.expected_random,
        questions_with_correct=answerable,
    )


def select_at_random(collection: Collection) -> SelectionCounts:
    """Return the counts to expect of selecting one answer of each question at random.

    A question without answers is withheld, for want of anything to select.
    """
    right = collection.expected_random
    unanswerable = unknown = empty = Fraction(0)
    for span, answerable in zip(collection.roster.spans, collection.answerable, strict=True):
        size = span.stop - span.start
        if not size:
            empty += 1
            continue
        unanswerable += not answerable
        unknown += Fraction(collection.labels[span].count(Label.UNKNOWN), size)
    return SelectionCounts(
        selected_right=_whole(right),
        selected_wrong_answerable=_whole(collection.questions_with_correct - right),
        selected_wrong_unanswerable=_whole(unanswerable),
        withheld_unanswerable=_whole(empty),
        selected_unknown=_whole(unknown),
        expected_random=right,
        questions_with_correct=collection.questions_with_correct,
    )


def _whole(number: Number) -> Number:
    """Return a whole number as int."""
    return number.numerator if number.denominator == 1 else number
