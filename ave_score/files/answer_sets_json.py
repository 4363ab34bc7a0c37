"""Answer sets in JSON, read with the line and column of every value.

Repeated keys are reported; NaN, comments and trailing commas are errors.
"""

from __future__ import annotations

import re
from json import JSONDecodeError

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.files.json import DECODER, MAX_NESTING, TOO_DEEP, JsonText, NotFinite, Number, Walk
from ave_score.files.nodes import MAX_DIGITS, Node

MAX_VALUES = 1 << 18
"""Values, lists and objects of a file: ten thousand questions have fewer, a file of brackets more
than a million, each of which takes a hundred times its size."""

_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
_WORD = re.compile(r"-?[^\W\d]\w*+")


def nodes_of(text: str, findings: Findings) -> Node | None:
    """Return the root node of a JSON text; None, with a finding, if it is not JSON."""
    walk = _Document(text, findings)
    try:
        node = walk.node("", None, 1)
        walk.end("expected the end of the file after the value")
    except JSONDecodeError as error:
        findings.add(rules.NOT_JSON, error.lineno, error.colno, problem=error.msg)
        findings.skip("everything after the position where reading stopped")
        return None
    return node


class _Document(Walk):
    """A walk that returns nodes, and says in words what people who write JSON do wrong."""

    def __init__(self, text: str, findings: Findings) -> None:
        super().__init__(text)
        self._findings = findings
        self._position = JsonText(text).position
        self._values = 0

    def node(self, key: str | int, parent: Node | None, depth: int) -> Node:
        """Return the next value with those in it."""
        begins = self.next()
        self._values += 1
        if self._values > MAX_VALUES:
            raise self.error(f"more than {MAX_VALUES:,} values")
        position = self._position(self.at)
        if begins not in ("{", "["):
            return Node(self._scalar(), *position, key, parent)
        if depth > MAX_NESTING:
            raise self.error(TOO_DEEP)
        if begins == "[":
            items: list[Node] = []
            node = Node(items, *position, key, parent)
            for number in self.items():
                items.append(self.node(number, node, depth + 1))
            return node
        fields: dict[str, Node] = {}
        node = Node(fields, *position, key, parent)
        for name in self.members():
            key_at = self.key_at
            field = self.node(name, node, depth + 1)
            if fields.setdefault(name, field) is not field:
                self._findings.add(rules.JSON_KEY_REPEATED, *self._position(key_at), found=name)
        return node

    def _scalar(self) -> str | int | float | bool | None:
        value = self.value()
        if isinstance(value, Number):
            is_whole = len(value) <= MAX_DIGITS and value.removeprefix("-").isdigit()
            return int(value) if is_whole else float(value)
        return value  # type: ignore[return-value]  # no list

    def value(self) -> object:
        """Return the next key, or value that is no object or list, and move behind it."""
        start = self.at
        try:
            value, self.at = DECODER.raw_decode(self.text, start)
        except JSONDecodeError as error:
            raise self._error_at(start, error.pos) from None
        if value is None or isinstance(value, bool | NotFinite):
            word = _WORD.match(self.text, start)
            if word and word[0] not in ("true", "false", "null"):  # NaN, nullify
                raise self._error_at(start, start)
        return value

    def _error_at(self, start: int, at: int) -> JSONDecodeError:
        """Return the error about a value, given the position where the decoder stopped."""
        word = _WORD.match(self.text, start)
        begins = word[0] if word else self.text[start : start + 1]
        problem, self.at = _no_value(begins), start
        if begins == '"' and _TEXT.match(self.text, start):
            problem, self.at = "an invalid escape sequence", at
        elif begins == '"':
            problem = "a string without an end, or with a control character"
        return self.error(problem)


def _no_value(begins: str) -> str:
    """Describe text where a value should start."""
    if begins in ("NaN", "Infinity", "nan", "inf"):
        return f"{begins} is not a JSON number"
    if begins == "'":
        return "strings must be in double quotes"
    return "expected a value"
