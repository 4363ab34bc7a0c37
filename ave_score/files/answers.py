"""Runs of QA4MRE and ResPubliQA: what a system answered to each question, in XML.

`<output run_id><topic t_id><reading-test r_id><question q_id answered="YES"><answer a_id/>
</question>`; topics and reading tests may be absent. A question that is left unanswered may hold
the answer that was withheld.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

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
from ave_score.files.source import Source
from ave_score.files.xml_careful import Place, read_carefully
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
    builder = read_carefully(source, findings, _Builder)
    if builder is None:
        findings.skip("what stands behind the place where reading ended")
        return []
    if not builder.given and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    return builder.given


class _Builder:
    """Takes the elements of a run."""

    def __init__(self, report: Report, place: Place) -> None:
        self.given: list[Given] = []
        self._report = report
        self._place = place
        self._where = Whereabouts(report)
        self._starters: dict[str, Callable[[Mapping[str, str]], None]] = {
            "topic": self._where.start_topic,
            "reading-test": self._where.start_reading_test,
            "question": self._start_question,
            "answer": self._start_answer,
        }
        self._enders: dict[str, Callable[[], None]] = {
            "topic": self._where.end_topic,
            "reading-test": self._where.end_reading_test,
            "question": self._end_question,
        }
        self._depth = 0
        self._open: Given | None = None
        self._answers: list[str] = []  # of the open question

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._report(rules.TOO_DEEP, limit=MAX_DEPTH)
            raise StopReadingError
        name = local_name(tag)
        if self._depth == 1 and name != "output":
            self._report(rules.OTHER_FORMAT, found=f"<{name}>", expected=EXPECTED, hint="")
            raise StopReadingError
        handle = self._starters.get(name)
        if handle is not None:
            handle(stripped(attributes))

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        self._depth -= 1
        handle = self._enders.get(local_name(tag))
        if handle is not None:
            handle()

    def _end_question(self) -> None:
        if self._open is not None:
            a_id = self._answers[0] if self._answers else None
            self.given.append(self._open._replace(a_id=a_id))
            self._open = None

    def _start_question(self, attributes: Mapping[str, str]) -> None:
        if self._open is not None:
            self._report(rules.QUESTION_IN_QUESTION, tag="question")
            self._end_question()
        q_id = self._where.question_id(checked_id(self._report, "question", "q_id", attributes))
        word = attributes.get("answered", "")
        if word.upper() not in _ANSWERED:
            self._report(rules.ANSWERED_UNKNOWN, found=word)
        self._open = Given(*self._place(), q_id, None, _ANSWERED.get(word.upper()))
        self._answers = []

    def _start_answer(self, attributes: Mapping[str, str]) -> None:
        if self._open is None:
            self._report(rules.ANSWER_OUTSIDE_QUESTION, tag="answer", question="question")
            return
        self._answers.append(checked_id(self._report, "answer", "a_id", attributes))
        if len(self._answers) == 2:
            self._report(rules.TWO_ANSWERS, q_id=self._open.q_id)
