"""Everything that is counted of a run, of a question-answering system, and of the baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Collection as Some
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from ave_score import baselines
from ave_score.counting.added import ADDED_UP
from ave_score.counting.categories import count_judged_categories, count_judged_nil
from ave_score.counting.confidence import (
    NO_CONFIDENCES,
    count_confidences,
    count_judged_self_scores,
    count_self_scores,
    has_confidences,
)
from ave_score.counting.joined import Part, whole
from ave_score.counting.judged import count_judged
from ave_score.counting.ranking import count_rankings, perfect_rankings, random_rankings
from ave_score.counts import (
    OPEN,
    AnsweringCounts,
    CandidateSetCounts,
    CategoryCounts,
    Counts,
    Family,
    NilCounts,
    RankingCounts,
    SelectionCounts,
)
from ave_score.model import Collection, JudgedRun, Run
from ave_score.policies import Policies, settled_table


class Kind(StrEnum):
    """Whose row it is: an answer-validation run's, a QA system's, or a baseline's."""

    AV = "AV"
    QA = "QA"
    BASELINE = "baseline"


class Counted(NamedTuple):
    """A row before any measure: what was counted of a run, a system or a baseline.

    `absent` says of families that were asked for why there is nothing of them to be counted.
    """

    name: str
    kind: Kind
    counts: Mapping[Family, Counts]
    absent: Mapping[Family, str] = {}


OF_RUNS = frozenset(Family) - OPEN
"""What can be counted of decisions on candidate answers."""

QUICK = frozenset({Family.VALIDATION, Family.SELECTION, Family.ANSWERING})
"""What is always counted: it takes no time."""

PAIRS = "pairs belong to no question, so that nothing is selected or answered"
SYSTEM = "a QA system decides on no candidate answers"
NO_CANDIDATES = "a judged file alone has no candidate answers to validate or to select"
ONE_ANSWER = "a QA system returns one answer to a question"
NO_ANSWER_SETS = "only responses to answer sets are measured by it"

_OF_CANDIDATES = (
    *(Family.VALIDATION, Family.QUESTIONS, Family.SELECTION),
    *(Family.CONFIDENCE, Family.RANKING, Family.CANDIDATE_SETS),
)
"""What cannot be counted where nobody knows the candidate answers."""

_OF_PAIRS = frozenset({Family.VALIDATION, Family.CONFIDENCE})
"""What can be counted without questions."""


class Tally(NamedTuple):
    """Counts everything that can be counted against one collection.

    Attributes
    ----------
    collection
        With UNKNOWN labels settled by the policies.
    policies
        What judgements mean, and how ties are ranked.
    families
        What is wanted; the quick ones are counted anyway.
    """

    collection: Collection
    policies: Policies
    families: Some[Family] = ()

    def of_run(self, run: Run) -> Counted:
        """Count an answer-validation run: of pairs nothing that belongs to questions."""
        counts: dict[Family, Counts] = {}
        absent: dict[Family, str] = {}
        part = whole(run, self.collection)
        for family in sorted(self._wanted, key=list(Family).index):
            if family in OPEN:
                absent[family] = NO_ANSWER_SETS
            elif self.collection.roster.is_pairs and family not in _OF_PAIRS:
                absent[family] = PAIRS
            elif family is Family.CONFIDENCE and not has_confidences(run):
                absent[family] = NO_CONFIDENCES
            else:
                counts[family] = self._of_run(family, run, part)
        return Counted(run.name, Kind.AV, counts, absent)

    def _of_run(self, family: Family, run: Run, part: Part) -> Counts:
        """Count one family of a run."""
        ties = self.policies.ties
        match family:
            case Family.CONFIDENCE:
                return count_confidences(run, self.collection, ties)
            case Family.SELF_SCORE:
                return count_self_scores(run, self.collection, ties)
            case Family.RANKING:
                return count_rankings(run, self.collection, ties)
            case _:
                return ADDED_UP[family](part)

    def of_system(self, system: JudgedRun) -> Counted:
        """Count a QA system; where no candidates are known there is nothing to select from."""
        table = settled_table(self.policies.campaign, self.policies.unknown)
        selections, answers = count_judged(system, self.collection, table)
        counts: dict[Family, Counts] = {Family.SELECTION: selections, Family.ANSWERING: answers}
        absent = dict.fromkeys((Family.VALIDATION, Family.QUESTIONS, Family.CONFIDENCE), SYSTEM)
        absent |= dict.fromkeys((Family.RANKING, Family.CANDIDATE_SETS), ONE_ANSWER)
        absent |= dict.fromkeys(OPEN, NO_ANSWER_SETS)
        if not len(self.collection.roster):
            absent |= dict.fromkeys(_OF_CANDIDATES, NO_CANDIDATES)
            del counts[Family.SELECTION]
        wanted = self._wanted
        if Family.CATEGORIES in wanted:
            counts[Family.CATEGORIES] = count_judged_categories(system, self.collection, table)
        if Family.NIL in wanted:
            counts[Family.NIL] = count_judged_nil(system, table)
        if Family.SELF_SCORE in wanted:
            ties = self.policies.ties
            scores = count_judged_self_scores(system, self.collection, table, ties)
            if scores is None:
                absent[Family.SELF_SCORE] = NO_CONFIDENCES
            else:
                counts[Family.SELF_SCORE] = scores
        return Counted(system.name, Kind.QA, counts, absent)

    def baselines(self) -> Iterator[Counted]:
        """Yield the baselines that apply to the collection, by name."""
        if not len(self.collection.roster):
            return
        yield from map(self._validating, (100, 50, 0))
        if not self.collection.roster.is_pairs:
            perfect = baselines.select_perfectly(self.collection)
            yield self._selecting("Perfect selection", perfect, perfect_rankings)
            random = baselines.select_at_random(self.collection)
            yield self._selecting("Random", random, random_rankings)

    def _validating(self, percent: int) -> Counted:
        share = Fraction(percent, 100)
        counts: dict[Family, Counts] = {
            Family.VALIDATION: baselines.validate_share(self.collection, share)
        }
        if Family.QUESTIONS in self._wanted:
            counts[Family.QUESTIONS] = baselines.validate_share_by_question(self.collection, share)
        return Counted(f"{percent}% VALIDATED", Kind.BASELINE, counts)

    def _selecting(
        self, name: str, selections: SelectionCounts, rank: Callable[[Collection], RankingCounts]
    ) -> Counted:
        """Count a baseline that accepts one answer a question at most."""
        categories = CategoryCounts.of(selections)
        counts: dict[Family, Counts] = {
            Family.SELECTION: selections,
            Family.ANSWERING: AnsweringCounts.of(selections),
            Family.CATEGORIES: categories,
            Family.NIL: NilCounts.of(categories),
            Family.CANDIDATE_SETS: CandidateSetCounts.of(selections),
        }
        if Family.RANKING in self._wanted:
            counts[Family.RANKING] = rank(self.collection)
        wanted = self._wanted
        return Counted(name, Kind.BASELINE, {one: counts[one] for one in counts if one in wanted})

    @property
    def _wanted(self) -> frozenset[Family]:
        return QUICK | set(self.families)
