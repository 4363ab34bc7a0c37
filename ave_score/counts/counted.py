"""Counting of runs, QA systems, baselines and responses: one row of counts each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.choices import other_ties
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import OpenGold, ResponseRun
from ave_score.core.parts import Extent, extent, mentioned
from ave_score.core.policies import Policies, settled_table
from ave_score.counts.base import FAMILIES, Counts, Family, NotCounted, response_families
from ave_score.counts.joined import join
from ave_score.counts.judged import JudgedSystem
from ave_score.counts.responses import Responses
from ave_score.counts.selection import SelectionBaseline, selection_baselines

PAIRS = "pairs belong to no question, so that nothing is selected or answered"
NO_CANDIDATES = "a judged file alone has no candidate answers to validate or to select"
NO_ANSWER_SETS = "only responses to answer sets are measured by it"
NO_DECISIONS = "responses decide on no candidate answers"

SHARES = (100, 50, 0)
"""Baselines of validation: the percentage of answers validated at random."""


class Kind(StrEnum):
    """What a row describes: an answer-validation run, a QA system, or a baseline."""

    AV = "AV"
    QA = "QA"
    BASELINE = "baseline"


class Counted(NamedTuple):
    """A row before measures are computed: the counts of a run, a system or a baseline.

    `absent` gives the reasons why requested families were not counted. `other_ties` has the counts
    of ranked families by the other way to rank ties (`choices.other_ties`), if there are ties.
    `extent` is what is scored, if missing answers are excluded and there are any.
    """

    name: str
    kind: Kind
    counts: Mapping[Family, Counts]
    absent: Mapping[Family, str] = {}
    other_ties: Mapping[Family, Counts] = {}
    extent: Extent | None = None


class RowCounter(NamedTuple):
    """Counts everything that can be counted against one collection.

    Attributes
    ----------
    collection
        The collection, UNKNOWN labels resolved by the policies.
    policies
        The meaning of judgements, and the ranking of ties.
    families
        The requested families; quick families are always counted.
    """

    collection: Collection
    policies: Policies
    families: Iterable[Family] = ()

    def of(self, run: Run | QARun) -> Counted:
        """Count a run or a QA system."""
        return self.of_run(run) if isinstance(run, Run) else self.of_system(run)

    def of_run(self, run: Run) -> Counted:
        """Count an answer-validation run; for pairs, only families that apply to single answers."""
        collection = mentioned(run, self.collection)
        joined = join(run, collection)

        def count(family: Family, ties: str) -> Counts:
            if collection.index.is_pairs and family.of_runs and not family.of_pairs:
                raise NotCounted(PAIRS)
            if family.of_answers:
                return family.of_answers(joined)
            if family.of_run:
                return family.of_run(run, collection, ties)
            raise NotCounted(NO_ANSWER_SETS)

        counted = self._counted(run.name, Kind.AV, run.confidences, count)
        return counted._replace(extent=extent(run, self.collection))

    def of_system(self, system: QARun) -> Counted:
        """Count a QA system; without candidates, families that need them are not counted."""
        table = settled_table(self.policies.campaign, self.policies.unknown)
        collection = mentioned(system, self.collection)
        judged = JudgedSystem(system, collection, table, self.policies.ties)

        def count(family: Family, ties: str) -> Counts:
            if not family.of_runs:
                raise NotCounted(NO_ANSWER_SETS)
            if family.needs_candidates and not len(collection.index):
                raise NotCounted(NO_CANDIDATES)
            if family.of_outcomes:
                return family.of_outcomes(judged.outcomes)
            if family.of_system:
                return family.of_system(replace(judged, ties=ties))
            raise NotCounted(family.why_no_system)

        confidences = [answer.confidence for answer in system.answers]
        counted = self._counted(system.name, Kind.QA, confidences, count)
        return counted._replace(extent=extent(system, self.collection))

    def _counted(
        self,
        name: str,
        kind: Kind,
        confidences: Sequence[float | None],
        count: Callable[[Family, str], Counts],
    ) -> Counted:
        """Return a row; ranked families are counted twice if there are ties."""
        ties = self.policies.ties
        counted = _counted(name, kind, self._wanted, lambda family: count(family, ties))
        ranked = [family for family in counted.counts if family.is_ranked]
        if not ranked or len({*confidences}) == len(confidences):
            return counted
        other = other_ties(ties)
        return counted._replace(other_ties={family: count(family, other) for family in ranked})

    def baselines(self) -> Iterator[Counted]:
        """Yield the baselines that apply to the collection, by name; none if it has no answers."""
        return self.all_baselines() if len(self.collection.index) else iter(())

    def all_baselines(self) -> Iterator[Counted]:
        """Yield the baselines, also of questions without answers."""
        for percent in SHARES:
            yield self._validating(percent)
        if not self.collection.index.is_pairs:
            yield from map(self._selecting, selection_baselines(self.collection))

    def _validating(self, percent: int) -> Counted:
        """Count a baseline that validates each answer with a probability."""
        share = Fraction(percent, 100)
        counts = {
            family: family.of_share(self.collection, share)
            for family in self._wanted
            if family.of_share
        }
        return Counted(f"{percent}% VALIDATED", Kind.BASELINE, counts)

    def _selecting(self, baseline: SelectionBaseline) -> Counted:
        """Count a baseline that accepts at most one answer per question."""
        counts = {
            family: family.of_selection(baseline) for family in self._wanted if family.of_selection
        }
        return Counted(baseline.name, Kind.BASELINE, counts)

    @property
    def _wanted(self) -> list[Family]:
        wanted = set(self.families)
        return [family for family in FAMILIES.values() if family.is_quick or family in wanted]


def count_responses(run: ResponseRun, gold: OpenGold) -> Counted:
    """Count the responses to open questions."""
    responses = Responses(run, gold)

    def count(family: Family) -> Counts:
        if family.of_responses is None:
            raise NotCounted(NO_DECISIONS)
        return family.of_responses(responses)

    families = dict.fromkeys([*response_families(), *FAMILIES.values()])
    return _counted(run.name, Kind.QA, families, count)


def _counted(
    name: str, kind: Kind, families: Iterable[Family], count: Callable[[Family], Counts]
) -> Counted:
    """Return a row: the counts of each family, or the reason why there are none."""
    counts: dict[Family, Counts] = {}
    absent: dict[Family, str] = {}
    for family in families:
        try:
            counts[family] = count(family)
        except NotCounted as reason:
            absent[family] = str(reason)
    return Counted(name, kind, counts, absent)
