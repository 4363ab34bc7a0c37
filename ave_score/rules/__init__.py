"""All rules that a file can break; the codes never change.

| module        | codes                  | about                                           |
|---------------|------------------------|-------------------------------------------------|
| `runs`        | AVE1xx, AVE2xx, AVE3xx | text and lines, runs and keys, their verdicts   |
| `collections` | AVE4xx, AVE6xx, AVE8xx | collections, answers (XML), open questions      |
| `tables`      | AVE5xx, AVE7xx, AVE9xx | judged files, campaign files, scores            |
| `texts/`      | AVE10 to AVE91 (TOML)  | explanations, examples and fixes of these rules |
"""

from __future__ import annotations

import copyreg

from ave_score.core.kinds import FileKind as FileKind
from ave_score.rules.collections import *
from ave_score.rules.rule import *
from ave_score.rules.runs import *
from ave_score.rules.tables import *

LOSES_LINE = frozenset(
    [
        FIELD_COUNT,
        UNKNOWN_VERDICT,
        LABEL_IN_RUN,
        HEADER_LINE,
        UNKNOWN_LABEL,
        ROW_WIDTH,
        UNKNOWN_JUDGEMENT,
        FIELD_EMPTY,
        QUOTE_UNUSABLE,
        NOT_AN_OBJECT,
        KEY_MISSING,
        VALUE_UNUSABLE,
        LOG_UNUSABLE,
    ]
)
"""The rules that a line breaks from which no answer can be read."""

QUIET = frozenset([CONFIDENCE_RANGE])
"""The rules that are reported if --select names them: where it matters, results say it."""

SWAPPED = "; were collection and run swapped?"
"""The hint of `OTHER_FORMAT` if collection and run were given in the wrong order."""

RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        (value for value in list(globals().values()) if isinstance(value, Rule)),
        key=lambda rule: rule.code,
    )
}
"""All rules by code, in the order of the codes."""


def _of_code(code: str) -> Rule:
    return RULES[code]


# a rule is the same object wherever it was copied from
copyreg.pickle(Rule, lambda rule: (_of_code, (rule.code,)))
