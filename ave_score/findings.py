"""Findings: everything that is wrong with a file, as values; nothing here prints.

A `Rule` is what can be wrong, a `Finding` is where it was. Readers and checks add findings and go
on, so that one pass reports everything; who called them decides what follows from it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from ave_score.rules.rule import Rule, Severity
from ave_score.text import counted, excerpt, visible

KEPT_PER_RULE = 1000
"""Findings of one rule that are kept in full; beyond that they are only counted, so that a file of
ten million broken lines does not become ten million objects."""


SHOWN_IN_BRIEF = 5
"""Findings that the message of an exception or a warning repeats."""

HINTS = 50
"""Findings of one rule in a file for which a reader looks for what was meant: that takes long."""


class _Shown(str):
    """Text made visible, which `{field!r}` quotes and does not escape again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


class Finding(NamedTuple):
    """One place where a rule was broken.

    `line` and `column` count from 1 and are None where the finding is about the whole file;
    `text` is the offending line, shortened; `facts` are the fields of the rule's message.
    """

    rule: Rule
    path: str
    line: int | None
    column: int | None
    text: str
    facts: dict[str, object]

    @property
    def message(self) -> str:
        """The rule's message with the facts of this place, safe to show."""
        shown = {k: _Shown(excerpt(v)) if isinstance(v, str) else v for k, v in self.facts.items()}
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
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.counts: Counter[Rule] = Counter()
        self._kept: list[Finding] = []

    def add(
        self,
        rule: Rule,
        line: int | None = None,
        column: int | None = None,
        text: str = "",
        /,
        **facts: object,
    ) -> None:
        """Note that `rule` is broken at a place, with the fields of its message."""
        self.counts[rule] += 1
        if self.counts[rule] <= KEPT_PER_RULE:
            shown = excerpt(text, limit=200)
            self._kept.append(Finding(rule, self.path, line, column, shown, facts))

    def quote(self, texts: Mapping[int, str]) -> None:
        """Fill in the text of findings that have none, from line number -> line."""
        self._kept = [
            one._replace(text=one.text or excerpt(texts.get(one.line or 0, ""), limit=200))
            for one in self._kept
        ]

    def __iter__(self) -> Iterator[Finding]:
        """Iterate over the kept findings in file order; those without a line come last."""
        return iter(sorted(self._kept, key=lambda one: (one.line or sys.maxsize, one.column or 0)))

    def __len__(self) -> int:
        """Return how often any rule was broken, kept or only counted."""
        return self.counts.total()

    def of(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(times for rule, times in self.counts.items() if rule.severity is severity)

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
        return f"{visible(self.path)}: {', '.join(parts)}"
