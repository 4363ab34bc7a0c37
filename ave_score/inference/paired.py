"""Two runs compared per question: values, contributions, wins and losses, and effect size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.core.errors import UsageError
from ave_score.inference.by_question import TOLERANCE, ByQuestion, Floats, Integers
from ave_score.inference.resampling import Interval, whole
from ave_score.measures import Measure


class Score(NamedTuple):
    """The number of questions that the first of two runs wins, ties, and loses."""

    wins: int
    ties: int
    losses: int


NO_MEAN = (
    "is not a mean of values per question, which this test compares; use randomisation or "
    "bootstrap, which recompute the measure"
)
"""What is said of a measure of runs to which tests of values do not apply."""


def question_values(runs: Sequence[ByQuestion], measure: Measure) -> Floats:
    """Return a measure of each single question, if the measure is the mean of these values.

    Questions for which it is undefined, for all runs alike, are left out. Raises `UsageError` for
    other measures, to which tests of values per question do not apply: F divides counts of all
    questions, and in c@1 the value of an unanswered question depends on all questions. Accuracy is
    such a mean if all questions have the same number of judged answers.

    Returns
    -------
    Floats
        A row for each run, a column for each question.
    """
    values = [run.of_each(measure) for run in runs]
    defined = values_of_mean(values, [whole(run, measure) for run in runs])
    if defined is not None:
        return defined
    raise UsageError(f"{measure.key} of these runs {NO_MEAN}")


def values_of_mean(values: Sequence[Floats], wholes: Sequence[float]) -> Floats | None:
    """Return the defined values of units, if the values of all runs are their means; else None.

    Parameters
    ----------
    values
        Of each run: the values of all units, NaN where the measure is undefined.
    wholes
        The measure of each run.
    """
    by_run = np.array(values)
    undefined = np.isnan(by_run)
    if (undefined != undefined[0]).any() or undefined[0].all():
        return None
    defined = by_run[:, ~undefined[0]]
    is_mean = np.abs(defined.mean(axis=1) - wholes) <= 1e-9
    return defined if is_mean.all() else None


def added_by_question(run: ByQuestion, other: ByQuestion, measure: Measure) -> Floats:
    """Return the contribution of each question to the difference of two runs.

    It is half of the decrease of the difference if the two runs swap their answers to the question.
    For a mean over questions, that is the difference of the two values divided by the number of
    questions; but it is defined for every measure of counts, including F.

    Returns
    -------
    Floats
        A number for each question; above 0 if it favours a higher value of `run`. NaN if the
        measure is not computed from sums over questions.
    """
    if not (run.adds_up(measure) and other.adds_up(measure)):
        return np.full(run.questions, np.nan)
    pairs = pairs_of_rows(run, other, measure)
    return added_by_pair(run, other, measure, pairs)[pairs.numbers]


@dataclass(frozen=True, eq=False)
class PairsOfRows:
    """The rows of two runs for each question, of which there are few distinct pairs.

    Attributes
    ----------
    left, right
        The row of the first run and that of the other, for each distinct pair.
    numbers
        The number of each question's pair.
    """

    left: Floats
    right: Floats
    numbers: Integers

    @cached_property
    def change(self) -> Floats:
        """The row of the first run minus that of the other, for each distinct pair."""
        return np.asarray(self.left - self.right)

    @cached_property
    def differ(self) -> npt.NDArray[np.bool_]:
        """Whether the rows of a pair differ."""
        return np.asarray(self.change.any(axis=1))

    def enter(self, fields: Integers) -> npt.NDArray[np.bool_]:
        """Return whether any of some fields of either row of a pair is not 0."""
        return np.asarray(self.left[:, fields].any(axis=1) | self.right[:, fields].any(axis=1))


def pairs_of_rows(run: ByQuestion, other: ByQuestion, measure: Measure) -> PairsOfRows:
    """Return the differences of two runs by the counts that a measure is computed from."""
    left, right = run.rows_of(measure), other.rows_of(measure)
    number = len(right.distinct)
    joint = left.index.astype(np.int64) * number + right.index
    if len(left.distinct) * number > 4 * len(joint):
        pairs, index = np.unique(joint, return_inverse=True)
    else:
        is_found = np.zeros(len(left.distinct) * number, dtype=np.bool_)
        is_found[joint] = True
        pairs, index = is_found.nonzero()[0], (np.cumsum(is_found) - 1)[joint]
    return PairsOfRows(left.distinct[pairs // number], right.distinct[pairs % number], index)


def added_by_pair(
    run: ByQuestion, other: ByQuestion, measure: Measure, pairs: PairsOfRows
) -> Floats:
    """Return the contribution of a question with each of the pairs (`added_by_question`)."""
    swapped = pairs.change[pairs.differ]
    before = whole(run, measure) - whole(other, measure)
    after = run.computed(measure, run.rows_of(measure).total - swapped)
    after = after - other.computed(measure, other.rows_of(measure).total + swapped)
    added = np.zeros(len(pairs.change))
    added[pairs.differ] = (before - after) / 2
    return added


def score_of(added: Floats, measure: Measure) -> Score | None:
    """Return wins, ties and losses; a question that favours the run is a win.

    None if the contributions of questions are unknown.
    """
    if np.isnan(added).any():
        return None
    oriented = added if measure.higher_is_better else -added
    wins, losses = int((oriented > TOLERANCE).sum()), int((oriented < -TOLERANCE).sum())
    return Score(wins, len(added) - wins - losses, losses)


def score_interval(score: Score, level: float) -> Interval:
    """Return the interval of the difference of two shares of the same questions.

    It has the differences that the score test does not reject at `level`, a p in 0..1, and suits
    also runs that differ on few questions or none. Source: Tango, Equivalence Test and Confidence
    Interval for the Difference in Proportions for the Paired-Sample Design, Statistics in Medicine
    1998.
    """
    wins, _, losses = score
    number, normal = sum(score), NormalDist().inv_cdf(1 - level / 2)

    def is_rejected(difference: float) -> bool:
        apart = wins - losses - number * difference
        half = (wins + losses - difference * (2 * number - wins + losses)) / (4 * number)
        product = losses * difference * (1 - difference) / (2 * number)
        lost = half + max(0.0, half**2 + product) ** 0.5  # the likeliest share of losses
        variance = number * max(0.0, 2 * lost + difference * (1 - difference))
        return bool(apart**2 > normal**2 * variance)

    ends = []
    for bound in (-1.0, 1.0):
        inside, outside = (wins - losses) / number, bound
        for _ in range(50):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if is_rejected(middle) else (middle, outside)
        ends.append(inside)
    return Interval(*ends)


def effect_size(differences: Floats) -> float | None:
    """Return Cohen's d_z: the mean difference per question over its standard deviation.

    None if all differences are equal. Source: Cohen, Statistical Power Analysis for the
    Behavioral Sciences, 1988.
    """
    if len(differences) < 2 or np.ptp(differences) < TOLERANCE:
        return None
    return float(differences.mean() / differences.std(ddof=1))
