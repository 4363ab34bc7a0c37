"""Questions whose answers are not a list of candidates, and what systems answer to them.

List questions ask for every answer that there is (NTCIR QAC, TREC), definition questions for what
is to be said of something, counted in nuggets (TREC); factoid questions stand beside them. Ids are
strings and are never interpreted. Answers are compared by their wording, `normalised`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class QuestionType(StrEnum):
    """What a question asks for."""

    FACTOID = "factoid"
    LIST = "list"
    DEFINITION = "definition"


class AnswerSet(NamedTuple):
    """Correct answers to a question.

    `answers` are the distinct ones, each with the wordings that name it, at least one; `total` is
    how many there are, the number of `answers` or more, since not all may be known by name.
    """

    answers: tuple[tuple[str, ...], ...]
    total: int


class Nugget(NamedTuple):
    """A piece of information that the answer to a definition question has, or may have."""

    id: str
    is_vital: bool
    text: str


class OpenQuestion(NamedTuple):
    """A question and what is known of its answers.

    Several `sets` are alternatives, of which the best-scoring one counts; without any the question
    has no answer. Definition questions have `nuggets` and no sets, others sets and no nuggets.
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
        q_id -> question, in the order of the file.
    """

    path: str
    sha256: str
    questions: dict[str, OpenQuestion]

    def __repr__(self) -> str:
        return f"<OpenGold {self.path}: {len(self.questions)} questions>"


class Response(NamedTuple):
    """An answer that a system gave to a question.

    `nuggets` are the ids of those that assessors found in it, each once.
    """

    line: int
    q_id: str
    answer: str
    nuggets: tuple[str, ...] = ()

    @property
    def is_nil(self) -> bool:
        """Whether it says that there is no answer."""
        return self.answer.lower() == "nil"


class ResponseRun(NamedTuple):
    """What a system answered: q_id -> its responses, both in the order of the file.

    A question of which nothing is said is not among them: the run gives no answer to it.
    """

    name: str
    path: str
    responses: dict[str, list[Response]]


def normalised(text: str) -> str:
    """Return a wording as it is compared: without differences of case, width and blanks.

    >>> normalised(" New  YORK")
    'new york'
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
