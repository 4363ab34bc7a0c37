"""Findings as GitLab's Code Quality report: a JSON list of issues."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

from ave_score.findings import Finding
from ave_score.reports.findings.places import relative_path
from ave_score.reports.findings.report import Listed, Report
from ave_score.rules import Severity
from ave_score.text import visible

_SEVERITY = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def render_gitlab(report: Report) -> str:
    """Return an issue for each finding that is listed, and for each file that cannot be read."""
    seen: Counter[str] = Counter()
    issues = [
        _issue(relative_path(file.checked.path), one, seen)
        for file in report.files
        for one in file.listed
    ]
    for file in report.files:
        if file.checked.unreadable is not None:
            path = relative_path(file.checked.path)
            issues.append(
                {
                    "description": visible(file.checked.unreadable),
                    "check_name": "unreadable",
                    "fingerprint": _hash(path, "unreadable"),
                    "severity": "blocker",
                    "location": {"path": visible(path), "lines": {"begin": 1}},
                }
            )
    return json.dumps(issues, indent=2) + "\n"


def _issue(path: str, one: Listed, seen: Counter[str]) -> dict[str, object]:
    found = one.finding
    return {
        "description": f"{found.rule.code} {one.message}",
        "check_name": found.rule.name,
        "fingerprint": _fingerprint(path, found, seen),
        "severity": _SEVERITY[found.rule.severity],
        "location": {"path": visible(path), "lines": {"begin": found.line or 1}},
    }


def _fingerprint(path: str, found: Finding, seen: Counter[str]) -> str:
    """Return a hash that stays when lines move, and differs between findings that are alike."""
    alike = _hash(path, found.rule.code, found.text, found.message)
    seen[alike] += 1
    return _hash(alike, str(seen[alike]))


def _hash(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.sha256(joined).hexdigest()
