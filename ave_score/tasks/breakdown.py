"""Scores of groups of questions: of each type, topic or document, and over all groups.

The micro value is the measure on all questions; the macro value is the mean over groups, in which a
group of few questions weighs as much as one of many. Intervals are computed with the groups fixed:
questions are sampled inside each group, independently of the other groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import hypot
from typing import NamedTuple, Unpack

import numpy as np

from ave_score.core.entrants import RankedSystems, checked, takes
from ave_score.core.model import Clusters, ClustersGiven
from ave_score.core.parts import Extent
from ave_score.core.policies import IntervalPolicy, Policies, settled_gold
from ave_score.counts.counted import Counted
from ave_score.inference.by_question import CLUSTER, NO_SAMPLER, TOLERANCE, ByQuestion, Floats
from ave_score.inference.crossed import Crossed, over_groups, over_questions, over_runs
from ave_score.inference.intervals import (
    ALL_EQUAL,
    Estimate,
    RunIntervals,
    crossed_interval,
    interval_of,
)
from ave_score.inference.resampling import (
    Replicates,
    Resampling,
    bca,
    jackknife,
    replicate_each,
    whole,
)
from ave_score.inference.stderr import RunErrors
from ave_score.inference.units import Gold, Subject, count_for, exact_counts, sampled_together
from ave_score.measures import Measure
from ave_score.measures.confidence import INFINITE
from ave_score.measures.values import mean_values, values_of
from ave_score.tasks.broken_down import MACRO, MICRO, Breakdown, BrokenDown, Part
from ave_score.tasks.given import GoldGiven, SubjectsGiven, settings_of
from ave_score.tasks.groups import SHARED_CLUSTERS, are_shared, members_of, number_of
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import not_primary_notes, with_entrants
from ave_score.tasks.replicates import (
    notes_on_equal_replicates,
    notes_on_means,
    replicated,
    singles,
)
from ave_score.tasks.scores import Row, rows_of
from ave_score.tasks.subjects import (
    MeasuresGiven,
    excluded_from,
    kind_of,
    kinds_of,
    signature_of,
    subset,
    subset_of_gold,
    table_measures,
    wanted_measures,
    with_common,
)

ONE_UNIT = "a group of one {} cannot be sampled"


@takes(RankedSystems)
def break_down(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    by: ClustersGiven | None = None,
    *,
    measures: MeasuresGiven | None = None,
    policies: Policies | None = None,
    stderr: bool = False,
    **entrants: Unpack[RankedSystems],
) -> Breakdown:
    """Score runs, QA systems or responses on each group of questions, and over all groups.

    Parameters
    ----------
    collection, runs, reference, primary, replicates
        As `score` takes them; baselines come last, and a note names the runs that are not primary.
        The figures of a system are the means of those of its runs.
    max_per_topic, documents
        What TREC runs may have, as `score` takes it.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    by
        The group of each question or pair: an attribute of the questions, the path of a table of
        q_id and group (TSV), a frame or rows with these columns, or its value (`read_clusters`).
    measures
        Names in a text, or a list. By default those of tables: the group ave2007, respubliqa for QA
        systems only, those of the types of questions for responses.
    policies
        How to count, and the intervals; by default `Policies()`.
    stderr
        Whether groups have standard errors, and tables show them.

    Returns
    -------
    Breakdown
        The groups of each run, in the order of the questions, then micro (all questions) and macro
        (the mean over the groups).

    Raises
    ------
    UsageError
        An argument has a wrong type; a question has no group; two runs have the same name; a
        measure does not exist; a pattern matches no run.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    policies = settings_of(policies, Policies)
    inputs = Inputs(policies, entrants=checked(entrants, RankedSystems))
    gold, systems = inputs.gold(collection)
    subjects = [*replicated(inputs.subjects(gold, systems, runs), inputs.replicates())]
    if measures is None:
        measures = table_measures(kinds_of(subjects, gold))
    rows = with_entrants(rows_of(subjects), inputs, gold.standard)
    wanted = wanted_measures(measures, gold)
    return break_down_read(inputs, gold, subjects, by, wanted, rows, stderr=stderr)


