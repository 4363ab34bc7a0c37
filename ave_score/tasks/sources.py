"""What a value is read from: a file by its path, an open file, or rows in memory."""

from __future__ import annotations

import os

from ave_score.core.errors import InputError, wrong_type
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
