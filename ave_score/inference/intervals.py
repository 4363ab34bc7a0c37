"""Confidence intervals: Wilson's for shares and ratios of counts, a bootstrap for all others.

If a run gets everything right, all bootstrap samples are equal, and their interval has no width:
it would claim certainty from a few questions. Wilson's interval has the stated coverage also for
shares near 0 and 1. A ratio of counts (F, precision, c@1) has that of a share of as many answers as
would vary as much: their number is the effective size. For a mean of bounded values that are all
equal, the rule of three bounds the share of questions that could have other values: with n
questions and a level of 95 %, about 3/n.

Sources: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927; Brown,
Cai, DasGupta, Interval Estimation for a Binomial Proportion, 2001; for the effective size, Korn,
Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts
Estimated from Survey Data, 1998; Hanley, Lippman-Hand, If Nothing Goes Wrong, Is Everything All
Right?, 1983; for the bootstrap see `resampling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from math import ceil, floor, inf
from statistics import NormalDist
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ave_score.core.policies import IntervalPolicy, Policies
from ave_score.inference.by_question import TOLERANCE, ByQuestion, Floats, rounded
from ave_score.inference.crossed import Crossed, crossed
from ave_score.inference.resampling import (
    Interval,
    Replicates,
    Resampling,
    bca,
    jackknife,
    replicate_each,
    whole,
)
from ave_score.inference.samples import Watch
from ave_score.inference.shares import rule_of_three
from ave_score.inference.stderr import RunErrors
from ave_score.inference.student import quantile
from ave_score.inference.units import Gold, Subject, count_for, sampled_together
from ave_score.measures import Measure

FEW = 30
"""With fewer units, bootstrap intervals are too narrow, and effective sizes are rough."""

UNDEFINED = Interval(np.nan, np.nan)

ONE_UNIT = "fewer than 2 {unit}s contribute to it"
FEW_CONTRIBUTE = (
    "the interval of a ratio to which fewer than 30 {unit}s contribute is only a rough one"
)
TWO_RUNS = "how much the runs of a system differ is known only roughly from two"
ALL_EQUAL = "all bootstrap samples are equal, so they give no interval"
FEW_UNITS = "from fewer than 30 {unit}s, bootstrap intervals are too narrow"
OFTEN_UNDEFINED = (
    "{title} is undefined in more than 5 % of the bootstrap samples; these are left out"
)
_OFTEN = 0.05

_NO_SLOPE = 1e-6
"""A relative slope below is 0: derivatives are numeric."""

_TINY = 1e-18
"""Divisors are not smaller."""


class Estimate(NamedTuple):
    """A confidence interval and how it was computed.

    Attributes
    ----------
    low, high
        Its ends; NaN if the measure is undefined, or there is no interval.
    method
        `wilson`, `wilson-effective`, `bca`, `rule of three` or `crossed`; empty if there is no
        interval.
    caution
        Why there is no interval, or why it should be read with care, as the end of a sentence.
    """

    low: float
    high: float
    method: str
    caution: str | None = None

    @property
    def interval(self) -> Interval:
        """Its ends."""
        return Interval(self.low, self.high)


def closed_interval(
    counted: ByQuestion, measure: Measure, policy: IntervalPolicy
) -> Estimate | None:
    """Return the interval of a measure if it needs no samples, else None."""
    value = whole(counted, measure)
    if np.isnan(value):
        return Estimate(*UNDEFINED, "")
    if counted.runs:
        return _of_runs(counted, measure, value, policy)
    of = _of_counts if counted.epochs is None else _of_share  # a ratio would be too wide
    return of(counted, measure, value, policy.level / 100)


def _of_runs(
    counted: ByQuestion, measure: Measure, value: float, policy: IntervalPolicy
) -> Estimate | None:
    """Return the interval of a system over other questions and runs; that of its only run.

    Without any variance it is that of a run, since all are equal.
    """
    known = crossed(measure, counted) if len(counted.runs) > 1 else None
    if known is None or not known.is_known:
        return closed_interval(counted.runs[0], measure, policy)
    return crossed_interval(known, measure, value, policy)


def crossed_interval(
    known: Crossed, measure: Measure, value: float, policy: IntervalPolicy
) -> Estimate:
    """Return the interval of a value over questions and over the runs of a system."""
    half = known.margin(1 - policy.level / 100)
    low, high = rounded(np.clip([value - half, value + half], *measure.bounds)).tolist()
    return Estimate(low, high, "crossed", TWO_RUNS if known.runs[0].free == 1 else None)


class KnownIntervals(NamedTuple):
    """What is known of runs on all questions, by run and measure's key.

    Attributes
    ----------
    intervals
        Their intervals.
    samples
        Measures in the bootstrap samples of these intervals.
    """

    intervals: Mapping[tuple[str, str], Estimate] = MappingProxyType({})
    samples: Replicates = MappingProxyType({})


def closed_intervals(
    runs: Sequence[ByQuestion],
    measures: Sequence[Measure],
    policy: IntervalPolicy,
    known: KnownIntervals = KnownIntervals(),  # noqa: B008 - it cannot be changed
) -> tuple[dict[tuple[str, str], Estimate], list[Measure]]:
    """Return intervals that are known or need no samples, and the measures that need them.

    They are by run and measure's key.
    """
    closed, others = {}, []
    for measure in measures:
        for run in runs:
            if run.has(measure):
                at = run.run, measure.key
                estimate = known.intervals.get(at) or closed_interval(run, measure, policy)
                if estimate is not None:
                    closed[at] = estimate
                elif measure not in others:
                    others.append(measure)
    return closed, others


def interval_of(
    counted: ByQuestion, measure: Measure, replicates: Floats, policy: IntervalPolicy
) -> Estimate:
    """Return the interval of a measure.

    Parameters
    ----------
    counted
        The counts of a run, for each unit.
    replicates
        The measure in bootstrap samples of the units, NaN where it is undefined.
    """
    estimate = closed_interval(counted, measure, policy)
    return estimate or sampled_interval(counted, measure, replicates, policy.level / 100)


def sampled_interval(
    counted: ByQuestion, measure: Measure, replicates: Floats, level: float
) -> Estimate:
    """Return the bootstrap interval of a defined measure, as `interval_of`; `level` is in 0..1."""
    value = whole(counted, measure)
    known = replicates[~np.isnan(replicates)]
    if not len(known) or np.ptp(known) < TOLERANCE:
        share = _of_counts(counted, measure, value, level)
        return share or _of_equal_samples(counted, measure, value, level)
    caution = None
    if counted.questions < FEW:
        caution = FEW_UNITS.format(unit=counted.unit)
    elif len(known) < (1 - _OFTEN) * len(replicates):
        caution = OFTEN_UNDEFINED.format(title=measure.title)
    interval = bca(replicates, value, jackknife(counted, measure), level)
    return Estimate(*interval, "bca", caution)


class _Share(NamedTuple):
    """Units that count 0 or 1: those that count 1, and all of them."""

    successes: int
    units: int


def _share(counted: ByQuestion, measure: Measure, value: float) -> _Share | None:
    """Return the numbers of units of a share; None if the measure is no share of these units."""
    if not measure.is_share or not counted.is_independent or not counted.adds_up(measure):
        return None
    if measure.family.of_pairs and counted.counts_of(measure).sum(axis=1).max() > 1:
        return None  # a share of answers, several of which belong to a question
    values = counted.of_each(measure)
    known = values[~np.isnan(values)]
    if not np.isin(known, (0, 1)).all():
        return None
    successes = int(known.sum())
    if measure.whole:
        return _Share(successes, len(values)) if successes == value else None
    for units in (len(known), len(values)):  # a measure may count undefined units as 0
        if units and abs(successes / units - value) < TOLERANCE:
            return _Share(successes, units)
    return None


def _of_counts(
    counted: ByQuestion, measure: Measure, value: float, level: float
) -> Estimate | None:
    """Return Wilson's interval of a share or a ratio of counts; None if the measure is none."""
    estimate = _of_share(counted, measure, value, level)
    if estimate is None and 0 <= value <= 1 and _is_ratio(counted, measure):
        return _of_ratio(counted, measure, value, level)
    return estimate


