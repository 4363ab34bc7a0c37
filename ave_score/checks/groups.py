"""From a file to the groups behind runs."""

from __future__ import annotations

from ave_score.files.groups import read_groups
from ave_score.files.source import Source
from ave_score.findings import Findings


def check_groups(source: Source) -> tuple[dict[str, str] | None, list[Findings]]:
    """Read which group submitted which run; None, with findings, where a line is unreadable."""
    findings = Findings(source.path)
    groups = read_groups(source, findings)
    return (None if findings.errors else groups), [findings]
