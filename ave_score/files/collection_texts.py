"""The texts of a collection in XML, and a list of what its columns do not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ave_score.core.findings import Findings
from ave_score.core.labels import Labels
from ave_score.core.model import Texts
from ave_score.files.collection_xml import CollectionReader
from ave_score.files.xml import Attributes, local_name

_READ: Mapping[str, frozenset[str]] = {
    "q": frozenset(["id", "q_id"]),
    "a": frozenset(["id", "value", "grade"]),
    "answer": frozenset(["a_id", "correct"]),
    "pair": frozenset(["id", "value", "entailment"]),
    "topic": frozenset(["t_id"]),
    "reading-test": frozenset(["r_id"]),
    "q_str": frozenset(),
    "a_str": frozenset(),
    "t_str": frozenset(["doc"]),
    "t": frozenset(["doc"]),
    "h": frozenset(),
    "doc": frozenset(["d_id"]),
}
"""The elements that are read, with the attributes that are; all of a question or pair are kept."""

_TEXTS = frozenset(["q_str", "a_str", "t_str", "t", "h", "doc"])
"""The elements that are read for their text."""


class TextReader(CollectionReader):
    """Reads a collection with its texts.

    White space around texts is kept. The document of a reading test (QA4MRE) is the supporting text
    of its answers. Whatever is not kept is counted.
    """

    has_texts = True

    def __init__(self, findings: Findings, wanted: Labels, values: Mapping[str, str]) -> None:
        super().__init__(findings, wanted, values)
        self._root: dict[str, str] = {}
        self._omitted: Counter[str] = Counter()
        self._texts: dict[str, dict[int, str]] = {
            column: {} for column in ("questions", "answers", "supports", "docs")
        }
        self._document = ("", "")  # the text of the open reading test, and its id
        self._is_unused = False  # whether no answer has it
        self._column = ""  # of the open text
        self._pieces: list[str] = []
        self._depth = 0  # of elements inside the open text
        self._is_counted = False  # whether the text since the last tag is counted

    def texts(self) -> Texts:
        """Return the texts, aligned with the index."""
        self._leave_document()
        answers = range(len(self.a_ids))
        questions = range(len(self.questions)) or answers
        of_questions, of_answers, supports, docs = (
            [texts.get(number, "") for number in (questions if name == "questions" else answers)]
            for name, texts in self._texts.items()
        )
        return Texts(of_questions, of_answers, supports, docs, self._root, self._omitted)

    def start_root(self, name: str, attributes: Attributes) -> None:
        """Keep the attributes of the root element."""
        super().start_root(name, attributes)
        self._root = dict(attributes)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        super().start(tag, attributes)
        self._is_counted = False
        name = local_name(tag)
        if self._column:
            self._depth += 1
            self._omitted[f"<{name}> inside a text"] += 1
            return
        if name == "reading-test":
            self._leave_document()
        column = self._column_of(name)
        if column:
            self._begin(name, column, attributes)
        elif self.started > 1:
            self._count(name, attributes)

    def _column_of(self, name: str) -> str:
        """Return the column of a text that begins here; "" if none does."""
        column = self.dialect.texts.get(name, "")
        if column == "document" or self.open_question is None:
            belongs = self.is_answer_open is (column != "document")
        else:
            belongs = self.is_answer_open is (column != "questions")
        return column if belongs else ""

    def _begin(self, name: str, column: str, attributes: Attributes) -> None:
        """Open a text, unless its question or answer already has that text."""
        self._omit_attributes(name, attributes, _READ[name])
        at = self._position(column)
        if column == "answers" and name == "answer":
            self._texts["supports"][at], self._texts["docs"][at] = self._document
            self._is_unused = False
        if at in self._texts.get(column, ()) or (column == "document" and self._document[0]):
            self._omitted[f"<{name}> after the first"] += 1
            self._is_counted = True
            return
        self._column, self._pieces = column, []
        if column == "supports" and "doc" in attributes:
            self._texts["docs"][at] = attributes["doc"]
        elif column == "document":
            self._document, self._is_unused = ("", attributes.get("d_id", "").strip()), True

    def _leave_document(self) -> None:
        """Forget a document; count it if it was before or behind the answers of a reading test."""
        if self._is_unused and any(self._document):
            self._omitted["<doc> of no answer"] += 1
        self._document, self._is_unused = ("", ""), False

    def _position(self, column: str) -> int:
        of_question = column == "questions" and bool(self.questions)
        return len(self.questions if of_question else self.a_ids) - 1

    def _count(self, name: str, attributes: Attributes) -> None:
        """Count an element, or attributes of it, that are not kept."""
        if name not in _READ or name in _TEXTS:
            self._omitted[f"<{name}>"] += 1
            self._is_counted = True
        elif name not in ("q", "pair"):
            self._omit_attributes(name, attributes, _READ[name])

    def _omit_attributes(self, name: str, attributes: Attributes, read: frozenset[str]) -> None:
        for attribute in attributes:
            if attribute not in read:
                self._omitted[f"attribute {attribute} of <{name}>"] += 1

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self._is_counted = False
        if self._depth:
            self._depth -= 1
        elif self._column:
            self._close("".join(self._pieces))
        super().end(tag)

    def _close(self, text: str) -> None:
        if self._column == "document":
            self._document = text, self._document[1]
        else:
            self._texts[self._column][self._position(self._column)] = text
        self._column = ""

    def text(self, piece: str) -> None:
        """Handle a piece of text."""
        if self._column:
            self._pieces.append(piece)
        elif not self._is_counted and not piece.isspace():
            self._omitted["text outside the elements of texts"] += 1
            self._is_counted = True

    def comment(self, _text: str) -> None:
        """Count a comment."""
        self._omitted["comment"] += 1

    def pi(self, _target: str, _data: str | None = None) -> None:
        """Count a processing instruction."""
        self._omitted["processing instruction"] += 1
