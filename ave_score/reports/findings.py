"""Findings as lines `path:line:column CODE message`, repeats collapsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ave_score.findings import Findings, Rule, Severity

SHOWN = {Severity.ERROR: 50, Severity.WARNING: 1}
"""Places of one rule in one file that are listed; the others are counted."""


def finding_lines(findings: Findings) -> Iterator[str]:
    """Yield a line for each finding in file order; how many more there are stands on the last."""
    listed: Counter[Rule] = Counter()
    for found in findings:
        rule = found.rule
        listed[rule] += 1
        if listed[rule] > SHOWN[rule.severity]:
            continue
        mark = "warning: " if rule.severity is Severity.WARNING else ""
        more = findings.counts[rule] - SHOWN[rule.severity]
        also = f" (and {more:,} more)" if more > 0 and listed[rule] == SHOWN[rule.severity] else ""
        yield f"{found.place} {rule.code} {mark}{found.message}{also}"


def help_lines(files: Iterable[Findings]) -> Iterator[str]:
    """Yield once for every rule whose findings forbid scoring what to do about it."""
    rules = {rule for findings in files for rule in findings.counts}
    for rule in sorted(rules, key=lambda rule: rule.code):
        if rule.severity is Severity.ERROR:
            yield f"  {rule.code} {rule.name}: {rule.help}"
