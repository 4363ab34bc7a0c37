"""Writing results: a file is written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ave_score.errors import InputError


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """Open a text file for writing that appears under its name only when the block succeeds.

    A device or a pipe is written to directly, `-` is standard output. What cannot be written
    raises `InputError`.
    """
    if path == "-":
        yield sys.stdout
        return
    target = Path(path).resolve()
    try:
        if path.startswith("/dev/") or (target.exists() and not target.is_file()):
            # appending, since /dev/stdout may well be a file with something in it
            with Path(path).open("a", encoding="utf-8", newline="") as out:
                yield out
            return
        yield from _beside(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(path, f"cannot be written: {reason}") from error


def _beside(target: Path) -> Iterator[TextIO]:
    """Write beside the target, and move it there at the end."""
    import tempfile  # slow to import, and most results go to standard output

    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as out:  # noqa: PTH123 - a descriptor
            yield out
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        os.chmod(name, mode)  # noqa: PTH101 - the name of a temporary file is a str
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
