"""Frames in memory, and Parquet: read as JSON Lines, so that line n is row n.

Frames are those of every library that narwhals knows. Nothing but the current rows is held as
Python objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from math import isnan
from typing import Any, BinaryIO, TypeAlias

from ave_score.errors import InputError, UsageError
from ave_score.files.source import CHUNK, Naming, Source

Rows: TypeAlias = Iterable[Mapping[str, object]]

_ROWS = 1 << 12
"""Rows of Parquet that are read at a time."""


def is_frame(value: object) -> bool:
    """Tell whether a value is a frame of a library that narwhals knows."""
    import narwhals

    try:
        return hasattr(narwhals.from_native(value, pass_through=True), "collect_schema")
    except narwhals.exceptions.NarwhalsError:  # a frame, which reading it says is unusable
        return True


class FrameSource(Source):
    """The rows of a frame or of dictionaries, as JSON Lines.

    Parameters
    ----------
    name
        Its name in messages.
    rows
        A frame, a dictionary column -> values, or a sequence of dictionaries column -> value.
    naming
        The names of its columns and the meaning of its words.

    Raises
    ------
    UsageError
        The columns of a frame or a dictionary have different lengths, or the same name.
    """

    def __init__(self, name: str, rows: object, naming: Naming | None = None) -> None:
        super().__init__(name, naming or Naming())
        self._compression = ""
        self._rows = rows

    def _read(self) -> Iterator[bytes]:
        if isinstance(self._rows, Sequence):
            rows: Rows = self._rows
        elif isinstance(self._rows, Mapping):
            rows = _rows_of_columns(self._rows)
        else:
            rows = _rows_of_frame(self._rows)
        try:
            yield from json_chunks(rows)
        except TypeError as error:
            raise UsageError(f"{self.path}: {error}") from None


def _rows_of_columns(columns: Mapping[str, Iterable[object]]) -> Rows:
    if not all(isinstance(column, Iterable) for column in columns.values()):
        raise UsageError("expected a list of values for each column")
    try:
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))
    except ValueError:
        raise UsageError("the columns have different lengths") from None


def _rows_of_frame(frame: object) -> Rows:
    import narwhals

    try:
        rows: Any = narwhals.from_native(frame)
        eager = rows.collect() if isinstance(rows, narwhals.LazyFrame) else rows
        names = [*map(str, eager.columns)]
        # a missing text is NaN in pandas, but a NaN among numbers may be a defect of the run
        is_float = [dtype.is_float() for dtype in eager.schema.values()]
    except Exception as error:  # each library has its own
        raise UsageError(f"the frame cannot be read: {error}") from error
    for row in eager.iter_rows(named=False, buffer_size=_ROWS):
        values = (
            None if not floats and isinstance(value, float) and isnan(value) else value
            for value, floats in zip(row, is_float, strict=True)
        )
        yield dict(zip(names, values, strict=True))


def parquet_chunks(stream: BinaryIO, path: str) -> Iterator[bytes]:
    """Yield the rows of a Parquet file as JSON Lines; raises `InputError` if that fails."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        reason = "is Parquet, which needs pyarrow: pip install 'ave-score[tables]'"
        raise InputError(path, reason) from None
    try:
        batches = parquet.ParquetFile(stream).iter_batches(batch_size=_ROWS)
        yield from json_chunks(row for batch in batches for row in batch.to_pylist())
    except (ArrowException, OSError, ValueError, TypeError) as error:
        raise InputError(path, f"cannot be read as Parquet: {error}") from error


def json_chunks(rows: Rows) -> Iterator[bytes]:
    """Yield rows as JSON Lines in chunks; raises `TypeError` for values that JSON cannot hold."""
    encode = json.JSONEncoder(ensure_ascii=False, default=_plain).encode
    lines: list[str] = []
    size = 0
    for row in rows:
        lines.append(encode(row))
        size += len(lines[-1]) + 1
        if size >= CHUNK:
            yield _encoded(lines)
            lines, size = [], 0
    if lines:
        yield _encoded(lines)


def _encoded(lines: list[str]) -> bytes:
    # a lone surrogate makes its line invalid UTF-8, which is a finding
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> object:  # noqa: ANN401 - whatever a frame holds
    """Return the value of JSON for another value; None for a missing one."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "item"):  # of numpy
        return value.item()
    if isinstance(value, Decimal | date | time):
        return str(value)
    raise TypeError(f"found a value of type {type(value).__name__}, expected texts or numbers")
