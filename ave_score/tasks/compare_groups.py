"""Differences between runs on each group of questions, and of their means over groups.

The groups are fixed, and the questions of each are a sample, independent of the others. A
difference on a group is tested as `compare` tests it on all questions. That of macro means, in
which each group weighs the same, is tested by t: its squared standard error is the sum of those of
the groups over their squared number, and the degrees of freedom are those of Satterthwaite. So it
asks whether the true differences are 0 on average over these groups; they may differ between them.

Groups share the runs of a system, so what the crossed test adds for runs is not summed over groups:
it is the variance of the macro means of the runs. The standard error of a measure that ranks the
answers to all questions together is that of the jackknife.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from math import isnan, nan, sqrt
from typing import Unpack

import numpy as np

from ave_score.core.entrants import Entrants, takes
from ave_score.core.errors import UsageError
from ave_score.core.model import ClustersGiven
from ave_score.core.policies import settled_gold
from ave_score.inference.comparable import exact_values
from ave_score.inference.compare import pairwise_tests
from ave_score.inference.compare_records import CROSSED, Comparison, Design, Pair
from ave_score.inference.crossed import Variance, over_groups, over_runs
from ave_score.inference.paired import Score
from ave_score.inference.resampling import Interval
from ave_score.inference.samples import Watch
from ave_score.inference.significance import corrected
from ave_score.inference.units import Gold, Subject
from ave_score.measures import Measure
from ave_score.measures.values import MeasureValues
from ave_score.tasks.broken_down import MACRO, MICRO
from ave_score.tasks.compare import measures_of, read_to_compare
from ave_score.tasks.given import GoldGiven, RunsGiven, SubjectsGiven, settings_of
from ave_score.tasks.groups import SHARED_CLUSTERS, are_shared, members_of, number_of
from ave_score.tasks.groups_compared import GroupDifference, GroupsCompared, PairByGroup
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.ranked import to_compare
from ave_score.tasks.subjects import (
    MeasuresGiven,
    paired,
    signature_of,
    subset,
    subset_of_gold,
)

ONE_OF_A_GROUP = "the spread of differences in a group is unknown, as that of one {unit} is"
ONE_UNIT = "a group of one {unit} is not tested"
NO_SPREAD = "every difference in a group is the same"
NO_ERROR = "too few questions of a group contribute to the measure"
UNDEFINED = "it is undefined in a group"


@takes(Entrants)
def compare_groups(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    qa: RunsGiven = (),
    *,
    by: ClustersGiven,
    measures: MeasuresGiven | None = None,
    design: Design | None = None,
    watch: Watch = nullcontext,
    **entrants: Unpack[Entrants],
) -> GroupsCompared:
    """Test the differences between runs on each group of questions, and over all groups.

    Parameters
    ----------
    collection, runs, qa, measures, design, watch, reference, primary, teams, replicates
        As `compare` takes them. The correction applies to all pairs and groups together.
    max_per_topic, documents
        What TREC runs may have, as `score` takes it.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.
    by
        The group of each question, as `break_down` takes it.

    Returns
    -------
    GroupsCompared
        The difference of each pair on each group, then on all questions (micro), and the mean of
        the differences over the groups (macro).

    Raises
    ------
    UsageError
        As `compare`; a question has no group; the test compares all runs at once.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    design = settings_of(design, Design)
    design.check()
    if design.procedure.adjusts:
        raise UsageError(f"{design.test} compares all runs at once, and not by groups")
    inputs = Inputs(design.policies, entrants=entrants)
    gold, given, rows, design = read_to_compare(inputs, collection, runs, qa, design)
    groups = inputs.clusters(by, gold)
    ranked = to_compare(given, rows, design.against)
    common, subjects, notes = paired(gold, ranked)
    settled = settled_gold(common, design.policies.unknown)
    wanted = measures_of(measures, subjects, settled, design)
    alone = design._replace(correction="none")
    whole = pairwise_tests(subjects, settled, wanted, alone, watch)
    of_groups = _by_group(subjects, settled, wanted, alone, members_of(settled, groups), watch)
    why = SHARED_CLUSTERS if are_shared(design.clusters, groups, settled.ids) else ""
    pairs: list[PairByGroup] = []
    for number, comparison in enumerate(whole):
        parts = {
            name: group if isinstance(group, Mapping) else group[number]
            for name, group in of_groups.items()
        }
        pairs += _corrected(_pairs_of(comparison, parts, design, why), design)
    ranks = any(measure.family.is_ranked for measure in wanted)
    signed = signature_of(gold, subjects, design.policies, ranks=ranks)
    tests = ",".join(dict.fromkeys(str(comparison.design.test) for comparison in whole))
    settings = {"test": tests, **design.settings, "by": groups}
    line = "|".join([signed, *(f"{key}:{value}" for key, value in settings.items())])
    return GroupsCompared(groups.name, len(of_groups), pairs, whole, design, line, notes)


def _by_group(
    subjects: Sequence[Subject],
    gold: Gold,
    measures: Sequence[Measure],
    design: Design,
    members: Mapping[str, Sequence[str]],
    watch: Watch,
) -> dict[str, Sequence[Comparison] | Mapping[str, MeasureValues]]:
    """Return the comparisons on each group; of one question, or cluster, only values."""
    made: dict[str, Sequence[Comparison] | Mapping[str, MeasureValues]] = {}
    for name, ids in members.items():
        part = subset_of_gold(gold, ids)
        of_part = [subset(subject, part) for subject in subjects]
        if number_of(ids, design.clusters) < 2:
            made[name] = exact_values(of_part, part, measures, design.policies)
        else:
            made[name] = pairwise_tests(of_part, part, measures, design, watch)
    return made


