"""Definitions: the nuggets that were found in the responses to definition questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from ave_score.counts.base import Counts, Family
from ave_score.counts.responses import Responses
from ave_score.open_questions import QuestionType


class Described(NamedTuple):
    """The response to a definition question.

    Attributes
    ----------
    vital, vital_found
        Vital nuggets that there are, and those of them that were found in it.
    found
        All nuggets that were found, vital or okay, each once.
    length
        Characters of it that are no blanks.
    """

    vital: int
    vital_found: int
    found: int
    length: int


@dataclass(eq=False, repr=False)
class DefinitionCounts(Counts):
    """How often each kind of response occurs among the definition questions with vital nuggets."""

    described: Counter[Described] = field(default_factory=Counter)


def count_definitions(responses: Responses) -> DefinitionCounts:
    """Count the definition questions."""
    described: Counter[Described] = Counter()
    for question, given in responses.of_type(QuestionType.DEFINITION):
        vital = {one.id for one in question.nuggets if one.is_vital}
        found = {nugget for one in given for nugget in one.nuggets}
        length = sum(len("".join(one.answer.split())) for one in given)
        if vital:
            described[Described(len(vital), len(found & vital), len(found), length)] += 1
    return DefinitionCounts(described)


DEFINITION = Family(
    "definition", DefinitionCounts, table="definition", of_responses=count_definitions
)
