"""Findings as JSON, schema `ave-score/findings/1`, with all their fields."""

from __future__ import annotations

from ave_score.reports.findings.paths import findings_json
from ave_score.reports.findings.report import FindingsReport, ListedFile, ListedFinding
from ave_score.reports.style import TextStyle
from ave_score.rules import Severity
from ave_score.version import __version__

SCHEMA = "ave-score/findings/1"


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return a JSON document in ASCII; docs/reference/json.md describes every key."""
    document = {
        "schema": SCHEMA,
        "version": __version__,
        "strict": report.strict,
        "exit_code": report.exit_code,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "not_listed": report.not_listed,
        "files": [_file(file) for file in report.files],
    }
    return findings_json(document)


def _file(file: ListedFile) -> dict[str, object]:
    checked = file.checked
    findings = checked.findings
    return {
        "path": checked.path,
        "kind": checked.kind,
        "unreadable": checked.unreadable,
        "errors": findings.errors,
        "warnings": findings.of(Severity.WARNING),
        "counts": {rule.code: times for rule, times in findings.tally().items()},
        "contents": checked.contents,
        "left_out": findings.left_out,
        "not_checked": findings.unchecked,
        "findings": [_finding(listed) for listed in file.listed],
    }


def _finding(listed: ListedFinding) -> dict[str, object]:
    found = listed.finding
    rule = found.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "line": found.line,
        "column": found.column,
        "end_column": found.end_column,
        "message": found.message,
        "more": listed.more,
        "text": found.text,
        "help": rule.help,
        "fix": found.fix,
    }
