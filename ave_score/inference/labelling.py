"""How answers were chosen for labels: tests of what was chosen at random.

Source: van Elteren, On the Combination of Independent Two-Sample Tests of Wilcoxon, 1960.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erfc, exp, gamma, sqrt
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


def dependence(sizes: tuple[int, int], parts: tuple[int, int]) -> float:
    """Return chi-square of the shares of two groups, times (n - 2) / n; 0 if a margin is empty."""
    number, part = sum(sizes), sum(parts)
    spread = sizes[0] * sizes[1] * part * (number - part)
    apart = sizes[0] * parts[1] - sizes[1] * parts[0]
    return (number - 2) * apart**2 / spread if spread else 0.0


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


def equal_errors(rates: Sequence[Rates], alike: float) -> float | None:
    """Return p of equal shares of accepted answers, right and wrong ones, of all systems.

    None if there is nothing to compare. `alike` is the mean number of labels of a question: answers
    to a question count as one.
    """
    top, free = 0.0, 0
    for of_label in ([rate[:2] for rate in rates], [rate[2:] for rate in rates]):
        cells = [cell for cell in of_label if cell[0]]
        answers, hits = map(sum, zip((0, 0), *cells, strict=True))
        if len(cells) > 1 and 0 < hits < answers:
            share = hits / answers
            top += sum((k - n * share) ** 2 / (n * share * (1 - share)) for n, k in cells)
            free += len(cells) - 1
    return chi_square_tail(top / alike, free) if free else None


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
