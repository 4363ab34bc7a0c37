"""The mean of the runs of a system, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ave_score.core.errors import UsageError
from ave_score.inference.by_question import TOLERANCE, ByQuestion, CountRows, Floats
from ave_score.measures import Measure

_SAMPLES = 4
"""Samples of questions, in which a measure is compared with the mean of its values."""


def mean_of(name: str, runs: Sequence[ByQuestion], measures: Sequence[Measure]) -> ByQuestion:
    """Return the mean of the runs of a system, for each of the measures.

    A measure that is a mean of values of questions is one for the system, too. Any other, as F, is
    computed for each run. Raises `UsageError` if runs are scored on different questions.
    """
    first = runs[0]
    if any(run.ids != first.ids for run in runs):
        raise UsageError(f"the runs of {name} are scored on different questions")
    shared = [family for family in first.columns if all(family in run.columns for run in runs)]
    columns = {
        part: np.mean([np.asarray(run.columns[part]) for run in runs], axis=0) for part in shared
    }
    counted = ByQuestion(name, columns, ids=first.ids, unit=first.unit, runs=runs)
    able = [measure for measure in measures if all(run.has(measure) for run in runs)]
    means = {measure.key: rows for measure in able if (rows := _mean_rows(runs, measure))}
    return counted._replace(
        values=means,
        samplers={
            measure.key: partial(_mean_measured, runs, measure)
            for measure in able
            if measure.key not in means
        },
        reasons={key: why for run in runs for key, why in run.reasons.items()},
    )


def _mean_rows(runs: Sequence[ByQuestion], measure: Measure) -> CountRows | None:
    """Return the mean value of each question and 1, or zeros; None if the measure is no mean."""
    if not all(run.adds_up(measure) for run in runs):
        return None
    rows = np.array([run.as_values(measure).counts_of(measure) for run in runs])
    known = rows[0, :, 1]
    if (rows[:, :, 1] != known).any() or not known.any():
        return None
    # of all questions, a ratio may be equal to the mean by coincidence, but not of samples
    times = np.random.default_rng(0).integers(0, 4, (1 + _SAMPLES, len(known)))
    times[0] = 1
    times = times[(times @ known) > 0]
    means = (times @ rows[:, :, 0].T) / (times @ known)[:, None]
    wholes = np.column_stack([run.measured(measure, times) for run in runs])
    is_mean = np.abs(means - wholes) < TOLERANCE  # not where the whole is undefined
    return CountRows.of(rows.mean(axis=0)) if is_mean.all() else None


def _mean_measured(runs: Sequence[ByQuestion], measure: Measure, times: Floats) -> Floats:
    return np.asarray(np.mean([run.measured(measure, times) for run in runs], axis=0))
