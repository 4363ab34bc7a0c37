"""What becomes of p where many pairs are compared: something is always found in enough pairs.

Sources: Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979; Benjamini, Hochberg,
Controlling the False Discovery Rate, 1995.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ave_score.inference.by_question import Floats


def corrected(p_values: Floats, correction: str) -> Floats:
    """Return p as they are to be compared with the level.

    Parameters
    ----------
    p_values
        One a pair, in 0..1; NaN where there is no test, which is no pair either.
    correction
        A key of `kinds.CORRECTIONS`.

    Returns
    -------
    Floats
        One a pair, none of them smaller than it was, nor above 1.
    """
    found = p_values.copy()
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    if len(order):
        found[order] = np.minimum(1, _CORRECTIONS[correction](p_values[order]))
    return found


def _holm(ordered: Floats) -> Floats:
    """The smallest is multiplied by all pairs, the next by one less; none below the one before."""
    return np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1))


def _bonferroni(ordered: Floats) -> Floats:
    return ordered * len(ordered)


def _fdr(ordered: Floats) -> Floats:
    """The largest stays, the one before grows by m / (m - 1); none above the one behind."""
    grown = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
    return np.minimum.accumulate(grown[::-1])[::-1]


def _none(ordered: Floats) -> Floats:
    return ordered


_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "bonferroni": _bonferroni,
    "fdr": _fdr,
    "none": _none,
}
