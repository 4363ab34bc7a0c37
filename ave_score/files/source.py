"""The bytes of a file, plain, gzip or xz (detected by magic bytes), or of standard input.

A Parquet file or a JSON document of rows is read as JSON Lines, as if it were a compression.

A source can be read more than once but is opened once if possible: a partial read is continued by
the next reader, and small files are cached in memory. Only regular files are reopened; the content
of a pipe is kept.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from ave_score.core.errors import InputError, UsageError, error_text
from ave_score.core.text import composed
from ave_score.files.encoding import COMPRESSION_BYTES, compression_of
from ave_score.files.limits import CHUNK, MAX_BEYOND, MAX_BYTES, check_unpacked
from ave_score.files.naming import Naming
from ave_score.files.pipes import first_of

if TYPE_CHECKING:
    import hashlib

    from ave_score.files.json_rows import JsonRows
    from ave_score.files.run_limits import RunLimits

KEPT_BYTES, KEPT_FILES = 1 << 20, 8
"""Bytes of the largest file that is cached, and the number of files that are cached or open at a
time: a command may name thousands."""

_UNFED = "is a pipe into which no program writes; name a file, or start the program before"

_SUFFIXES = (".gz", ".xz")


_USUAL = Naming()


class Source:
    """The bytes behind a path.

    Parameters
    ----------
    path
        A file name, or `-` for standard input.
    naming
        The names of its columns and the meaning of its words.

    Attributes
    ----------
    path
        Its name in messages.
    chunk
        Bytes that are read at a time.
    limits
        What a TREC run may have; None: anything.
    document
        The document that the lines are rows of, once it was read; None for any other file.
    """

    _recent: ClassVar[deque[Source]] = deque()

    def __init__(self, path: str | os.PathLike[str], naming: Naming = _USUAL) -> None:
        self._file = os.fspath(path)
        self.naming = naming.settled
        self.chunk = CHUNK
        self.limits: RunLimits | None = None
        self.document: JsonRows | None = None
        self.is_stdin = self._file == "-"
        self.path = "stdin" if self.is_stdin else self._file
        self._pipe: bytes | None = None  # the content of a pipe
        self._most = MAX_BYTES  # bytes that are read of a pipe
        self._is_unfed = False  # no program wrote into the pipe: it is not waited for twice
        self._rows: object = None  # rows in memory
        self._data: bytes | None = None  # the content of a small file
        self._first: bytes | None = None  # the first chunk, once read
        self._begun: tuple[bytes, Iterator[bytes]] | None = None  # the first chunk, and the others
        self._compression: str | None = None
        self._wants_hash = False
        self._sha256: str | None = None

    @classmethod
    def holding(cls, path: str, data: bytes, naming: Naming = _USUAL) -> Source:
        """Return a source of uncompressed bytes in memory, named `path` in messages."""
        source = cls(path, naming)
        source._data = data
        source._compression = ""
        return source

    @classmethod
    def packed(cls, path: str, data: bytes, naming: Naming = _USUAL) -> Source:
        """Return a source of bytes in memory, which may be compressed."""
        source = cls(path, naming)
        source._pipe = data
        return source

    @classmethod
    def of_rows(cls, path: str, rows: object, naming: Naming = _USUAL) -> Source:
        """Return a source of rows in memory as JSON Lines, for what `frames.parts_of` takes."""
        source = cls(path, naming)
        source._rows = rows
        source._compression = ""
        return source

    @property
    def name(self) -> str:
        """The file name without its folder, a compression suffix and one more suffix."""
        name = composed(os.path.basename(self.path))
        for suffix in _SUFFIXES:
            name = name.removesuffix(suffix)
        # 2.0 in team_2.0 is no suffix, txt is
        stem, suffix = os.path.splitext(name)
        return name if suffix[1:].isdigit() else stem

    @property
    def size(self) -> int:
        """The bytes of the file as it is stored; 0 if they are not known before reading."""
        known = self._data if self._data is not None else self._pipe
        if known is not None:
            return len(known)
        with suppress(OSError, ValueError):
            status = os.stat(self._file)
            return status.st_size if stat.S_ISREG(status.st_mode) and not self.is_stdin else 0
        return 0

    def chunks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes; raises `InputError` if they cannot be read."""
        if self._data is not None:
            data = self._data
            yield from (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))
            return
        if self._begun is None:
            rest = self._read()
            self._begun = next(rest, b""), rest
        self._first, rest = first, _ = self._begun
        self._begun = None
        self._remember()
        try:
            if first:
                yield first
        except GeneratorExit:  # the caller only needs the start
            self._begun = first, rest
            raise
        yield from self._kept(first, rest)

    @property
    def has_rows(self) -> bool:
        """Whether it is rows in memory: a frame, columns or dictionaries."""
        return self._rows is not None

    def whole(self, limit: int) -> bytes | None:
        """Return all bytes; None if there are more than `limit`: no more of a pipe is read."""
        data, self._most = bytearray(), min(limit + CHUNK, MAX_BYTES)
        for chunk in self.chunks():
            data += chunk
            if len(data) > limit:
                return None
        return bytes(data)

    def head(self) -> bytes:
        """Return the first bytes, at most `CHUNK`; raises `InputError` as `chunks` does."""
        if self._first is None:
            return next(self.chunks(), b"")
        return self._first

    def _kept(self, first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the chunks after the first; cache a small file, and compute the hash."""
        digest = _sha256() if self._wants_hash else None
        if digest is not None:
            digest.update(first)
        parts, size = [first], len(first)
        for chunk in rest:
            size += len(chunk)
            if size <= KEPT_BYTES:
                parts.append(chunk)
            if digest is not None:
                digest.update(chunk)
            yield chunk
        if size <= KEPT_BYTES:
            self._data = b"".join(parts)
            self._remember()
        if digest is not None:
            self._sha256 = digest.hexdigest()

    def _remember(self) -> None:
        """Add the source to the cache and drop the oldest entries."""
        recent = Source._recent
        if self not in recent:
            recent.append(self)
        while len(recent) > KEPT_FILES:
            forgotten = recent.popleft()
            forgotten._first = forgotten._data = forgotten._begun = None

    @property
    def compression(self) -> str:
        """The compression: `gzip`, `xz`, `parquet` or "" for none."""
        if self._compression is None:
            with self._open() as stream:
                self._compression = compression_of(stream.read(COMPRESSION_BYTES))
        return self._compression

    def expect_hash(self) -> None:
        """Compute the hash while reading, because `sha256` will be called."""
        self._wants_hash = True

    def sha256(self) -> str:
        """Return the hexadecimal hash of the decompressed bytes."""
        if self._sha256 is None:
            digest = _sha256()
            for chunk in self.chunks():
                digest.update(chunk)
            self._sha256 = digest.hexdigest()
        return self._sha256

    def _read(self) -> Iterator[bytes]:
        if self._rows is not None:
            from ave_score.files.frames import json_chunks, parts_of

            try:
                yield from json_chunks(parts_of(self._rows))
            except TypeError as error:
                raise UsageError(f"{self.path}: {error}") from None
            return
        try:
            with self._open() as stream:
                yield from self._as_lines(self._decompressed(stream))
        except OSError as error:
            raise InputError(self.path, error_text(error)) from error

    def _as_lines(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the rows of a JSON document as JSON Lines, and other bytes as they are."""
        first = next(chunks, b"")
        if first.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
            from ave_score.files.json_rows import JsonRows, rows_of  # most files are not JSON

            of_document = rows_of(first, {*self.naming.names.values()})
            if of_document is not None:
                self.document = JsonRows(b"".join([first, *chunks]), of_document)
                yield from self.document.chunks()
                return
        yield first
        yield from chunks

    def _open(self) -> BinaryIO:
        """Open the raw bytes, those of a pipe from memory."""
        if self._pipe is not None:
            return io.BytesIO(self._pipe)
        if self.is_stdin:
            if sys.stdin is None:
                raise InputError(self.path, "standard input is closed")
            return self._keep_pipe(sys.stdin.buffer)
        if "\0" in self._file:
            raise InputError(self.path, "is not a file name")
        mode = os.stat(self._file).st_mode
        if stat.S_ISDIR(mode):
            raise InputError(self.path, "is a directory; name the files in it")
        if stat.S_ISREG(mode):
            return open(self._file, "rb")
        if stat.S_ISFIFO(mode):
            return self._keep_named_pipe()
        raise InputError(self.path, "is a device or a socket, not a file")

    def _keep_named_pipe(self) -> BinaryIO:
        """Keep a pipe; raises `InputError` if nobody has it open to write, or writes nothing."""
        with open(os.open(self._file, os.O_RDONLY | os.O_NONBLOCK), "rb", 0) as pipe:
            first = None if self._is_unfed else first_of(pipe)
            if first is None:
                self._is_unfed = True
                raise InputError(self.path, _UNFED)
            os.set_blocking(pipe.fileno(), True)
            with io.BufferedReader(pipe) as rest:
                return self._keep_pipe(rest, first)

    def _keep_pipe(self, pipe: BinaryIO, first: bytes = b"") -> BinaryIO:
        self._pipe = first + pipe.read(self._most + 1)
        if len(self._pipe) > MAX_BYTES:
            raise InputError(self.path, f"holds more than {MAX_BYTES >> 30} GiB")
        return io.BytesIO(self._pipe)

    def _decompressed(self, stream: BinaryIO) -> Iterator[bytes]:
        self._compression = compression_of(stream.read(COMPRESSION_BYTES))
        stream.seek(0)
        if not self._compression:
            yield from iter(lambda: stream.read(self.chunk), b"")
            return
        if self._compression == "parquet":
            from ave_score.files.parquet import parquet_chunks

            size = stream.seek(0, os.SEEK_END)
            yield from self._limited(parquet_chunks(stream, self.path), lambda: size)
            return
        import gzip
        import lzma
        import zlib

        opened = gzip.open(stream) if self._compression == "gzip" else lzma.open(stream)
        try:
            with opened as unpacked:
                yield from self._limited(iter(lambda: unpacked.read(CHUNK), b""), stream.tell)
        except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
            raise InputError(self.path, f"cannot be decompressed: {error}") from error

    def _limited(self, chunks: Iterator[bytes], packed: Callable[[], int]) -> Iterator[bytes]:
        """Yield unpacked chunks; raise `InputError` if they are far larger than what is packed."""
        total = 0
        for chunk in chunks:
            total += len(chunk)
            check_unpacked(self.path, total, packed() if total > MAX_BEYOND else 0)
            yield chunk


def _sha256() -> hashlib._Hash:
    """Return an empty hash; hashlib takes long to import, and `check` needs none."""
    import hashlib

    return hashlib.sha256()
