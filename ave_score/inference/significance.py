"""Significance tests: of pairs of runs, of all runs at once, and corrections of p.

Every test is two-sided. p is the probability, under the null hypothesis, of a difference at least
as large as the observed one. `procedures` has the assumptions of each test, and when not to use it.

Runs are compared on the same questions, so tests of all runs at once remove the effects of
questions first: both are tests of complete blocks. (`scipy.stats.tukey_hsd` assumes independent
samples, and would have less power.) If many pairs are compared, p is corrected for the number of
comparisons.

Sources: Tague-Sutcliffe, Blustein, A Statistical Analysis of the TREC-3 Data, 1994; Demšar,
Statistical Comparisons of Classifiers over Multiple Data Sets, 2006; Holm, A Simple Sequentially
Rejective Multiple Test Procedure, 1979; Benjamini, Hochberg, Controlling the False Discovery Rate,
1995; Benjamini, Yekutieli, The Control of the False Discovery Rate in Multiple Testing under
Dependency, 2001.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import nan
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ave_score.core.errors import UsageError
from ave_score.inference.by_question import TOLERANCE, Floats, Integers


def scipy_stats(test: str) -> ModuleType:
    """Return scipy.stats; raises `UsageError` if it is not installed."""
    try:
        from scipy import stats
    except ImportError:
        raise UsageError(f"{test} needs scipy: pip install scipy") from None
    module: ModuleType = stats
    return module


def bootstrap(replicates: Floats, observed: float) -> float:
    """Return the achieved significance level of a difference, by the shift method.

    Differences in samples are shifted by the observed one, so that they lie around 0 as under the
    null hypothesis. (Shifted by their own mean, differences on the edge would be counted or not by
    chance, if a measure has few values.)

    Parameters
    ----------
    replicates
        The difference in each sample; NaN if the measure is undefined.
    observed
        The difference on all questions.

    Source: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, chapter 16; Noreen 1989.
    """
    known = replicates[~np.isnan(replicates)]
    if np.isnan(observed) or not len(known):
        return float("nan")
    shifted = np.abs(known - observed)
    return float(((shifted >= abs(observed) - TOLERANCE).sum() + 1) / (len(known) + 1))


def bootstrap_margin(replicates: Floats, observed: float, level: float) -> float:
    """Return half the width of the interval that inverts the bootstrap test.

    `level` is the p, in 0..1, up to which a difference is significant; the others are as in
    `bootstrap`. Infinite if even the largest difference has a greater p.
    """
    known = replicates[~np.isnan(replicates)]
    if np.isnan(observed) or not len(known):
        return float("nan")
    shifted = np.sort(np.abs(known - observed))[::-1]
    reached = int(np.floor(level * (len(known) + 1) + TOLERANCE)) - 1  # samples beyond the margin
    return float("inf") if reached < 0 else float(shifted[min(reached, len(shifted) - 1)])


def t_margin(differences: Floats, level: float) -> float:
    """Return half the width of the interval of the t test at a level in 0..1."""
    stats = scipy_stats("t")
    number = len(differences)
    error = differences.std(ddof=1) / number**0.5
    return float(stats.t.ppf(1 - level / 2, number - 1) * error)


def t(differences: Floats) -> float:
    """Return p of the paired t test; 1 if no question differs, NaN of a single question."""
    scipy_stats("t")
    from scipy.special import stdtr  # a hundredth of the time of ttest_1samp

    if not (np.abs(differences) > TOLERANCE).any():
        return 1.0
    if len(differences) < 2:
        return nan
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    statistic = abs(float(differences.mean())) / error if error > TOLERANCE else math.inf
    return float(2 * stdtr(len(differences) - 1, -statistic))


EXACT_RANKS = 50
"""With at most so many differing questions, all signs of the ranks are counted."""


def wilcoxon(differences: Floats) -> float:
    """Return p of the Wilcoxon signed rank test; 1 if no question differs.

    Differences of 0 are dropped, equal sizes share their mean rank. With at most `EXACT_RANKS`
    other differences, p is exact given these ranks, also if some are shared; with more, the sum
    of ranks is taken as normal, its variance corrected for shared ranks, without a continuity
    correction. Computed here, because versions of scipy differ in when they are exact.

    Source: Wilcoxon 1945; Lehmann, Nonparametrics, 1975, section 3.2 (shared ranks).
    """
    signed = _signed_ranks(differences)
    if not len(signed):
        return 1.0
    doubled = np.abs(signed)
    total, balance = int(doubled.sum()), abs(int(signed.sum()))
    if len(signed) <= EXACT_RANKS:
        return _exact_ranks(doubled.tolist(), (total - balance) // 2)
    deviation = math.sqrt(float((doubled.astype(float) ** 2).sum()))
    return math.erfc(balance / deviation / math.sqrt(2))


def _signed_ranks(differences: Floats) -> Integers:
    """Return twice the rank, which may end in 1/2, of each difference with its sign, without 0."""
    signed = differences[np.abs(differences) > TOLERANCE]
    place = _places(np.abs(signed))
    times = np.bincount(place)
    doubled = (2 * np.cumsum(times) - times + 1)[place]
    return np.where(signed > 0, doubled, -doubled)


def _places(values: Floats) -> Integers:
    """Number the distinct values of each column, from 0 for the smallest.

    A value is distinct if it exceeds the next smaller one by more than `TOLERANCE`. Rounding would
    separate equal values that lie on two sides of a border: 1/2 - 1/3 and 1/3 - 1/6 of floats.
    """
    order = np.argsort(values, axis=0)
    ascending = np.take_along_axis(values, order, axis=0)
    steps = np.diff(ascending, axis=0, prepend=ascending[:1]) > TOLERANCE
    places = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(places, order, np.cumsum(steps, axis=0), axis=0)
    return places


def _exact_ranks(doubled: Sequence[int], lower: int) -> float:
    """Return the share of all choices of signs whose sum of ranks is as far from the middle."""
    ways = np.zeros(sum(doubled) + 1, dtype=np.int64)  # at most 2^50
    ways[0] = 1
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[:-rank]
    return min(1.0, 2 * int(ways[: lower + 1].sum()) / (1 << len(doubled)))


def sign(differences: Floats) -> float:
    """Return p of the exact sign test; ties are dropped."""
    wins = int((differences > TOLERANCE).sum())
    return coin(wins, wins + int((differences < -TOLERANCE).sum()))


def mcnemar(differences: Floats) -> float:
    """Return p of the exact McNemar test of differences of outcomes of 0 and 1."""
    return sign(differences)


@lru_cache(2**14)
def coin(heads: int, tosses: int) -> float:
    """Return the exact two-sided binomial p of `heads` in `tosses` of a fair coin."""
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
"""Name -> test of the differences per question."""


def balance(test: str, differences: Floats) -> float:
    """Return the statistic of a test, above 0 if it favours positive differences.

    The sign test and Wilcoxon's may favour the run with the lower mean.
    """
    if test == "wilcoxon":
        return float(_signed_ranks(differences).sum())
    if test in ("sign", "mcnemar"):
        return float((differences > TOLERANCE).sum() - (differences < -TOLERANCE).sum())
    return float(differences.mean())


# --- all runs at once -----------------------------------------------------------------------------


class Omnibus(NamedTuple):
    """The result of a test of all runs.

    Attributes
    ----------
    statistic, p
        F of the analysis of variance, or Friedman's chi square, and its p under the hypothesis that
        no run differs from any other.
    pairs
        p of each pair of runs, adjusted for all pairs: a symmetric matrix with 1 on the diagonal.
    means
        What was compared: the mean or, by Friedman's test, the mean rank of each run.
    margin
        Takes a level in 0..1, returns half the width of the interval of a difference that is not
        rejected at this level; NaN if the test does not compare means.
    """

    statistic: float
    p: float
    pairs: Floats
    means: Floats
    margin: Callable[[float], float]


def tukey(values: Floats) -> Omnibus:
    """Return the analysis of variance of runs and questions, and Tukey's HSD.

    Parameters
    ----------
    values
        A row for each run, a column for each question.
    """
    stats = scipy_stats("tukey")
    runs, questions = values.shape
    if questions < 2:
        raise UsageError("tukey needs at least two questions")
    means = values.mean(axis=1)
    left = values - means[:, None] - values.mean(axis=0) + values.mean()
    free = (runs - 1) * (questions - 1)
    error = (left**2).sum() / free
    between = questions * ((means - means.mean()) ** 2).sum() / (runs - 1)
    if error < TOLERANCE:
        raise UsageError(
            "tukey: runs differ by the same amount on every question, so there is no residual "
            "variance to compare with"
        )
    spread = np.sqrt(error / questions)
    p = float(stats.f.sf(between / error, runs - 1, free))

    def margin(level: float) -> float:
        return float(stats.studentized_range.isf(level, runs, free) * spread)

    pairs = _of_pairs(stats, means / spread, free)
    return Omnibus(float(between / error), p, pairs, means, margin)


def friedman(values: Floats) -> Omnibus:
    """Return Friedman's test, and Nemenyi's comparison of the mean ranks of all pairs.

    `values` are as for `tukey`, of at least three runs. Ties reduce the variance of ranks.
    """
    stats = scipy_stats("friedman")
    runs, questions = values.shape
    if runs < 3:
        raise UsageError("friedman needs at least three runs; use sign for two")
    places = _places(values)
    ranks = stats.rankdata(places, axis=0)
    # under the null hypothesis the ranks of a question are permuted: the standard deviation of the
    # mean rank of a run, as needed for differences
    spread = np.sqrt(((ranks - (runs + 1) / 2) ** 2).sum() / (runs - 1)) / questions
    if spread < TOLERANCE:
        raise UsageError("friedman: all runs are tied on every question")
    chi_square, p = stats.friedmanchisquare(*places)
    means = ranks.mean(axis=1)
    pairs = _of_pairs(stats, means / spread)
    return Omnibus(float(chi_square), float(p), pairs, means, lambda _: nan)


def _of_pairs(stats: ModuleType, standardised: Floats, free: float = np.inf) -> Floats:
    """Return p of each pair by the studentized range of the standardised means."""
    matrix = np.ones((len(standardised), len(standardised)))
    above = np.triu_indices(len(standardised), 1)
    differences = np.abs(standardised[:, None] - standardised)[above]
    p = stats.studentized_range.sf(differences, len(standardised), free)
    matrix[above] = np.clip(p, 0, 1)
    matrix.T[above] = matrix[above]
    return matrix


OF_ALL = {"tukey": tukey, "friedman": friedman}
"""Name -> test of all runs."""


# --- corrections ----------------------------------------------------------------------------------


def corrected(p_values: Floats, correction: str) -> Floats:
    """Return corrected p values.

    Parameters
    ----------
    p_values
        One for each pair, in 0..1; NaN if there is no test, which does not count as a pair.
    correction
        A key of `procedures.CORRECTIONS`.

    Returns
    -------
    Floats
        One for each pair, not smaller than before and at most 1.
    """
    adjusted = p_values.copy()
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    if len(order):
        adjusted[order] = np.minimum(1, _CORRECTIONS[correction](p_values[order]))
    return adjusted


def cutoff(p_values: Floats, correction: str, alpha: float) -> float:
    """Return the uncorrected p up to which a difference is significant, in 0..alpha.

    All p up to it are significant after the correction, and all others are not. It is the largest
    p with which the first result that is not significant would be so (if all are: the last one).
    """
    known = np.sort(p_values[~np.isnan(p_values)])
    significant = int((corrected(known, correction) <= alpha).sum())

    def is_significant(p: float) -> bool:
        tried = known.copy()
        tried[min(significant, len(known) - 1)] = p
        return bool(corrected(tried, correction)[min(significant, len(known) - 1)] <= alpha)

    if not len(known) or is_significant(alpha):
        return alpha
    low, high = 0.0, alpha
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if is_significant(middle) else (low, middle)
    return low


def _fdr(ordered: Floats) -> Floats:
    """Multiply the k-th smallest by m / k; none may exceed the next larger one."""
    grown = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
    return np.minimum.accumulate(grown[::-1])[::-1]


_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    # the smallest is multiplied by m, the next by m - 1, and so on, without any decrease
    "holm": lambda ordered: np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1)),
    "bonferroni": lambda ordered: ordered * len(ordered),
    "fdr": _fdr,
    # and by 1 + 1/2 + ... + 1/m, which allows for any dependence of the pairs
    "by": lambda ordered: _fdr(ordered) * float((1 / np.arange(1, len(ordered) + 1)).sum()),
    "none": lambda ordered: ordered,
}
