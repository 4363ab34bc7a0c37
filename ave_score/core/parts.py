"""Parts of collections, runs and systems: some questions, or what a run mentions of a collection.

If missing answers are excluded, a run is scored against the part of the collection that it
mentions: its index has only the answers with a line. A question leaves this part if it has
answers, and the run has no line for any of them; for a QA system, if the system does not mention
it. A run that mentions everything has the whole collection.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection as Some
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.epochs import worth_of
from ave_score.core.errors import UsageError
from ave_score.core.judgements import LETTERS, Answering
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, QARun, Run, Texts
from ave_score.core.text import brief, quantity

_NAMED = 20
"""Runs that a note lists with their numbers."""


class Extent(NamedTuple):
    """What a run is scored on: numbers of questions, and of answers or pairs."""

    questions: int
    answers: int

    @classmethod
    def of(cls, collection: Collection) -> Extent:
        """Return the extent of a collection."""
        return cls(len(collection.index.questions), len(collection.index))

    def __str__(self) -> str:
        if self.answers and not self.questions:
            return quantity(self.answers, "pair")
        answers = f" and {quantity(self.answers, 'answer')}" * bool(self.answers)
        return f"{quantity(self.questions, 'question')}{answers}"


def index_of_part(
    index: AnswerIndex, mask: Sequence[object], questions: Some[str] | None = None
) -> AnswerIndex:
    """Return the index of some answers.

    Parameters
    ----------
    mask
        Whether each answer is kept, true or false.
    questions
        The questions that are kept; None: all but those whose answers are all left out.
    """
    a_ids = [*compress(index.a_ids, mask)]
    if not index.has_questions:
        return AnswerIndex.of_pairs(a_ids)
    left = index.count(bytes(map(bool, mask)), True)
    sizes = {
        q_id: number
        for q_id, number, size in zip(index.questions, left, index.sizes, strict=True)
        if (q_id in questions if questions is not None else number or not size)
    }
    return AnswerIndex.sized(sizes, a_ids)


def _part(
    collection: Collection, mask: Sequence[object], questions: Some[str] | None = None
) -> Collection:
    """Return a collection with some answers, as `index_of_part`."""
    old = [*compress(range(len(mask)), mask)] if collection.grades else []
    grades = {new: collection.grades[at] for new, at in enumerate(old) if at in collection.grades}
    index = index_of_part(collection.index, mask, questions)
    labels = bytes(compress(collection.labels, mask))
    texts = None if collection.texts is None else _texts(collection, index, mask)
    return replace(collection, index=index, labels=labels, grades=grades, texts=texts)


def _texts(collection: Collection, part: AnswerIndex, mask: Sequence[object]) -> Texts:
    """Return the texts of some answers; pairs have a question each."""
    whole, index = collection.texts, collection.index
    assert whole is not None
    columns = (whole.answers, whole.supports, whole.docs)
    answers, supports, docs = ([*compress(column, mask)] for column in columns)
    of_questions = dict(zip(index.questions, whole.questions, strict=False))
    questions = [of_questions[q_id] for q_id in part.questions]
    if not index.has_questions:
        questions = [*compress(whole.questions, mask)]
    return Texts(questions, answers, supports, docs, whole.root, whole.omitted)


def with_questions(collection: Collection, ids: Some[str]) -> Collection:
    """Return a collection with some questions or pairs only; `ids` is a set."""
    index = collection.index
    return _part(collection, [unit in ids for unit in index.unit_of_answers], ids)


@lru_cache(maxsize=2)
def _with_answers_of(collection: Collection, index: AnswerIndex) -> Collection:
    """Return the collection with the answers of an index; unchanged if any is unknown."""
    mask, position = bytearray(len(collection.index)), collection.index.position
    for ids in zip(index.q_ids, index.a_ids, strict=True):
        if ids not in position:
            return collection
        mask[position[ids]] = True
    return _part(collection, mask)


_with_questions = lru_cache(maxsize=2)(with_questions)


@lru_cache(maxsize=2)
def _with_documents(qrels: Collection, index: AnswerIndex | None) -> Collection:
    """Return qrels with the other documents of a run, which follow those of the qrels.

    They are not correct. Raises `UsageError` if the run, which has this index, was read against
    other qrels.
    """
    own = qrels.index
    if index is None or index.questions != own.questions:
        raise UsageError(f"a run was not read against {qrels.path}")
    labels = bytearray()
    grades: dict[int, int] = {}
    for old, new in zip(own.spans, index.spans, strict=True):
        size = old.stop - old.start
        if index.a_ids[new.start : new.start + size] != own.a_ids[old]:
            raise UsageError(f"a run was not read against {qrels.path}")
        grades |= {new.start + at: qrels.grades[old.start + at] for at in range(size)}
        labels += qrels.labels[old].ljust(new.stop - new.start, bytes([Label.REJECTED]))
    return replace(qrels, index=index, labels=bytes(labels), grades=grades)


def mentioned(subject: Run | QARun, collection: Collection) -> Collection:
    """Return the part of a collection that a run or a system is scored against.

    It is the collection itself unless missing answers are excluded, and there are any.
    """
    if collection.standard.ranks_documents:
        return _with_documents(_with_results(subject, collection), subject.index)
    if not MISSING_CHOICES[subject.missing].is_left_out:
        return collection
    if isinstance(subject, Run):
        is_whole = subject.index.has_answers_of(collection.index)
        return collection if is_whole else _with_answers_of(collection, subject.index)
    q_ids = frozenset(answer.q_id for answer in subject.answers)
    is_whole = q_ids.issuperset(collection.index.questions)
    return collection if is_whole else _with_questions(collection, q_ids)


def _with_results(subject: Run | QARun, qrels: Collection) -> Collection:
    """Return the topics of qrels that a run is scored on, without its other documents."""
    topics = qrels.index.questions if subject.index is None else subject.index.questions
    if not MISSING_CHOICES[subject.missing].is_left_out or len(topics) == len(
        qrels.index.questions
    ):
        return qrels
    return _with_questions(qrels, frozenset(topics))


def given_answers(system: QARun) -> list[tuple[int, float]]:
    """Return the positions and the confidences of the answers that a system gives.

    Raises `UsageError` if one has no confidence.
    """
    table = LETTERS[system.letters].table
    given = [
        (number, answer.confidence)
        for number, answer in enumerate(system.answers)
        if worth_of(answer, table) is not Answering.UNANSWERED
    ]
    known = [(number, confidence) for number, confidence in given if confidence is not None]
    if len(known) < len(given):
        lacking = f"{len(given) - len(known):,} of {quantity(len(given), 'answer')}"
        raise UsageError(
            f"system {system.name!r} has no confidence for a threshold in {lacking}: a column "
            "confidence gives it, and of logs --log confidence=NAME"
        )
    return known


def with_unmentioned(run: QARun, collection: Collection) -> QARun:
    """Return a system with the questions that it does not mention, unanswered if they are to be.

    If the policy on missing answers gives no verdict, the system has the rows that it had.
    """
    lacking: list[JudgedAnswer] = []
    if MISSING_CHOICES[run.missing].verdict:
        lacking = unmentioned(run, collection.index.questions)
    return replace(run, answers=[*run.answers, *lacking]) if lacking else run


def unmentioned(run: QARun, questions: Iterable[str]) -> list[JudgedAnswer]:
    """Return unanswered rows, in every replicate, of questions that a system does not mention."""
    known = {answer.q_id for answer in run.answers}
    names = dict.fromkeys(answer.replicate for answer in run.answers) or [""]
    return [
        JudgedAnswer(0, q_id, "", answered=False, replicate=name)
        for q_id in questions
        if q_id not in known
        for name in names
    ]


def extent(subject: Run | QARun, collection: Collection) -> Extent | None:
    """Return what a subject is scored on; None if it is the whole collection."""
    reduced = _with_results if collection.standard.ranks_documents else mentioned
    part = reduced(subject, collection)
    return None if part is collection else Extent.of(part)


def complete(subject: Run | QARun, collection: Collection) -> set[str]:
    """Return the questions, or pairs, of which a subject lacks no answer."""
    part = mentioned(subject, collection).index
    if collection.standard.ranks_documents or not part.has_questions:
        return {*part.units}
    sizes = dict(zip(collection.index.questions, collection.index.sizes, strict=True))
    return {q for q, size in zip(part.questions, part.sizes, strict=True) if size == sizes[q]}


def exclusion_notes(extents: Iterable[tuple[str, Extent | None]], whole: Extent) -> list[str]:
    """Return a note on the runs that are scored on fewer answers; none if there are none."""
    fewer = [f"{name} on {size}" for name, size in extents if size is not None]
    if not fewer:
        return []
    return [
        "Missing answers are excluded, so these rows are only comparable with rows on the same "
        f"answers; the collection has {whole}: {brief(fewer, _NAMED, '; ')}."
    ]


def narrowed(run: Run | QARun, part: Collection) -> Run | QARun:
    """Return a run or a system on the questions, or pairs, of a part of its collection.

    Raises `UsageError` if the run was read against another collection.
    """
    if isinstance(run, QARun):
        questions = {*part.index.questions}
        answers = [answer for answer in run.answers if answer.q_id in questions]
        return replace(run, answers=answers, index=part.index)
    index, position = part.index, run.index.position
    if part.standard.ranks_documents:
        index = index_of_part(run.index, [q in index.question_number for q in run.index.q_ids])
    places = [position.get(ids) for ids in zip(index.q_ids, index.a_ids, strict=True)]
    if None in places:
        if not MISSING_CHOICES[run.missing].is_left_out:
            raise UsageError(f"run {run.name!r} was not read against this collection")
        index = index_of_part(index, [at is not None for at in places])
    positions = [at for at in places if at is not None]
    return replace(
        run,
        index=index,
        verdicts=bytes(run.verdicts[at] for at in positions),
        confidences=array("d", (run.confidences[at] for at in positions)),
        lines=array(run.lines.typecode, (run.lines[at] for at in positions)),
        ranks=None if run.ranks is None else array("d", (run.ranks[at] for at in positions)),
    )
