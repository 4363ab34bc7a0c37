"""Scores of a verifier, one answer per line.

JSON Lines, a tab-separated table with a header, or lines `q_id a_id score`, detected by the first
line. A score keeps its spelling, so that no digit is lost when a run is written.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ave_score import rules
from ave_score.errors import UsageError
from ave_score.files.contents import Contents, Examined, examined, size_of
from ave_score.files.json_lines import NotFinite, Number, described
from ave_score.files.placement import Placement, Rows, align
from ave_score.files.positions import FIELDS as FIELD_NUMBERS
from ave_score.files.positions import locate
from ave_score.files.run_lines import COMMA
from ave_score.files.score_lines import JsonLines, PlainLines, Record, ScoreTable
from ave_score.files.sniff import first_line, head_of, refused
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import AnswerIndex, Collection, Label
from ave_score.rules import FileKind, Rule, Safety, Severity
from ave_score.text import did_you_mean, find_control, is_usable_id, nearest

FIELDS = ("q_id", "a_id", "score", "correct", "answer", "question")
"""The fields of an answer, by their default names."""

MAX_ID = 1_000
"""Characters of the longest id: a line of a run holds two."""

_WHOLE = re.compile("-?[0-9]+")
_LONE = re.compile("[\ud800-\udfff]")
_LABELS = {True: Label.VALIDATED, False: Label.REJECTED}


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


class ScoreReader:
    """Reads the scores of a file.

    Parameters
    ----------
    source, findings
        The file, and the findings to add to.
    names
        The file's own names of some of `FIELDS`; these fields are required.
    with_texts
        Whether the texts of questions and answers are read.

    Attributes
    ----------
    has_correct
        Whether any line has the field `correct`.
    """

    def __init__(
        self,
        source: Source,
        findings: Findings,
        names: Mapping[str, str],
        *,
        with_texts: bool = True,
    ) -> None:
        self.has_correct = False
        self._findings = findings
        self._with_texts = with_texts
        self._lines = _lines_of(source, findings, names)
        self._sound = True
        self._sizes: Counter[str] = Counter()
        self._first: tuple[int, bool] | None = None  # the first line, and whether it has an a_id
        self._questions: dict[str, tuple[str, int]] = {}

    def columns(self, line: str, number: int) -> range:
        """Return the columns of a field in a line, by its number in `FIELDS`."""
        return self._lines.columns(line, FIELDS[number])

    def rows(self) -> Iterator[ScoredRow]:
        """Yield the answers with known ids, in file order."""
        empty = True
        for record in self._lines.records():
            empty = False
            row = self._row(record)
            if row is not None:
                yield row
        if empty and not self._findings.errors:
            self._findings.add(rules.EMPTY_FILE, expected="scores in it")

    def _row(self, record: Record) -> ScoredRow | None:
        self._sound = True
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

    def _ids(self, record: Record) -> tuple[str, str]:
        """Return both ids, "" if unknown; answers without an id are numbered."""
        q_id, has_own = self._id(record, "q_id"), "a_id" in record.value
        if self._first is None:
            self._first = record.number, has_own
        elif self._first[1] != has_own:
            found = "has an" if has_own else "has no"
            self._add(record, "a_id", rules.IDS_MIXED, found=found, first=self._first[0])
        if has_own or not q_id:
            return q_id, self._id(record, "a_id")
        self._sizes[q_id] += 1
        return q_id, f"{q_id}_{self._sizes[q_id]}"

    def _id(self, record: Record, field: str) -> str:
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

    def _score(self, record: Record) -> tuple[str, float]:
        """Return the score as written and as a number, NaN if it is not a number."""
        if "score" not in record.value:
            return "", math.nan
        found = record.value["score"]
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

    def _label(self, record: Record) -> Label:
        if "correct" not in record.value:
            return Label.UNKNOWN
        self.has_correct = True
        found = record.value["correct"]
        if found is None:
            return Label.UNKNOWN
        if isinstance(found, Number) and found in ("0", "1"):
            found = found == "1"
        if isinstance(found, bool):
            return _LABELS[found]
        facts = {"found": described(found), "expected": self._lines.correct}
        self._add(record, "correct", rules.CORRECT_UNKNOWN, **facts)
        return Label.UNKNOWN

    def _text(self, record: Record, field: str) -> str:
        found = record.value.get(field)
        if found is None:
            return ""
        if not isinstance(found, str) or isinstance(found, NotFinite):
            facts = {"found": described(found), "field": field, "expected": "a text"}
            self._add(record, field, rules.VALUE_UNUSABLE, **facts)
            return ""
        odd = _LONE.search(found) or find_control(found.replace("\r", " "))
        if odd:
            other = "a lone surrogate" if _LONE.match(odd[0]) else "a control character"
            name = unicodedata.name(odd[0], other).lower()
            facts = {"found": f"U+{ord(odd[0]):04X} ({name})", "also": ""}
            self._add(record, field, rules.CONTROL_CHARACTER, Safety.NONE, **facts)
            return ""
        return str(found)

    def _compare(self, record: Record, q_id: str, question: str) -> None:
        """Report a question whose text differs from an earlier one."""
        if not q_id or not question:
            return
        text, line = self._questions.setdefault(q_id, (question, record.number))
        if text != question:
            self._add(record, "question", rules.QUESTION_TEXTS_DIFFER, q_id=q_id, first=line)

    def _add(
        self, record: Record, field: str, rule: Rule, fix: Safety | None = None, /, **facts: object
    ) -> None:
        self._sound = self._sound and rule.severity is not Severity.ERROR
        columns = self._lines.columns(record.text, field)
        self._findings.add(rule, record.number, columns, record.text, fix, **facts)


def _lines_of(
    source: Source, findings: Findings, names: Mapping[str, str]
) -> JsonLines | ScoreTable | PlainLines:
    """Return the reader for the layout of a file, by its first line."""
    line = first_line(head_of(source)).strip()
    if line.startswith(("{", "[", "<")):
        # a lone brace starts a multi-line document, which is reported as such
        return JsonLines(source, findings, names, own_start=b"" if line == "{" else b"{")
    if names or not {"q_id", "a_id", "score"}.isdisjoint(re.split("[\t ,;]+", line)):
        return ScoreTable(source, findings, names)
    return PlainLines(source, findings)


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


def check_names(names: Mapping[str, str]) -> None:
    """Raise `UsageError` if `names` has an unknown field, or the same name twice."""
    for field in names:
        if field not in FIELDS:
            hint = did_you_mean(nearest(field, FIELDS))
            raise UsageError(
                f"unknown score column {field!r}, expected one of {', '.join(FIELDS)}{hint}"
            )
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
    """Read the scores of a verifier; None, with findings, if a finding prevents using them.

    Parameters
    ----------
    collection
        The collection of the answers; each needs a score. Its labels are not used.
    names
        The file's own names of some of `FIELDS`.
    with_texts
        Whether the texts of questions and answers are read.

    Raises
    ------
    UsageError
        `names` has an unknown field, or the same name twice.
    """
    check_names(names or {})
    misplaced = None if collection is None else refused(source, FileKind.SCORES, collection)
    if misplaced is not None:
        return None, [misplaced]
    findings = Findings(source.path)
    reader = ScoreReader(source, findings, names or {}, with_texts=with_texts)
    rows = list(reader.rows())
    placement = _align(rows, collection, findings)
    locate(source, findings, FIELD_NUMBERS, reader.columns)
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
