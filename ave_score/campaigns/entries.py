"""Who submitted what: the groups of runs, the limits they are held against, and notes on both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from unicodedata import normalize

from ave_score.campaigns.plan import Note, RunFile, Task
from ave_score.campaigns.submissions import key_of
from ave_score.files.times import time_text
from ave_score.scoring import unused_groups
from ave_score.text import counted, did_you_mean, nearest


class Entry(NamedTuple):
    """A submitted run or QA system, its file and its group, which may be empty."""

    name: str
    path: str
    group: str
    is_scored: bool


def entries_of(
    task: Task, scored: Sequence[tuple[str, str]], explicit: Mapping[str, str]
) -> list[Entry]:
    """Return all that was submitted; `scored` are names and paths, `explicit` is run -> group.

    The group is that of the campaign file, or else that of the folder.
    """
    files = {task.shown(run.path): run for run in (*task.runs, *task.left_out)}
    without = files.keys() - {path for _, path in scored}
    left_out = [(run.name, path) for path, run in files.items() if path in without]
    return [
        Entry(name, path, explicit.get(name) or (files[path].group if path in files else ""), known)
        for known, named in ((True, scored), (False, left_out))
        for name, path in named
    ]


def about_groups(
    task: Task, entries: Sequence[Entry], explicit: Mapping[str, str], others: Sequence[str] | None
) -> Iterator[Note]:
    """Yield notes on groups that are unused, missing, contradicted by folders, or look alike.

    `others` are the names of systems that were not submitted; None if some names are not known.
    """
    scored = [entry for entry in entries if entry.is_scored]
    without = [entry for entry in scored if not entry.group]
    meant: dict[str, str | None] = {}
    if others is not None:
        known = [*(entry.name for entry in scored), *others, *(run.name for run in task.left_out)]
        meant = unused_groups(explicit, known)
    yield from _unused(task, meant)
    folders = {task.shown(run.path): run.group for run in task.runs if run.group}
    if explicit or folders:
        named = {*meant.values()}
        for entry in without:
            if entry.name not in named:
                yield Note(
                    entry.path, f"{entry.name} has no group{_hint(entry, explicit, entries)}"
                )
    for entry in scored:
        folder = folders.get(entry.path, "")
        if folder and normalize("NFC", entry.group) != folder:
            text = f"{entry.name} is in the folder of {folder}, but of {entry.group} in groups"
            yield Note(entry.path, f"{text}, which counts")
    yield from _alike(entry.group for entry in scored)


def _unused(task: Task, meant: Mapping[str, str | None]) -> Iterator[Note]:
    """Yield notes on names in the groups that match no run and no system.

    A groups file may also cover other languages, so only names similar to a run without a group
    are reported.
    """
    shown = "groups" if isinstance(task.groups, dict) else task.shown(task.groups)
    for name, near in meant.items():
        if near or isinstance(task.groups, dict):
            yield Note(shown, f"{name} is not a run or a system{did_you_mean(near)}")


def _hint(entry: Entry, explicit: Mapping[str, str], entries: Iterable[Entry]) -> str:
    unused = explicit.keys() - {other.name for other in entries}
    return did_you_mean(nearest(entry.name, sorted(unused)))


def _alike(groups: Iterable[str]) -> Iterator[Note]:
    """Yield notes on groups whose names differ only in case or in composed characters."""
    spelt: dict[str, list[str]] = {}
    for group in dict.fromkeys(groups):
        spelt.setdefault(normalize("NFC", group).casefold(), []).append(group)
    for names in spelt.values():
        if len(names) > 1:
            yield Note("groups", f"{' and '.join(names)} are counted as different groups")


def about_limits(
    task: Task, entries: Sequence[Entry], times: Mapping[str, datetime] | None
) -> Iterator[Note]:
    """Yield notes on groups with too many runs, and on runs that are late or without a time."""
    most, closes = task.limits.max_runs_per_group, task.limits.closes
    groups = {entry.group: None for entry in entries if entry.group}
    if most is not None and entries and not groups:
        yield Note("max_runs_per_group", "is not checked, since no run has a group")
    for group in groups:
        names = [_shown(entry) for entry in entries if entry.group == group]
        if most is not None and len(names) > most:
            text = f"{group} has {counted(len(names), 'run')}, {most} allowed: {', '.join(names)}"
            yield Note("max_runs_per_group", text, group)
    if closes is not None and times is None:
        yield Note("closes", "is not checked, since no times of submission are known")
    elif closes is not None and times is not None:
        for path, found in times_of(task, times).items():
            if isinstance(found, str):
                yield Note(path, f"has no time of submission{found}")
            elif found > closes:
                late = f"{found - closes} after {time_text(closes)}"
                yield Note(path, f"submitted {time_text(found)}, {late}")


def _shown(entry: Entry) -> str:
    return entry.name if entry.is_scored else f"{entry.name} (left out)"


def times_of(task: Task, times: Mapping[str, datetime]) -> dict[str, datetime | str]:
    """Return the time of submission of each file, or the end of a message why it has none."""
    known = {normalize("NFC", key): time for key, time in times.items()}
    runs = {task.shown(run.path): run for run in (*task.runs, *task.left_out)}
    keys = {path: _key_of_time(run, path, known) for path, run in runs.items()}
    used = Counter(keys.values())
    found: dict[str, datetime | str] = {}
    for path, key in keys.items():
        if key is None:
            found[path] = ""
        elif used[key] > 1:
            found[path] = f": {key} may be any of {used[key]} runs"
        else:
            found[path] = known[key]
    return found


def _key_of_time(run: RunFile, path: str, known: Container[str]) -> str | None:
    """Return the key of a run: the end of its path, or its name.

    Groups use the same names of files, so these alone are no keys of their runs.
    """
    key, name = key_of(normalize("NFC", path), known), normalize("NFC", run.name)
    if key is not None and ("/" in key or not run.group):
        return key
    return name if name in known else None
