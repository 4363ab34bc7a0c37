"""Every rule that a file can break; the codes never change.

| module        | codes  | about                                       |
|---------------|--------|---------------------------------------------|
| `lines`       | AVE10x | one line of a file, and the fields in it    |
| `text`        | AVE11x | the file as text                            |
| `coverage`    | AVE2xx | a run or a key against its collection       |
| `coherence`   | AVE3xx | the verdicts inside a question              |
| `collections` | AVE4xx | collections and keys                        |
| `judged`      | AVE5xx | judged question-answering runs, and groups  |
"""

from __future__ import annotations

from ave_score.rules.coherence import (
    NONE_SELECTED,
    TWO_SELECTED,
)
from ave_score.rules.collections import (
    ANSWER_OUTSIDE_QUESTION,
    DUPLICATE_ANSWER,
    DUPLICATE_QUESTION,
    ENTITY_DECLARED,
    ID_MISSING,
    ID_UNUSABLE,
    LABEL_CONFLICT,
    NO_QUESTIONS,
    NOT_WELL_FORMED,
    QUESTION_IN_QUESTION,
    QUESTION_WITHOUT_ANSWERS,
    TOKEN_TOO_LONG,
    TOO_DEEP,
    UNKNOWN_LABEL,
    UNLABELLED_ANSWER,
)
from ave_score.rules.coverage import (
    ANSWER_CONFLICT,
    ANSWER_MISSING,
    ANSWER_OF_ANOTHER_QUESTION,
    ANSWER_REPEATED,
    MISSING_AS_REJECTED,
    UNKNOWN_ANSWER,
    UNKNOWN_QUESTION,
)
from ave_score.rules.judged import (
    ANSWERED_UNKNOWN,
    FIELD_EMPTY,
    HEADER_UNUSABLE,
    JUDGED_UNKNOWN_ANSWER,
    JUDGEMENT_CONTRADICTED,
    OUTSIDE_COLLECTION,
    QUESTION_UNANSWERED,
    RIGHT_BUT_UNANSWERABLE,
    ROW_WIDTH,
    SECOND_ANSWER,
    TWO_GROUPS,
    UNKNOWN_COLUMN,
    UNKNOWN_JUDGEMENT,
)
from ave_score.rules.lines import (
    CONFIDENCE_NOT_A_NUMBER,
    CONFIDENCE_NOT_FINITE,
    CONFIDENCE_RANGE,
    DECIMAL_COMMA,
    FIELD_COUNT,
    HEADER_LINE,
    LABEL_IN_RUN,
    UNKNOWN_VERDICT,
    VERDICT_CASE,
)
from ave_score.rules.rule import FileKind, Fix, Rule, Safety, Severity
from ave_score.rules.text import (
    BINARY_FILE,
    BYTE_ORDER_MARK,
    CONTROL_CHARACTER,
    EMPTY_FILE,
    LINE_ENDS,
    LINE_TOO_LONG,
    NOT_UTF8,
    OTHER_FORMAT,
    UTF16,
)

SWAPPED = "; were collection and run swapped?"
"""The hint of `OTHER_FORMAT` where one was given for the other."""

RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        (value for value in list(globals().values()) if isinstance(value, Rule)),
        key=lambda rule: rule.code,
    )
}
"""Every rule by its code, in the order of the codes."""

__all__ = [
    "ANSWERED_UNKNOWN",
    "ANSWER_CONFLICT",
    "ANSWER_MISSING",
    "ANSWER_OF_ANOTHER_QUESTION",
    "ANSWER_OUTSIDE_QUESTION",
    "ANSWER_REPEATED",
    "BINARY_FILE",
    "BYTE_ORDER_MARK",
    "CONFIDENCE_NOT_A_NUMBER",
    "CONFIDENCE_NOT_FINITE",
    "CONFIDENCE_RANGE",
    "CONTROL_CHARACTER",
    "DECIMAL_COMMA",
    "DUPLICATE_ANSWER",
    "DUPLICATE_QUESTION",
    "EMPTY_FILE",
    "ENTITY_DECLARED",
    "FIELD_COUNT",
    "FIELD_EMPTY",
    "HEADER_LINE",
    "HEADER_UNUSABLE",
    "ID_MISSING",
    "ID_UNUSABLE",
    "JUDGED_UNKNOWN_ANSWER",
    "JUDGEMENT_CONTRADICTED",
    "LABEL_CONFLICT",
    "LABEL_IN_RUN",
    "LINE_ENDS",
    "LINE_TOO_LONG",
    "MISSING_AS_REJECTED",
    "NONE_SELECTED",
    "NOT_UTF8",
    "NOT_WELL_FORMED",
    "NO_QUESTIONS",
    "OTHER_FORMAT",
    "OUTSIDE_COLLECTION",
    "QUESTION_IN_QUESTION",
    "QUESTION_UNANSWERED",
    "QUESTION_WITHOUT_ANSWERS",
    "RIGHT_BUT_UNANSWERABLE",
    "ROW_WIDTH",
    "RULES",
    "SECOND_ANSWER",
    "SWAPPED",
    "TOKEN_TOO_LONG",
    "TOO_DEEP",
    "TWO_GROUPS",
    "TWO_SELECTED",
    "UNKNOWN_ANSWER",
    "UNKNOWN_COLUMN",
    "UNKNOWN_JUDGEMENT",
    "UNKNOWN_LABEL",
    "UNKNOWN_QUESTION",
    "UNKNOWN_VERDICT",
    "UNLABELLED_ANSWER",
    "UTF16",
    "VERDICT_CASE",
    "FileKind",
    "Fix",
    "Rule",
    "Safety",
    "Severity",
]
