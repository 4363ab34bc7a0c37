"""All steps of building a collection, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ave_score import rules
from ave_score.building.candidates import (
    Candidate,
    Groups,
    Labelled,
    candidates,
    is_void,
    label_of,
    natural_key,
    repeated,
    representative,
    without_contained,
)
from ave_score.building.passages import Extraction, extract
from ave_score.files.collection_writer import BuiltAnswer, BuiltQuestion
from ave_score.files.judged import JudgedRows
from ave_score.files.questions import Question
from ave_score.judgements import Meaning
from ave_score.model import Label
from ave_score.policies import campaign_table
from ave_score.text import is_nil, is_usable_id


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
    """The choices that change a collection."""

    campaign: str
    max_text: int  # characters of the longest supporting text
    lang: str = ""  # of questions that name none
    extraction: Extraction | None = None  # for rows that name only a document


class Built(NamedTuple):
    """A new collection, and how it came about."""

    settings: Settings
    questions: list[BuiltQuestion]  # those that have answers
    available: int  # all judged rows
    losses: list[Loss]  # one for each step, in their order
    unanswered: int  # questions left out because they have no answer, or none any more
    later: int  # questions left out because another one of their topic stands before them
    differing: int  # answers labelled UNKNOWN because their judgements differ

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


def build(
    files: Sequence[JudgedRows], questions: Mapping[str, Question] | None, settings: Settings
) -> Built:
    """Build a collection of judged rows.

    The order of the rows, and of the files, changes nothing. What is found is added to the findings
    of the files; where there are errors among them the result is of no use.

    Parameters
    ----------
    questions
        q_id -> question, in their order; where None, the questions that were answered by their ids.
    """
    ledger = _Ledger(list(candidates(files)))
    if questions is None:
        asked = {one.row.q_id for one in ledger.rows}
        questions = {q_id: Question(q_id) for q_id in sorted(asked, key=natural_key)}
    else:
        ledger.keep(Step.OUTSIDE, _inside(ledger.rows, questions))
    questions = {
        q_id: one._replace(lang=one.lang or settings.lang) for q_id, one in questions.items()
    }
    _drop_useless(ledger, questions, settings)
    groups, later = _merge(ledger, questions)
    table = campaign_table(settings.campaign)
    labelled = {q_id: _labelled(answers, table) for q_id, answers in groups.items()}
    built = [
        BuiltQuestion(questions[q_id], list(_answers(q_id, answers)))
        for q_id, answers in labelled.items()
    ]
    differing = sum(one.differ for answers in labelled.values() for one in answers.values())
    unanswered = len(questions) - later - len(built)
    return Built(settings, built, ledger.available, ledger.losses, unanswered, later, differing)


class _Ledger:
    """The rows that are left, and what was taken away in which step."""

    def __init__(self, rows: list[Candidate]) -> None:
        self.rows = rows
        self.available = self._left = len(rows)
        self.losses: list[Loss] = []

    def note(self, step: Step, less: int) -> None:
        self._left -= less
        self.losses.append(Loss(step, less, self._left))

    def keep(self, step: Step, rows: Iterable[Candidate]) -> None:
        before = len(self.rows)
        self.rows = list(rows)
        self.note(step, before - len(self.rows))

    def drop(self, step: Step, is_dropped: Callable[[Candidate], bool]) -> None:
        self.keep(step, (one for one in self.rows if not is_dropped(one)))


def _inside(rows: Iterable[Candidate], questions: Mapping[str, Question]) -> Iterator[Candidate]:
    """Yield the rows about questions of the table; a finding for each of the others."""
    noted: set[tuple[int, str]] = set()
    for one in rows:
        q_id, place = one.row.q_id, (id(one.file), one.row.q_id)
        if q_id in questions:
            yield one
        elif place not in noted:
            noted.add(place)
            one.file.findings.add(rules.OUTSIDE_QUESTIONS, one.row.line, q_id=q_id)


def _drop_useless(ledger: _Ledger, questions: Mapping[str, Question], settings: Settings) -> None:
    """Drop rows that are no answer, or have no text, or one that is too long."""
    ledger.drop(Step.NIL, lambda one: is_nil(one.row.answer))
    ledger.drop(Step.VOID, lambda one: is_void(one.row.answer))
    if settings.extraction is None:
        ledger.drop(Step.TEXTLESS, lambda one: one.file.has_texts and not one.text)
    else:
        ledger.drop(Step.TEXTLESS, lambda one: not one.text and not one.row.doc)
        ledger.rows, missing, not_found = extract(ledger.rows, questions, settings.extraction)
        ledger.note(Step.DOCUMENT_MISSING, missing)
        ledger.note(Step.NOT_IN_DOCUMENT, not_found)
    ledger.drop(Step.TOO_LONG, lambda one: len(one.text) > settings.max_text)


def _merge(ledger: _Ledger, questions: Mapping[str, Question]) -> tuple[dict[str, Groups], int]:
    """Return the different answers to each question, and how many questions came too late.

    The order is that of the questions.
    """
    rows: dict[str, list[Candidate]] = {q_id: [] for q_id in questions}
    for one in ledger.rows:
        rows[one.row.q_id].append(one)
    merged = {q_id: repeated(answers) for q_id, answers in rows.items() if answers}
    left = _size(merged)
    ledger.note(Step.REPEATED, len(ledger.rows) - left)
    merged = {q_id: without_contained(groups) for q_id, groups in merged.items()}
    ledger.note(Step.CONTAINED, left - _size(merged))
    left = _size(merged)
    later = _later(questions.values())
    merged = {q_id: groups for q_id, groups in merged.items() if q_id not in later}
    if any(question.topic for question in questions.values()):
        ledger.note(Step.LATER, left - _size(merged))
    return merged, len(later)


def _size(merged: Mapping[str, Groups]) -> int:
    return sum(map(len, merged.values()))


def _later(questions: Iterable[Question]) -> set[str]:
    """Return the questions before which another one of their topic stands."""
    topics: set[str] = set()
    later = set()
    for question in questions:
        if question.topic and question.topic in topics:
            later.add(question.q_id)
        topics.add(question.topic)
    return later


def _labelled(groups: Groups, table: Mapping[str, Meaning]) -> dict[str, Labelled]:
    return {normal: label_of(rows, table) for normal, rows in groups.items()}


def _answers(q_id: str, labelled: Mapping[str, Labelled]) -> Iterator[BuiltAnswer]:
    """Yield the answers to a question, by the ids of their rows if each has one of its own.

    Such ids are whatever the file has, and so may tell systems apart. Else the answers are numbered
    in the order of their words, which tells nothing of labels or systems.
    """
    kept = {normal: representative(one.rows) for normal, one in labelled.items()}
    ids = {normal: one.row.a_id for normal, one in kept.items()}
    if len({*ids.values()}) == len(ids) and all(map(is_usable_id, ids.values())):
        order = sorted(kept, key=lambda normal: natural_key(ids[normal]))
    else:
        order = sorted(kept)
        ids = {normal: f"{q_id}_{number}" for number, normal in enumerate(order, 1)}
    for normal in order:
        one, label = kept[normal], labelled[normal].label
        yield BuiltAnswer(ids[normal], one.row.answer, one.text, one.row.doc, label)
