"""Files beside runs that no task takes: nobody's submission vanishes silently."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from glob import escape, glob, has_magic
from itertools import islice
from typing import NamedTuple

from ave_score.campaigns.submissions import has_team, parent_of_teams, team_folders
from ave_score.campaigns.task import FileReport, Task
from ave_score.core.text import brief, quantity, text_of_name
from ave_score.files.folders import MAX_FILES, RESULTS, is_left_behind, is_open, is_regular, walk

_NAMED = 100
"""Files of a team that are named one by one."""


class _RunFolder(NamedTuple):
    """A folder of runs, and its team if it is that of one.

    `is_beside`: it is in or above the folder of the campaign file, with whatever else is there.
    `is_of_teams`: it has the folders of teams, and a file in it has no team.
    """

    path: str
    team: str = ""
    is_beside: bool = False
    is_of_teams: bool = False


def with_strays(
    tasks: Sequence[Task], patterns: Sequence[Sequence[str]], taken: Collection[str]
) -> list[Task]:
    """Return tasks with the files below the folders of runs that none of them takes.

    Parameters
    ----------
    tasks, patterns
        The tasks, and the patterns of the runs of each.
    taken
        The paths of all files that tasks take or report, or that are no submissions.

    Returns
    -------
    list of Task
        A file is named by the first task that has runs of its team, or else of its folder. Notes
        and backups are no submissions, and only noted, as is what lies beside the campaign file.
    """
    known = {*map(_place, taken)}
    by_folder: dict[str, list[str]] = {}
    folders: list[tuple[int, _RunFolder]] = []
    for number, of_task in enumerate(patterns):
        for pattern in of_task:
            for found in _folders(tasks[number].folder, pattern):
                place = _place(found.path)
                if place not in by_folder:
                    folders.append((number, found))
                by_folder.setdefault(place, []).append(pattern)
    # a file that is below several is of the innermost
    folders.sort(key=lambda row: (not row[1].team, -_place(row[1].path).count(os.sep)))
    named = [*tasks]
    for number, found in folders:
        place = _place(found.path)
        if place not in known and not (found.team and os.path.islink(found.path)):
            of_folder = [*dict.fromkeys(by_folder[place])]
            named[number] = _with_files(named[number], found, of_folder, known)
    return named


def _folders(folder: str, pattern: str) -> Iterator[_RunFolder]:
    """Yield the folders of a pattern, except those of which it takes all files."""
    if has_team(pattern):
        for top, _, team in team_folders(folder, pattern):
            yield _RunFolder(top, team)
        for parent in parent_of_teams(folder, pattern):
            if not _holds(parent, folder or "."):  # whatever else lies beside the campaign file
                yield _RunFolder(parent, is_of_teams=True)
        return
    parts = pattern.split("/")
    fixed = next((number for number, part in enumerate(parts) if has_magic(part)), None)
    if fixed is None or os.path.lexists(os.path.join(folder, pattern)):
        return
    folder = folder or "."
    is_beside = _holds(os.path.join(folder, "/".join([*parts[:fixed], ""])), folder)
    named = parts[:-1] if is_beside else parts[:fixed]
    for found in sorted(glob(os.path.join(escape(folder), "/".join([*named, ""])))):
        yield _RunFolder(found, is_beside=is_beside)


def _holds(top: str, folder: str) -> bool:
    """Tell whether a folder is another one or contains it."""
    inner, outer = os.path.realpath(folder), os.path.realpath(top)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def _with_files(task: Task, found: _RunFolder, patterns: Sequence[str], known: set[str]) -> Task:
    """Return a task with what it does not take in a folder, which is then known."""
    files = [*islice(_unknown(found, known), MAX_FILES)]
    known.update(map(_place, files))
    behind = [path for path in files if is_left_behind(path) and os.path.isfile(path)]
    others = sorted({*files} - {*behind})
    notes, strays, refused = [], [], []
    missed = f"no pattern of runs ({brief(patterns)})"
    noted = [(behind, "not named like runs")]
    if found.is_beside:
        noted.append((others, f"beside the campaign file; they match {missed}"))
        others = []
    for paths, why in noted:
        if paths:
            names = brief(sorted(text_of_name(os.path.basename(path)) for path in paths))
            text = f"{quantity(len(paths), 'file')} not scored, {why}: {names}"
            notes.append(FileReport(task.shown(found.path), text))
    reason = f"matches {missed}; it is not scored"
    for path in others[:_NAMED]:
        strays.append((path, reason))
        refused.append(
            FileReport(task.shown(path), f"{task.shown(path)} {reason}", team=found.team)
        )
    more = len(others) - _NAMED
    if more > 0:
        text = f"{quantity(more, 'more file')} not scored that match no pattern of runs"
        strays.append((found.path, text))
        refused.append(FileReport(task.shown(found.path), f"{found.team}: {text}", team=found.team))
    return task._replace(
        notes=[*task.notes, *notes],
        strays=[*task.strays, *strays],
        refused=[*task.refused, *(refused if found.team else ())],
    )


def _unknown(found: _RunFolder, known: Collection[str]) -> Iterator[str]:
    """Yield what is in a folder that is not known; links of no team lead to what they name."""
    if found.is_beside or found.is_of_teams:
        inside = (os.path.join(found.path, name) for name in glob("*", root_dir=found.path))
        paths: Iterator[str] = filter(is_regular, inside)
    else:
        paths = walk(found.path)
    for path in paths:
        has_results = os.path.isdir(path) and is_open(path) and {*os.listdir(path)} >= RESULTS
        is_followed = not found.team and os.path.islink(path) and _is_known(path, known)
        if not (has_results or is_followed or _place(path) in known):
            yield path


def _is_known(path: str, known: Collection[str]) -> bool:
    """Tell whether a link leads to a file that is known, or to a folder that has one."""
    below = os.path.join(os.path.realpath(path), "")
    real = [os.path.realpath(place) for place in known]
    return below[:-1] in real or any(place.startswith(below) for place in real)


def _place(path: str) -> str:
    """Return where a path is, folders that are links resolved, but not a link itself."""
    folder, name = os.path.split(os.path.normpath(os.path.abspath(path)))
    return os.path.join(os.path.realpath(folder), name)