def _of_share(counted: ByQuestion, measure: Measure, value: float, level: float) -> Estimate | None:
    """Return Wilson's interval of a share of units that count 0 or 1; None if it is none."""
    share = _share(counted, measure, value)
    if share is None:
        return None
    low, high = wilson(share.successes, share.units, level)
    if measure.whole:  # a number of questions
        low, high = floor(low * share.units), ceil(high * share.units)
    return Estimate(low, high, "wilson")


def wilson(successes: float, units: float, level: float) -> Interval:
    """Return Wilson's interval of a share; `level` is in 0..1."""
    z, share = NormalDist().inv_cdf((1 + level) / 2), successes / units
    centre = (share + z**2 / (2 * units)) / (1 + z**2 / units)
    spread = share * (1 - share) / units + z**2 / (4 * units**2)
    half = z * float(np.sqrt(spread)) / (1 + z**2 / units)
    low = 0.0 if successes == 0 else centre - half
    return Interval(low, 1.0 if successes == units else centre + half)


def _is_ratio(counted: ByQuestion, measure: Measure) -> bool:
    """Tell whether a measure is a ratio of sums of counts, between 0 and 1.

    A mean of values is one only if it counts 0 or 1, as hit@k over clusters of questions does.
    """
    if not counted.adds_up(measure) or (measure.lowest, measure.highest) != ("0", "1"):
        return False
    rows = counted.rows_of(measure).distinct
    is_counted = measure.is_share and bool((rows == np.floor(rows)).all())
    return is_counted or not measure.is_mean


