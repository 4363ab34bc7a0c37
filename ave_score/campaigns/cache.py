"""What was counted before, by the hashes of everything that it was counted from.

A cache that cannot be read, or holds something else, is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from lxml import etree

from ave_score.version import __version__

Value = TypeVar("Value")

Entry = dict[str, Any]


class Cache:
    """Entries by their keys; what is not asked for again is forgotten.

    Parameters
    ----------
    text
        What `to_text` returned an earlier time, or anything else.

    Attributes
    ----------
    hits, misses
        How many entries were there, and how many had to be made.
    """

    def __init__(self, text: str = "") -> None:
        self._old = _entries(text)
        self._kept: dict[str, Entry] = {}
        self.hits = self.misses = 0

    def get(self, key: str, read: Callable[[Entry], Value]) -> Value | None:
        """Return an entry as `read` makes it of what was put, None where there is none."""
        entry = self._old.get(key)
        if entry is None:
            return None
        self._kept[key] = entry
        self.hits += 1
        return read(entry)

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry."""
        self._kept[key] = entry
        self.misses += 1

    def to_text(self, *, whole: bool = True) -> str:
        """Return everything that was asked for, as text, each entry with a hash of itself.

        Where not all was asked for that will be (`whole` is False), the others are kept, too.
        """
        kept = self._kept if whole else self._old | self._kept
        entries = (  # a line each; dumps would take its slow way to indent them
            f"{json.dumps(key)}: {json.dumps([_seal(key, entry), entry])}"
            for key, entry in sorted(kept.items())
        )
        return "{" + ",\n".join(entries) + "}"


def _entries(text: str) -> dict[str, Entry]:
    """Return the entries that are as they were written; the others are damaged."""
    try:
        found = json.loads(text)
        return {key: entry for key, (seal, entry) in found.items() if seal == _seal(key, entry)}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _seal(key: str, entry: Entry) -> str:
    return hashlib.sha256(f"{key} {json.dumps(entry)}".encode()).hexdigest()[:16]


def key_of(*parts: object) -> str:
    """Return the key of what is made of these parts, and of nothing else."""
    return hashlib.sha256(json.dumps([_program(), *map(str, parts)]).encode()).hexdigest()


@cache
def _program() -> str:
    """Return a hash of the program and what it reads by: another one may count otherwise."""
    digest = hashlib.sha256(f"{__version__} {etree.LXML_VERSION} {sys.version}".encode())
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
