"""From a judged file to QA systems that can be ranked beside the runs of a collection."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score import rules
from ave_score.checks.located import locate_cells
from ave_score.files.judged import read_judged
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.labels import Answering, Meaning, campaign_table
from ave_score.model import Collection, JudgedAnswer, JudgedRun, Label, Pool, Roster
from ave_score.rules import Rule

_COLUMN: dict[Rule, str] = {
    rules.SECOND_ANSWER: "q_id",
    rules.OUTSIDE_COLLECTION: "q_id",
    rules.JUDGED_UNKNOWN_ANSWER: "a_id",
    rules.RIGHT_BUT_UNANSWERABLE: "judgement",
    rules.JUDGEMENT_CONTRADICTED: "judgement",
}
"""The column that a finding about a row points at."""


def check_judged(
    source: Source, collection: Collection | None, campaign: str
) -> tuple[list[JudgedRun] | None, list[Findings]]:
    """Read a judged file; return its runs, cut to the collection's questions, with the findings.

    Each run keeps its first answer to each question; the runs are None where a finding forbids
    scoring. Without a collection, or with one that has no labels, what these would tell is noted as
    not checked. `campaign` is a key of `CAMPAIGNS`.
    """
    findings = Findings(source.path)
    table = campaign_table(campaign)
    judged = read_judged(source, findings, campaign, table)
    outside: set[str] = set()
    cut = [_first_answers(run, collection, findings, outside) for run in judged.runs]
    pool = _pool(cut)
    cut = [run._replace(pool=pool) for run in cut]
    if collection is None:
        findings.skip("questions and answers against a collection: none was given")
    elif not findings.errors:
        for run in cut:
            _compare_with_collection(run, collection, table, findings)
        if Label.NONE in collection.labels:
            findings.skip("judgements against gold labels: score --qa compares them")
    locate_cells(source, findings, judged.columns, _COLUMN)
    return (None if findings.errors else cut), [findings]


def check_judged_gold(
    source: Source, campaign: str
) -> tuple[tuple[Collection, list[JudgedRun]] | None, list[Findings]]:
    """Read a judged file as its own gold standard: its questions, without any answers.

    The questions are those that any system of the file names, in the order of the file. Returns
    them with the systems, or None where a finding forbids scoring.
    """
    unheard = Findings(source.path)  # check_judged hears it all again
    judged = read_judged(source, unheard, campaign, campaign_table(campaign))
    named = dict.fromkeys(answer.q_id for run in judged.runs for answer in run.answers)
    roster = Roster.of({q_id: {} for q_id in named})
    collection = Collection(source.path, source.sha256(), roster, b"")
    systems, found = check_judged(source, collection, campaign)
    return (None if systems is None else (collection, systems)), found


def _pool(runs: Sequence[JudgedRun]) -> Pool:
    """Return how the answers of all systems together were judged."""
    given = [answer for run in runs for answer in run.answers if answer.answered is not False]
    return Pool(
        frozenset((answer.q_id, answer.judgement) for answer in given if not answer.is_nil),
        frozenset((answer.q_id, answer.judgement) for answer in given if answer.is_nil),
    )


def _first_answers(
    run: JudgedRun, collection: Collection | None, findings: Findings, outside: set[str]
) -> JudgedRun:
    """Keep the first answer to each question of the collection, and report the others."""
    first: dict[str, JudgedAnswer] = {}
    for answer in run.answers:
        q_id = answer.q_id
        if collection is not None and q_id not in collection.roster.question_number:
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
    roster = None if collection is None else collection.roster
    return run._replace(answers=list(first.values()), roster=roster)


def _compare_with_collection(
    run: JudgedRun, collection: Collection, table: dict[str, Meaning], findings: Findings
) -> None:
    """Report questions that the run leaves out, and what the collection contradicts."""
    given = {answer.q_id: answer for answer in run.answers}
    roster = collection.roster
    labelled = Label.NONE not in collection.labels
    for q_id, answerable in zip(roster.questions, collection.answerable, strict=True):
        answer = given.get(q_id)
        if answer is None:
            findings.add(rules.QUESTION_UNANSWERED, run=run.name, q_id=q_id)
        if answer is None or not len(roster):
            continue
        meaning = table[answer.judgement]
        right = meaning.answering is Answering.CORRECT and answer.answered is not False
        if right and labelled and not answerable:
            findings.add(rules.RIGHT_BUT_UNANSWERABLE, answer.line, run=run.name, q_id=q_id)
        elif answer.a_id:
            _compare_answer(run, answer, meaning.label, collection, findings)


def _compare_answer(
    run: JudgedRun, answer: JudgedAnswer, label: Label, collection: Collection, findings: Findings
) -> None:
    """Report an answer that the collection does not have, or labels otherwise."""
    position = collection.roster.position.get((answer.q_id, answer.a_id))
    facts = {"run": run.name, "q_id": answer.q_id, "a_id": answer.a_id}
    if position is None:
        findings.add(rules.JUDGED_UNKNOWN_ANSWER, answer.line, **facts)
        return
    gold = Label(collection.labels[position])
    if not {gold, label} & {Label.UNKNOWN, Label.NONE} and gold is not label:
        findings.add(
            rules.JUDGEMENT_CONTRADICTED,
            answer.line,
            **facts,
            found=answer.judgement,
            expected=gold.name,
        )
