"""The records of the significance tests, which help and documentation read."""

from __future__ import annotations

from typing import NamedTuple

_MEASURE = "{measure}"


class Procedure(NamedTuple):
    """The record of a significance test.

    Attributes
    ----------
    name
        Its name on the command line.
    title
        Its name in a sentence.
    does
        How it computes p.
    assumes
        Its assumptions.
    avoid
        When not to use it.
    source
        Its publications.
    of_values
        Whether it compares values per question, and so needs a measure that is their mean.
    adjusts
        Whether its p values are already adjusted for all pairs.
    swaps
        Whether it swaps the answers of two runs.
    has_own_error
        Whether it divides the difference of a ratio by its standard error, which has the
        denominators of each run itself.
    basis
        What it finds differences of, as a template of the `measure` and of the `unit`: the measure
        itself, or what it counts or ranks instead, from which nothing follows about the measure.
    """

    name: str
    title: str
    does: str
    assumes: str
    avoid: str
    source: str
    of_values: bool = True
    adjusts: bool = False
    swaps: bool = False
    has_own_error: bool = False
    basis: str = _MEASURE

    @property
    def is_of_measure(self) -> bool:
        """Whether it finds differences of the measure, and thus limits the ranks of runs by it."""
        return self.basis == _MEASURE


_PROCEDURES = (
    Procedure(
        "randomisation",
        "paired randomisation test",
        "swaps the answers of two runs at random, question by question. It counts how often the "
        "difference is at least as large as the observed one. For ratios, such as F, differences "
        "are divided by their standard errors, and p is not less than that of a t test. It goes "
        "through all ways of swapping if they are few, and uses importance sampling otherwise",
        "under the null hypothesis, the runs are equally good. The test is exact or conservative "
        "if they are also exchangeable on each question, and approximate for ratios of runs that "
        "accept different amounts",
        "to draw conclusions from ratios that rest on fewer than about 20 questions",
        "Noreen 1989; Yeh 2000; Janssen 1997; Chung, Romano 2013",
        of_values=False,
        swaps=True,
        has_own_error=True,
    ),
    Procedure(
        "bootstrap",
        "paired bootstrap test",
        "draws questions with replacement, shifts the differences to lie around 0, and counts "
        "those at least as large as the observed one",
        "the questions are a random sample of the questions of interest. Under the null "
        "hypothesis, the difference has the same distribution, shifted to 0",
        "with fewer than about 30 questions: p is too small, though at least 2 in 2ⁿ of n of them",
        "Efron, Tibshirani 1993, chapter 16; Noreen 1989",
        of_values=False,
    ),
    Procedure(
        "t",
        "paired t test",
        "compares the difference with its standard error, which for ratios such as F is linear in "
        "the counts of each run",
        "the difference is normally distributed, as it approximately is with many questions",
        "with few questions, or if almost all of them are ties",
        "Student 1908; Smucker, Allan, Carterette 2007",
        of_values=False,
        has_own_error=True,
    ),
    Procedure(
        "wilcoxon",
        "Wilcoxon signed rank test",
        "ranks the differences per question by absolute size and sums the ranks of each sign. "
        "Questions without a difference are dropped, and equal sizes share a rank. It is exact if "
        "at most 50 questions differ, and normal without a continuity correction otherwise",
        "under the null hypothesis, the differences are symmetric about 0",
        "to compare means, or if outcomes are 0 or 1: all differences then have the same size",
        "Wilcoxon 1945",
        basis="the signed ranks of the differences in {measure} per {unit}",
    ),
    Procedure(
        "sign",
        "sign test",
        "counts the questions that each run wins, as tosses of a coin. It drops ties and is exact",
        "questions are independent; under the null hypothesis, both runs are equally likely to win",
        "if the sizes of the differences matter",
        "Conover 1999, chapter 3",
        basis="the number of {unit}s with the better {measure}",
    ),
    Procedure(
        "mcnemar",
        "McNemar test",
        "counts the questions that only one of two runs gets right, as tosses of a coin. It is the "
        "sign test of binary outcomes, and exact",
        "questions are independent, and each is right or wrong",
        "if outcomes of questions are not 0 or 1: such measures are refused",
        "McNemar 1947",
    ),
    Procedure(
        "crossed",
        "crossed t test of questions and runs",
        "compares the difference of means over the runs of two systems with its standard error. "
        "Its variance is that over questions plus that over the runs of both systems, and the "
        "degrees of freedom are Satterthwaite's. It is the default with `--replicates` if all "
        "systems have two or more runs",
        "questions and runs are random samples of those of interest, and all runs of a system "
        "differ only by chance, such as in their seeds. The difference is approximately normal",
        "with two runs of a system, if three are possible: they hardly show how much runs differ. "
        "Systems with one run are refused",
        "Satterthwaite 1946; Miller 1974; Brennan 2001",
        of_values=False,
    ),
    Procedure(
        "tukey",
        "Tukey HSD test after an analysis of variance of runs and questions",
        "removes the effects of questions and compares all runs at once with the residual variance",
        "residuals are normal, of equal variance, and independent; the spreads of the differences "
        "of all pairs are equal",
        "with few questions, if outcomes are 0 or 1 and nearly always the same, or if runs differ "
        "in spread. More than 5 % of campaigns then have a false difference",
        "Tukey 1953; Tague-Sutcliffe, Blustein 1994",
        adjusts=True,
    ),
    Procedure(
        "friedman",
        "Friedman test with Nemenyi's comparison of all pairs",
        "ranks the runs on each question and compares their mean ranks. Ties share a rank, and the "
        "variance is that of the tied ranks, also in Nemenyi's comparison. Demšar 2006 and "
        "scikit-posthocs do not correct it for ties, and find less",
        "questions are independent, and there are enough for mean ranks to be normal",
        "with two runs (use sign), or to estimate by how much a run is better",
        "Friedman 1937; Nemenyi 1963; Demšar 2006",
        adjusts=True,
        basis="the mean rank in {measure} over {unit}s",
    ),
)

PROCEDURES = {procedure.name: procedure for procedure in _PROCEDURES}
"""Name -> test, the default first."""

OF_SINGLE_RUNS = [name for name in PROCEDURES if name != "crossed"]
"""The tests that need one run of each system."""

CORRECTIONS = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "fdr": "the false discovery rate of Benjamini and Hochberg",
    "by": "the false discovery rate of Benjamini and Yekutieli",
    "none": "no correction",
}
"""Name -> name in a sentence, the default first."""

CONTROLS = {
    "holm": "the probability of any false difference, for any dependence of the pairs",
    "bonferroni": "the same as holm, but finds less",
    "fdr": "the expected share of false differences among those found, if the tests of the pairs "
    "are independent or positively dependent. Pairs that share a run are dependent in both "
    "directions, so this is not guaranteed",
    "by": "the expected share of false differences among those found, for any dependence of the "
    "pairs",
    "none": "nothing: only for one pair chosen in advance",
}
"""Name of a correction -> what it controls."""

FAMILY_WISE = frozenset(["holm", "bonferroni"])
"""Corrections that limit the probability of any false difference, and so the ranks of all runs."""
