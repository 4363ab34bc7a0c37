"""A collection that was built: under which choices, and what each step took away."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import NamedTuple

from ave_score.building.texts import Extraction
from ave_score.files.collection_writer import BuiltQuestion
from ave_score.model import Label


class Step(StrEnum):
    """Why answers are left out, in the order in which that is found out."""

    OUTSIDE = "not_in_the_questions_table"
    NIL = "nil"
    VOID = "void"
    TEXTLESS = "without_a_text"
    DOCUMENT_MISSING = "document_missing"
    NOT_IN_DOCUMENT = "not_in_its_document"
    TOO_LONG = "text_too_long"
    REPEATED = "repeated"
    CONTAINED = "contained_in_another"
    LATER = "later_question_of_a_topic"


class Loss(NamedTuple):
    """What one step took away, and how many answers it left."""

    step: Step
    less: int
    left: int


class Settings(NamedTuple):
    """The choices that change a collection.

    Attributes
    ----------
    campaign
        What judgements mean, a key of `CAMPAIGNS`.
    max_text
        Characters of the longest supporting text.
    lang
        The language of questions that name none.
    extraction
        Where the texts of rows that name only a document are taken from.
    """

    campaign: str
    max_text: int
    lang: str = ""
    extraction: Extraction | None = None


class Built(NamedTuple):
    """A new collection, and how it came about.

    Attributes
    ----------
    settings
        What it was built under.
    questions
        Those that have answers.
    available
        All judged rows.
    losses
        One for each step, in their order.
    unanswered
        Questions left out because they have no answer, or none any more.
    later
        Questions left out because another one of their topic stands before them.
    differing
        Answers labelled UNKNOWN because their judgements differ.
    """

    settings: Settings
    questions: list[BuiltQuestion]
    available: int
    losses: list[Loss]
    unanswered: int
    later: int
    differing: int

    @property
    def left(self) -> int:
        """Number of answers in the collection."""
        return sum(len(one.answers) for one in self.questions)

    @property
    def labels(self) -> Counter[Label]:
        """Number of answers of each label."""
        return Counter(one.label for _, answers in self.questions for one in answers)

    @property
    def lang(self) -> str:
        """The language of all questions; empty where they have several, or none."""
        languages = {question.lang for question, _ in self.questions}
        return languages.pop() if len(languages) == 1 else ""
