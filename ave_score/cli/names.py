"""What runs are called: by their files, as shortly as tells them apart."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ave_score.errors import UsageError
from ave_score.formats.source import Source


def run_names(sources: Sequence[Source], what: str = "run") -> list[str]:
    """Return a name for each run, or what else the files are: its file name without suffixes.

    Files of one name in several folders are told apart by as many folders as it takes: `team1/run`.
    Raises `UsageError` where the same file is given twice.
    """
    times = Counter(map(_whole, sources))
    repeated = [path for path in times if times[path] > 1]
    if repeated:
        raise UsageError(f"the {what} {', '.join(repeated)} is given twice")
    names = [source.name for source in sources]
    for level in range(1, 2 + max((len(_folders(source)) for source in sources), default=0)):
        taken = Counter(names)
        if len(taken) == len(names):
            break
        names = [
            _longer(source, level) if taken[name] > 1 else name
            for source, name in zip(sources, names, strict=True)
        ]
    return names


def _whole(source: Source) -> str:
    return source.path if source.is_stdin else os.path.abspath(source.path)  # noqa: PTH100 - a/../b is b


def _folders(source: Source) -> tuple[str, ...]:
    return Path(_whole(source)).parent.parts[1:]


def _longer(source: Source, level: int) -> str:
    """Return the name with so many folders; with all of them and its suffixes where it has less."""
    folders = _folders(source)
    return "/".join([*folders[-level:], source.name]) if level <= len(folders) else source.path
