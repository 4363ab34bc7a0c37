"""Open questions, which have no list of candidate answers, and the responses of systems.

List questions ask for all answers (NTCIR QAC, TREC), definition questions for information about
something, counted in nuggets (TREC), factoid questions for one answer. Ids are opaque strings.
Answers are compared by their `normalised` wording.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from ave_score.core.answer_index import digest_of
from ave_score.core.standards import ANSWER_SETS, Standard


class QuestionType(StrEnum):
    """The type of a question."""

    FACTOID = "factoid"
    LIST = "list"
    DEFINITION = "definition"


class AnswerSet(NamedTuple):
    """A set of correct answers to a question.

    `answers` are the distinct answers, each with one or more wordings. `total` is the number of
    correct answers, at least the number of `answers`, because some may not be listed.
    """

    answers: tuple[tuple[str, ...], ...]
    total: int


class Nugget(NamedTuple):
    """A piece of information in the answer to a definition question, vital or okay."""

    id: str
    is_vital: bool
    text: str


class OpenQuestion(NamedTuple):
    """A question and its answers.

    Several `sets` are alternatives; the best-scoring one counts. A question without sets has no
    answer. Definition questions have `nuggets` and no sets, others have sets and no nuggets.
    """

    q_id: str
    type: QuestionType
    sets: tuple[AnswerSet, ...] = ()
    nuggets: tuple[Nugget, ...] = ()


@dataclass(eq=False, repr=False)
class OpenGold:
    """Questions with their correct answers.

    Attributes
    ----------
    path
        The file as the user named it.
    sha256
        Hexadecimal hash of the file's bytes (after decompression).
    questions
        q_id -> question, in file order.
    read_as
        As of a `Collection`.
    """

    path: str
    sha256: str
    questions: dict[str, OpenQuestion]
    read_as: Mapping[str, str] = field(default_factory=dict)

    @property
    def standard(self) -> Standard:
        """The sort of gold standard that it is: its questions say which types are scored."""
        types = {question.type.value for question in self.questions.values()}
        return ANSWER_SETS._replace(
            scored=tuple(letter for letter in ANSWER_SETS.scored if letter in types)
        )

    @property
    def ids(self) -> list[str]:
        """The ids of the questions."""
        return [*self.questions]

    @property
    def attributes(self) -> dict[str, dict[str, str]]:
        """Name -> q_id -> value of an attribute of questions: their type."""
        return {"type": {q_id: str(question.type) for q_id, question in self.questions.items()}}

    def __repr__(self) -> str:
        return f"<OpenGold {self.path}: {len(self.questions)} questions>"


class Response(NamedTuple):
    """A system's answer to a question.

    `nuggets` are the distinct ids of the nuggets that assessors found in it.
    """

    line: int
    q_id: str
    answer: str
    nuggets: tuple[str, ...] = ()

    @property
    def is_nil(self) -> bool:
        """Whether the response is NIL: the question has no answer."""
        return self.answer.lower() == "nil"


class ResponseRun(NamedTuple):
    """The responses of a system, q_id -> responses, in file order.

    Questions without a response are absent.
    """

    name: str
    path: str
    responses: dict[str, list[Response]]

    @property
    def standard(self) -> Standard:
        """The sort of gold standard that it is scored against."""
        return ANSWER_SETS

    @property
    def digest(self) -> bytes:
        """A hash of the responses to each question, in their order: equal runs have the same."""
        told = [
            (
                q_id,
                [(normalised(response.answer), sorted(response.nuggets)) for response in responses],
            )
            for q_id, responses in sorted(self.responses.items())
        ]
        return digest_of(repr(told).encode(errors="surrogatepass"))


Responded = tuple[OpenQuestion, list[Response]]
"""A question and the answers given to it, without NIL."""


@dataclass(eq=False, repr=False)
class Responses:
    """A run of responses, and the questions with their correct answers."""

    run: ResponseRun
    gold: OpenGold

    @cached_property
    def _by_type(self) -> dict[QuestionType, list[Responded]]:
        by_type: dict[QuestionType, list[Responded]] = {}
        for question in self.gold.questions.values():
            responses = self.run.responses.get(question.q_id, ())
            answers = [response for response in responses if not response.is_nil]
            by_type.setdefault(question.type, []).append((question, answers))
        return by_type

    def of_type(self, *types: QuestionType) -> list[Responded]:
        """Return the questions of some types, each with its responses, in the order of the file.

        A question that the run omits, or answers NIL, has no responses.
        """
        return [responded for type_ in types for responded in self._by_type.get(type_, ())]


def normalised(text: str) -> str:
    """Return a wording with case, width and whitespace normalised, for comparison.

    >>> normalised(" New  YORK")
    'new york'
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
