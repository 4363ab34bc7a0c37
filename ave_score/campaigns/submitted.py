"""What was submitted in a language, with the teams and limits that its file or the campaign has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from ave_score.campaigns.entries import SubmittedEntry, about_teams, entries_of, unmatched_teams
from ave_score.campaigns.file_reports import Reports, failed, noted
from ave_score.campaigns.limits import Limited, about_limits, limited_of, together
from ave_score.campaigns.task import FileReport, Task
from ave_score.core.errors import RefusedError
from ave_score.files.teams import Teams
from ave_score.tasks.inputs import Inputs

Value = TypeVar("Value")


def read_file(
    task: Task, path: str, read: Callable[[Inputs], Value]
) -> tuple[Value | None, Reports]:
    """Return what a file holds, and the reports on it; None if it could not be read at all.

    Whatever is wrong with it, the others are read.
    """
    inputs = Inputs(task.policies, collects=True, entrants={**task.reading, "teams": task.teams})
    try:
        value = read(inputs)
    except RefusedError:
        value = None
    except Exception as error:
        return None, [failed(task, path, error)]
    if inputs.unreadable:
        return None, [failed(task, path, inputs.unreadable[0])]
    return value, noted(task, inputs.told)


class Submitted(NamedTuple):
    """What was submitted in a language: run -> team, and reports on teams and limits.

    `limits` are the notes on what is late or too much, `limited` which submissions are,
    `unmatched` as in `Result`.
    """

    entries: list[SubmittedEntry]
    teams: Teams
    reports: Reports
    limits: list[FileReport]
    limited: Sequence[Limited]
    unmatched: Mapping[str, str | None] | None


def submitted_in(
    task: Task,
    scored: Sequence[tuple[str, str]],
    others: Sequence[str] | None,
) -> Submitted:
    """Read the teams of the submitted runs; `others` as of `unmatched_teams`, None if unknown."""
    explicit, of_teams = teams_of(task)
    entries = entries_of(task, scored, explicit)
    known = {entry.name: entry.team for entry in entries if entry.team} | explicit
    primary = None if task.patterns["primary"] else explicit.primary
    teams = Teams(known, primary, is_checked=True)
    is_known = others is not None and bool(entries)
    unmatched = unmatched_teams(task, entries, explicit, others or ()) if is_known else None
    reports = [*of_teams, *about_teams(task, entries, explicit)]
    limited = limited_of(task, entries)
    limits = [*about_limits(task, entries, limited)]
    reports += together(limits)
    return Submitted(entries, teams, reports, limits, limited, unmatched)


def teams_of(task: Task) -> tuple[Teams, Reports]:
    """Return run -> team, and the reports on the file of teams."""
    path = task.teams if isinstance(task.teams, str) else ""
    teams, reports = read_file(task, path, Inputs.teams)
    return teams or Teams(), reports
