"""The values of runs on single questions, and what each adds to a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
