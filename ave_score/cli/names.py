"""What runs are called: by their files, as shortly as tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ave_score.errors import UsageError
from ave_score.formats.source import Source


def run_names(sources: Sequence[Source]) -> list[str]:
    """Return a name for each run: its file name without suffixes.

    Files of one name in several folders are told apart by as many folders as it takes: `team1/run`.
    Raises `UsageError` where the same file is given twice.
    """
    times = Counter(map(_whole, sources))
    repeated = [path for path in times if times[path] > 1]
    if repeated:
        raise UsageError(f"the run {', '.join(repeated)} is given twice")
    names = [source.name for source in sources]
    depth = 1
    while len(set(names)) < len(names):
        clashing = Counter(names)
        names = [
            _with_folders(source, depth) if clashing[name] > 1 else name
            for source, name in zip(sources, names, strict=True)
        ]
        depth += 1
        if depth > 1 + max(len(Path(source.path).absolute().parts) for source in sources):
            # the same name but for its suffixes, in one folder: run.txt and run.tsv
            return [source.path for source in sources]
    return names


def _whole(source: Source) -> str:
    return source.path if source.is_stdin else str(Path(source.path).absolute())


def _with_folders(source: Source, depth: int) -> str:
    folders = Path(source.path).absolute().parent.parts[1:]
    return "/".join([*folders[-depth:], source.name])
