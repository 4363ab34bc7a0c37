"""From the start and end of XML elements to a roster of answers and their labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple, NoReturn, Protocol

from ave_score import rules
from ave_score.labels import label_facts
from ave_score.model import LABELS, Label, Roster
from ave_score.rules import Rule
from ave_score.text import has_blank_or_invisible

MAX_DEPTH = 256
"""Deepest nesting that is read; a collection has 4 levels."""

MAX_TOKEN = 10_000_000
"""Bytes of the longest tag or comment that is read, as by lxml; time grows with its square."""

EXPECTED = "an AVE 2007/2008 collection (XML)"

_plain_id = re.compile(r"[!\"$-~][!-~]*").fullmatch
"""Matches printable ASCII that does not begin with #: nearly every id there is."""


_TEXTS = frozenset(["q_str", "a_str", "t_str"])


def _local_name(tag: str) -> str:
    """Return the tag without its namespace, which stands before `}` in lxml, `:` in expat."""
    return tag if tag.isalnum() else tag.replace("}", ":").rpartition(":")[2]


class Labels(Enum):
    """What a reader of collections does about labels."""

    IGNORED = "as if there were none"
    OPTIONAL = "read where there are some"
    NEEDED = "an answer without one is a finding"


class Complaint(NamedTuple):
    """What lxml says of a file that it does not take as XML, and where."""

    problem: str
    line: int
    column: int


class StopReadingError(Exception):
    """Raised where reading on is no use; the reason has been reported."""


class Report(Protocol):
    """Takes what is wrong at the present place."""

    def __call__(self, rule: Rule, /, **facts: object) -> None:
        """Note that `rule` is broken."""


class CollectionBuilder:
    """Takes elements as an XML parser meets them.

    Parameters
    ----------
    report
        Called with a rule and its facts when something is wrong.
    wanted
        What to do about labels.
    """

    def __init__(self, report: Report, wanted: Labels = Labels.OPTIONAL) -> None:
        self.report = report
        self._wanted = wanted
        self._starters: dict[str, Callable[[Mapping[str, str]], None]] = {
            "a": self._start_answer,
            "q": self._start_question,
            "pair": self._start_pair,
        }
        self.questions: list[str] = []
        self.labels = bytearray()
        self._starts: list[int] = []
        self._q_ids: list[str] = []
        self._a_ids: list[str] = []
        self._known_questions: set[str] = set()
        self._known_answers: set[str] = set()  # of the open question
        self._open_question: str | None = None
        self._in_answer = False
        self._depth = 0
        self._nested = 0  # questions opened inside the open one

    def roster(self) -> Roster:
        """Return all answers met so far."""
        return Roster(self.questions, [*self._starts, len(self._a_ids)], self._q_ids, self._a_ids)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element; those that hold texts are passed over."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.report(rules.TOO_DEEP, limit=MAX_DEPTH)
            raise StopReadingError
        if tag not in _TEXTS:
            handle = self._starters.get(_local_name(tag))
            if handle is not None:
                handle(attributes)

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        self._depth -= 1
        if tag not in _TEXTS:
            name = _local_name(tag)
            if name == "a":
                self._in_answer = False
            elif name == "q":
                self._end_question()

    def _end_question(self) -> None:
        if self._nested:
            self._nested -= 1
            return
        if self._open_question is not None and self._starts[-1] == len(self._a_ids):
            self.report(rules.QUESTION_WITHOUT_ANSWERS, q_id=self._open_question)
        self._open_question = None

    def _start_question(self, attributes: Mapping[str, str]) -> None:
        if self._open_question is not None:
            self.report(rules.QUESTION_IN_QUESTION)
            self._nested += 1
        q_id = self._id("q", attributes)
        if q_id and q_id in self._known_questions:
            self.report(rules.DUPLICATE_QUESTION, q_id=q_id)
        self._known_questions.add(q_id)
        self._known_answers.clear()
        self._open_question = q_id
        self.questions.append(q_id)
        self._starts.append(len(self._a_ids))

    def _start_answer(self, attributes: Mapping[str, str]) -> None:
        if self._open_question is None or self._in_answer:
            self.report(rules.ANSWER_OUTSIDE_QUESTION)
            return
        self._in_answer = True
        a_id = self._id("a", attributes)
        if a_id and a_id in self._known_answers:
            self.report(rules.DUPLICATE_ANSWER, q_id=self._open_question, a_id=a_id)
        self._known_answers.add(a_id)
        self._q_ids.append(self._open_question)
        self._a_ids.append(a_id)
        self.labels.append(self._label(a_id, attributes.get("value", "")))

    def _label(self, a_id: str, word: str) -> int:
        if self._wanted is Labels.IGNORED:
            return Label.NONE
        if word in LABELS:
            return LABELS[word]
        if word.strip():
            self.report(rules.UNKNOWN_LABEL, **label_facts(word))
        elif self._wanted is Labels.NEEDED:
            self.report(rules.UNLABELLED_ANSWER, q_id=self._open_question, a_id=a_id)
        return Label.NONE

    def _start_pair(self, _attributes: Mapping[str, str]) -> NoReturn:
        found = "a collection of AVE 2006 pairs"
        self.report(rules.OTHER_FORMAT, found=found, expected=EXPECTED, hint="")
        raise StopReadingError

    def _id(self, tag: str, attributes: Mapping[str, str]) -> str:
        found = attributes.get("id", "")
        if not _plain_id(found):
            self._check_id(tag, found, attributes)
        return found

    def _check_id(self, tag: str, found: str, attributes: Mapping[str, str]) -> None:
        if "id" not in attributes:
            self.report(rules.ID_MISSING, tag=tag)
        elif not found or found[0] == "#" or has_blank_or_invisible(found):
            self.report(rules.ID_UNUSABLE, found=found)
