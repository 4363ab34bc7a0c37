"""Questions whose answers people label, drawn at random."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ave_score.core.errors import UsageError, check_type
from ave_score.core.policies import Policies
from ave_score.core.text import quantity
from ave_score.reports.report import Records
from ave_score.tasks.given import GoldGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.judged_rows import with_systems, without_scorer

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = ("a_id", "answer", "text", "doc", "replicate")
"""What people see of an answer, if any has it; verdicts would sway them."""


def draw_labels(
    answers: GoldGiven, questions: int, *, seed: int = 0, policies: Policies | None = None
) -> pd.DataFrame:
    """Draw questions at random, whose answers people are to label for `estimate`.

    Parameters
    ----------
    answers
        A judged table or logs, as `estimate` takes them.
    questions
        The number of questions.
    seed
        The seed of the draw; the same one draws the same questions.
    policies
        What is chosen of `logs`.

    Returns
    -------
    pandas.DataFrame
        The answers of all systems to these questions, in random order and without verdicts. With
        `judgement` filled in, it is what `estimate` takes as its second argument.

    Raises
    ------
    UsageError
        There are fewer questions, or no systems.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    check_type(questions, int)
    check_type(seed, int)
    return label_records(Inputs(policies), answers, questions, seed).to_frame()


def label_records(inputs: Inputs, answers: object, number: int, seed: int) -> Records:
    """Return the answers to some questions, in random order; raises as `draw_labels`."""
    without_scorer(inputs)
    gold, systems = with_systems(inputs, answers)
    questions = gold.index.questions
    if not 0 < number <= len(questions):
        has = quantity(len(questions), "question")
        raise UsageError(f"{quantity(number, 'question')} cannot be drawn: there are {has}")
    draws = random.Random(seed)
    chosen = {*draws.sample(sorted(questions), number)}
    rows = [
        (system.name, answer)
        for system in systems
        for answer in system.answers
        if answer.q_id in chosen
    ]
    draws.shuffle(rows)
    shown = [name for name in _SHOWN if any(getattr(answer, name) for _, answer in rows)]
    asked = gold.attributes.get("question", {})
    if gold.texts is not None and any(gold.texts.questions):
        asked = dict(zip(questions, gold.texts.questions, strict=True))
    cells = (
        [answer.q_id, run, "", *(getattr(answer, name) for name in shown)]
        + [asked.get(answer.q_id)] * bool(asked)
        for run, answer in rows
    )
    return Records(["q_id", "run", "judgement", *shown, *["question"] * bool(asked)], cells)
