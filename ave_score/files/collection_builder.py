"""From the start and end of XML elements to a roster of answers and their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import NoReturn

from ave_score import rules
from ave_score.files.elements import (
    MAX_DEPTH,
    Report,
    StopReadingError,
    Whereabouts,
    checked_id,
    local_name,
    stripped,
)
from ave_score.model import LABELS, PAIR_LABELS, Label, Roster, label_facts

MAX_DIGITS = 12
"""Digits of the largest number that an attribute may hold."""

GRADE_DIGITS = 2
"""Digits of a grade: gains double with every step."""

EXPECTED = "a collection (XML)"

_OPTION_LABELS = {"YES": Label.VALIDATED.value, "NO": Label.REJECTED.value}

_TEXTS = frozenset(["q_str", "a_str", "t_str"])


class Labels(Enum):
    """What a reader of collections does about labels."""

    IGNORED = "as if there were none"
    OPTIONAL = "read where there are some"
    NEEDED = "an answer without one is a finding"


class CollectionBuilder:
    """Takes elements as an XML parser meets them.

    Parameters
    ----------
    report
        Called with a rule and its facts when something is wrong.
    wanted
        What to do about labels.
    place
        Returns line and column of the element that is taken.
    """

    def __init__(
        self,
        report: Report,
        wanted: Labels = Labels.OPTIONAL,
        place: Callable[[], tuple[int, int]] = lambda: (0, 0),
    ) -> None:
        self.report = report
        self._place = place
        self._wanted = wanted
        self._where = Whereabouts(report)
        self._starters: dict[str, Callable[[Mapping[str, str]], None]] = {
            "a": self._start_answer,
            "q": self._start_question,
            "pair": self._start_pair,
            "topic": self._start_topic,
            "reading-test": self._start_reading_test,
            "answer": self._start_option,
            "output": self._refuse_run,
        }
        self._enders: dict[str, Callable[[], None]] = {
            "a": self._end_answer,
            "q": self._end_question,
            "pair": self._end_pair,
            "answer": self._end_answer,
            "topic": self._where.end_topic,
            "reading-test": self._where.end_reading_test,
        }
        self.questions: list[str] = []
        self.labels = bytearray()
        self._places: list[tuple[int, int]] = []  # of the questions
        self._unclear: set[str] = set()  # questions with a label that cannot be read
        self._starts: list[int] = []
        self._q_ids: list[str] = []
        self._a_ids: list[str] = []
        self._known_questions: set[str] = set()
        self._known_answers: set[str] = set()  # of the open question
        self._open_question: str | None = None
        self._in_answer = self._in_pair = self._has_pairs = False
        self._depth = 0
        self._nested = 0  # questions opened inside the open one
        self._bare_topic = False
        self._has_options = False  # the answers of QA4MRE, of which the right ones are marked
        self.grades: dict[int, int] = {}  # of answers, by their positions
        self._languages: dict[str, None] = {}
        self.available: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there was neither a question nor a pair."""
        return not self.questions and not self._has_pairs

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that questions or the root element name, in order of appearance."""
        return tuple(self._languages)

    def roster(self) -> Roster:
        """Return all answers met so far."""
        if self._has_pairs:
            return Roster([], [0], self._q_ids, self._a_ids)
        return Roster(self.questions, [*self._starts, len(self._a_ids)], self._q_ids, self._a_ids)

    def all_labels(self) -> bytes:
        """Return the label of every answer met so far.

        QA4MRE marks the right answers; where it marked any, the others are wrong.
        """
        if self._has_options and Label.VALIDATED in self.labels:
            return bytes(self.labels.replace(bytes([Label.NONE]), bytes([Label.REJECTED])))
        return bytes(self.labels)

    def none_right(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the questions of QA4MRE of which no answer is right, and where they stand.

        Nothing can be said of a file in which no answer is marked, as participants get it.
        """
        labels = self.all_labels() if self._has_options else b""
        if Label.NONE in labels or not labels:
            return
        spans = self.roster().spans
        for q_id, place, span in zip(self.questions, self._places, spans, strict=True):
            of_question = labels[span]
            if of_question and Label.VALIDATED not in of_question and q_id not in self._unclear:
                yield q_id, place

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element; those that hold texts are passed over."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.report(rules.TOO_DEEP, limit=MAX_DEPTH)
            raise StopReadingError
        if tag not in _TEXTS:
            handle = self._starters.get(local_name(tag))
            if handle is not None:
                handle(attributes)
            elif self._depth == 1:
                self._start_root(attributes)

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        self._depth -= 1
        if tag not in _TEXTS:
            handle = self._enders.get(local_name(tag))
            if handle is not None:
                handle()

    def _start_root(self, attributes: Mapping[str, str]) -> None:
        """Note what a file says of itself."""
        self._speaks(attributes)
        available = attributes.get("available", "")
        if available.isascii() and available.isdigit() and len(available) < MAX_DIGITS:
            self.available = int(available)

    def _speaks(self, attributes: Mapping[str, str]) -> None:
        language = attributes.get("lang")
        if language:
            self._languages[language.upper()] = None

    def _end_answer(self) -> None:
        self._in_answer = False

    def _end_question(self) -> None:
        if self._in_pair:
            return
        if self._nested:
            self._nested -= 1
            return
        if self._open_question is not None and self._starts[-1] == len(self._a_ids):
            self.report(rules.QUESTION_WITHOUT_ANSWERS, q_id=self._open_question)
        self._open_question = None

    def _start_question(self, attributes: Mapping[str, str]) -> None:
        if self._in_pair:
            return  # the text of the question, which a pair repeats
        if self._has_pairs:
            self._refuse_mixture("q")
        if self._open_question is not None:
            self.report(rules.QUESTION_IN_QUESTION, tag="q")
            self._nested += 1
        q_id = self._question_id(attributes)
        if q_id and q_id in self._known_questions:
            self.report(rules.DUPLICATE_QUESTION, q_id=q_id)
        self._known_questions.add(q_id)
        self._known_answers.clear()
        self._open_question = q_id
        self._speaks(attributes)
        self.questions.append(q_id)
        self._places.append(self._place())
        self._starts.append(len(self._a_ids))

    def _question_id(self, attributes: Mapping[str, str]) -> str:
        """Return what identifies a question, at QA4MRE together with topic and reading test."""
        if not self._has_options and "q_id" not in attributes:
            return checked_id(self.report, "q", "id", attributes)
        self._has_options = True
        name = "id" if "id" in attributes and "q_id" not in attributes else "q_id"
        return self._where.question_id(checked_id(self.report, "q", name, stripped(attributes)))

    def _start_answer(self, attributes: Mapping[str, str]) -> None:
        if self._open_question is None or self._in_answer:
            self.report(rules.ANSWER_OUTSIDE_QUESTION, tag="a", question="q")
            return
        a_id = checked_id(self.report, "a", "id", attributes)
        if "grade" in attributes and self._wanted is not Labels.IGNORED:
            self._take_grade(attributes["grade"])
        self._take_answer(a_id, self._label(a_id, attributes.get("value", ""), LABELS))

    def _take_grade(self, word: str) -> None:
        """Note how good the answer is that comes next."""
        if word.isascii() and word.isdigit() and len(word) <= GRADE_DIGITS:
            self.grades[len(self._a_ids)] = int(word)
        else:
            self.report(rules.GRADE_UNUSABLE, found=word)

    def _take_answer(self, a_id: str, label: int) -> None:
        self._in_answer = True
        if a_id and a_id in self._known_answers:
            self.report(rules.DUPLICATE_ANSWER, q_id=self._open_question, a_id=a_id)
        self._known_answers.add(a_id)
        self._q_ids.append(self._open_question or "")
        self._a_ids.append(a_id)
        self.labels.append(label)

    def _label(self, a_id: str, word: str, words: Mapping[str, int]) -> int:
        if self._wanted is Labels.IGNORED:
            return Label.NONE
        if word in words:
            return words[word]
        if word.strip():
            self.report(rules.UNKNOWN_LABEL, **label_facts(word, words))
            self._unclear.add(self._open_question or "")
        elif self._wanted is Labels.NEEDED:
            self.report(rules.UNLABELLED_ANSWER, q_id=self._open_question, a_id=a_id)
        return Label.NONE

    # text-hypothesis pairs: AVE 2006, SPARTE

    def _start_pair(self, attributes: Mapping[str, str]) -> None:
        if self.questions:
            self._refuse_mixture("pair")
        if self._in_pair:
            self.report(rules.QUESTION_IN_QUESTION, tag="pair")
        self._in_pair = self._has_pairs = True
        pair_id = checked_id(self.report, "pair", "id", attributes)
        self._speaks(attributes)
        self._take_answer(pair_id, self._label(pair_id, attributes.get("value", ""), PAIR_LABELS))
        self._in_answer = False

    def _end_pair(self) -> None:
        self._in_pair = False

    def _refuse_mixture(self, tag: str) -> NoReturn:
        self.report(rules.MIXED_COLLECTION, tag=tag, other="pairs" if tag == "q" else "questions")
        raise StopReadingError

    # QA4MRE

    def _start_topic(self, attributes: Mapping[str, str]) -> None:
        self._bare_topic = "t_id" not in attributes  # perhaps some other file's
        if not self._bare_topic:
            self._has_options = True
            self._where.start_topic(attributes)

    def _start_reading_test(self, attributes: Mapping[str, str]) -> None:
        if self._bare_topic:
            self.report(rules.ID_MISSING, tag="topic", attribute="t_id")
        self._has_options = True
        self._where.start_reading_test(attributes)

    def _start_option(self, attributes: Mapping[str, str]) -> None:
        """Take one of the answers that QA4MRE offers; the right one is marked."""
        if not self._has_options:
            return  # some other file's
        if self._open_question is None or self._in_answer:
            self.report(rules.ANSWER_OUTSIDE_QUESTION, tag="answer", question="q")
            return
        found = stripped(attributes)
        a_id = checked_id(self.report, "answer", "a_id", found)
        word = found.get("correct", "")
        if word.upper() in _OPTION_LABELS:
            word = word.upper()
        label = self._label(a_id, word, _OPTION_LABELS)
        self._take_answer(a_id, label)
        if label == Label.VALIDATED and self.labels.count(label, self._starts[-1]) == 2:
            self.report(rules.SEVERAL_RIGHT, q_id=self._open_question)

    def _refuse_run(self, _attributes: Mapping[str, str]) -> NoReturn:
        facts = {"found": "the answers of a system (QA4MRE)", "expected": EXPECTED}
        self.report(rules.OTHER_FORMAT, **facts, hint=rules.SWAPPED)
        raise StopReadingError
