"""AVE2xx: a run or a key against its collection."""

from __future__ import annotations

from ave_score.rules.rule import ERROR, WARNING, Rule

UNKNOWN_QUESTION = Rule(
    "AVE201",
    "unknown-question",
    ERROR,
    "question {q_id!r} is not in the collection{hint}",
    "Ids are compared as strings: 0001 and 1 differ.",
)
UNKNOWN_ANSWER = Rule(
    "AVE202",
    "unknown-answer",
    ERROR,
    "question {q_id!r} has no answer {a_id!r}{hint}",
    "Ids are compared as strings: 0001_1 and 1_1 differ.",
)
ANSWER_OF_ANOTHER_QUESTION = Rule(
    "AVE203",
    "answer-of-another-question",
    ERROR,
    "answer {a_id!r} belongs to question {expected!r}, found under {q_id!r}",
    "Put the answer's own question into the first field.",
)
ANSWER_MISSING = Rule(
    "AVE204",
    "answer-missing",
    ERROR,
    "no line for answer {a_id!r} of question {q_id!r}",
    "Every answer of the collection needs a line; score's --missing rejected takes it as REJECTED.",
)
ANSWER_REPEATED = Rule(
    "AVE205",
    "answer-repeated",
    ERROR,
    "answer {a_id!r} of question {q_id!r} was given before, alike, at line {first}",
    "Delete one of the lines.",
)
ANSWER_CONFLICT = Rule(
    "AVE206",
    "answer-conflict",
    ERROR,
    "answer {a_id!r} of question {q_id!r} was given before, differently, at line {first}",
    "Keep the line that is meant.",
)
MISSING_AS_REJECTED = Rule(
    "AVE207",
    "missing-as-rejected",
    WARNING,
    "no line for answer {a_id!r} of question {q_id!r}; taken as REJECTED",
    "Asked for with --missing rejected.",
)
