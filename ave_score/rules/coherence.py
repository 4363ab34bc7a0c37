"""AVE3xx: the verdicts on the answers of one question."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, Rule, unsafe

_ONE_SELECTED = """\
1 1_1 SELECTED 0.9
1 1_2 VALIDATED 0.6
2 2_1 REJECTED 0.1
"""

TWO_SELECTED = Rule(
    "AVE301",
    "two-selected",
    ERROR,
    "question {q_id!r} already has a SELECTED answer, at line {first}",
    "Select one answer per question and validate the others.",
    explanation=(
        "SELECTED marks the one answer that would be returned to a user. With two, a question "
        "could count as answered correctly if either is correct, and a system would gain by "
        "selecting many. Usual causes: answers tied for the highest confidence, or a system that "
        "selects every answer above a threshold."
    ),
    wrong=_ONE_SELECTED.replace("VALIDATED", "SELECTED"),
    right=_ONE_SELECTED,
    fix=unsafe(
        "The SELECTED answer with the highest confidence is kept, or the earliest in a tie; the "
        "others become VALIDATED."
    ),
)
NONE_SELECTED = Rule(
    "AVE302",
    "validated-without-selected",
    ERROR,
    "question {q_id!r} has a VALIDATED answer but no SELECTED one",
    "Select the validated answer that the system would return.",
    explanation=(
        "A system that accepts answers of a question has to say which of them it returns. Without "
        "a SELECTED answer, QA accuracy would count the question as unanswered, even if a "
        "validated answer is correct. Usual cause: a system that only validates and writes "
        "VALIDATED for every answer that it accepts."
    ),
    wrong=_ONE_SELECTED.replace("SELECTED", "VALIDATED"),
    right=_ONE_SELECTED,
    fix=unsafe(
        "The VALIDATED answer with the highest confidence, or the earliest in a tie, becomes "
        "SELECTED."
    ),
)
