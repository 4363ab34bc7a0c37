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

from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import TOLERANCE, ByQuestion
from ave_score.inference.resampling import jackknife, whole
from ave_score.inference.student import quantile, tail
from ave_score.measures import Measure


class Crossed(NamedTuple):
    """What the crossed test rests on.

    Attributes
    ----------
    error
        The standard error of the value of a system, or of the difference of two.
    free
        Its degrees of freedom, which need not be whole.
    """

    error: float
    free: float

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
    values, systems = jackknife(system, measure), [system]
    if other is not None:
        values, systems = values - jackknife(other, measure), [system, other]
    if measure.key in system.values:  # the others do not enter the mean
        values = values[system.counts_of(measure)[:, 1] > 0]
    number = len(values)
    if number < 2:
        return Crossed(nan, nan)
    parts = []
    for one in systems:
        of_runs = np.array([whole(run, measure) for run in one.runs])
        parts.append((float(of_runs.var(ddof=1)) / len(of_runs), len(of_runs) - 1))
    if min(free for _, free in parts) == 1:
        parts = [(sum(part for part, _ in parts), 1)]
    parts.append(((number - 1) ** 2 / number * float(values.var(ddof=1)), number - 1))
    variance = sum(part for part, _ in parts)
    squares = sum(part**2 / free for part, free in parts)
    return Crossed(sqrt(variance), variance**2 / squares if squares else inf)
