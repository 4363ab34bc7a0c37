"""Collections as tables or JSON Lines, one row an answer.

`q_id a_id` and optionally `label question answer text doc grade`; pairs have `pair_id` and
optionally `label question text doc hypothesis`. Every other column is an attribute of the question.
A row without an a_id is a question without answers. Texts and attributes of a question may be left
out in all rows but one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ave_score import rules
from ave_score.files.collection import Labels, grade_of
from ave_score.files.layout import Layout
from ave_score.files.sniff import has_column
from ave_score.files.source import Source
from ave_score.files.table import Row, Table
from ave_score.findings import Findings
from ave_score.model import LABELS, PAIR_LABELS, AnswerIndex, Collection, Label, Texts, label_facts

_ANSWERS = Layout(
    "a collection",
    ("q_id", "a_id"),
    ("label", "question", "answer", "text", "doc", "grade"),
    keeps_others=True,
    quotes_tabs=True,
)
_PAIRS = Layout(
    "a collection of pairs",
    ("pair_id",),
    ("label", "question", "text", "doc", "hypothesis"),
    keeps_others=True,
    quotes_tabs=True,
)


def read_collection_table(
    source: Source, findings: Findings, wanted: Labels, *, with_texts: bool = False
) -> Collection | None:
    """Read a collection; None, with findings, if it cannot be scored.

    `wanted` tells how labels are read.
    """
    if wanted is not Labels.IGNORED:
        source.expect_hash()
    reader = _Reader(source, findings, wanted, with_texts=with_texts)
    reader.read()
    if not reader.answers:
        if not findings.errors:
            findings.add(rules.EMPTY_FILE, expected="questions in it")
        return None
    return reader.collection("" if wanted is Labels.IGNORED else source.sha256())


class _Answer:
    """What the row of an answer says."""

    __slots__ = ("answer", "doc", "grade", "label", "text")

    def __init__(self, label: int, grade: int | None, texts: Iterator[str]) -> None:
        self.label = label
        self.grade = grade
        self.answer, self.text, self.doc = texts


class _Reader:
    """The columns of a collection, filled from rows.

    Attributes
    ----------
    answers
        q_id -> a_id -> what its row says; of pairs, the q_id is "".
    """

    def __init__(
        self, source: Source, findings: Findings, wanted: Labels, *, with_texts: bool
    ) -> None:
        self._source = source
        self._findings = findings
        self._wanted = wanted
        self._with_texts = with_texts
        self._is_pairs = has_column(source, "pair_id")
        self._words: Mapping[str, int] = {**LABELS, **PAIR_LABELS} if self._is_pairs else LABELS
        self._table = Table(source, findings, _PAIRS if self._is_pairs else _ANSWERS)
        self.answers: dict[str, dict[str, _Answer]] = {}
        self._questions: dict[str, tuple[str, int]] = {}
        self._attributes: dict[str, dict[str, str]] = {}
        self._varying: set[str] = set()

    def read(self) -> None:
        """Read all rows."""
        id_columns = ["pair_id"] if self._is_pairs else ["q_id"]
        for row in self._table.rows():
            ids = [*id_columns, *(["a_id"] if row.value.get("a_id") else [])]
            if all([*map(row.filled, id_columns), *map(row.has_usable_id, ids)]):
                self._take(row)
        for q_id, answers in self.answers.items():
            if not answers:
                self._findings.add(rules.QUESTION_WITHOUT_ANSWERS, q_id=q_id)

    def collection(self, sha256: str) -> Collection:
        """Return the collection."""
        answers = [answer for of in self.answers.values() for answer in of.values()]
        if self._is_pairs:
            index = AnswerIndex.of_pairs(self.answers[""])
        else:
            index = AnswerIndex.of({q_id: dict.fromkeys(of) for q_id, of in self.answers.items()})
        languages = self._attributes.get("lang", {}).values()
        return Collection(
            self._source.path,
            sha256,
            index,
            bytes(answer.label for answer in answers),
            tuple(dict.fromkeys(language.upper() for language in languages)),
            grades={at: row.grade for at, row in enumerate(answers) if row.grade is not None},
            attributes=self._attributes,
            texts=self._texts(index, answers) if self._with_texts else None,
        )

    def _texts(self, index: AnswerIndex, answers: list[_Answer]) -> Texts:
        asked = index.a_ids if self._is_pairs else index.questions
        return Texts(
            [self._questions.get(q_id, ("", 0))[0] for q_id in asked],
            [answer.answer for answer in answers],
            [answer.text for answer in answers],
            [answer.doc for answer in answers],
        )

    def _take(self, row: Row) -> None:
        value = row.value
        q_id, a_id = ("", value["pair_id"]) if self._is_pairs else (value["q_id"], value["a_id"])
        of_question = self.answers.setdefault(q_id, {})
        self._take_question(row, q_id or a_id)
        if not a_id:
            return
        if a_id in of_question:
            name = "pair_id" if self._is_pairs else "a_id"
            row.add(name, rules.DUPLICATE_ANSWER, q_id=q_id, a_id=a_id)
            return
        label, grade = self._label(row, q_id, a_id), None
        if value.get("grade") and self._wanted is not Labels.IGNORED:
            grade = grade_of(value["grade"])
            if grade is None:
                row.add("grade", rules.GRADE_UNUSABLE, found=value["grade"])
        texts = ("hypothesis" if self._is_pairs else "answer", "text", "doc")
        kept = (value.get(name, "") if self._with_texts else "" for name in texts)
        of_question[a_id] = _Answer(label, grade, kept)

    def _take_question(self, row: Row, q_id: str) -> None:
        """Keep the text and the attributes of a question; report those that differ."""
        value = row.value
        text = value.get("question")
        if text:
            first, line = self._questions.setdefault(q_id, (text, row.number))
            if text != first:
                row.add("question", rules.QUESTION_TEXTS_DIFFER, q_id=q_id, first=line)
        if self._wanted is Labels.IGNORED:
            return
        known = self._table.layout.columns
        for name, found in value.items():
            if not found or name in known or name in self._varying:
                continue
            if self._attributes.setdefault(name, {}).setdefault(q_id, found) != found:
                self._varying.add(name)
                del self._attributes[name]
                hint = f": it differs within question '{q_id}', so it is no attribute of questions"
                row.add(name, rules.UNKNOWN_COLUMN, found=self._table.own_name(name), hint=hint)

    def _label(self, row: Row, q_id: str, a_id: str) -> int:
        if self._wanted is Labels.IGNORED:
            return Label.NONE
        word = row.value.get("label", "")
        word = self._source.naming.values.get(word, word)
        if word in self._words:
            return self._words[word]
        if word:
            words = PAIR_LABELS if self._is_pairs else LABELS
            row.add("label", rules.UNKNOWN_LABEL, **label_facts(word, words))
        elif self._wanted is Labels.NEEDED:
            row.add("label", rules.UNLABELLED_ANSWER, q_id=q_id, a_id=a_id)
        return Label.NONE
