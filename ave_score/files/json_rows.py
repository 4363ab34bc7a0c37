"""JSON documents of rows, read as JSON Lines: line n is row n.

A document is a list of records, an object id -> label or score, or an object q_id -> a_id -> score.
`Findings` have the places of their rows in the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from json import JSONDecodeError
from typing import NamedTuple

from ave_score.core.kinds import COLUMNS, KINDS, LOGS, usual_names
from ave_score.files.json import DECODER, JsonText, NotFinite, Number, Walk, first_keys

_RECORD_KEYS = frozenset(
    [*COLUMNS, *(name for column in COLUMNS for name in usual_names(column)), "id", "schema"]
    + [key for record in KINDS.values() for key in (record.json_key, record.line_key)]
)
"""Keys of objects that are records, and of documents that are something else."""

_LOG_KEYS = frozenset[str]().union(*(record.keys for record in LOGS))
_FIRST_NUMBER = re.compile(r'\{\s*"((?:[^"\\]|\\.)*+)"\s*:\s*(?:NaN|-?[0-9I])')
"""The beginning of an object whose first value is a number, with its key."""

_EMPTY = re.compile(r"\{\s*\}")

_VALUE = '{"": 0 '
"""What is before a character that should be a comma, so that the reader of the row says so."""

_BATCH = 1 << 10
"""Rows that are written at a time."""


class Segment(NamedTuple):
    """A part of a row that is written in the document: where in the row, where there, its size."""

    at: int
    start: int
    size: int


class JsonRow(NamedTuple):
    """An object of JSON Lines."""

    text: str
    segments: tuple[Segment, ...]


def _row(text: str, *parts: str | tuple[int, int]) -> JsonRow:
    """Return a row of texts, and of parts of a document from a position to another."""
    row, segments = "", []
    for part in parts:
        if isinstance(part, tuple):
            segments.append(Segment(len(row), part[0], part[1] - part[0]))
            row += text[slice(*part)].replace("\r", " ").replace("\n", " ")
        else:
            row += part
    return JsonRow(row, tuple(segments))


def _records(walk: Walk) -> Iterator[JsonRow]:
    for _ in walk.items():
        yield _row(walk.text, _value(walk))


def _values(walk: Walk) -> Iterator[JsonRow]:
    for _ in walk.members():
        yield _row(walk.text, '{"id": ', _key(walk), ', "value": ', _value(walk), "}")


def _scores(walk: Walk) -> Iterator[JsonRow]:
    for _ in walk.members():
        if walk.next() != "{":
            yield _row(walk.text, _value(walk))  # no object, as its reader says
            continue
        q_id = _key(walk)
        for _ in walk.members():
            ids = q_id, ', "a_id": ', _key(walk)
            yield _row(walk.text, '{"q_id": ', *ids, ', "score": ', _value(walk), "}")


_CALLED: dict[Callable[[Walk], Iterator[JsonRow]], str] = {
    _records: "a JSON list of records",
    _values: "JSON {id: value}",
    _scores: "JSON {q_id: {a_id: score}}",
}
"""What yields the rows of a notation -> what the notation is called."""


def _key(walk: Walk) -> tuple[int, int]:
    return walk.key_at, DECODER.raw_decode(walk.text, walk.key_at)[1]


def _value(walk: Walk) -> tuple[int, int]:
    walk.next()
    start = walk.at
    walk.value()
    return start, walk.at


class JsonRows:
    """The rows of a document, and where they are in it.

    Parameters
    ----------
    data
        The document.
    rows_of
        Yields its rows, one of the functions of this module.

    Attributes
    ----------
    called
        What the notation is called.
    """

    def __init__(self, data: bytes, rows_of: Callable[[Walk], Iterator[JsonRow]]) -> None:
        self._text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        self._rows_of = rows_of
        self.called = _CALLED[rows_of]
        self._segments: list[tuple[Segment, ...]] = []

    def chunks(self) -> Iterator[bytes]:
        """Yield the rows as JSON Lines."""
        rows = (f"{row.text}\n" for row in self._rows())
        while batch := "".join(islice(rows, _BATCH)):
            yield batch.encode("utf-8", "surrogateescape")

    def _rows(self) -> Iterator[JsonRow]:
        """Yield the rows; where the document ends to be JSON, what is left of that line."""
        walk = Walk(self._text)
        try:
            yield from self._rows_of(walk)
            walk.end()
        except JSONDecodeError as error:
            at = min(error.pos, max(0, len(self._text.rstrip()) - 1))
            line = self._text[at:].partition("\n")[0].strip("{ \r") or "?"
            follows = error.msg.startswith("expected , or") or error.pos > at
            before = _VALUE if follows else ""
            yield JsonRow(before + line, (Segment(len(before), at, len(line)),))

    @cached_property
    def _again(self) -> Iterator[JsonRow]:
        return self._rows()

    def _segments_of(self, number: int) -> tuple[Segment, ...]:
        """Return where the parts of a row are, or of the last one; later rows are not read."""
        missing = max(0, number - len(self._segments))
        self._segments += [row.segments for row in islice(self._again, missing)]
        return self._segments[min(number, len(self._segments)) - 1]

    @cached_property
    def _document(self) -> JsonText:
        return JsonText(self._text)

    def line(self, row: int) -> int:
        """Return the line of a row in the document."""
        return self.place(row, None, None)[0]

    def place(
        self, row: int, column: int | None, end: int | None
    ) -> tuple[int, int, int | None, str]:
        """Return line, columns and text of the line in the document, given those in a row."""
        segments = self._segments_of(row)
        of = next(
            (segment for segment in segments if (column or 1) <= segment.at + segment.size),
            segments[-1],
        )
        within = max(0, (column or 1) - 1 - of.at)
        line, start = self._document.position(of.start + min(within, of.size))
        text = self._line(of.start + min(within, of.size))
        stop = None if end is None or column is None else min(start + end - column, len(text) + 1)
        return line, start, stop if stop is None or stop > start else start + 1, text

    def _line(self, at: int) -> str:
        """Return the line of the document that a character is in."""
        stop = self._text.find("\n", at)
        return self._text[self._text.rfind("\n", 0, at) + 1 : stop if stop >= 0 else None]


def rows_of(head: bytes, names: Collection[str]) -> Callable[[Walk], Iterator[JsonRow]] | None:
    """Return what yields the rows of a document, by its first bytes; None for any other file.

    `names` are the keys that records have beside the usual ones. Most values of an object are of
    one type; its reader reports the others.
    """
    text = head.decode("utf-8", "replace").removeprefix("\ufeff").lstrip()
    if text.startswith("["):
        inner = text[1:].lstrip()
        return _records if inner.startswith("{") and not first_keys(inner) & _LOG_KEYS else None
    walk, kinds, end = Walk(text), Counter[type](), False
    with suppress(JSONDecodeError):
        for key in walk.members():
            if key in _RECORD_KEYS or key in names:
                return None
            begins = walk.next()
            if _EMPTY.match(text, walk.at):
                continue
            if begins == "{":
                first = _FIRST_NUMBER.match(text, walk.at)
                is_nested = not kinds and first and first[1] not in {*_RECORD_KEYS, *names}
                return _scores if is_nested else None
            if begins == "[":  # which may be cut off
                return None
            kind = type(walk.value())
            kinds[Number if kind is NotFinite else kind] += 1
        end = True
    is_alone = not walk.next() if end else kinds.total() > 1  # cut off, or not JSON further on
    is_flat = 2 * max(kinds[str], kinds[Number], kinds[bool]) > kinds.total()
    return _values if is_alone and is_flat else None
