"""JSON Lines: lines that are objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from json import JSONDecodeError
from typing import NamedTuple, cast

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.files.json import DECODER, Members, described, is_too_deep, problem_of, value_in
from ave_score.files.lines import Block


class ObjectLine(NamedTuple):
    """A line that is a JSON object: its number, its text and its members."""

    number: int
    text: str
    members: Members


def objects_of(blocks: Iterable[Block], findings: Findings) -> Iterator[ObjectLine]:
    """Yield the lines that are objects; report the others and skip blank ones."""
    for block in blocks:
        for number, text in block.lines():
            if number not in block.bad and not text.isspace():
                members = _object(text, number, findings)
                if members is not None:
                    yield ObjectLine(number, text, members)


def _object(text: str, number: int, findings: Findings) -> Members | None:
    """Return the object that a line holds, or None with a finding added."""
    try:
        value, _ = value_in(text)
    except JSONDecodeError as error:
        at, problem = error.pos, problem_of(error.msg)
        if text[at:].strip() == ",":
            problem = "a comma follows it"
    else:
        if isinstance(value, Members):
            return value
        at, problem = len(text) - len(text.lstrip(" \t\n\r")), f"found {described(value)}"
    findings.add(rules.NOT_AN_OBJECT, number, at + 1, text, problem=problem)
    return None


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
    keys, values = alike_members(objects) if len(objects) == size else ((), [])
    is_flat = text.count("{") == size and "[" not in text
    return ((), []) if not is_flat and is_too_deep(values) else (keys, values)


def alike_members(objects: Sequence[object]) -> tuple[tuple[str, ...], list[object]]:
    """Return the keys and the values of objects with the same keys, else nothing."""
    if {*map(type, objects)} != {Members}:
        return (), []
    pairs = list(chain.from_iterable(cast("Sequence[Members]", objects)))
    keys = tuple(key for key, _ in pairs[: len(pairs) // len(objects)])
    is_alike = {*map(len, cast("Sequence[Members]", objects))} == {len(keys)}
    if not is_alike or [key for key, _ in pairs] != [*keys] * len(objects):
        return (), []
    return keys, [value for _, value in pairs]
