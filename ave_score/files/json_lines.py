"""JSON Lines: one JSON object per line.

Numbers keep their spelling, so none is rounded or too long to parse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.text import counted
from ave_score.files.lines import MAX_LINE, Block, LineReader
from ave_score.files.source import Source

MAX_NESTING = 100
"""Levels of the deepest nesting that is read in JSON: answer sets have 7, and logs a few more."""

TOO_DEEP = f"nested deeper than {MAX_NESTING} levels"

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


class ObjectLine(NamedTuple):
    """A line that is a JSON object: its number, its text and its members."""

    number: int
    text: str
    members: Members


def object_lines(
    source: Source,
    findings: Findings,
    expected: str,
    own_start: bytes = b"{",
    longest: int = MAX_LINE,
) -> Iterator[ObjectLine]:
    """Yield the lines that are objects; report the others and skip blank ones.

    Files that start with a bracket other than `own_start` are rejected, and lines of more than
    `longest` bytes.
    """
    reader = LineReader(
        source, findings, expected, has_texts=True, own_start=own_start, longest=longest
    )
    return objects_of(reader.blocks(), findings)


def objects_of(blocks: Iterable[Block], findings: Findings) -> Iterator[ObjectLine]:
    """Yield the lines of a file that are objects, as `object_lines`."""
    for block in blocks:
        for number, text in block.lines():
            if number not in block.bad and not text.isspace():
                members = _object(text, number, findings)
                if members is not None:
                    yield ObjectLine(number, text, members)


def alike_objects(text: str) -> tuple[tuple[str, ...], list[object]]:
    """Return the keys and the values of lines that are objects with the same keys, else nothing.

    The values are those of all lines, one after the other.
    """
    size = text.count("\n")
    if text.count("}\n") != size or text.count("\n{") != size - 1 or not text.startswith("{"):
        return (), []
    try:
        objects = DECODER.decode("[" + text[:-1].replace("\n", ",\n") + "]")  # no LF in a text
    except (ValueError, RecursionError):
        return (), []
    pairs = list(chain.from_iterable(objects))
    keys = tuple(key for key, _ in objects[0])
    if len(objects) != size or [key for key, _ in pairs] != [*keys] * size:
        return (), []
    values = [value for _, value in pairs]
    is_flat = text.count("{") == size and "[" not in text
    return ((), []) if not is_flat and is_too_deep(values) else (keys, values)


def is_too_deep(value: object) -> bool:
    """Tell whether a value has more than `MAX_NESTING` levels of objects and lists."""
    level = [value] if isinstance(value, list) else []
    for _ in range(MAX_NESTING):
        if not level:
            return False
        level = [inner for one in level for inner in _values(one) if isinstance(inner, list)]
    return bool(level)


def too_deep_at(text: str, start: int = 0) -> int:
    """Return the position of the first bracket of a JSON text that nests too deeply."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        depth += (found[0] in "{[") - (found[0] in "}]")
        if depth > MAX_NESTING:
            return found.start()
    return start


def _values(value: list[object]) -> Iterable[object]:
    return [of for _, of in value] if isinstance(value, Members) else value


def keys_of(text: str) -> set[str]:
    """Return the keys of a JSON object; none if the text is anything else.

    Raises `RecursionError` if it is nested very deeply.
    """
    try:
        value = DECODER.decode(text)
    except ValueError:
        return set()
    return {key for key, _ in value} if isinstance(value, Members) else set()


def described(value: object) -> str:
    """Describe a value in a message."""
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
    position = None
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        position, problem = error.pos, problem_of(error.msg)
    except RecursionError:
        position, problem = too_deep_at(text), TOO_DEEP
    else:
        if is_too_deep(value):
            position, problem = too_deep_at(text), TOO_DEEP
        elif isinstance(value, Members):
            return value
        else:
            problem = f"found {described(value)}"
    if position is None:
        position = len(text) - len(text.lstrip(" \t\n\r"))
    findings.add(rules.NOT_AN_OBJECT, number, position + 1, text, problem=problem)
    return None


def problem_of(message: str) -> str:
    """Return the message of a JSON error without the position that it would name."""
    return message[:1].lower() + message[1:].removesuffix(" at").removesuffix(" starting")