def _pairs_of(
    whole: Comparison,
    groups: Mapping[str, Comparison | Mapping[str, MeasureValues]],
    design: Design,
    why: str,
) -> list[PairByGroup]:
    """Return the pairs by a measure, uncorrected; of a group of one question only values.

    `why` says why macro differences are not tested, if there is a reason for all.
    """
    by_group = {
        name: _by_runs(group) for name, group in groups.items() if isinstance(group, Comparison)
    }
    made = []
    for pair in whole.pairs:
        names = frozenset((pair.run, pair.other))
        parts = [
            _difference("group", name, group, by_group[name][names], pair.run)
            if isinstance(group, Comparison)
            else _of_one(
                name, [group[run].values[whole.measure.key] for run in pair[:2]], whole.unit
            )
            for name, group in groups.items()
        ]
        compared = [group for group in groups.values() if isinstance(group, Comparison)]
        macro = _macro(parts, _of_runs(compared, pair), design.alpha, whole.unit, why)
        micro = _difference(MICRO, "", whole, pair, pair.run)
        made.append(PairByGroup(whole.measure, pair.run, pair.other, [*parts, micro, macro]))
    return made


def _of_one(group: str, values: Sequence[Fraction | None], unit: str) -> GroupDifference:
    """Return the difference on a group of one question, or cluster."""
    first, other = values
    difference = None if first is None or other is None else first - other
    empty = Interval(nan, nan)
    why = ONE_UNIT.format(unit=unit)
    return GroupDifference("group", group, 1, difference, nan, nan, empty, nan, why_not=why)


def _by_runs(comparison: Comparison) -> dict[frozenset[str], Pair]:
    return {frozenset((pair.run, pair.other)): pair for pair in comparison.pairs}


def _difference(
    part: str, group: str, comparison: Comparison, pair: Pair, first: str
) -> GroupDifference:
    """Return what is found of a pair, as the difference of a run from the other one."""
    sign = 1 if pair.run == first else -1
    difference = None if pair.difference is None else sign * pair.difference
    low, high = pair.interval if sign > 0 else (0.0 - end for end in pair.interval[::-1])
    return GroupDifference(
        part,
        group,
        comparison.questions,
        difference,
        pair.deviation / sqrt(comparison.questions),
        pair.free,
        Interval(low, high),
        pair.p,
        is_significant=pair.is_significant,
        why_not=UNDEFINED if difference is None else "",
        score=pair.score if sign > 0 or pair.score is None else Score(*pair.score[::-1]),
        method=pair.method,
        spread=pair.spread,
    )


def _of_runs(groups: Sequence[Comparison], pair: Pair) -> list[Variance]:
    """Return the parts of the macro difference that are due to the runs of both systems, if any."""
    if {group.design.test for group in groups} != {CROSSED}:
        return []
    parts = []
    for system in (pair.run, pair.other):
        values = [
            [nan if value is None else float(value) for value in standing.of_runs]
            for group in groups
            for standing in group.standings
            if standing.run == system
        ]
        parts.append(over_runs(np.mean(values, axis=0)))
    return parts


def _over_questions(part: GroupDifference) -> Variance:
    """Return the variance of a difference on a group over its questions."""
    if part.spread is None:
        return Variance(part.stderr**2, max(part.free, 1))
    return part.spread.questions


def _macro(
    parts: Sequence[GroupDifference], of_runs: Sequence[Variance], alpha: float, unit: str, why: str
) -> GroupDifference:
    """Return the mean of the differences over groups, with its t test."""
    number, empty = len(parts), Interval(nan, nan)
    known = [part.difference for part in parts if part.difference is not None]
    made = GroupDifference(MACRO, "", number, None, nan, nan, empty, nan, why_not=UNDEFINED)
    if len(known) < number:
        return made
    mean = sum(known, Fraction(0)) / number
    made, center = made._replace(difference=mean, why_not=why), float(mean)
    if why:
        return made
    if any(part.questions < 2 for part in parts):
        return made._replace(why_not=ONE_OF_A_GROUP.format(unit=unit))
    spread = over_groups([_over_questions(part) for part in parts], of_runs)
    if isnan(spread.error):
        return made._replace(why_not=NO_ERROR)
    if not spread.is_known:
        return made._replace(why_not=NO_SPREAD) if mean else made._replace(stderr=0.0, p=1.0)
    margin, p = spread.margin(alpha), spread.p(center)
    return made._replace(
        stderr=spread.error,
        free=spread.free,
        interval=Interval(center - margin, center + margin),
        p=p,
        is_significant=p <= alpha,
        spread=spread,
    )


def _corrected(pairs: Sequence[PairByGroup], design: Design) -> list[PairByGroup]:
    """Return pairs with p corrected, together for all groups, for micro and for macro."""
    adjusted: dict[tuple[int, int], float] = {}
    for part in ("group", MICRO, MACRO):
        places = [
            (at, place)
            for at, pair in enumerate(pairs)
            for place, one in enumerate(pair.parts)
            if one.part == part
        ]
        p = np.array([pairs[at].parts[place].p for at, place in places])
        found = corrected(p, design.corrected_by).tolist()
        adjusted |= dict(zip(places, found, strict=True))
    return [
        pair._replace(
            parts=[
                part._replace(
                    adjusted=adjusted[at, place],
                    is_significant=part.is_significant and adjusted[at, place] <= design.alpha,
                )
                for place, part in enumerate(pair.parts)
            ]
        )
        for at, pair in enumerate(pairs)
    ]
