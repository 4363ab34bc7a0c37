"""Which of many findings are listed, and what is said of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ave_score import rules
from ave_score.files.check import Checked
from ave_score.findings import KEPT_PER_RULE, Finding, Findings
from ave_score.rules import Rule, Severity

Shown = Mapping[Severity, int]

FOR_PEOPLE: Shown = {Severity.ERROR: 50, Severity.WARNING: 1}
"""Places of one rule in one file that are listed for a reader; the others are counted."""

FOR_PROGRAMS: Shown = dict.fromkeys(Severity, KEPT_PER_RULE)
"""The same for another program."""


class Listed(NamedTuple):
    """A finding that is listed; how many more there are of its kind stands on the last."""

    finding: Finding
    more: int = 0

    @property
    def message(self) -> str:
        """The finding's message, and how many alike are not listed."""
        also = f" (and {self.more:,} more)" if self.more else ""
        return self.finding.message + also


class ListedFile(NamedTuple):
    """A file with what is listed of its findings."""

    checked: Checked
    listed: list[Listed]


class Report(NamedTuple):
    """What was found in all files.

    Attributes
    ----------
    files
        In the order in which they were given.
    strict
        Whether warnings are as bad as errors.
    """

    files: list[ListedFile]
    strict: bool = False

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity, listed or not."""
        return sum(one.checked.findings.of(severity) for one in self.files)

    def fails(self, checked: Checked) -> bool:
        """Tell whether a file was found wanting."""
        findings = checked.findings
        return bool(len(findings) if self.strict else findings.errors)

    @property
    def counts(self) -> Counter[Rule]:
        """How often each rule was broken, in the order of their codes."""
        total = Findings("")
        for one in self.files:
            total.counts.update(one.checked.findings.counts)
        return Counter(total.tally())

    @property
    def not_listed(self) -> int:
        """Number of findings that no listed one stands for: more than were asked for."""
        told = sum(1 + listed.more for one in self.files for listed in one.listed)
        return self.counts.total() - told

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 a file could not be read."""
        if any(one.checked.unreadable is not None for one in self.files):
            return 2
        return int(any(self.fails(one.checked) for one in self.files))


def make_report(
    files: Iterable[Checked], shown: Shown, *, at_most: int | None = None, strict: bool = False
) -> Report:
    """Choose what is listed: so many places of a rule in a file, and `at_most` in all."""
    report = Report([], strict)
    left = at_most
    for checked in files:
        listed = list(list_findings(checked.findings, shown))
        if left is not None:
            listed = listed[:left]
            left -= len(listed)
        report.files.append(ListedFile(checked, listed))
    return report


def list_findings(findings: Findings, shown: Shown) -> Iterator[Listed]:
    """Yield what is listed of a file's findings, in file order.

    In a file of several systems, what is said of one does not hide what is said of another.
    """
    kept = list(findings)
    times = Counter(map(_alike, kept))
    groups = Counter(rule for rule, _ in times)
    kept_of = Counter(found.rule for found in kept)
    listed: Counter[tuple[Rule, object]] = Counter()
    for found in kept:
        alike, limit = _alike(found), shown[found.rule.severity]
        listed[alike] += 1
        if listed[alike] > limit:
            continue
        more = 0
        if listed[alike] == limit:
            # of which system those were that were not kept, nobody knows
            alone = groups[found.rule] == 1
            not_kept = findings.counts[found.rule] - kept_of[found.rule] if alone else 0
            more = times[alike] + not_kept - limit
        yield Listed(found, more)


def _alike(found: Finding) -> tuple[Rule, object]:
    """Return what findings that stand for each other have in common: a system, a kind of end."""
    of = found.facts.get("found") if found.rule is rules.LINE_ENDS else found.facts.get("run")
    return found.rule, of