def _of_ratio(counted: ByQuestion, measure: Measure, value: float, level: float) -> Estimate:
    """Return Wilson's interval of a ratio of counts, with an effective size.

    The size is that of a share of independent answers with the linearised variance of the ratio; it
    is reduced as Student's t is wider than the normal distribution, because the variance is
    estimated from the units that contribute to the ratio. It is at most the number of answers in
    the denominator, also as one more wrong answer shows it. At 0 and 1 there is no variance, and
    the size is at most the number of contributing units.
    """
    rows = counted.rows_of(measure)
    # without zeros, all counts that the measure is computed from have slopes
    inside = np.abs(counted.slopes(measure, rows.total[None] + 1)[0])
    used = inside > _NO_SLOPE * inside.max()
    contributing = int(np.asarray(rows.distinct[:, used].any(axis=1))[rows.index].sum())
    if contributing < 2:
        return Estimate(*UNDEFINED, "", ONE_UNIT.format(unit=counted.unit))
    changes = counted.unrounded(measure, (rows.total + np.eye(len(rows.total))).T) - value
    weight = float(np.nanmax(-changes / value if value else changes))
    size = max(min(1 / max(weight, _TINY) - 1, float(rows.total[used].sum())), _TINY)
    if 0 < value < 1:
        contributions = (rows.distinct @ counted.slopes(measure, rows.total[None])[0])[rows.index]
        variance = max(len(contributions) * float(contributions.var(ddof=1)), _TINY)
        normal = NormalDist().inv_cdf((1 + level) / 2)
        wider = normal / quantile(1 - level, contributing - 1)
        size = min(size, value * (1 - value) / variance * wider**2)
    else:
        size = min(size, contributing)
    low, high = rounded(np.array(wilson(value * size, size, level))).tolist()
    caution = FEW_CONTRIBUTE.format(unit=counted.unit) if contributing < FEW else None
    return Estimate(low, high, "wilson-effective", caution)


