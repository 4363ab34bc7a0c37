"""Runs and QA systems of a language, each name once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ave_score.campaigns.file_reports import Reports
from ave_score.campaigns.task import FileReport, Task
from ave_score.core.text import quantity
from ave_score.counts.counted import Kind
from ave_score.tasks.subjects import kind_of

if TYPE_CHECKING:
    from ave_score.inference.units import Subject

NOT_NAMED = "not scored, and the organisers know why"
"""What a team is told if the reason may be about files of others."""


class CampaignRow(NamedTuple):
    """A run or a QA system, its file, and whether it was submitted to the campaign.

    Separately judged QA systems are not submitted.
    """

    subject: Subject
    path: str
    is_submitted: bool

    @property
    def row(self) -> tuple[Kind, str]:
        """The kind and the name of its row."""
        return kind_of(self.subject), self.subject.name


def of_one_name(task: Task) -> Reports:
    """Report the files that are not scored since they share their name with others."""
    return [
        FileReport(task.shown(run.path), f"another run is also named {run.name}", not_scored=True)
        for run in task.not_scored
    ]


def distinct_rows(
    task: Task, rows: Iterable[CampaignRow]
) -> tuple[list[CampaignRow], Reports, list[FileReport]]:
    """Keep the first QA system of each name, report the files of the others, and note for teams.

    A system in a submitted file that is named like the run in another file is not kept: it would
    put that run into its own team.
    """
    first: dict[tuple[Kind, str], CampaignRow] = {}
    doubled: dict[str, list[str]] = {}
    of_runs = {run.name: task.shown(run.path) for run in (*task.runs, *task.not_scored)}
    files = {*of_runs.values()}
    for entry in rows:
        name = entry.subject.name
        before = of_runs.get(name, entry.path) if entry.path in files else entry.path
        if before == entry.path:
            same = first.setdefault(entry.row, entry)
            if same is entry:
                continue
            before = same.path
        doubled.setdefault(entry.path, []).append(f"{name} is also in {before}")
    counted = {entry.path for entry in first.values()}
    reports = [
        FileReport(path, "counted once: " + "; ".join(messages), not_scored=path not in counted)
        for path, messages in doubled.items()
    ]
    told = [
        FileReport(path, f"{quantity(len(messages), 'system')} {NOT_NAMED}")
        for path, messages in doubled.items()
        if path in counted
    ]
    return [*first.values()], reports, told
