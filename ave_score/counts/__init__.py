"""Counts of what a run did, exact and addable: over answers, questions, files, languages.

They are the only thing that measures see. Families that share code share a module: the types of
their counts, and how they are counted of a run, a QA system, a baseline, a question. A new family
registers its `Family`, and is imported here.
"""

from __future__ import annotations

from ave_score.counts.base import (
    FAMILIES,
    TABLES,
    Counts,
    Family,
    NotCounted,
    additive_families,
    response_families,
    run_families,
)

# isort: off
# in the order in which counts stand in data files, and tables on a page
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
    Described,
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
    "Described",
    "FactoidCounts",
    "Family",
    "ListCounts",
    "NilCounts",
    "NotCounted",
    "QuestionCounts",
    "Ranking",
    "RankingCounts",
    "SelectionCounts",
    "SelfScoreCounts",
    "ValidationCounts",
    "additive_families",
    "response_families",
    "run_families",
]
