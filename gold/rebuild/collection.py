"""Joins shapes, judgements and phrases into a collection."""

from dataclasses import dataclass
from functools import partial

from .chance import first_that_works
from .judgements import LABELS, Judged, judge
from .phrases import Phrasebook, Topic
from .published import Published
from .shapes import find_shapes
from .texts import word_answers


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the collection; ``judgement`` is R, W, U or X."""

    id: str
    judgement: str
    answer: str
    text: str
    doc: str

    @property
    def label(self) -> str:
        """The AVE label: VALIDATED, REJECTED or UNKNOWN."""
        return LABELS[self.judgement]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its answers, and for each QA system the one it gave (None: NIL)."""

    id: str
    text: str
    answers: tuple[Answer, ...]
    given: tuple[Answer | None, ...]

    @property
    def answerable(self) -> bool:
        """Whether the question has a correct answer."""
        return any(answer.label == "VALIDATED" for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Collection:
    """A reconstructed collection beside the published figures that it answers to."""

    published: Published
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """Stem of every file of this collection."""
        return self.published.facts.name


def build_collection(published: Published) -> Collection:
    """Return the first collection found that meets all published figures."""
    return first_that_works(partial(_attempt, published))


def _attempt(published: Published, attempt: int) -> Collection:
    judged = judge(find_shapes(published, attempt), published, attempt)
    book = Phrasebook(published.facts.lang, *published.edition.words)
    topics = book.topics(len(judged))
    questions = (
        _question(f"{number:04}", book, topic, answers)
        for number, (topic, answers) in enumerate(zip(topics, judged, strict=True), start=1)
    )
    return Collection(published, tuple(questions))


def _question(q_id: str, book: Phrasebook, topic: Topic, judged: Judged) -> Question:
    worded = word_answers(book, topic, judged.judgements)
    answers = tuple(
        Answer(f"{q_id}_{number}", letter, words.answer, words.text, words.doc)
        for number, (letter, words) in enumerate(
            zip(judged.judgements, worded, strict=True), start=1
        )
    )
    given = tuple(None if place is None else answers[place] for place in judged.given)
    return Question(q_id, book.question(topic), answers, given)
