"""Judged question-answering runs: tables with a header, or JSON Lines.

`q_id run judgement` are required; `a_id answer text doc answered confidence` are optional. A file
can hold many runs; the order of runs and rows is kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.judgements import Answering, Meaning
from ave_score.core.labels import ANSWERED
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, Label, Pool, QARun, Run
from ave_score.core.policies import Policies, campaign_table
from ave_score.core.text import did_you_mean, is_usable_id
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.layout import Layout
from ave_score.files.run_lines import NUMBER
from ave_score.files.source import Source
from ave_score.files.table import Table, TableRow
from ave_score.rules import Rule

LAYOUT = Layout(
    "a judged run",
    needed=("q_id", "run", "judgement"),
    optional=("a_id", "answer", "text", "doc", "answered", "confidence"),
    elsewhere={"question": " (a questions table? build takes one with --questions)"},
)

_ANSWERED: dict[str, bool | None] = {**ANSWERED, "": None}

_COLUMN: dict[Rule, str] = {
    rules.SECOND_ANSWER: "q_id",
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


def read_judged(source: Source, findings: Findings, campaign: str) -> tuple[list[QARun], Table]:
    """Return the runs of a judged file, and its table; unknown letters are findings."""
    letters = campaign_table(campaign)
    runs: dict[str, QARun] = {}
    table = Table(source, findings, LAYOUT)
    for row in table.rows():
        answer = _answer(row, campaign, letters)
        if answer:
            name = row.value["run"]
            runs.setdefault(name, QARun(name, source.path, [], campaign)).answers.append(answer)
    if not runs and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="judged answers in it")
    return list(runs.values()), table


def _answer(row: TableRow, campaign: str, table: dict[str, Meaning]) -> JudgedAnswer | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    sound = all([*map(row.filled, ("q_id", "run")), _is_judged(row, campaign, table)])
    answered = value.get("answered", "").upper()
    if answered not in _ANSWERED:
        row.add("answered", rules.ANSWERED_UNKNOWN, field="answered", found=value["answered"])
        sound = False
    if not sound or _is_contradicted(row, campaign, table):
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
        _confidence(row),
    )


def _confidence(row: TableRow) -> float | None:
    """Return the confidence; None if it is missing or not a number."""
    text = row.value.get("confidence", "")
    if not text:
        return None
    if not re.fullmatch(NUMBER, text):
        row.add("confidence", rules.CONFIDENCE_NOT_A_NUMBER, found=text)
        return None
    value = float(text)
    if not math.isfinite(value):
        row.add("confidence", rules.CONFIDENCE_NOT_FINITE, found=text)
        return None
    if not 0 <= value <= 1 and not row.findings.counts[rules.CONFIDENCE_RANGE]:
        row.add("confidence", rules.CONFIDENCE_RANGE, found=text)
    return value


def _is_contradicted(row: TableRow, campaign: str, table: dict[str, Meaning]) -> bool:
    letter, word = row.value["judgement"], row.value.get("answered", "").upper()
    meaning = table[letter]
    if not meaning.is_contradicted(_ANSWERED[word]):
        return False
    facts = {"found": letter, "answered": word, "campaign": campaign, "means": meaning.word}
    row.add("judgement", rules.CAMPAIGN_CONTRADICTED, **facts)
    return True


def _is_judged(row: TableRow, campaign: str, table: dict[str, Meaning]) -> bool:
    letter = row.value["judgement"]
    if letter in table:
        return True
    row.add(
        "judgement",
        rules.UNKNOWN_JUDGEMENT,
        found=letter,
        expected=", ".join(known or "(empty)" for known in table),
        campaign=campaign,
        hint=did_you_mean({known.casefold(): known for known in table}.get(letter.casefold())),
    )
    return False


@for_one_file
def check_judged(
    source: Source, collection: Collection | None, campaign: str, missing: str = "error"
) -> tuple[list[QARun] | None, list[Findings]]:
    """Read a judged file; return its runs, limited to the collection's questions, with findings.

    Each run keeps its first answer to each question; the runs are None if a finding prevents
    scoring. Checks that need a collection, or labels, are recorded as not done if there are none.
    `campaign` is a key of `CAMPAIGNS`. `missing` is a choice of `Policies.missing`: a question
    without a row is left out, or it counts as answered wrongly.
    """
    findings = Findings(source.path)
    judged = read_judged(source, findings, campaign)
    return _systems(*judged, collection, campaign, missing), [findings]


def _systems(
    runs: list[QARun], table: Table, collection: Collection | None, campaign: str, missing: str
) -> list[QARun] | None:
    findings = table.findings
    outside: set[str] = set()
    systems = [_first_answers(run, collection, findings, outside) for run in runs]
    pool = pool_of(systems)
    systems = [replace(run, pool=pool, missing=_applied(missing)) for run in systems]
    if collection is None:
        findings.skip("questions and answers against a collection: none was given")
    elif not findings.errors:
        for run in systems:
            _compare_with_collection(run, collection, campaign_table(campaign), findings)
        if Label.NONE in collection.labels:
            findings.skip("judgements against gold labels: score --qa compares them")
    table.locate(_COLUMN)
    return None if findings.errors else systems


def _applied(missing: str) -> str:
    """Return the policy that a judged file was read with: there is nothing to reject in it."""
    Policies.missing.check(missing)
    return missing if MISSING_CHOICES[missing].is_left_out else Policies.missing.default


@for_one_file
def check_judged_gold(
    source: Source, campaign: str, missing: str = "error"
) -> tuple[tuple[Collection, list[QARun]] | None, list[Findings]]:
    """Read a judged file as its own gold standard: a collection of questions without answers.

    The questions are those of all systems, in file order. Returns the collection and the systems,
    or None if a finding prevents scoring.
    """
    findings = Findings(source.path)
    source.expect_hash()
    runs, table = read_judged(source, findings, campaign)
    named = dict.fromkeys(answer.q_id for run in runs for answer in run.answers)
    index = AnswerIndex.sized(dict.fromkeys(named, 0), [])
    collection = Collection(source.path, source.sha256(), index, b"")
    systems = _systems(runs, table, collection, campaign, missing)
    return (None if systems is None else (collection, systems)), [findings]


def pool_of(runs: Sequence[QARun]) -> Pool:
    """Return the pooled judgements of all systems."""
    answers = [answer for run in runs for answer in run.answers if answer.answered is not False]
    return Pool(
        frozenset((answer.q_id, answer.judgement) for answer in answers if not answer.is_nil),
        frozenset((answer.q_id, answer.judgement) for answer in answers if answer.is_nil),
    )


def _first_answers(
    run: QARun, collection: Collection | None, findings: Findings, outside: set[str]
) -> QARun:
    """Keep the first answer to each question of the collection, and report the others."""
    first: dict[str, JudgedAnswer] = {}
    for answer in run.answers:
        q_id = answer.q_id
        if collection is not None and q_id not in collection.index.question_number:
            if q_id not in outside:
                outside.add(q_id)
                findings.add(rules.OUTSIDE_COLLECTION, answer.line, q_id=q_id)
        elif q_id in first:
            findings.add(
                rules.SECOND_ANSWER,
                answer.line,
                run=run.name,
                q_id=q_id,
                first=first[q_id].line,
            )
        else:
            first[q_id] = answer
    index = None if collection is None else collection.index
    return replace(run, answers=list(first.values()), index=index)


def _compare_with_collection(
    run: QARun, collection: Collection, table: dict[str, Meaning], findings: Findings
) -> None:
    """Report unanswered questions and judgements that contradict the collection."""
    answers = {answer.q_id: answer for answer in run.answers}
    index = collection.index
    labelled = Label.NONE not in collection.labels
    for q_id, answerable in zip(index.questions, collection.answerable, strict=True):
        answer = answers.get(q_id)
        if answer is None:
            findings.add(MISSING_CHOICES[run.missing].of_row, run=run.name, q_id=q_id)
        if answer is None or not len(index):
            continue
        meaning = table[answer.judgement]
        right = meaning.answering is Answering.CORRECT and answer.answered is not False
        if right and labelled and not answerable and not answer.is_nil:
            findings.add(rules.RIGHT_BUT_UNANSWERABLE, answer.line, run=run.name, q_id=q_id)
        elif answer.a_id:
            _compare_answer(run, answer, meaning.label, collection, findings)


def _compare_answer(
    run: QARun, answer: JudgedAnswer, label: Label, collection: Collection, findings: Findings
) -> None:
    """Report an answer that is not in the collection or has another label there."""
    position = collection.index.position.get((answer.q_id, answer.a_id))
    facts = {"run": run.name, "q_id": answer.q_id, "a_id": answer.a_id}
    if position is None:
        findings.add(rules.JUDGED_UNKNOWN_ANSWER, answer.line, **facts)
        return
    gold = Label(collection.labels[position])
    if not {gold, label} & {Label.UNKNOWN, Label.NONE} and gold is not label:
        findings.add(
            rules.JUDGEMENT_CONTRADICTED,
            answer.line,
            **facts,
            found=answer.judgement,
            expected=gold.name,
        )


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
def check_rows(source: Source, campaign: str) -> tuple[JudgedRows | None, list[Findings]]:
    """Read the rows of a judged file; None, with findings, if a row is unreadable.

    `campaign` is a key of `CAMPAIGNS`.
    """
    findings = Findings(source.path)
    runs, table = read_judged(source, findings, campaign)
    answers = sorted(answer for run in runs for answer in run.answers)
    unusable: set[str] = set()
    for answer in answers:
        if not is_usable_id(answer.q_id) and answer.q_id not in unusable:
            unusable.add(answer.q_id)
            findings.add(rules.ID_UNUSABLE, answer.line, found=answer.q_id)
    rows = JudgedRows(table, answers)
    rows.locate()
    return (None if findings.errors else rows), [findings]


def examine(source: Source, collection: Collection | None, campaign: str) -> Examined:
    """Check a judged file, perhaps against a collection."""
    return examined(check_judged(source, collection, campaign), _contents)


def submitted(
    source: Source, collection: Collection, campaign: str, missing: str, _: str | None
) -> tuple[list[Run | QARun] | None, list[Findings]]:
    """Read the systems of a judged file."""
    systems, findings = check_judged(source, collection, campaign, missing)
    return (None if systems is None else [*systems]), findings


def _contents(systems: list[QARun]) -> Contents:
    return {
        "systems": len(systems),
        "questions": len({answer.q_id for run in systems for answer in run.answers}),
        "answers": sum(len(run.answers) for run in systems),
    }
