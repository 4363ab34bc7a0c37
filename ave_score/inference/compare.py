"""Pairwise comparison of runs by a measure: differences, intervals, tests, and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from ave_score.core.model import Replicated
from ave_score.core.policies import IntervalPolicy
from ave_score.core.processes import Workers
from ave_score.inference.by_question import ByQuestion
from ave_score.inference.comparable import check_measures, check_names, exact_values
from ave_score.inference.compare_records import Comparison, Design
from ave_score.inference.compared import ComparedBy
from ave_score.inference.intervals import KnownIntervals, closed_intervals
from ave_score.inference.resampling import replicate
from ave_score.inference.samples import Watch
from ave_score.inference.units import Gold, Subject, count_for, sampled_together
from ave_score.measures import Measure
from ave_score.measures.values import MeasureValues

REPAYS = 10
"""Tests of pairs that repay a process."""


def pairwise_tests(
    subjects: Sequence[Subject],
    gold: Gold,
    measures: Sequence[Measure],
    design: Design = Design(),  # noqa: B008 - it cannot be changed
    watch: Watch = nullcontext,
    known: KnownIntervals = KnownIntervals(),  # noqa: B008 - it cannot be changed
) -> list[Comparison]:
    """Compare runs, QA systems or responses by each of the measures.

    Samples are the same for all runs and measures; names and order of runs change no result.
    `watch` passes blocks of samples and pairs through, and may show progress.

    Parameters
    ----------
    subjects
        Runs and QA systems, or responses.
    gold
        Their collection, UNKNOWN labels resolved, or answer sets.
    known
        Intervals and samples as the design has them, which are not computed again.

    Raises
    ------
    UsageError
        Fewer than two runs, duplicate names, no run named as `against`, or measures that the test
        does not apply to or that cannot be computed on samples.
    """
    design.check()
    check_names([subject.name for subject in subjects], design.against)
    ordered = sorted(subjects, key=lambda subject: subject.name)
    values = exact_values(ordered, gold, measures, design.policies)
    made: dict[str, ComparedBy] = {}
    by_name = {subject.name: subject for subject in ordered}
    systems = [subject for subject in ordered if isinstance(subject, Replicated)]
    if all(len(system.runs) == 1 for system in systems):
        by_name |= {system.name: system.runs[0] for system in systems}
    for batch in sampled_together(ordered[0], measures):
        counted = [
            count_for(subject, gold, batch, design.policies, clusters=design.clusters)._replace(
                run=name
            )
            for name, subject in by_name.items()
        ]
        check_measures(counted, batch)
        made |= _by_measure(counted, batch, design, values, known, watch)
    compared = [made[measure.key] for measure in measures]
    tests = sum(len(runs.pairs) for runs in compared)
    with Workers(made, tests // REPAYS) as workers:
        results = [runs.results(workers, watch) for runs in compared]
        return [
            runs.comparison(tested, workers, watch)
            for runs, tested in zip(compared, results, strict=True)
        ]


def _by_measure(
    counted: Sequence[ByQuestion],
    measures: Sequence[Measure],
    design: Design,
    values: Mapping[str, MeasureValues],
    known: KnownIntervals,
    watch: Watch,
) -> dict[str, ComparedBy]:
    """Return the comparison by each of the measures that are computed on the same samples."""
    designs = [design.for_measure(measure, counted) for measure in measures]
    policy = IntervalPolicy(level=design.level)
    closed, sampled = closed_intervals(counted, measures, policy, known)
    tested = [
        measure for measure, own in zip(measures, designs, strict=True) if own.test == "bootstrap"
    ]
    unknown = [
        measure
        for measure in measures
        if (measure in sampled or measure in tested)
        and not all((run.run, measure.key) in known.samples for run in counted)
    ]
    drawn = replicate(counted, unknown, design.resampling, watch)
    replicates = {**known.samples, **drawn}
    return {
        measure.key: ComparedBy(counted, measure, own, values, replicates, closed)
        for measure, own in zip(measures, designs, strict=True)
    }
