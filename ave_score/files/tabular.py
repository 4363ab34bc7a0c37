"""What a file holds, as columns and rows, to be written in another notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ave_score.core.kinds import KINDS, FileKind
from ave_score.files.json import NotFinite, Number

IDS = frozenset(["q_id", "a_id", "pair_id"])

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that XML forbids, and every reader of texts."""

Lost = Counter[str]
"""What a notation cannot hold -> how often it occurs."""


class Tabular(NamedTuple):
    """Columns and rows.

    Attributes
    ----------
    kind
        The kind of file.
    columns
        The names of the columns.
    rows
        A value for each column: a text, a `Number` or another value of JSON; None if there is none.
        They can be read once.
    root
        The attributes of the root element of XML.
    name
        The name of the file, without suffixes.
    """

    kind: FileKind
    columns: Sequence[str]
    rows: Iterable[Sequence[object]]
    root: Mapping[str, str] = {}
    name: str = ""

    @property
    def types(self) -> list[type]:
        """The type of each column: `float`, `int`, `bool` or `str`."""
        types = KINDS[self.kind].types
        return [types.get(name, str) for name in self.columns]

    def untyped(self, lost: Lost) -> Iterator[Sequence[object]]:
        """Yield the rows; note values of JSON in columns of texts, where they become texts."""
        others = [
            (number, name)
            for number, (name, kind) in enumerate(zip(self.columns, self.types, strict=True))
            if kind is str and name not in IDS
        ]
        for row in self.rows:
            for number, name in others:
                if isinstance(row[number], Number | NotFinite | bool | list):
                    lost[f"type of {name}"] += 1
            yield row


def permitted(text: str, lost: Lost) -> str:
    """Return a text with control characters and lone surrogates replaced."""
    if text.isprintable():
        return text
    text, times = _FORBIDDEN.subn("\ufffd", text)
    if times:
        lost["control character"] += times
    return text


def word(value: object) -> str:
    """Return a value as a text; "" if there is none."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
