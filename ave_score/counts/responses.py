"""Counts of responses to list, definition and factoid questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from ave_score.counts.base import Counts
from ave_score.exact import Number


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
