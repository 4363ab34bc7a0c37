"""What the results of a campaign are made of, as a digest: the program, the files, their names."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ave_score.campaigns.plan import Plan
from ave_score.files.folders import is_regular
from ave_score.version import __version__


def digest_of(plan: Plan) -> str | None:
    """Return a digest of all that results depend on; None if a file cannot be read.

    Whatever is set is in the campaign file; what else is known of the files stands in the plan.
    """
    if plan.path == "-":
        return None
    whole = hashlib.sha256()
    try:
        for part in _parts(plan):
            text = ascii(part).replace(ascii(os.sep)[1:-1], "/")  # the same on every system
            whole.update(f"{text}\n".encode("ascii"))
    except OSError:
        return None
    return whole.hexdigest()


def _parts(plan: Plan) -> Iterator[object]:
    """Yield values that differ if results may differ."""
    yield from (_program(), plan.path)
    for task in plan.tasks:
        found = task.runs, task.not_scored, task.unusable, task.strays, task.notes, task.refused
        yield (task.where, *found)
    for path in dict.fromkeys([plan.path, *plan.files]):
        yield path, _content(path)


def _content(path: str) -> str:
    """Return the digest of a file; of what is no regular file, nothing, since it is not read."""
    if not is_regular(path):
        return ""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _program() -> str:
    """Return the versions of what computes, and which files the package has, as they are."""
    root = Path(__file__).parents[1]
    files = sorted(path for path in root.rglob("*") if path.suffix not in (".pyc", ""))
    states = [(path.relative_to(root).as_posix(), path.stat()) for path in files]
    own = [(path, state.st_size, state.st_mtime_ns) for path, state in states]
    return repr((__version__, sys.version, *map(version, ("numpy", "lxml")), own))
