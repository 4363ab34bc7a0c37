"""Two runs question by question: values where a measure has them, and who wins which question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ave_score.errors import UsageError
from ave_score.inference.by_question import SAME, ByQuestion, Floats, evaluate, rounded
from ave_score.inference.resampling import whole
from ave_score.measures import Measure


class Score(NamedTuple):
    """How many questions one of two runs wins, how many neither, and how many the other."""

    wins: int
    ties: int
    losses: int


def counted_for(run: ByQuestion, measure: Measure) -> Floats:
    """Return what is added up to compute a measure: a row for each question."""
    values = run.values.get(measure.key)
    return run.columns[measure.family] if values is None else values[:, None]


def computed(run: ByQuestion, measure: Measure, totals: Floats) -> Floats:
    """Compute a measure of sums over all questions of `counted_for`, a row each."""
    values = run.values.get(measure.key)
    return evaluate(measure, totals) if values is None else rounded(totals[:, 0] / len(values))


def alone(run: ByQuestion, measure: Measure) -> Floats:
    """Return a measure of each question alone; NaN where it is undefined."""
    values = run.values.get(measure.key)
    return evaluate(measure, run.columns[measure.family]) if values is None else values


def question_values(runs: Sequence[ByQuestion], measure: Measure) -> Floats:
    """Return a measure of each question alone, where the whole is the mean of these.

    Questions where it is undefined, of all runs alike, are left out. Raises `UsageError` for a
    measure that is no such mean: tests of values of questions say nothing of it. F is none (it
    divides counts of all questions), nor is c@1 (what silence is worth depends on all questions);
    accuracy is one where all questions have as many judged answers.

    Returns
    -------
    Floats
        A row for each run, a column for each question.
    """
    values = np.array([alone(run, measure) for run in runs])
    undefined = np.isnan(values)
    if (undefined == undefined[0]).all() and not undefined[0].all():
        defined = values[:, ~undefined[0]]
        wholes = [whole(run, measure) for run in runs]
        if np.allclose(defined.mean(axis=1), wholes, rtol=0, atol=1e-9):
            return defined
    raise UsageError(
        f"{measure.key} of these runs is no mean of values of questions, which this test compares; "
        "randomisation and bootstrap compute the measure itself anew"
    )


def added_by_question(one: ByQuestion, other: ByQuestion, measure: Measure) -> Floats:
    """Return what each question adds to the difference of two runs.

    It is half of what the difference loses if the two runs swap what they did on the question. Of a
    mean over questions that is the difference of the two values, divided by the number of
    questions; but every measure of counts has it, F too.

    Returns
    -------
    Floats
        A number for each question; above 0 where it speaks for a higher value of `one`.
    """
    left, right = counted_for(one, measure), counted_for(other, measure)
    change = left - right
    differing = np.flatnonzero(change.any(axis=1))
    swapped = change[differing]
    before = whole(one, measure) - whole(other, measure)
    after = computed(one, measure, left.sum(axis=0) - swapped)
    after = after - computed(other, measure, right.sum(axis=0) + swapped)
    added = np.zeros(len(change))
    added[differing] = (before - after) / 2
    return added


def score_of(added: Floats, measure: Measure) -> Score:
    """Return wins, ties and losses; a question is won where it speaks for the run."""
    oriented = added if measure.higher_is_better else -added
    wins, losses = int((oriented > SAME).sum()), int((oriented < -SAME).sum())
    return Score(wins, len(added) - wins - losses, losses)


def effect_size(differences: Floats) -> float | None:
    """Return Cohen's d_z: the mean difference of questions in their standard deviations.

    None where all differences are equal. Source: Cohen, Statistical Power Analysis for the
    Behavioral Sciences, 1988.
    """
    if len(differences) < 2 or np.ptp(differences) < SAME:
        return None
    return float(differences.mean() / differences.std(ddof=1))
