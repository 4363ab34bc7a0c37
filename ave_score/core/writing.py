"""Writing files: completely, or not at all.

A file is written as a hidden part in its folder, which takes its place at the end. A call that is
killed may leave parts; the next one that writes in the folder removes them.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from io import BufferedIOBase, BytesIO
from typing import BinaryIO, NamedTuple, TextIO

from ave_score.core.errors import (
    AveScoreError,
    InputError,
    PipeClosedError,
    error_text,
    unnamed_error_text,
)
from ave_score.core.locks import CAN_LOCK, descriptor, lock, locked
from ave_score.core.processes import without_signals

_STREAMS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")
"""Paths of open file descriptors, which may be files with content."""

_PART = ".ave-score-part"
"""The end of the names of parts."""


class _Whole(NamedTuple):
    """A part that is complete, the file whose place it takes, and how the user named that."""

    part: str
    target: str
    path: str


class _Block(threading.local):
    """What is whole in the outermost block of a thread, None outside, and what its end does."""

    whole: list[_Whole] | None = None
    end: ExitStack


_block = _Block()


@contextmanager
def whole_file(path: str, *, copy_of: str | None = None) -> Iterator[TextIO]:
    """Open a text file for writing that replaces `path` only if the block succeeds.

    It gets the mode of the file that it replaces, which is gone only once the new one is on the
    disk, or the mode and the times of `copy_of`. Files that are opened within the block take their
    places at its end, too, all or none. Devices and pipes are written directly; `-` is standard
    output. Raises `InputError` if writing fails, `PipeClosedError` for a closed pipe.
    """
    if path == "-":
        yield from _standard_output()
        return
    with _naming(path):
        if path.startswith(_STREAMS) or not _is_file_or_nothing(path):
            with open(path, "a", encoding="utf-8", newline="") as out:
                yield out
        else:
            with _all_or_none() as (whole, end):
                yield from _written(path, copy_of, whole, end)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Say which file cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise PipeClosedError from None
    except FileNotFoundError as error:
        raise InputError(path, "cannot be written: its folder does not exist") from error
    except OSError as error:
        raise InputError(path, f"cannot be written: {error_text(error)}") from error


@contextmanager
def whole_bytes(path: str) -> Iterator[BinaryIO | BufferedIOBase]:
    """Open a file for bytes as `whole_file`, compressed if its name ends with .gz or .xz."""
    with whole_file(path) as out:
        if path.endswith(".gz"):
            import gzip

            with gzip.GzipFile("", "wb", fileobj=out.buffer, mtime=0) as packed:
                yield packed
        elif path.endswith(".xz"):
            import lzma

            with lzma.open(out.buffer, "wb") as packed:
                yield packed
        else:
            out.flush()
            yield out.buffer


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file: the same bytes whenever and in whatever order files were made."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo  # few commands need it

    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(name)  # of 1980
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(entry, files[name])
    return out.getvalue()


def write_whole_files(contents: Mapping[str, Iterable[str]]) -> None:
    """Write the lines of several files, all or none; standard output last."""
    with ExitStack() as open_files:
        for path in sorted(contents, key=lambda path: path == "-"):
            out = open_files.enter_context(whole_file(path))
            out.writelines(contents[path])
            out.flush()


def _standard_output() -> Iterator[TextIO]:
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        raise PipeClosedError from None
    except OSError as error:
        forget_stdout()
        raise AveScoreError(unnamed_error_text(error)) from error


def _is_file_or_nothing(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def forget_stdout() -> None:
    """Discard unwritten output, which the interpreter would flush again at exit."""
    with suppress(OSError, ValueError):  # a replacement stream may have no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _all_or_none() -> Iterator[tuple[list[_Whole], ExitStack]]:
    """Let all that is whole take its place at the end of the outermost block."""
    if _block.whole is not None:
        yield _block.whole, _block.end
        return
    try:
        with ExitStack() as _block.end:
            _block.whole = []
            yield _block.whole, _block.end
            _replace(_block.whole)
    finally:
        _block.whole = None


def _written(
    path: str, copy_of: str | None, whole: list[_Whole], end: ExitStack
) -> Iterator[TextIO]:
    """Yield a part to write to, and add it to what is whole."""
    import shutil  # slow to import, and most results go to standard output

    target = os.path.realpath(path)
    handle, part = _new_part(target, end)
    with open(handle, "w", encoding="utf-8", newline="") as out:
        yield out
        out.flush()
        if os.path.exists(target):
            os.fsync(out.fileno())
    if copy_of is not None:
        shutil.copystat(copy_of, part)
    else:
        mode = os.stat(target).st_mode if os.path.exists(target) else 0o666 & ~_umask()
        os.chmod(part, mode)
    whole.append(_Whole(part, target, path))


def _replace(whole: Sequence[_Whole]) -> None:
    """Let files take their places; several of one call are not mixed with those of another."""
    replaced = {os.path.dirname(target) for _, target, _ in whole if os.path.exists(target)}
    with ExitStack() as held:
        if len(whole) > 1:
            for folder in sorted({os.path.dirname(target) for _, target, _ in whole}):
                held.enter_context(locked(folder))
            held.enter_context(without_signals("SIGINT", "SIGTERM"))
        for part, target, path in whole:
            with _naming(path):
                os.replace(part, target)
    for folder in replaced:
        with suppress(OSError), descriptor(folder) as opened:  # not every system can
            os.fsync(opened)


def _new_part(target: str, end: ExitStack) -> tuple[int, str]:
    """Create a part, which is locked and exists until the end."""
    import tempfile  # slow to import

    names = _names_of_part(target)
    while True:
        handle, part = tempfile.mkstemp(*names)
        end.callback(_remove, part)
        with suppress(OSError):
            end.enter_context(lock(part, waits=True))
        if os.path.exists(part):  # else another call removed it before it was locked
            return handle, part
        os.close(handle)


def _names_of_part(target: str) -> tuple[str, str, str]:
    """Return how the name of a part ends and begins, and its folder, which has no old parts."""
    folder, name = os.path.split(target)
    remove_parts(folder)
    return _PART, f".{name[:50]}.", folder  # at most 255 bytes


@lru_cache(2**10)  # many files may be written in a large folder
def remove_parts(folder: str) -> None:
    """Remove what calls that were killed have left in a folder, at its first file."""
    if not CAN_LOCK:  # nothing tells whether a call goes on
        return
    import shutil  # slow to import

    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not (entry.name.startswith(".") and entry.name.endswith(_PART)):
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder or entry.is_file(follow_symlinks=False):  # a pipe would be waited for
                with suppress(OSError), lock(entry.path):
                    (shutil.rmtree if is_folder else os.unlink)(entry.path)


@contextmanager
def part_folder(target: str) -> Iterator[str]:
    """Yield a new folder beside a target, which does not remain."""
    import tempfile  # slow to import

    with ExitStack() as end:
        part = end.enter_context(tempfile.TemporaryDirectory(*_names_of_part(target)))
        with suppress(OSError):
            end.enter_context(lock(part))
        yield part


def _remove(part: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(part)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
