"""The fields of a line and the columns in which they stand."""

from __future__ import annotations

import re
from itertools import islice

FIELD = re.compile(r"[^ \t]+")
"""One field of a line whose fields are separated by blanks or tabs."""


def separator_hint(line: str, fields: int) -> str:
    """Return the end of a message about a line that is one field, but of a table with commas."""
    commas, semicolons = line.count(","), line.count(";")
    if fields > 1 or max(commas, semicolons) < 2:
        return ""
    return (
        f"; its fields seem to be separated by {'commas' if commas > semicolons else 'semicolons'}"
    )


def field_columns(line: str, number: int) -> range:
    """Return the columns of a field, the first being 0; the end of the line where it is wanting."""
    field = next(islice(FIELD.finditer(line), number, None), None)
    return range(field.start() + 1, field.end() + 1) if field else _end_of(line.rstrip(" \t"))


def cell_columns(line: str, number: int) -> range:
    """Return the columns of a field in a line whose fields are separated by tabs."""
    cells = line.split("\t")
    if number >= len(cells):
        return _end_of(line.rstrip(" "))
    start = sum(len(cell) + 1 for cell in cells[:number]) + 1
    return range(start, start + max(1, len(cells[number])))


def _end_of(line: str) -> range:
    return range(len(line) + 1, len(line) + 2)
