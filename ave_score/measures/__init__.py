"""Measures, one module per family: pure functions of exact counts, registered with their records.

To add a measure, write its function in the module of its family, decorated with `@measure(...)`.
The command line, JSON, tables and documentation read its record.
"""

from ave_score.measures import (
    answering,
    categories,
    combined,
    confidence,
    definitions,
    lists,
    ranking,
    scorer,
    selection,
    selective,
    validation,
)
from ave_score.measures.names import by_table, groups, parse_measures
from ave_score.measures.registry import MEASURES, Measure, NotApplicable

__all__ = [
    "MEASURES",
    "Measure",
    "NotApplicable",
    "answering",
    "by_table",
    "categories",
    "combined",
    "confidence",
    "definitions",
    "groups",
    "lists",
    "parse_measures",
    "ranking",
    "scorer",
    "selection",
    "selective",
    "validation",
]
