"""Families of tests: p values that are corrected together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import Floats
from ave_score.inference.significance import corrected, cutoff

FAMILIES = ("measure", "measures")
"""What p may be corrected for, the default first: the pairs of each measure, or of all together."""


class Corrected(NamedTuple):
    """The corrected p values of a measure.

    Attributes
    ----------
    adjusted
        The corrected p of each pair, in 0..1.
    cutoff
        The uncorrected p up to which a difference is significant.
    tests
        The number of p values that were corrected together.
    """

    adjusted: Floats
    cutoff: float
    tests: int


def correct(
    of_measures: Sequence[Floats], correction: str, alpha: float, family: str
) -> list[Corrected]:
    """Correct p of the pairs of each measure, or of all measures together.

    Parameters
    ----------
    of_measures
        For each measure, p of each pair; NaN if there is no test.
    correction
        A key of `procedures.CORRECTIONS`.
    alpha
        The significance level, in 0..1.
    family
        One of `FAMILIES`.
    """
    is_joint = family == "measures"
    families = [np.concatenate(of_measures)] if is_joint else of_measures
    made = [
        Corrected(corrected(p, correction), cutoff(p, correction, alpha), len(p)) for p in families
    ]
    if not is_joint:
        return made
    ends = np.cumsum([len(p) for p in of_measures])[:-1]
    return [made[0]._replace(adjusted=part) for part in np.split(made[0].adjusted, ends)]
