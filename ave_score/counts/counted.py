"""Counting of runs, QA systems, baselines and responses: one row of counts each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial, reduce
from operator import add
from typing import NamedTuple

from ave_score.core.choices import MISSING_CHOICES, TIES_CHOICES, other_ties
from ave_score.core.collection_summary import CollectionSummary, collection_summary
from ave_score.core.epochs import Epochs
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import OpenGold, ResponseRun, Responses
from ave_score.core.parts import Extent, extent, mentioned
from ave_score.core.policies import Policies, settled_table
from ave_score.counts.base import (
    FAMILIES,
    Counts,
    Family,
    NotCounted,
    SelectionBaseline,
    response_families,
)
from ave_score.counts.decisions import Decisions, cells_of, frequencies
from ave_score.counts.judged import JudgedSystem, shares
from ave_score.counts.selection import selection_baselines

NO_CANDIDATES = "without a collection there are no candidates to validate or to select"
ONE_ANSWER = "each question has one answer; several are needed: candidates, or epochs of a log"
NO_ANSWER_SETS = "only responses to answer sets are measured by it"
NO_SYSTEM = "only answers of QA systems have scores"
NO_DECISIONS = "responses decide on no candidate answers"

SHARES = (100, 50, 0)
"""Baselines of validation: the percentage of answers validated at random."""

_sharing = cache(partial)
"""The same function for the same arguments, so that counts of questions are remembered."""


class Kind(StrEnum):
    """What a row describes: a run, a QA system, a run of the organiser's, or a baseline.

    The sort of gold standard names what is submitted against it, as its field `kind`.
    """

    AV = "AV"
    TREC = "TREC"
    RESPONSES = "responses"
    QA = "QA"
    REFERENCE = "reference"
    BASELINE = "baseline"

    @property
    def is_submitted(self) -> bool:
        """Whether it may be ranked: neither a baseline nor the organiser's own."""
        return self not in (Kind.REFERENCE, Kind.BASELINE)

    @property
    def is_run(self) -> bool:
        """Whether it is submitted, and no QA system, which may stand beside runs."""
        return self.is_submitted and self is not Kind.QA

    @classmethod
    def of(cls, subject: Run | QARun | ResponseRun) -> Kind:
        """Return the kind of the row of a run, a system or responses."""
        return cls(subject.standard.kind)


