"""Find submitted runs: folders, files, patterns, and folders of teams."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Sequence
from glob import escape, glob, has_magic, iglob
from itertools import islice, zip_longest
from typing import NamedTuple

from ave_score.core.text import composed, shortest_names, text_of_name
from ave_score.files.campaign import TEAM
from ave_score.files.folders import MAX_FILES, RESULTS, is_left_behind, is_open, is_regular, walk
from ave_score.files.source import Source


class FoundFile(NamedTuple):
    """A file that a pattern matches; team and name are empty unless `TEAM` gives them.

    `problem` tells why a file or folder of a team cannot be used.
    """

    path: str
    team: str = ""
    name: str = ""
    problem: str = ""

    @property
    def is_run(self) -> bool:
        """Whether the file may be a run by its name."""
        return not (os.path.isfile(self.path) and is_left_behind(self.path))


def matching(folder: str, pattern: str) -> list[FoundFile] | None:
    """Return what a pattern matches, in order of path; hidden files only if it names one.

    `pattern` is relative to `folder`: a folder, a file, a glob, or a pattern with `TEAM`. None:
    it matches more than `MAX_FILES`, which is the limit of each team if it has `TEAM`.
    """
    if has_team(pattern) and not os.path.lexists(os.path.join(folder, pattern)):
        return sorted(_of_teams(folder, pattern))
    files = sorted(islice(_matches(folder, pattern), MAX_FILES + 1))
    return files if len(files) <= MAX_FILES else None


def _matches(folder: str, pattern: str) -> Iterator[FoundFile]:
    full = os.path.join(folder, pattern)
    if os.path.lexists(full) and not os.path.isdir(full):
        yield FoundFile(full)
    elif os.path.isdir(full):
        yield from map(FoundFile, walk(full))
    else:
        yield from map(FoundFile, iglob(os.path.join(escape(folder), pattern)))


def ends_of(path: str) -> Iterator[str]:
    """Yield the ends of a path, with and without suffixes, the longest first."""
    *folders, file = path.split("/")
    names = file, Source(file).name
    for first in range(len(folders) + 1):
        for last in names:
            yield "/".join([*folders[first:], last])


def key_of(path: str, keys: Container[str]) -> str | None:
    """Return the longest of the keys that matches the end of a path."""
    return next((key for key in ends_of(path) if key in keys), None)


def own_names(files: Sequence[FoundFile], shown: Sequence[str]) -> list[str]:
    """Return the names of runs: those that `TEAM` gives, and the shortest of the other paths."""
    paths = [path.split("/") for path, file in zip(shown, files, strict=True) if not file.name]
    short = iter(shortest_names([(tuple(folders), Source(name).name) for *folders, name in paths]))
    return [file.name or next(short) for file in files]


def has_team(pattern: str) -> bool:
    """Tell whether folders give the teams of the runs."""
    return TEAM in pattern.split("/")


def problem_of(path: str) -> str | None:
    """Return why a file is unreadable, or None."""
    if os.path.isdir(path):
        return "is a folder"
    if not os.path.exists(path):
        return "does not exist"
    if not is_regular(path):
        return "is not a regular file"
    return None if os.access(path, os.R_OK) else "is not readable"


def parent_of_teams(folder: str, pattern: str) -> list[str]:
    """Return the folders that contain the folders of the teams."""
    above = pattern.partition(TEAM)[0]
    full = os.path.join(folder, above)
    return [full] if os.path.isdir(full) else sorted(glob(os.path.join(escape(folder), above)))


class TeamFolder(NamedTuple):
    """The folder of a team, and the folder that it is in."""

    path: str
    parent: str
    team: str


def team_folders(folder: str, pattern: str) -> Iterator[TeamFolder]:
    """Yield the folders of the teams of a pattern; results of a campaign are none."""
    for parent in parent_of_teams(folder, pattern):
        for name in glob("*", root_dir=parent):
            top = os.path.join(parent, name)
            if os.path.isdir(top) and not {*glob("*", root_dir=top)} >= RESULTS:
                yield TeamFolder(top, parent, composed(text_of_name(name)))


def _of_teams(folder: str, pattern: str) -> Iterator[FoundFile]:
    """Yield the files in the folders of teams.

    The name of a run depends on its own path alone: the team, the folders below it that the
    pattern leaves open, and the file. Links could show one team the files of others. The folder
    of a team that has too many files is yielded instead of these: it costs nobody else anything.
    """
    below = os.path.normpath(pattern.partition(TEAM)[2].lstrip("/"))
    literal = [not has_magic(part) for part in below.split(os.sep)] if below != "." else []
    for top, parent, team in team_folders(folder, pattern):
        if problem := _problem(top, parent):
            yield FoundFile(top, team, team, problem)
            continue
        paths = [*islice(_files_matching(top, below, literal), MAX_FILES + 1)]
        if len(paths) > MAX_FILES:
            yield FoundFile(top, team, team, f"has more than {MAX_FILES:,} files")
            continue
        for path in paths:
            inner = os.path.relpath(path, top).split(os.sep)
            open_parts = [
                part
                for part, is_literal in zip_longest(inner[:-1], literal[: len(inner) - 1])
                if not is_literal
            ]
            name = "/".join([os.path.basename(top), *open_parts, Source(path).name])
            yield FoundFile(path, team, composed(text_of_name(name)), _problem(path, parent))


def _problem(path: str, parent: str) -> str:
    """Return why a path below the folders of teams cannot be used, or an empty text."""
    unlinked = os.path.join(os.path.realpath(parent), os.path.relpath(path, parent))
    if os.path.realpath(path) != unlinked:
        return f"is reached through a link, which {TEAM} does not follow"
    return "is not readable" if os.path.isdir(path) and not is_open(path) else ""


def _files_matching(top: str, below: str, literal: list[bool]) -> Iterator[str]:
    """Yield the files of a team; a folder that the pattern names in full stands for its files."""
    for match in iglob(below, root_dir=top):
        path = top if match == "." else os.path.join(top, match)
        if os.path.isdir(path) and all(literal[-1:]):
            yield from walk(path)
        else:
            yield path
