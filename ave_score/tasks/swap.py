"""The differences between runs that measures require, by the swap method."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NamedTuple, Unpack

from ave_score.core.entrants import TableWords, takes
from ave_score.core.errors import UsageError
from ave_score.core.policies import Policies
from ave_score.inference.samples import Sampled, Sampling, Watch
from ave_score.inference.swap import USUAL, Agreement, Swaps, swap_counts
from ave_score.measures import Measure
from ave_score.tasks.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.tasks.study import Samples, Study
from ave_score.tasks.subjects import MeasuresGiven


class Swapped(NamedTuple):
    """A measure in its samples, and the outcomes of the comparisons."""

    sampled: Sampled
    swaps: Swaps


@dataclass(frozen=True, repr=False)
class SwapStudy(Study):
    """The differences that measures require: what `ave-score swap` reports.

    `to_frame` has a row for each measure and bin of differences; rates are in 0..1.

    Attributes
    ----------
    measures
        Each measure with the outcomes of its comparisons.
    agreement
        What a required difference has to reach.
    """

    measures: Sequence[Swapped] = ()
    agreement: Agreement = USUAL


@takes(TableWords)
def swap(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    *,
    measures: MeasuresGiven | None = None,
    sampling: Sampling | None = None,
    policies: Policies | None = None,
    agreement: Agreement | None = None,
    watch: Watch = nullcontext,
    **words: Unpack[TableWords],
) -> SwapStudy:
    """Estimate the difference between two runs needed for the same order in another sample.

    Parameters
    ----------
    collection, runs, measures, sampling, policies, columns, values, watch
        As `stability` takes them; measures that are numbers of questions do not fit the bins.
    agreement
        The percentage of comparisons without a swap that a required difference reaches; by default
        95, in the first bin that does.

    Returns
    -------
    SwapStudy
        The bins of each measure.

    Raises
    ------
    UsageError, DefectError, InputError
        As `stability`.
    """
    agreement = settings_of(agreement, Agreement)
    agreement.check()
    job = Samples(collection, runs, measures, sampling, policies, words)
    check_bins(job.measures)
    studied = [Swapped(sampled, swap_counts(sampled.scores)) for sampled in job.sampled(2, watch)]
    signed, names, resamples, seed, notes = job.study([measure.sampled for measure in studied])
    signed = f"{signed}|level:{float(agreement.level):g}"
    return SwapStudy(signed, names, resamples, seed, notes, studied, agreement)


def check_bins(measures: Sequence[Measure]) -> None:
    """Raise `UsageError` for measures that are numbers of questions."""
    numbers = [measure.key for measure in measures if measure.whole]
    if numbers:
        raise UsageError(f"{', '.join(numbers)}: counts of questions do not fit bins of 0.01")
