"""Build a collection from judged answers, as the organisers of AVE did."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ave_score import rules
from ave_score.core.judgements import Meaning
from ave_score.core.kinds import FileKind
from ave_score.core.labels import PAIR_LABEL_WORDS
from ave_score.core.model import Label
from ave_score.core.policies import letters_table
from ave_score.core.reported import Reported
from ave_score.core.text import counted, is_nil, is_usable_id
from ave_score.core.writing import whole_file
from ave_score.files.collection_writer import xml_lines
from ave_score.files.documents import Documents
from ave_score.files.judged import JudgedRows, check_rows
from ave_score.files.questions import SLOT, Question, check_questions
from ave_score.files.tabular import Lost, Tabular
from ave_score.tasks.build_candidates import (
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
from ave_score.tasks.build_passages import (
    MAX_PASSAGE,
    Extraction,
    check_words,
    extract,
    folded_words,
    stop_words_for,
)
from ave_score.tasks.inputs import Inputs, Path, settings_of

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
        The campaign whose letters the judgements use.
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
        questions = counted(len(self.questions), "question")
        return f"<Built {questions}, {counted(self.left, 'answer')}>"

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


def build(
    judged: Iterable[Path] | Path,
    questions: Path | None = None,
    *,
    settings: BuildSettings | None = None,
    documents: Path | None = None,
    stop_words: Path | None = None,
    pairs: bool = False,
) -> Built:
    """Build a collection from the judged answers of question answering systems.

    Parameters
    ----------
    judged
        The paths of judged files; the order does not matter.
    questions
        The path of the questions in order: q_id, question [lang, topic, hypothesis] (TSV). None:
        all questions with answers.
    settings
        The campaign, the maximum length of texts and the language; by default `BuildSettings()`.
    documents
        A folder: missing texts are taken from its files DOC.txt or DOC.txt.gz. Needs `questions`.
    stop_words
        The path of words to ignore when texts are chosen, one per line; by default by language.
    pairs
        Whether text-hypothesis pairs are built, for which each question needs a hypothesis.

    Returns
    -------
    Built
        The questions with their answers, and how many answers each step removed.

    Raises
    ------
    DefectError, InputError
        A file has errors, or cannot be read.
    UsageError
        The campaign does not exist, or there are no stop words for a language.
    """
    settings = settings_of(settings, BuildSettings)
    paths = [judged] if isinstance(judged, str | os.PathLike) else [*judged]
    return built_with(Inputs(), paths, questions, settings, documents, stop_words, pairs=pairs)


def built_with(
    inputs: Inputs,
    judged: Iterable[Path],
    questions: Path | None,
    settings: BuildSettings,
    documents: Path | None,
    stop_words: Path | None,
    *,
    pairs: bool,
) -> Built:
    """Read all files, and build the collection as `build`; missing texts come from documents."""
    letters = settings.letters
    read = [inputs.take(check_rows, inputs.source(path), letters) for path in judged]
    files = [rows for rows in read if rows is not None]
    listed = words = None
    if questions is not None:
        listed = inputs.take(check_questions, inputs.source(questions), needs_hypotheses=pairs)
    if stop_words is not None:
        words = inputs.take(check_words, inputs.source(stop_words, "stop_words"))
    inputs.check("nothing written")
    if documents is not None:
        folded = None if words is None else folded_words(words)
        chosen = stop_words_for if folded is None else lambda _: folded
        of_documents = Documents(os.fspath(documents)), chosen
        extraction = Extraction(*of_documents, min(MAX_PASSAGE, settings.max_text))
        settings = settings._replace(extraction=extraction)
    built = build_collection(files, listed, settings)
    for rows in files:
        rows.locate()
    inputs.check("nothing written")  # building adds findings
    return built


def build_collection(
    files: Sequence[JudgedRows], questions: Mapping[str, Question] | None, settings: BuildSettings
) -> Built:
    """Build a collection from judged rows.

    The result does not depend on the order of rows and files. Findings are added to those of the
    files; after errors the result is invalid.

    Parameters
    ----------
    questions
        q_id -> question, in order. None: all questions with answers, in order of id.
    """
    ledger = _Ledger(list(candidates(files)))
    if questions is None:
        q_ids = {candidate.row.q_id for candidate in ledger.rows}
        questions = {q_id: Question(q_id) for q_id in sorted(q_ids, key=natural_key)}
    else:
        ledger.keep(Step.OUTSIDE, _inside(ledger.rows, questions))
    questions = {
        q_id: question._replace(lang=question.lang or settings.lang)
        for q_id, question in questions.items()
    }
    _drop_useless(ledger, questions, settings)
    groups, later = _merge(ledger, questions)
    table = letters_table(settings.letters)
    labelled = {q_id: _labelled(answers, table) for q_id, answers in groups.items()}
    built = [
        BuiltQuestion(questions[q_id], list(_answers(q_id, answers)))
        for q_id, answers in labelled.items()
    ]
    differing = sum(answer.differ for answers in labelled.values() for answer in answers.values())
    unanswered = len(questions) - later - len(built)
    return Built(settings, built, ledger.available, ledger.losses, unanswered, later, differing)


class _Ledger:
    """The remaining rows, and the number of answers that each step removed."""

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
        self.keep(step, (row for row in self.rows if not is_dropped(row)))


def _inside(rows: Iterable[Candidate], questions: Mapping[str, Question]) -> Iterator[Candidate]:
    """Yield the rows of listed questions; report each other question once per file."""
    noted: set[tuple[int, str]] = set()
    for candidate in rows:
        file, row = candidate.file, candidate.row
        if row.q_id in questions:
            yield candidate
        elif (id(file), row.q_id) not in noted:
            noted.add((id(file), row.q_id))
            file.table.findings.add(rules.OUTSIDE_QUESTIONS, row.line, q_id=row.q_id)


def _drop_useless(
    ledger: _Ledger, questions: Mapping[str, Question], settings: BuildSettings
) -> None:
    """Remove rows that have no answer or no text, and rows whose text is too long."""
    ledger.drop(Step.NIL, lambda candidate: is_nil(candidate.row.answer))
    ledger.drop(Step.VOID, lambda candidate: is_void(candidate.row.answer))
    if settings.extraction is None:
        ledger.drop(Step.TEXTLESS, lambda row: "text" in row.file.table.columns and not row.text)
    else:
        ledger.drop(Step.TEXTLESS, lambda candidate: not candidate.text and not candidate.row.doc)
        ledger.rows, missing, not_found = extract(ledger.rows, questions, settings.extraction)
        ledger.note(Step.DOCUMENT_MISSING, missing)
        ledger.note(Step.NOT_IN_DOCUMENT, not_found)
    ledger.drop(Step.TOO_LONG, lambda candidate: len(candidate.text) > settings.max_text)


def _merge(ledger: _Ledger, questions: Mapping[str, Question]) -> tuple[dict[str, Groups], int]:
    """Merge the answers to each question, in question order.

    Also returns the number of questions whose topic has an earlier question.
    """
    rows: dict[str, list[Candidate]] = {q_id: [] for q_id in questions}
    for candidate in ledger.rows:
        rows[candidate.row.q_id].append(candidate)
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
    """Return the ids of questions whose topic has an earlier question."""
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
    """Yield the answers to a question, with the ids of their rows if these are unique and usable.

    Ids from the file may identify systems. Otherwise the answers are numbered in the order of their
    words, which reveals neither labels nor systems.
    """
    chosen = {normal: representative(answer.rows) for normal, answer in labelled.items()}
    ids = {normal: candidate.row.a_id for normal, candidate in chosen.items()}
    if len({*ids.values()}) == len(ids) and all(map(is_usable_id, ids.values())):
        order = sorted(chosen, key=lambda normal: natural_key(ids[normal]))
    else:
        order = sorted(chosen)
        ids = {normal: f"{q_id}_{number}" for number, normal in enumerate(order, 1)}
    for normal in order:
        candidate, label = chosen[normal], labelled[normal].label
        row = candidate.row
        yield BuiltAnswer(ids[normal], row.answer, candidate.text, row.doc, label)
