"""Who submitted what: the teams of runs, and notes on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from ave_score.campaigns.task import FileReport, Task
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.teams import Teams
from ave_score.tasks.named import is_named, unused_teams


class SubmittedEntry(NamedTuple):
    """A submitted run or QA system, its file and its team, which may be empty.

    The organiser's own runs have no team, and no limits.
    """

    name: str
    path: str
    team: str
    is_scored: bool
    is_reference: bool


def entries_of(
    task: Task, scored: Sequence[tuple[str, str]], explicit: Mapping[str, str]
) -> list[SubmittedEntry]:
    """Return all that was submitted; `scored` are names and paths, `explicit` is run -> team.

    The team is that of the campaign file, or else that of the folder.
    """
    files = task.files
    without = files.keys() - {path for _, path in scored}
    not_scored = [(run.name, path) for path, run in files.items() if path in without]
    entries = []
    for known, named in ((True, scored), (False, not_scored)):
        for name, path in named:
            is_reference = is_named(name, task.patterns["reference"])
            team = explicit.get(name) or (files[path].team if path in files else "")
            own = "" if is_reference else team
            entries.append(SubmittedEntry(name, path, own, known, is_reference))
    return entries


def unmatched_teams(
    task: Task,
    entries: Sequence[SubmittedEntry],
    explicit: Mapping[str, str],
    others: Sequence[str],
) -> dict[str, str | None]:
    """Return the names in the teams that match nothing, each with what may be meant.

    `others` are the names of systems that were not submitted.
    """
    scored = [entry.name for entry in entries if entry.is_scored]
    return unused_teams(explicit, [*scored, *others, *(run.name for run in task.not_scored)])


def about_teams(
    task: Task, entries: Sequence[SubmittedEntry], explicit: Teams
) -> Iterator[FileReport]:
    """Yield notes on teams that are missing, contradicted by folders, or look alike."""
    scored = [entry for entry in entries if entry.is_scored and not entry.is_reference]
    without = [entry for entry in scored if not entry.team]
    folders = {task.shown(run.path): run.team for run in task.runs if run.team}
    if explicit or folders:
        unused = explicit.keys() - {entry.name for entry in entries}
        for entry in without:
            hint = did_you_mean(nearest(entry.name, sorted(unused)))
            yield FileReport(entry.path, f"{entry.name} has no team{hint}")
        has_primary = explicit.primary is not None and not task.patterns["primary"]
        for entry in scored if has_primary else ():
            if entry.team and entry.name not in explicit:
                yield FileReport(
                    entry.path, f"{entry.name} is not in teams, which name primary runs"
                )
    for entry in scored:
        folder = folders.get(entry.path, "")
        if folder and normalize("NFC", entry.team) != folder:
            text = f"{entry.name} is in the folder of {folder}, but of {entry.team} in teams"
            yield FileReport(entry.path, f"{text}, which counts")
    yield from _alike(entry.team for entry in scored)


def _alike(teams: Iterable[str]) -> Iterator[FileReport]:
    """Yield notes on teams whose names differ only in case or in composed characters."""
    spelt: dict[str, list[str]] = {}
    for team in dict.fromkeys(teams):
        spelt.setdefault(normalize("NFC", team).casefold(), []).append(team)
    for names in spelt.values():
        if len(names) > 1:
            yield FileReport("teams", f"{' and '.join(names)} are counted as different teams")
