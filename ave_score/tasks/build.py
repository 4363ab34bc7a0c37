"""Build a collection from judged answers, as the organisers of AVE did."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Unpack

from ave_score import rules
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.judgements import Meaning
from ave_score.core.policies import letters_table
from ave_score.core.text import is_nil, is_usable_id, natural_key
from ave_score.files.documents import Documents
from ave_score.files.judged import JudgedRows, check_rows
from ave_score.files.questions import Question, check_questions
from ave_score.tasks.build_candidates import (
    Candidate,
    Groups,
    Labelled,
    candidates,
    is_void,
    label_of,
    repeated,
    representative,
    without_contained,
)
from ave_score.tasks.build_passages import (
    MAX_PASSAGE,
    Extraction,
    extract,
)
from ave_score.tasks.built import BuildSettings, Built, BuiltAnswer, BuiltQuestion, Loss, Step
from ave_score.tasks.given import Path, settings_of
from ave_score.tasks.inputs import Inputs


@takes(TableWords)
def build(
    judged: Iterable[Path] | Path,
    questions: Path | None = None,
    *,
    settings: BuildSettings | None = None,
    documents: Path | None = None,
    pairs: bool = False,
    **words: Unpack[TableWords],
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
        The letters, the maximum length of texts and the language; by default `BuildSettings()`.
    documents
        A folder: missing texts are taken from its files DOC.txt or DOC.txt.gz. Needs `questions`.
    pairs
        Whether text-hypothesis pairs are built, for which each question needs a hypothesis.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.

    Returns
    -------
    Built
        The questions with their answers, and how many answers each step removed.

    Raises
    ------
    DefectError, InputError
        A file has errors, or cannot be read.
    UsageError
        The letters do not exist, or a question has no language.
    """
    settings = settings_of(settings, BuildSettings)
    paths = [judged] if isinstance(judged, str | os.PathLike) else [*judged]
    inputs = Inputs(entrants=checked(words, TableWords))
    return built_with(inputs, paths, questions, settings, documents, pairs=pairs)


def built_with(
    inputs: Inputs,
    judged: Iterable[Path],
    questions: Path | None,
    settings: BuildSettings,
    documents: Path | None,
    *,
    pairs: bool,
) -> Built:
    """Read all files, and build the collection as `build`; missing texts come from documents."""
    letters = settings.letters
    read = [inputs.take(check_rows, inputs.source(path), letters) for path in judged]
    files = [rows for rows in read if rows is not None]
    listed = None
    if questions is not None:
        listed = inputs.take(check_questions, inputs.source(questions), needs_hypotheses=pairs)
    inputs.check("written")
    if documents is not None:
        most = min(MAX_PASSAGE, settings.max_text)
        extraction = Extraction(Documents(os.fspath(documents)), most)
        settings = settings._replace(extraction=extraction)
    built = build_collection(files, listed, settings)
    for rows in files:
        rows.locate()
    inputs.check("written")  # building adds findings
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
