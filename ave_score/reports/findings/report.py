"""Selects the findings that are listed, and counts the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.core.findings import KEPT_PER_RULE, MANY, Finding, Findings
from ave_score.files.check import Checked
from ave_score.rules import Rule, Severity


class Shown(NamedTuple):
    """Which findings of a file are listed; the others are counted.

    Attributes
    ----------
    errors, warnings
        Number of listed findings of a rule.
    repeated
        Whether a rule that most lines break is listed as often; otherwise it is listed once.
    """

    errors: int
    warnings: int
    repeated: bool = False

    def limit(self, rule: Rule, findings: Findings) -> int:
        """Return how many findings of a rule are listed."""
        if not self.repeated and is_everywhere(rule, findings):
            return 1
        return self.errors if rule.severity is Severity.ERROR else self.warnings


FOR_PEOPLE = Shown(50, 1)
"""Findings that people read."""

FOR_ANNOTATIONS = Shown(KEPT_PER_RULE, KEPT_PER_RULE)
"""Findings shown beside the lines of a file."""

FOR_PROGRAMS = Shown(KEPT_PER_RULE, KEPT_PER_RULE, repeated=True)
"""Findings that programs read."""


def is_everywhere(rule: Rule, findings: Findings) -> bool:
    """Tell whether more than `MANY` findings of a rule are at least half as many as the lines."""
    return findings.counts[rule] > MANY and 0 < findings.lines <= 2 * findings.counts[rule]


class ListedFinding(NamedTuple):
    """A listed finding; the last of its kind has the number of those that are not listed.

    `noun` says what these are, if the finding stands for most lines.
    """

    finding: Finding
    more: int = 0
    noun: str = ""

    @property
    def message(self) -> str:
        """The finding's message, and the number of similar findings that are not listed."""
        also = f" (and {self.more:,} more{self.noun})" if self.more else ""
        return self.finding.message + also


class ListedFile(NamedTuple):
    """A file with the findings that are listed."""

    checked: Checked
    listed: list[ListedFinding]


class FindingsReport(NamedTuple):
    """The findings of all files.

    Attributes
    ----------
    files
        In the order in which they were given.
    strict
        Whether warnings fail the check, as errors do.
    quiet
        Whether texts have only the findings, without a summary.
    options
        The options of the check that `ave-score fix` takes, too, each followed by its value.
    """

    files: list[ListedFile]
    strict: bool = False
    quiet: bool = False
    options: Sequence[str] = ()

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity, listed or not."""
        return sum(file.checked.findings.of(severity) for file in self.files)

    def fails(self, checked: Checked) -> bool:
        """Return whether a file fails the check."""
        findings = checked.findings
        return bool(len(findings) if self.strict else findings.errors)

    @property
    def counts(self) -> Counter[Rule]:
        """How often each rule was broken, in the order of their codes."""
        total = Findings("")
        for file in self.files:
            total.counts.update(file.checked.findings.counts)
        return Counter(total.tally())

    @property
    def not_listed(self) -> int:
        """Number of findings beyond `at_most`, neither listed nor counted with a listed one."""
        shown = sum(1 + listed.more for file in self.files for listed in file.listed)
        return self.counts.total() - shown

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 a file could not be read."""
        if any(file.checked.unreadable is not None for file in self.files):
            return 2
        return int(any(self.fails(file.checked) for file in self.files))


def make_report(
    files: Iterable[Checked],
    shown: Shown,
    *,
    at_most: int | None = None,
    strict: bool = False,
    quiet: bool = False,
    options: Sequence[str] = (),
) -> FindingsReport:
    """Select findings: as many of a rule in a file as `shown` says, `at_most` in all."""
    report = FindingsReport([], strict, quiet, options)
    left = at_most
    for checked in files:
        listed = list(list_findings(checked.findings, shown))
        if left is not None:
            listed = listed[:left]
            left -= len(listed)
        report.files.append(ListedFile(checked, listed))
    return report


def list_findings(findings: Findings, shown: Shown) -> Iterator[ListedFinding]:
    """Yield the findings of a file that are listed, in file order.

    In a file of several systems, the limit applies to each system.
    """
    in_order = list(findings)
    times = Counter(map(_alike, in_order))
    groups = Counter(rule for rule, _ in times)
    kept_of = Counter(finding.rule for finding in in_order)
    listed: Counter[tuple[Rule, object]] = Counter()
    for finding in in_order:
        alike, limit = _alike(finding), shown.limit(finding.rule, findings)
        listed[alike] += 1
        if listed[alike] > limit:
            continue
        more = 0
        if listed[alike] == limit:
            # the system of findings that were not kept is unknown
            is_only = groups[finding.rule] == 1
            not_kept = findings.counts[finding.rule] - kept_of[finding.rule] if is_only else 0
            more = times[alike] + not_kept - limit
        everywhere = finding.line and limit == 1 and is_everywhere(finding.rule, findings)
        yield ListedFinding(finding, more, " lines" if everywhere else "")


def _alike(finding: Finding) -> tuple[Rule, object]:
    """Return the key of similar findings: the rule, and the system or kind of line end."""
    fact = "found" if finding.rule is rules.LINE_ENDS else "run"
    return finding.rule, finding.facts.get(fact)
