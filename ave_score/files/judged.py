"""Judged question-answering runs: tables with a header, or JSON Lines.

`q_id run judgement` are required; `a_id answer text doc answered confidence replicate score` are
optional, as are `verdict verdict_confidence weight` of a judge, and other columns are attributes of
questions. A file can hold many runs; the order of runs and rows is kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.judgements import Meaning
from ave_score.core.labels import ANSWERED
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, Pool, QARun
from ave_score.core.policies import Policies, letters_table
from ave_score.core.standards import JUDGED
from ave_score.core.text import composed, did_you_mean, is_usable_id
from ave_score.files.contents import Checking, Contents, different
from ave_score.files.decisions import NUMBER
from ave_score.files.judged_against import compare_with_collection
from ave_score.files.layout import Layout
from ave_score.files.source import Source
from ave_score.files.table import Table
from ave_score.files.table_row import TableRow
from ave_score.rules import Rule

LAYOUT = Layout(
    "a judged run",
    needed=("q_id", "run", "judgement"),
    optional=(
        *("a_id", "answer", "text", "doc", "answered", "confidence", "replicate", "score"),
        *("verdict", "verdict_confidence", "weight"),
    ),
    elsewhere={"question": " (a questions table? build takes one with --questions)"},
    keeps_others=True,
    expects_typos=True,
)

_ANSWERED: dict[str, bool | None] = {**ANSWERED, "": None}

_COLUMN: dict[Rule, str] = {
    rules.SECOND_ANSWER: "q_id",
    rules.ANSWER_CONFLICT: "verdict",
    rules.OUTSIDE_COLLECTION: "q_id",
    rules.JUDGED_UNKNOWN_ANSWER: "a_id",
    rules.RIGHT_BUT_UNANSWERABLE: "judgement",
    rules.JUDGEMENT_CONTRADICTED: "judgement",
    rules.ID_UNUSABLE: "q_id",
    rules.OUTSIDE_QUESTIONS: "q_id",
    rules.JUDGEMENTS_DIFFER: "judgement",
    rules.DOCUMENT_UNUSABLE: "doc",
    rules.DOCUMENT_MISSING: "doc",
}
"""The column that a finding about a row refers to."""


class JudgedFile(NamedTuple):
    """The runs of a judged file, its table, and attribute -> question -> value."""

    runs: list[QARun]
    table: Table
    attributes: dict[str, dict[str, str]]


def read_judged(source: Source, findings: Findings, letters: str) -> JudgedFile:
    """Read a judged file; unknown letters are findings."""
    meanings = letters_table(letters)
    words = {word: meant for word, meant in source.naming.values.items() if meant in meanings}
    runs: dict[str, QARun] = {}
    table = Table(source, findings, LAYOUT)
    attributes, varying = dict[str, dict[str, str]](), set[str]()
    for row in table.rows():
        if table.is_typed and row.value["judgement"] == "NaN":  # a lacking one beside numbers
            row.value["judgement"] = ""
        if words:
            row.value["judgement"] = words.get(row.value["judgement"], row.value["judgement"])
        if source.naming.values and (said := row.value.get("verdict")):
            row.value["verdict"] = source.naming.values.get(said, said)
        answer = _answer(row, letters, meanings)
        if answer:
            name = composed(row.value["run"])
            runs.setdefault(name, QARun(name, source.path, [], letters)).answers.append(answer)
            # objects may have keys of any other program
            row.keep_others(answer.q_id, attributes, varying, reports=not table.is_typed)
    if not runs and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="judged answers in it")
    return JudgedFile([*runs.values()], table, attributes)


def _answer(row: TableRow, letters: str, table: dict[str, Meaning]) -> JudgedAnswer | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    sound = all([*map(row.filled, ("q_id", "run")), _is_judged(row, letters, table)])
    answered = value.get("answered", "").upper()
    if answered not in _ANSWERED:
        row.add("answered", rules.ANSWERED_UNKNOWN, field="answered", found=value["answered"])
        sound = False
    if not sound or _is_contradicted(row, letters, table):
        return None
    return JudgedAnswer(
        row.number,
        value["q_id"],
        value["judgement"],
        value.get("a_id", ""),
        value.get("answer", ""),
        _ANSWERED[answered],
        value.get("text", ""),
        value.get("doc", ""),
        _confidence(row) if "confidence" in value else None,
        value.get("replicate", ""),
        *(
            _number(row, "score", rules.SCORE_NOT_A_NUMBER, rules.SCORE_NOT_FINITE),
            value.get("verdict", ""),
            _of_judge(row, "verdict_confidence"),
            _of_judge(row, "weight"),
        ),
    )


def _confidence(row: TableRow) -> float | None:
    """Return the confidence; None if it is missing or not a number."""
    value = _number(row, "confidence", rules.CONFIDENCE_NOT_A_NUMBER, rules.CONFIDENCE_NOT_FINITE)
    is_inside = value is None or 0 <= value <= 1
    if not is_inside and not row.findings.counts[rules.CONFIDENCE_RANGE]:
        row.add("confidence", rules.CONFIDENCE_RANGE, found=row.value["confidence"])
    return value


def _of_judge(row: TableRow, name: str) -> float | None:
    """Return a number of the judge; None if it is missing, which frames of pandas say as NaN."""
    if row.value.get(name, "").lower() == "nan":
        return None
    return _number(row, name, rules.SCORE_NOT_A_NUMBER, rules.SCORE_NOT_FINITE)


def _number(row: TableRow, name: str, no_number: Rule, not_finite: Rule) -> float | None:
    """Return the number in a column; None if it is missing, or with a finding added."""
    text = row.value.get(name)
    if not text:
        return None
    value = float(text) if re.fullmatch(NUMBER, text) else None
    if value is not None and math.isfinite(value):
        return value
    row.add(name, no_number if value is None else not_finite, found=text)
    return None


def _is_contradicted(row: TableRow, letters: str, table: dict[str, Meaning]) -> bool:
    letter, word = row.value["judgement"], row.value.get("answered", "").upper()
    meaning = table[letter]
    if not meaning.is_contradicted(_ANSWERED[word]):
        return False
    facts = {"found": letter, "answered": word, "letters": letters, "means": meaning.word}
    row.add("judgement", rules.LETTER_CONTRADICTED, **facts)
    return True


def _is_judged(row: TableRow, letters: str, table: dict[str, Meaning]) -> bool:
    letter = row.value["judgement"]
    if letter in table:
        return True
    row.add(
        "judgement",
        rules.UNKNOWN_JUDGEMENT,
        found=letter,
        expected=", ".join(known or "(empty)" for known in table),
        letters=letters,
        hint=did_you_mean({known.casefold(): known for known in table}.get(letter.casefold())),
    )
    return False


@for_one_file
def check_judged(
    source: Source, collection: Collection | None, letters: str, missing: str = "error"
) -> tuple[list[QARun] | None, list[Findings]]:
    """Read a judged file; return its runs, limited to the collection's questions, with findings.

    Each run keeps its first answer to each question; the runs are None if a finding prevents
    scoring. Checks that need a collection, or labels, are recorded as not done if there are none.
    `letters` is a key of `LETTERS`. `missing` is a choice of `Policies.missing`, which the
    systems keep: a question without a row counts as answered wrongly, unless it is then unanswered
    or left out (`with_unmentioned`).
    """
    findings = Findings(source.path)
    file = read_judged(source, findings, letters)
    return _systems(file, collection, letters, missing), [findings]


def _systems(
    file: JudgedFile, collection: Collection | None, letters: str, missing: str
) -> list[QARun] | None:
    runs, table = file.runs, file.table
    findings = table.findings
    outside: set[str] = set()
    systems = [_first_answers(run, collection, findings, outside) for run in runs]
    pool = pool_of(systems)
    Policies.missing.check(missing)
    systems = [replace(run, pool=pool, missing=missing) for run in systems]
    if collection is None:
        findings.skip("questions and answers against a collection: none was given")
    elif not findings.errors:
        for run in systems:
            compare_with_collection(run, collection, letters_table(letters), findings)
        if Label.NONE in collection.labels:
            findings.skip("judgements against gold labels: score --qa compares them")
    table.locate(_COLUMN)
    return None if findings.errors else systems


@for_one_file
def check_judged_gold(
    source: Source, letters: str, missing: str = "error"
) -> tuple[tuple[Collection, list[QARun]] | None, list[Findings]]:
    """Read a judged file as its own gold standard: a collection of questions without answers.

    The questions are those of all systems, in file order. Returns the collection and the systems,
    or None if a finding prevents scoring.
    """
    findings = Findings(source.path)
    source.expect_hash()
    file = read_judged(source, findings, letters)
    named = dict.fromkeys(answer.q_id for run in file.runs for answer in run.answers)
    index = AnswerIndex.sized(dict.fromkeys(named, 0), [])
    sha256 = source.sha256()
    collection = Collection(
        source.path,
        sha256,
        index,
        b"",
        attributes=file.attributes,
        unusable=file.table.unusable,
        declared=JUDGED,
    )
    systems = _systems(file, collection, letters, missing)
    return (None if systems is None else (collection, systems)), [findings]


def pool_of(runs: Sequence[QARun]) -> Pool:
    """Return the pooled judgements of all systems."""
    answers: dict[str, set[str]] = {}
    nil: dict[str, set[str]] = {}
    for answer in chain.from_iterable(run.answers for run in runs):
        if answer.answered is not False:
            of = nil if answer.is_nil else answers
            of.setdefault(answer.judgement, set()).add(answer.q_id)
    return Pool(answers, nil)


def _first_answers(
    run: QARun, collection: Collection | None, findings: Findings, outside: set[str]
) -> QARun:
    """Keep the first answer, or replicate, of each question, and report the others."""
    firsts: dict[str, dict[str, JudgedAnswer]] = {}  # replicate -> q_id -> answer
    answers: list[JudgedAnswer] = []
    for answer in run.answers:
        q_id, first = answer.q_id, firsts.setdefault(answer.replicate, {})
        if collection is not None and q_id not in collection.index.question_number:
            if q_id not in outside:
                outside.add(q_id)
                findings.add(rules.OUTSIDE_COLLECTION, answer.line, q_id=q_id)
        elif q_id in first and _is_conflict(answer, first[q_id]):
            facts = {"answer": f"the answer of {run.name} to {q_id!r}", "first": first[q_id].line}
            findings.add(rules.ANSWER_CONFLICT, answer.line, **facts)
        elif q_id in first:
            facts = {"run": run.name, "q_id": q_id, "first": first[q_id].line}
            again = f" in replicate {answer.replicate!r}" if answer.replicate else ""
            findings.add(rules.SECOND_ANSWER, answer.line, **facts, again=again)
        else:
            first[q_id] = answer
            answers.append(answer)
    index = None if collection is None else collection.index
    return replace(run, answers=answers, index=index)


def _is_conflict(answer: JudgedAnswer, first: JudgedAnswer) -> bool:
    """Tell whether a judge contradicts what it says of the same answer."""
    is_same = (answer.a_id, answer.answer) == (first.a_id, first.answer)
    return is_same and answer.verdict != first.verdict


@for_one_file
def check_labels(source: Source, letters: str) -> tuple[list[QARun] | None, list[Findings]]:
    """Read labels of some answers, whichever; None, with findings, if any is unreadable."""
    findings = Findings(source.path)
    runs, table, _ = read_judged(source, findings, letters)
    table.locate(_COLUMN)
    return (None if findings.errors else runs), [findings]


class JudgedRows(NamedTuple):
    """All rows of a judged file, including repeated answers to a question.

    Later findings about the rows are added to those of the table; `locate` locates them.
    """

    table: Table
    answers: list[JudgedAnswer]

    def locate(self) -> None:
        """Add columns and quoted lines to findings about rows."""
        self.table.locate(_COLUMN)


@for_one_file
def check_rows(source: Source, letters: str) -> tuple[JudgedRows | None, list[Findings]]:
    """Read the rows of a judged file; None, with findings, if a row is unreadable.

    `letters` is a key of `LETTERS`.
    """
    findings = Findings(source.path)
    runs, table, _ = read_judged(source, findings, letters)
    answers = sorted(answer for run in runs for answer in run.answers)
    unusable: set[str] = set()
    for answer in answers:
        if not is_usable_id(answer.q_id) and answer.q_id not in unusable:
            unusable.add(answer.q_id)
            findings.add(rules.ID_UNUSABLE, answer.line, found=answer.q_id)
    rows = JudgedRows(table, answers)
    rows.locate()
    return (None if findings.errors else rows), [findings]


def examine(
    source: Source, collection: Collection | None, letters: str, missing: str, _: str | None
) -> Checking:
    """Check a judged file, perhaps against a collection."""
    return check_judged(source, collection, letters, missing)


def contents(systems: list[QARun]) -> Contents:
    """Describe systems in numbers."""
    answers = [answer for run in systems for answer in run.answers]
    withheld = sum(answer.answered is False for answer in answers)
    return {
        "systems": len(systems),
        "questions": different(answer.q_id for answer in answers),
        "answers": len(answers),
        **({"withheld": withheld} if withheld else {}),
    }
