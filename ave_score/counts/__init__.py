"""Counts of what a run did, exact and addable: over answers, questions, files, languages.

They are the only thing that measures see. `counting` makes them.
"""

from __future__ import annotations

from ave_score.counts.base import (
    Counts,
    Family,
)
from ave_score.counts.decisions import (
    AnsweringCounts,
    CandidateSetCounts,
    CategoryCounts,
    NilCounts,
    QuestionCounts,
    SelectionCounts,
    ValidationCounts,
)
from ave_score.counts.responses import (
    CombinedCounts,
    DefinitionCounts,
    Described,
    FactoidCounts,
    ListCounts,
)
from ave_score.counts.samples import (
    ConfidenceCounts,
    Ranking,
    RankingCounts,
    SelfScoreCounts,
)

__all__ = [
    "COUNTS",
    "OPEN",
    "RANKED",
    "AnsweringCounts",
    "CandidateSetCounts",
    "CategoryCounts",
    "CombinedCounts",
    "ConfidenceCounts",
    "Counts",
    "DefinitionCounts",
    "Described",
    "FactoidCounts",
    "Family",
    "ListCounts",
    "NilCounts",
    "QuestionCounts",
    "Ranking",
    "RankingCounts",
    "SelectionCounts",
    "SelfScoreCounts",
    "ValidationCounts",
]

COUNTS: dict[Family, type[Counts]] = {
    Family.VALIDATION: ValidationCounts,
    Family.QUESTIONS: QuestionCounts,
    Family.SELECTION: SelectionCounts,
    Family.ANSWERING: AnsweringCounts,
    Family.CATEGORIES: CategoryCounts,
    Family.NIL: NilCounts,
    Family.CANDIDATE_SETS: CandidateSetCounts,
    Family.CONFIDENCE: ConfidenceCounts,
    Family.SELF_SCORE: SelfScoreCounts,
    Family.RANKING: RankingCounts,
    Family.LIST: ListCounts,
    Family.DEFINITION: DefinitionCounts,
    Family.FACTOID: FactoidCounts,
    Family.COMBINED: CombinedCounts,
}
"""Family -> the counts of it, made of their fields by name."""

RANKED = frozenset({Family.CONFIDENCE, Family.SELF_SCORE, Family.RANKING})
"""What ranks answers by confidence, so that ties matter."""

OPEN = frozenset({Family.LIST, Family.DEFINITION, Family.FACTOID, Family.COMBINED})
"""What is counted of responses to questions without candidates, and of nothing else."""
