"""Measures, a module a family: each a pure function of exact counts, registered with its record.

To add one, write its function in its family's module under `@measure(...)`; the command line, JSON,
tables and documentation find it by its record.
"""

from ave_score.measures import answering, selection, validation
from ave_score.measures.registry import MEASURES, Measure, groups, parse_measures

__all__ = [
    "MEASURES",
    "Measure",
    "answering",
    "groups",
    "parse_measures",
    "selection",
    "validation",
]
