"""All rules that a file can break; the codes never change.

| module           | codes  | about                                       |
|------------------|--------|---------------------------------------------|
| `lines`          | AVE10x | a line of a file and its fields             |
| `text`           | AVE11x | the file as text                            |
| `coverage`       | AVE2xx | a run or a key against its collection       |
| `coherence`      | AVE3xx | the verdicts on the answers of one question |
| `collections`    | AVE4xx | collections and keys                        |
| `judged`         | AVE50x | judged question-answering runs, and groups  |
| `building`       | AVE52x | input of `ave-score build`                  |
| `answers`        | AVE6xx | answers of a system (XML)                   |
| `campaign`       | AVE7xx | campaign files                              |
| `open_questions` | AVE8xx | questions without candidates, and responses |
| `scores`         | AVE9xx | scores that a verifier gave to answers      |
"""

from __future__ import annotations

from ave_score.kinds import FileKind as FileKind
from ave_score.rules.answers import *
from ave_score.rules.building import *
from ave_score.rules.campaign import *
from ave_score.rules.coherence import *
from ave_score.rules.collections import *
from ave_score.rules.coverage import *
from ave_score.rules.judged import *
from ave_score.rules.lines import *
from ave_score.rules.logs import *
from ave_score.rules.open_questions import *
from ave_score.rules.rule import *
from ave_score.rules.scores import *
from ave_score.rules.text import *

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
