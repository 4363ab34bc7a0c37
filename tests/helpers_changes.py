"""Changes of campaigns that are known to change figures in a certain way, or not at all.

Each takes what draws random numbers and a campaign, and returns another; none calls the package.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from tests.helpers_random import PAIRS, QRELS, Campaign, Row


def shuffled(chance: random.Random, rows: Iterable[Any]) -> list[Any]:
    rows = [*rows]
    return chance.sample(rows, len(rows))


def other_lines(chance: random.Random, campaign: Campaign) -> Campaign:
    runs = {name: shuffled(chance, rows) for name, rows in campaign.runs.items()}
    return campaign._replace(runs=runs, systems=shuffled(chance, campaign.systems))


def other_runs(chance: random.Random, campaign: Campaign) -> Campaign:
    return campaign._replace(runs=dict(shuffled(chance, campaign.runs.items())))


def other_questions(chance: random.Random, campaign: Campaign) -> Campaign:
    return campaign._replace(questions=shuffled(chance, campaign.questions))


def other_candidates(chance: random.Random, campaign: Campaign) -> Campaign:
    questions = [
        question._replace(answers=shuffled(chance, question.answers))
        for question in campaign.questions
    ]
    return other_questions(chance, campaign._replace(questions=questions))


IDS = (
    *("01", "1", "1_1", "NaN", "null", "true", "None", "1e5", "-0", "q_id", "SELECTED", "YES"),
    *("é", "e\u0301", "Ωμέγα", "日本", "ё", "ß", "ss", "İ", "ı", "\U0001f600", "x" * 300),
    *("%PDF-", "Q0", "[", "{", "<a>", "&amp;", "=1+1", "@x", "a,b", "a;b", "'", "''"),
)

LIKE_OTHER_KINDS = ("%PDF-", "Q0", "[", "{", "<a>", "SELECTED", "YES")
"""What qrels cannot have in their first line: they are refused as a file of another kind."""


def renamed(chance: random.Random, campaign: Campaign, *, keeps_order: bool = False) -> Campaign:
    """Give questions and answers other ids, one to one; those of pairs stay the same."""

    def names(old: Iterable[Any]) -> dict[Any, Any]:
        known = sorted({*old} - {None})
        barred = LIKE_OTHER_KINDS if campaign.shape == QRELS else ()
        words = [word for word in IDS if word not in barred]
        new = chance.sample([*words, *(f"{at}!" for at in range(40))], len(known))
        return {None: None, **dict(zip(known, sorted(new) if keeps_order else new, strict=True))}

    rows = [row for run in campaign.runs.values() for row in run]
    of_questions = names(question.q_id for question in campaign.questions)
    of_answers = names(row.get("a_id") for row in [*campaign.gold, *rows])
    if campaign.shape == PAIRS:
        of_answers = of_questions

    def change(row: Row) -> Row:
        new = {"q_id": of_questions[row["q_id"]]}
        return row | new | ({"a_id": of_answers[row["a_id"]]} if "a_id" in row else {})

    changed = campaign.with_rows(change).with_answers(
        lambda answer: answer | {"a_id": of_answers[answer["a_id"]]}
    )
    questions = [
        question._replace(q_id=of_questions[question.q_id]) for question in changed.questions
    ]
    return changed._replace(questions=questions)


def doubled(_: random.Random, campaign: Campaign) -> Campaign:
    """Ask every question twice, with the same answers."""

    def again(row: Row) -> Row:
        twin = {"q_id": f"{row['q_id']}'"}
        return row | twin | ({"a_id": twin["q_id"]} if campaign.shape == PAIRS else {})

    twins = campaign.with_rows(again)
    questions = [
        question._replace(
            q_id=f"{question.q_id}'",
            answers=[again({"q_id": question.q_id, **answer}) for answer in question.answers]
            if campaign.shape == PAIRS
            else question.answers,
        )
        for question in campaign.questions
    ]
    return campaign._replace(
        questions=[*campaign.questions, *questions],
        runs={name: [*rows, *twins.runs[name]] for name, rows in campaign.runs.items()},
        systems=[*campaign.systems, *twins.systems],
    )


def other_labels(_: random.Random, campaign: Campaign) -> Campaign:
    swap = {"VALIDATED": "REJECTED", "REJECTED": "VALIDATED", "UNKNOWN": "UNKNOWN"}
    return campaign.with_answers(lambda answer: answer | {"label": swap[answer["label"]]})


def all_opposite(chance: random.Random, campaign: Campaign) -> Campaign:
    """Swap labels and decisions; confidence c becomes 1 - c."""
    changed = {}
    for name, rows in campaign.runs.items():
        changed[name] = [row | {"confidence": 1 - row["confidence"]} for row in rows]
        selected = set[str]()
        for row in changed[name]:
            if row["verdict"] != "REJECTED":
                row["verdict"] = "REJECTED"
            else:
                row["verdict"] = "VALIDATED" if row["q_id"] in selected else "SELECTED"
                selected.add(row["q_id"])
    return other_labels(chance, campaign)._replace(runs=changed)


def other_confidences(chance: random.Random, campaign: Campaign) -> Campaign:
    """Replace each confidence by another, in the same order."""
    rows = [*campaign.systems, *(row for run in campaign.runs.values() for row in run)]
    known = sorted({row["confidence"] for row in rows if "confidence" in row})
    pool = {chance.uniform(-9, 9) for _ in known} | {0.0, 1e-9, 1e9, *map(float, range(40))}
    new = dict(zip(known, sorted(chance.sample(sorted(pool), len(known))), strict=True))
    return campaign.with_rows(
        lambda row: row | ({"confidence": new[row["confidence"]]} if "confidence" in row else {})
    )


def unknown_written(_: random.Random, campaign: Campaign) -> Campaign:
    """Write what the policy says that UNKNOWN labels are."""
    label = {"ignore": "UNKNOWN", "incorrect": "REJECTED", "correct": "VALIDATED"}
    new = label[campaign.policies.unknown]
    return campaign.with_answers(
        lambda answer: answer | ({"label": new} if answer.get("label") == "UNKNOWN" else {})
    )


def missing_written(_: random.Random, campaign: Campaign) -> Campaign:
    """Write the lines that the policy says stand for answers without one."""
    runs = {}
    for name, rows in campaign.runs.items():
        said = {(row["q_id"], row["a_id"]): row for row in rows}
        least = min(0.0, *(row["confidence"] for row in rows), 0.0)
        sure = 2 * least if least else 0.0
        runs[name] = [
            said.get(
                (question.q_id, answer["a_id"]),
                {
                    "q_id": question.q_id, "a_id": answer["a_id"], "verdict": "REJECTED",
                    "confidence": sure,
                },
            )
            for question in campaign.questions
            for answer in question.answers
        ]  # fmt: skip
    return campaign._replace(runs=runs)
