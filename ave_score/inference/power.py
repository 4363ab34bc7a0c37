"""What a comparison could detect: power, topic set sizes, and equivalence.

All of it is for paired differences per question and the t test. For a measure that is a mean over
questions, the standard deviation is that of the differences of values. For others, such as F, it is
that of the linear approximation with the denominators of each run (`studentised`).

Sources: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; Sakai, Topic Set Size
Design, Information Retrieval Journal 19, 2016; Schuirmann, A Comparison of the Two One-Sided Tests
Procedure and the Power Approach for Assessing the Equivalence of Average Bioavailability, 1987.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, inf, isnan, nan, pi, sqrt
from typing import NamedTuple

import numpy as np

from ave_score.core.errors import UsageError
from ave_score.inference.by_question import TOLERANCE
from ave_score.inference.compare_records import Comparison, Pair
from ave_score.inference.significance import corrected, scipy_stats

POWER = 0.8
"""The probability of finding a difference that detectable differences and sizes are for."""

MOST_QUESTIONS = 10_000_000

_BOUNDED = ("score", "rule of three")
"""Methods of intervals of means of values that have bounds."""


class PowerPolicy(NamedTuple):
    """What is asked about the power of a comparison.

    Attributes
    ----------
    equivalence
        Differences smaller than this are irrelevant, in units of the measure; None: not asked.
    difference
        The difference that a collection should be large enough for; None: not asked.
    """

    equivalence: float | None = None
    difference: float | None = None

    def check(self) -> None:
        """Raise `UsageError` if either is not a positive number."""
        for name, value in self._asdict().items():
            if value is not None and not 0 < value < inf:
                raise UsageError(f"the {name} must be above 0, not {value:g}")


class PairPower(NamedTuple):
    """What a comparison could detect between two runs.

    Attributes
    ----------
    run, other
        Their names.
    deviation
        The standard deviation of the difference per question; NaN if it cannot be computed.
    detectable
        The least true difference that is found with a probability of `POWER`.
    questions
        The questions needed to find the difference asked for with that probability; None if it
        was not asked, or if more than `MOST_QUESTIONS` are needed.
    p_equivalent
        The corrected p of two one-sided tests that the true difference is at least the margin; NaN
        if it was not asked.
    stderr
        The standard error of the difference.
    due_to_epochs
        The share of its square that is due to replicates of questions; 0 without any.
    """

    run: str
    other: str
    deviation: float
    detectable: float
    questions: int | None
    p_equivalent: float
    stderr: float = nan
    due_to_epochs: float = 0.0

    @property
    def with_twice_epochs(self) -> float:
        """The standard error with twice as many replicates of each question."""
        return self.stderr * sqrt(max(1 - self.due_to_epochs / 2, 0.0))

    @property
    def with_twice_questions(self) -> float:
        """The standard error with twice as many questions."""
        return self.stderr / sqrt(2)


def comparison_power(comparison: Comparison, policy: PowerPolicy) -> list[PairPower]:
    """Return what a comparison could detect between each of its pairs."""
    design = comparison.design
    within = {standing.run: standing.epochs_variance for standing in comparison.standings}
    facts = comparison.pairs, comparison.questions, comparison.cutoff, design.correction, policy
    span = comparison.measure.span
    powers = []
    for pair in power_of(*facts, span):
        error = pair.deviation / sqrt(comparison.questions)
        due = (within[pair.run] + within[pair.other]) / error**2 if error else 0.0
        powers.append(pair._replace(stderr=error, due_to_epochs=due))
    return powers


def power_of(
    pairs: Sequence[Pair],
    questions: int,
    level: float,
    correction: str,
    policy: PowerPolicy,
    span: float = nan,
) -> list[PairPower]:
    """Return what can be detected between each pair of runs.

    Parameters
    ----------
    questions
        Their number.
    level
        The uncorrected p up to which a difference is significant, in 0..1.
    correction
        How p of equivalence is corrected, a key of `procedures.CORRECTIONS`.
    span
        The largest difference that a question can have, for runs that differ by the same on each.

    Raises `UsageError` if scipy is not installed.
    """
    powers = []
    for pair in pairs:
        needed = None
        # without spread, nothing is known of what more questions would show
        if policy.difference is not None and pair.deviation > TOLERANCE:
            needed = questions_for(policy.difference, pair.deviation, level)
        least = detectable(pair.deviation, questions, level)
        powers.append(PairPower(pair.run, pair.other, pair.deviation, least, needed, nan))
    if policy.equivalence is None:
        return powers
    p = [
        nan
        if pair.difference is None
        else equivalence(
            *(float(pair.difference), pair.deviation, pair.free, questions, policy.equivalence),
            span if pair.method in _BOUNDED else nan,
        )
        for pair in pairs
    ]
    adjusted = corrected(np.array(p), correction)
    return [row._replace(p_equivalent=float(p)) for row, p in zip(powers, adjusted, strict=True)]


def power(difference: float, deviation: float, questions: int, level: float) -> float:
    """Return the probability that the two-sided paired t test finds a true difference, in 0..1.

    Parameters
    ----------
    difference, deviation
        The mean and the standard deviation of the difference per question.
    questions
        Their number, at least 2.
    level
        The p up to which a difference is significant, in 0..1.
    """
    scipy_stats("power")
    from scipy.special import stdtrit  # not scipy's noncentral t, which is NaN for some shifts

    shift = abs(difference) / deviation * sqrt(questions)
    border = -float(stdtrit(questions - 1, level / 2))
    probability = _beyond(border, questions - 1, shift) + _beyond(border, questions - 1, -shift)
    if isnan(probability):  # it would be taken for too little below
        raise ArithmeticError(f"no power of {difference}, {deviation}, {questions}, {level}")
    return probability


_FAR = 9.0
"""Standard deviations beyond which a normal and a chi distribution have less than 1e-17."""

_NODES = np.polynomial.legendre.leggauss(64)


def _beyond(border: float, free: int, shift: float) -> float:
    """Return the probability that the noncentral t of a shift exceeds a border above 0.

    It does if z + shift > border · s, z being normal and s the root of chi square by its degrees of
    freedom. This is integrated over z: the density of z times the distribution of s. It is 1 where
    s is far above 1, and 0 where it is far below, which leaves a smooth piece between.
    """
    from scipy.special import chdtr, ndtr

    spread = _FAR / sqrt(free)
    low = max(-_FAR, border * max(0.0, 1 - spread) - shift)
    high = min(_FAR, border * (1 + spread) - shift)
    if high <= low:
        return float(ndtr(-low))
    nodes, weights = _NODES
    z = low + (high - low) * (nodes + 1) / 2
    below = chdtr(free, free * ((z + shift) / border) ** 2) * np.exp(-(z**2) / 2)
    return float(ndtr(-high) + (high - low) / 2 * (weights @ below) / sqrt(2 * pi))


def detectable(deviation: float, questions: int, level: float) -> float:
    """Return the least true difference that the t test finds with a probability of `POWER`.

    NaN if the deviation is unknown or 0, or if there is no more than one question.
    """
    if isnan(deviation) or deviation < TOLERANCE or questions < 2 or not 0 < level < 1:
        return nan
    return _detectable(questions, level) * deviation


@lru_cache
def _detectable(questions: int, level: float) -> float:
    """Return the least difference in standard deviations, which is the same for all pairs."""
    low, high = 0.0, 1.0
    while power(high, 1.0, questions, level) < POWER:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        is_enough = power(middle, 1.0, questions, level) >= POWER
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def questions_for(difference: float, deviation: float, level: float) -> int | None:
    """Return the least number of questions that find a true difference with `POWER`.

    None if more than `MOST_QUESTIONS` are needed, or if the level is 0.
    """
    if not 0 < level < 1:
        return None
    if deviation < TOLERANCE:
        return 2
    low, high = 1, 2
    while power(difference, deviation, high, level) < POWER:
        if high == MOST_QUESTIONS:
            return None
        low, high = high, min(2 * high, MOST_QUESTIONS)
    while high - low > 1:
        middle = ceil((low + high) / 2)
        is_enough = power(difference, deviation, middle, level) >= POWER
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def equivalence(
    difference: float,
    deviation: float,
    free: float,
    questions: int,
    margin: float,
    span: float = nan,
) -> float:
    """Return p of two one-sided t tests: that the true difference is the margin or more.

    `free` are the degrees of freedom of the deviation, as intervals have them. NaN if the deviation
    is unknown, or if no more than one question contributes. Without spread, p is the probability
    that no question shows what would make the difference as large as the margin, if questions
    differ by `span` at most, as in the rule of three; NaN without `span`.
    """
    if isnan(deviation) or isnan(difference) or not free > 0:
        return nan
    stats = scipy_stats("equivalence")
    error = deviation / sqrt(questions)
    left = margin - abs(difference)  # the farther of the two bounds has the smaller p
    if error < TOLERANCE:
        if left <= TOLERANCE:
            return 1.0
        share = left / max(span - abs(difference), TOLERANCE)  # of questions that differ so
        return max(0.0, 1 - share) ** questions if span < inf else nan
    return float(stats.t.sf(left / error, free))
