"""How answers were chosen for labels: tests of what was chosen at random.

Source: van Elteren, On the Combination of Independent Two-Sample Tests of Wilcoxon, 1960.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.inference.by_question import Floats

Flags = npt.NDArray[np.bool_]

GATE = 3.84
"""Chi-square of 5 %: below it, verdicts do not tell right answers from wrong ones."""

NOT_RANDOM, SURELY_NOT_RANDOM = 6.63, 10.83
"""Chi-square of 1 % and of 0.1 %."""


class Rates(NamedTuple):
    """Right answers, those that the judge accepts, wrong answers, those that it accepts."""

    right: int
    right_accepted: int
    wrong: int
    wrong_accepted: int

    @classmethod
    def together(cls, of: Iterable[Rates]) -> Rates:
        """Return those of several systems together."""
        return cls(*map(sum, zip(cls(0, 0, 0, 0), *of, strict=True)))

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """Sensitivity and specificity; None without right, or without wrong answers."""
        right, right_accepted, wrong, wrong_accepted = self
        sensitivity = right_accepted / right if right else None
        return sensitivity, (wrong - wrong_accepted) / wrong if wrong else None


def dependence(sizes: tuple[int, int], parts: tuple[int, int]) -> float:
    """Return chi-square of the shares of two groups, times (n - 2) / n; 0 if a margin is empty."""
    number, part = sum(sizes), sum(parts)
    spread = sizes[0] * sizes[1] * part * (number - part)
    apart = sizes[0] * parts[1] - sizes[1] * parts[0]
    return (number - 2) * apart**2 / spread if spread else 0.0


def by_rank(strata: npt.NDArray[np.int64], labelled: Flags, value: Floats) -> float:
    """Return chi-square: do labelled answers differ in a value from others of their stratum?"""
    top = variance = 0.0
    for stratum in np.unique(strata[labelled]):
        values, chosen = value[strata == stratum], labelled[strata == stratum]
        number, size = int(chosen.sum()), len(values)
        if number == size:
            continue
        _, place, count = np.unique(values, return_inverse=True, return_counts=True)
        rank = (np.cumsum(count) - (count - 1) / 2)[place]
        top += (rank[chosen].sum() - number * (size + 1) / 2) / (size + 1)
        variance += number * (size - number) * rank.var() / (size - 1) / (size + 1) ** 2
    return float(top * top / variance) if variance > 0 else 0.0


def equal_errors(rates: Sequence[Rates], alike: float) -> float | None:
    """Return p of equal shares of accepted answers, right and wrong ones, of all systems.

    None if there is nothing to compare. `alike` is the mean number of labels of a question: answers
    to a question count as one.
    """
    top, free = 0.0, 0
    for cells in ([rate[:2] for rate in rates], [rate[2:] for rate in rates]):
        answers, hits = map(sum, zip((0, 0), *cells, strict=True))
        if 0 < hits < answers:
            expected = [(n * hits / answers, n, k) for n, k in cells if n]
            top += sum((k - mean) ** 2 / (mean * (1 - hits / answers)) for mean, _, k in expected)
            free += len(expected) - 1
    return chi_square_tail(top / alike, free) if free else None


def chi_square_tail(value: float, free: int) -> float:
    """Return the probability of a chi-square of at least a value, by the sum of its terms."""
    if value <= 0:
        return 1.0
    half, odd = value / 2, free % 2
    powers = [at + odd / 2 for at in range(free // 2)]
    total = sum(exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return min(1.0, total + odd * erfc(sqrt(half)))
