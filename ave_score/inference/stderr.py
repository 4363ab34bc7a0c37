"""Standard errors of measures, and the part of them that is due to replicates of questions.

Source: Miller, Adding Error Bars to Evals, 2024, for clusters and replicates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import FINE_STEP, ByQuestion, Floats
from ave_score.measures import Measure


def standard_error(counted: ByQuestion, measure: Measure) -> float:
    """Return the standard error of a measure; NaN if it is not computed from sums over units.

    Of a mean over questions, it is their standard deviation, with n - 1, by the root of n; of
    clusters, the squared sums of deviations count, times C / (C - 1). Other ratios are linearised.
    """
    if not counted.adds_up(measure) or counted.questions < 2:
        return np.nan
    added = linear_parts(counted, counted, measure)
    return round(float(np.sqrt(len(added) * added.var(ddof=1))), 10)  # derivatives are numeric


def linear_parts(units: ByQuestion, counted: ByQuestion, measure: Measure) -> Floats:
    """Return the linear contribution of some units to the measure of a run."""
    rows = units.rows_of(measure)
    slopes = counted.slopes(measure, counted.rows_of(measure).total[None], FINE_STEP)[0]
    with np.errstate(invalid="ignore"):  # a slope may be infinite, where there is no error
        return np.asarray((rows.distinct @ slopes)[rows.index])


def epochs_variance(counted: ByQuestion, measure: Measure) -> float:
    """Return the part of the squared standard error that is due to replicates.

    It is the sum over questions of the variance within them by the number of their replicates; a
    question with one has the mean variance. NaN if the measure is not computed from sums.
    """
    epochs = counted.replicates
    if epochs is None:
        return 0.0
    if not epochs.adds_up(measure):
        return np.nan
    added = linear_parts(epochs, counted, measure)
    _, question, sizes = np.unique(epochs.ids, return_inverse=True, return_counts=True)
    means = np.bincount(question, added) / sizes
    squares = np.bincount(question, (added - means[question]) ** 2)
    several = sizes > 1
    return float((squares[several] / (sizes[several] - 1)).mean() * (1 / sizes).sum())


class RunErrors(NamedTuple):
    """The standard errors of a run, and the shares of their squares that are due to replicates.

    Both have the measures' keys: of those that are computed from sums over units, and of questions
    with replicates.
    """

    stderr: dict[str, float]
    due_to_epochs: dict[str, float]

    def add(self, counted: ByQuestion, measures: Iterable[Measure]) -> None:
        """Add the standard errors of measures that have one."""
        for measure in measures:
            error, within = standard_error(counted, measure), epochs_variance(counted, measure)
            if not np.isnan(error):
                self.stderr[measure.key] = error
            if counted.replicates is not None and error > 0 and not np.isnan(within):
                self.due_to_epochs[measure.key] = within / error**2
