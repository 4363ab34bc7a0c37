"""Which group submitted which run: tab-separated, with the header `run`, `group`."""

from __future__ import annotations

from ave_score import rules
from ave_score.findings import Findings
from ave_score.formats.lines import LineReader
from ave_score.formats.source import Source
from ave_score.text import counted


def read_groups(source: Source, findings: Findings) -> dict[str, str]:
    """Return run -> group; the header line may be left out."""
    groups: dict[str, str] = {}
    for first, text in LineReader(source, findings, "a table of runs and groups").blocks():
        for number, line in enumerate(text.split("\n"), first):
            fields = [field.strip() for field in line.split("\t")]
            if fields in ([""], ["run", "group"]) or line.startswith("#"):
                continue
            if len(fields) == 2 and fields[0]:
                groups[fields[0]] = fields[1]
                continue
            found = counted(len(fields), "field")
            findings.add(
                rules.FIELD_COUNT,
                number,
                None,
                line,
                found=found,
                expected="2",
                layout="run<TAB>group",
            )
    return groups
