"""JSON documents (RFC 8259), parsed with the line and column of every value.

Repeated keys are reported; NaN, comments and trailing commas are errors.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from json import JSONDecodeError

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.files.encoding import utf8_text, with_lf, without_mark
from ave_score.files.json_lines import MAX_NESTING, TOO_DEEP
from ave_score.files.nodes import MAX_DIGITS, Node, Value

_BLANK = re.compile(r"[ \t\n]*+")
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?P<real>(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"\w++")


def decoded(data: bytes, findings: Findings, expected: str) -> str | None:
    """Return the text of a file with LF line ends; None, with findings, if it is not UTF-8."""
    bare = without_mark(data, findings, expected)
    text = None if bare is None else utf8_text(bare, findings)
    if text is None:
        findings.skip("its values: nothing in the file was read")
        return None
    return with_lf(text)


def parse(text: str, findings: Findings) -> Node | None:
    """Return the value of a JSON text; None, with a finding, if it is not JSON."""
    try:
        return _Parser(text, findings).document()
    except JSONDecodeError as error:
        findings.add(rules.NOT_JSON, error.lineno, error.colno, problem=error.msg)
        findings.skip("everything after the position where reading stopped")
        return None


class _Parser:
    """A recursive-descent parser; raises `JSONDecodeError` if the text is not JSON."""

    def __init__(self, text: str, findings: Findings) -> None:
        self._text = text
        self._findings = findings
        self._at = 0
        self._starts = [0, *(end.end() for end in re.finditer("\n", text))]

    def document(self) -> Node:
        """Return the value of the whole text."""
        node = self._value("", None, 1)
        if self._next():
            raise self._error("expected the end of the file after the value")
        return node

    def _error(self, problem: str) -> JSONDecodeError:
        if self._at >= len(self._text):
            problem = "the file ends too early"
        return JSONDecodeError(problem, self._text, self._at)

    def _next(self) -> str:
        """Skip blanks and return the next character, "" at the end."""
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        return self._text[self._at : self._at + 1]

    def _take(self, wanted: str, problem: str) -> str:
        """Consume the next character, which must be in `wanted`."""
        found = self._next()
        if not found or found not in wanted:
            raise self._error(problem)
        self._at += 1
        return found

    def _position(self) -> tuple[int, int]:
        line = bisect_right(self._starts, self._at)
        return line, self._at - self._starts[line - 1] + 1

    def _value(self, key: str, parent: Node | None, depth: int) -> Node:
        begins = self._next()
        if depth > MAX_NESTING and begins in ("{", "["):
            raise self._error(TOO_DEEP)
        if begins == "{":
            return self._object(key, parent, depth)
        if begins == "[":
            return self._list(key, parent, depth)
        position = self._position()
        return Node(self._scalar(begins), *position, key, parent)

    def _scalar(self, begins: str) -> Value:
        if begins == '"':
            return self._string()
        number = _NUMBER.match(self._text, self._at)
        if number:
            self._at = number.end()
            is_whole = not number["real"] and len(number[0]) <= MAX_DIGITS
            return int(number[0]) if is_whole else float(number[0])
        word = _WORD.match(self._text, self._at)
        if word and word[0] in _WORDS:
            self._at = word.end()
            return _WORDS[word[0]]
        raise self._error(_no_value(word[0] if word else begins))

    def _string(self) -> str:
        token = _TEXT.match(self._text, self._at)
        if token is None:
            raise self._error("a string without an end, or with a control character")
        try:
            text: str = json.loads(token[0]) if "\\" in token[0] else token[0][1:-1]
        except JSONDecodeError as error:
            self._at += error.pos
            raise self._error("an invalid escape sequence") from None
        self._at = token.end()
        return text

    def _list(self, key: str, parent: Node | None, depth: int) -> Node:
        items: list[Node] = []
        node = Node(items, *self._position(), key, parent)
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return node
        while True:
            items.append(self._value(f"[{len(items)}]", node, depth + 1))
            if self._take(",]", "expected , or ] after an item") == "]":
                return node

    def _object(self, key: str, parent: Node | None, depth: int) -> Node:
        fields: dict[str, Node] = {}
        node = Node(fields, *self._position(), key, parent)
        self._at += 1
        if self._next() == "}":
            self._at += 1
            return node
        while True:
            if self._next() != '"':
                raise self._error("expected a key in double quotes")
            position = self._position()
            name = self._string()
            self._take(":", "expected : after a key")
            field = self._value(f".{name}", node, depth + 1)
            if name in fields:
                self._findings.add(rules.JSON_KEY_REPEATED, *position, found=name)
            fields.setdefault(name, field)
            if self._take(",}", "expected , or } after a value") == "}":
                return node


def _no_value(found: str) -> str:
    """Describe text where a value should start."""
    if found in ("NaN", "Infinity", "nan", "inf"):
        return f"{found} is not a JSON number"
    if found == "'":
        return "strings must be in double quotes"
    return "expected a value"
