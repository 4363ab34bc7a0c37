"""Random campaigns as values that a test changes: questions, runs, judged systems, policies.

A campaign is made of plain rows, so that each change of it (another order, other ids, every
question twice) is a few lines that do not call the package.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import ave_score
from ave_score import Policies
from tests.helpers_files import Held

Row = dict[str, Any]
"""A row of a table: column -> value."""

ANSWERS, PAIRS, QRELS, OPEN = "answers", "pairs", "qrels", "open"
"""What the questions of a campaign have: candidate answers, nothing (pairs), documents, sets."""

LABELS = ("VALIDATED", "REJECTED", "REJECTED", "UNKNOWN")

CONFIDENCES: dict[str, Callable[[random.Random], float]] = {
    "few": lambda chance: chance.choice([0.0, 0.25, 0.3, 1.0]),
    "dyadic": lambda chance: chance.randint(0, 64) / 64,
    "any": lambda chance: chance.random(),
    "extreme": lambda chance: chance.choice(
        [-1e300, -1.0, 0.0, 5e-324, 1e-300, 0.5, 1 - 2**-53, 1.0, 1 + 2**-52, 1e300]
    ),
}
"""How confidences are drawn: many ties; such that 1 - c is exact; any; the ends of doubles."""


class Question(NamedTuple):
    """A question with its candidates (`a_id`, `label`, `grade`), or with its answer sets."""

    q_id: str
    about: Row
    answers: Sequence[Row]


class Campaign(NamedTuple):
    """Questions, runs by name, judged systems as rows, and how all that is counted."""

    shape: str
    questions: Sequence[Question]
    runs: Mapping[str, Sequence[Row]]
    systems: Sequence[Row]
    policies: Policies

    @property
    def gold(self) -> list[Row]:
        """A row for each answer; one for a question without answers, too."""
        return [
            {"q_id": question.q_id, "a_id": None, "label": None, **question.about, **answer}
            for question in self.questions
            for answer in question.answers or [{}]
        ]

    def with_rows(self, change: Callable[[Row], Row]) -> Campaign:
        """Return the campaign with other rows of its runs and systems."""
        runs = {name: [*map(change, rows)] for name, rows in self.runs.items()}
        return self._replace(runs=runs, systems=[*map(change, self.systems)])

    def with_answers(self, change: Callable[[Row], Row]) -> Campaign:
        """Return the campaign with other candidates."""
        questions = [
            question._replace(answers=[*map(change, question.answers)])
            for question in self.questions
        ]
        return self._replace(questions=questions)

    def part(self, q_ids: Iterable[str]) -> Campaign:
        """Return what is about these questions."""
        kept = {*q_ids}
        return self._replace(
            questions=[question for question in self.questions if question.q_id in kept],
            runs={
                name: [row for row in rows if row["q_id"] in kept]
                for name, rows in self.runs.items()
            },
            systems=[row for row in self.systems if row["q_id"] in kept],
        )


def random_campaign(seed: int, shape: str | None = None, **fixed: str) -> Campaign:
    """Return a small campaign; `fixed` are policies, and `confidences` a key of `CONFIDENCES`."""
    chance = random.Random(seed)
    shape = shape or chance.choice([ANSWERS, ANSWERS, ANSWERS, PAIRS, QRELS, OPEN])
    drawn = {
        "unknown": chance.choice(["ignore", "ignore", "incorrect", "correct"]),
        "ties": chance.choice(["average", "average", "file", "trec"]),
        "missing": chance.choice(["error", "error", "rejected", "excluded"]),
        "letters": chance.choice(["qa-clef", "qa-clef-lenient", "respubliqa"]),
        "epochs": chance.choice(["mean", "mean", "first", "majority", "median", "at_least_2"]),
        "confidences": chance.choice([*CONFIDENCES]),
    } | fixed
    sure = CONFIDENCES[drawn.pop("confidences")]
    if shape in (PAIRS, QRELS):
        drawn["missing"] = "error"
    if shape == QRELS:  # scores are compared in single precision, as by trec_eval
        sure = CONFIDENCES[chance.choice(["few", "dyadic"])]
    make = {ANSWERS: _candidates, PAIRS: _pair, QRELS: _documents, OPEN: _open}[shape]
    size = chance.randint(1, 7)
    questions = [make(chance, f"{number:02d}") for number in range(1, size + 1)]
    while shape == ANSWERS and not any(question.answers for question in questions):
        questions[0] = make(chance, "01")
    submit = {ANSWERS: submitted, PAIRS: _of_pair, QRELS: _retrieved, OPEN: _responses}[shape]
    runs: dict[str, Sequence[Row]] = {}
    for name in ["b", "a", "c"][: chance.randint(1, 3)]:
        rows = [row for question in questions for row in submit(chance, question, sure)]
        if shape == ANSWERS and drawn["missing"] != "error":
            rows = _with_gaps(chance, rows)
        runs[name] = rows or [*submit(chance, questions[0], sure)]
    runs = {name: rows for name, rows in runs.items() if rows}
    systems = _judged(chance, questions, sure, drawn["letters"]) if shape == ANSWERS else []
    return Campaign(shape, questions, runs, systems, Policies.of(**drawn))


def _candidates(chance: random.Random, q_id: str) -> Question:
    prefix = chance.choice(["", f"{q_id}_"])
    graded = chance.random() < 0.2
    answers = []
    for number in range(chance.choice([0, 1, 2, 2, 3, 4])):
        label = chance.choice(LABELS)
        grade = chance.randint(1, 3) if label == "VALIDATED" and graded else None
        answers.append({"a_id": f"{prefix}{number}", "label": label, "grade": grade})
    about = {"lang": chance.choice(["EN", "ES", "RO"]), "topic": chance.choice(["x", "y"])}
    return Question(q_id, about, answers)


def _pair(chance: random.Random, q_id: str) -> Question:
    return Question(q_id, {}, [{"a_id": q_id, "label": chance.choice(LABELS)}])


def _documents(chance: random.Random, q_id: str) -> Question:
    grades = chance.choices([-1, 0, 0, 1, 1, 2], k=chance.randint(1, 5))
    return Question(
        q_id, {}, [{"a_id": f"D{at}", "grade": grade} for at, grade in enumerate(grades)]
    )


_WORDS = ("Ann", "Bob", "Eve", "Rome", "Oslo", "1492")


def _open(chance: random.Random, q_id: str) -> Question:
    kind = chance.choice(["list", "list", "factoid", "definition"])
    if kind == "definition":
        nuggets = [
            {"id": str(at), "vital": chance.random() < 0.6, "text": "t"}
            for at in range(chance.randint(1, 4))
        ]
        return Question(q_id, {"type": kind, "nuggets": nuggets}, [])
    sets = []
    for _ in range(chance.randint(0, 2)):
        words = chance.sample(_WORDS, chance.randint(1, 4))
        cut = chance.randint(1, len(words))
        sets.append({"answers": [words[:cut], *words[cut:]]})
    return Question(q_id, {"type": kind, "sets": sets}, [])


def submitted(
    chance: random.Random, of: Question, sure: Callable[[random.Random], float] = CONFIDENCES["any"]
) -> list[Row]:
    """Return a row for each candidate; none is selected where all are rejected."""
    verdicts = [chance.choice(["VALIDATED", "REJECTED", "REJECTED"]) for _ in of.answers]
    accepted = [at for at, verdict in enumerate(verdicts) if verdict == "VALIDATED"]
    if accepted:
        verdicts[chance.choice(accepted)] = "SELECTED"
    return [
        {"q_id": of.q_id, "a_id": answer["a_id"], "verdict": word, "confidence": sure(chance)}
        for answer, word in zip(of.answers, verdicts, strict=True)
    ]


def _with_gaps(chance: random.Random, rows: Sequence[Row]) -> list[Row]:
    """Return some of the rows, such that the run stays legal: what is selected stays."""
    return [row for row in rows if row["verdict"] == "SELECTED" or chance.random() < 0.7]


def _of_pair(
    chance: random.Random, of: Question, sure: Callable[[random.Random], float]
) -> list[Row]:
    word = chance.choice(["YES", "NO"])
    return [{"q_id": of.q_id, "a_id": of.q_id, "verdict": word, "confidence": sure(chance)}]


def _retrieved(
    chance: random.Random, of: Question, sure: Callable[[random.Random], float]
) -> list[Row]:
    documents = [answer["a_id"] for answer in of.answers] + ["E1", "E2"]
    found = chance.sample(documents, chance.randint(0, len(documents)))
    return [{"q_id": of.q_id, "a_id": a_id, "confidence": sure(chance)} for a_id in found]


def _responses(
    chance: random.Random, of: Question, sure: Callable[[random.Random], float]
) -> list[Row]:
    if chance.random() < 0.2:
        return [{"q_id": of.q_id, "answer": "NIL", "nuggets": None}] * chance.randint(0, 1)
    if of.about["type"] == "definition":
        found = [nugget["id"] for nugget in of.about["nuggets"] if chance.random() < 0.5]
        text = "word " * chance.randint(1, 80)
        return [{"q_id": of.q_id, "answer": text.strip(), "nuggets": ",".join(found) or None}]
    most = 1 if of.about["type"] == "factoid" else 5
    words = chance.choices(_WORDS, k=chance.randint(1, most))
    return [{"q_id": of.q_id, "answer": word, "nuggets": None} for word in words]


def _judged(
    chance: random.Random,
    questions: Sequence[Question],
    sure: Callable[[random.Random], float],
    campaign: str,
) -> list[Row]:
    """Return the answers of none, one or two systems, which may skip questions or repeat them."""
    letters = "RRWWU" if campaign == "respubliqa" else "RRWWUX"
    has_confidences, most = chance.random() < 0.7, chance.choice([1, 1, 3])
    rows: list[Row] = []
    for name in ["t", "s"][: chance.randint(0, 2)]:
        answered = [question for question in questions if chance.random() < 0.9] or questions[:1]
        for item in answered:
            for number in range(chance.randint(1, most)):
                row: Row = {"q_id": item.q_id, "run": name, "judgement": chance.choice(letters)}
                row |= {"confidence": sure(chance)} if has_confidences else {}
                rows.append(row | ({"replicate": number + 1} if most > 1 else {}))
    return rows


def qrels_of(campaign: Campaign) -> str:
    return "".join(f"{row['q_id']} 0 {row['a_id']} {row['grade']}\n" for row in campaign.gold)


def trec_run_of(rows: Iterable[Row]) -> str:
    """Return the lines of a TREC run; its ranks are not read."""
    return "".join(f"{row['q_id']} Q0 {row['a_id']} 1 {row['confidence']!r} s\n" for row in rows)


def answer_sets_of(campaign: Campaign) -> str:
    return json.dumps(
        {"questions": [{"id": question.q_id, **question.about} for question in campaign.questions]}
    )


def as_pairs(rows: Iterable[Row]) -> list[Row]:
    """Return rows of pairs, which have one id."""
    words = {"VALIDATED": "YES", "REJECTED": "NO"}
    keys = {"q_id": "pair_id"}
    return [
        {keys.get(key, key): words.get(value, value) for key, value in row.items() if key != "a_id"}
        for row in rows
    ]


def given(campaign: Campaign) -> tuple[Any, dict[str, Any]]:
    """Return collection and runs as a caller of the package has them in memory."""
    if campaign.shape == QRELS:
        files = {name: Held(trec_run_of(rows), name) for name, rows in campaign.runs.items()}
        return Held(qrels_of(campaign), "qrels"), files
    if campaign.shape == OPEN:
        return io.StringIO(answer_sets_of(campaign)), {**campaign.runs}
    if campaign.shape == PAIRS:
        runs = {name: as_pairs(rows) for name, rows in campaign.runs.items()}
        return as_pairs(campaign.gold), runs
    return campaign.gold, {**campaign.runs}


MEASURES = {
    ANSWERS: "all, f_beta(2), e_alpha(3), ece(3, mass), precision@3, ndcg(linear)@2,"
    "ndcg(of=accepted), map(norm=min)@2, best_of@3, coverage_at_risk(0.5)",
    PAIRS: "all",
    QRELS: "all, map(rel=2), ndcg@2, precision@2",
    OPEN: "all",
}


class Figures(NamedTuple):
    """What is found of a run: its kind, the values of measures, and the numbers of its counts."""

    kind: str
    values: dict[str, Fraction | None]
    numbers: dict[str, Fraction]


def figures_of(scores: ave_score.Scores) -> dict[str, Figures]:
    return {
        row.run: Figures(
            str(row.kind),
            dict(row.values),
            {
                f"{family.name} {name}": Fraction(number)
                for family, counts in row.counts.items()
                for name, number in counts.numbers().items()
            },
        )
        for row in scores.rows
    }


def scored(campaign: Campaign) -> dict[str, Figures]:
    return figures_of(score_of(campaign))


def score_of(campaign: Campaign) -> ave_score.Scores:
    gold, runs = given(campaign)
    return ave_score.score(
        gold,
        runs,
        campaign.systems if campaign.systems else (),
        measures=MEASURES[campaign.shape],
        policies=campaign.policies,
    )
