"""Differences between runs on each group of questions, and of their means over groups.

The groups are fixed, and the questions of each are a sample, independent of the others. A
difference on a group is tested as `compare` tests it on all questions. That of macro means, in
which each group weighs the same, is tested by t: its squared standard error is the sum of those of
the groups over their squared number, and the degrees of freedom are those of Satterthwaite. So it
asks whether the true differences are 0 on average over these groups; they may differ between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from math import isnan, nan, sqrt
from typing import NamedTuple, Unpack

import numpy as np

from ave_score.core.entrants import Entrants, takes
from ave_score.core.errors import UsageError
from ave_score.core.model import Clusters
from ave_score.core.policies import settled_gold
from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.inference.comparable import exact_values
from ave_score.inference.compare import pairwise_tests
from ave_score.inference.compare_records import Comparison, Design, Pair
from ave_score.inference.resampling import Interval
from ave_score.inference.samples import Watch
from ave_score.inference.significance import corrected
from ave_score.inference.student import quantile, tail
from ave_score.measures import Measure
from ave_score.measures.values import MeasureValues
from ave_score.tasks.breakdown import MACRO, MICRO, SHARED_RUNS, members_of
from ave_score.tasks.compare import measures_of, read_to_compare
from ave_score.tasks.given import GoldGiven, Path, RunsGiven, SubjectsGiven, settings_of
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
ONE_UNIT = "a group of one question is not tested"
NO_SPREAD = "every difference in a group is the same"
NO_SUM = "the measure is not computed from sums over questions, or too few contribute to it"
UNDEFINED = "it is undefined in a group"


class GroupDifference(NamedTuple):
    """The difference of two runs on a group of questions, or over all groups.

    Attributes
    ----------
    part
        `group`, `micro` (all questions) or `macro` (the mean over the groups).
    group
        The name of the group; "" over all.
    questions
        Its questions, or pairs or clusters; of `macro`, the number of groups.
    difference
        The measure of the first run minus that of the other; None if either is undefined.
    stderr, free
        Its standard error, with the degrees of freedom; NaN if unknown.
    interval
        The differences that the test does not reject, each alone; NaN without one.
    p, adjusted
        p, and p corrected: of groups for all pairs and groups, of micro and macro for all pairs.
    is_significant
        Whether the corrected p is at most the level of the design.
    why_not
        Why there is no p, as the end of a sentence; "" if there is.
    """

    part: str
    group: str
    questions: int
    difference: Fraction | None
    stderr: float
    free: float
    interval: Interval
    p: float
    adjusted: float = nan
    is_significant: bool = False
    why_not: str = ""


class PairByGroup(NamedTuple):
    """Two runs, the better one on all questions first, and their differences: macro is last."""

    measure: Measure
    run: str
    other: str
    parts: Sequence[GroupDifference]


@dataclass(frozen=True, repr=False)
class GroupsCompared(Reported):
    """Differences by group of questions: what `ave-score compare --breakdown` reports.

    `to_frame` has a row for each measure, pair and group, and for the micro and macro values.

    Attributes
    ----------
    by, groups
        The file or attribute that names the groups, and their number.
    pairs
        The pairs of runs by each measure.
    comparisons
        The comparisons on all questions.
    design, signature
        How runs are compared, and the signature of the scores.
    notes, not_scored
        What is compared, and the files that could not be.
    """

    by: str
    groups: int
    pairs: Sequence[PairByGroup]
    comparisons: Sequence[Comparison]
    design: Design
    signature: str
    notes: Sequence[str] = ()
    not_scored: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<GroupsCompared {quantity(len(self.pairs), 'pair')} by {self.by}>"


@takes(Entrants)
def compare_groups(
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    qa: RunsGiven = (),
    *,
    by: Clusters | Path,
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
    of_groups: dict[str, Sequence[Comparison] | Mapping[str, MeasureValues]] = {}
    for name, ids in members_of(settled, groups).items():
        part = subset_of_gold(settled, ids)
        of_part = [subset(subject, part) for subject in subjects]
        if len(ids) < 2:  # which cannot be sampled
            of_groups[name] = exact_values(of_part, part, wanted, design.policies)
        else:
            of_groups[name] = pairwise_tests(of_part, part, wanted, alone, watch)
    pairs: list[PairByGroup] = []
    for number, comparison in enumerate(whole):
        parts = {
            name: group if isinstance(group, Mapping) else group[number]
            for name, group in of_groups.items()
        }
        pairs += _corrected(_pairs_of(comparison, parts, design), design)
    ranks = any(measure.family.is_ranked for measure in wanted)
    signed = signature_of(gold, subjects, design.policies, ranks=ranks)
    tests = ",".join(dict.fromkeys(str(comparison.design.test) for comparison in whole))
    settings = {"test": tests, **design.settings, "by": groups}
    line = "|".join([signed, *(f"{key}:{value}" for key, value in settings.items())])
    return GroupsCompared(groups.name, len(of_groups), pairs, whole, design, line, notes)


def _pairs_of(
    whole: Comparison,
    groups: Mapping[str, Comparison | Mapping[str, MeasureValues]],
    design: Design,
) -> list[PairByGroup]:
    """Return the pairs by a measure, uncorrected; of a group of one question only values."""
    by_group = {
        name: _by_runs(group) for name, group in groups.items() if isinstance(group, Comparison)
    }
    made = []
    for pair in whole.pairs:
        names = frozenset((pair.run, pair.other))
        parts = [
            _difference("group", name, group, by_group[name][names], pair.run)
            if isinstance(group, Comparison)
            else _of_one(name, [group[run].values[whole.measure.key] for run in pair[:2]])
            for name, group in groups.items()
        ]
        macro = _macro(parts, design.alpha, has_runs=bool(whole.replicated), unit=whole.unit)
        micro = _difference(MICRO, "", whole, pair, pair.run)
        made.append(PairByGroup(whole.measure, pair.run, pair.other, [*parts, micro, macro]))
    return made


def _of_one(group: str, values: Sequence[Fraction | None]) -> GroupDifference:
    """Return the difference on a group of one question."""
    first, other = values
    difference = None if first is None or other is None else first - other
    empty = Interval(nan, nan)
    return GroupDifference("group", group, 1, difference, nan, nan, empty, nan, why_not=ONE_UNIT)


def _by_runs(comparison: Comparison) -> dict[frozenset[str], Pair]:
    return {frozenset((pair.run, pair.other)): pair for pair in comparison.pairs}


def _difference(
    part: str, group: str, comparison: Comparison, pair: Pair, first: str
) -> GroupDifference:
    """Return what is found of a pair, as the difference of a run from the other one."""
    sign = 1 if pair.run == first else -1
    difference = None if pair.difference is None else sign * pair.difference
    low, high = pair.interval if sign > 0 else (-pair.interval.high, -pair.interval.low)
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
    )


def _macro(
    parts: Sequence[GroupDifference], alpha: float, *, has_runs: bool, unit: str
) -> GroupDifference:
    """Return the mean of the differences over groups, with its t test."""
    number, empty = len(parts), Interval(nan, nan)
    known = [part.difference for part in parts if part.difference is not None]
    if len(known) < number:
        return GroupDifference(MACRO, "", number, None, nan, nan, empty, nan, why_not=UNDEFINED)
    mean = sum(known, Fraction(0)) / number
    squares = [(part.stderr / number) ** 2 for part in parts]
    square, why = sum(squares), ""
    if has_runs:
        why = SHARED_RUNS
    elif any(part.questions < 2 for part in parts):
        why = ONE_OF_A_GROUP.format(unit=unit)
    elif isnan(square):
        why = NO_SUM
    elif not square and mean:
        why = NO_SPREAD
    if why:
        return GroupDifference(MACRO, "", number, mean, nan, nan, empty, nan, why_not=why)
    if not square:
        return GroupDifference(MACRO, "", number, mean, 0.0, nan, empty, 1.0)
    each = zip(squares, parts, strict=True)
    free = square**2 / sum(item**2 / max(part.free, 1) for item, part in each)
    error, center = sqrt(square), float(mean)
    margin = quantile(alpha, free) * error
    interval = Interval(center - margin, center + margin)
    p = tail(abs(center) / error, free)
    made = GroupDifference(MACRO, "", number, mean, error, free, interval, p)
    return made._replace(is_significant=p <= alpha)


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
