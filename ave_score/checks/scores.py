"""From a file to the scores of a verifier, on the answers of a collection or on their own."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import NamedTuple

from ave_score import rules
from ave_score.align import Placement
from ave_score.checks.submission import refused
from ave_score.errors import UsageError
from ave_score.files.quoting import lines_of
from ave_score.files.scores import FIELDS, ScoredRow, ScoreReader
from ave_score.files.source import Source
from ave_score.findings import Columns, Finding, Findings
from ave_score.model import Collection, Roster, Verdict
from ave_score.rules import FileKind, Rule
from ave_score.text import did_you_mean, nearest

_FIELD: dict[Rule, str] = {
    rules.UNKNOWN_QUESTION: "q_id",
    rules.UNKNOWN_ANSWER: "a_id",
    rules.ANSWER_OF_ANOTHER_QUESTION: "q_id",
    rules.ANSWER_REPEATED: "a_id",
    rules.ANSWER_CONFLICT: "a_id",
}
"""The field that a finding about a whole row points at."""


class VerifierScores(NamedTuple):
    """The scores that a verifier gave to answers: columns as long as the roster.

    Attributes
    ----------
    name, path
        The file name without suffixes, and the file.
    roster
        The answers: those of the collection that the scores were read for, in its order; else those
        that the file names, in its order, the answers of a question side by side.
    values
        The scores as numbers, all of them finite.
    spellings
        The same as the file writes them.
    labels
        One `Label` code an answer: VALIDATED what is correct, REJECTED what is not, else UNKNOWN.
    lines
        The line of each answer.
    has_correct
        Whether the file says of any answer whether it is correct.
    answers
        The text of each answer; "" where there is none, or texts were not read.
    questions
        q_id -> the text of the question, of those that have one.
    """

    name: str
    path: str
    roster: Roster
    values: array[float]
    spellings: list[str]
    labels: bytes
    lines: array[int]
    has_correct: bool
    answers: list[str]
    questions: dict[str, str]


def check_names(names: Mapping[str, str]) -> None:
    """Raise `UsageError` where names of columns name nothing that is read, or one thing twice."""
    for field in names:
        if field not in FIELDS:
            hint = did_you_mean(nearest(field, FIELDS))
            raise UsageError(f"scores have no {field!r}, only {', '.join(FIELDS)}{hint}")
    files_own = [names.get(field, field) for field in FIELDS]
    twice = next((name for name in files_own if files_own.count(name) > 1), None)
    if twice is not None:
        both = " and ".join(field for field in FIELDS if names.get(field, field) == twice)
        raise UsageError(f"{twice!r} cannot be both {both}")


def check_scores(
    source: Source,
    collection: Collection | None = None,
    names: Mapping[str, str] | None = None,
    *,
    with_texts: bool = True,
) -> tuple[VerifierScores | None, list[Findings]]:
    """Read the scores of a verifier; None, with findings, where anything forbids deciding by them.

    Parameters
    ----------
    collection
        What the answers are those of; each needs one score. Its labels are not looked at.
    names
        What the file calls some of q_id, a_id, score, correct, answer and question.
    with_texts
        Whether the texts of questions and answers are read, too.

    Raises
    ------
    UsageError
        `names` names nothing that there is, or one thing twice.
    """
    check_names(names or {})
    misplaced = None if collection is None else refused(source, FileKind.SCORES, collection)
    if misplaced is not None:
        return None, [misplaced]
    findings = Findings(source.path)
    reader = ScoreReader(source, findings, names or {}, with_texts=with_texts)
    rows = list(reader.rows())
    placement = _placed(rows, collection, findings)
    _locate(source, findings, reader)
    if findings.errors:
        return None, [findings]
    return _on_roster(source, rows, placement, has_correct=reader.has_correct), [findings]


def _placed(rows: list[ScoredRow], collection: Collection | None, findings: Findings) -> Placement:
    """Return the labels and values of rows on the roster; the codes are `Label` + 1."""
    if collection is None:
        roster = Roster.naming((row.q_id, row.a_id) for row in rows)
        findings.skip("unknown and missing answers (AVE201-AVE204): no collection was given")
    else:
        roster = collection.roster
    placement = Placement(roster, findings)
    sound = [row for row in rows if row.sound]
    placement.place(
        [row.line for row in sound],
        [row.q_id for row in sound],
        [row.a_id for row in sound],
        bytearray(row.label + 1 for row in sound),
        [row.value for row in sound],
    )
    for row in rows:
        if not row.sound:
            placement.place_unreadable(row.line, row.q_id, row.a_id, sure=True)
    if placement.named:
        _report_missing(placement)
    return placement


def _report_missing(placement: Placement) -> None:
    roster, codes = placement.roster, placement.codes
    position = codes.find(Verdict.MISSING)
    while position >= 0:
        facts = {"q_id": roster.q_ids[position], "a_id": roster.a_ids[position]}
        placement.findings.add(rules.ANSWER_MISSING, **facts)
        position = codes.find(Verdict.MISSING, position + 1)


def _locate(source: Source, findings: Findings, reader: ScoreReader) -> None:
    """Complete findings about rows with their columns, and the line quoted."""

    def find(found: Finding, line: str) -> Columns:
        field = _FIELD.get(found.rule)
        return found.column if field is None else reader.columns(line, field)

    findings.locate(lines_of(source, findings.unlocated()), find)


def _on_roster(
    source: Source, rows: list[ScoredRow], placement: Placement, *, has_correct: bool
) -> VerifierScores:
    by_line = {row.line: row for row in rows}
    placed = [by_line[line] for line in placement.lines]
    questions: dict[str, str] = {}
    for row in rows:
        if row.question:
            questions.setdefault(row.q_id, row.question)
    return VerifierScores(
        source.name,
        source.path,
        placement.roster,
        placement.values,
        [row.score for row in placed],
        bytes(row.label for row in placed),
        placement.lines,
        has_correct,
        [row.answer for row in placed],
        questions,
    )
