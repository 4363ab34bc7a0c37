"""Where bytes come from: a file, gzip or xz (told by their first bytes), or standard input.

A source can be read more than once, so that a quick reader can leave a defective file to a careful
one. Only regular files are reopened; a pipe is kept in memory.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from typing import BinaryIO

from ave_score.errors import InputError, error_text

CHUNK = 1 << 16
"""Bytes read at a time; larger chunks are slower, they fall out of the processor's cache."""

MAX_BYTES = 8 << 30
"""What a compressed file, or a pipe, may hold: a bomb stops here."""

MAX_RATIO, MAX_BEYOND = 200, 64 << 20
"""A compressed file may unpack to so many times its size, and in any case to so many bytes: runs
and collections take a tenth of their size, at the least a hundredth, a bomb a thousandth."""

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_SUFFIXES = (".gz", ".xz")


class Source:
    """The bytes behind a path.

    Parameters
    ----------
    path
        A file name, or `-` for standard input.

    Attributes
    ----------
    path
        What messages call it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = os.fspath(path)
        self.is_stdin = self._file == "-"
        self.path = "stdin" if self.is_stdin else self._file
        self._kept: bytes | None = None
        self._packed = True  # perhaps: the first bytes will tell

    @classmethod
    def holding(cls, path: str, data: bytes) -> Source:
        """Return a source of bytes at hand, not compressed, which messages call `path`."""
        source = cls(path)
        source._kept = data
        source._packed = False
        return source

    @property
    def name(self) -> str:
        """The file name without its folder, a compression suffix and one more suffix."""
        name = os.path.basename(self.path)
        for suffix in _SUFFIXES:
            name = name.removesuffix(suffix)
        # 2.0 in team_2.0 is no suffix, txt is
        stem, suffix = os.path.splitext(name)
        return name if suffix[1:].isdigit() else stem

    def chunks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes; raises `InputError` where they cannot be read."""
        try:
            with self._open() as stream:
                yield from self._decompressed(stream)
        except OSError as error:
            raise InputError(self.path, error_text(error)) from error

    @property
    def compression(self) -> str:
        """How the bytes are compressed: `gzip`, `xz` or not at all (empty)."""
        with self._open() as stream:
            return _compression(stream.read(len(_XZ)))

    def sha256(self) -> str:
        """Return the hexadecimal hash of the decompressed bytes."""
        import hashlib  # here, as in other places: `check` needs none of it, and it takes long

        digest = hashlib.sha256()
        for chunk in self.chunks():
            digest.update(chunk)
        return digest.hexdigest()

    def _open(self) -> BinaryIO:
        """Open the raw bytes, those of a pipe out of memory."""
        if self._kept is not None:
            return io.BytesIO(self._kept)
        if self.is_stdin:
            if sys.stdin is None:
                raise InputError(self.path, "standard input is closed")
            return self._keep(sys.stdin.buffer)
        if "\0" in self._file:
            raise InputError(self.path, "is no file name")
        mode = os.stat(self._file).st_mode
        if stat.S_ISDIR(mode):
            raise InputError(self.path, "is a directory; name the files in it")
        if stat.S_ISREG(mode):
            return open(self._file, "rb")
        if stat.S_ISFIFO(mode):
            with open(self._file, "rb") as pipe:
                return self._keep(pipe)
        raise InputError(self.path, "is a device or a socket, not a file")

    def _keep(self, pipe: BinaryIO) -> BinaryIO:
        self._kept = pipe.read(MAX_BYTES + 1)
        if len(self._kept) > MAX_BYTES:
            raise InputError(self.path, f"holds more than {MAX_BYTES >> 30} GiB")
        return io.BytesIO(self._kept)

    def _decompressed(self, stream: BinaryIO) -> Iterator[bytes]:
        compression = _compression(stream.read(len(_XZ))) if self._packed else ""
        stream.seek(0)
        if not compression:
            yield from iter(lambda: stream.read(CHUNK), b"")
            return
        import gzip
        import lzma
        import zlib

        opened = gzip.open(stream) if compression == "gzip" else lzma.open(stream)
        total = 0
        try:
            with opened as unpacked:
                for chunk in iter(lambda: unpacked.read(CHUNK), b""):
                    total += len(chunk)
                    if total > MAX_BYTES:
                        raise InputError(self.path, f"unpacks to more than {MAX_BYTES >> 30} GiB")
                    if total > MAX_BEYOND and total > MAX_RATIO * stream.tell():
                        reason = f"unpacks to more than {MAX_RATIO} times its size, not read on"
                        raise InputError(self.path, reason)
                    yield chunk
        except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
            raise InputError(self.path, f"cannot be decompressed: {error}") from error


def _compression(head: bytes) -> str:
    """Return how a file that begins so is compressed."""
    if head.startswith(_GZIP):
        return "gzip"
    return "xz" if head.startswith(_XZ) else ""
