"""From a table of responses to runs that can be scored by answer sets and nuggets."""

from __future__ import annotations

from ave_score import rules
from ave_score.checks.located import locate_cells
from ave_score.files.responses import read_responses
from ave_score.files.source import Source
from ave_score.findings import HINTS, Findings
from ave_score.open_questions import (
    OpenGold,
    OpenQuestion,
    QuestionType,
    Response,
    ResponseRun,
)
from ave_score.rules import Rule
from ave_score.text import did_you_mean, nearest

_COLUMN: dict[Rule, str] = {
    rules.UNKNOWN_QUESTION: "q_id",
    rules.NUGGET_UNKNOWN: "nuggets",
    rules.NUGGETS_MISPLACED: "nuggets",
    rules.FACTOID_ANSWERED_TWICE: "q_id",
    rules.NIL_BESIDE_ANSWERS: "answer",
}
"""The column that a finding about a row points at."""


def check_responses(
    source: Source, gold: OpenGold | None, name: str | None = None
) -> tuple[list[ResponseRun] | None, list[Findings]]:
    """Read a table of responses; return its runs, with the findings.

    The runs are None where a finding forbids scoring. `name` is that of a run which no column
    names, its file name without suffixes where not given. Without `gold` only what can be known
    without it is checked.
    """
    findings = Findings(source.path)
    runs, columns = read_responses(source, findings, name or source.name)
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
    locate_cells(source, findings, columns, _COLUMN)
    return (None if findings.errors else runs), [findings]


def _check_alone(run: ResponseRun, findings: Findings) -> None:
    """Report what contradicts itself."""
    for q_id, responses in run.responses.items():
        nil = next((one for one in responses if one.is_nil), None)
        if nil is not None and len(responses) > 1:
            other = next(one.line for one in responses if one is not nil)
            facts = {"q_id": q_id, "run": run.name, "other": other}
            findings.add(rules.NIL_BESIDE_ANSWERS, nil.line, **facts)
        for one in responses:
            if one.is_nil and one.nuggets:
                findings.add(rules.NUGGETS_MISPLACED, one.line, found="NIL, which holds nothing")


def _check_against(run: ResponseRun, gold: OpenGold, findings: Findings) -> None:
    """Report what the questions do not ask for."""
    for q_id, responses in run.responses.items():
        question = gold.questions.get(q_id)
        if question is None:
            _report_unknown(responses, gold, findings)
            continue
        first, *others = responses
        if question.type is QuestionType.FACTOID and not any(one.is_nil for one in responses):
            for one in others:
                facts = {"q_id": q_id, "run": run.name, "first": first.line}
                findings.add(rules.FACTOID_ANSWERED_TWICE, one.line, **facts)
        for one in responses:
            if one.nuggets and not one.is_nil:
                _check_nuggets(one, question, findings)


def _report_unknown(responses: list[Response], gold: OpenGold, findings: Findings) -> None:
    for one in responses:
        hint = ""
        if findings.counts[rules.UNKNOWN_QUESTION] < HINTS:
            hint = did_you_mean(nearest(one.q_id, gold.questions))
        findings.add(rules.UNKNOWN_QUESTION, one.line, q_id=one.q_id, hint=hint)


def _check_nuggets(response: Response, question: OpenQuestion, findings: Findings) -> None:
    """Report nuggets that the question does not have."""
    if question.type is not QuestionType.DEFINITION:
        found = f"question '{question.q_id}', which is of type {question.type}"
        findings.add(rules.NUGGETS_MISPLACED, response.line, found=found)
        return
    known = {nugget.id for nugget in question.nuggets}
    for nugget in response.nuggets:
        if nugget not in known:
            facts = {"q_id": question.q_id, "nugget": nugget}
            findings.add(rules.NUGGET_UNKNOWN, response.line, **facts)


def _report_missing(run: ResponseRun, gold: OpenGold, findings: Findings) -> None:
    """Report the questions that a run about these questions does not mention."""
    if gold.questions.keys().isdisjoint(run.responses):
        return
    for q_id in gold.questions:
        if q_id not in run.responses:
            findings.add(rules.NOT_RESPONDED, run=run.name, q_id=q_id)
