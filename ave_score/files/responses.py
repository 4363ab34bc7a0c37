"""Responses to open questions: tables with a header, or JSON Lines.

`q_id answer` are required; `run` and `nuggets` are optional. A file can hold many runs; the order
of runs and rows is kept. The answer NIL means that there is no answer.
"""

from __future__ import annotations

import re
from itertools import chain

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import HINTS, Findings
from ave_score.core.model import Collection
from ave_score.core.open_questions import (
    OpenGold,
    OpenQuestion,
    QuestionType,
    Response,
    ResponseRun,
)
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.contents import Checking, Contents, different
from ave_score.files.layout import Layout
from ave_score.files.source import Source
from ave_score.files.table import Table
from ave_score.files.table_row import TableRow
from ave_score.rules import Rule

LAYOUT = Layout(
    "a table of responses",
    needed=("q_id", "answer"),
    optional=("run", "nuggets"),
    otherwise={"q_id": "id", "answer": "value"},
    elsewhere={
        "judgement": " (a judged file? --kind judged checks it as that)",
        "question": " (a questions table? --kind questions checks it as that)",
    },
)


def read_responses(
    source: Source, findings: Findings, name: str
) -> tuple[list[ResponseRun], Table]:
    """Return the runs of a table, and the table; `name` is used if there is no column `run`."""
    runs: dict[str, ResponseRun] = {}
    table = Table(source, findings, LAYOUT)
    lines: dict[bool, int] = {}  # with a run, without one -> the first line
    for row in table.rows():
        response = _response(row)
        lines.setdefault("run" in row.value, row.number)
        if response is not None:
            run_name = row.value.get("run", name)
            run = runs.setdefault(run_name, ResponseRun(run_name, source.path, {}))
            if response.q_id in run.responses:
                run.responses[response.q_id].append(response)
            else:  # an empty list would take place for four
                run.responses[response.q_id] = [response]
    if len(lines) > 1:  # of JSON Lines: an empty cell of a table, whose rows have all columns
        findings.add(rules.FIELD_EMPTY, lines[False], field=table.own_name("run"))
    if not runs and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="responses in it")
    return list(runs.values()), table


def _response(row: TableRow) -> Response | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    needed = [name for name in ("q_id", "run", "answer") if name in value]
    sound = all([*map(row.filled, needed), row.has_usable_id("q_id")])
    nuggets = filter(None, re.split(r"[,\s]+", value.get("nuggets", "")))
    if not sound:
        return None
    return Response(row.number, value["q_id"], value["answer"], tuple(dict.fromkeys(nuggets)))


_COLUMN: dict[Rule, str] = {
    rules.UNKNOWN_QUESTION: "q_id",
    rules.NUGGET_UNKNOWN: "nuggets",
    rules.NUGGETS_MISPLACED: "nuggets",
    rules.FACTOID_ANSWERED_TWICE: "q_id",
    rules.NIL_BESIDE_ANSWERS: "answer",
}
"""The column that a finding about a row refers to."""


@for_one_file
def check_responses(
    source: Source, gold: OpenGold | None, name: str | None = None
) -> tuple[list[ResponseRun] | None, list[Findings]]:
    """Read a table of responses; return its runs, with the findings.

    The runs are None if a finding prevents scoring. `name` is used if there is no column `run`; the
    default is the file name without suffixes. Without `gold`, checks that need it are skipped.
    """
    findings = Findings(source.path)
    runs, table = read_responses(source, findings, name or source.name)
    unread = findings.errors
    for run in runs:
        _check_alone(run, findings)
    if gold is None:
        findings.skip("questions, their types and nuggets: no answer sets were given")
    else:
        for run in runs:
            _check_against(run, gold, findings)
            if not unread:
                _report_missing(run, gold, findings)
        if unread and runs:
            findings.skip("questions without a response (AVE811): some rows could not be read")
    table.locate(_COLUMN)
    return (None if findings.errors else runs), [findings]


def _check_alone(run: ResponseRun, findings: Findings) -> None:
    """Report contradictions within a run."""
    for q_id, responses in run.responses.items():
        nil = next((response for response in responses if response.is_nil), None)
        if nil is not None and len(responses) > 1:
            other = next(response.line for response in responses if response is not nil)
            facts = {"q_id": q_id, "run": run.name, "other": other}
            findings.add(rules.NIL_BESIDE_ANSWERS, nil.line, **facts)
        for response in responses:
            if response.is_nil and response.nuggets:
                findings.add(
                    rules.NUGGETS_MISPLACED, response.line, found="NIL, which holds nothing"
                )


def _check_against(run: ResponseRun, gold: OpenGold, findings: Findings) -> None:
    """Report responses that contradict the answer sets."""
    for q_id, responses in run.responses.items():
        question = gold.questions.get(q_id)
        if question is None:
            _report_unknown(responses, gold, findings)
            continue
        first, *others = responses
        says_nil = any(response.is_nil for response in responses)
        for other in others if question.type is QuestionType.FACTOID and not says_nil else ():
            facts = {"q_id": q_id, "run": run.name, "first": first.line}
            findings.add(rules.FACTOID_ANSWERED_TWICE, other.line, **facts)
        for response in responses:
            if response.nuggets and not response.is_nil:
                _check_nuggets(response, question, findings)


def _report_unknown(responses: list[Response], gold: OpenGold, findings: Findings) -> None:
    for response in responses:
        hint = ""
        if findings.counts[rules.UNKNOWN_QUESTION] < HINTS:
            hint = did_you_mean(nearest(response.q_id, gold.questions))
        findings.add(rules.UNKNOWN_QUESTION, response.line, q_id=response.q_id, hint=hint)


def _check_nuggets(response: Response, question: OpenQuestion, findings: Findings) -> None:
    """Report nuggets that the question does not have, or cannot have."""
    if question.type is not QuestionType.DEFINITION:
        what = f"question '{question.q_id}', which is of type {question.type}"
        findings.add(rules.NUGGETS_MISPLACED, response.line, found=what)
        return
    known = {nugget.id for nugget in question.nuggets}
    for nugget in response.nuggets:
        if nugget not in known:
            facts = {"q_id": question.q_id, "nugget": nugget}
            findings.add(rules.NUGGET_UNKNOWN, response.line, **facts)


def _report_missing(run: ResponseRun, gold: OpenGold, findings: Findings) -> None:
    """Report the questions without a response, unless the run is about other questions."""
    if gold.questions.keys().isdisjoint(run.responses):
        return
    for q_id in gold.questions:
        if q_id not in run.responses:
            findings.add(rules.NOT_RESPONDED, run=run.name, q_id=q_id)


def examine(source: Source, gold: Collection | OpenGold | None, *_: object) -> Checking:
    """Check a table of responses, optionally against answer sets."""
    about = gold if isinstance(gold, OpenGold) else None
    return check_responses(source, about)


def contents(runs: list[ResponseRun]) -> Contents:
    """Describe responses in numbers."""
    return {
        "runs": len(runs),
        "questions": different(chain.from_iterable(run.responses for run in runs)),
        "responses": sum(len(responses) for run in runs for responses in run.responses.values()),
    }
