"""Questions: tables with a header, or JSON Lines.

`q_id question` are required; `lang`, `topic` and `hypothesis` are optional. The order is kept.
"""

from __future__ import annotations

from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.files.contents import Checking, Contents
from ave_score.files.layout import Layout
from ave_score.files.source import Source
from ave_score.files.table import Table
from ave_score.files.table_row import TableRow

SLOT = "{answer}"
"""The placeholder for the answer in a hypothesis."""

_NEEDED: tuple[str, ...] = ("q_id", "question")
_OPTIONAL = ("lang", "topic", "hypothesis")
_ELSEWHERE = dict.fromkeys(["run", "judgement"], " (a judged file? build takes one as JUDGED)")


class Question(NamedTuple):
    """A question; questions of a topic build on each other.

    `hypothesis` is the question as a statement, in which an answer replaces `SLOT`.
    """

    q_id: str
    text: str = ""
    lang: str = ""
    topic: str = ""
    hypothesis: str = ""
    line: int = 0


@for_one_file
def check_questions(
    source: Source, *, needs_hypotheses: bool = False
) -> tuple[dict[str, Question] | None, list[Findings]]:
    """Read q_id -> question, in file order; None, with findings, if a row is invalid.

    `needs_hypotheses` tells whether every question must have a hypothesis.
    """
    findings = Findings(source.path)
    needed = (*_NEEDED, "hypothesis") if needs_hypotheses else _NEEDED
    optional = tuple(name for name in _OPTIONAL if name not in needed)
    layout = Layout("a questions table", needed, optional, _ELSEWHERE)
    questions: dict[str, Question] = {}
    for row in Table(source, findings, layout).rows():
        question = _question(row, needed)
        if question is None:
            continue
        first = questions.setdefault(question.q_id, question)
        if first is not question:
            row.add("q_id", rules.QUESTION_REPEATED, q_id=question.q_id, first=first.line)
    if not questions and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    return (None if findings.errors else questions), [findings]


def _question(row: TableRow, needed: tuple[str, ...]) -> Question | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    if not all([*map(row.filled, needed), _is_pattern(row), row.has_usable_id("q_id")]):
        return None
    lang, topic, hypothesis = (value.get(name, "") for name in _OPTIONAL)
    return Question(value["q_id"], value["question"], lang, topic, hypothesis, row.number)


def _is_pattern(row: TableRow) -> bool:
    """Tell whether the hypothesis is empty, or has the slot and no other brace."""
    pattern = row.value.get("hypothesis", "")
    problem = ""
    if pattern and SLOT not in pattern:
        problem = f"has no {SLOT}"
    elif any(brace in pattern.replace(SLOT, "") for brace in "{}"):
        problem = f"has a brace that belongs to no {SLOT}"
    if problem:
        row.add("hypothesis", rules.HYPOTHESIS_SLOT, problem=problem)
    return not problem


def examine(source: Source, _: object, *__: object) -> Checking:
    """Check a table of questions."""
    return check_questions(source)


def contents(questions: dict[str, Question]) -> Contents:
    """Describe questions in numbers."""
    topics = {question.topic for question in questions.values() if question.topic}
    patterns = sum(bool(question.hypothesis) for question in questions.values())
    return {"questions": len(questions), "topics": len(topics), "patterns": patterns}
