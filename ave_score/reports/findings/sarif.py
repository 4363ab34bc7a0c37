"""Findings as SARIF 2.1.0, the OASIS format of static analysis."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.core.text import quantity, visible
from ave_score.reports.findings.paths import uri
from ave_score.reports.findings.report import FindingsReport, ListedFinding
from ave_score.reports.json_text import json_text
from ave_score.reports.style import TextStyle
from ave_score.rules import RULES, Rule
from ave_score.version import __version__

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return one SARIF run with every listed finding, in ASCII."""
    counts = report.counts
    broken = [rule for rule in RULES.values() if counts[rule]]
    numbers = {rule: number for number, rule in enumerate(broken)}
    unreadable = any(file.checked.unreadable is not None for file in report.files)
    run = {
        "tool": {
            "driver": {
                "name": "ave-score",
                "version": __version__,
                "rules": [_descriptor(rule) for rule in broken],
            }
        },
        "columnKind": "unicodeCodePoints",
        "artifacts": [
            {"location": {"uri": path}}
            for path in dict.fromkeys(uri(file.checked.path) for file in report.files)
        ],
        "invocations": [
            {
                "executionSuccessful": not unreadable,
                "exitCode": report.exit_code,
                "toolExecutionNotifications": list(_notifications(report)),
            }
        ],
        "results": [
            _result(file.checked.path, listed, numbers)
            for file in report.files
            for listed in file.listed
        ],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(document)


def _descriptor(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.help},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": f"{rule.help} {rule.explanation}"},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _result(path: str, listed: ListedFinding, numbers: dict[Rule, int]) -> dict[str, object]:
    finding = listed.finding
    location: dict[str, object] = {"artifactLocation": {"uri": uri(path)}}
    if finding.line:
        region: dict[str, object] = {"startLine": finding.line}
        if finding.column:
            region["startColumn"] = finding.column
        if finding.end_column:
            region["endColumn"] = finding.end_column
        if finding.text:
            region["snippet"] = {"text": finding.text}
        location["region"] = region
    return {
        "ruleId": finding.rule.code,
        "ruleIndex": numbers[finding.rule],
        "level": str(finding.rule.severity),
        "message": _message(listed.message),
        "locations": [{"physicalLocation": location}],
        "occurrenceCount": listed.times + listed.more,
    }


def _notifications(report: FindingsReport) -> Iterator[dict[str, object]]:
    """Yield notes on unreadable files, unchecked parts and findings that are not listed."""
    for file in report.files:
        checked = file.checked
        location = {"physicalLocation": {"artifactLocation": {"uri": uri(checked.path)}}}
        if checked.unreadable is not None:
            yield _notification("error", visible(checked.unreadable), [location])
        for what in checked.findings.unchecked:
            yield _notification("note", f"not checked: {what}", [location])
    if report.not_listed:
        yield _notification("note", f"{quantity(report.not_listed, 'finding')} not listed", [])


def _notification(level: str, text: str, locations: list[object]) -> dict[str, object]:
    return {"level": level, "message": _message(text), "locations": locations}


def _message(text: str) -> dict[str, str]:
    """Return a message, in which `[text](address)` would be a link (SARIF 2.1.0, 3.11.6)."""
    return {"text": text.replace("](", "\\](")}
