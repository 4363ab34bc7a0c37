"""Accuracy from the errors of a judge elsewhere, and the number of labels that is needed.

Source: Rogan, Gladen, Estimating Prevalence from the Results of a Screening Test, 1978.
"""

from __future__ import annotations

from bisect import bisect_left
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np

from ave_score.inference.estimate import FEWEST
from ave_score.inference.labelling import Rates
from ave_score.inference.resampling import Interval
from ave_score.inference.shares import Stratum, combined, limits, normal

_STEPS = 100_001


class Transported(NamedTuple):
    """An accuracy, its interval, and whether the judged share is outside of its error rates."""

    estimate: float
    interval: Interval
    is_outside: bool


def transported(
    accepted: int, given: int, answers: int, rates: Rates, alpha: float
) -> Transported | str:
    """Return the accuracy by error rates of the judge on other answers, or why there is none.

    Parameters
    ----------
    accepted, given, answers
        How many answers the judge accepts, of how many that are given; withheld ones, too.
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
    counts = (accepted, given), (right_accepted, right), (wrong_accepted, wrong)
    share, hits, false = (some / every for some, every in counts)
    if hits <= false:
        return "the calibration shows a judge that is no better than chance"
    ends = [limits(some, every, alpha) for some, every in counts]
    (low, high), (hits_low, hits_high), (false_low, false_high) = ends
    at = np.linspace(0, 1, _STEPS)
    rest = 1 - at
    excess = share - at * hits - rest * false
    below = (share - low) ** 2 + (at * (hits_high - hits)) ** 2 + (rest * (false_high - false)) ** 2
    above = (high - share) ** 2 + (at * (hits - hits_low)) ** 2 + (rest * (false - false_low)) ** 2
    inside = at[(excess <= np.sqrt(below)) & (excess >= -np.sqrt(above))]
    if not len(inside):
        return "the judge accepts a share that no accuracy explains, by the calibration"
    point = min(1.0, max(0.0, (share - false) / (hits - false)))
    whole = given / answers  # no other answer is right
    between = normal(alpha) * point * sqrt(whole * (1 - whole) / answers)
    lower, upper = (hypot(whole * (float(end) - point), between) for end in (inside[0], inside[-1]))
    interval = Interval(max(0.0, whole * point - lower), min(1.0, whole * point + upper))
    return Transported(whole * point, interval, not false <= share <= hits)


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
        The shares of right answers among accepted and among rejected ones.
    alpha
        One minus the level of the interval.
    """
    weights = judged, 1 - judged
    between = (shares[0] - shares[1]) ** 2 * judged * (1 - judged) / answers

    def half_of(labels: int) -> float:
        strata = [
            Stratum(weight, share, labels * weight)
            for weight, share in zip(weights, shares, strict=True)
        ]
        low, high = combined(strata, between, alpha)
        return (high - low) / 2

    of_all = half_of(answers)
    if of_all > half_width:
        return None, of_all
    numbers = range(FEWEST, answers)
    short = bisect_left(numbers, True, key=lambda labels: half_of(labels) <= half_width)
    return FEWEST + short, of_all
