"""Which logs are put together, and how their systems are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from ave_score.core.choice import Choice
from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, nearest
from ave_score.files.folders import OF_SAMPLES
from ave_score.files.log_grades import SystemLog

_OF_INSPECT = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*_.*\.(?:eval|json)(?:\.gz|\.xz)?", re.S)
"""The names that Inspect gives to logs, which do not name the system."""


def of_tasks(logs: list[SystemLog], choice: Choice) -> list[SystemLog]:
    """Return the logs of the chosen tasks, named; raises `UsageError` if they do not fit."""
    tasks = [*dict.fromkeys(log.head.task for log in logs)]
    for task in choice.task:
        if task not in tasks:
            hint = did_you_mean(nearest(task, tasks))
            raise UsageError(f"no task {task!r} in the logs, only {', '.join(tasks)}{hint}")
    kept = [log for log in logs if not choice.task or log.head.task in choice.task]
    _name(kept)
    alike: dict[str, SystemLog] = {}
    of_systems: dict[str, set[str]] = {}
    if choice.scorers:
        kept = _by_grader(kept, choice.scorers)
    for log in kept:
        of_systems.setdefault(log.name, set()).add(log.head.task)
        own = f"{log.name}\0{log.head.task}"
        why = {
            own: f"both {log.name}: rename one",
            log.head.key and f"{log.head.key}\0{log.grader}": "the same evaluation, given twice",
        }
        for key in filter(None, why):
            if (first := alike.setdefault(key, log)) is not log:
                if key != own and log.is_regraded(first):
                    continue
                raise UsageError(f"{first.source.path} and {log.source.path} are {why[key]}")
    if not set.intersection(*of_systems.values()):
        listed = "; ".join(
            f"{name}: {', '.join(filter(None, system)) or 'no name'}"
            for name, system in of_systems.items()
        )
        raise UsageError(f"the systems have no task in common: {listed}")
    return kept


def _by_grader(logs: Sequence[SystemLog], scorers: Sequence[str]) -> list[SystemLog]:
    """Return each log once for each scorer, named after this, too, or alone if it tells enough."""
    alone = len({log.name for log in logs}) == 1
    return [
        replace(log, name=scorer if alone else f"{log.name}/{scorer}", grader=scorer)
        for log in logs
        for scorer in scorers
    ]


def _name(logs: Sequence[SystemLog]) -> None:
    """Name logs with names of their programs after the model, and tell runs of one model apart."""
    named = ((log, PurePath(log.source.path).name) for log in logs if log.head.model)
    own = [log for log, name in named if _OF_INSPECT.fullmatch(name) or OF_SAMPLES.fullmatch(name)]
    last = Counter(model.rpartition("/")[2] for model in {log.head.model for log in own})
    runs: dict[tuple[str, str], list[SystemLog]] = {}
    for log in sorted(own, key=lambda log: log.head.created):
        short = log.head.model.rpartition("/")[2]
        log.name = short if last[short] == 1 else log.head.model
        runs.setdefault((log.name, log.head.task), []).append(log)
    for several in runs.values():
        seeds = [log.head.seed for log in several]
        has_seeds = all(seeds) and len({*seeds}) == len(seeds)
        for number, log in enumerate(several if len(several) > 1 else (), 1):
            log.name = f"{log.name}/{log.head.seed if has_seeds else number}"
