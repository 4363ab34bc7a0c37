"""Do several runs differ at all, and which? Tests of all runs at once.

Runs are compared on the same questions, so that what belongs to questions is taken away first: both
are tests of complete blocks. (`scipy.stats.tukey_hsd` takes samples for independent, and would find
less.)

Sources: Tague-Sutcliffe, Blustein, A Statistical Analysis of the TREC-3 Data, 1994; Demšar,
Statistical Comparisons of Classifiers over Multiple Data Sets, 2006.
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import numpy as np

from ave_score.errors import UsageError
from ave_score.inference.by_question import SAME, Floats
from ave_score.inference.significance import scipy_stats


class Omnibus(NamedTuple):
    """What a test of all runs finds.

    Attributes
    ----------
    statistic, p
        Of the hypothesis that no run differs from any other: F of the analysis of variance, or
        Friedman's chi square.
    pairs
        p of each pair of runs, adjusted for all pairs: a symmetric matrix, 1 on the diagonal.
    """

    statistic: float
    p: float
    pairs: Floats


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
        raise UsageError("tukey compares two questions or more")
    means = values.mean(axis=1)
    left = values - means[:, None] - values.mean(axis=0) + values.mean()
    free = (runs - 1) * (questions - 1)
    error = (left**2).sum() / free
    between = questions * ((means - means.mean()) ** 2).sum() / (runs - 1)
    if error < SAME:
        raise UsageError(
            "tukey: runs differ by the same on every question, and chance has no spread to compare "
            "that with"
        )
    spread = np.sqrt(error / questions)
    p = float(stats.f.sf(between / error, runs - 1, free))
    return Omnibus(float(between / error), p, _of_pairs(stats, means / spread, free))


def friedman(values: Floats) -> Omnibus:
    """Return Friedman's test, and Nemenyi's comparison of the mean ranks of all pairs.

    `values` are those of `tukey`, of three runs at least. Where runs are tied on a question, the
    spread of ranks is that of the ranks which they share.
    """
    stats = scipy_stats("friedman")
    runs, questions = values.shape
    if runs < 3:
        raise UsageError("friedman compares three runs or more; sign compares two")
    ranks = stats.rankdata(np.round(values, 12), axis=0)
    # chance shares out the ranks of a question anew: the variance of the mean rank of a run, as far
    # as it tells in a difference
    spread = np.sqrt(((ranks - (runs + 1) / 2) ** 2).sum() / (runs - 1)) / questions
    if spread < SAME:
        raise UsageError("friedman: all runs are tied on every question")
    chi_square, p = stats.friedmanchisquare(*np.round(values, 12))
    return Omnibus(float(chi_square), float(p), _of_pairs(stats, ranks.mean(axis=1) / spread))


def _of_pairs(stats: ModuleType, standardised: Floats, free: float = np.inf) -> Floats:
    """Return p of the largest of all differences between so many standardised means."""
    found = np.ones((len(standardised), len(standardised)))
    above = np.triu_indices(len(standardised), 1)
    differences = np.abs(standardised[:, None] - standardised)[above]
    p = stats.studentized_range.sf(differences, len(standardised), free)
    found[above] = np.clip(p, 0, 1)
    found.T[above] = found[above]
    return found


OF_ALL = {"tukey": tukey, "friedman": friedman}
"""Name -> test of all runs."""
