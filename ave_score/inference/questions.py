"""Questions that contribute to a difference, and questions that few runs get right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ave_score.counts import SELECTION
from ave_score.inference.by_question import Floats, count_by_question, count_for
from ave_score.inference.comparison import Comparison
from ave_score.inference.paired import added_by_question, per_question_values
from ave_score.model import Collection, Run


class QuestionTable(NamedTuple):
    """The values of runs on each question, by one measure.

    Attributes
    ----------
    questions
        Their ids, in the order of the collection.
    values
        Run -> the measure of each single question; NaN if it is undefined.
    added
        (run, other) -> the contribution of each question (`paired.added_by_question`).
    """

    questions: Sequence[str]
    values: Mapping[str, Floats]
    added: Mapping[tuple[str, str], Floats]


def question_table(
    runs: Sequence[Run], collection: Collection, comparison: Comparison
) -> QuestionTable:
    """Return the values of each question for the runs and pairs of a comparison."""
    measure, ties = comparison.measure, comparison.design.ties
    counted = {run.name: count_for(run, collection, [measure], ties) for run in runs}
    names = [one.run for one in comparison.standings]
    return QuestionTable(
        collection.index.questions,
        {name: per_question_values(counted[name], measure) for name in names},
        {
            (pair.run, pair.other): added_by_question(
                counted[pair.run], counted[pair.other], measure
            )
            for pair in comparison.pairs
        },
    )


class Answered(NamedTuple):
    """A question that has a correct answer, and the runs that select one of its correct answers."""

    question: str
    right: Sequence[str]


def answered_rightly(runs: Sequence[Run], collection: Collection) -> list[Answered]:
    """Return the questions with a correct answer, those that the fewest runs get right first.

    Ties are in the order of the collection; runs are in the order given.
    """
    right = np.array(
        [count_by_question(run, collection, [SELECTION]).columns[SELECTION][:, 0] for run in runs]
    )
    found = [
        Answered(
            question, [run.name for run, is_right in zip(runs, rights, strict=True) if is_right]
        )
        for question, rights, answerable in zip(
            collection.index.questions, right.T, collection.answerable, strict=True
        )
        if answerable
    ]
    return sorted(found, key=lambda one: len(one.right))
