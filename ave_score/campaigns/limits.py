"""The limits of runs: which are late, which are too many, and what tables say about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from ave_score.campaigns.entries import SubmittedEntry
from ave_score.campaigns.task import FileReport, Task
from ave_score.campaigns.times import times_of
from ave_score.core.text import brief, quantity
from ave_score.files.times import time_text
from ave_score.tasks.scores import Remark


class Limited(NamedTuple):
    """A submission that is late, too much, or without a time, in a word and in a sentence."""

    entry: SubmittedEntry
    mark: str
    text: str

    @property
    def is_beyond(self) -> bool:
        """Whether it is beyond a limit for certain; otherwise its time is not known."""
        return self.mark != _NO_TIME


_LATE, SURPLUS, _NO_TIME = "late", "surplus", "no time"
_WITHOUT_TIME = "has no time of submission"


def limited_of(task: Task, entries: Sequence[SubmittedEntry]) -> list[Limited]:
    """Return what is late, without a time, or too much, in this order."""
    times = times_of(task.files, task.limits.submitted or {})
    return [*_late(task, entries, times), *_surplus(task, entries, times)]


def _late(
    task: Task, entries: Sequence[SubmittedEntry], times: Mapping[str, datetime | str]
) -> Iterator[Limited]:
    closes = task.limits.closes
    if closes is None:
        return
    by_path: dict[str, list[SubmittedEntry]] = {}
    for entry in entries:
        if not entry.is_reference:
            by_path.setdefault(entry.path, []).append(entry)
    for path, time in times.items():
        for entry in by_path.get(path, ()):
            if isinstance(time, str):
                yield Limited(entry, _NO_TIME, f"{_WITHOUT_TIME}{time}")
            elif time > closes:
                late = f"{time - closes} after {time_text(closes)}"
                yield Limited(entry, _LATE, f"submitted {time_text(time)}, {late}")


def _surplus(
    task: Task, entries: Sequence[SubmittedEntry], times: Mapping[str, datetime | str]
) -> Iterator[Limited]:
    """Yield the runs of teams that have too many: those that came last, all if that is unknown."""
    most = task.limits.max_runs_per_team
    for team, own in _by_team(entries).items():
        if most is None or len(own) <= most:
            continue
        text = f"{team} has {quantity(len(own), 'run')}, {most} allowed"
        submitted = [times.get(entry.path, "") for entry in own]
        came = [time for time in submitted if isinstance(time, datetime)]
        for entry, time in zip(own, submitted, strict=True):
            if len(came) < len(own) or not isinstance(time, datetime):
                unknown = "it is not known which came first"
                yield Limited(entry, SURPLUS, f"{text}, and {unknown}")
            elif sum(other <= time for other in came) > most:
                yield Limited(entry, SURPLUS, f"{text}; submitted {time_text(time)}")


def _by_team(entries: Sequence[SubmittedEntry]) -> dict[str, list[SubmittedEntry]]:
    teams: dict[str, list[SubmittedEntry]] = {}
    for entry in entries:
        if entry.team:
            teams.setdefault(entry.team, []).append(entry)
    return teams


def remark_of(cases: Sequence[Limited], *, apart: bool) -> Remark | None:
    """Return what tables say about a submission, which is not ranked beyond a limit if `apart`."""
    if not cases:
        return None
    is_apart = apart and any(case.is_beyond for case in cases)
    mark = ", ".join([*(case.mark for case in cases), *["not ranked"] * is_apart])
    return Remark(mark, "; ".join(case.text for case in cases), is_apart)


def set_apart(remark: Remark | None) -> Remark:
    """Return what tables say about a run that the organiser sets apart by its name."""
    if remark is None:
        return Remark("not ranked", "set apart by the organisers", is_apart=True)
    mark = remark.mark if remark.is_apart else f"{remark.mark}, not ranked"
    return Remark(mark, f"{remark.text}; set apart by the organisers", is_apart=True)


def about_limits(
    task: Task, entries: Sequence[SubmittedEntry], limited: Sequence[Limited]
) -> Iterator[FileReport]:
    """Yield notes on teams with too many runs, and on runs that are late or without a time."""
    most = task.limits.max_runs_per_team
    teams = _by_team(entries)
    if most is not None and entries and not teams:
        yield FileReport("max_runs_per_team", "is not checked, since no run has a team")
    for team, own in teams.items():
        if most is not None and len(own) > most:
            names = ", ".join(map(_shown, own))
            text = f"{team} has {quantity(len(own), 'run')}, {most} allowed: {names}"
            yield FileReport("max_runs_per_team", text, team=team)
    late = {case.entry.path: case.text for case in limited if case.mark != SURPLUS}
    for path, text in late.items():
        yield FileReport(path, text)


def together(notes: Sequence[FileReport]) -> list[FileReport]:
    """Return the notes on limits for organisers: one on all runs without a time."""
    without = [note.path for note in notes if note.summary == _WITHOUT_TIME]
    if len(without) < 2:
        return [*notes]
    text = f"{len(without):,} files have no time of submission: {brief(without)}"
    return [
        *(note for note in notes if note.summary != _WITHOUT_TIME),
        FileReport("submitted", text),
    ]


def _shown(entry: SubmittedEntry) -> str:
    return entry.name if entry.is_scored else f"{entry.name} (not scored)"
