"""The files that `check` and `fix` are given: a folder stands for the files in it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

_OWN = re.compile(r".*\.fixed\.(?:txt|csv|tsv|jsonl)|.*\.bak\d*")
"""Files that `ave-score fix` writes."""


def files_of(paths: Sequence[str], *, without: Sequence[str | None] = ()) -> list[str]:
    """Return the paths, with each folder replaced by the files directly in it, sorted by name.

    Hidden files, the files that `ave-score fix` writes, and those in `without` are skipped. A
    folder without other files stays as it is: reading it is an error.
    """
    others = {os.path.realpath(path) for path in without if path not in (None, "-")}
    files = []
    for path in paths:
        files += _files_in(path, others) if os.path.isdir(path) else [path]
    return files


def _files_in(folder: str, others: set[str]) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return [folder]
    paths = [
        os.path.join(folder, name)
        for name in names
        if not name.startswith(".") and not _OWN.fullmatch(name)
    ]
    return [path for path in paths if os.path.realpath(path) not in others] or [folder]
