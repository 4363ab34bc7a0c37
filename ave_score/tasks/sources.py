"""What a value is read from: a file by its path, an open file, or rows in memory."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import cast

from ave_score.core.errors import InputError, UsageError, wrong_type
from ave_score.core.text import brief
from ave_score.files.naming import Naming
from ave_score.files.source import Source
from ave_score.tasks.named import is_rows


def source_of(value: object, naming: Naming, name: str, wanted: str) -> Source:
    """Return the source of a file or of rows in memory, as `Inputs.source`."""
    if isinstance(value, Source):
        return value
    if isinstance(value, str | os.PathLike):
        if not os.fspath(value):
            raise InputError(name, "empty file name")
        return Source(value, naming)
    if hasattr(value, "read"):
        known = getattr(value, "name", None)
        own_name = known if isinstance(known, str) else name
        try:
            data = value.read()
        except (OSError, ValueError, EOFError) as error:  # not open, not for reading, damaged
            raise InputError(own_name, f"cannot be read: {error}") from error
        data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        return Source.packed(own_name, data, naming)
    if is_rows(value):
        return Source.of_rows(name, value, naming)
    raise wrong_type(f"{wanted}a path, an open file, a frame or dictionaries", value)


def names_in(table: Mapping[str, object], option: str) -> Mapping[str, str]:
    """Return a table in memory; raises `UsageError` if anything in it is no text."""
    odd = [one for pair in table.items() for one in pair if not isinstance(one, str)]
    if odd:
        raise UsageError(f"--{option}: expected name -> name, found {odd[0]!r}")
    return cast("Mapping[str, str]", table)


def as_table(source: Source, heads: Sequence[Sequence[str]], third: str = "") -> Source:
    """Return the source of a table of two columns, of which rows in memory become the lines.

    Parameters
    ----------
    heads
        The names that the two columns may have; rows may have other columns, too.
    third
        The name of a third column that they may have.

    Raises
    ------
    UsageError
        Rows have no such columns, or a text in them is no field of a line.
    """
    if not source.has_rows:
        return source
    called, lines, has_third = source.naming.names, list[str](), False
    for line in b"".join(source.chunks()).decode("utf-8", "surrogatepass").split("\n")[:-1]:
        row = json.loads(line)
        named = {name: called.get(name, name) for name in [*chain(*heads), third]}
        head = next((head for head in heads if {named[name] for name in head} <= row.keys()), None)
        if head is None:
            wanted = " or ".join(" and ".join(map(repr, head)) for head in heads)
            raise UsageError(f"{source.path}: expected columns {wanted}, found {brief([*row])}")
        has_third = has_third or bool(third and not lines and named[third] in row)
        head = [*head, *[third] * has_third]
        texts = ["" if (cell := row.get(named[name])) is None else str(cell) for name in head]
        if odd := [text for text in texts if len(text.split("\t")) + len(text.splitlines()) > 2]:
            raise UsageError(f"{source.path}: {odd[0]!r} has a tab or a line break")
        if third in head and not lines:  # otherwise line n is row n
            lines.append("\t".join(head))
        lines.append("\t".join(texts))
    return Source.packed(source.path, "\n".join(lines).encode("utf-8", "surrogatepass"))
