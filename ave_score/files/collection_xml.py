"""Collections in XML, in any root element: AVE, pairs of AVE 2006 and SPARTE, QA4MRE.

Each dialect is a class that handles its elements; all fill the columns of one `CollectionReader`.
A file is read as AVE until an element of another dialect occurs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import NoReturn

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.labels import LABELS, OPTION_LABELS, PAIR_LABELS, Labels, grade_of, label_facts
from ave_score.core.model import AnswerIndex, Label
from ave_score.files.whereabouts import Whereabouts
from ave_score.files.xml import Attributes, ElementReader, Ender, Starter, stripped

EXPECTED = "a collection (XML, CSV or JSON Lines)"

MAX_DIGITS = 12
"""Digits of the largest number that an attribute may hold."""

OWN = {"id", "q_id", "value", "entailment"}
"""Attributes of a question or a pair that are its id or its label."""


class CollectionReader(ElementReader):
    """The columns of a collection, filled by the reader of its dialect.

    Attributes
    ----------
    questions, starts, q_ids, a_ids, labels, grades, languages, available
        As in `Collection` and `AnswerIndex`; the keys of `languages` are the languages.
    where
        The open topic and reading test of QA4MRE.
    is_topic_bare
        Whether the last opened topic has no id.
    marks_right_only
        Whether only correct answers are marked, as in QA4MRE.
    """

    def __init__(self, findings: Findings, wanted: Labels, values: Mapping[str, str]) -> None:
        super().__init__(findings)
        self._values = values  # word -> label, as in `Naming`
        self.reads_labels = wanted is not Labels.IGNORED
        self._needs_labels = wanted is Labels.NEEDED
        self.questions: list[str] = []
        self.starts: list[int] = []
        self.q_ids: list[str] = []
        self.a_ids: list[str] = []
        self.labels = bytearray()
        self.grades: dict[int, int] = {}
        self.languages: dict[str, None] = {}
        self.available: int | None = None
        self.attributes: dict[str, dict[str, str]] = {}
        self.where = Whereabouts(self)
        self.is_topic_bare = False
        self.marks_right_only = False
        self.open_question: str | None = None
        self.is_answer_open = False
        self._nested = 0  # questions opened inside the open one
        self._positions = array("Q")  # of the questions: line, column, line, column...
        self._unclear: set[str] = set()  # questions with a label that cannot be read
        self._known_questions: set[str] = set()
        self._known_answers: set[str] = set()  # of the open question
        self.dialect = self.become(_Ave)

    def become(self, dialect: type[_Ave]) -> _Ave:
        """Switch to a dialect; return its reader."""
        self.dialect = dialect(self)
        self.handle(self.dialect.starters, self.dialect.enders)
        return self.dialect

    def index(self) -> AnswerIndex:
        """Return the index; without questions the answers are pairs."""
        starts = [*self.starts, len(self.a_ids)] if self.questions else [0]
        return AnswerIndex(self.questions, starts, self.q_ids, self.a_ids)

    def all_labels(self) -> bytes:
        """Return the label of every answer.

        If only correct answers are marked, and at least one is, unmarked ones are REJECTED.
        """
        if self.marks_right_only and Label.VALIDATED in self.labels:
            return bytes(self.labels.replace(bytes([Label.NONE]), bytes([Label.REJECTED])))
        return bytes(self.labels)

    def finish(self) -> None:
        """Report the QA4MRE questions without a correct answer.

        Files without any marked answer, as participants get them, are skipped.
        """
        labels = self.all_labels() if self.marks_right_only else b""
        if Label.NONE in labels or not labels:
            return
        positions = zip(self._positions[::2], self._positions[1::2], strict=True)
        each = zip(self.questions, positions, self.index().spans, strict=True)
        for q_id, position, span in each:
            of_question = labels[span]
            if of_question and Label.VALIDATED not in of_question and q_id not in self._unclear:
                self.report(rules.NONE_RIGHT, position, q_id=q_id)

    def start_root(self, _name: str, attributes: Attributes) -> None:
        """Read the attributes of the root element."""
        self.take_language(attributes)
        available = attributes.get("available", "")
        if available.isascii() and available.isdigit() and len(available) < MAX_DIGITS:
            self.available = int(available)

    def take_language(self, attributes: Attributes) -> None:
        """Record the language of the root, a question or a pair."""
        language = attributes.get("lang")
        if language:
            self.languages[language.upper()] = None

    def keep_attributes(self, ids: Iterable[str], attributes: Attributes) -> None:
        """Keep the attributes of questions or pairs other than their ids and labels."""
        for name, value in attributes.items():
            if name not in OWN and self.reads_labels:
                self.attributes.setdefault(name, {}).update(dict.fromkeys(ids, value))

    def start_question(self, attributes: Attributes) -> None:
        """Open a question."""
        if self.open_question is not None:
            self.report(rules.QUESTION_IN_QUESTION, tag="q")
            self._nested += 1
        q_id = self.dialect.question_id(attributes)
        if q_id and q_id in self._known_questions:
            self.report(rules.DUPLICATE_QUESTION, q_id=q_id)
        self._known_questions.add(q_id)
        self._known_answers.clear()
        self.open_question = q_id
        self.take_language(attributes)
        self.keep_attributes([q_id], {**self.where.attributes, **attributes})
        self.questions.append(q_id)
        self._positions.extend(self.position())
        self.starts.append(len(self.a_ids))

    def end_question(self) -> None:
        """Close a question; closing a nested question leaves the outer one open."""
        if self._nested:
            self._nested -= 1
            return
        if self.open_question is not None and self.starts[-1] == len(self.a_ids):
            self.report(rules.QUESTION_WITHOUT_ANSWERS, q_id=self.open_question)
        self.open_question = None

    def start_answer(self, a_id: str, label: int) -> None:
        """Open an answer of the open question, or a pair."""
        self.is_answer_open = True
        if a_id and a_id in self._known_answers:
            self.report(rules.DUPLICATE_ANSWER, q_id=self.open_question, a_id=a_id)
        self._known_answers.add(a_id)
        self.q_ids.append(self.open_question or "")
        self.a_ids.append(a_id)
        self.labels.append(label)

    def end_answer(self) -> None:
        """Close an answer."""
        self.is_answer_open = False

    def label(self, a_id: str, word: str, words: Mapping[str, int]) -> int:
        """Return the label of a word; report an unknown one, and a missing one that is needed."""
        if not self.reads_labels:
            return Label.NONE
        if self._values.get(word) in LABELS:
            return LABELS[self._values[word]]
        if word in words:
            return words[word]
        if word.strip():
            self.report(rules.UNKNOWN_LABEL, **label_facts(word, words))
            self._unclear.add(self.open_question or "")
        elif self._needs_labels:
            self.report(rules.UNLABELLED_ANSWER, q_id=self.open_question, a_id=a_id)
        return Label.NONE


class _Ave:
    """AVE 2007 and 2008: `<q id><q_str/><a id value><a_str/><t_str/></a>...</q>`.

    Elements of another dialect switch to its reader. `texts` is the column of each element's text.
    """

    texts: Mapping[str, str] = {"q_str": "questions", "a_str": "answers", "t_str": "supports"}

    def __init__(self, reader: CollectionReader) -> None:
        self.reader = reader
        self.starters: dict[str, Starter] = {
            "q": self.start_question,
            "a": self.start_answer,
            "pair": self.start_pair,
            "topic": self.start_topic,
            "reading-test": self.start_reading_test,
            "output": self.refuse_run,
        }
        self.enders: dict[str, Ender] = {
            "q": reader.end_question,
            "a": reader.end_answer,
        }

    def start_question(self, attributes: Attributes) -> None:
        if "q_id" in attributes:
            self.reader.become(_Qa4mre)
        self.reader.start_question(attributes)

    def question_id(self, attributes: Attributes) -> str:
        return self.reader.checked_id("q", "id", attributes)

    def start_answer(self, attributes: Attributes) -> None:
        reader = self.reader
        if reader.open_question is None or reader.is_answer_open:
            reader.report(rules.ANSWER_OUTSIDE_QUESTION, tag="a", question="q")
            return
        a_id = reader.checked_id("a", "id", attributes)
        if "grade" in attributes and reader.reads_labels:
            grade = grade_of(attributes["grade"])
            if grade is None:
                reader.report(rules.GRADE_UNUSABLE, found=attributes["grade"])
            else:
                reader.grades[len(reader.a_ids)] = grade
        reader.start_answer(a_id, reader.label(a_id, attributes.get("value", ""), LABELS))

    def start_pair(self, attributes: Attributes) -> None:
        if self.reader.questions:
            self.reader.refuse(rules.MIXED_COLLECTION, tag="pair", other="questions")
        self.reader.become(_Pairs).start_pair(attributes)

    def start_topic(self, attributes: Attributes) -> None:
        self.reader.is_topic_bare = "t_id" not in attributes  # perhaps not QA4MRE
        if not self.reader.is_topic_bare:
            self.reader.become(_Qa4mre)
            self.reader.where.start("topic", "t_id", attributes)

    def start_reading_test(self, attributes: Attributes) -> None:
        if self.reader.is_topic_bare:
            self.reader.report(rules.ID_MISSING, tag="topic", attribute="t_id")
        self.reader.become(_Qa4mre)
        self.reader.where.start("reading-test", "r_id", attributes)

    def refuse_run(self, _attributes: Attributes) -> NoReturn:
        facts = {"found": "the answers of a system (QA4MRE)", "expected": EXPECTED}
        self.reader.refuse(rules.OTHER_FORMAT, **facts, hint=rules.SWAPPED)


class _Pairs(_Ave):
    """AVE 2006 and SPARTE: `<pair id value><q/><t/><h/></pair>`; RTE: `entailment` for `value`."""

    texts: Mapping[str, str] = {"q": "questions", "t": "supports", "h": "answers"}

    def __init__(self, reader: CollectionReader) -> None:
        super().__init__(reader)
        del self.starters["topic"], self.starters["reading-test"]
        self.enders = {"pair": reader.end_answer}

    def start_question(self, _attributes: Attributes) -> None:
        if not self.reader.is_answer_open:  # inside a pair, <q> is the text of its question
            self.reader.refuse(rules.MIXED_COLLECTION, tag="q", other="pairs")

    def start_pair(self, attributes: Attributes) -> None:
        reader = self.reader
        if reader.is_answer_open:
            reader.report(rules.QUESTION_IN_QUESTION, tag="pair")
        pair_id = reader.checked_id("pair", "id", attributes)
        reader.take_language(attributes)
        reader.keep_attributes([pair_id], attributes)
        words = [attributes[name] for name in ("value", "entailment") if attributes.get(name)]
        label, *others = (reader.label(pair_id, word, PAIR_LABELS) for word in words or [""])
        if label not in [*others, label][:1]:
            facts = {"one": "attribute entailment", "other": "attribute value"}
            reader.report(rules.LABEL_CONFLICT, **facts, found=words[1], expected=words[0])
        reader.start_answer(pair_id, label)


class _Qa4mre(_Ave):
    """QA4MRE: `<topic t_id><reading-test r_id><q q_id><q_str/><answer a_id correct>...`.

    The id of a question is t_id/r_id/q_id.
    """

    texts: Mapping[str, str] = {"q_str": "questions", "answer": "answers", "doc": "document"}

    def __init__(self, reader: CollectionReader) -> None:
        super().__init__(reader)
        reader.marks_right_only = True
        self.starters["answer"] = self.start_option
        self.enders["answer"] = reader.end_answer
        self.enders |= reader.where.enders

    def question_id(self, attributes: Attributes) -> str:
        name = "id" if "id" in attributes and "q_id" not in attributes else "q_id"
        own_id = self.reader.checked_id("q", name, stripped(attributes))
        return self.reader.where.question_id(own_id)

    def start_option(self, attributes: Attributes) -> None:
        """Open a candidate answer; the correct one is marked."""
        reader = self.reader
        if reader.open_question is None or reader.is_answer_open:
            reader.report(rules.ANSWER_OUTSIDE_QUESTION, tag="answer", question="q")
            return
        values = stripped(attributes)
        a_id = reader.checked_id("answer", "a_id", values)
        word = values.get("correct", "")
        if word.upper() in OPTION_LABELS:
            word = word.upper()
        label = reader.label(a_id, word, OPTION_LABELS)
        reader.start_answer(a_id, label)
        if label == Label.VALIDATED and reader.labels.count(label, reader.starts[-1]) == 2:
            reader.report(rules.SEVERAL_RIGHT, q_id=reader.open_question)
