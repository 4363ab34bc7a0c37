"""The records of the significance tests; docs/explanation/which-test.md explains them."""

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
        of_values=False,
        swaps=True,
        has_own_error=True,
    ),
    Procedure("bootstrap", "paired bootstrap test", of_values=False),
    Procedure("t", "paired t test", of_values=False, has_own_error=True),
    Procedure(
        "wilcoxon",
        "Wilcoxon signed rank test",
        basis="the signed ranks of the differences in {measure} per {unit}",
    ),
    Procedure("sign", "sign test", basis="the number of {unit}s with the better {measure}"),
    Procedure("mcnemar", "McNemar test"),
    Procedure("crossed", "crossed t test of questions and runs", of_values=False),
    Procedure(
        "tukey", "Tukey HSD test after an analysis of variance of runs and questions", adjusts=True
    ),
    Procedure(
        "friedman",
        "Friedman test with Nemenyi's comparison of all pairs",
        adjusts=True,
        basis="the mean rank in {measure} over {unit}s",
    ),
)

PROCEDURES = {procedure.name: procedure for procedure in _PROCEDURES}
"""Name -> test, the default first."""

CORRECTIONS = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "fdr": "the false discovery rate of Benjamini and Hochberg",
    "by": "the false discovery rate of Benjamini and Yekutieli",
    "none": "no correction",
}
"""Name -> name in a sentence, the default first."""

FAMILY_WISE = frozenset(["holm", "bonferroni"])
"""Corrections that limit the probability of any false difference, and so the ranks of all runs."""
