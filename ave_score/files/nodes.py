"""Nested values with their positions, so that findings can refer to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple, TypeAlias, Union

from ave_score import rules
from ave_score.core.findings import HINTS, Findings
from ave_score.core.text import did_you_mean, excerpt, find_control, nearest
from ave_score.rules import Rule

MAX_DIGITS = 12
"""Digits of the largest integer that is read."""

SHOWN = 40
"""Characters of a text that a message quotes."""

_HALVES = re.compile("[\ud800-\udfff]")
"""Lone surrogates, which JSON can escape."""

Value: TypeAlias = Union["dict[str, Node]", "list[Node]", str, int, float, bool, None]


class Expected(NamedTuple):
    """What a value has to be: in words, a test, and the default of a value that is not given."""

    text: str
    is_right: Callable[[Any], bool]
    default: Any = None


def one_of(choices: Collection[str], default: object = None) -> Expected:
    """Return what is expected of a choice."""
    return Expected(f"one of {', '.join(choices)}", lambda value: value in [*choices], default)


def is_count(value: object) -> bool:
    """Tell whether a value is a whole number of at least 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


BOOLEAN = Expected("true or false", lambda value: isinstance(value, bool))
COUNT = Expected(f"a whole number from 1 up, with at most {MAX_DIGITS} digits", is_count)


class Node(NamedTuple):
    """A value and its position.

    Line and column count from 1. `key` is the key or the number in the parent; without a parent it
    is a full name.
    """

    value: Value
    line: int
    column: int
    key: str | int = ""
    parent: Node | None = None

    @property
    def where(self) -> str:
        """The path of the node: `questions[3].sets[0].total`."""
        steps, node = "", self
        while node.parent is not None:
            steps = (f"[{node.key}]" if isinstance(node.key, int) else f".{node.key}") + steps
            node = node.parent
        return f"{node.key}{steps}".removeprefix(".") or "the file"

    @property
    def shown(self) -> str:
        """The value in words; lists and objects without their contents."""
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
    """Converts nodes to the expected types, and reports those of another type."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings

    def add(self, node: Node, rule: Rule, /, **facts: object) -> None:
        """Add a finding about a node."""
        self._findings.add(rule, node.line, node.column, **facts)

    def refuse(self, node: Node, expected: str, what: str | None = None) -> None:
        """Report a node that is not as expected."""
        facts = {"where": node.where, "found": what or node.shown, "expected": expected}
        self.add(node, rules.CONTENT_UNUSABLE, **facts)

    def fields(self, node: Node, known: Collection[str]) -> dict[str, Node] | None:
        """Return the fields of an object; report unknown keys."""
        if not isinstance(node.value, dict):
            self.refuse(node, "an object")
            return None
        for key, field in node.value.items():
            if key not in known:
                self.unknown(field, known, key)
        return node.value

    def unknown(self, node: Node, known: Collection[str], name: str) -> None:
        """Report an unknown key."""
        hint = ""
        if self._findings.counts[rules.UNKNOWN_KEY] < HINTS:
            hint = did_you_mean(nearest(name, known))
        self.add(node, rules.UNKNOWN_KEY, where=node.where, hint=hint)

    def missing(self, node: Node, name: str, expected: str) -> None:
        """Report a missing key."""
        facts = {"where": f"{name} of {node.where}", "found": "missing", "expected": expected}
        self.add(node, rules.CONTENT_UNUSABLE, **facts)

    def items(self, node: Node, expected: str) -> list[Node]:
        """Return the items of a list; report any other value."""
        if isinstance(node.value, list):
            return node.value
        self.refuse(node, expected)
        return []

    def text(self, node: Node, expected: str = "a text") -> str | None:
        """Return a non-empty text with whitespace normalised; report any other value."""
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

    def value(self, node: Node, expected: Expected) -> Any:  # noqa: ANN401 - as expected
        """Return a value that is as expected."""
        if expected.is_right(node.value):
            return node.value
        self.refuse(node, expected.text)
        return None
