"""The crossed test: systems that differ over other questions and over other runs of each.

A system may answer otherwise in each of its runs, which differ in their seeds. All answers of a run
share its seed, so runs are crossed with questions, and a test of questions alone takes the runs as
they are for the systems. The variance of a difference of means over runs is estimated by the sum of
its variance over questions (the jackknife: for a mean over questions, the variance of their values
divided by their number) and, of both systems, the variance of the measure over runs divided by
their number. The noise of single answers is in both parts, so the sum is rather too large.

The degrees of freedom are Satterthwaite's. If a system has two runs, whose variance may be small by
chance, the variance over the runs of both systems has one.

Sources: Satterthwaite, An Approximate Distribution of Estimates of Variance Components, Biometrics
Bulletin 1946; Miller, The Jackknife: A Review, Biometrika 1974; Brennan, Generalizability Theory,
2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.inference.by_question import TOLERANCE, ByQuestion
from ave_score.inference.resampling import jackknife, whole
from ave_score.inference.student import quantile, tail
from ave_score.measures import Measure


class Variance(NamedTuple):
    """A part of a squared standard error, and its degrees of freedom."""

    variance: float
    free: float


class Crossed(NamedTuple):
    """A standard error over questions and over runs.

    Attributes
    ----------
    error
        The standard error of the value of a system, or of the difference of two.
    free
        Its degrees of freedom, which need not be whole.
    questions
        The part of its square that is due to questions.
    runs
        The parts that are due to the runs of each system.
    residual
        The noise of single answers, which is in `questions` and in `runs`; NaN if unknown.
    """

    error: float
    free: float
    questions: Variance
    runs: Sequence[Variance] = ()
    residual: float = nan

    def p(self, difference: float) -> float:
        """Return p of a difference; 1 if there is none, NaN without any variance."""
        if abs(difference) < TOLERANCE:
            return 1.0
        return tail(abs(difference) / self.error, self.free) if self.is_known else nan

    def margin(self, level: float) -> float:
        """Return half the width of the interval at a level of p in 0..1; NaN without variance."""
        return quantile(level, self.free) * self.error if self.is_known else nan

    @property
    def is_known(self) -> bool:
        """Whether questions or runs differ at all."""
        return self.error > _NO_ERROR


_NO_ERROR = 1e-9
"""A standard error below is 0."""


def crossed(measure: Measure, system: ByQuestion, other: ByQuestion | None = None) -> Crossed:
    """Return the standard error of the value of a system, or of its difference from another one.

    Each needs at least two runs, and a measure that is defined for all of them.
    """
    systems = [one for one in (system, other) if one is not None]
    runs = [over_runs([whole(run, measure) for run in one.runs]) for one in systems]
    spread = combined([over_questions(measure, system, other)], runs)
    return spread._replace(residual=sum(_residual(measure, one) for one in systems))


def over_questions(
    measure: Measure, system: ByQuestion, other: ByQuestion | None = None
) -> Variance:
    """Return the variance of a value, or of the difference of two, over questions."""
    values = jackknife(system, measure)
    if other is not None:
        values = values - jackknife(other, measure)
    values = values[_entering(measure, system)]
    number = len(values)
    if number < 2:
        return Variance(nan, nan)
    return Variance((number - 1) ** 2 / number * float(values.var(ddof=1)), number - 1)


def _entering(measure: Measure, system: ByQuestion) -> npt.NDArray[np.bool_]:
    """Return which units enter a measure: those without a value do not enter a mean."""
    if measure.key in system.values:
        return np.asarray(system.counts_of(measure)[:, 1] > 0)
    return np.ones(system.questions, dtype=np.bool_)


def _residual(measure: Measure, system: ByQuestion) -> float:
    """Return what questions and runs do not explain, by the numbers of both.

    It is the mean square of the interaction of a two-way analysis of variance without replication.
    """
    values = np.array([jackknife(run, measure) for run in system.runs])
    values = values[:, _entering(measure, system)]
    runs, number = values.shape
    if number < 2:
        return nan
    left = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return float((number - 1) * (left**2).sum() / (runs - 1) / (number * runs))


def over_runs(values: Sequence[float]) -> Variance:
    """Return the variance of the mean of the values of at least two runs."""
    return Variance(float(np.var(values, ddof=1)) / len(values), len(values) - 1)


def combined(questions: Sequence[Variance], runs: Sequence[Variance] = ()) -> Crossed:
    """Return the standard error of a sum over independent samples of questions.

    `runs` are the parts of the sum that are due to the runs of each system, as in `crossed`.
    """
    of_runs = [*runs]
    if min((part.free for part in runs), default=2) == 1:
        of_runs = [Variance(sum(part.variance for part in runs), 1)]
    asked = sum(part.variance for part in questions)
    variance = asked + sum(part.variance for part in of_runs)
    free = _satterthwaite(variance, [*of_runs, *questions])
    of_questions = Variance(asked, _satterthwaite(asked, questions))
    return Crossed(sqrt(variance), free, of_questions, [*runs])


def over_groups(each: Sequence[Variance], runs: Sequence[Variance] = ()) -> Crossed:
    """Return the standard error of a mean over groups, each with its variance over questions.

    `runs` are the parts of that mean, since all groups share the runs of a system.
    """
    return combined([Variance(part.variance / len(each) ** 2, part.free) for part in each], runs)


def _satterthwaite(variance: float, parts: Sequence[Variance]) -> float:
    """Return the degrees of freedom of the sum of parts."""
    squares = sum(part.variance**2 / part.free for part in parts)
    return variance**2 / squares if squares else inf
