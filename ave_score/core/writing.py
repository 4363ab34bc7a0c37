"""Writing files: completely, or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedIOBase, BytesIO
from typing import BinaryIO, TextIO

from ave_score.core.errors import (
    AveScoreError,
    InputError,
    PipeClosedError,
    error_text,
    unnamed_error_text,
)

_STREAMS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")
"""Paths of open file descriptors, which may be files with content."""


@contextmanager
def whole_file(path: str, *, copy_of: str | None = None) -> Iterator[TextIO]:
    """Open a text file for writing that replaces `path` only if the block succeeds.

    It gets the mode of the file that it replaces, or the mode and the times of `copy_of`. Devices
    and pipes are written directly; `-` is standard output. Raises `InputError` if writing fails,
    `PipeClosedError` for a closed pipe.
    """
    if path == "-":
        yield from _standard_output()
        return
    try:
        if path.startswith(_STREAMS) or not _is_file_or_nothing(path):
            with open(path, "a", encoding="utf-8", newline="") as out:
                yield out
        else:
            yield from _temporary_file(os.path.realpath(path), copy_of)
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


def _temporary_file(target: str, copy_of: str | None) -> Iterator[TextIO]:
    """Write to a temporary file in the same folder, and move it to the target at the end."""
    import shutil  # slow to import, and most results go to standard output
    import tempfile

    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{name[:100]}.", dir=folder)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as out:
            yield out
        if copy_of is not None:
            shutil.copystat(copy_of, temporary)
        else:
            mode = os.stat(target).st_mode if os.path.exists(target) else 0o666 & ~_umask()
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
