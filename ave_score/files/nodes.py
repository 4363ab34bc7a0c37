"""Values of a file that nests them, each with its place: what is wrong is said where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple, TypeAlias, Union

from ave_score import rules
from ave_score.findings import HINTS, Findings
from ave_score.rules import Rule
from ave_score.text import did_you_mean, excerpt, find_control, nearest

MAX_DIGITS = 12
"""Digits of the largest whole number that is read."""

SHOWN = 40
"""Characters of a text that a message about its place repeats."""

_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of a pair that UTF-16 writes for one character: JSON can escape one alone."""

Value: TypeAlias = Union["dict[str, Node]", "list[Node]", str, int, float, bool, None]


class Node(NamedTuple):
    """A value, and where it stands.

    Line and column count from 1. `key` is the step that leads to it from its parent, `.total` or
    `[0]`; where there is no parent it is a name in full.
    """

    value: Value
    line: int
    column: int
    key: str = ""
    parent: Node | None = None

    @property
    def where(self) -> str:
        """What leads here: `questions[3].sets[0].total`."""
        steps = [self.key]
        above = self.parent
        while above is not None:
            steps.append(above.key)
            above = above.parent
        return "".join(reversed(steps)).removeprefix(".") or "the file"

    @property
    def shown(self) -> str:
        """What the value is, in words; of lists and objects no more than that they are some."""
        match self.value:
            case None:
                return "null"
            case bool():
                return str(self.value).lower()
            case int():
                return f"the number {self.value}"
            case float():
                return f"the number {self.value:g}"
            case str():
                return f"the text '{excerpt(self.value, SHOWN)}'" if self.value else "empty"
            case _:
                return "a list" if isinstance(self.value, list) else "an object"


class NodeReader:
    """Takes nodes for what they have to be, and notes those that are something else."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings

    def add(self, node: Node, rule: Rule, /, **facts: object) -> None:
        """Note that a node breaks a rule."""
        self._findings.add(rule, node.line, node.column, **facts)

    def refuse(self, node: Node, expected: str, found: str | None = None) -> None:
        """Note that a node is something else than expected."""
        facts = {"where": node.where, "found": found or node.shown, "expected": expected}
        self.add(node, rules.CONTENT_UNUSABLE, **facts)

    def fields(self, node: Node, known: Collection[str]) -> dict[str, Node] | None:
        """Return an object's values by their keys; others than those known are reported."""
        if not isinstance(node.value, dict):
            self.refuse(node, "an object")
            return None
        for key, field in node.value.items():
            if key not in known:
                self.unknown(field, known, key)
        return node.value

    def unknown(self, node: Node, known: Collection[str], name: str) -> None:
        """Note a key that nothing reads."""
        hint = ""
        if self._findings.counts[rules.UNKNOWN_KEY] < HINTS:
            hint = did_you_mean(nearest(name, known))
        self.add(node, rules.UNKNOWN_KEY, where=node.where, hint=hint)

    def missing(self, node: Node, name: str, expected: str) -> None:
        """Note that an object has nothing under a key."""
        facts = {"where": f"{name} of {node.where}", "found": "missing", "expected": expected}
        self.add(node, rules.CONTENT_UNUSABLE, **facts)

    def items(self, node: Node, expected: str) -> list[Node]:
        """Return the items of a list."""
        if isinstance(node.value, list):
            return node.value
        self.refuse(node, expected)
        return []

    def text(self, node: Node, expected: str = "a text") -> str | None:
        """Return a text without blanks around it, each other stretch of them as one; never ""."""
        if not isinstance(node.value, str):
            quoted = isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
            self.refuse(node, f"{expected}{' in quotes' if quoted else ''}")
            return None
        text = " ".join(node.value.split())
        if not text:
            self.refuse(node, expected, "empty")
        elif not text.isprintable() and (find_control(text) or _HALVES.search(text)):
            self.refuse(node, f"{expected} without control characters and lone surrogates")
        else:
            return text
        return None

    def whole(self, node: Node) -> int | None:
        """Return a whole number, 1 or more."""
        number = node.value
        if isinstance(number, int) and not isinstance(number, bool) and number >= 1:
            return number
        self.refuse(node, f"a whole number from 1 up, with at most {MAX_DIGITS} digits")
        return None

    def truth(self, node: Node) -> bool | None:
        """Return a value that is true or false."""
        if isinstance(node.value, bool):
            return node.value
        self.refuse(node, "true or false")
        return None

    def choice(self, node: Node, known: Collection[str]) -> str | None:
        """Return one of some words."""
        if isinstance(node.value, str) and node.value in known:
            return node.value
        self.refuse(node, f"one of {', '.join(known)}")
        return None
