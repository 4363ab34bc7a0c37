"""JSON (RFC 8259): texts that are walked value by value.

Python's decoder reads values; a `Walk` moves between them, so that large logs stream, and finds
the place of a value where a message needs it. Numbers keep their spelling, so none is rounded or
too long to parse, and objects their repeated keys. No value nests more than `MAX_NESTING` levels.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import chain
from json import JSONDecodeError

from ave_score.core.text import OF_TYPE, quantity

MAX_NESTING = 100
"""Levels of the deepest nesting that is read in JSON: answer sets have 7, and logs a few more."""

TOO_DEEP = f"nested deeper than {MAX_NESTING} levels"

Path = tuple[str | int, ...]
"""The steps from a value to one in it: keys of objects, and numbers of items from 0."""

_BLANKS = re.compile(r"[ \t\n\r]*+")
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')


class Number(str):
    """A finite number as written; see `NotFinite`."""

    __slots__ = ()


class NotFinite(str):
    """NaN, Infinity or -Infinity, as some programs write them."""

    __slots__ = ()


class Members(list[tuple[str, object]]):
    """The keys and values of an object in order, including repeated keys."""


DECODER = json.JSONDecoder(
    object_pairs_hook=Members, parse_float=Number, parse_int=Number, parse_constant=NotFinite
)


def member(value: object, *keys: str) -> object:
    """Return a value in an object, or in objects in it; None if there is none."""
    for key in keys:
        value = dict(value).get(key) if isinstance(value, Members) else None
    return value


def text_of(value: object) -> str:
    """Return a text, or a number, as a text; "" for any other value."""
    return str(value) if isinstance(value, str) else ""


def described(value: object) -> str:
    """Return a value in words for messages, lists and objects by their size."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Number() | NotFinite():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case [(str(key), None)] if isinstance(value, Members) and key.startswith(OF_TYPE):
            return key
        case Members():
            return f"an object of {quantity(len(value), 'key')}"
        case list():
            return f"a list of {quantity(len(value), 'value')}"
        case _:
            return f"a {type(value).__name__}"


def is_other(value: object) -> bool:
    """Tell whether a value stands for one of a frame that JSON does not have."""
    return isinstance(value, Members) and described(value).startswith(OF_TYPE)


def problem_of(message: str) -> str:
    """Return the message of a JSON error without the position that it would name."""
    return message[:1].lower() + message[1:].removesuffix(" at").removesuffix(" starting")


# --- Values ---------------------------------------------------------------------------------------


def value_in(text: str, start: int | None = None) -> tuple[object, int]:
    """Return the value that begins at `start`, or is the whole text, and the position behind it.

    Raises `JSONDecodeError`, also for a value that nests too deeply.
    """
    try:
        if start is None:
            value, end = DECODER.decode(text), len(text)
        else:
            value, end = DECODER.raw_decode(text, start)
    except RecursionError:
        end = -1
    brackets = text.count("{", start, end) + text.count("[", start, end) if end >= 0 else 0
    if end < 0 or (brackets > MAX_NESTING and is_too_deep(value)):
        raise JSONDecodeError(TOO_DEEP, text, _too_deep_at(text, start or 0))
    return value, end


def is_too_deep(value: object) -> bool:
    """Tell whether a value has more than `MAX_NESTING` levels of objects and lists."""
    level = [value] if isinstance(value, list) else []
    for _ in range(MAX_NESTING):
        if not level:
            return False
        inner = chain.from_iterable(level)  # of objects, pairs of a key and a value
        values = (part[1] if type(part) is tuple else part for part in inner)
        level = [value for value in values if isinstance(value, list)]
    return bool(level)


def _too_deep_at(text: str, start: int) -> int:
    """Return the position of the first bracket of a JSON text that nests too deeply."""
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += (bracket[0] in "{[") - (bracket[0] in "}]")
        if depth > MAX_NESTING:
            return bracket.start()
    return start


