"""Names of the runs that a task is given: those of their files, or of a dictionary; patterns."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeGuard

from ave_score.core.entrants import Patterns
from ave_score.core.errors import UsageError, wrong_type
from ave_score.core.text import brief, composed, did_you_mean, nearest, shortest_names
from ave_score.files.source import Source


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether a name, with or without its folders, is one of the patterns or matches one."""
    whole = composed(name)
    names = whole, whole.rpartition("/")[2]
    return any(
        pattern in names or fnmatchcase(one, pattern)
        for pattern in map(composed, patterns)
        for one in names
    )


def only_refused(pattern: str, names: Sequence[str]) -> str:
    """Return the words for a pattern that only names of refused files match."""
    return f"{pattern!r} matches only files that are not scored: {brief(names)}"


def matching(what: str, patterns: Patterns | None, names: Sequence[str]) -> set[str]:
    """Return the names of runs that match a pattern.

    Raises `UsageError`, with `what` the patterns are, if one matches none.
    """
    found: set[str] = set()
    for pattern in [patterns] if isinstance(patterns, str) else patterns or ():
        if not isinstance(pattern, str):
            raise wrong_type("a name or a pattern of names", pattern)
        same = {name for name in names if is_named(name, [pattern])}
        if not same:
            hint = did_you_mean(nearest(pattern, names)) or f"; there are {brief(names)}"
            raise UsageError(f"{what} {pattern!r} matches no run{hint}")
        found |= same
    return found


def named(
    values: object, types: tuple[type, ...], what: str = "run"
) -> Iterator[tuple[object, str | None]]:
    """Yield each of the given values, with the names of files and of rows in memory.

    Raises `UsageError` if a file is given twice, with `what` as its kind.

    Parameters
    ----------
    values
        A single value, a dictionary name -> value, or values.
    types
        The types of values that are no files.
    what
        The kind of file.
    """
    if isinstance(values, Mapping) and not _is_columns(values):
        yield from ((value, str(name)) for name, value in values.items())
    elif isinstance(values, (*types, str, os.PathLike)) or _is_one(values):
        yield from _with_names([values], types, what)
    elif isinstance(values, Iterator):
        yield from ((value, None) for value in values)
    elif isinstance(values, Iterable):
        yield from _with_names(list(values), types, what)
    else:
        raise wrong_type("a list of runs, paths or frames", values)


def _is_one(values: object) -> bool:
    """Tell whether a value is one file: open, or rows with a text or a number in each field."""
    if isinstance(values, list | tuple):
        first = values[0] if values else None
        return isinstance(first, Mapping) and not _is_columns(first) and is_rows(values)
    return hasattr(values, "read") or is_rows(values)


def _is_columns(values: Mapping[Any, object]) -> bool:
    """Tell whether a dictionary has columns of texts or numbers, not runs."""
    first = next(iter(values.values()), None)
    is_column = isinstance(first, Iterable) and not isinstance(first, str | Mapping)
    return is_column and not values.keys().isdisjoint(["q_id", "question_id", "pair_id"])


def _with_names(
    values: list[object], types: tuple[type, ...], what: str
) -> Iterator[tuple[object, str | None]]:
    paths = [value for value in values if isinstance(value, str | os.PathLike)]
    names = iter(run_names([Source(path) for path in paths], what))
    for number, value in enumerate(values, 1):
        if isinstance(value, str | os.PathLike):
            yield value, next(names)
        elif isinstance(value, types) or isinstance(getattr(value, "name", None), str):
            yield value, None  # an open file has a name, too
        else:
            yield value, what if len(values) == 1 else f"{what}{number}"


def is_rows(value: object) -> bool:
    """Tell whether a value is a frame, a dictionary of columns, or a list of dictionaries."""
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(name, str) for name in value)
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(row, Mapping) for row in value)
    if isinstance(value, Iterator):
        return False  # no library's frame is one, and loading narwhals takes longer than scoring
    from ave_score.files.frames import is_frame

    return is_frame(value)


def are_files(value: object) -> TypeGuard[Sequence[str | os.PathLike[str] | Source]]:
    """Tell whether a value is a list of paths, or of the files there."""
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(isinstance(one, str | os.PathLike | Source) for one in value)


def run_names(sources: Sequence[Source], what: str = "run") -> list[str]:
    """Return a name for each file: its file name without suffixes.

    Parent folders are added where needed to make names unique, e.g. `team1/run`. Raises
    `UsageError`, with `what` as the kind of file, if the same file is given twice.
    """
    times = Counter(map(_full_path, sources))
    repeated = [path for path in times if times[path] > 1]
    if repeated:
        raise UsageError(f"the {what} {brief(repeated)} is given twice")
    names = shortest_names([(_folders(source), source.name) for source in sources])
    taken = Counter(names)
    return [
        source.path if taken[name] > 1 else name  # run.txt and run.xml in one folder
        for source, name in zip(sources, names, strict=True)
    ]


def _full_path(source: Source) -> str:
    return source.path if source.is_stdin else os.path.abspath(source.path)


def _folders(source: Source) -> tuple[str, ...]:
    folder = composed(os.path.dirname(_full_path(source)))
    return tuple(filter(None, folder.split(os.sep)[1:]))  # pathlib is slow to import


def unused_teams(teams: Iterable[str], known: Sequence[str]) -> dict[str, str | None]:
    """Return the names in a table of teams that match no run, each with the run that may be meant.

    `known` are the names of all runs and systems. A name is wrong if it resembles one of those
    without a team, or if none matches: then it has an empty text. Others, None, are only noted: an
    organiser may score some runs with the table of all.
    """
    named, of_runs = dict.fromkeys(teams), frozenset(known)
    without = [name for name in known if name not in named]
    otherwise = None if not of_runs.isdisjoint(named) else ""
    return {name: nearest(name, without) or otherwise for name in named if name not in of_runs}


def check_teams_used(what: str, teams: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return the names in a table of teams that are to be noted, as `unused_teams` says.

    Raises `UsageError`, with `what` the table is, for names that are wrong.
    """
    unused = unused_teams(teams, known)
    wrong = {name: near for name, near in unused.items() if near is not None}
    meant = [f"{name}{did_you_mean(near)}" for name, near in wrong.items() if near]
    if wrong:
        said = "; ".join(meant) if meant else f"{brief([*wrong])}; there are {brief(known)}"
        raise UsageError(f"{what}: no run or system {said}")
    return [*unused]
