"""Writing results: a file is written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ave_score.errors import AveScoreError, InputError, PipeClosedError, UsageError, error_text

_STREAMS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")
"""Names of what is open already, perhaps a file with something in it."""


def check_written(read: Sequence[str], written: Mapping[str, str | None]) -> None:
    """Raise `UsageError` where a file is named twice that should not be.

    `score gold.xml --output *.txt` would put the scores where the first run was. `written` is what
    each option names.
    """
    if read.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    files = {os.path.realpath(path) for path in read if path != "-"}
    given = {option: path for option, path in written.items() if path is not None}
    for path in given.values():
        if os.path.realpath(path) in files:
            raise UsageError(f"{path} is read by the same command, so it is not written over")
    if len(set(map(os.path.realpath, given.values()))) < len(given):
        raise UsageError(f"{' and '.join(given)} name the same file")


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """Open a text file for writing that appears under its name only when the block succeeds.

    A device or a pipe is written to directly, `-` is standard output. What cannot be written
    raises `InputError`, a pipe that nobody reads `PipeClosedError`.
    """
    if path == "-":
        yield from _standard_output()
        return
    try:
        if path.startswith(_STREAMS) or not _is_file_or_nothing(path):
            with Path(path).open("a", encoding="utf-8", newline="") as out:
                yield out
        else:
            yield from _beside(Path(os.path.realpath(path)))
    except BrokenPipeError:
        raise PipeClosedError from None
    except OSError as error:
        raise InputError(path, f"cannot be written: {error_text(error)}") from error


def _standard_output() -> Iterator[TextIO]:
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        raise PipeClosedError from None
    except OSError as error:
        forget_stdout()
        raise AveScoreError(f"cannot write to standard output: {error_text(error)}") from error


def _is_file_or_nothing(path: str) -> bool:
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except FileNotFoundError:
        return True


def forget_stdout() -> None:
    """Drop what could not be written, so that the interpreter does not try again at exit."""
    with suppress(OSError, ValueError):  # a stream that stands in for it may have no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
