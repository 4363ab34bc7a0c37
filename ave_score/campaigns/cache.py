"""What was counted before, by the hashes of everything that it was counted from.

A cache that cannot be read, or holds something else, is as good as none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

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
        try:
            value = read(entry)
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            return None  # somebody wrote into the file
        self._kept[key] = entry
        self.hits += 1
        return value

    def put(self, key: str, entry: Entry) -> None:
        """Keep an entry."""
        self._kept[key] = entry
        self.misses += 1

    def to_text(self) -> str:
        """Return everything that was asked for, as text."""
        return json.dumps(dict(sorted(self._kept.items())), indent=0) + "\n"


def _entries(text: str) -> dict[str, Entry]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: entry for key, entry in found.items() if isinstance(entry, dict)}


def key_of(*parts: object) -> str:
    """Return the key of what is made of these parts, and of nothing else."""
    return hashlib.sha256(json.dumps([_program(), *map(str, parts)]).encode()).hexdigest()


def _program() -> str:
    """Return the version and a hash of the program: another one may count otherwise."""
    global _PROGRAM  # noqa: PLW0603 - hashed once
    if not _PROGRAM:
        digest = hashlib.sha256(__version__.encode())
        root = Path(__file__).parents[1]
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
        _PROGRAM = digest.hexdigest()
    return _PROGRAM


_PROGRAM = ""
