"""Responses to list, definition and factoid questions, beside what is correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from ave_score.counts.base import Counts, Family, NotCounted
from ave_score.exact import Number
from ave_score.open_questions import (
    AnswerSet,
    OpenGold,
    OpenQuestion,
    QuestionType,
    Response,
    ResponseRun,
    normalised,
)

NO_QUESTION = "no question is of its type"

Responded = tuple[OpenQuestion, list[Response]]
"""A question and the answers that were given to it, NIL left out."""


@dataclass(eq=False, repr=False)
class Responses:
    """A run of responses beside the questions that they answer."""

    run: ResponseRun
    gold: OpenGold

    @cached_property
    def _by_type(self) -> dict[QuestionType, list[Responded]]:
        found: dict[QuestionType, list[Responded]] = {}
        for question in self.gold.questions.values():
            given = self.run.responses.get(question.q_id, ())
            answers = [one for one in given if not one.is_nil]
            found.setdefault(question.type, []).append((question, answers))
        return found

    def of_type(self, *types: QuestionType) -> list[Responded]:
        """Return the questions of some types, each with its responses, in the order of the file.

        A question that the run does not mention, or answers NIL, has none. Raises `NotCounted`
        where no question is of these types.
        """
        found = [one for type_ in types for one in self._by_type.get(type_, ())]
        if not found:
            raise NotCounted(NO_QUESTION)
        return found


class Match(NamedTuple):
    """A list of answers beside one answer set.

    Attributes
    ----------
    given
        How many answers the list has.
    right
        How many of them are in the set, wordings of the same answer among them.
    distinct
        How many different answers these are.
    total
        How many there are to be found.
    """

    given: int
    right: int
    distinct: int
    total: int

    @property
    def mf1(self) -> Fraction:
        """F, a repetition being a wrong answer."""
        return Fraction(2 * self.distinct, self.given + self.total)

    @property
    def mf2(self) -> Fraction:
        """F, a repetition being none."""
        repeated = self.right - self.distinct
        return Fraction(2 * self.distinct, self.given - repeated + self.total)

    @property
    def rc(self) -> Fraction:
        """How correct an unranked set is, a repetition being a right answer."""
        return Fraction(self.right + 1, self.given + 1) if self.right else Fraction(0)


def match(responses: Sequence[Response], answers: AnswerSet) -> Match:
    """Compare a list with a set by the wordings of its answers."""
    named = {
        normalised(wording): number
        for number, wordings in enumerate(answers.answers)
        for wording in wordings
    }
    found = [named.get(normalised(one.answer)) for one in responses]
    right = [number for number in found if number is not None]
    return Match(len(responses), len(right), len(set(right)), answers.total)


def is_right(question: OpenQuestion, responses: Sequence[Response]) -> bool:
    """Tell whether a factoid is answered rightly: by no answer where there is none."""
    if not question.sets:
        return not responses
    return any(match(responses, one).right for one in question.sets)


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


LIST = Family("list", ListCounts, table="list", of_responses=count_lists)

DEFINITION = Family(
    "definition", DefinitionCounts, table="definition", of_responses=count_definitions
)

FACTOID = Family("factoid", FactoidCounts, table="combined", of_responses=_count_factoids)

COMBINED = Family("combined", CombinedCounts, table="combined", of_responses=_count_combined)
