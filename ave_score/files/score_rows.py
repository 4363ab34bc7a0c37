"""Answers with the scores of verifiers: a table, JSON Lines, lines `q_id a_id score`, or a log.

The layout is detected by the beginning of the file. A score keeps its spelling, so that no digit is
lost when a run is written.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, NamedTuple

from ave_score import rules
from ave_score.core.choice import Choice
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.labels import LABELS, TRUTH_LABELS, TRUTH_WORDS, TRUTHS, VERDICTS
from ave_score.core.model import Label
from ave_score.core.text import MAX_ID, are_plain_ids, find_no_text, is_usable_id
from ave_score.files.bulk import finite_numbers
from ave_score.files.decisions import COMMA
from ave_score.files.json import NotFinite, Number, described
from ave_score.files.layout import Layout
from ave_score.files.log import SCORES_CHOSEN, literal
from ave_score.files.log_roles import reader_of
from ave_score.files.log_table import LogTable
from ave_score.files.score_lines import PlainLines
from ave_score.files.sniff import column_names, delimiter_of, first_line, head_of
from ave_score.files.source import Source
from ave_score.files.table import Columns, Table
from ave_score.files.table_row import TableRow
from ave_score.rules import Rule, Safety, Severity

LAYOUT = Layout(
    "the scores of a verifier",
    ("q_id", "score"),
    ("a_id", "correct", "answer", "question", "answer_key"),
    lacking={("score",): SCORES_CHOSEN},
)

_FIELDS = KINDS[FileKind.SCORES].fields
"""The fields of a line without a header."""

KEY = "answer_key"
"""The field for what an answer says, in short: equal answers have equal keys."""


_WHOLE = re.compile("-?[0-9]+")
_CORRECT: dict[str, bool | None] = {**TRUTHS, "": None}


class ScoredAnswers(NamedTuple):
    """Answers and their scores as columns, in file order.

    Attributes
    ----------
    lines, q_ids, a_ids, labels, answers, questions, keys
        Of each answer; texts and keys that were not read are "".
    scores, values
        For each verifier, the scores as written and as numbers.
    unreadable
        The other answers with known ids, as in `Rows`.
    """

    lines: array[int]
    q_ids: list[str]
    a_ids: list[str]
    labels: bytearray
    answers: list[str]
    questions: list[str]
    keys: list[str]
    scores: list[list[str]]
    values: list[array[float]]
    unreadable: list[tuple[int, str, str, bool]]


def _table_of(source: Source, findings: Findings, choice: Choice) -> Table:
    """Return the reader of a file, by its beginning."""
    log = reader_of(source, findings)
    if log is not None:
        return LogTable(log, source, findings, choice)
    line = first_line(head_of(source))
    names = {*re.split("[ \t,;]+", line), *column_names(line, delimiter_of(source))}
    has_header = source.naming.names or not {*_FIELDS}.isdisjoint(map(str.casefold, names))
    if has_header or line.lstrip().startswith(("{", "[", "<")):
        return Table(source, findings, _layout(choice))
    return PlainLines(source, findings, _FIELDS, LAYOUT.expected, " ".join(_FIELDS), _run_hint)


def _run_hint(fields: Sequence[str]) -> str:
    return "; a run already has verdicts" if fields[2:] and fields[2] in VERDICTS else ""


def _layout(choice: Choice) -> Layout:
    """Return the layout of a table, with a column of scores for each verifier."""
    scores = choice.scores or ("score",)
    optional = tuple(name for name in LAYOUT.optional if name not in scores)
    return LAYOUT._replace(needed=tuple(dict.fromkeys(("q_id", *scores))), optional=optional)


class ScoreReader:
    """Reads the scores of a file.

    Parameters
    ----------
    source, findings
        The file, and the findings to add to.
    choice
        What is chosen of a log.
    with_texts, with_keys
        Whether the texts of questions and answers, and the keys of answers, are read.

    Attributes
    ----------
    table
        The table that is read.
    roles
        Who says what in a log; None for any other file.
    verifiers
        The names of the verifiers. The only one that is not chosen has the name of the file.
    has_correct
        Whether any line has the field `correct`.
    """

    def __init__(
        self,
        source: Source,
        findings: Findings,
        choice: Choice,
        *,
        with_texts: bool = True,
        with_keys: bool = False,
    ) -> None:
        self.table = _table_of(source, findings, choice)
        self.roles = None
        self.verifiers = self._scores = [*dict.fromkeys(choice.scores)] or ["score"]
        if isinstance(self.table, LogTable):
            self.roles = self.table.roles
            self.verifiers, self._scores = self.roles.scores, self.table.score_columns
        if len(self.verifiers) == 1 and not choice.scores:
            self.verifiers = [source.name]
        self.has_correct = False
        self._findings = findings
        self._with_texts, self._with_keys = with_texts, with_keys
        self._sound = True
        self._sizes: Counter[str] = Counter()
        self._answers = ScoredAnswers(array("Q"), [], [], bytearray(), [], [], [], [], [], [])
        self._answers.scores.extend([] for _ in self._scores)
        self._answers.values.extend(array("d") for _ in self._scores)
        self._first: tuple[int, bool] | None = None  # the first line, and whether it has an a_id
        self._questions: dict[str, tuple[str, int]] = {}

    def read(self) -> ScoredAnswers:
        """Return the answers with known ids."""
        empty = not any([*self.table.in_bulk(self._take)])
        for record in self.table.records():
            empty = False
            if record.is_whole or self.table.is_typed:
                self._read(record)
        if empty and not self._findings.errors:
            self._findings.add(rules.EMPTY_FILE, expected="scores in it")
        return self._answers

    def _take(self, lines: Sequence[int], columns: Columns) -> bool | None:
        """Add plain answers, given as columns; None if any may have a finding."""
        is_numbered, size = "a_id" not in columns, len(lines)
        q_ids = self._ids_in_bulk(columns.get("q_id"))
        a_ids = [""] * size if is_numbered else self._ids_in_bulk(columns["a_id"])
        scores = [columns.get(name, []) for name in self._scores]
        own_type = {Number if self.table.is_typed else str}
        if not q_ids or not a_ids or any({*map(type, column)} != own_type for column in scores):
            return None
        values = [finite_numbers(column) for column in scores]
        labels = self._labels_in_bulk(columns.get("correct", [None] * size))
        texts = [self._texts_in_bulk(columns, name, size) for name in ("answer", "question")]
        keys = self._keys_in_bulk(columns, size)
        if None in (*values, labels, *texts, keys) or self._is_mixed(lines[0], not is_numbered):
            return None
        if not self._are_same(lines, q_ids, texts[1] or []):
            return None
        for at, q_id in enumerate(q_ids if is_numbered else ()):
            self._sizes[q_id] += 1
            a_ids[at] = f"{q_id}_{self._sizes[q_id]}"
        self.has_correct |= "correct" in columns
        added = (lines, q_ids, a_ids, labels, *texts, keys)
        columns_of_all: Any = self._answers
        for column, more in zip(columns_of_all, added, strict=False):
            column.extend(more or ())
        for number, column in enumerate(scores):
            self._answers.scores[number] += map(str, column)
            self._answers.values[number].extend(values[number] or ())
        return True

    def _ids_in_bulk(self, column: list[Any] | None) -> list[str] | None:
        types = {*map(type, column or ())}
        if column is None or not types <= {str, Number}:
            return None
        numbers = (value for value in column if type(value) is Number)
        is_sound = are_plain_ids(column) and all(map(_WHOLE.fullmatch, numbers))
        return [*map(str, column)] if is_sound else None

    def _labels_in_bulk(self, column: list[Any]) -> bytes | None:
        values = [*zip(map(type, column), column, strict=True)]
        if not {*map(type, column)} <= {bool, NoneType, str, Number}:
            return None
        meant: Any = {value: self._meaning(value[1]) for value in {*values}}
        return None if None in meant.values() else bytes(map(meant.__getitem__, values))

    def _texts_in_bulk(self, columns: Columns, name: str, size: int) -> list[str] | None:
        column = columns.get(name) if self._with_texts else None
        if column is None:
            return [""] * size
        if not {*map(type, column)} <= {str, NoneType}:
            return None
        texts = [text or "" for text in column]
        return None if find_no_text("\n".join(texts)) else texts

    def _keys_in_bulk(self, columns: Columns, size: int) -> list[str] | None:
        column = columns.get(self._key_field(columns)) if self._with_keys else None
        if column is None:
            return [""] * size
        if not {*map(type, column)} <= {str, Number, NoneType}:
            return None
        short = {value: " ".join((value or "").split()) for value in {*column}}
        return [*map(short.__getitem__, column)]

    def _are_same(self, lines: Sequence[int], q_ids: list[str], questions: list[str]) -> bool:
        """Note the texts of questions; tell, with nothing noted, if any differs from another."""
        firsts = dict(zip(zip(q_ids[::-1], questions[::-1], strict=True), lines[::-1], strict=True))
        firsts = {pair: line for pair, line in firsts.items() if pair[1]}
        known = [self._questions.get(q_id, (text,))[0] == text for q_id, text in firsts]
        if not all(known) or len({q_id for q_id, _ in firsts}) < len(firsts):
            return False
        for (q_id, text), line in firsts.items():
            self._questions.setdefault(q_id, (text, line))
        return True

    def _is_mixed(self, line: int, has_own: bool) -> bool:
        """Tell whether a first line differs from this one in having an id of the answer."""
        self._first = self._first or (line, has_own)
        return self._first[1] != has_own

    def _read(self, record: TableRow) -> None:
        self._sound = True
        if not self.table.is_typed:
            filled = [record.filled(field) for field in _FIELDS if field in record.value]
            if not all(filled):
                return
        q_id, a_id = self._ids(record)
        scores = [self._score(record, field) for field in self._scores]
        label = self._label(record)
        answer = question = ""
        if self._with_texts:
            answer, question = self._text(record, "answer"), self._text(record, "question")
            self._compare(record, q_id, question)
        key = self._key(record) if self._with_keys else ""
        if not q_id or not a_id:
            return
        answers: Any = self._answers
        if not self._sound or not all(spelling for spelling, _ in scores):
            answers.unreadable.append((record.number, q_id, a_id, True))
            return
        row = (record.number, q_id, a_id, label, answer, question, key)
        for column, value in zip(answers, row, strict=False):
            column.append(value)
        for number, (spelling, value) in enumerate(scores):
            answers.scores[number].append(spelling)
            answers.values[number].append(value)

    def _ids(self, record: TableRow) -> tuple[str, str]:
        """Return both ids, "" if unknown; answers without an id are numbered."""
        q_id, has_own = self._id(record, "q_id"), record.value.get("a_id") is not None
        if self._is_mixed(record.number, has_own) and self._first:
            what = "has an" if has_own else "has no"
            self._add(record, "a_id", rules.IDS_MIXED, found=what, first=self._first[0])
        if has_own or not q_id:
            return q_id, self._id(record, "a_id")
        self._sizes[q_id] += 1
        return q_id, f"{q_id}_{record.value.get('number', self._sizes[q_id])}"

    def _id(self, record: TableRow, field: str) -> str:
        value = record.value.get(field, "")
        if isinstance(value, Number) and _WHOLE.fullmatch(value):
            value = str(value)
        elif isinstance(value, Number | NotFinite) or not isinstance(value, str):
            expected = "a text or a whole number"
            facts = {"found": described(value), "field": field, "expected": expected}
            self._add(record, field, rules.VALUE_UNUSABLE, **facts)
            return ""
        if field in record.value and (len(value) > MAX_ID or not is_usable_id(value)):
            self._add(record, field, rules.ID_UNUSABLE, found=value)
            return ""
        return value

    def _score(self, record: TableRow, field: str) -> tuple[str, float]:
        """Return the score as written and as a number, NaN if it is not a number."""
        if field not in record.value:
            return "", math.nan
        written = record.value[field]
        if not self.table.is_typed:
            written = literal(written)
        value = float(written) if isinstance(written, Number) else math.nan
        if math.isfinite(value):
            return str(written), value
        if isinstance(written, str) and re.fullmatch(COMMA, written):
            facts = {"found": written, "expected": written.replace(",", ".")}
            self._add(record, field, rules.DECIMAL_COMMA, Safety.NONE, **facts)
            return "", math.nan
        is_number = isinstance(written, Number | NotFinite)
        rule = rules.SCORE_NOT_FINITE if is_number else rules.SCORE_NOT_A_NUMBER
        self._add(record, field, rule, found=described(written))
        return "", math.nan

    def _label(self, record: TableRow) -> Label:
        if "correct" not in record.value:
            return Label.UNKNOWN
        self.has_correct = True
        value = record.value["correct"]
        label = self._meaning(value)
        if label is None:
            expected = "true or false, 1 or 0, yes or no; --values names others"
            expected = "true, false or null" if self.table.is_typed else expected
            facts = {"found": described(value), "expected": expected}
            self._add(record, "correct", rules.CORRECT_UNKNOWN, **facts)
        return Label.UNKNOWN if label is None else label

    def _meaning(self, value: object) -> Label | None:
        """Return what a value of the field `correct` means, None if that is not known."""
        word = TRUTH_WORDS[value] if isinstance(value, bool) else value
        meant = self.table.source.naming.values.get(word) if isinstance(word, str) else None
        if meant in LABELS:
            return Label(LABELS[meant])
        if not self.table.is_typed:
            value = _CORRECT.get(str(value).casefold(), value)
        elif isinstance(value, Number) and value in ("0", "1"):
            value = value == "1"
        return TRUTH_LABELS[value] if value is None or isinstance(value, bool) else None

    def _text(self, record: TableRow, field: str) -> str:
        value = record.value.get(field)
        if value is None:
            return ""
        if not isinstance(value, str) or isinstance(value, NotFinite):
            facts = {"found": described(value), "field": field, "expected": "a text"}
            self._add(record, field, rules.VALUE_UNUSABLE, **facts)
            return ""
        if not record.has_plain_text(field):
            self._sound = False
            return ""
        return str(value)

    def _key(self, record: TableRow) -> str:
        """Return what an answer says, in short; "" if that is not known."""
        field = self._key_field(record.value)
        value = record.value.get(field)
        if value is None or isinstance(value, Number):
            return str(value or "")
        if isinstance(value, str) and not isinstance(value, NotFinite):
            return " ".join(value.split())
        facts = {"found": described(value), "field": field}
        self._add(record, field, rules.VALUE_UNUSABLE, expected="a text or a number", **facts)
        return ""

    def _key_field(self, fields: Mapping[str, object]) -> str:
        is_text = self.table.source.naming.names.get(KEY) == "answer" and KEY not in fields
        return "answer" if is_text else KEY

    def _compare(self, record: TableRow, q_id: str, question: str) -> None:
        """Report a question whose text differs from an earlier one."""
        if not q_id or not question:
            return
        text, line = self._questions.setdefault(q_id, (question, record.number))
        if text != question:
            self._add(record, "question", rules.QUESTION_TEXTS_DIFFER, q_id=q_id, first=line)

    def _add(
        self,
        record: TableRow,
        field: str,
        rule: Rule,
        fix: Safety | None = None,
        /,
        **facts: object,
    ) -> None:
        self._sound = self._sound and rule.severity is not Severity.ERROR
        record.add(field, rule, fix, **facts)
