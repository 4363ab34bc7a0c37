"""Work on large columns with numpy, which is imported only where that pays.

Every result is the same without numpy.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import compress, repeat
from typing import Any

REPAYS = 100_000
"""Rows, read from all files together, that repay the import of numpy: about 0.1 seconds."""

_COUNTED = 20
"""So many rows that are counted repay as much as one that is read."""

_LEAST = 2_000
"""Rows for which a call of numpy is faster than Python."""


class _Seen:
    """What was asked for so far."""

    rows = 0


def numpy_for(rows: int, *, reading: bool = False) -> Any:  # noqa: ANN401 - the module
    """Return numpy if it pays for so many more rows, to read or to count, else None.

    It is imported once the rows of all calls would have repaid the import.
    """
    if rows < _LEAST:
        return None
    _Seen.rows += rows if reading else rows // _COUNTED
    if _Seen.rows < REPAYS and "numpy" not in sys.modules:
        return None
    import numpy as np

    return np


def loaded_numpy() -> Any:  # noqa: ANN401 - the module
    """Return numpy, for columns that are its arrays already."""
    import numpy as np

    return np


def counts_of(codes: bytes, wanted: Iterable[int]) -> list[int]:
    """Return how often each of the wanted codes occurs in a column."""
    np = numpy_for(len(codes))
    if np is None:
        return [*map(codes.count, wanted)]
    found = np.bincount(np.frombuffer(codes, np.uint8), minlength=256)
    return [int(found[code]) for code in wanted]


def places_of(mask: bytes) -> Sequence[int]:
    """Return the positions of the bytes that are not 0."""
    np = numpy_for(len(mask))
    if np is None:
        return [*compress(range(len(mask)), mask)]
    found: list[int] = np.frombuffer(mask, np.uint8).nonzero()[0].tolist()
    return found


def kept(numbers: array[float], mask: bytes) -> array[float]:
    """Return the numbers whose bytes in the mask are not 0."""
    np = numpy_for(len(mask))
    if np is None:
        return array("d", compress(numbers, mask))
    found = array("d")
    found.frombytes(np.frombuffer(numbers)[np.frombuffer(mask, np.uint8) != 0].tobytes())
    return found


def has_equal(values: Sequence[float | None]) -> bool:
    """Tell whether any two values are equal."""
    np = numpy_for(len(values)) if isinstance(values, array) else None
    if np is None:
        return len({*values}) < len(values)
    ordered = np.sort(np.frombuffer(values))
    return bool((ordered[1:] == ordered[:-1]).any())


def counts_between(codes: bytes | bytearray, starts: array[int], code: int) -> Sequence[int]:
    """Return how often a code occurs in each part of a column.

    Parameters
    ----------
    codes
        The column.
    starts
        The part with number i is `starts[i]:starts[i + 1]`; int64, one more than parts.
    code
        The code to count.
    """
    np = numpy_for(len(codes))
    if np is None:
        return [*map(codes.count, repeat(code), starts, starts[1:])]
    before = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(np.frombuffer(codes, np.uint8) == code, out=before[1:])
    found: list[int] = np.diff(before[np.frombuffer(starts, np.int64)]).tolist()
    return found
