"""What is to be done: for each language of each edition its files, and the runs by name."""

from __future__ import annotations

import os
from typing import NamedTuple

from ave_score.counts import Family
from ave_score.measures import Measure
from ave_score.policies import Policies


def shown_from(folder: str, path: str) -> str:
    """Return a path as a campaign file in `folder` has it, from wherever that is read."""
    return os.path.relpath(path, folder or ".")


class RunFile(NamedTuple):
    """A run that was submitted: what it is called, and its file."""

    name: str
    path: str


class Task(NamedTuple):
    """One language of one edition; paths as they can be opened, from `folder` on.

    `groups` is a file, or the groups themselves; `measures` is empty where none are named;
    `unusable` are files that are named and cannot be used, and why, without which nothing can be
    scored unless `is_usable`.
    """

    folder: str
    edition: str
    language: str
    policies: Policies
    measures: list[Measure]
    collection: str
    key: str | None
    judged: str | None
    groups: str | dict[str, str]
    runs: list[RunFile]
    left_out: list[RunFile]
    run_folders: list[str]
    unusable: list[tuple[str, str]]
    is_usable: bool

    @property
    def every_run(self) -> list[RunFile]:
        """All runs that were found, those that are left out for their names among them."""
        return [*self.runs, *self.left_out]

    @property
    def samples(self) -> frozenset[Family]:
        """What has to be kept answer by answer for the measures that are asked for."""
        return frozenset(one.family for one in self.measures if not one.family.of_answers)

    @property
    def where(self) -> str:
        """What it is called in messages."""
        return f"{self.edition} {self.language}"

    def shown(self, path: str) -> str:
        """Return a path as the campaign file has it, from wherever that is read."""
        return shown_from(self.folder, path)


class Plan(NamedTuple):
    """A campaign with all files found: title, folder of results, and tasks in the file's order."""

    path: str
    title: str
    output: str
    tasks: list[Task]

    @property
    def name(self) -> str:
        """The name of the campaign file, from wherever it is read."""
        return os.path.basename(self.path)
