"""Do two runs differ by more than chance? Tests of pairs, question by question.

Every test is two-sided and gives p: how often chance alone makes a difference as large as the one
seen, or a larger one. `kinds` says of each what it assumes and when not to use it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType

import numpy as np

from ave_score.errors import UsageError
from ave_score.inference.by_question import SAME, Floats


def scipy_stats(test: str) -> ModuleType:
    """Return scipy.stats; raises `UsageError` where it is not installed."""
    try:
        from scipy import stats
    except ImportError:
        raise UsageError(f"{test} needs scipy: pip install 'ave-score[stats]'") from None
    found: ModuleType = stats
    return found


def bootstrap(replicates: Floats, seen: float) -> float:
    """Return the achieved significance level of a difference, by the shift method.

    Differences in samples are moved by the one seen, so that they lie about 0, as if there were
    none. (Moved by their own mean, those on the edge would be in or out by a hair of chance, where
    a measure has few values.)

    Parameters
    ----------
    replicates
        The difference in each sample; NaN where the measure is undefined.
    seen
        The difference of all questions.

    Source: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, chapter 16; Noreen 1989.
    """
    known = replicates[~np.isnan(replicates)]
    if np.isnan(seen) or not len(known):
        return float("nan")
    moved = np.abs(known - seen)
    return float(((moved >= abs(seen) - SAME).sum() + 1) / (len(known) + 1))


def t(differences: Floats) -> float:
    """Return p of the paired t test; 1 where no question differs."""
    return _of_scipy("t", lambda stats: stats.ttest_1samp(differences, 0), differences)


def wilcoxon(differences: Floats) -> float:
    """Return p of the Wilcoxon signed rank test, ties dropped; 1 where no question differs.

    scipy chooses between the exact distribution and the normal one.
    """
    rounded = np.round(differences, 12)  # equal sizes have to be equal to share a rank
    return _of_scipy("wilcoxon", lambda stats: stats.wilcoxon(rounded), differences)


def _of_scipy(
    test: str,
    ask: Callable[[ModuleType], Sequence[float]],
    differences: Floats,
) -> float:
    stats = scipy_stats(test)
    if not (np.abs(differences) > SAME).any():
        return 1.0
    with warnings.catch_warnings():  # of few questions, and of differences that are all equal
        warnings.simplefilter("ignore")
        return float(ask(stats)[1])


def sign(differences: Floats) -> float:
    """Return p of the exact sign test; ties are dropped."""
    wins = int((differences > SAME).sum())
    return coin(wins, wins + int((differences < -SAME).sum()))


def mcnemar(differences: Floats) -> float:
    """Return p of the exact McNemar test of differences of outcomes of 0 and 1."""
    return sign(differences)


@cache
def coin(heads: int, tosses: int) -> float:
    """Return how often a fair coin falls as unevenly as this, or more so; exact to the end."""
    fewer = min(heads, tosses - heads)
    ways = total = 1
    for number in range(fewer):
        ways = ways * (tosses - number) // (number + 1)
        total += ways
    return min(1.0, 2 * total / (1 << tosses))


OF_DIFFERENCES: dict[str, Callable[[Floats], float]] = {
    "t": t,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "mcnemar": mcnemar,
}
"""Name -> test of the differences of the values of questions."""
