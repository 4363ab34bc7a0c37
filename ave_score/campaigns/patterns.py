"""The settings that are patterns of names: which of them name runs of a language."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ave_score.campaigns.task import Task
from ave_score.core.kinds import KINDS
from ave_score.core.model import Run
from ave_score.core.text import nearest
from ave_score.files.sniff import sniff
from ave_score.tasks.named import is_named
from ave_score.tasks.replicates import singles

if TYPE_CHECKING:
    from ave_score.inference.units import Subject


class UnusedPattern(NamedTuple):
    """A pattern of a setting, such as `reference`, that names no run of a language.

    `near` is what may be meant, `not_scored` are the runs that it names and that are not scored,
    `may_match` tells whether it may name what is not scored.
    """

    setting: str
    pattern: str
    near: str | None
    not_scored: list[str]
    may_match: bool


def patterns_of(
    task: Task, subjects: Sequence[Subject]
) -> tuple[dict[str, list[str]], list[UnusedPattern]]:
    """Return the patterns of each setting that match, and the others."""
    others = [run for run in subjects if not is_named(run.name, task.patterns["reference"])]
    among = {
        "reference": subjects,
        "primary": [other for other in others if isinstance(other, Run)],
    }
    used: dict[str, list[str]] = {}
    unused: list[UnusedPattern] = []
    not_scored = {run.name for run in task.files.values()} - {run.name for run in subjects}
    for name, patterns in task.patterns.items():
        runs = among.get(name) or others
        used[name] = [
            pattern for pattern in patterns if any(is_named(run.name, [pattern]) for run in runs)
        ]
        names = [run.name for run in runs]
        for pattern in patterns:
            if pattern not in used[name]:
                lost = sorted(run for run in not_scored if is_named(run, [pattern]))
                may_match = bool(lost) or _have_unknown_systems(task, subjects)
                near = nearest(pattern, names)
                unused.append(UnusedPattern(name, pattern, near, lost, may_match))
    return used, unused


def _have_unknown_systems(task: Task, subjects: Sequence[Subject]) -> bool:
    """Tell whether a file that is not scored may have systems, whose names nobody knows."""
    read = {run.path for run in singles(subjects)}
    if task.judged is not None and task.judged not in read:
        return True
    for run in (*task.runs, *task.not_scored):
        with suppress(Exception):  # whatever is wrong with it, it is reported
            if run.path not in read and KINDS[sniff(task.source(run.path))].has_systems:
                return True
    return False
