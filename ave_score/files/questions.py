"""Questions tables: tab-separated, with a header that names the columns.

`q_id question` are needed; `lang`, `topic` and `hypothesis` may be there. The order is kept.
"""

from __future__ import annotations

from typing import NamedTuple

from ave_score import rules
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.source import Source
from ave_score.files.table import Layout, Row, Table
from ave_score.findings import Findings

SLOT = "{answer}"
"""Where in a hypothesis an answer is put."""

_NEEDED: tuple[str, ...] = ("q_id", "question")
_OPTIONAL = ("lang", "topic", "hypothesis")
_ELSEWHERE = dict.fromkeys(["run", "judgement"], " (a judged file? build takes one as JUDGED)")


class Question(NamedTuple):
    """A question; questions of one topic follow from each other.

    `hypothesis` is the question as a statement, in which an answer takes the place of `SLOT`.
    """

    q_id: str
    text: str = ""
    lang: str = ""
    topic: str = ""
    hypothesis: str = ""
    line: int = 0


def check_questions(
    source: Source, *, needs_hypotheses: bool = False
) -> tuple[dict[str, Question] | None, list[Findings]]:
    """Read q_id -> question, in the order of the file; None, with findings, where a row is wrong.

    `needs_hypotheses` is whether every question must have one.
    """
    findings = Findings(source.path)
    needed = (*_NEEDED, "hypothesis") if needs_hypotheses else _NEEDED
    optional = tuple(name for name in _OPTIONAL if name not in needed)
    layout = Layout("a questions table (tab-separated)", needed, optional, _ELSEWHERE)
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


def _question(row: Row, needed: tuple[str, ...]) -> Question | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    if not all([*map(row.filled, needed), _is_pattern(row), row.has_usable_id("q_id")]):
        return None
    lang, topic, hypothesis = (value.get(name, "") for name in _OPTIONAL)
    return Question(value["q_id"], value["question"], lang, topic, hypothesis, row.number)


def _is_pattern(row: Row) -> bool:
    """Tell whether the hypothesis has the slot and no other brace; none at all is well, too."""
    pattern = row.value.get("hypothesis", "")
    problem = ""
    if pattern and SLOT not in pattern:
        problem = f"has no {SLOT}"
    elif any(brace in pattern.replace(SLOT, "") for brace in "{}"):
        problem = f"has a brace that belongs to no {SLOT}"
    if problem:
        row.add("hypothesis", rules.HYPOTHESIS_SLOT, problem=problem)
    return not problem


def examine(source: Source, _: object, __: str) -> Examined:
    """Check a table of questions."""
    return examined(check_questions(source), _contents)


def _contents(questions: dict[str, Question]) -> Contents:
    topics = {one.topic for one in questions.values() if one.topic}
    patterns = sum(bool(one.hypothesis) for one in questions.values())
    return {"questions": len(questions), "topics": len(topics), "patterns": patterns}
