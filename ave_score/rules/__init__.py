"""Every rule that a file can break; the codes never change.

| module           | codes  | about                                       |
|------------------|--------|---------------------------------------------|
| `lines`          | AVE10x | one line of a file, and the fields in it    |
| `text`           | AVE11x | the file as text                            |
| `coverage`       | AVE2xx | a run or a key against its collection       |
| `coherence`      | AVE3xx | the verdicts inside a question              |
| `collections`    | AVE4xx | collections and keys                        |
| `judged`         | AVE50x | judged question-answering runs, and groups  |
| `building`       | AVE52x | what collections are built from             |
| `answers`        | AVE6xx | what a system answered (XML)                |
| `campaign`       | AVE7xx | campaign files, and what they name          |
| `open_questions` | AVE8xx | questions without candidates, and responses |
| `scores`         | AVE9xx | the scores that a verifier gave to answers  |
"""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.answers import (
    ANSWER_NOT_OFFERED,
    ANSWERED_TWICE,
    ANSWERED_WITHOUT_ANSWER,
    MISSING_AS_UNANSWERED,
    QUESTION_MISSING,
    TWO_ANSWERS,
)
from ave_score.rules.building import (
    DOCUMENT_MISSING,
    DOCUMENT_UNUSABLE,
    HYPOTHESIS_SLOT,
    JUDGEMENTS_DIFFER,
    OUTSIDE_QUESTIONS,
    QUESTION_REPEATED,
)
from ave_score.rules.campaign import (
    FILE_UNUSABLE,
    NAME_OF_NOTHING,
    NO_RUNS,
    NOT_TOML,
    RUNS_OF_ONE_NAME,
    SETTING_MISSING,
    SETTING_UNUSABLE,
    UNKNOWN_SETTING,
)
from ave_score.rules.coherence import (
    NONE_SELECTED,
    TWO_SELECTED,
)
from ave_score.rules.collections import (
    ANSWER_OUTSIDE_QUESTION,
    DUPLICATE_ANSWER,
    DUPLICATE_QUESTION,
    ENTITY_DECLARED,
    GRADE_UNUSABLE,
    ID_MISSING,
    ID_UNUSABLE,
    LABEL_CONFLICT,
    MIXED_COLLECTION,
    NO_QUESTIONS,
    NONE_RIGHT,
    NOT_WELL_FORMED,
    QUESTION_IN_QUESTION,
    QUESTION_WITHOUT_ANSWERS,
    SEVERAL_RIGHT,
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
    CAMPAIGN_CONTRADICTED,
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
from ave_score.rules.open_questions import (
    CONTENT_UNUSABLE,
    FACTOID_ANSWERED_TWICE,
    JSON_KEY_REPEATED,
    NIL_BESIDE_ANSWERS,
    NO_VITAL_NUGGET,
    NOT_JSON,
    NOT_RESPONDED,
    NUGGET_REPEATED,
    NUGGET_UNKNOWN,
    NUGGETS_MISPLACED,
    TOTAL_TOO_SMALL,
    TYPE_CONTRADICTED,
    UNKNOWN_KEY,
    WORDING_REPEATED,
)
from ave_score.rules.rule import Fix, Rule, Safety, Severity
from ave_score.rules.scores import (
    CORRECT_UNKNOWN,
    IDS_MIXED,
    KEY_MISSING,
    KEY_REPEATED,
    NOT_AN_OBJECT,
    QUESTION_TEXTS_DIFFER,
    SCORE_NOT_A_NUMBER,
    SCORE_NOT_FINITE,
    VALUE_UNUSABLE,
)
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
    "ANSWERED_TWICE",
    "ANSWERED_UNKNOWN",
    "ANSWERED_WITHOUT_ANSWER",
    "ANSWER_CONFLICT",
    "ANSWER_MISSING",
    "ANSWER_NOT_OFFERED",
    "ANSWER_OF_ANOTHER_QUESTION",
    "ANSWER_OUTSIDE_QUESTION",
    "ANSWER_REPEATED",
    "BINARY_FILE",
    "BYTE_ORDER_MARK",
    "CAMPAIGN_CONTRADICTED",
    "CONFIDENCE_NOT_A_NUMBER",
    "CONFIDENCE_NOT_FINITE",
    "CONFIDENCE_RANGE",
    "CONTENT_UNUSABLE",
    "CONTROL_CHARACTER",
    "CORRECT_UNKNOWN",
    "DECIMAL_COMMA",
    "DOCUMENT_MISSING",
    "DOCUMENT_UNUSABLE",
    "DUPLICATE_ANSWER",
    "DUPLICATE_QUESTION",
    "EMPTY_FILE",
    "ENTITY_DECLARED",
    "FACTOID_ANSWERED_TWICE",
    "FIELD_COUNT",
    "FIELD_EMPTY",
    "FILE_UNUSABLE",
    "GRADE_UNUSABLE",
    "HEADER_LINE",
    "HEADER_UNUSABLE",
    "HYPOTHESIS_SLOT",
    "IDS_MIXED",
    "ID_MISSING",
    "ID_UNUSABLE",
    "JSON_KEY_REPEATED",
    "JUDGED_UNKNOWN_ANSWER",
    "JUDGEMENTS_DIFFER",
    "JUDGEMENT_CONTRADICTED",
    "KEY_MISSING",
    "KEY_REPEATED",
    "LABEL_CONFLICT",
    "LABEL_IN_RUN",
    "LINE_ENDS",
    "LINE_TOO_LONG",
    "MISSING_AS_REJECTED",
    "MISSING_AS_UNANSWERED",
    "MIXED_COLLECTION",
    "NAME_OF_NOTHING",
    "NIL_BESIDE_ANSWERS",
    "NONE_RIGHT",
    "NONE_SELECTED",
    "NOT_AN_OBJECT",
    "NOT_JSON",
    "NOT_RESPONDED",
    "NOT_TOML",
    "NOT_UTF8",
    "NOT_WELL_FORMED",
    "NO_QUESTIONS",
    "NO_RUNS",
    "NO_VITAL_NUGGET",
    "NUGGETS_MISPLACED",
    "NUGGET_REPEATED",
    "NUGGET_UNKNOWN",
    "OTHER_FORMAT",
    "OUTSIDE_COLLECTION",
    "OUTSIDE_QUESTIONS",
    "QUESTION_IN_QUESTION",
    "QUESTION_MISSING",
    "QUESTION_REPEATED",
    "QUESTION_TEXTS_DIFFER",
    "QUESTION_UNANSWERED",
    "QUESTION_WITHOUT_ANSWERS",
    "RIGHT_BUT_UNANSWERABLE",
    "ROW_WIDTH",
    "RULES",
    "RUNS_OF_ONE_NAME",
    "SCORE_NOT_A_NUMBER",
    "SCORE_NOT_FINITE",
    "SECOND_ANSWER",
    "SETTING_MISSING",
    "SETTING_UNUSABLE",
    "SEVERAL_RIGHT",
    "SWAPPED",
    "TOKEN_TOO_LONG",
    "TOO_DEEP",
    "TOTAL_TOO_SMALL",
    "TWO_ANSWERS",
    "TWO_GROUPS",
    "TWO_SELECTED",
    "TYPE_CONTRADICTED",
    "UNKNOWN_ANSWER",
    "UNKNOWN_COLUMN",
    "UNKNOWN_JUDGEMENT",
    "UNKNOWN_KEY",
    "UNKNOWN_LABEL",
    "UNKNOWN_QUESTION",
    "UNKNOWN_SETTING",
    "UNKNOWN_VERDICT",
    "UNLABELLED_ANSWER",
    "UTF16",
    "VALUE_UNUSABLE",
    "VERDICT_CASE",
    "WORDING_REPEATED",
    "FileKind",
    "Fix",
    "Rule",
    "Safety",
    "Severity",
]
