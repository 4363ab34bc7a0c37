"""What runs are called: by their files, as shortly as tells them apart."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ave_score.errors import UsageError
from ave_score.files.source import Source
from ave_score.naming import shortest_names


def run_names(sources: Sequence[Source], what: str = "run") -> list[str]:
    """Return a name for each run, or what else the files are: its file name without suffixes.

    Files of one name in several folders are told apart by as many folders as it takes: `team1/run`.
    Raises `UsageError` where the same file is given twice.
    """
    times = Counter(map(_whole, sources))
    repeated = [path for path in times if times[path] > 1]
    if repeated:
        raise UsageError(f"the {what} {', '.join(repeated)} is given twice")
    names = shortest_names([(_folders(source), source.name) for source in sources])
    taken = Counter(names)
    return [
        source.path if taken[name] > 1 else name  # run.txt and run.xml in one folder
        for source, name in zip(sources, names, strict=True)
    ]


def _whole(source: Source) -> str:
    return source.path if source.is_stdin else os.path.abspath(source.path)  # noqa: PTH100 - a/../b is b


def _folders(source: Source) -> tuple[str, ...]:
    return Path(_whole(source)).parent.parts[1:]
