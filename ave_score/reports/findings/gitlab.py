"""Findings as GitLab's Code Quality report: a JSON list of issues."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator

from ave_score.core.findings import Finding
from ave_score.core.text import visible
from ave_score.reports.findings.paths import relative_path
from ave_score.reports.findings.report import FindingsReport, ListedFinding
from ave_score.reports.json_text import json_text
from ave_score.reports.style import TextStyle
from ave_score.rules import Severity

_SEVERITY = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return an issue for each listed finding and each unreadable file."""
    seen: Counter[str] = Counter()
    issues = [
        _issue(relative_path(file.checked.path), listed, seen)
        for file in report.files
        for listed in file.listed
    ]
    for file in report.files:
        if file.checked.unreadable is not None:
            path = relative_path(file.checked.path)
            issues.append(
                {
                    "description": visible(file.checked.unreadable),
                    "check_name": "unreadable",
                    "fingerprint": _fingerprint(seen, path, "unreadable"),
                    "severity": "blocker",
                    "location": {"path": visible(path), "lines": {"begin": 1}},
                }
            )
    return json_text(issues)


def _issue(path: str, listed: ListedFinding, seen: Counter[str]) -> dict[str, object]:
    finding = listed.finding
    return {
        "description": f"{finding.rule.code} {listed.message}",
        "check_name": finding.rule.name,
        "fingerprint": _fingerprint(seen, path, finding.rule.code, *_without_lines(finding)),
        "severity": _SEVERITY[finding.rule.severity],
        "location": {"path": visible(path), "lines": {"begin": finding.line or 1}},
    }


def _without_lines(finding: Finding) -> Iterator[str]:
    """Yield the parts of a finding that do not change if lines are inserted before it."""
    yield finding.text
    for fact in finding.facts.values():
        if isinstance(fact, str):
            yield re.sub(r"line \d+", "line", fact)


def _fingerprint(seen: Counter[str], *parts: str) -> str:
    """Return a hash that is independent of line numbers but differs between similar findings."""
    joined = "\0".join(parts)
    seen[joined] += 1
    text = f"{joined}\0{seen[joined]}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
