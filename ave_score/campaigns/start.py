"""The file that `ave-score campaign init` writes: every setting, explained."""

from __future__ import annotations

from ave_score.policies import Policies

_COMMENTS = 31
"""The column of comments behind settings."""


def start_file() -> str:
    """Return a campaign file to start with, in which every setting is explained."""
    settings = [
        f'{name} = "{policy.default}"'.ljust(_COMMENTS) + f"# {policy.with_choices(policy.setting)}"
        for name, policy in Policies.records().items()
        if policy.setting is not None
    ]
    return _BEFORE + "\n".join(settings) + _BEHIND


_BEFORE = """\
# A campaign: ave-score campaign FILE checks and scores everything that is named here, and writes
# every table into one folder. Paths are relative to this file.

title = "My exercise"
output = "results"             # the folder of the results

# One table for each edition ...
[editions.2007]
measures = "ave2007"           # columns of the tables, as score --measures takes them
"""

_BEHIND = """

# ... and in it one for each language, under any name.
[editions.2007.languages.es]
collection = "gold/es.xml"     # with gold labels; or a judged file (TSV) alone
# key = "gold/es.key.txt"      # labels of a collection that has none
# judged = "gold/es.qa.tsv"    # judged QA systems, ranked among the runs
# groups = "gold/es.groups.tsv"  # which group submitted what: a table run<TAB>group, or in place
runs = "runs/es"               # a folder, a pattern such as "runs/es-*.txt", or a list of these

# What runs and systems are called, where their file names do not say:
# [editions.2007.languages.es.names]
# "run1.txt" = "Team_1"
"""
