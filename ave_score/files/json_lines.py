"""JSON Lines: one JSON object a line.

Numbers are kept as they are written, so that none is rounded and none can be too long to be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ave_score import rules
from ave_score.files.lines import LineReader
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.text import counted

_BLANKS = re.compile(r"[ \t\n\r]*")


class Number(str):
    """A finite number as it is written; `NotFinite` is one that is none."""

    __slots__ = ()


class NotFinite(str):
    """NaN, Infinity or -Infinity, as some programs write them."""

    __slots__ = ()


class Members(list[tuple[str, object]]):
    """The keys and values of an object in their order, repetitions among them."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=Members, parse_float=Number, parse_int=Number, parse_constant=NotFinite
)


class ObjectLine(NamedTuple):
    """A line that is a JSON object: its number, its text and its members."""

    number: int
    text: str
    members: Members


def object_lines(
    source: Source, findings: Findings, expected: str, own_start: bytes = b"{"
) -> Iterator[ObjectLine]:
    """Yield the lines that are objects; the others are noted, blank ones passed over.

    A file is not read that begins with another bracket than `own_start`.
    """
    reader = LineReader(source, findings, expected, has_texts=True, own_start=own_start)
    for block in reader.blocks():
        for number, text in block.lines():
            if number not in block.bad and not text.isspace():
                members = _object(text, number, findings)
                if members is not None:
                    yield ObjectLine(number, text, members)


def keys_of(text: str) -> set[str]:
    """Return the keys of a text that is one whole JSON object; none of any other."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return set()
    return {key for key, _ in value} if isinstance(value, Members) else set()


def member_columns(text: str, key: str) -> range:
    """Return the columns of what stands last under a key of an object.

    Those of the object's brace where there is no such key.
    """
    start = _after_blanks(text, 0)
    found = range(start + 1, start + 2)
    with suppress(RecursionError):  # nested just not too deeply to be read
        for name, value in _spans(text, start + 1):
            if name == key:
                found = range(value.start + 1, value.stop + 1)
    return found


def described(value: object) -> str:
    """Return what a value is called in a message."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Number() | NotFinite():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Members():
            return f"an object of {counted(len(value), 'key')}"
        case list():
            return f"a list of {counted(len(value), 'value')}"
        case _:
            return f"a {type(value).__name__}"


def _object(text: str, number: int, findings: Findings) -> Members | None:
    """Return the object that a line holds, or None with a finding added."""
    place = None
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place, problem = error.pos, _problem(error.msg)
    except RecursionError:
        problem = "it is nested too deeply"
    else:
        if isinstance(value, Members):
            return value
        problem = f"found {described(value)}"
    column = 1 + (_after_blanks(text, 0) if place is None else place)
    findings.add(rules.NOT_AN_OBJECT, number, column, text, problem=problem)
    return None


def _problem(message: str) -> str:
    return message[:1].lower() + message[1:].removesuffix(" at").removesuffix(" starting")


def _spans(text: str, place: int) -> Iterator[tuple[str, slice]]:
    """Yield key and place of the members of a sound object that begins before `place`."""
    while (place := _after_blanks(text, place)) < len(text) and text[place] == '"':
        key, place = _DECODER.raw_decode(text, place)
        start = _after_blanks(text, _after_blanks(text, place) + 1)
        _, place = _DECODER.raw_decode(text, start)
        yield str(key), slice(start, place)
        place = _after_blanks(text, place) + 1


def _after_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place