class Counted(NamedTuple):
    """A row before measures are computed: the counts of a run, a system or a baseline.

    `absent` gives the reasons why requested families were not counted. `other_ties` has the counts
    of ranked families by the other way to rank ties (`choices.other_ties`), if there are ties.
    `extent` is what is scored, if missing answers are excluded and there are any. `digest` is that
    of a run, a system or responses, by which equal ones are known; empty for baselines, and where
    only counts are known. `epochs` are those of a QA system.
    """

    name: str
    kind: Kind
    counts: Mapping[Family, Counts]
    absent: Mapping[Family, str] = {}
    other_ties: Mapping[Family, Counts] = {}
    extent: Extent | None = None
    digest: bytes = b""
    epochs: Epochs = Epochs()


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
        standard = collection.standard
        decisions = frequencies(cells_of(run, collection), collection.index)

        def count(family: Family, ties: str) -> Counts:
            if family.of_runs and not family.is_of(standard):
                raise NotCounted(standard.why_no_family)
            if family.of_decisions:
                return family.added(family.of_decisions, decisions)
            if family.of_run:
                return family.of_run(run, collection, ties)
            raise NotCounted(NO_SYSTEM if family.of_questions else NO_ANSWER_SETS)

        choice, digest = TIES_CHOICES[self.policies.ties], run.digest
        sure = choice.compared(run.confidences, standard)
        counted = self._counted(run.name, Kind.of(run), sure, count)
        if choice.is_of_run(standard):
            own = run.ranks if choice.has_ranks and run.ranks is not None else run.lines
            digest += array("Q", sorted(range(len(own)), key=own.__getitem__)).tobytes()
        return counted._replace(extent=extent(run, self.collection), digest=digest)

    def of_system(self, system: QARun) -> Counted:
        """Count a QA system; without candidates, families that need them are not counted."""
        table = settled_table(self.policies.letters, self.policies.unknown)
        collection = mentioned(system, self.collection)
        judged = JudgedSystem(system, collection, table, self.policies.ties)
        outcomes = shares(judged.outcomes)

        standard = collection.standard

        def count(family: Family, ties: str) -> Counts:
            if not family.is_of(standard):
                raise NotCounted(standard.why_no_family)
            if family.of_questions and (of_each := family.of_questions(judged)) is not None:
                return reduce(add, of_each) if of_each else family.counts()
            if not family.of_runs:
                raise NotCounted(NO_ANSWER_SETS)
            if family.needs_candidates and not standard.has_candidates:
                raise NotCounted(ONE_ANSWER if family.of_questions else NO_CANDIDATES)
            if family.of_outcome:
                return family.added(family.of_outcome, outcomes)
            if family.of_system:
                return family.of_system(replace(judged, ties=ties))
            raise NotCounted(family.why_no_system)

        confidences = [answer.confidence for answer in system.answers]
        counted = self._counted(system.name, Kind.of(system), confidences, count)
        epochs = Epochs() if system.is_reduced else judged.epochs
        scored = extent(system, self.collection)
        return counted._replace(extent=scored, digest=system.digest, epochs=epochs)

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

    def of_decisions(self, name: str, decisions: Mapping[Decisions, int]) -> Counted:
        """Count a run of which only the numbers of questions with equal decisions are known.

        If missing answers are excluded, its extent is what it mentions.
        """

        def count(family: Family) -> Counts:
            assert family.of_decisions  # as `check_counted` makes sure
            return family.added(family.of_decisions, decisions)

        counted = _counted(name, Kind.AV, self._wanted, count)
        leaves_out = MISSING_CHOICES[self.policies.missing].is_left_out
        answers = sum(times * sum(question) for question, times in decisions.items())
        size = Extent(sum(decisions.values()), answers)
        return counted._replace(extent=size if leaves_out else None)

    def baselines(self) -> Iterator[Counted]:
        """Yield the baselines that apply to the collection, by name; none for documents."""
        if not self.collection.standard.has_decisions:
            return iter(())
        return self.baselines_of(frequencies(self.collection.labels, self.collection.index))

    def baselines_of(self, labels: Mapping[Decisions, int]) -> Iterator[Counted]:
        """Yield the baselines, given how many questions have equal labels; none without answers."""
        if not any(map(sum, labels)):
            return
        for percent in SHARES:
            yield self._validating(percent, labels)
        if self.collection.standard.has_questions:
            for baseline in selection_baselines(self.collection, labels):
                yield self._selecting(baseline)

    def _validating(self, percent: int, labels: Mapping[Decisions, int]) -> Counted:
        """Count a baseline that validates each answer with a probability."""
        share, standard = Fraction(percent, 100), self.collection.standard
        counts = {
            family: family.added(
                _sharing(family.of_share, share), labels if family.is_of(standard) else {}
            )
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


_OF_COUNTS = ("letters", "missing", "unknown", "ties")
"""The policies that counts of an engine follow."""


def check_counted(policies: Policies, families: Iterable[Family]) -> None:
    """Raise `UsageError` if a family or a policy needs more than the decisions on questions."""
    ranked = [family.name for family in families if family.of_decisions is None]
    if ranked:
        raise UsageError(
            f"{ranked[0]} measures need the confidence of each answer, and only counts are "
            "read: score without an engine"
        )
    for name, policy in {"threshold": "confidences", "intervals": "single questions"}.items():
        if policies._asdict()[name] is not None:
            raise UsageError(
                f"the policy {name} needs {policy}, and only counts are read: score without an "
                "engine"
            )
    policies.check_applied(_OF_COUNTS, "engines: score without one")


def counted_summary(
    about: Collection, labels: Mapping[Decisions, int], settled: Mapping[Decisions, int]
) -> CollectionSummary:
    """Return the summary of a collection of which only counts are known.

    Parameters
    ----------
    about
        What is known of it besides its answers.
    labels, settled
        How many questions have equal labels: those of the file, and UNKNOWN labels resolved.
    """

    def total(number: Callable[[Decisions], int], of: Mapping[Decisions, int] = labels) -> int:
        return sum(times * number(question) for question, times in of.items())

    return collection_summary(about)._replace(
        questions=total(lambda _: 1),
        answers=total(sum),
        validated=total(lambda question: question.correct),
        rejected=total(lambda question: question.incorrect),
        unknown=total(lambda question: question.unknown),
        questions_with_correct=total(lambda question: question.correct > 0, settled),
    )


def count_responses(run: ResponseRun, gold: OpenGold) -> Counted:
    """Count the responses to open questions."""
    responses = Responses(run, gold)

    def count(family: Family) -> Counts:
        if family.of_responses is None:
            raise NotCounted(NO_DECISIONS)
        return family.of_responses(responses)

    families = dict.fromkeys([*response_families(), *FAMILIES.values()])
    return _counted(run.name, Kind.of(run), families, count)._replace(digest=run.digest)


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
