"""Files below the folders of teams that no task takes: nobody's submission vanishes silently."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from ave_score.campaigns.submissions import TeamFolder, has_team, team_folders
from ave_score.campaigns.task import Note, Task
from ave_score.core.text import brief, counted, text_of_name
from ave_score.files.folders import MAX_FILES, RESULTS, is_left_behind, is_open, walk

_NAMED = 100
"""Files of a team that are named one by one."""


def with_strays(
    tasks: Sequence[Task], patterns: Sequence[Sequence[str]], taken: Collection[str]
) -> list[Task]:
    """Return tasks with the files below the folders of teams that none of them takes.

    Parameters
    ----------
    tasks, patterns
        The tasks, and the patterns of the runs of each.
    taken
        The paths of all files that tasks take or report.

    Returns
    -------
    list of Task
        A file is named by the first task that has runs of its team. Notes and backups are no
        submissions, and only noted.
    """
    known = {*map(_place, taken)}
    by_folder: dict[str, list[str]] = {}
    folders: list[dict[str, TeamFolder]] = []
    for task, of_task in zip(tasks, patterns, strict=True):
        new: dict[str, TeamFolder] = {}
        for pattern in filter(has_team, of_task):
            for found in team_folders(task.folder, pattern):
                place = _place(found.path)
                if place not in by_folder:
                    new[place] = found
                by_folder.setdefault(place, []).append(pattern)
        folders.append(new)
    named = []
    for task, new in zip(tasks, folders, strict=True):
        noted = task
        for place, found in new.items():
            if place not in known and not os.path.islink(found.path):
                noted = _with_files(noted, found, [*dict.fromkeys(by_folder[place])], known)
        named.append(noted)
    return named


def _with_files(
    task: Task, found: TeamFolder, patterns: Sequence[str], known: Collection[str]
) -> Task:
    """Return a task with what it does not take in the folder of a team."""
    files = [*islice(_unknown(found.path, known), MAX_FILES)]
    behind = [path for path in files if is_left_behind(path) and os.path.isfile(path)]
    others = sorted({*files} - {*behind})
    notes, strays, refused = [], [], []
    if behind:
        names = brief(sorted(text_of_name(os.path.basename(path)) for path in behind))
        text = f"{counted(len(behind), 'file')} not scored, not named like runs: {names}"
        notes.append(Note(task.shown(found.path), text))
    reason = f"matches no pattern of runs ({brief(patterns)}); it is not scored"
    for path in others[:_NAMED]:
        strays.append((path, reason))
        refused.append(Note(task.shown(path), f"{task.shown(path)} {reason}", found.team))
    more = len(others) - _NAMED
    if more > 0:
        text = f"{counted(more, 'more file')} not scored that match no pattern of runs"
        strays.append((found.path, text))
        refused.append(Note(task.shown(found.path), f"{found.team}: {text}", found.team))
    return task._replace(
        notes=[*task.notes, *notes],
        strays=[*task.strays, *strays],
        refused=[*task.refused, *refused],
    )


def _unknown(folder: str, known: Collection[str]) -> Iterator[str]:
    for path in walk(folder):
        has_results = os.path.isdir(path) and is_open(path) and {*os.listdir(path)} >= RESULTS
        if not has_results and _place(path) not in known:
            yield path


def _place(path: str) -> str:
    """Return where a path is, folders that are links resolved, but not a link itself."""
    folder, name = os.path.split(os.path.normpath(os.path.abspath(path)))
    return os.path.join(os.path.realpath(folder), name)
