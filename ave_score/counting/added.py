"""What is counted of decisions, question by question, and adds up to a few numbers."""

from __future__ import annotations

from collections.abc import Callable

from ave_score.counting.categories import count_candidate_sets, count_categories, count_nil
from ave_score.counting.joined import Part, count_questions, count_selections, count_validation
from ave_score.counts import AnsweringCounts, Counts, Family, ValidationCounts


def _count_validation(part: Part) -> ValidationCounts:
    return count_validation(part.cells)


def _count_answering(part: Part) -> AnsweringCounts:
    return AnsweringCounts.of(count_selections(part))


ADDED_UP: dict[Family, Callable[[Part], Counts]] = {
    Family.VALIDATION: _count_validation,
    Family.SELECTION: count_selections,
    Family.ANSWERING: _count_answering,
    Family.QUESTIONS: count_questions,
    Family.CATEGORIES: count_categories,
    Family.NIL: count_nil,
    Family.CANDIDATE_SETS: count_candidate_sets,
}
"""Family -> what counts it; the counts of parts add up to those of the whole."""
