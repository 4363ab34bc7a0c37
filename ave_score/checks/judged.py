"""From a judged file to QA systems that can be ranked beside the runs of a collection."""

from __future__ import annotations

from ave_score import rules
from ave_score.findings import Findings
from ave_score.formats.judged import read_judged
from ave_score.formats.source import Source
from ave_score.labels import Answering, campaign_table
from ave_score.model import Collection, JudgedAnswer, JudgedRun


def check_judged(
    source: Source, collection: Collection, campaign: str
) -> tuple[list[JudgedRun] | None, list[Findings]]:
    """Read a judged file; return its runs, cut to the collection's questions, with the findings.

    Each run keeps its first answer to each question; the runs are None where a finding forbids
    scoring. `campaign` is a key of `CAMPAIGNS`.
    """
    findings = Findings(source.path)
    table = campaign_table(campaign)
    runs = read_judged(source, findings, campaign, table)
    outside: set[str] = set()
    cut = [_first_answers(run, collection, findings, outside) for run in runs]
    correct = {letter for letter, to in table.items() if to.answering is Answering.CORRECT}
    for run in cut if not findings.errors else []:
        _compare_with_gold(run, collection, correct, findings)
    return (None if findings.errors else cut), [findings]


def _first_answers(
    run: JudgedRun, collection: Collection, findings: Findings, outside: set[str]
) -> JudgedRun:
    """Keep the first answer to each question of the collection, and report the others."""
    first: dict[str, JudgedAnswer] = {}
    for answer in run.answers:
        q_id = answer.q_id
        if q_id not in collection.roster.question_number:
            if q_id not in outside:
                outside.add(q_id)
                findings.add(rules.OUTSIDE_COLLECTION, answer.line, q_id=q_id)
        elif q_id in first:
            findings.add(
                rules.SECOND_ANSWER,
                answer.line,
                run=run.name,
                q_id=q_id,
                first=first[q_id].line,
            )
        else:
            first[q_id] = answer
    return JudgedRun(run.name, run.path, list(first.values()), run.group)


def _compare_with_gold(
    run: JudgedRun, collection: Collection, correct: set[str], findings: Findings
) -> None:
    """Report questions that the run leaves out, and right answers that the collection lacks."""
    given = {answer.q_id: answer for answer in run.answers}
    roster = collection.roster
    for q_id, answerable in zip(roster.questions, collection.answerable, strict=True):
        answer = given.get(q_id)
        if answer is None:
            findings.add(rules.QUESTION_UNANSWERED, run=run.name, q_id=q_id)
        elif not answerable and answer.judgement in correct and answer.answered is not False:
            findings.add(rules.RIGHT_BUT_UNANSWERABLE, answer.line, run=run.name, q_id=q_id)
