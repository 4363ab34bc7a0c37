"""A language of a campaign: its files, runs and settings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ave_score.core.findings import Findings
from ave_score.core.policies import Policies
from ave_score.core.text import composed, text_of_name
from ave_score.files.campaign import Word
from ave_score.files.naming import Naming
from ave_score.files.source import Source
from ave_score.measures import Measure

Times = Mapping[str, datetime]
"""Run, by its name or the end of its path -> time of submission."""


def shown_from(folder: str, path: str) -> str:
    """Return a path relative to the folder of the campaign file, as text with slashes."""
    return composed(text_of_name(os.path.relpath(path, folder or ".").replace(os.sep, "/")))


def source_by_settings(path: str, reading: Mapping[str, Any], policies: Policies) -> Source:
    """Return the source of a file that is read by the settings of a language."""
    return Source(path, Naming.of(reading, is_decided=policies.threshold is not None))


class RunFile(NamedTuple):
    """The name and the file of a submitted run, and the team whose folder it is in."""

    name: str
    path: str
    team: str = ""


class FileReport(NamedTuple):
    """What is to be said of a file, a team or a setting: one line, and the findings in full.

    `findings` are those that `lines` say, with the path of the file that was read. What `may_pass`
    is of the computer, such as a lack of memory: another call may be luckier. `team` is that whose
    business it is alone.
    """

    path: str
    summary: str
    lines: Sequence[str] = ()
    not_scored: bool = False
    findings: Findings | None = None
    may_pass: bool = False
    team: str = ""


class Limits(NamedTuple):
    """What the runs of a language are held against, and when they were submitted.

    `opens` is when a platform takes runs.
    """

    max_runs_per_team: int | None
    closes: datetime | None
    submitted: Times | None
    beyond: str
    opens: datetime | None = None


class Task(NamedTuple):
    """One language of one edition; paths include `folder`.

    `word` is what the campaign file calls a language, `language` its name.
    `teams` is a path or the teams themselves. `measures` is empty for the default measures;
    `asked` is its text, which has others beside qrels and answer sets. `compare` is the text of
    those of comparisons, None for the default and empty for none; in a check, nothing
    `is_compared`.
    `unusable` lists (path, reason) of unusable files; the language is scored if `is_usable`.
    `strays` are those beside runs that no pattern matches, which nothing else depends on.
    `notes` are on runs and files that are no runs, `refused` on files of teams that are not read,
    `line` is that of the language in the campaign file, `patterns` has the settings that are names
    of runs, or patterns of names, such as `reference`; `reading` has those of how files are read.
    """

    folder: str
    edition: str
    word: Word
    language: str
    policies: Policies
    measures: list[Measure]
    compare: str | None
    collection: str
    key: str | None
    judged: str | None
    teams: str | dict[str, str]
    runs: list[RunFile]
    not_scored: list[RunFile]
    run_folders: list[str]
    unusable: list[tuple[str, str]]
    is_usable: bool
    limits: Limits
    notes: list[FileReport]
    refused: list[FileReport]
    line: int | None
    patterns: dict[str, list[str]]
    reading: dict[str, Any]
    asked: str = ""
    is_compared: bool = True
    strays: Sequence[tuple[str, str]] = ()

    @property
    def label(self) -> str:
        """The name of the language in texts: `en`, or `Task A`."""
        return f"{self.word.before}{self.language}"

    @property
    def where(self) -> str:
        """The name in messages: edition and language."""
        return f"{self.edition} {self.label}"

    @property
    def title(self) -> str:
        """The name in headings."""
        return f"{self.edition}, {self.label}"

    def shown(self, path: str) -> str:
        """Return a path relative to the campaign file."""
        return shown_from(self.folder, path)

    def source(self, path: str) -> Source:
        """Return the source of a file, for a look at its beginning."""
        return source_by_settings(path, self.reading, self.policies)

    @property
    def files(self) -> dict[str, RunFile]:
        """Path, as shown -> the run in the file, scored or not."""
        return {self.shown(run.path): run for run in (*self.runs, *self.not_scored)}
