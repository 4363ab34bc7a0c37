"""The commented campaign file that `ave-score campaign init` writes."""

from __future__ import annotations

from ave_score.core.entrants import SETTINGS
from ave_score.core.policies import Policies

_COMMENTS = 31
"""The column of the comments after settings."""


def start_file() -> str:
    """Return a campaign file template with a comment on every setting."""
    settings = [
        _line_of(name, policy.example, policy.setting)
        if policy.example
        else f'{name} = "{policy.default}"'.ljust(_COMMENTS)
        + f"# {policy.with_choices(policy.setting)}"
        for name, policy in Policies.records().items()
        if policy.setting is not None
    ]
    texts = {name: _line_of(name, *setting.setting) for name, setting in SETTINGS.items()}
    teams = texts.pop("teams")
    after = _AFTER.replace("<teams>", teams).replace("<entrants>", "\n".join(texts.values()))
    return _BEFORE + "\n".join(settings) + after


def _line_of(name: str, example: str, comment: str) -> str:
    """Return the line of a setting that is not set."""
    setting = f"# {name} = {example}"
    return f"{setting.ljust(_COMMENTS - 2)}  # {comment}"


_BEFORE = """\
# A campaign: ave-score campaign FILE checks and scores all files listed here, and writes all
# tables to one folder. Paths are relative to this file.

title = "My exercise"
output = "results"             # results folder
# share = "scores"             # what teams and the public may see: "scores" (the default),
                               # "everything", or "scores and per-question outcomes"
# anonymous = "names.secret"   # a random text: gives teams other names on the public site
# terms = "terms.md"           # terms of participation, and a picture (PNG, JPEG): for platforms
# image = "logo.png"
# docker_image = "me/ave-score:1"  # where a platform scores runs

# One section per edition ...
[editions.2007]
measures = "ave2007"           # columns of the tables, as in score --measures
# compare = "qa_accuracy, f1"  # measures by which runs are compared, or "none"
"""

_AFTER = """

# ... with one subsection per language; its name is free. What has tasks, subtasks or tracks says
# so instead of languages, everywhere in this file.
[editions.2007.languages.es]
collection = "gold/es.xml"     # with gold labels; or a judged file (TSV) alone
# key = "gold/es.key.txt"      # labels, if the collection has none
# judged = "gold/es.qa.tsv"    # judged QA systems, ranked among the runs
<teams>
runs = "runs/es"               # a folder, a pattern such as "runs/es-*.txt", or a list of these
# measures = "f1, precision"   # of this language; so with all settings of the edition
<entrants>

# Names of runs and systems, if they differ from the file names:
# [editions.2007.languages.es.names]
# "run1.txt" = "Team_1"

# Settings of many languages at once: {language} is the name of each of them, and {team} the
# name of a folder, which is the team of the runs in it.
# [editions.2008]
# languages = ["de", "en"]
# collection = "gold/{language}.xml"
# runs = "submissions/{team}/{language}/*.txt"
"""
