"""Measures, a module a family: each a pure function of exact counts, registered with its record.

To add one, write its function in its family's module under `@measure(...)`; the command line, JSON,
tables and documentation find it by its record.
"""

from ave_score.measures import (
    answering,
    categories,
    combined,
    confidence,
    definitions,
    lists,
    ranking,
    selection,
    validation,
)
from ave_score.measures.names import groups, parse_measures
from ave_score.measures.registry import MEASURES, Measure, NotApplicable

__all__ = [
    "MEASURES",
    "Measure",
    "NotApplicable",
    "answering",
    "categories",
    "combined",
    "confidence",
    "definitions",
    "groups",
    "lists",
    "parse_measures",
    "ranking",
    "selection",
    "validation",
]
