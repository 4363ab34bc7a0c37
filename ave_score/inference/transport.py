"""Accuracy from the errors of a judge elsewhere, and the number of labels that is needed.

Source: Rogan, Gladen, Estimating Prevalence from the Results of a Screening Test, 1978.
"""

from __future__ import annotations

from bisect import bisect_left
from math import sqrt
from typing import NamedTuple

import numpy as np

from ave_score.inference.estimate import FEWEST
from ave_score.inference.labelling import Rates
from ave_score.inference.resampling import Interval
from ave_score.inference.shares import Stratum, combined, limits, normal

_STEPS = 100_001


class Transported(NamedTuple):
    """An accuracy, and its interval."""

    estimate: float
    interval: Interval

    def of_given(self, given: int, answers: int, alpha: float) -> Transported:
        """Return the accuracy of all answers, if this is of given ones and no other is right."""
        share, (low, high) = given / answers, self.interval
        between = normal(alpha) ** 2 * self.estimate**2 * share * (1 - share) / answers
        point = share * self.estimate
        below, above = (sqrt((share * (end - self.estimate)) ** 2 + between) for end in (low, high))
        return Transported(point, Interval(max(0.0, point - below), min(1.0, point + above)))


def transported(accepted: int, answers: int, rates: Rates, alpha: float) -> Transported | str:
    """Return the accuracy by error rates of the judge on other answers, or why there is none.

    Parameters
    ----------
    accepted, answers
        How many answers the judge accepts, and of how many.
    rates
        What it does elsewhere.
    alpha
        One minus the level of the interval.
    """
    right, right_accepted, wrong, wrong_accepted = rates
    if min(right, wrong) < FEWEST:
        return (
            f"the calibration has {right} right and {wrong} wrong answers, {FEWEST} of each needed"
        )
    share, hits, false = accepted / answers, right_accepted / right, wrong_accepted / wrong
    if hits <= false:
        return "the calibration shows a judge that is no better than chance"
    (low, high), (hits_low, hits_high), (false_low, false_high) = (
        limits(some, item, alpha)
        for some, item in ((accepted, answers), (right_accepted, right), (wrong_accepted, wrong))
    )
    at = np.linspace(0, 1, _STEPS)
    excess = share - at * hits - (1 - at) * false
    below = (share - low) ** 2 + (at * (hits_high - hits)) ** 2
    below += ((1 - at) * (false_high - false)) ** 2
    above = (high - share) ** 2 + (at * (hits - hits_low)) ** 2
    above += ((1 - at) * (false - false_low)) ** 2
    inside = at[(excess - np.sqrt(below) <= 0) & (excess + np.sqrt(above) >= 0)]
    if not len(inside):
        return "the judge accepts a share that no accuracy explains, by the calibration"
    point = min(1.0, max(0.0, (share - false) / (hits - false)))
    return Transported(point, Interval(float(inside.min()), float(inside.max())))


def labels_for(
    half_width: float, answers: int, judged: float, shares: tuple[float, float], alpha: float
) -> tuple[int | None, float]:
    """Return how many labels at random give an interval of a half width, and that of all labels.

    The number is None if all labels give a longer interval.

    Parameters
    ----------
    half_width
        Half of the width of the interval.
    answers, judged
        The number of answers, and the share that the judge accepts.
    shares
        The shares of right answers among rejected and among accepted ones.
    alpha
        One minus the level of the interval.
    """
    weights = [1 - judged, judged]
    between = (shares[1] - shares[0]) ** 2 * weights[0] * weights[1] / answers

    def half_of(number: int) -> float:
        strata = [Stratum(*item, number * item[0]) for item in zip(weights, shares, strict=True)]
        low, high = combined(strata, between, alpha)
        return (high - low) / 2

    numbers = range(FEWEST, answers)
    number = FEWEST + bisect_left(numbers, True, key=lambda labels: half_of(labels) <= half_width)
    of_all = half_of(answers)
    return (number if of_all <= half_width else None), of_all
