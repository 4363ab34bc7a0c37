"""Columns of tables that are too wide: heads wrap, and columns continue below."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ave_score.reports.style import cells_of

_HEAD_WIDTH = 9


def head_lines(head: str, cells: Sequence[str]) -> list[str]:
    """Return the head of figures in lines as wide as these; words are not divided."""
    most = max(_HEAD_WIDTH, *map(cells_of, cells))
    return wrap(head, most, break_long_words=False)


def parts_of(widths: Sequence[int], keys: int, available: int) -> list[list[int]]:
    """Return the columns of each part of a table: as few parts as possible, of even widths.

    Parameters
    ----------
    widths
        The width of each column, with its gap.
    keys
        The number of leading columns that every part begins with.
    """
    parts = _filled(widths, keys, available)
    for width in range(available - 1, 0, -1):
        even = _filled(widths, keys, width)
        if len(even) > len(parts):
            break
        parts = even
    return parts


def _filled(widths: Sequence[int], keys: int, available: int) -> list[list[int]]:
    """Return parts that have the key columns and as many others as fit."""
    parts = [list(range(keys))]
    for column in range(keys, len(widths)):
        if len(parts[-1]) > keys and sum(widths[at] for at in [*parts[-1], column]) > available:
            parts.append(list(range(keys)))
        parts[-1].append(column)
    return parts
