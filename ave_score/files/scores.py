"""Scores of a verifier, one answer per line.

A table, JSON Lines, or lines `q_id a_id score`, detected by the first line. A score keeps its
spelling, so that no digit is lost when a run is written.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ave_score import rules
from ave_score.files.contents import Contents, Examined, examined, size_of
from ave_score.files.json_lines import NotFinite, Number, described
from ave_score.files.lines import LineReader
from ave_score.files.placement import Placement, Rows, align
from ave_score.files.positions import add_field_count, field_columns
from ave_score.files.run_lines import COMMA, NO_NUMBERS, NUMBER
from ave_score.files.sniff import column_names, delimiter_of, first_line, head_of, refused
from ave_score.files.source import Source
from ave_score.files.table import IDS, MAX_ID, Layout, Row, Table
from ave_score.findings import Findings
from ave_score.model import VERDICTS, AnswerIndex, Collection, Label
from ave_score.rules import FileKind, Rule, Safety, Severity
from ave_score.text import is_usable_id

LAYOUT = Layout(
    "the scores of a verifier", ("q_id", "score"), ("a_id", "correct", "answer", "question")
)

_FIELDS = ("q_id", "a_id", "score")
"""The fields of a line without a header."""

_WHOLE = re.compile("-?[0-9]+")
_CORRECT = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": None}
_LABELS = {True: Label.VALIDATED, False: Label.REJECTED, None: Label.UNKNOWN}


class ScoredRow(NamedTuple):
    """An answer and its score, `score` as written and `value` as a number.

    `sound` tells whether the row has no errors. If it has, its ids are known but its value may be
    NaN.
    """

    line: int
    q_id: str
    a_id: str
    score: str
    value: float
    label: Label
    answer: str
    question: str
    sound: bool


class PlainLines(Table):
    """Lines of three fields, separated by blanks or tabs: `q_id a_id score`."""

    def records(self) -> Iterator[Row]:
        """Yield the lines of three fields."""
        for block in LineReader(self.source, self.findings, self.layout.expected).blocks():
            for number, text, fields in block.rows():
                if number in block.bad:
                    continue
                if len(fields) == len(_FIELDS):
                    yield Row(number, text, dict(zip(_FIELDS, fields, strict=True)), self)
                else:
                    self._count_fields(number, text, fields)

    def cell_columns(self, line: str, field: str) -> range:
        """Return the columns of a field."""
        return field_columns(line, _FIELDS.index(field))

    def _count_fields(self, number: int, text: str, fields: list[str]) -> None:
        hint = "; a run already has verdicts" if fields[2:] and fields[2] in VERDICTS else ""
        needed, layout = len(_FIELDS), " ".join(_FIELDS)
        columns, width = field_columns(text, needed), len(fields)
        add_field_count(
            self.findings, number, text, width, str(needed), columns, layout=layout, hint=hint
        )


def _table_of(source: Source, findings: Findings) -> Table:
    """Return the reader of a file, by its first line."""
    line = first_line(head_of(source))
    names = {*re.split("[ \t,;]+", line), *column_names(line, delimiter_of(source))}
    has_header = source.naming.names or not {*_FIELDS}.isdisjoint(names)
    if has_header or line.lstrip().startswith(("{", "[", "<")):
        return Table(source, findings, LAYOUT)
    return PlainLines(source, findings, LAYOUT)


class ScoreReader:
    """Reads the scores of a file.

    Parameters
    ----------
    source, findings
        The file, and the findings to add to.
    with_texts
        Whether the texts of questions and answers are read.

    Attributes
    ----------
    table
        The table that is read.
    has_correct
        Whether any line has the field `correct`.
    """

    def __init__(self, source: Source, findings: Findings, *, with_texts: bool = True) -> None:
        self.table = _table_of(source, findings)
        self.has_correct = False
        self._findings = findings
        self._with_texts = with_texts
        self._sound = True
        self._sizes: Counter[str] = Counter()
        self._first: tuple[int, bool] | None = None  # the first line, and whether it has an a_id
        self._questions: dict[str, tuple[str, int]] = {}

    def rows(self) -> Iterator[ScoredRow]:
        """Yield the answers with known ids, in file order."""
        empty = True
        for record in self.table.records():
            empty = False
            row = self._row(record) if record.is_whole or self.table.is_typed else None
            if row is not None:
                yield row
        if empty and not self._findings.errors:
            self._findings.add(rules.EMPTY_FILE, expected="scores in it")

    def _row(self, record: Row) -> ScoredRow | None:
        self._sound = True
        if not self.table.is_typed:
            filled = [record.filled(field) for field in _FIELDS if field in record.value]
            if not all(filled):
                return None
        q_id, a_id = self._ids(record)
        score, value = self._score(record)
        label = self._label(record)
        answer = question = ""
        if self._with_texts:
            answer, question = self._text(record, "answer"), self._text(record, "question")
            self._compare(record, q_id, question)
        if not q_id or not a_id:
            return None
        sound = self._sound and bool(score)
        return ScoredRow(record.number, q_id, a_id, score, value, label, answer, question, sound)

    def _ids(self, record: Row) -> tuple[str, str]:
        """Return both ids, "" if unknown; answers without an id are numbered."""
        q_id, has_own = self._id(record, "q_id"), record.value.get("a_id") is not None
        if self._first is None:
            self._first = record.number, has_own
        elif self._first[1] != has_own:
            found = "has an" if has_own else "has no"
            self._add(record, "a_id", rules.IDS_MIXED, found=found, first=self._first[0])
        if has_own or not q_id:
            return q_id, self._id(record, "a_id")
        self._sizes[q_id] += 1
        return q_id, f"{q_id}_{self._sizes[q_id]}"

    def _id(self, record: Row, field: str) -> str:
        found = record.value.get(field, "")
        if isinstance(found, Number) and _WHOLE.fullmatch(found):
            found = str(found)
        elif isinstance(found, Number | NotFinite) or not isinstance(found, str):
            expected = "a text or a whole number"
            facts = {"found": described(found), "field": field, "expected": expected}
            self._add(record, field, rules.VALUE_UNUSABLE, **facts)
            return ""
        if field in record.value and (len(found) > MAX_ID or not is_usable_id(found)):
            self._add(record, field, rules.ID_UNUSABLE, found=found)
            return ""
        return found

    def _score(self, record: Row) -> tuple[str, float]:
        """Return the score as written and as a number, NaN if it is not a number."""
        if "score" not in record.value:
            return "", math.nan
        found = record.value["score"]
        if not self.table.is_typed:
            found = _literal(found)
        value = float(found) if isinstance(found, Number) else math.nan
        if math.isfinite(value):
            return str(found), value
        if isinstance(found, str) and re.fullmatch(COMMA, found):
            facts = {"found": found, "expected": found.replace(",", ".")}
            self._add(record, "score", rules.DECIMAL_COMMA, Safety.NONE, **facts)
            return "", math.nan
        is_number = isinstance(found, Number | NotFinite)
        rule = rules.SCORE_NOT_FINITE if is_number else rules.SCORE_NOT_A_NUMBER
        self._add(record, "score", rule, found=described(found))
        return "", math.nan

    def _label(self, record: Row) -> Label:
        if "correct" not in record.value:
            return Label.UNKNOWN
        self.has_correct = True
        found, expected = record.value["correct"], "true, false or null"
        if not self.table.is_typed:
            found = _CORRECT.get(found.casefold(), found)
            expected = "true or false, 1 or 0, yes or no"
        elif isinstance(found, Number) and found in ("0", "1"):
            found = found == "1"
        if found is None or isinstance(found, bool):
            return _LABELS[found]
        facts = {"found": described(found), "expected": expected}
        self._add(record, "correct", rules.CORRECT_UNKNOWN, **facts)
        return Label.UNKNOWN

    def _text(self, record: Row, field: str) -> str:
        found = record.value.get(field)
        if found is None:
            return ""
        if not isinstance(found, str) or isinstance(found, NotFinite):
            facts = {"found": described(found), "field": field, "expected": "a text"}
            self._add(record, field, rules.VALUE_UNUSABLE, **facts)
            return ""
        if not record.has_plain_text(field):
            self._sound = False
            return ""
        return str(found)

    def _compare(self, record: Row, q_id: str, question: str) -> None:
        """Report a question whose text differs from an earlier one."""
        if not q_id or not question:
            return
        text, line = self._questions.setdefault(q_id, (question, record.number))
        if text != question:
            self._add(record, "question", rules.QUESTION_TEXTS_DIFFER, q_id=q_id, first=line)

    def _add(
        self, record: Row, field: str, rule: Rule, fix: Safety | None = None, /, **facts: object
    ) -> None:
        self._sound = self._sound and rule.severity is not Severity.ERROR
        record.add(field, rule, fix, **facts)


def _literal(field: str) -> str:
    """Return a field as a number, or unchanged if it is not a number."""
    if re.fullmatch(NUMBER, field):
        return Number(field)
    is_number = field.lstrip("+-").casefold() in NO_NUMBERS
    return NotFinite(field) if is_number else field


@dataclass(eq=False)
class VerifierScores:
    """The scores of a verifier, as columns aligned with the index.

    Attributes
    ----------
    name, path
        The file name without suffixes, and the file.
    index
        The answers of the collection; without one, those in the file, grouped by question.
    values
        The scores as finite numbers.
    spellings
        The scores as written in the file.
    labels
        One `Label` code per answer: VALIDATED if correct, REJECTED if not, otherwise UNKNOWN.
    lines
        The line of each answer.
    has_correct
        Whether the file has the field `correct`.
    answers
        The text of each answer; "" if it has none or texts were not read.
    questions
        q_id -> text of the question, if it has one.
    """

    name: str
    path: str
    index: AnswerIndex
    values: array[float]
    spellings: list[str]
    labels: bytes
    lines: array[int]
    has_correct: bool
    answers: list[str]
    questions: dict[str, str]


def check_scores(
    source: Source, collection: Collection | None = None, *, with_texts: bool = True
) -> tuple[VerifierScores | None, list[Findings]]:
    """Read the scores of a verifier; None, with findings, if a finding prevents using them.

    Parameters
    ----------
    collection
        The collection of the answers; each needs a score. Its labels are not used.
    with_texts
        Whether the texts of questions and answers are read.
    """
    misplaced = None if collection is None else refused(source, FileKind.SCORES, collection)
    if misplaced is not None:
        return None, [misplaced]
    findings = Findings(source.path)
    reader = ScoreReader(source, findings, with_texts=with_texts)
    rows = list(reader.rows())
    placement = _align(rows, collection, findings)
    reader.table.locate(IDS)
    if findings.errors:
        return None, [findings]
    return _on_index(source, rows, placement, has_correct=reader.has_correct), [findings]


def _align(rows: list[ScoredRow], collection: Collection | None, findings: Findings) -> Placement:
    """Return the labels and values of rows on the index; the codes are `Label` + 1."""
    if collection is None:
        index = AnswerIndex.naming((row.q_id, row.a_id) for row in rows)
        findings.skip("unknown and missing answers (AVE201-AVE204): no collection was given")
    else:
        index = collection.index
    sound = [row for row in rows if row.sound]
    columns = Rows(
        [row.line for row in sound],
        [row.q_id for row in sound],
        [row.a_id for row in sound],
        bytearray(row.label + 1 for row in sound),
        [row.value for row in sound],
        [(row.line, row.q_id, row.a_id, True) for row in rows if not row.sound],
    )
    placement = align([columns], index, findings)
    for position in placement.missing() if placement.fits else ():
        facts = {"q_id": index.q_ids[position], "a_id": index.a_ids[position]}
        findings.add(rules.ANSWER_MISSING, **facts)
    return placement


def _on_index(
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
        placement.index,
        placement.values,
        [row.score for row in placed],
        bytes(row.label for row in placed),
        placement.lines,
        has_correct,
        [row.answer for row in placed],
        questions,
    )


def examine(source: Source, collection: Collection | None, _: str) -> Examined:
    """Check the scores of a verifier, optionally against a collection."""
    return examined(check_scores(source, collection), _contents)


def _contents(scores: VerifierScores) -> Contents:
    contents = size_of(scores.index)
    if scores.has_correct:
        contents["correct"] = scores.labels.count(Label.VALIDATED)
    return contents | {"lowest_score": min(scores.values), "highest_score": max(scores.values)}
