"""The distribution of Student's t, without scipy, which is no part of the core."""

from __future__ import annotations

from functools import lru_cache
from math import erfc, exp, inf, lgamma, log, pi, sqrt
from statistics import NormalDist

import numpy as np

_STEPS = 240

_LARGEST = 1e100
"""A larger statistic, of a standard error that is 0 but for rounding, has no square."""


@lru_cache(1 << 14)
def tail(statistic: float, free: int) -> float:
    """Return the probability that t is at least as far from 0 as a statistic.

    It is the mean of the normal probability over the distribution of s, the estimated by the true
    standard deviation. The sum goes over equal steps of log s about the largest term, to where
    terms are negligible on both sides, and so converges exponentially.

    Parameters
    ----------
    statistic
        At least 0.
    free
        The degrees of freedom; 1 is returned for less than one.
    """
    if free < 1:
        return 1.0
    statistic = min(statistic, _LARGEST)
    middle, width = log(free / (free + statistic**2)) / 2, 10 / sqrt(2 * free)
    places, step = np.linspace(middle - max(40 / free, width), middle + width, _STEPS, retstep=True)
    ratios = np.exp(places)
    constant = log(2) + free / 2 * log(free / 2) - lgamma(free / 2)
    density = np.exp(constant + free * (places - ratios**2 / 2))
    normal = [erfc(statistic * ratio / sqrt(2)) for ratio in ratios.tolist()]
    return min(1.0, float((density * normal).sum() * step))


@lru_cache
def quantile(level: float, free: int) -> float:
    """Return the statistic whose `tail` is a level in 0..1; infinite if `free` is 0.

    By Newton's method for the logarithms of both, whose slope never decreases in size.
    """
    if free < 1:
        return inf
    constant = lgamma((free + 1) / 2) - lgamma(free / 2) - log(free * pi) / 2
    statistic = NormalDist().inv_cdf(1 - level / 2)
    for _ in range(50):
        probability = tail(statistic, free)
        density = exp(constant - (free + 1) / 2 * log(1 + statistic**2 / free))
        change = log(probability / level) * probability / (2 * density * statistic)
        statistic *= exp(change)
        if abs(change) < 1e-9:
            break
    return statistic
