"""Rows in memory, read as JSON Lines: line n is row n.

Frames are those of pandas and, with narwhals, of every library that narwhals knows. Nothing but the
current rows is held as Python objects.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from itertools import chain, islice
from json.encoder import encode_basestring
from math import isnan
from types import ModuleType
from typing import Any, TypeAlias

from ave_score.core.errors import UsageError
from ave_score.core.text import OF_TYPE
from ave_score.files.limits import CHUNK

Columns: TypeAlias = Mapping[str, list[Any]]
Part: TypeAlias = Columns | Sequence[Any]
"""Consecutive rows: columns, or dictionaries column -> value."""

_Values: TypeAlias = dict[str, tuple[bool, Callable[[int, int], list[object]]]]
"""Column of a frame -> whether it is of floats, and a function that returns a slice of it."""

ROWS = 1 << 12
"""Rows that are read at a time."""


def library_of(value: object) -> str:
    """Return the name of the library that a value is from."""
    return type(value).__module__.partition(".")[0].strip("_")


def narwhals_for(needs: str) -> ModuleType:
    """Return narwhals; raises `UsageError` with what needs it, if it is not installed."""
    try:
        import narwhals
    except ImportError:
        raise UsageError(f"{needs} need narwhals: pip install narwhals") from None
    return narwhals


def is_frame(value: object) -> bool:
    """Tell whether a value is a frame of pandas or of a library that narwhals knows.

    Raises
    ------
    UsageError
        It seems to be a frame of another library than pandas, and narwhals is not installed.
    """
    if _is_pandas(value):
        return True
    try:
        narwhals = narwhals_for(f"frames of {library_of(value)}")
    except UsageError:
        if hasattr(type(value), "columns"):
            raise
        return False
    try:
        return hasattr(narwhals.from_native(value, pass_through=True), "collect_schema")
    except narwhals.exceptions.NarwhalsError:  # a frame, which reading it says is unusable
        return True


def _is_pandas(value: object) -> bool:
    return "pandas" in sys.modules and isinstance(value, sys.modules["pandas"].DataFrame)


def parts_of(rows: object) -> Iterator[Part]:
    """Return a frame, a dictionary column -> values, or a sequence of dictionaries in parts.

    Raises `UsageError` if its columns have different lengths, or the same name.
    """
    if isinstance(rows, Sequence):
        rest = iter(rows)
        return iter(lambda: [*islice(rest, ROWS)], [])
    return _parts_of_columns(rows) if isinstance(rows, Mapping) else _parts_of_frame(rows)


def _parts_of_columns(columns: Mapping[str, Iterable[object]]) -> Iterator[Columns]:
    if not all(isinstance(column, Iterable) for column in columns.values()):
        raise UsageError("expected a list of values for each column")
    rows = [iter(column) for column in columns.values()]
    while True:
        parts = [[*islice(column, ROWS)] for column in rows]
        if not any(parts):
            return
        if len({*map(len, parts)}) > 1:
            raise UsageError("the columns have different lengths")
        yield dict(zip(columns, parts, strict=True))


def _parts_of_frame(frame: object) -> Iterator[Columns]:
    try:
        rows, columns = _of_pandas(frame) if _is_pandas(frame) else _of_narwhals(frame)
    except Exception as error:  # each library has its own
        raise UsageError(f"the frame cannot be read: {error}") from error
    starts = range(0, rows, ROWS)

    def is_empty(name: str) -> bool:
        every = chain.from_iterable(columns[name][1](start, start + ROWS) for start in starts)
        return all(map(_is_nan, every))

    # a missing text is NaN in pandas, but a NaN among numbers may be a defect of the run
    texts = {name for name, (is_float, _) in columns.items() if not is_float or is_empty(name)}
    for start in starts:
        part = {name: [*values(start, start + ROWS)] for name, (_, values) in columns.items()}
        for name in texts:
            if float in map(type, part[name]):
                part[name] = [None if _is_nan(value) else value for value in part[name]]
        yield part


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and isnan(value)


def _of_pandas(frame: Any) -> tuple[int, _Values]:  # noqa: ANN401 - of pandas
    if not frame.columns.is_unique:
        raise ValueError("several columns have the same name")
    columns = frame.items()
    return len(frame), {
        str(name): (column.dtype.kind == "f", _slices(column.iloc)) for name, column in columns
    }


def _of_narwhals(frame: object) -> tuple[int, _Values]:
    narwhals = narwhals_for(f"frames of {library_of(frame)}")
    lazy: Any = narwhals.from_native(frame)
    rows = lazy.collect() if isinstance(lazy, narwhals.LazyFrame) else lazy
    columns = rows.iter_columns()
    return len(rows), {
        str(column.name): (column.dtype.is_float(), _slices(column)) for column in columns
    }


def _slices(column: Any) -> Callable[[int, int], list[object]]:  # noqa: ANN401 - of any library
    return lambda start, end: column[start:end].to_list()


def _lines_of(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the objects of JSON that rows are."""
    for part in parts:
        if not isinstance(part, Mapping):
            yield from map(_encode_row, part)
            continue
        keys = (_encode({name: 0})[1:-2].replace("%", "%%") for name in part)
        line = "{" + ", ".join(f"{key}%s" for key in keys) + "}"
        yield from map(
            line.__mod__, zip(*(map(_cell, value) for value in part.values()), strict=True)
        )


def _cell(value: object) -> str:
    return encode_basestring(value) if type(value) is str else _encode(value)


def json_chunks(parts: Iterable[Part]) -> Iterator[bytes]:
    """Yield rows as JSON Lines; raises `TypeError` for rows that JSON cannot hold.

    Of other values that it cannot hold, only the type is written: a reader reports those of columns
    that it needs.
    """
    held: list[str] = []
    size = 0
    for line in _lines_of(parts):
        held.append(line)
        size += len(line) + 1
        if size >= CHUNK:
            yield _encoded(held)
            held, size = [], 0
    if held:
        yield _encoded(held)


def _encoded(lines: list[str]) -> bytes:
    # a lone surrogate makes its line invalid UTF-8, which is a finding
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> object:  # noqa: ANN401 - whatever a frame holds
    """Return the value of JSON for another value; None for a missing one."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "tolist"):  # of numpy, also an array
        return value.tolist()
    if isinstance(value, Decimal | date | time):
        return str(value)
    return {f"{OF_TYPE}{type(value).__name__}": None}


def _no_row(row: object) -> object:
    raise TypeError(f"found a row of type {type(row).__name__}, expected a dictionary")


def _encode_row(row: object) -> str:
    return _encode(row) if isinstance(row, dict) else _encode_other(row)


_encode_other = json.JSONEncoder(ensure_ascii=False, default=_no_row).encode
_encode = json.JSONEncoder(ensure_ascii=False, default=_plain).encode


def is_lazy(value: object) -> bool:
    """Tell whether a value is a lazy frame, whose rows are elsewhere: of DuckDB, Spark, Polars."""
    library = library_of(value)
    if library not in ("polars", "duckdb", "pyspark", "dask", "narwhals"):
        return False
    narwhals = narwhals_for(f"frames of {library}")
    return isinstance(narwhals.from_native(value, pass_through=True), narwhals.LazyFrame)
