"""Findings: everything that is wrong with a file, as values; nothing here prints.

A `Rule` is what can be wrong, a `Finding` is where it was. Readers and checks add findings and go
on, so that one pass reports everything; who called them decides what follows from it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ave_score.rules.rule import Rule, Safety, Severity
from ave_score.text import SHOWN_CHARACTERS, Quote, counted, excerpt, quote, visible

KEPT_PER_RULE = 1000
"""Findings of one rule that are kept in full; beyond that they are only counted, so that a file of
ten million broken lines does not become ten million objects."""


SHOWN_IN_BRIEF = 5
"""Findings that the message of an exception or a warning repeats."""

HINTS = 50
"""Findings of one rule in a file for which a reader looks for what was meant: that takes long."""


Columns = range | int | None
"""Columns of a line, counted from 1: several, one, or it is not known which."""


class _Shown(str):
    """Text made visible, which `{field!r}` quotes and does not escape again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


class Finding(NamedTuple):
    """One place where a rule was broken.

    `line`, `column` and `end_column` (one behind the last) count from 1 and are None where the
    finding is about the whole file, or the whole line; `quote` is the offending line, made visible
    and shortened; `facts` are the fields of the rule's message; `fix` is what `ave-score fix` does.
    """

    rule: Rule
    path: str
    line: int | None
    column: int | None
    end_column: int | None
    quote: Quote
    facts: dict[str, object]
    fix: Safety

    @property
    def text(self) -> str:
        """The offending line, made visible and shortened."""
        return self.quote.text

    @property
    def message(self) -> str:
        """The rule's message with the facts of this place, safe to show."""
        shown = {k: _Shown(excerpt(v)) if isinstance(v, str) else v for k, v in self.facts.items()}
        if "a_id" in shown:
            shown["answer"] = _named(shown)
        return self.rule.message.format(**shown)

    @property
    def place(self) -> str:
        """`path:line:column`, as far as known."""
        parts = (visible(self.path), self.line, self.column)
        return ":".join(str(part) for part in parts if part)

    def __str__(self) -> str:
        return f"{self.place} {self.rule.code} {self.message}"


