"""Judged runs against a collection: questions without an answer, and contradicted labels."""

from __future__ import annotations

from ave_score import rules
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.findings import Findings
from ave_score.core.judgements import Answering, Meaning
from ave_score.core.model import Collection, JudgedAnswer, Label, QARun


def compare_with_collection(
    run: QARun, collection: Collection, table: dict[str, Meaning], findings: Findings
) -> None:
    """Report unanswered questions and judgements that contradict the collection.

    `table` has the meaning of each judgement.
    """
    answers: dict[str, list[JudgedAnswer]] = {}
    for answer in run.answers:
        answers.setdefault(answer.q_id, []).append(answer)
    index = collection.index
    labelled = Label.NONE not in collection.labels
    for q_id, answerable in zip(index.questions, collection.answerable, strict=True):
        if q_id not in answers:
            findings.add(MISSING_CHOICES[run.missing].of_row, run=run.name, q_id=q_id)
        for answer in answers.get(q_id, ()) if len(index) else ():
            meaning = table[answer.judgement]
            right = meaning.answering is Answering.CORRECT and answer.answered is not False
            if right and labelled and not answerable and not answer.is_nil:
                findings.add(rules.RIGHT_BUT_UNANSWERABLE, answer.line, run=run.name, q_id=q_id)
            elif answer.a_id:
                _compare_answer(run, answer, meaning.label, collection, findings)


def _compare_answer(
    run: QARun, answer: JudgedAnswer, label: Label, collection: Collection, findings: Findings
) -> None:
    """Report an answer that is not in the collection or has another label there."""
    position = collection.index.position.get((answer.q_id, answer.a_id))
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
