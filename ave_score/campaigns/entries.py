"""Who submitted what: the groups of runs, and notes on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from ave_score.campaigns.task import Note, Task
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.groups import primary_in
from ave_score.tasks.named import is_named, unused_groups


class SubmittedEntry(NamedTuple):
    """A submitted run or QA system, its file and its group, which may be empty.

    The organiser's own runs have no group, and no limits.
    """

    name: str
    path: str
    group: str
    is_scored: bool
    is_reference: bool


def entries_of(
    task: Task, scored: Sequence[tuple[str, str]], explicit: Mapping[str, str]
) -> list[SubmittedEntry]:
    """Return all that was submitted; `scored` are names and paths, `explicit` is run -> group.

    The group is that of the campaign file, or else that of the folder.
    """
    files = task.files
    without = files.keys() - {path for _, path in scored}
    left_out = [(run.name, path) for path, run in files.items() if path in without]
    entries = []
    for known, named in ((True, scored), (False, left_out)):
        for name, path in named:
            is_reference = is_named(name, task.reference)
            group = explicit.get(name) or (files[path].group if path in files else "")
            own = "" if is_reference else group
            entries.append(SubmittedEntry(name, path, own, known, is_reference))
    return entries


def unmatched_groups(
    task: Task,
    entries: Sequence[SubmittedEntry],
    explicit: Mapping[str, str],
    others: Sequence[str],
) -> dict[str, str | None]:
    """Return the names in the groups that match nothing, each with what may be meant.

    `others` are the names of systems that were not submitted.
    """
    scored = [entry.name for entry in entries if entry.is_scored]
    return unused_groups(explicit, [*scored, *others, *(run.name for run in task.left_out)])


def about_groups(
    task: Task, entries: Sequence[SubmittedEntry], explicit: Mapping[str, str]
) -> Iterator[Note]:
    """Yield notes on groups that are missing, contradicted by folders, or look alike."""
    scored = [entry for entry in entries if entry.is_scored and not entry.is_reference]
    without = [entry for entry in scored if not entry.group]
    folders = {task.shown(run.path): run.group for run in task.runs if run.group}
    if explicit or folders:
        unused = explicit.keys() - {entry.name for entry in entries}
        for entry in without:
            hint = did_you_mean(nearest(entry.name, sorted(unused)))
            yield Note(entry.path, f"{entry.name} has no group{hint}")
        has_primary = primary_in(explicit) is not None and not task.primary
        for entry in scored if has_primary else ():
            if entry.group and entry.name not in explicit:
                yield Note(entry.path, f"{entry.name} is not in groups, which name primary runs")
    for entry in scored:
        folder = folders.get(entry.path, "")
        if folder and normalize("NFC", entry.group) != folder:
            text = f"{entry.name} is in the folder of {folder}, but of {entry.group} in groups"
            yield Note(entry.path, f"{text}, which counts")
    yield from _alike(entry.group for entry in scored)


def _alike(groups: Iterable[str]) -> Iterator[Note]:
    """Yield notes on groups whose names differ only in case or in composed characters."""
    spelt: dict[str, list[str]] = {}
    for group in dict.fromkeys(groups):
        spelt.setdefault(normalize("NFC", group).casefold(), []).append(group)
    for names in spelt.values():
        if len(names) > 1:
            yield Note("groups", f"{' and '.join(names)} are counted as different groups")
