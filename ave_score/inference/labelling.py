"""How answers were chosen for labels: tests of what was chosen at random.

Source: van Elteren, On the Combination of Independent Two-Sample Tests of Wilcoxon, 1960.
"""

from __future__ import annotations

from math import erfc, exp, gamma, sqrt

import numpy as np
import numpy.typing as npt

from ave_score.inference.by_question import Floats

Flags = npt.NDArray[np.bool_]

GATE = 3.84
"""Chi-square of 5 %: below it, verdicts do not tell right answers from wrong ones."""

NOT_RANDOM, SURELY_NOT_RANDOM = 6.63, 10.83
"""Chi-square of 1 % and of 0.1 %."""


def dependence(one: Flags, other: Flags) -> float:
    """Return chi-square of a table of two by two, times (n - 2) / n; 0 if a margin is empty."""
    share, other_share = float(one.mean()), float(other.mean())
    variance = share * (1 - share) * other_share * (1 - other_share)
    if variance < 1e-15:
        return 0.0
    return float((len(one) - 2) * ((one & other).mean() - share * other_share) ** 2 / variance)


def by_rank(strata: Flags, labelled: Flags, value: Floats) -> float:
    """Return chi-square: do labelled answers differ in a value from others of their stratum?"""
    top = variance = 0.0
    for stratum in (False, True):
        values, chosen = value[strata == stratum], labelled[strata == stratum]
        number, of = int(chosen.sum()), len(values)
        if not 0 < number < of:
            continue
        _, place, count = np.unique(values, return_inverse=True, return_counts=True)
        rank = (np.cumsum(count) - (count - 1) / 2)[place]
        top += (rank[chosen].sum() - number * (of + 1) / 2) / (of + 1)
        variance += number * (of - number) * rank.var() / (of - 1) / (of + 1) ** 2
    return float(top * top / variance) if variance > 0 else 0.0


def chi_square_tail(value: float, free: int) -> float:
    """Return the probability of a chi-square of at least a value, by the sum of its terms."""
    half = value / 2
    if free % 2:
        total = erfc(sqrt(half))
        powers = [at + 0.5 for at in range((free - 1) // 2)]
    else:
        total, powers = 0.0, [float(at) for at in range(free // 2)]
    total += sum(exp(-half) * float(half**at) / gamma(at + 1) for at in powers)
    return min(1.0, total)
