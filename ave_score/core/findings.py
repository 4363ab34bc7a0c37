"""Findings: the defects of a file, as values; nothing here prints.

A `Rule` describes a defect, a `Finding` is one occurrence of it. Readers and checks add findings
and continue, so one pass reports everything; the caller decides what to do about them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from ave_score.core.reported import Reported
from ave_score.core.text import SHOWN_CHARACTERS, Quote, excerpt, listed, quantity, quote, visible
from ave_score.rules import LOSES_LINE
from ave_score.rules.rule import Rule, Safety, Severity

KEPT_PER_RULE = 1000
"""Findings of one rule that are kept in full. Further ones are only counted, so a file with ten
million broken lines does not become ten million objects."""

SHOWN_IN_BRIEF = 5
"""Findings that the message of an exception or a warning lists."""

MANY = 10
"""More findings of one rule than this, on at least half of the lines, are listed as one; as many
unknown answers may show that a file is of another collection."""

HINTS = 50
"""Findings of one rule in a file for which a reader suggests a correction, which is slow."""

Columns = range | int | None
"""Columns of a line, from 1: a range, a single column, or unknown."""


class _Shown(str):
    """Escaped text, which `{field!r}` quotes without escaping it again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


class Finding(NamedTuple):
    """A violation of a rule.

    `line`, `column` and `end_column` (exclusive) count from 1. They are None if the finding is
    about the whole file or the whole line. `quote` is the offending line, escaped and shortened;
    `facts` are the fields of the rule's message; `fix` tells how safely `ave-score fix` fixes it.
    `said` makes texts for commands those of other readers.
    """

    rule: Rule
    path: str
    line: int | None
    column: int | None
    end_column: int | None
    quote: Quote
    facts: dict[str, object]
    fix: Safety
    said: Callable[[str], str] = str

    @property
    def text(self) -> str:
        """The offending line, escaped and shortened."""
        return self.quote.text

    @property
    def message(self) -> str:
        """The rule's message with the facts filled in, safe to print."""
        shown = {k: _Shown(excerpt(v)) if isinstance(v, str) else v for k, v in self.facts.items()}
        if "a_id" in shown:
            shown["answer"] = _answer_name(shown)
        if "hint" in shown:
            shown["hint"] = self.said(str(shown["hint"]))
        return self.said(self.rule.message).format(**shown)

    @property
    def help(self) -> str:
        """What to do about it."""
        return self.said(self.rule.help)

    @property
    def place(self) -> str:
        """`path:line:column`, as far as known."""
        parts = (visible(self.path), self.line, self.column)
        return ":".join(str(part) for part in parts if part)

    def __str__(self) -> str:
        return f"{self.place} {self.rule.code} {self.message}"


class PlacedRows(Protocol):
    """Lines that were made of a document, with their places in it."""

    def line(self, row: int, /) -> int:
        """Return where a line is in the document."""

    def place(
        self, row: int, column: int | None, end: int | None, /
    ) -> tuple[int, int, int | None, str]:
        """Return line, columns and text of the line in the document."""


