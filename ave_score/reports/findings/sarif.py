"""Findings as SARIF 2.1.0, the OASIS format of static analysis."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.reports.findings.places import findings_json, uri
from ave_score.reports.findings.report import Listed, Report
from ave_score.reports.style import TextStyle
from ave_score.rules import RULES, Rule
from ave_score.text import counted, visible
from ave_score.version import __version__

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render(report: Report, _style: TextStyle) -> str:
    """Return one SARIF run with every finding that is listed; all in ASCII."""
    counts = report.counts
    broken = [rule for rule in RULES.values() if counts[rule]]
    numbers = {rule: number for number, rule in enumerate(broken)}
    unreadable = any(one.checked.unreadable is not None for one in report.files)
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
            {"location": {"uri": one}}
            for one in dict.fromkeys(uri(file.checked.path) for file in report.files)
        ],
        "invocations": [
            {
                "executionSuccessful": not unreadable,
                "exitCode": report.exit_code,
                "toolExecutionNotifications": list(_notifications(report)),
            }
        ],
        "results": [
            _result(file.checked.path, one, numbers) for file in report.files for one in file.listed
        ],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return findings_json(document)


def _descriptor(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.help},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": f"{rule.help} {rule.explanation}"},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _result(path: str, one: Listed, numbers: dict[Rule, int]) -> dict[str, object]:
    found = one.finding
    place: dict[str, object] = {"artifactLocation": {"uri": uri(path)}}
    if found.line:
        region: dict[str, object] = {"startLine": found.line}
        if found.column:
            region["startColumn"] = found.column
        if found.end_column:
            region["endColumn"] = found.end_column
        if found.text:
            region["snippet"] = {"text": found.text}
        place["region"] = region
    return {
        "ruleId": found.rule.code,
        "ruleIndex": numbers[found.rule],
        "level": str(found.rule.severity),
        "message": {"text": one.message},
        "locations": [{"physicalLocation": place}],
        "occurrenceCount": one.more + 1,
    }


def _notifications(report: Report) -> Iterator[dict[str, object]]:
    """Yield what could not be read, what could not be checked, and what is not listed."""
    for file in report.files:
        checked = file.checked
        place = {"physicalLocation": {"artifactLocation": {"uri": uri(checked.path)}}}
        if checked.unreadable is not None:
            yield _notification("error", visible(checked.unreadable), [place])
        for what in checked.findings.unchecked:
            yield _notification("note", f"not checked: {what}", [place])
    if report.not_listed:
        yield _notification("note", f"{counted(report.not_listed, 'finding')} not listed", [])


def _notification(level: str, text: str, places: list[object]) -> dict[str, object]:
    return {"level": level, "message": {"text": text}, "locations": places}
