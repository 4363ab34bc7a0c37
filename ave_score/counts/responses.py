"""Responses to list, definition and factoid questions, compared with the correct answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.exact import Number
from ave_score.core.open_questions import (
    AnswerSet,
    OpenQuestion,
    QuestionType,
    Responded,
    Response,
    Responses,
    normalised,
)
from ave_score.counts.base import Counts, Family, NotCounted, count

NO_QUESTION = "no question is of its type"


def asked(responses: Responses, *types: QuestionType) -> list[Responded]:
    """Return the questions of some types with their responses, in the order of the file.

    Raises `NotCounted` if there are none.
    """
    questions = responses.of_type(*types)
    if not questions:
        raise NotCounted(NO_QUESTION)
    return questions


class Match(NamedTuple):
    """A list of answers compared with one answer set.

    Attributes
    ----------
    answers
        Answers in the list.
    right
        Answers of the list that are in the set, including repetitions of the same answer.
    distinct
        Different answers of the set that are in the list.
    total
        Correct answers according to the set, which may not list all of them.
    """

    answers: int
    right: int
    distinct: int
    total: int

    @property
    def mf1(self) -> Fraction:
        """The F measure; repetitions count as wrong answers."""
        return Fraction(2 * self.distinct, self.answers + self.total)

    @property
    def mf2(self) -> Fraction:
        """The F measure; repetitions are ignored."""
        repeated = self.right - self.distinct
        return Fraction(2 * self.distinct, self.answers - repeated + self.total)

    @property
    def rc(self) -> Fraction:
        """The correctness of an unranked set; repetitions count as right answers."""
        return Fraction(self.right + 1, self.answers + 1) if self.right else Fraction(0)


def match(responses: Sequence[Response], answers: AnswerSet) -> Match:
    """Compare a list with a set by the wordings of its answers."""
    named = {
        normalised(wording): number
        for number, wordings in enumerate(answers.answers)
        for wording in wordings
    }
    numbers = [named.get(normalised(response.answer)) for response in responses]
    right = [number for number in numbers if number is not None]
    return Match(len(responses), len(right), len(set(right)), answers.total)


def is_right(question: OpenQuestion, responses: Sequence[Response]) -> bool:
    """Tell whether a factoid is answered correctly: by no response if it has no answer."""
    if not question.sets:
        return not responses
    return any(match(responses, answers).right for answers in question.sets)


@dataclass(eq=False, repr=False)
class ListCounts(Counts):
    """Numbers of list questions, and the sums of their scores against their best answer sets."""

    list_questions: int = count("List questions.")
    list_answerable: int = count("List questions with an answer.")
    sum_of_mf1: Number = count("The sum of MF1 over list questions.")
    sum_of_mf2: Number = count("The sum of MF2 over list questions.")
    sum_of_list_f: Number = count("The sum of F over list questions with an answer.")


def count_lists(responses: Responses) -> ListCounts:
    """Count the list questions."""
    total = ListCounts()
    for question, answers in asked(responses, QuestionType.LIST):
        if question.sets:
            matches = [match(answers, answer_set) for answer_set in question.sets]
            best = max(matched.mf1 for matched in matches)
            total += ListCounts(1, 1, best, max(matched.mf2 for matched in matches), best)
        else:  # only an empty list is correct
            right = int(not answers)
            total += ListCounts(1, 0, right, right)
    return total


class DefinitionResponse(NamedTuple):
    """The nuggets and the length of the response to a definition question.

    Attributes
    ----------
    vital, vital_found
        Vital nuggets of the question, and those of them in the response.
    nuggets
        Different nuggets in the response, vital or okay.
    length
        Non-whitespace characters in the response.
    """

    vital: int
    vital_found: int
    nuggets: int
    length: int


@dataclass(eq=False, repr=False)
class DefinitionCounts(Counts):
    """Frequencies of equal responses among the definition questions with vital nuggets."""

    described: Counter[DefinitionResponse] = field(default_factory=Counter)


def count_definitions(responses: Responses) -> DefinitionCounts:
    """Count the definition questions."""
    described: Counter[DefinitionResponse] = Counter()
    for question, answers in asked(responses, QuestionType.DEFINITION):
        vital = {nugget.id for nugget in question.nuggets if nugget.is_vital}
        held = {nugget for response in answers for nugget in response.nuggets}
        length = sum(len("".join(response.answer.split())) for response in answers)
        if vital:
            described[DefinitionResponse(len(vital), len(held & vital), len(held), length)] += 1
    return DefinitionCounts(described)


@dataclass(eq=False, repr=False)
class FactoidCounts(Counts):
    """Factoid questions, and those answered correctly, by an answer or by NIL."""

    factoid_questions: int = count("Factoid questions.")
    factoid_right: int = count(
        "Factoid questions that were answered correctly, by an answer or by NIL."
    )


@dataclass(eq=False, repr=False)
class CombinedCounts(Counts):
    """Questions of all three types, for weighted scores."""

    factoid: FactoidCounts = field(default_factory=FactoidCounts)
    lists: ListCounts = field(default_factory=ListCounts)
    definition: DefinitionCounts = field(default_factory=DefinitionCounts)


def _count_factoids(responses: Responses) -> FactoidCounts:
    factoids = asked(responses, QuestionType.FACTOID)
    return FactoidCounts(len(factoids), sum(is_right(*factoid) for factoid in factoids))


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
