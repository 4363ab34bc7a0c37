"""Intervals of shares, and of sums of shares of strata, without scipy.

Sources: Zou, Donner, Construction of Confidence Limits about Effect Measures: A General Approach,
2008 (MOVER); Brown, Cai, DasGupta, Interval Estimation for a Binomial Proportion, 2001; Hanley,
Lippman-Hand, If Nothing Goes Wrong, Is Everything All Right?, 1983.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import exp, inf, lgamma, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

from ave_score.inference.resampling import Interval
from ave_score.inference.roots import crossing

MIDDLE = 0.25
"""Limits of a share lie half-way between Clopper and Pearson's (0) and Jeffreys' (1/2)."""

_NOTHING = 1e-9
"""What is less is no answer, in shares of weighted answers, too."""

_MOST_LABELS = 1e7


def beta_share(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction.

    Parameters
    ----------
    x
        In 0..1, without the ends.
    a, b
        The parameters of the distribution, above 0.
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        k = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + k * d), 1 + k / c
        fraction *= c * d
        k = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + k * d), 1 + k / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return where `beta_share` is a probability up to 1/2, by Newton's method for its logarithm.

    That has a slope which only falls, so that steps go beyond the quantile once at most.
    """
    low, high, x = 0.0, 1.0, a / (a + b)
    constant = lgamma(a + b) - lgamma(a) - lgamma(b)
    for _ in range(200):
        share = beta_share(x, a, b)
        low, high = (low, x) if share > probability else (x, high)
        slope = exp(constant + (a - 1) * log(x) + (b - 1) * log(1 - x))
        step = share * log(share / probability) / slope if share > 0 and slope > 0 else inf
        if abs(step) <= 1e-9 * x:  # the next one would have twice as many digits
            return x - step
        x = x - step if low < x - step < high else (low + high) / 2
    return x


@lru_cache(1 << 16)
def limits(right: float, labels: float, alpha: float) -> Interval:
    """Return the limits of a share of labels that are right; both need not be whole.

    Parameters
    ----------
    right, labels
        The number of right ones, and of all.
    alpha
        One minus the level of the interval.
    """
    if labels < _NOTHING:
        return Interval(0.0, 1.0)
    wrong, share = labels - right, right / labels
    low, high = 0.0, 1.0
    if right > _NOTHING:
        low = beta_quantile(alpha / 2, right + MIDDLE, wrong + 1 - MIDDLE)
    if wrong > _NOTHING:
        high = 1 - beta_quantile(alpha / 2, wrong + MIDDLE, right + 1 - MIDDLE)
    return Interval(min(low, share), max(high, share))


class Stratum(NamedTuple):
    """Answers that are told apart: their share of all, the share that is right, of how many labels.

    The number of labels need not be whole; if there are none, the share is a guess.
    """

    weight: float
    share: float
    labels: float


def combined(strata: Iterable[Stratum], between: float, alpha: float) -> Interval:
    """Return the limits of the weighted sum of the shares of strata, by MOVER.

    Parameters
    ----------
    strata
        What is summed.
    between
        The variance of the sum that is due to the weights.
    alpha
        One minus the level of the interval.
    """
    point, below, above = 0.0, 0.0, 0.0
    for weight, share, number in strata:
        low, high = limits(share * number, number, alpha)
        point += weight * share
        below += (weight * (share - low)) ** 2
        above += (weight * (high - share)) ** 2
    spread = normal(alpha) ** 2 * between
    return Interval(max(0.0, point - sqrt(below + spread)), min(1.0, point + sqrt(above + spread)))


def normal(alpha: float) -> float:
    """Return the normal quantile of a two-sided interval."""
    return -NormalDist().inv_cdf(alpha / 2)


def worth(point: float, interval: Interval, alpha: float) -> float:
    """Return how many labels alone give an interval as wide as this one."""

    def narrower(log_labels: float) -> float:
        low, high = limits(point * exp(log_labels), exp(log_labels), alpha)
        return (interval.high - interval.low) - (high - low)

    return exp(crossing(narrower, 0.0, log(_MOST_LABELS)))


def rule_of_three(
    value: float, lowest: float, highest: float, units: int, level: float
) -> Interval:
    """Return the interval of a mean of equal values from bounded ones; `level` is a p in 0..1."""
    others = 1 - level ** (1 / units)  # the share of units that may have other values
    return Interval(value - others * (value - lowest), value + others * (highest - value))
