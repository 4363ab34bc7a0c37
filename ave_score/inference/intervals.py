"""Confidence intervals of everything that is scored, from one bootstrap over the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ave_score.counts import VALIDATION
from ave_score.inference.by_question import ByQuestion
from ave_score.inference.ranked import count_for, is_countable
from ave_score.inference.resampling import (
    Interval,
    Resampling,
    bca,
    jackknife,
    percentile,
    replicate,
    whole,
)
from ave_score.inference.samplers import samplers
from ave_score.inference.systems import count_system_by_question
from ave_score.measures import Measure
from ave_score.model import Collection, JudgedRun, Run
from ave_score.policies import Policies, settled_table


class IntervalSampler:
    """Takes runs and systems as they are scored, and gives intervals at the end.

    Parameters
    ----------
    collection
        With UNKNOWN labels settled.
    """

    def __init__(
        self, collection: Collection, policies: Policies, measures: Sequence[Measure]
    ) -> None:
        if policies.intervals is None:
            raise ValueError("no intervals were asked for")
        self._collection = collection
        self._policies = policies
        self._policy = policies.intervals
        self._measures = measures
        self._taken: list[ByQuestion] = []

    def take(self, scored: Run | JudgedRun) -> None:
        """Count a run or a system question by question."""
        counted = self._of_run(scored) if isinstance(scored, Run) else self._of_system(scored)
        self._taken.append(counted._replace(run=str(len(self._taken))))

    def _of_run(self, run: Run) -> ByQuestion:
        ties, added = self._policies.ties, list(filter(is_countable, self._measures))
        always = {VALIDATION}  # so that there is something of every question
        counted = count_for(run, self._collection, added, ties, always)
        others = [one for one in self._measures if not is_countable(one)]
        sampled = samplers(run, self._collection, ties, others)
        return counted._replace(samplers=sampled)

    def _of_system(self, system: JudgedRun) -> ByQuestion:
        table = settled_table(self._policies.campaign, self._policies.unknown)
        return count_system_by_question(system, self._collection, table)

    def found(self) -> list[Mapping[str, Interval]]:
        """Return the intervals of each run, in the order they were taken: key -> interval."""
        policy, taken = self._policy, self._taken
        resampling = Resampling(policy.resamples, policy.seed)
        replicates = replicate(taken, self._measures, resampling) if taken else {}
        found: list[Mapping[str, Interval]] = []
        for run in taken:
            of_run: dict[str, Interval] = {}
            for measure in self._measures:
                values = replicates.get((run.run, measure.key))
                if values is None:
                    continue
                level = policy.level / 100
                if policy.method == "percentile":
                    of_run[measure.key] = percentile(values, level)
                else:
                    left_out = jackknife(run, measure)
                    of_run[measure.key] = bca(values, whole(run, measure), left_out, level)
            found.append(of_run)
        return found
