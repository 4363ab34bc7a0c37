"""The responses to list, definition and factoid questions, beside what is correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from ave_score.counts.base import NotCounted
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