def break_down_read(
    inputs: Inputs,
    gold: Gold,
    subjects: Sequence[Subject],
    by: ClustersGiven | None,
    wanted: Sequence[Measure],
    rows: Sequence[Row],
    *,
    stderr: bool = False,
) -> Breakdown:
    """Score what was read on groups of questions, as `break_down`; `rows` say what each is."""
    policies = inputs.policies
    groups = inputs.clusters(by, gold)
    settled = settled_gold(gold, policies.unknown)
    subjects = [with_common(subject, gold) for subject in subjects]
    scored = scores_of_groups(settled, subjects, wanted, policies, groups, stderr=stderr)
    ranks = any(measure.is_ranked for measure in wanted)
    line = f"{signature_of(gold, subjects, policies, ranks=ranks)}|by:{groups}"
    listed = [
        run._replace(kind=row.kind, is_ranked=row.is_ranked)
        for run, row in zip(scored, rows, strict=True)
    ]
    listed.sort(key=lambda run: not run.kind.is_submitted)
    made = Breakdown(
        groups.name, wanted, listed, gold.standard.unit, line, intervals=policies.intervals
    )
    notes = [*excluded_from(subjects, gold), *notes_on_means(subjects)]
    notes += [*notes_on_equal_replicates(subjects), *not_primary_notes(rows)]
    return replace(made, notes=notes, with_errors=stderr)


class _Sampled(NamedTuple):
    """A measure of a run on a group: its counts, and its values in samples, for intervals."""

    counted: ByQuestion
    replicates: Floats | None


def scores_of_groups(
    gold: Gold,
    subjects: Sequence[Subject],
    measures: Sequence[Measure],
    policies: Policies,
    groups: Clusters,
    *,
    stderr: bool = False,
) -> list[BrokenDown]:
    """Score runs, systems or responses on each group of questions.

    Parameters
    ----------
    gold
        The collection, UNKNOWN labels resolved, or answer sets.
    groups
        The group of each question, or pair.

    Raises
    ------
    UsageError
        A question has no group, or two runs have the same name.
    """
    clusters = policies.intervals and policies.intervals.clusters
    members = members_of(gold, groups, clusters)
    why_not = SHARED_CLUSTERS if are_shared(clusters, groups, gold.ids) else ""
    scored: list[list[Part]] = [[] for _ in subjects]
    sampled: list[list[dict[str, _Sampled]]] = [[] for _ in subjects]
    parts = [(name, ids, False) for name, ids in members.items()]
    parts.append((MICRO, [*gold.ids], True))
    for number, (name, ids, is_micro) in enumerate(parts, 1):
        part = gold if is_micro else subset_of_gold(gold, ids)
        narrowed = [subject if is_micro else subset(subject, part) for subject in subjects]
        counted = [
            [exact_counts(run, part, measures, policies) for run in singles([subject])]
            for subject in narrowed
        ]
        # the samples of all questions are those of scores without groups
        seed = 0 if is_micro else number
        samples = _samples(narrowed, part, measures, policies, seed, stderr=stderr)
        for done, of_runs, here in zip(scored, counted, samples, strict=True):
            extent = of_runs[0].extent  # the runs of a system have the same questions
            units = len(ids) if extent is None else _units(extent)
            is_alone = units < 2 or number_of(ids, clusters) < 2
            why = ONE_UNIT.format(CLUSTER if clusters else "question") if is_alone else NO_SAMPLER
            done.append(_part(name, units, of_runs, measures, here, policies, why))
        for of_groups, here in zip(sampled, samples, strict=True):
            of_groups.append(here)
    how = policies, why_not
    return [
        BrokenDown(subject.name, kind_of(subject), [*done, _macro(done, drawn, measures, *how)])
        for subject, done, drawn in zip(subjects, scored, sampled, strict=True)
    ]


def _units(extent: Extent) -> int:
    return extent.questions or extent.answers


# --- values and intervals -------------------------------------------------------------------------


def _samples(
    subjects: Sequence[Subject],
    gold: Gold,
    measures: Sequence[Measure],
    policies: Policies,
    number: int,
    *,
    stderr: bool,
) -> list[dict[str, _Sampled]]:
    """Return the samples of each subject by measures' keys; none if nothing needs them.

    `number` is that of the group; groups are sampled independently.
    """
    samples: list[dict[str, _Sampled]] = [{} for _ in subjects]
    policy = policies.intervals
    if policy is None and not stderr:
        return samples
    for together in sampled_together(subjects[0], measures):
        counted = [
            count_for(subject, gold, together, policies)._replace(run=str(at))
            for at, subject in enumerate(subjects)
        ]
        able = [run for run in counted if any(map(run.has, together)) and run.questions > 1]
        if policy is not None and (by := policy.clusters) is not None:
            able = [run.by_cluster(by) for run in able if number_of(run.ids, by) > 1]
        replicates: Replicates = {}
        if policy is not None:
            resampling = Resampling(policy.resamples, policy.seed + number)
            replicates = replicate_each(able, together, resampling)
        for counts in able:
            for measure in filter(counts.has_values, together):
                drawn = replicates.get((counts.run, measure.key))
                samples[int(counts.run)][measure.key] = _Sampled(counts, drawn)
    return samples