class Walk:
    """A position in a JSON text that moves from value to value.

    All methods raise `JSONDecodeError` where the text is not JSON. `key_at` is the position of the
    last key that `members` yielded.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.key_at = at

    def next(self) -> str:
        """Move to the next character that is not blank and return it, "" at the end."""
        begins = self.text[self.at : self.at + 1]
        if begins > " ":
            return begins
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at
        return self.text[self.at : self.at + 1]

    def value(self) -> object:
        """Return the next value and move behind it."""
        self.next()
        try:
            value, self.at = value_in(self.text, self.at)
        except JSONDecodeError as error:
            self.at = error.pos
            raise self.error(error.msg) from None
        return value

    def members(self) -> Iterator[str]:
        """Yield the keys of the next object, each time with its value as the next one.

        A value that the caller does not read is skipped.
        """
        self._take("{", "expected an object")
        if self.next() == "}":
            self.at += 1
            return
        while True:
            if self.next() != '"':
                raise self.error("expected a key in double quotes")
            self.key_at = self.at
            key = str(self.value())
            self._take(":", "expected : after a key")
            self.next()
            start = self.at
            yield key
            if self.at == start:
                self.value()
            if self._take(",}", "expected , or } after a value") == "}":
                return

    def items(self) -> Iterator[int]:
        """Yield the numbers of the items of the next list, as `members` does."""
        self._take("[", "expected a list")
        if self.next() == "]":
            self.at += 1
            return
        number = 0
        while True:
            self.next()
            start = self.at
            yield number
            if self.at == start:
                self.value()
            number += 1
            if self._take(",]", "expected , or ] after an item") == "]":
                return

    def follow(self, path: Path) -> None:
        """Move to a value in the next one; where a step is missing, stay before it."""
        for step in path:
            begins = self.next()
            if begins not in ("{", "["):
                return
            inner = Walk(self.text, self.at)
            position = None
            for name in inner.members() if begins == "{" else inner.items():
                position = inner.at if name == step else position
            if position is None:
                return
            self.at = position
        self.next()

    def end(self, problem: str = "expected the end of the text") -> None:
        """Raise `JSONDecodeError` if anything follows."""
        if self.next():
            raise self.error(problem)

    def error(self, problem: str) -> JSONDecodeError:
        """Return the error about the next character."""
        at_end = self.at >= len(self.text)
        return JSONDecodeError("the file ends too early" if at_end else problem, self.text, self.at)

    def _take(self, wanted: str, problem: str) -> str:
        character = self.next()
        if not character or character not in wanted:
            raise self.error(problem)
        self.at += 1
        return character


class JsonText:
    """A JSON text in a file, whose first line has the number `first`."""

    def __init__(self, text: str, first: int = 1) -> None:
        self.text = text
        self.first = first

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.text))]

    def position(self, at: int) -> tuple[int, int]:
        """Return the line in the text and the column of a character, both from 1."""
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def located(self, start: int, path: Path) -> tuple[int, range, str]:
        """Return line number, columns and line of a value in the value that begins at `start`."""
        walk = Walk(self.text, start)
        walk.follow(path)
        at = walk.at
        if walk.next() not in ("{", "["):
            walk.value()
        number, column = self.position(at)
        ends = self.text.find("\n", at)
        ends = len(self.text) if ends < 0 else ends
        stop = max(min(walk.at, ends), at + 1)
        columns = range(column, column + stop - at)
        return self.first - 1 + number, columns, self.text[at - column + 1 : ends]


# --- Keys -----------------------------------------------------------------------------------------


def keys_of(text: str) -> set[str]:
    """Return the keys of a JSON object; none if the text is anything else.

    Raises `RecursionError` if it is nested very deeply.
    """
    try:
        value = DECODER.decode(text)
    except ValueError:
        return set()
    return {key for key, _ in value} if isinstance(value, Members) else set()


def first_keys(text: str) -> set[str]:
    """Return the keys of the object that a text, perhaps cut off, begins with."""
    keys = set[str]()
    with suppress(JSONDecodeError):
        for key in Walk(text).members():
            keys.add(key)
    return keys


def member_columns(text: str, key: str) -> range:
    """Return the columns of the last value of a key in an object.

    If there is no such key, return the column of the opening brace.
    """
    walk = Walk(text)
    walk.next()
    columns = range(walk.at + 1, walk.at + 2)
    with suppress(JSONDecodeError):  # nested almost too deeply
        for name in walk.members():
            if name == key:
                start = walk.at
                walk.value()
                columns = range(start + 1, walk.at + 1)
    return columns
