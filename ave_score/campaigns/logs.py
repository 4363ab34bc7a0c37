"""A task whose collection is a log: its runs are logs, which together say what is asked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ave_score.campaigns.rows import CampaignRow
from ave_score.campaigns.task import Task
from ave_score.core.model import QARun
from ave_score.files.sniff import has_systems
from ave_score.files.source import Source


def logs_of(task: Task) -> list[Source]:
    """Return the log that is the collection of a task, and its runs; nothing if it is none."""
    with suppress(Exception):  # whatever is wrong with it, its reader reports it
        if has_systems(task.source(task.collection)):
            distinct: dict[str, str] = {}
            for path in (task.collection, *(run.path for run in task.runs)):
                distinct.setdefault(os.path.realpath(path), path)
            return [task.source(path) for path in distinct.values()]
    return []


def rows_of_logs(task: Task, systems: Sequence[QARun]) -> list[CampaignRow]:
    """Return the systems of logs, named as runs are; that of the collection may be no run."""
    times = Counter(task.shown(system.path) for system in systems)
    names = {task.shown(run.path): run.name for run in task.runs}
    rows = []
    for system in systems:
        path = task.shown(system.path)
        own = names.get(path, system.name) if times[path] == 1 else system.name
        rows.append(CampaignRow(replace(system, name=own), path, path in names))
    return rows