def _part(
    name: str,
    questions: int,
    of_runs: Sequence[Counted],
    measures: Sequence[Measure],
    samples: Mapping[str, _Sampled],
    policies: Policies,
    why: str,
) -> Part:
    """Return the part of a run; `why` says why a measure that has a sampler has no interval."""
    of_groups = (counted._replace(other_ties={}) for counted in of_runs)  # which are not told
    values, reasons, *_ = mean_values([values_of(counted, measures) for counted in of_groups])
    infinite = {key for key, why in reasons.items() if why == INFINITE}
    bounds, policy = RunIntervals({}, {}), policies.intervals
    for measure in measures if policy is not None else ():
        sample = samples.get(measure.key)
        if sample is not None and sample.replicates is not None and policy is not None:
            estimate = interval_of(sample.counted, measure, sample.replicates, policy)
            bounds.keep(measure, estimate)
        elif values[measure.key] is not None:
            bounds.reasons[measure.key] = measure.no_interval or why
    errors = RunErrors({}, {})
    for measure in measures:
        if measure.key in samples and values[measure.key] is not None:
            errors.add(samples[measure.key].counted, [measure])
    return Part(name, questions, values, *bounds, infinite, errors.stderr)


def _macro(
    parts: Sequence[Part],
    samples: Sequence[Mapping[str, _Sampled]],
    measures: Sequence[Measure],
    policies: Policies,
    why_not: str,
) -> Part:
    """Return the means over the groups in which a measure is defined; micro is the last part.

    The mean of a measure that is infinite in a group is infinite, too. `why_not` says why there are
    no intervals and errors of means, if there are none.
    """
    groups = parts[:-1]
    values: dict[str, Fraction | None] = {}
    infinite = frozenset[str]().union(*(part.infinite for part in groups))
    bounds, errors = RunIntervals({}, {}), dict[str, float]()
    for measure in measures:
        key = measure.key
        defined = [n for n, part in enumerate(groups) if part.values[key] is not None]
        if key in infinite:
            defined = []
        known = [groups[n].values[key] or Fraction(0) for n in defined]
        values[key] = sum(known, Fraction(0)) / len(known) if known else None
        of_errors = [groups[n].stderr[key] for n in defined if key in groups[n].stderr]
        if known and len(of_errors) == len(known) and not why_not:
            errors[key] = hypot(*of_errors) / len(known)
        if policies.intervals is None or not known:
            continue
        of_groups = [
            sample
            for n in defined
            if (sample := samples[n].get(key)) is not None and sample.replicates is not None
        ]
        if len(of_groups) == len(defined) and not why_not:
            bounds.keep(measure, _macro_interval(of_groups, measure, policies.intervals))
        else:
            bounds.reasons[key] = measure.no_interval or why_not or "a group has none"
    return Part(MACRO, len(groups), values, *bounds, infinite, errors)


def _macro_interval(
    groups: Sequence[_Sampled], measure: Measure, policy: IntervalPolicy
) -> Estimate:
    """Return the interval of a mean over groups: of a system, over its runs, too; else sampled.

    Without one question, only the value of its group changes.
    """
    wholes = [whole(group.counted, measure) for group in groups]
    value = float(np.mean(wholes))
    if len(groups[0].counted.runs) > 1:
        spread = _spread(groups, measure)
        if spread.is_known:
            return crossed_interval(spread, measure, value, policy)
    replicates = np.mean([group.replicates for group in groups if group.replicates is not None], 0)
    known = replicates[~np.isnan(replicates)]
    if not len(known) or np.ptp(known) < TOLERANCE:
        return Estimate(np.nan, np.nan, "", ALL_EQUAL)
    changes = [
        (jackknife(group.counted, measure) - of_group) / len(groups)
        for group, of_group in zip(groups, wholes, strict=True)
    ]
    interval = bca(replicates, value, value + np.concatenate(changes), policy.level / 100)
    return Estimate(*interval, "bca")


def _spread(groups: Sequence[_Sampled], measure: Measure) -> Crossed:
    """Return the standard error of the mean over groups of a system: all share its runs."""
    of_runs = [[whole(run, measure) for run in group.counted.runs] for group in groups]
    each = [over_questions(measure, group.counted) for group in groups]
    return over_groups(each, [over_runs(np.mean(of_runs, axis=0))])
