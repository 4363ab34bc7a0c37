"""Parquet, read as JSON Lines: line n is row n.

A few bytes of Parquet may stand for gigabytes: what its pages unpack to is known from their headers
before any is read, and rows that share a text are converted in parts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from ave_score.core.errors import InputError
from ave_score.files.frames import ROWS, Columns, json_chunks
from ave_score.files.limits import check_unpacked

_LEAST = 8
"""Bytes that a value takes at least once it is read, also a missing one."""

_PART = 1 << 24
"""Bytes of the values that are converted at a time."""

_HEADERS = (1 << 8, 1 << 14, 1 << 24)
"""Bytes in which the header of a page is looked for; pyarrow accepts none beyond the last."""

_DEPTH = 4
"""Levels of the deepest header; those of Parquet have three."""

# the types of Thrift's compact protocol
_EMPTY, _BYTE, _NUMBERS, _DOUBLE, _BINARY, _LISTS, _STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12


def parquet_chunks(stream: BinaryIO, path: str) -> Iterator[bytes]:
    """Yield the rows of a Parquet file as JSON Lines; raises `InputError` if that fails."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        reason = "is Parquet, which needs pyarrow: pip install pyarrow"
        raise InputError(path, reason) from None
    try:
        file = parquet.ParquetFile(stream)
        shared = _shared(file)
        largest = _checked_size(stream, path, file, shared)
        rows = max(1, min(ROWS, _PART // max(1, largest)))
        file = parquet.ParquetFile(stream, read_dictionary=shared)
        batches = file.iter_batches(batch_size=rows)
        yield from json_chunks(_columns(part) for batch in batches for part in _parts(batch, path))
    except (ArrowException, OSError, ValueError, TypeError) as error:
        raise InputError(path, f"cannot be read as Parquet: {error}") from error


def _checked_size(
    stream: BinaryIO,
    path: str,
    file: Any,  # noqa: ANN401 - of pyarrow
    shared: list[str],
) -> int:
    """Raise `InputError` if all pages together, or all values, are far larger than the file.

    Return the bytes of the largest page of texts whose columns are not `shared`: each row may have
    a text of this size, of which the file has one.
    """
    packed, total, metadata = stream.seek(0, os.SEEK_END), 0, file.metadata
    largest = 0
    sizes = [max(_LEAST, file.schema.column(at).length) for at in range(len(file.schema))]
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        total += _LEAST * max(group.num_rows, 0)
        for column, least in zip(map(group.column, range(group.num_columns)), sizes, strict=True):
            total += least * max(column.num_values, 0)
            starts = (column.dictionary_page_offset, column.data_page_offset)
            start = min(filter(None, starts), default=0)
            is_text = column.physical_type == "BYTE_ARRAY" and column.path_in_schema not in shared
            for size in _page_sizes(stream, start, start + column.total_compressed_size):
                total += size
                largest = max(largest, size * is_text)
                check_unpacked(path, total, packed)
        check_unpacked(path, total, packed)
    return largest


def _page_sizes(stream: BinaryIO, start: int, stop: int) -> Iterator[int]:
    """Yield what the pages of a column unpack to: the sizes in the footer may be any."""
    while start < stop:
        for size in _HEADERS:
            stream.seek(start)
            header = _Header(stream.read(size))
            try:
                numbers = header.struct()
                break
            except IndexError:  # it is longer
                continue
        else:
            raise ValueError(f"the page at byte {start:,} has no end")
        unpacked, packed = numbers.get(2, -1), numbers.get(3, -1)
        if min(unpacked, packed) < 0:
            raise ValueError(f"the page at byte {start:,} is damaged")
        yield unpacked
        start += header.at + packed


class _Header:
    """A value of Thrift's compact protocol; raises `IndexError` where it is cut off."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def struct(self, depth: int = 0) -> dict[int, int]:
        """Skip a structure; return its whole numbers by the numbers of their fields."""
        numbers, field = {}, 0
        while byte := self._byte():
            field = field + (byte >> 4) if byte >> 4 else self._whole()
            kind = byte & 15
            if kind in _NUMBERS:
                numbers[field] = self._whole()
            elif kind not in _EMPTY:  # a truth value is its type
                self._skip(kind, depth)
        return numbers

    def _skip(self, kind: int, depth: int) -> None:
        if kind == _STRUCT and depth < _DEPTH:
            self.struct(depth + 1)
        elif kind in _NUMBERS:
            self._unsigned()
        elif kind == _BINARY:
            self._jump(self._unsigned())
        elif kind in (*_EMPTY, _BYTE, _DOUBLE):
            self._jump(8 if kind == _DOUBLE else 1)
        elif kind in _LISTS and depth < _DEPTH:
            size, of = divmod(self._byte(), 16)
            for _ in range(self._unsigned() if size == 15 else size):
                self._skip(of, depth + 1)
        else:
            raise ValueError("a page has a header that no version of Parquet has")

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _jump(self, size: int) -> None:
        self.at += size
        if self.at > len(self._data):
            raise IndexError

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128 and shift < 64:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _whole(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)


def _shared(file: Any) -> list[str]:  # noqa: ANN401 - of pyarrow
    """Return the columns whose rows may share a text, and are read as numbers of it.

    pyarrow cannot do that within lists and structures.
    """
    groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
    chunks = [group.column(at) for group in groups for at in range(group.num_columns)]
    # nor where texts are encoded as differences, in which none is shared as a whole
    others = {chunk.path_in_schema for chunk in chunks if "DELTA" in " ".join(chunk.encodings)}
    return [
        column.path
        for column in map(file.schema.column, range(len(file.schema)))
        if column.physical_type == "BYTE_ARRAY"
        and column.logical_type.type != "DECIMAL"
        and column.path in file.schema_arrow.names
        and column.path not in others
    ]


def _parts(batch: Any, path: str) -> Iterator[Any]:  # noqa: ANN401 - of pyarrow
    """Divide rows until the texts of each part, none of them shared, fit into memory."""
    weight = sum(map(_weight, batch.columns))
    if weight <= _PART:
        yield batch
    elif batch.num_rows > 1:
        half = batch.num_rows // 2
        yield from _parts(batch.slice(0, half), path)
        yield from _parts(batch.slice(half), path)
    else:
        check_unpacked(path, weight, 0)
        yield batch


def _weight(array: Any) -> int:  # noqa: ANN401 - of pyarrow
    """Return the bytes of the values of a column if each had its own text."""
    from pyarrow import compute, types

    if types.is_dictionary(array.type) and not types.is_primitive(array.type.value_type):
        sizes = compute.binary_length(array.dictionary).take(array.indices)
        return compute.sum(sizes).as_py() or 0
    return int(array.nbytes)


def _columns(batch: Any) -> Columns:  # noqa: ANN401 - of pyarrow
    from pyarrow import types

    columns = [
        column.dictionary_decode() if types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    values = (column.to_pylist() for column in columns)
    return dict(zip(batch.schema.names, values, strict=True))
