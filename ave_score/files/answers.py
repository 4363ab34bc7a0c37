"""Runs of QA4MRE and ResPubliQA: what a system answered to each question, in XML.

`<output run_id><topic t_id><reading-test r_id><question q_id answered="YES"><answer a_id/>
</question>`; topics and reading tests may be absent. A question that is left unanswered may hold
the answer that was withheld.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ave_score import rules
from ave_score.files.collection import Whereabouts
from ave_score.files.source import Source
from ave_score.files.xml import (
    Attributes,
    ElementReader,
    StopReadingError,
    read_xml,
    stripped,
)
from ave_score.findings import Findings

EXPECTED = "the answers of a system (XML)"

_ANSWERED = {"YES": True, "NO": False}


class Given(NamedTuple):
    """What a system gave to one question, and where it says so.

    `a_id` is None where it gave nothing; `answered` is None where what is said of it is unreadable.
    """

    line: int
    column: int
    q_id: str
    a_id: str | None
    answered: bool | None


def read_answers(source: Source, findings: Findings) -> list[Given]:
    """Read every question of a run, in file order, noting what is wrong with each alone."""
    if all(chunk.isspace() for chunk in source.chunks()):
        findings.add(rules.EMPTY_FILE, expected="questions in it")
        return []
    reader = read_xml(source, partial(_AnswersReader, findings), positions=True)
    if reader is None:
        return []
    if not reader.given and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    return reader.given


class _AnswersReader(ElementReader):
    """Takes the elements of a run."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self.given: list[Given] = []
        where = self._where = Whereabouts(self)
        self._open: Given | None = None
        self._answers: list[str] = []  # of the open question
        self.handle(
            {
                "topic": partial(where.start, "topic", "t_id"),
                "reading-test": partial(where.start, "reading-test", "r_id"),
                "question": self._start_question,
                "answer": self._start_answer,
            },
            {
                "topic": partial(where.end, "topic"),
                "reading-test": partial(where.end, "reading-test"),
                "question": self._end_question,
            },
        )

    def start_root(self, name: str, _attributes: Attributes) -> None:
        """Refuse a file of another kind."""
        if name != "output":
            facts = {"found": f"<{name}>", "expected": EXPECTED, "hint": ""}
            self.report(rules.OTHER_FORMAT, **facts)
            raise StopReadingError

    def _end_question(self) -> None:
        if self._open is not None:
            a_id = self._answers[0] if self._answers else None
            self.given.append(self._open._replace(a_id=a_id))
            self._open = None

    def _start_question(self, attributes: Attributes) -> None:
        if self._open is not None:
            self.report(rules.QUESTION_IN_QUESTION, tag="question")
            self._end_question()
        found = stripped(attributes)
        q_id = self._where.question_id(self.checked_id("question", "q_id", found))
        word = found.get("answered", "")
        if word.upper() not in _ANSWERED:
            self.report(rules.ANSWERED_UNKNOWN, found=word)
        self._open = Given(*self.position(), q_id, None, _ANSWERED.get(word.upper()))
        self._answers = []

    def _start_answer(self, attributes: Attributes) -> None:
        if self._open is None:
            self.report(rules.ANSWER_OUTSIDE_QUESTION, tag="answer", question="question")
            return
        self._answers.append(self.checked_id("answer", "a_id", stripped(attributes)))
        if len(self._answers) == 2:
            self.report(rules.TWO_ANSWERS, q_id=self._open.q_id)
