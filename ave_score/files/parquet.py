"""Parquet, read as JSON Lines: line n is row n.

A few bytes of Parquet may stand for gigabytes: what its pages unpack to is known from their headers
before any is read, and rows that share a text are converted in parts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from ave_score.core.errors import InputError
from ave_score.files.frames import ROWS, Columns, json_chunks
from ave_score.files.limits import check_unpacked

_LEAST = 8
"""Bytes that a value takes at least once it is read, also a missing one."""

_PART = 1 << 24
"""Bytes of the values that are converted at a time."""

_HEADERS = (1 << 8, 1 << 14, 1 << 24)
"""Bytes in which the header of a page is looked for; pyarrow accepts none beyond the last."""

_DEPTH = 12
"""Levels of the deepest header or footer; those of Parquet have eight."""

# the types of Thrift's compact protocol
_EMPTY, _BYTE, _NUMBERS, _DOUBLE, _BINARY, _LISTS, _STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12
_SHORT, _LONG = _NUMBERS[1:]

_END = 8
"""Bytes after the footer: its size, and a mark."""

_UNKNOWN = "a page or the footer has what no version of Parquet has"

_DELTAS = {5, 6, 7}
"""The numbers of encodings as differences."""


Inside: TypeAlias = "Mapping[int, tuple[int, Inside]]"
"""Fields that are read of a structure besides numbers: their types, and what is read inside."""

_LIST, _NO_FIELD = _LISTS[0], dict[int, tuple[int, Any]]()
_ENCRYPTED = 8
_COLUMN: Inside = {3: (_STRUCT, {2: (_LIST, _NO_FIELD)}), _ENCRYPTED: (_STRUCT, _NO_FIELD)}
_FOOTER: Inside = {4: (_LIST, {1: (_LIST, _COLUMN)})}
"""Row groups, columns of each, what is said of each, its encodings."""


class _Chunk(NamedTuple):
    """A column of a row group: what the footer says of it, by the numbers of fields."""

    encodings: list[int]
    num_values: int
    size: int
    start: int


def parquet_chunks(stream: BinaryIO, path: str) -> Iterator[bytes]:
    """Yield the rows of a Parquet file as JSON Lines; raises `InputError` if that fails."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        reason = "is Parquet, which needs pyarrow: pip install pyarrow"
        raise InputError(path, reason) from None
    try:
        file = parquet.ParquetFile(stream)
        groups = [*_row_groups(stream)]
        shared = _shared(file, groups)
        largest = _checked_size(stream, path, file, groups, shared)
        rows = max(1, min(ROWS, _PART // max(1, largest)))
        file = parquet.ParquetFile(stream, read_dictionary=shared)
        batches = file.iter_batches(batch_size=rows)
        yield from json_chunks(_columns(part) for batch in batches for part in _parts(batch, path))
    except (ArrowException, OSError, ValueError, TypeError) as error:
        raise InputError(path, f"cannot be read as Parquet: {error}") from error


def _row_groups(stream: BinaryIO) -> Iterator[tuple[int, list[_Chunk]]]:
    """Yield the rows and the columns of each row group, as the footer has them.

    pyarrow would end the process if what it says of a column is damaged, or encrypted.
    """
    end = stream.seek(-_END, os.SEEK_END)
    size = int.from_bytes(stream.read(_END // 2), "little")
    stream.seek(max(0, end - size))
    footer = _Thrift(stream.read(size), _LONG)
    try:
        fields = footer.struct(_FOOTER)
    except IndexError:
        raise ValueError("the footer has no end") from None
    for group in fields.get(4, []):
        chunks = group.get(1, [])
        if any(_ENCRYPTED in chunk for chunk in chunks):
            raise ValueError("a column is encrypted")
        said = [chunk.get(3, {}) for chunk in chunks]
        if not all(value.keys() >= {2, 5, 7, 9} for value in said):
            raise ValueError("the footer is damaged")
        starts = [min(value[9], value.get(11) or value[9]) for value in said]
        yield (
            group.get(3, 0),
            [
                _Chunk(value[2], value[5], value[7], at)
                for value, at in zip(said, starts, strict=True)
            ],
        )


def _checked_size(
    stream: BinaryIO,
    path: str,
    file: Any,  # noqa: ANN401 - of pyarrow
    groups: Sequence[tuple[int, list[_Chunk]]],
    shared: list[str],
) -> int:
    """Raise `InputError` if all pages together, or all values, are far larger than the file.

    Return the bytes of the largest page of texts whose columns are not `shared`: each row may have
    a text of this size, of which the file has one.
    """
    packed, total, largest = stream.seek(0, os.SEEK_END), 0, 0
    columns = [*map(file.schema.column, range(len(file.schema)))]
    for rows, chunks in groups:
        total += _LEAST * max(rows, 0)
        for chunk, column in zip(chunks, columns, strict=True):
            total += max(_LEAST, column.length) * max(chunk.num_values, 0)
            is_text = column.physical_type == "BYTE_ARRAY" and column.path not in shared
            for size in _page_sizes(stream, chunk.start, chunk.start + chunk.size):
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
            header = _Thrift(stream.read(size), _SHORT)
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


class _Thrift:
    """A value of Thrift's compact protocol; raises `IndexError` where it is cut off.

    pyarrow skips a number of another type than `number`, and takes the last of several.
    """

    def __init__(self, data: bytes, number: int) -> None:
        self._data, self._number = data, number
        self.at = 0

    def struct(self, inside: Inside = _NO_FIELD, depth: int = 0) -> dict[int, Any]:
        """Skip a structure; return its whole numbers, and what is `inside`, by number of field."""
        values, field = dict[int, Any](), 0
        while byte := self._byte():
            field = field + (byte >> 4) if byte >> 4 else self._whole()
            kind = byte & 15
            if field in values or not 0 <= field < 1 << 15:
                raise ValueError("a field stands twice, or has no number")
            wanted, fields = inside.get(field, (self._number, _NO_FIELD))
            if kind == wanted:
                values[field] = self._value(kind, fields, depth)
            elif kind not in _EMPTY:  # a truth value is its type
                self._skip(kind, depth)
        return values

    def _value(self, kind: int, inside: Inside, depth: int) -> Any:  # noqa: ANN401
        """Return a number, a structure, or a list of either."""
        if kind == _STRUCT:
            return self.struct(inside, depth + 1)
        if kind in _NUMBERS:
            return self._whole()
        size, of = self._list()
        if size and of != (_STRUCT if inside else _SHORT):
            raise ValueError(_UNKNOWN)
        return [self._value(of, inside, depth + 1) for _ in range(size)]

    def _list(self) -> tuple[int, int]:
        """Return the size of a list, and the type of its values."""
        size, of = divmod(self._byte(), 16)
        return self._unsigned() if size == 15 else size, of

    def _skip(self, kind: int, depth: int) -> None:
        if kind == _STRUCT and depth < _DEPTH:
            self.struct(depth=depth + 1)
        elif kind in _NUMBERS:
            self._unsigned()
        elif kind == _BINARY:
            self._jump(self._unsigned())
        elif kind in (*_EMPTY, _BYTE, _DOUBLE):
            self._jump(8 if kind == _DOUBLE else 1)
        elif kind in _LISTS and depth < _DEPTH:
            size, of = self._list()
            for _ in range(size):
                self._skip(of, depth + 1)
        else:
            raise ValueError(_UNKNOWN)

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


def _shared(
    file: Any,  # noqa: ANN401 - of pyarrow
    groups: Sequence[tuple[int, list[_Chunk]]],
) -> list[str]:
    """Return the columns whose rows may share a text, and are read as numbers of it.

    pyarrow cannot do that within lists and structures, nor where texts are encoded as differences,
    in which none is shared as a whole.
    """
    others = {
        at
        for _, chunks in groups
        for at, chunk in enumerate(chunks)
        if not _DELTAS.isdisjoint(chunk.encodings)
    }
    columns = enumerate(map(file.schema.column, range(len(file.schema))))
    return [
        column.path
        for at, column in columns
        if column.physical_type == "BYTE_ARRAY"
        and column.logical_type.type != "DECIMAL"
        and column.path in file.schema_arrow.names
        and at not in others
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
