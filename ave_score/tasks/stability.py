"""The stability of measures on random samples of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NamedTuple, Unpack

from ave_score.core.drawing import Drawn
from ave_score.core.entrants import TableWords, takes
from ave_score.core.policies import Policies
from ave_score.inference.samples import Sampled, Sampling, Watch
from ave_score.inference.stability import Comparisons, stability_curve
from ave_score.tasks.given import GoldGiven, SubjectsGiven
from ave_score.tasks.study import Samples, Study
from ave_score.tasks.subjects import MeasuresGiven


class Stability(NamedTuple):
    """A measure in its samples, and the outcomes at each fuzziness."""

    sampled: Sampled
    curve: Sequence[Comparisons]


@dataclass(frozen=True, repr=False)
class StabilityStudy(Study, Drawn):
    """The error rates and ties of measures: what `ave-score stability` reports.

    `to_frame` has a row for each measure and fuzziness; rates are in 0..1. `plot` draws the ties
    over the error rate, a curve for each measure.

    Attributes
    ----------
    measures
        Each measure with the outcomes of its comparisons.
    """

    measures: Sequence[Stability] = ()


@takes(TableWords)
def stability(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    *,
    measures: MeasuresGiven | None = None,
    sampling: Sampling | None = None,
    policies: Policies | None = None,
    watch: Watch = nullcontext,
    **words: Unpack[TableWords],
) -> StabilityStudy:
    """Estimate how often measures rank two runs differently in another sample, and tie them.

    Parameters
    ----------
    collection, runs
        As `score` takes them; at least two runs or QA systems.
    measures
        Names in a text, or a list. By default the group ave2007, of pairs only its measures of
        validation; for QA systems c_at_1 and answering_accuracy.
    sampling
        How samples are drawn; by default `Sampling()`, 500 samples of half of the units.
    policies
        How to count; by default `Policies()`.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    watch
        Passes the blocks of samples through, and may show progress.

    Returns
    -------
    StabilityStudy
        A curve for each measure.

    Raises
    ------
    UsageError
        An argument has a wrong type; a measure does not exist or cannot be computed on samples; the
        samples cannot be drawn.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    job = Samples(collection, runs, measures, sampling, policies, words)
    studied = [
        Stability(sampled, stability_curve(sampled.scores[0])) for sampled in job.sampled(1, watch)
    ]
    return StabilityStudy(*job.study([measure.sampled for measure in studied]), studied)
