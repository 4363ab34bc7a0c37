"""Answers with the scores of verifiers: a table, JSON Lines, lines `q_id a_id score`, or a log.

The layout is detected by the beginning of the file. A score keeps its spelling, so that no digit is
lost when a run is written.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.labels import LABELS, TRUTH_LABELS, TRUTH_WORDS, TRUTHS, VERDICTS
from ave_score.core.model import Label
from ave_score.core.text import MAX_ID, is_usable_id
from ave_score.files.json import NotFinite, Number, described
from ave_score.files.layout import Layout
from ave_score.files.lines import LineReader
from ave_score.files.log import Choice, Log, LogTable, literal
from ave_score.files.positions import add_field_count, field_columns
from ave_score.files.run_lines import COMMA
from ave_score.files.sniff import (
    column_names,
    delimiter_of,
    first_line,
    head_of,
    log_record,
)
from ave_score.files.source import Source
from ave_score.files.table import Table, TableRow
from ave_score.rules import Rule, Safety, Severity

LAYOUT = Layout(
    "the scores of a verifier",
    ("q_id", "score"),
    ("a_id", "correct", "answer", "question", "answer_key"),
)

KEY = "answer_key"
"""The field for what an answer says, in short: equal answers have equal keys."""

_FIELDS = KINDS[FileKind.SCORES].fields
"""The fields of a line without a header."""

_WHOLE = re.compile("-?[0-9]+")
_CORRECT: dict[str, bool | None] = {**TRUTHS, "": None}


class ScoredRow(NamedTuple):
    """An answer and its scores, `scores` as written and `values` as numbers.

    `sound` tells whether the row has no errors. If it has, its ids are known but its values may be
    NaN.
    """

    line: int
    q_id: str
    a_id: str
    scores: tuple[str, ...]
    values: tuple[float, ...]
    label: Label
    answer: str
    question: str
    key: str
    sound: bool


class PlainLines(Table):
    """Lines of three fields, separated by blanks or tabs: `q_id a_id score`."""

    def records(self) -> Iterator[TableRow]:
        """Yield the lines of three fields."""
        for block in LineReader(self.source, self.findings, self.layout.expected).blocks():
            for number, text, fields in block.rows():
                if number in block.bad:
                    continue
                if len(fields) == len(_FIELDS):
                    yield TableRow(number, text, dict(zip(_FIELDS, fields, strict=True)), self)
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


def _table_of(source: Source, findings: Findings, choice: Choice) -> Table:
    """Return the reader of a file, by its beginning."""
    log = _log_of(source, findings)
    if log is not None:
        return LogTable(log, source, findings, choice)
    line = first_line(head_of(source))
    names = {*re.split("[ \t,;]+", line), *column_names(line, delimiter_of(source))}
    has_header = source.naming.names or not {*_FIELDS}.isdisjoint(map(str.casefold, names))
    if has_header or line.lstrip().startswith(("{", "[", "<")):
        return Table(source, findings, _layout(choice))
    return PlainLines(source, findings, LAYOUT)


def _layout(choice: Choice) -> Layout:
    """Return the layout of a table, with a column of scores for each verifier."""
    scores = choice.scores or ("score",)
    optional = tuple(name for name in LAYOUT.optional if name not in scores)
    return LAYOUT._replace(needed=tuple(dict.fromkeys(("q_id", *scores))), optional=optional)


def _log_of(source: Source, findings: Findings) -> Log | None:
    """Return the reader of a log of another program; None for any other file."""
    record = log_record(source)
    if record is None:
        return None
    module, _, name = record.reader.partition(".")
    log: Log = getattr(import_module(f"ave_score.files.{module}"), name)(source, findings)
    return log


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
        self.roles = self.table.roles if isinstance(self.table, LogTable) else None
        self.verifiers = self._scores = [*dict.fromkeys(choice.scores)] or ["score"]
        if self.roles is not None:
            self.verifiers, self._scores = self.roles.scores, self.roles.columns
        if len(self.verifiers) == 1 and not choice.scores:
            self.verifiers = [source.name]
        self.has_correct = False
        self._findings = findings
        self._with_texts, self._with_keys = with_texts, with_keys
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

    def _row(self, record: TableRow) -> ScoredRow | None:
        self._sound = True
        if not self.table.is_typed:
            filled = [record.filled(field) for field in _FIELDS if field in record.value]
            if not all(filled):
                return None
        q_id, a_id = self._ids(record)
        scores = [self._score(record, field) for field in self._scores]
        label = self._label(record)
        answer = question = ""
        if self._with_texts:
            answer, question = self._text(record, "answer"), self._text(record, "question")
            self._compare(record, q_id, question)
        key = self._key(record) if self._with_keys else ""
        if not q_id or not a_id:
            return None
        spellings = tuple(spelling for spelling, _ in scores)
        values = tuple(value for _, value in scores)
        sound = self._sound and all(spellings)
        rest = (spellings, values, label, answer, question, key, sound)
        return ScoredRow(record.number, q_id, a_id, *rest)

    def _ids(self, record: TableRow) -> tuple[str, str]:
        """Return both ids, "" if unknown; answers without an id are numbered."""
        q_id, has_own = self._id(record, "q_id"), record.value.get("a_id") is not None
        if self._first is None:
            self._first = record.number, has_own
        elif self._first[1] != has_own:
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
        value, expected = record.value["correct"], "true, false or null"
        word = TRUTH_WORDS[value] if isinstance(value, bool) else value
        meant = self.table.source.naming.values.get(word) if isinstance(word, str) else None
        if meant in LABELS:
            return Label(LABELS[meant])
        if not self.table.is_typed:
            value = _CORRECT.get(value.casefold(), value)
            expected = "true or false, 1 or 0, yes or no; --values names others"
        elif isinstance(value, Number) and value in ("0", "1"):
            value = value == "1"
        if value is None or isinstance(value, bool):
            return TRUTH_LABELS[value]
        facts = {"found": described(value), "expected": expected}
        self._add(record, "correct", rules.CORRECT_UNKNOWN, **facts)
        return Label.UNKNOWN

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
        names = self.table.source.naming.names
        is_text = names.get(KEY) == "answer" and KEY not in record.value
        field = "answer" if is_text else KEY
        value = record.value.get(field)
        if value is None or isinstance(value, Number):
            return str(value or "")
        if isinstance(value, str) and not isinstance(value, NotFinite):
            return " ".join(value.split())
        facts = {"found": described(value), "field": field}
        self._add(record, field, rules.VALUE_UNUSABLE, expected="a text or a number", **facts)
        return ""

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
