"""Confidence intervals of all scores, from one bootstrap over the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ave_score.counts import VALIDATION
from ave_score.counts.judged import JudgedSystem
from ave_score.inference.by_question import (
    ByQuestion,
    Floats,
    count_for,
    count_system,
    is_countable,
)
from ave_score.inference.resampling import (
    Interval,
    Resampling,
    bca,
    jackknife,
    percentile,
    replicate,
    whole,
)
from ave_score.inference.weighted import NO_SAMPLER, samplers
from ave_score.measures import Measure
from ave_score.model import Collection, QARun, Run
from ave_score.policies import Policies, settled_table


class RunIntervals(NamedTuple):
    """The intervals of a run, and the reasons for missing intervals, by measures' keys."""

    intervals: Mapping[str, Interval] = {}
    reasons: Mapping[str, str] = {}


class IntervalSampler:
    """Collects runs and systems as they are scored, then computes their intervals.

    Parameters
    ----------
    collection
        The collection, UNKNOWN labels resolved.
    """

    def __init__(
        self, collection: Collection, policies: Policies, measures: Sequence[Measure]
    ) -> None:
        if policies.intervals is None:
            raise ValueError("the policies request no intervals")
        self._collection = collection
        self._policies = policies
        self._policy = policies.intervals
        self._measures = measures
        self._taken: list[ByQuestion] = []
        self._reasons: list[Mapping[str, str]] = []

    def take(self, scored: Run | QARun) -> None:
        """Count a run or a system question by question."""
        if isinstance(scored, Run):
            counted, reasons = self._of_run(scored)
        else:
            policies = self._policies
            table = settled_table(policies.campaign, policies.unknown)
            judged = JudgedSystem(scored, self._collection, table, policies.ties)
            counted, reasons = count_system(judged, self._measures), {}
        self._taken.append(counted._replace(run=str(len(self._taken))))
        self._reasons.append(reasons)

    def _of_run(self, run: Run) -> tuple[ByQuestion, Mapping[str, str]]:
        ties, added = self._policies.ties, list(filter(is_countable, self._measures))
        always = {VALIDATION}  # ensures a row per question
        counted = count_for(run, self._collection, added, ties, always)
        others = [measure for measure in self._measures if not is_countable(measure)]
        sampled, reasons = samplers(run, self._collection, ties, others)
        return counted._replace(samplers=sampled), reasons

    def found(self) -> list[RunIntervals]:
        """Return the intervals of each run, in the order they were taken."""
        resampling = Resampling(self._policy.resamples, self._policy.seed)
        replicates = replicate(self._taken, self._measures, resampling) if self._taken else {}
        found = []
        for run, reasons in zip(self._taken, self._reasons, strict=True):
            of_run: dict[str, Interval] = {}
            without: dict[str, str] = {}
            for measure in self._measures:
                values = replicates.get((run.run, measure.key))
                if values is None:
                    without[measure.key] = reasons.get(measure.key, NO_SAMPLER)
                else:
                    of_run[measure.key] = self._interval(run, measure, values)
            found.append(RunIntervals(of_run, without))
        return found

    def _interval(self, run: ByQuestion, measure: Measure, replicates: Floats) -> Interval:
        level = self._policy.level / 100
        if self._policy.method == "percentile":
            return percentile(replicates, level)
        return bca(replicates, whole(run, measure), jackknife(run, measure), level)
