"""AVE3xx: the verdicts inside a question."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, Rule

TWO_SELECTED = Rule(
    "AVE301",
    "two-selected",
    ERROR,
    "question {q_id!r} has a SELECTED answer already, at line {first}",
    "Select one answer of the question and validate the others.",
)
NONE_SELECTED = Rule(
    "AVE302",
    "validated-without-selected",
    ERROR,
    "question {q_id!r} has a VALIDATED answer but none SELECTED",
    "Select the validated answer that the system would return.",
)