class Findings(Reported):
    """The findings of one file; `to_frame` has a row for each.

    Parameters
    ----------
    path
        The file, as the user named it.
    keep
        Findings of one rule that are kept. If more than `KEPT_PER_RULE`, facts are not truncated,
        and of findings without a fix only so many are kept.

    Attributes
    ----------
    counts
        Number of findings of each rule.
    fixes
        Number of findings of each rule and safety of its fix.
    left_out
        Number of findings of rules that were not selected.
    unchecked
        What was not checked, and why.
    is_foreign
        Whether no line names anything of what the file was checked against: it may be any file.
    lost
        Number of lines that break a rule of `LOSES_LINE`.
    document
        What the lines are parts of, if it is not the file; findings are told by their places in it.
    read_as
        What the file was taken for, if nothing in it says so; else "".
    """

    def __init__(self, path: str, keep: int = KEPT_PER_RULE) -> None:
        self.path = path
        self._keep = keep
        self.counts: Counter[Rule] = Counter()
        self.fixes: Counter[tuple[Rule, Safety]] = Counter()
        self.left_out = 0
        self.unchecked: list[str] = []
        self.is_foreign = False
        self.lost = 0
        self.document: PlacedRows | None = None
        self.read_as = ""
        self._last_lost: int | None = None
        self._kept: list[Finding] = []

    def add(
        self,
        rule: Rule,
        line: int | None = None,
        columns: Columns = None,
        text: str = "",
        fix: Safety | None = None,
        /,
        **facts: object,
    ) -> None:
        """Add a finding of `rule`, with the fields of its message.

        `columns` are those of the offending characters, or just the first; `fix` overrides the
        safety of the rule's fix.
        """
        fix = rule.safety if fix is None else fix
        self.counts[rule] += 1
        self.fixes[rule, fix] += 1
        if rule in LOSES_LINE and line != self._last_lost:
            self.lost, self._last_lost = self.lost + 1, line
        is_fixable = fix is not Safety.NONE
        if self.counts[rule] <= self._keep and (
            is_fixable or self.fixes[rule, fix] <= KEPT_PER_RULE
        ):
            if self._keep <= KEPT_PER_RULE:
                facts = {name: _truncated(fact) for name, fact in facts.items()}
            finding = Finding(rule, self.path, line, None, None, Quote(), facts, fix)
            self._kept.append(_located(finding, columns, text))

    def locate(
        self, lines: Iterable[tuple[int, str]], find: Callable[[Finding, str], Columns]
    ) -> None:
        """Add columns and quotes to findings that only have a line number.

        Parameters
        ----------
        lines
            Line numbers and lines, which may be a stream.
        find
            Returns the columns of a finding, given the text of its line.
        """
        pending: dict[int, list[int]] = {}
        for position, finding in enumerate(self._kept):
            if finding.line and not finding.text:
                pending.setdefault(finding.line, []).append(position)
        for number, line in lines:
            for position in pending.get(number, ()):
                finding = self._kept[position]
                self._kept[position] = _located(finding, find(finding, line), line)

    def unlocated(self) -> set[int]:
        """Return the numbers of the lines that findings refer to but do not quote."""
        return {finding.line for finding in self._kept if finding.line and not finding.text}

    def changed(self, change: Callable[[Finding], Finding]) -> Findings:
        """Return a copy with every finding changed; the counts stay the same."""
        copy = self.filtered(lambda _: True)
        copy._kept = [change(finding) for finding in copy._kept]
        return copy

    def with_path(self, path: str) -> Findings:
        """Return a copy with another path."""
        copy = self.changed(lambda finding: finding._replace(path=path))
        copy.path = path
        return copy

    def extend_with(self, others: Findings, rule: Rule) -> None:
        """Add the findings of a rule from `others`."""
        self.counts[rule] += others.counts[rule]
        self.fixes[rule, rule.safety] += others.counts[rule]
        self._kept += [finding for finding in others._kept if finding.rule is rule]
        self.document = self.document or others.document

    def withdraw(self, withdrawn: Collection[Rule]) -> None:
        """Remove the findings of some rules, which another finding replaces."""
        self._kept = [finding for finding in self._kept if finding.rule not in withdrawn]
        for rule in withdrawn:
            self.counts.pop(rule, None)
            for safety in Safety:
                self.fixes.pop((rule, safety), None)

    def skip(self, what: str) -> None:
        """Record what was not checked, and why."""
        if what not in self.unchecked:
            self.unchecked.append(what)

    def filtered(self, wanted: Callable[[Rule], bool]) -> Findings:
        """Return the findings of the wanted rules."""
        part = Findings(self.path)
        part.counts = Counter({rule: n for rule, n in self.counts.items() if wanted(rule)})
        part._kept = [finding for finding in self._placed() if wanted(finding.rule)]
        part.fixes = Counter({key: n for key, n in self.fixes.items() if wanted(key[0])})
        part.unchecked, part.read_as = self.unchecked, self.read_as
        part.is_foreign = self.is_foreign
        return part

    def __iter__(self) -> Iterator[Finding]:
        """Iterate over the kept findings in file order; those without a line come last."""
        return iter(sorted(self._placed(), key=lambda f: (f.line or sys.maxsize, f.column or 0)))

    def _placed(self) -> list[Finding]:
        """Return the kept findings by their places in the file."""
        document = self.document
        return (
            self._kept
            if document is None
            else [_in_document(item, document) for item in self._kept]
        )

    def __repr__(self) -> str:
        return f"<Findings {self.summary()}>"

    def __len__(self) -> int:
        """Return the number of findings, kept or only counted."""
        return self.counts.total()

    def of(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(times for rule, times in self.counts.items() if rule.severity is severity)

    def tally(self) -> dict[Rule, int]:
        """Return the number of findings of each rule, sorted by code."""
        return dict(sorted(self.counts.items(), key=lambda item: item[0].code))

    def fixable(self, safety: Safety) -> int:
        """Return the number of findings whose fix has this safety."""
        return sum(times for (_, fix), times in self.fixes.items() if fix is safety)

    @property
    def errors(self) -> int:
        """Number of findings that prevent scoring."""
        return self.of(Severity.ERROR)

    def brief(self) -> str:
        """Return the summary and the first few findings, one per line."""
        first = [str(finding) for finding in islice(self, SHOWN_IN_BRIEF)]
        more = ["..."] if len(self) > len(first) else []
        return "\n  ".join([self.summary(), *first, *more])

    def summary(self) -> str:
        """Return one line: the path and the number of findings."""
        parts = [quantity(self.of(s), s) for s in Severity if self.of(s)] or ["no findings"]
        if self.left_out:
            parts.append(f"{self.left_out:,} of rules that were not selected")
        return f"{visible(self.path)}: {', '.join(parts)}"


def _truncated(fact: object) -> object:
    """Return a fact, truncated if it is a long text: an id may hold a megabyte."""
    return fact[: 2 * SHOWN_CHARACTERS] if isinstance(fact, str) else fact


def _answer_name(facts: dict[str, object]) -> str:
    """Return the name of an answer, or of several; a pair (AVE 2006) belongs to no question."""
    a_id, q_id = facts["a_id"], facts.get("q_id")
    noun, named = "answer" if q_id else "pair", f"{a_id!r}"
    if isinstance(a_id, tuple):
        names = [f"'{excerpt(name)}'" for name in a_id[:MANY]]
        more = [f"{len(a_id) - MANY:,} more"] * (len(a_id) > MANY)
        noun, named = f"{noun}s", listed([*names, *more])
    return f"{noun} {named}" + (f" of question {q_id!r}" if q_id else "")


def _in_document(finding: Finding, document: PlacedRows) -> Finding:
    """Return a finding about a part of a document by its place there, as other lines it names."""
    if not finding.line:
        return finding
    line, start, stop, text = document.place(finding.line, finding.column, finding.end_column)
    facts = dict(finding.facts)
    if isinstance(first := facts.get("first"), int):
        facts["first"] = document.line(first)
    if isinstance(lines := facts.get("validated"), list):
        facts["validated"] = [*map(document.line, lines)]
    placed = finding._replace(line=line, facts=facts)
    return _located(placed, range(start, start + 1 if stop is None else stop), text)


def _located(finding: Finding, columns: Columns, text: str) -> Finding:
    """Return the finding with its columns and the quoted line."""
    span = range(columns, columns + 1) if isinstance(columns, int) else columns
    column = span.start if span else None
    end_column = span.stop if isinstance(columns, range) and span else None
    quoted = quote(text, span or range(1, 1)) if text else Quote()
    return finding._replace(column=column, end_column=end_column, quote=quoted)
