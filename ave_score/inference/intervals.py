"""Confidence intervals of all scores, from one bootstrap over the units of sampling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.resampling import (
    Interval,
    Resampling,
    bca,
    jackknife,
    percentile,
    replicate,
    whole,
)
from ave_score.inference.units import Gold, Subject, count_for, sampled_together
from ave_score.inference.weighted import NO_SAMPLER
from ave_score.measures import Measure
from ave_score.policies import Policies


class RunIntervals(NamedTuple):
    """The intervals of a run, and the reasons for missing intervals, by measures' keys."""

    intervals: dict[str, Interval]
    reasons: dict[str, str]


class IntervalSampler:
    """Collects runs, systems or responses as they are scored, then computes their intervals.

    Parameters
    ----------
    gold
        The collection, UNKNOWN labels resolved; answer sets for responses.
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

    def take(self, scored: Subject) -> None:
        """Count a run, a system or responses unit by unit."""
        self._groups = sampled_together(scored, self._measures)
        name = str(len(self._taken))  # a run and a system may have the same name
        counted = [count_for(scored, self._gold, some, self._policies) for some in self._groups]
        self._taken.append([one._replace(run=name) for one in counted])

    def found(self) -> list[RunIntervals]:
        """Return the intervals of each run, in the order they were taken."""
        found = [RunIntervals({}, {}) for _ in self._taken]
        for measures, counted in self._by_group():
            resampling = Resampling(self._policy.resamples, self._policy.seed)
            able = [run for run in counted if any(map(run.has, measures))]
            replicates = replicate(able, measures, resampling) if able else {}
            for run, of_run in zip(counted, found, strict=True):
                for measure in measures:
                    values = replicates.get((run.run, measure.key))
                    if values is None:
                        of_run.reasons[measure.key] = run.reasons.get(measure.key, NO_SAMPLER)
                    else:
                        of_run.intervals[measure.key] = self._interval(run, measure, values)
        return found

    def _by_group(self) -> Iterator[tuple[Sequence[Measure], Sequence[ByQuestion]]]:
        """Yield measures that are sampled together, with the counts of every run for them."""
        for number, measures in enumerate(self._groups):
            yield measures, [counted[number] for counted in self._taken]

    def _interval(self, run: ByQuestion, measure: Measure, replicates: Floats) -> Interval:
        level = self._policy.level / 100
        if self._policy.method == "percentile":
            return percentile(replicates, level)
        return bca(replicates, whole(run, measure), jackknife(run, measure), level)
