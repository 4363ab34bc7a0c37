"""What building a collection says: its answers, the steps, and what was lost."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ave_score.core.kinds import FileKind
from ave_score.core.labels import PAIR_LABEL_WORDS
from ave_score.core.model import Label
from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.core.writing import whole_file
from ave_score.files.collection_writer import xml_lines
from ave_score.files.questions import SLOT, Question
from ave_score.files.tabular import Lost, Tabular
from ave_score.tasks.build_passages import Extraction

BuiltRow: TypeAlias = tuple[str | None, ...]


class Step(StrEnum):
    """The steps that remove answers, in order; the names are also the reasons."""

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
    """The number of answers that a step removed, and the number left."""

    step: Step
    less: int
    left: int


class BuildSettings(NamedTuple):
    """The settings that affect a collection.

    Attributes
    ----------
    letters
        The meaning of the letters, a key of `LETTERS`.
    max_text
        The maximum length of a supporting text, in characters; 700 as in AVE 2007 and 2008.
    lang
        The language of questions without one, e.g. `en`.
    extraction
        How texts of rows with a document but no text are found; None: they are left out.
    """

    letters: str = "qa-clef"
    max_text: int = 700
    lang: str = ""
    extraction: Extraction | None = None


class BuiltAnswer(NamedTuple):
    """An answer of a new collection, with its supporting text and the document of the text."""

    a_id: str
    answer: str
    text: str
    doc: str
    label: Label


class BuiltQuestion(NamedTuple):
    """A question of a new collection and its answers, in output order."""

    question: Question
    answers: Sequence[BuiltAnswer]


@dataclass(frozen=True, repr=False)
class Built(Reported):
    """A built collection, and how it was built: what `ave-score build` reports.

    `to_frame` has a row for each step, with the answers that it removed and those left.

    Attributes
    ----------
    settings
        The settings.
    questions
        The questions with answers.
    available
        The number of judged rows.
    losses
        What each step removed, in order.
    unanswered
        Questions removed because no answer is left.
    later
        Questions removed because their topic has an earlier question.
    differing
        Answers labelled UNKNOWN because their judgements conflict.
    """

    settings: BuildSettings
    questions: Sequence[BuiltQuestion]
    available: int
    losses: Sequence[Loss]
    unanswered: int
    later: int
    differing: int

    def __repr__(self) -> str:
        questions = quantity(len(self.questions), "question")
        return f"<Built {questions}, {quantity(self.left, 'answer')}>"

    @property
    def left(self) -> int:
        """Number of answers in the collection."""
        return sum(len(question.answers) for question in self.questions)

    @property
    def labels(self) -> Counter[Label]:
        """Number of answers of each label."""
        return Counter(answer.label for _, answers in self.questions for answer in answers)

    @property
    def lang(self) -> str:
        """The common language of all questions; empty if there is none."""
        languages = {question.lang for question, _ in self.questions}
        return languages.pop() if len(languages) == 1 else ""

    def table(self, edition: str = "", *, pairs: bool = False, labelled: bool = True) -> Tabular:
        """Return the collection as a table of answers, or of text-hypothesis pairs (AVE 2006).

        Pairs are numbered from 1; each question has a hypothesis pattern. `edition` is the name of
        the collection.
        """
        row = _pair if pairs else _answer
        answers = ((question, answer) for question, group in self.questions for answer in group)
        rows = [
            row(number, question, answer, answer.label if labelled else None)
            for number, (question, answer) in enumerate(answers, 1)
        ]
        root = {"edition": edition, "lang": self.lang, "available": str(self.available)}
        columns = _PAIR_COLUMNS if pairs else _COLUMNS
        return Tabular(FileKind.COLLECTION, columns, rows, root)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        edition: str = "",
        pairs: bool = False,
        labelled: bool = True,
    ) -> None:
        """Write the collection as XML.

        Parameters
        ----------
        path
            The file; one that exists is replaced.
        edition
            The name of the collection.
        pairs
            Whether to write text-hypothesis pairs.
        labelled
            Whether to write the labels.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        table = self.table(edition, pairs=pairs, labelled=labelled)
        with whole_file(os.fspath(path)) as out:
            out.writelines(xml_lines(table, Lost()))


_COLUMNS = ("q_id", "a_id", "label", "question", "answer", "text", "doc", "lang")

_PAIR_COLUMNS = ("pair_id", "label", "question", "text", "hypothesis", "doc", "task", "lang")


def _answer(_: int, question: Question, answer: BuiltAnswer, label: Label | None) -> BuiltRow:
    word = None if label is None else label.name
    text, lang = question.text, question.lang
    return (question.q_id, answer.a_id, word, text, answer.answer, answer.text, answer.doc, lang)


def _pair(number: int, question: Question, answer: BuiltAnswer, label: Label | None) -> BuiltRow:
    word = None if label is None else PAIR_LABEL_WORDS[label]
    hypothesis = question.hypothesis.replace(SLOT, answer.answer)
    texts = (question.text, answer.text, hypothesis, answer.doc)
    return (str(number), word, *texts, "QA", question.lang)
