"""Questions that contribute to a difference, and questions that few runs get right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ave_score.core.model import Collection, QARun, Run
from ave_score.core.policies import Policies
from ave_score.counts import ANSWERING
from ave_score.inference.by_question import Floats
from ave_score.inference.compare_records import Comparison
from ave_score.inference.paired import added_by_question
from ave_score.inference.units import Gold, Subject, count_for


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
    subjects: Sequence[Subject], gold: Gold, comparison: Comparison
) -> QuestionTable:
    """Return the values of each question for the runs and pairs of a comparison."""
    measure, design = comparison.measure, comparison.design
    counted = {
        subject.name: count_for(subject, gold, [measure], design.policies, clusters=design.clusters)
        for subject in subjects
    }
    names = [standing.run for standing in comparison.standings]
    return QuestionTable(
        counted[names[0]].ids,
        {name: counted[name].of_each(measure) for name in names},
        {
            (pair.run, pair.other): added_by_question(
                counted[pair.run], counted[pair.other], measure
            )
            for pair in comparison.pairs
        },
    )


class Answered(NamedTuple):
    """A question that has a correct answer, and the runs that select one of its correct answers.

    `shares` are those of the replicates with which each of these is right.
    """

    question: str
    right: Sequence[str]
    shares: Sequence[float]


def answered_rightly(
    subjects: Sequence[Run | QARun],
    collection: Collection,
    policies: Policies = Policies(),  # noqa: B008 - it cannot be changed
) -> list[Answered]:
    """Return the questions with a correct answer, those that the fewest runs get right first.

    Without candidate answers, every question may have one. Ties are in the order of the collection;
    runs are in the order given.
    """
    counted = [count_for(subject, collection, [], policies, [ANSWERING]) for subject in subjects]
    right = np.array([np.asarray(run.columns[ANSWERING])[:, 0] for run in counted])
    answered = [
        Answered(
            question,
            [run.name for run, share in zip(subjects, rights, strict=True) if share],
            rights[rights > 0].tolist(),
        )
        for question, rights, answerable in zip(
            collection.index.questions, right.T, collection.answerable, strict=True
        )
        if answerable or not collection.has_candidates
    ]
    return sorted(answered, key=lambda question: round(sum(question.shares), 9))
