"""AVE3xx: the verdicts inside a question."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, Rule, unsafe

TWO_SELECTED = Rule(
    "AVE301",
    "two-selected",
    ERROR,
    "question {q_id!r} has a SELECTED answer already, at line {first}",
    "Select one answer of the question and validate the others.",
    explanation=(
        "SELECTED marks the one answer that would be returned to a user. With two of them a "
        "question could count as answered rightly if either is correct, and a system would gain by "
        "selecting many. Usual causes are answers with the same highest confidence, and a system "
        "that selects all that lie above a threshold."
    ),
    wrong="""\
1 1_1 SELECTED 0.9
1 1_2 SELECTED 0.6
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 VALIDATED 0.6
2 2_1 REJECTED 0.1
""",
    fix=unsafe(
        "The SELECTED answer with the highest confidence, the earliest where equal, is kept; the "
        "others become VALIDATED."
    ),
)
NONE_SELECTED = Rule(
    "AVE302",
    "validated-without-selected",
    ERROR,
    "question {q_id!r} has a VALIDATED answer but none SELECTED",
    "Select the validated answer that the system would return.",
    explanation=(
        "A system that accepts answers of a question has to say which of them it returns. Without "
        "a SELECTED one the question would count as left without an answer in QA accuracy, even "
        "where a validated answer is correct. The usual cause is a system that only validates and "
        "writes VALIDATED for all that it accepts."
    ),
    wrong="""\
1 1_1 VALIDATED 0.9
1 1_2 VALIDATED 0.6
2 2_1 REJECTED 0.1
""",
    right="""\
1 1_1 SELECTED 0.9
1 1_2 VALIDATED 0.6
2 2_1 REJECTED 0.1
""",
    fix=unsafe(
        "The VALIDATED answer with the highest confidence, the earliest where equal, becomes "
        "SELECTED."
    ),
)
