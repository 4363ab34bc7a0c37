"""Lists: the best F of the responses to each list question."""

from __future__ import annotations

from dataclasses import dataclass

from ave_score.counts.base import Counts, Family
from ave_score.counts.responses import Responses, match
from ave_score.exact import Number
from ave_score.open_questions import QuestionType


@dataclass(eq=False, repr=False)
class ListCounts(Counts):
    """What averages over list questions need.

    The sums are those of each question's best-scoring answer set; `sum_of_list_f` leaves out the
    questions that have no answer, `list_answerable` counts the others.
    """

    list_questions: int = 0
    list_answerable: int = 0
    sum_of_mf1: Number = 0
    sum_of_mf2: Number = 0
    sum_of_list_f: Number = 0


def count_lists(responses: Responses) -> ListCounts:
    """Count the list questions."""
    total = ListCounts()
    for question, given in responses.of_type(QuestionType.LIST):
        if question.sets:
            matches = [match(given, one) for one in question.sets]
            best = max(one.mf1 for one in matches)
            total += ListCounts(1, 1, best, max(one.mf2 for one in matches), best)
        else:  # an empty list is the right one
            right = int(not given)
            total += ListCounts(1, 0, right, right)
    return total


LIST = Family("list", ListCounts, table="list", of_responses=count_lists)
