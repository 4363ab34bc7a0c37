"""What readers may be given: paths, open files and frames; what data is given back as."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from io import BufferedIOBase

    from narwhals.typing import IntoFrame

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]
"""A library of frames."""

Path: TypeAlias = str | os.PathLike[str]
"""The path of a file; `-` is standard input."""

FileGiven: TypeAlias = (
    "Path | IO[str] | IO[bytes] | BufferedIOBase | IntoFrame | Mapping[str, Sequence[object]] "
    "| Sequence[Mapping[str, object]]"
)
"""A path, an open file, or rows: a frame of any library that narwhals knows, a dictionary column ->
values, or a list of dictionaries column -> value."""
