"""Selects the findings that are listed, and counts the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.findings import Finding, Findings
from ave_score.core.text import ranges
from ave_score.files.check import Checked
from ave_score.rules import Rule, Severity

SHOWN = 3
"""Findings of a rule in a file that are listed; the others are counted, with their lines."""

_OF_A_QUESTION = {choice.of_answer for choice in MISSING_CHOICES.values()}
"""The rules whose findings about the answers of one question are listed as one."""


class ListedFinding(NamedTuple):
    """A listed finding; the last of its kind has the number of those that are not listed.

    Attributes
    ----------
    finding
        The finding.
    times
        Number of findings that it stands for: of the answers of a question.
    more, lines
        Number of similar findings that are not listed, and their lines in short.
    """

    finding: Finding
    times: int = 1
    more: int = 0
    lines: str = ""

    @property
    def message(self) -> str:
        """The finding's message, and the number and lines of those that are not listed."""
        where = f": lines {self.lines}" if self.lines else ""
        also = f" (and {self.more:,} more{where})" if self.more else ""
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
        shown = sum(listed.times + listed.more for file in self.files for listed in file.listed)
        return self.counts.total() - shown

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 a file could not be read."""
        if any(file.checked.unreadable is not None for file in self.files):
            return 2
        return int(any(self.fails(file.checked) for file in self.files))


def make_report(
    files: Iterable[Checked],
    *,
    at_most: int | None = None,
    of_each: int | None = SHOWN,
    strict: bool = False,
    quiet: bool = False,
    options: Sequence[str] = (),
) -> FindingsReport:
    """Select findings: `of_each` rule in a file, `at_most` in all; None for every one."""
    report = FindingsReport([], strict, quiet, options)
    left = at_most
    for checked in files:
        listed = list(list_findings(checked.findings, of_each))
        if left is not None:
            listed = listed[:left]
            left -= len(listed)
        report.files.append(ListedFile(checked, listed))
    return report


def list_findings(findings: Findings, of_each: int | None = SHOWN) -> Iterator[ListedFinding]:
    """Yield the findings of a file that are listed, in file order: `of_each` rule; None for all.

    In a file of several systems, one is listed for each system.
    """
    in_order = [[*several] for _, several in groupby(findings, _together)]
    kept: dict[tuple[Rule, object], list[list[Finding]]] = {}
    for several in in_order:
        kept.setdefault(_alike(several[0]), []).append(several)
    groups = Counter(rule for rule, _ in kept)
    listed: Counter[tuple[Rule, object]] = Counter()
    for several in in_order:
        rule, _ = alike = _alike(several[0])
        is_only = groups[rule] == 1
        last = len(kept[alike])
        if of_each is not None:
            last = min(last, of_each if is_only else 1)
        listed[alike] += 1
        if listed[alike] < last:
            yield ListedFinding(_joined(several), len(several))
        elif listed[alike] == last:
            others = [finding for rest in kept[alike][last:] for finding in rest]
            # the system of findings that were not kept is unknown
            not_kept = findings.counts[rule] - sum(map(len, kept[alike])) if is_only else 0
            lines = [finding.line for finding in others if finding.line]
            where = ranges(lines, has_more=not_kept > 0)
            more = len(others) + not_kept
            yield ListedFinding(_joined(several), len(several), more, where)


def _together(finding: Finding) -> object:
    """Return the key of findings that are listed as one: those about answers of a question."""
    of_question = finding.rule in _OF_A_QUESTION
    return (finding.rule, finding.facts["q_id"]) if of_question else id(finding)


def _joined(several: Sequence[Finding]) -> Finding:
    """Return one finding that names the answers of all."""
    first = several[0]
    if len(several) == 1:
        return first
    a_ids = tuple(finding.facts["a_id"] for finding in several)
    return first._replace(facts=first.facts | {"a_id": a_ids})


def _alike(finding: Finding) -> tuple[Rule, object]:
    """Return the key of similar findings: the rule, and the system or kind of line end."""
    fact = "found" if finding.rule is rules.LINE_ENDS else "run"
    return finding.rule, finding.facts.get(fact)
