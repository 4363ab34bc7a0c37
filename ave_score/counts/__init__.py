"""Counts of what a run did, exact and addable: over answers, questions, files, languages.

They are the only thing that measures see. A module a family: the type of its counts, and how they
are counted of a run, a QA system, a baseline, a question. A new family is a module that registers
its `Family`, and its import here.
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
from ave_score.counts.validation import VALIDATION, ValidationCounts
from ave_score.counts.questions import QUESTIONS, QuestionCounts
from ave_score.counts.selection import SELECTION, SelectionCounts
from ave_score.counts.answering import ANSWERING, AnsweringCounts
from ave_score.counts.confidence import CONFIDENCE, ConfidenceCounts
from ave_score.counts.self_score import SELF_SCORE, SelfScoreCounts
from ave_score.counts.ranking import RANKING, Ranking, RankingCounts
from ave_score.counts.lists import LIST, ListCounts
from ave_score.counts.definitions import DEFINITION, DefinitionCounts, Described
from ave_score.counts.combined import COMBINED, FACTOID, CombinedCounts, FactoidCounts
from ave_score.counts.categories import CATEGORIES, CategoryCounts
from ave_score.counts.nil import NIL, NilCounts
from ave_score.counts.candidate_sets import CANDIDATE_SETS, CandidateSetCounts
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
