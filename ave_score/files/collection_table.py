"""Collections as tables or JSON Lines, one row an answer.

`q_id a_id` and optionally `label question answer text doc grade`; pairs have `pair_id` and
optionally `label question text doc hypothesis`. Every other column is an attribute of the question.
A row without an a_id is a question without answers. Texts and attributes of a question may be left
out in all rows but one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import NoneType

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, OF_PAIRS, FileKind
from ave_score.core.labels import (
    LABELS,
    TRUTH_LABELS,
    TRUTH_WORDS,
    Labels,
    grade_of,
    label_facts,
)
from ave_score.core.model import AnswerIndex, Collection, Label, Texts
from ave_score.core.standards import CANDIDATES, PAIRS
from ave_score.core.text import are_plain_ids
from ave_score.files.layout import Layout
from ave_score.files.rows import Ids
from ave_score.files.sniff import has_column, head_of
from ave_score.files.source import Source
from ave_score.files.table import Columns, Table
from ave_score.files.table_row import TableRow

_ANSWERS = Layout(
    "a collection",
    ("q_id", "a_id"),
    ("label", "question", "answer", "text", "doc", "grade"),
    keeps_others=True,
    quotes_tabs=KINDS[FileKind.COLLECTION].quotes_tabs,
)
_PAIRS = Layout(
    "a collection of pairs",
    ("pair_id",),
    ("label", "question", "text", "doc", "hypothesis"),
    keeps_others=True,
    quotes_tabs=KINDS[FileKind.COLLECTION].quotes_tabs,
    otherwise=OF_PAIRS,
)


def read_collection_table(
    source: Source, findings: Findings, wanted: Labels, *, with_texts: bool = False
) -> Collection | None:
    """Read a collection; None, with findings, if it cannot be scored.

    `wanted` tells how labels are read.
    """
    if wanted is not Labels.IGNORED:
        source.expect_hash()
    reader = _RowReader(source, findings, wanted, with_texts=with_texts)
    reader.read()
    if not reader.ids.numbers:
        if not findings.errors:
            findings.add(rules.EMPTY_FILE, expected="questions in it")
        return None
    return reader.collection("" if wanted is Labels.IGNORED else source.sha256())


_OF_JSON = {word: TRUTH_LABELS[truth].value for truth, word in TRUTH_WORDS.items()}
"""The labels TRUE and FALSE of pairs as JSON spells them: `{"id": "p1", "value": true}`."""


class _RowReader:
    """The columns of a collection, filled from rows.

    Attributes
    ----------
    ids
        The ids of the answers so far.
    """

    def __init__(
        self, source: Source, findings: Findings, wanted: Labels, *, with_texts: bool
    ) -> None:
        self._source = source
        self._findings = findings
        self._wanted = wanted
        self._standard = PAIRS if has_column(source, "pair_id") else CANDIDATES
        self._asks = self._standard.has_questions
        self._words: Mapping[str, int] = {**LABELS, **self._standard.labels}
        if not self._asks and head_of(source).lstrip().startswith("{"):
            self._words = {**self._words, **_OF_JSON}
        self._table = Table(source, findings, _ANSWERS if self._asks else _PAIRS)
        self.ids = Ids()
        self._labels = bytearray()
        self._grades: dict[int, int] = {}
        columns = ("answer" if self._asks else "hypothesis", "text", "doc")
        self._texts: dict[str, list[str]] = {name: [] for name in columns if with_texts}
        self._questions: dict[str, tuple[str, int]] = {}
        self._attributes: dict[str, dict[str, str]] = {}
        self._varying: set[str] = set()
        self._omitted: Counter[str] = Counter()

    def read(self) -> None:
        for _ in self._table.in_bulk(self._take_plain):
            pass
        id_columns = [self._standard.ids[0]]
        for row in self._table.rows():
            ids = [*id_columns, *(["a_id"] if row.value.get("a_id") else [])]
            if all([*map(row.filled, id_columns), *map(row.has_usable_id, ids)]):
                self._take(row)
        with_answers = {*self.ids.heads}
        for q_id in self.ids.numbers:
            if q_id not in with_answers:
                self._findings.add(rules.QUESTION_WITHOUT_ANSWERS, q_id=q_id)

    def collection(self, sha256: str) -> Collection:
        index, order = self.ids.index()
        if order is not None:
            self._reorder(order)
        languages = self._attributes.get("lang", {}).values()
        return Collection(
            self._source.path,
            sha256,
            index,
            bytes(self._labels),
            tuple(dict.fromkeys(language.upper() for language in languages)),
            grades=self._grades,
            attributes=self._attributes,
            unusable=self._table.unusable,
            texts=self._texts_of(index) if self._texts else None,
        )

    def _reorder(self, rows: list[int]) -> None:
        """Put the columns in the order of rows."""
        self._labels = bytearray(map(self._labels.__getitem__, rows))
        grades = enumerate(map(self._grades.get, rows))
        self._grades = {at: grade for at, grade in grades if grade is not None}
        for name, texts in self._texts.items():
            self._texts[name] = [*map(texts.__getitem__, rows)]

    def _texts_of(self, index: AnswerIndex) -> Texts:
        questions = [self._questions.get(q_id, ("", 0))[0] for q_id in index.units]
        answers, supports, docs = self._texts.values()
        return Texts(questions, answers, supports, docs, omitted=self._omitted)

    def _take(self, row: TableRow) -> None:
        value = row.value
        q_id, a_id = value["q_id"] if self._asks else "", value[self._standard.ids[-1]]
        self.ids.answers_of(q_id)
        self._take_question(row, q_id or a_id)
        if not a_id:
            return
        if not self.ids.append(q_id, a_id):
            row.add(self._standard.ids[-1], rules.DUPLICATE_ANSWER, q_id=q_id, a_id=a_id)
            return
        self._labels.append(self._label(row, q_id, a_id))
        if value.get("grade") and self._wanted is not Labels.IGNORED:
            grade = grade_of(value["grade"])
            if grade is None:
                row.add("grade", rules.GRADE_UNUSABLE, found=value["grade"])
            else:
                self._grades[len(self._labels) - 1] = grade
        for name, texts in self._texts.items():
            texts.append(value.get(name, ""))

    def _take_question(self, row: TableRow, q_id: str) -> None:
        """Keep the text and the attributes of a question; report those that differ."""
        value = row.value
        text = value.get("question")
        if text:
            first, line = self._questions.setdefault(q_id, (text, row.number))
            if text != first:
                row.add("question", rules.QUESTION_TEXTS_DIFFER, q_id=q_id, first=line)
        if self._wanted is Labels.IGNORED:
            return
        others = row.others.items()
        self._omitted.update(f"{name} that is no text" for name, field in others if not field)
        row.keep_others(q_id, self._attributes, self._varying, reports=True)

    def _take_plain(self, lines: range, columns: Columns) -> bool | None:
        """Take rows of answers at once; None, with nothing taken, if any may have a finding."""
        if self._table.is_typed:
            types = {kind for column in columns.values() for kind in {*map(type, column)}}
            if not all(issubclass(kind, str | NoneType) for kind in types):
                return None
            columns = {name: [value or "" for value in column] for name, column in columns.items()}
        ids, a_ids = (columns[self._standard.ids[at]] for at in (0, -1))
        empty = [""] * len(lines)
        q_ids = ids if self._asks else empty
        labels = self._codes_of(columns.get("label", empty))
        has_grades = any(columns.get("grade", ())) and self._wanted is not Labels.IGNORED
        if labels is None or has_grades or not (are_plain_ids(ids) and are_plain_ids(a_ids)):
            return None
        if not (self._take_questions(lines, ids, columns) and self.ids.extend(q_ids, a_ids)):
            return None
        self._labels += labels
        for name, texts in self._texts.items():
            texts.extend(columns.get(name, empty))
        return True

    def _codes_of(self, words: Sequence[str]) -> bytes | None:
        """Return the labels of rows; None if any has a finding."""
        if self._wanted is Labels.IGNORED:
            return bytes([Label.NONE]) * len(words)
        values = self._source.naming.values
        codes = {word: self._words.get(values.get(word, word)) for word in {*words}}
        if "" not in values and self._wanted is not Labels.NEEDED:
            codes[""] = Label.NONE.value
        known = {word: code for word, code in codes.items() if code is not None}
        return bytes(map(known.__getitem__, words)) if len(known) == len(codes) else None

    def _take_questions(self, lines: range, ids: list[str], columns: Columns) -> bool:
        """Take texts and attributes of questions; False, with nothing taken, if any differ."""
        others = {*columns} - {*self._table.layout.columns} - self._varying
        if self._wanted is Labels.IGNORED:
            others.clear()
        attributes = dict[str, dict[str, str]]()
        for name in (name for name in columns if name in others or name == "question"):
            pairs = [*zip(ids, columns[name], strict=True)]
            if "" in columns[name]:
                pairs = [(q_id, value) for q_id, value in pairs if value]
            own = dict(pairs)
            known = self._attributes.get(name, {})
            if name == "question":
                known = {q_id: self._questions[q_id][0] for q_id in own.keys() & self._questions}
            differs = any(known[q_id] != own[q_id] for q_id in own.keys() & known)
            if differs or len({*pairs}) > len(own):
                return False
            if own:
                attributes[name] = own
        if texts := attributes.pop("question", {}):
            rows = zip(reversed(ids), reversed(lines), reversed(columns["question"]), strict=True)
            first = {q_id: line for q_id, line, text in rows if text}
            for q_id, text in texts.items():
                self._questions.setdefault(q_id, (text, first[q_id]))
        for name in sorted(attributes, key=lambda name: [*map(bool, columns[name])].index(True)):
            self._attributes.setdefault(name, {}).update(attributes[name])
        return True

    def _label(self, row: TableRow, q_id: str, a_id: str) -> int:
        if self._wanted is Labels.IGNORED:
            return Label.NONE
        word = row.value.get("label", "")
        word = self._source.naming.values.get(word, word)
        if word in self._words:
            return self._words[word]
        if word:
            row.add("label", rules.UNKNOWN_LABEL, **label_facts(word, self._standard.labels))
        elif self._wanted is Labels.NEEDED:
            row.add("label", rules.UNLABELLED_ANSWER, q_id=q_id, a_id=a_id)
        return Label.NONE