def _of_equal_samples(
    counted: ByQuestion, measure: Measure, value: float, level: float
) -> Estimate:
    """Return the bounds of a mean of equal values by the rule of three, if the measure is one."""
    values = counted.of_each(measure) if measure.is_mean and counted.is_independent else np.zeros(0)
    units = int((~np.isnan(values)).sum())
    if not units or measure.span == inf:
        return Estimate(*UNDEFINED, "", ALL_EQUAL)
    return Estimate(*rule_of_three(value, *measure.bounds, units, 1 - level), "rule of three")


class RunIntervals(NamedTuple):
    """The intervals of a run, and the reasons for missing intervals, by measures' keys."""

    intervals: dict[str, Estimate]
    reasons: dict[str, str]

    def keep(self, measure: Measure, estimate: Estimate) -> None:
        """Keep an interval, or the reason why a value has none."""
        if estimate.caution and np.isnan(estimate.low):
            self.reasons[measure.key] = estimate.caution
        else:
            self.intervals[measure.key] = estimate


class IntervalSampler:
    """Collects runs, systems or responses as they are scored, then computes their intervals.

    Parameters
    ----------
    gold
        The collection, UNKNOWN labels resolved; answer sets for responses.

    Attributes
    ----------
    samples
        The measures in bootstrap samples, once intervals are computed.
    """

    def __init__(self, gold: Gold, policies: Policies, measures: Sequence[Measure]) -> None:
        if policies.intervals is None:
            raise ValueError("the policies request no intervals")
        self._gold = gold
        self._policies = policies
        self._policy = policies.intervals
        self._measures = measures
        self._groups: Sequence[Sequence[Measure]] = ()
        self._taken: list[list[ByQuestion]] = []
        self._names: list[str] = []
        self.samples: dict[tuple[str, str], Floats] = {}

    def take(self, scored: Subject) -> None:
        """Count a run, a system or responses unit by unit."""
        self._groups = sampled_together(scored, self._measures)
        self._names.append(scored.name)
        name = str(len(self._taken))  # a run and a system may have the same name
        counted = [
            count_for(scored, self._gold, measures, self._policies, clusters=self._policy.clusters)
            for measures in self._groups
        ]
        self._taken.append([run._replace(run=name) for run in counted])

    def intervals(self, watch: Watch = nullcontext) -> list[RunIntervals]:
        """Return the intervals of each run, in the order they were taken."""
        intervals = [RunIntervals({}, {}) for _ in self._taken]
        for measures, counted in self._by_group():
            resampling = Resampling(self._policy.resamples, self._policy.seed)
            able = [run for run in counted if any(map(run.has, measures))]
            closed, sampled = closed_intervals(able, measures, self._policy)
            replicates = replicate_each(able, sampled, resampling, watch)
            for (number, key), drawn in replicates.items():
                self.samples[self._names[int(number)], key] = drawn
            for run, of_run in zip(counted, intervals, strict=True):
                for measure in measures:
                    at = run.run, measure.key
                    estimate = closed.get(at)
                    if at in replicates and estimate is None:
                        estimate = interval_of(run, measure, replicates[at], self._policy)
                    if estimate is None:
                        of_run.reasons[measure.key] = run.why_not(measure)
                    else:
                        of_run.keep(measure, estimate)
        return intervals

    def errors(self) -> list[RunErrors]:
        """Return the standard errors of each run, in the order they were taken."""
        errors = [RunErrors({}, {}) for _ in self._taken]
        for measures, counted in self._by_group():
            for run, of_run in zip(counted, errors, strict=True):
                of_run.add(run, measures)
        return errors

    def _by_group(self) -> Iterator[tuple[Sequence[Measure], Sequence[ByQuestion]]]:
        """Yield measures that are sampled together, with the counts of every run for them."""
        for number, measures in enumerate(self._groups):
            yield measures, [counted[number] for counted in self._taken]
