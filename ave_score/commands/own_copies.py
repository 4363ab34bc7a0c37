"""Remembers files that this user's own calls wrote, such as the copies of `ave-score fix`.

A file is remembered by a hash of its path and its content in the user's cache folder. So one
that was edited, or that somebody else wrote, is neither replaced nor believed.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from ave_score.core.errors import InputError
from ave_score.core.writing import whole_file

_MAX_BYTES = 1 << 20
"""Bytes of the largest record; half of it is dropped beyond."""


def is_own(path: Path) -> bool:
    """Tell whether a file is a copy that was remembered, unchanged."""
    try:
        if path.is_symlink() or not path.is_file():
            return False
        return _hash(path, path.read_bytes()) in _record().read_text("ascii", "ignore").split()
    except (OSError, RuntimeError):
        return False


def remember(path: Path, data: bytes) -> None:
    """Remember a copy before it is written; without a cache folder, nothing happens."""
    with suppress(OSError, InputError, RuntimeError):
        record = _record()
        record.parent.mkdir(parents=True, exist_ok=True)
        with record.open("a", encoding="ascii") as lines:
            lines.write(f"\n{_hash(path, data)}")  # the line before may be cut off
        if record.stat().st_size > _MAX_BYTES:
            hashes = record.read_text("ascii", "ignore").splitlines(keepends=True)
            with whole_file(str(record)) as out:
                out.writelines(hashes[len(hashes) // 2 :])


def _record() -> Path:
    """Return the path of the record in the user's cache folder.

    Raises `RuntimeError` if the user has no home, as in some containers.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(cache) if cache else Path.home() / ".cache") / "ave-score" / "fixed-copies"


def _hash(path: Path, data: bytes) -> str:
    return hashlib.sha256(os.fsencode(path.resolve()) + b"\0" + data).hexdigest()
