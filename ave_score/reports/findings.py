"""Findings as lines `path:line:column CODE message`, repeats collapsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ave_score.findings import Finding, Findings
from ave_score.rules import Rule, Severity

SHOWN = {Severity.ERROR: 50, Severity.WARNING: 1}
"""Places of one rule in one file that are listed; the others are counted."""


def finding_lines(findings: Findings) -> Iterator[str]:
    """Yield a line for each finding in file order; how many more there are stands on the last.

    In a file of several systems, what is said of one does not hide what is said of another.
    """
    kept = list(findings)
    times = Counter(map(_alike, kept))
    kept_of = Counter(found.rule for found in kept)
    listed: Counter[tuple[Rule, object]] = Counter()
    for found in kept:
        alike, shown = _alike(found), SHOWN[found.rule.severity]
        listed[alike] += 1
        if listed[alike] > shown:
            continue
        mark = "warning: " if found.rule.severity is Severity.WARNING else ""
        not_kept = findings.counts[found.rule] - kept_of[found.rule]
        more = times[alike] + not_kept - shown
        also = f" (and {more:,} more)" if more > 0 and listed[alike] == shown else ""
        yield f"{found.place} {found.rule.code} {mark}{found.message}{also}"


def _alike(found: Finding) -> tuple[Rule, object]:
    return found.rule, found.facts.get("run")


def help_lines(files: Iterable[Findings]) -> Iterator[str]:
    """Yield once for every rule whose findings forbid scoring what to do about it."""
    rules = {rule for findings in files for rule in findings.counts}
    for rule in sorted(rules, key=lambda rule: rule.code):
        if rule.severity is Severity.ERROR:
            yield f"  {rule.code} {rule.name}: {rule.help}"