class Findings:
    """What was found in one file.

    Parameters
    ----------
    path
        The file, as the user named it.
    keep
        Findings of one rule that are kept; if more than usual, so are their facts at any length.

    Attributes
    ----------
    counts
        How often each rule was broken.
    fixes
        How often each rule was broken so that it can be mended safely, unsafely, or not at all.
    left_out
        How many findings there were of rules that nobody asked for.
    unchecked
        What could not be checked, and why.
    """

    def __init__(self, path: str, keep: int = KEPT_PER_RULE) -> None:
        self.path = path
        self._keep = keep
        self.counts: Counter[Rule] = Counter()
        self.fixes: Counter[tuple[Rule, Safety]] = Counter()
        self.left_out = 0
        self.unchecked: list[str] = []
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
        """Note that `rule` is broken at a place, with the fields of its message.

        `columns` are those of the offending characters, or just the first; `fix` is given where it
        is another than the rule's.
        """
        fix = rule.fix.safety if fix is None else fix
        self.counts[rule] += 1
        self.fixes[rule, fix] += 1
        if self.counts[rule] <= self._keep:
            if self._keep <= KEPT_PER_RULE:
                facts = {name: _cut(fact) for name, fact in facts.items()}
            found = Finding(rule, self.path, line, None, None, Quote(), facts, fix)
            self._kept.append(_placed(found, columns, text))

    def locate(
        self, lines: Iterable[tuple[int, str]], find: Callable[[Finding, str], Columns]
    ) -> None:
        """Complete findings that know no more than their line.

        Parameters
        ----------
        lines
            Lines with their numbers; one is looked at and let go before the next.
        find
            Returns the columns that a finding is about, of the line's text.
        """
        places: dict[int, list[int]] = {}
        for place, one in enumerate(self._kept):
            if one.line and not one.text:
                places.setdefault(one.line, []).append(place)
        for number, line in lines:
            for place in places.get(number, ()):
                one = self._kept[place]
                self._kept[place] = _placed(one, find(one, line), line)

    def unlocated(self) -> set[int]:
        """Return the numbers of the lines that findings are about but do not quote."""
        return {one.line for one in self._kept if one.line and not one.text}

    def changed(self, change: Callable[[Finding], Finding]) -> Findings:
        """Return the findings, each of them changed; the counts stay what they are."""
        same = self.filtered(lambda _: True)
        same._kept = [change(one) for one in self._kept]
        return same

    def with_path(self, path: str) -> Findings:
        """Return the findings of the same file by another path."""
        same = self.changed(lambda one: one._replace(path=path))
        same.path = path
        return same

    def extend_with(self, others: Findings, rule: Rule) -> None:
        """Add what others have of a rule."""
        self.counts[rule] += others.counts[rule]
        self.fixes[rule, rule.fix.safety] += others.counts[rule]
        self._kept += [one for one in others._kept if one.rule is rule]

    def skip(self, what: str) -> None:
        """Note something that could not be checked, and why."""
        if what not in self.unchecked:
            self.unchecked.append(what)

    def filtered(self, wanted: Callable[[Rule], bool]) -> Findings:
        """Return the findings of some rules."""
        part = Findings(self.path)
        part.counts = Counter({rule: n for rule, n in self.counts.items() if wanted(rule)})
        part._kept = [one for one in self._kept if wanted(one.rule)]
        part.fixes = Counter({key: n for key, n in self.fixes.items() if wanted(key[0])})
        part.left_out = len(self) - len(part)
        part.unchecked = self.unchecked
        return part

    def __iter__(self) -> Iterator[Finding]:
        """Iterate over the kept findings in file order; those without a line come last."""
        return iter(sorted(self._kept, key=lambda one: (one.line or sys.maxsize, one.column or 0)))

    def __len__(self) -> int:
        """Return how often any rule was broken, kept or only counted."""
        return self.counts.total()

    def of(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(times for rule, times in self.counts.items() if rule.severity is severity)

    def tally(self) -> dict[Rule, int]:
        """Return how often each rule was broken, in the order of their codes."""
        return dict(sorted(self.counts.items(), key=lambda one: one[0].code))

    def fixable(self, safety: Safety) -> int:
        """Return the number of findings that `ave-score fix` can mend so."""
        return sum(times for (_, one), times in self.fixes.items() if one is safety)

    @property
    def errors(self) -> int:
        """Number of findings that forbid scoring."""
        return self.of(Severity.ERROR)

    def brief(self) -> str:
        """Return the summary and the first few findings, a line each."""
        first = [str(one) for one in islice(self, SHOWN_IN_BRIEF)]
        more = ["..."] if len(self) > len(first) else []
        return "\n  ".join([self.summary(), *first, *more])

    def summary(self) -> str:
        """Return one line: the path and how much was found."""
        parts = [counted(self.of(s), s) for s in Severity if self.of(s)] or ["no findings"]
        if self.left_out:
            parts.append(f"{self.left_out:,} of rules that were not asked for")
        return f"{visible(self.path)}: {', '.join(parts)}"


def _cut(fact: object) -> object:
    """Return a fact, of a long text no more than a message shows: an id may hold a megabyte."""
    return fact[: 2 * SHOWN_CHARACTERS] if isinstance(fact, str) else fact


def _named(facts: dict[str, object]) -> str:
    """Return what an answer is called: a pair (AVE 2006) belongs to no question."""
    a_id, q_id = facts["a_id"], facts.get("q_id")
    return f"answer {a_id!r} of question {q_id!r}" if q_id else f"pair {a_id!r}"


def _placed(found: Finding, columns: Columns, text: str) -> Finding:
    """Return the finding with its columns and its line quoted."""
    span = range(columns, columns + 1) if isinstance(columns, int) else columns
    column = span.start if span else None
    end_column = span.stop if isinstance(columns, range) and span else None
    quoted = quote(text, span or range(1, 1)) if text else Quote()
    return found._replace(column=column, end_column=end_column, quote=quoted)
