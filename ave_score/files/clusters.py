"""Tables of clusters: `q_id` and `cluster`, tab-separated, with an optional header.

The questions of a cluster belong together: they are about one passage, topic or document. In a
collection of text-hypothesis pairs, the ids are those of the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.model import Clusters
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.source import Source
from ave_score.files.two_columns import entries

HEADS = ["q_id", "cluster"], ["q_id", "group"]
"""The names that the columns may have."""


@for_one_file
def check_clusters(source: Source, ids: Iterable[str]) -> tuple[Clusters | None, list[Findings]]:
    """Read id -> cluster; None if the file has errors. `ids` are those of the collection."""
    findings, known = Findings(source.path), {*ids}
    of: dict[str, str] = {}
    lines: dict[str, int] = {}
    source.expect_hash()
    expected = "a table of questions and clusters"
    for entry in entries(source, findings, ("q_id", "cluster"), expected, HEADS.__contains__):
        columns = range(1, 1 + len(entry.name))
        if entry.name in lines:
            facts: dict[str, object] = {"q_id": entry.name, "first": lines[entry.name]}
            findings.add(rules.QUESTION_REPEATED, entry.number, columns, entry.line, **facts)
        elif entry.name not in known:
            hint = did_you_mean(nearest(entry.name, known))
            facts = {"q_id": entry.name, "hint": hint}
            findings.add(rules.UNKNOWN_QUESTION, entry.number, columns, entry.line, **facts)
        elif not entry.value:
            facts = {"field": "cluster"}
            findings.add(rules.FIELD_EMPTY, entry.number, entry.columns, entry.line, **facts)
        else:
            of[entry.name], lines[entry.name] = entry.value, entry.number
    if not of and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="clusters in it")
    if findings.errors:
        return None, [findings]
    return Clusters(source.path, of, source.sha256()), [findings]
