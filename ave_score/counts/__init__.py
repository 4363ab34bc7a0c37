"""Counts of a run's decisions: exact, and additive over answers, questions, files and languages.

Measures are computed from counts alone. Families that share code share a module, which defines the
count types and the functions that count runs, QA systems, baselines and single questions. A new
family registers its `Family` and is imported here.
"""

from __future__ import annotations

from ave_score.counts.base import (
    FAMILIES,
    TABLES,
    Counts,
    Family,
    NotCounted,
    additive_families,
    count,
    families_of,
    response_families,
    run_families,
)

# isort: off
# this order determines the order of columns in data files and of tables on a page
from ave_score.counts.validation import VALIDATION, QUESTIONS, QuestionCounts, ValidationCounts
from ave_score.counts.selection import ANSWERING, SELECTION, AnsweringCounts, SelectionCounts
from ave_score.counts.confidence import CONFIDENCE, SELF_SCORE, ConfidenceCounts, SelfScoreCounts
from ave_score.counts.ranking import RANKING, Ranking, RankingCounts
from ave_score.counts.responses import (
    COMBINED,
    DEFINITION,
    FACTOID,
    LIST,
    CombinedCounts,
    DefinitionCounts,
    DefinitionResponse,
    FactoidCounts,
    ListCounts,
)
from ave_score.counts.categories import (
    CANDIDATE_SETS,
    CATEGORIES,
    NIL,
    CandidateSetCounts,
    CategoryCounts,
    NilCounts,
)
from ave_score.counts.scorer import SCORER, ScorerCounts
# isort: on

__all__ = [
    "ANSWERING",
    "CANDIDATE_SETS",
    "CATEGORIES",
    "COMBINED",
    "CONFIDENCE",
    "DEFINITION",
    "FACTOID",
    "FAMILIES",
    "LIST",
    "NIL",
    "QUESTIONS",
    "RANKING",
    "SCORER",
    "SELECTION",
    "SELF_SCORE",
    "TABLES",
    "VALIDATION",
    "AnsweringCounts",
    "CandidateSetCounts",
    "CategoryCounts",
    "CombinedCounts",
    "ConfidenceCounts",
    "Counts",
    "DefinitionCounts",
    "DefinitionResponse",
    "FactoidCounts",
    "Family",
    "ListCounts",
    "NilCounts",
    "NotCounted",
    "QuestionCounts",
    "Ranking",
    "RankingCounts",
    "ScorerCounts",
    "SelectionCounts",
    "SelfScoreCounts",
    "ValidationCounts",
    "additive_families",
    "count",
    "families_of",
    "response_families",
    "run_families",
]
