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

from ave_score.kinds import FileKind as FileKind
from ave_score.rules.answers import *
from ave_score.rules.building import *
from ave_score.rules.campaign import *
from ave_score.rules.coherence import *
from ave_score.rules.collections import *
from ave_score.rules.coverage import *
from ave_score.rules.judged import *
from ave_score.rules.lines import *
from ave_score.rules.open_questions import *
from ave_score.rules.rule import *
from ave_score.rules.scores import *
from ave_score.rules.text import *

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
