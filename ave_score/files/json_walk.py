"""JSON texts read value by value: large logs stream, and positions are found only if needed.

Numbers keep their spelling, and objects their repeated keys, as in `json_lines`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from json import JSONDecodeError
from typing import TypeVar

from ave_score.files.json_lines import DECODER, TOO_DEEP, is_too_deep, too_deep_at

Path = tuple[str | int, ...]
"""The steps from a value to one in it: keys of objects, and numbers of items from 0."""

Step = TypeVar("Step", str, int)

_BLANKS = re.compile(r"[ \t\n\r]*")


class Walk:
    """A position in a JSON text that moves from value to value.

    All methods raise `JSONDecodeError` where the text is not JSON.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at

    def next(self) -> str:
        """Move to the next character that is not blank and return it, "" at the end."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at
        return self.text[self.at : self.at + 1]

    def value(self) -> object:
        """Return the next value and move behind it."""
        self.next()
        try:
            value, end = DECODER.raw_decode(self.text, self.at)
        except JSONDecodeError as error:
            self.at = error.pos
            raise self.error(error.msg) from None
        except RecursionError:
            end = 0
        if not end or is_too_deep(value):
            self.at = too_deep_at(self.text, self.at)
            raise self.error(TOO_DEEP)
        self.at = end
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
            key = str(self.value())
            self._take(":", "expected : after a key")
            self.next()
            yield from self._unread(key)
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
            yield from self._unread(number)
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
            found = None
            for name in inner.members() if begins == "{" else inner.items():
                found = inner.at if name == step else found
            if found is None:
                return
            self.at = found
        self.next()

    def end(self) -> None:
        """Raise `JSONDecodeError` if anything follows."""
        if self.next():
            raise self.error("expected the end of the text")

    def error(self, problem: str) -> JSONDecodeError:
        """Return the error about the next character."""
        at_end = self.at >= len(self.text)
        return JSONDecodeError("the file ends too early" if at_end else problem, self.text, self.at)

    def _take(self, wanted: str, problem: str) -> str:
        found = self.next()
        if not found or found not in wanted:
            raise self.error(problem)
        self.at += 1
        return found

    def _unread(self, name: Step) -> Iterator[Step]:
        start = self.at
        yield name
        if self.at == start:
            self.value()


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
    found = range(walk.at + 1, walk.at + 2)
    with suppress(JSONDecodeError):  # nested almost too deeply
        for name in walk.members():
            if name == key:
                start = walk.at
                walk.value()
                found = range(start + 1, walk.at + 1)
    return found


class JsonText:
    """A JSON text in a file, whose first line has the number `first`."""

    def __init__(self, text: str, first: int = 1) -> None:
        self.text = text
        self.first = first

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.text))]

    def located(self, start: int, path: Path) -> tuple[int, range, str]:
        """Return line number, columns and line of a value in the value that begins at `start`."""
        walk = Walk(self.text, start)
        walk.follow(path)
        at = walk.at
        if walk.next() not in ("{", "["):
            walk.value()
        number = bisect_right(self._starts, at)
        begins = self._starts[number - 1]
        ends = self.text.find("\n", at)
        ends = len(self.text) if ends < 0 else ends
        stop = max(min(walk.at, ends), at + 1)
        columns = range(at - begins + 1, stop - begins + 1)
        return self.first - 1 + number, columns, self.text[begins:ends]
