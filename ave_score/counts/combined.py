"""Combined: factoid questions, and questions of all three types together."""

from __future__ import annotations

from dataclasses import dataclass, field

from ave_score.counts.base import Counts, Family, NotCounted
from ave_score.counts.definitions import DefinitionCounts, count_definitions
from ave_score.counts.lists import ListCounts, count_lists
from ave_score.counts.responses import Responses, is_right
from ave_score.open_questions import QuestionType


@dataclass(eq=False, repr=False)
class FactoidCounts(Counts):
    """Factoid questions, and those that were answered rightly, by an answer or by NIL."""

    factoid_questions: int = 0
    factoid_right: int = 0


@dataclass(eq=False, repr=False)
class CombinedCounts(Counts):
    """Questions of all three types, for scores that weigh them."""

    factoid: FactoidCounts = field(default_factory=FactoidCounts)
    lists: ListCounts = field(default_factory=ListCounts)
    definition: DefinitionCounts = field(default_factory=DefinitionCounts)


def _count_factoids(responses: Responses) -> FactoidCounts:
    asked = responses.of_type(QuestionType.FACTOID)
    return FactoidCounts(len(asked), sum(is_right(*one) for one in asked))


def _count_combined(responses: Responses) -> CombinedCounts:
    try:
        return CombinedCounts(
            _count_factoids(responses), count_lists(responses), count_definitions(responses)
        )
    except NotCounted:
        raise NotCounted("not all three types of questions are asked") from None


FACTOID = Family("factoid", FactoidCounts, table="combined", of_responses=_count_factoids)

COMBINED = Family("combined", CombinedCounts, table="combined", of_responses=_count_combined)
