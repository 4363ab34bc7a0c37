"""The files below a folder, wherever a folder stands for its files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from glob import iglob
from itertools import islice
from typing import NamedTuple, TypeGuard

from ave_score.core.errors import InputError, error_text
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.labels import MEANINGS, PAIR_WORDS
from ave_score.core.text import brief, listed, visible
from ave_score.files.naming import Naming
from ave_score.files.sniff import first_line, has_systems, head_of, sniff
from ave_score.files.source import Source

MAX_FILES = 100_000
"""Files of a folder or of a pattern: one that has more, such as `/`, is not meant."""

RESULTS = frozenset(["index.md", "findings.md", "cache.json"])
"""Files of every results folder."""

_KNOWN = re.compile(
    r".*\.(?:txt|tsv|tab|csv|jsonl|ndjson|json|xml|toml|parquet|eval|run|trec|pred|gz|xz)",
    re.I | re.S,
)
OF_SAMPLES = re.compile(
    r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl(?:\.gz|\.xz)?", re.S
)
"""The names that lm-evaluation-harness gives to files of samples."""

_OF_RESULTS = re.compile(r"results_\d{4}-\d\d-\d\dT[\d.-]+\.json")
_LEFT_BEHIND = re.compile(r"readme.*|.*~|#.*#|.*\.sw[a-p]|thumbs\.db|desktop\.ini", re.I | re.S)
_FIXED = re.compile(r".*\.fixed\.(?:txt|csv|tsv|jsonl)", re.S)
_OF_LABELS = re.compile(r"(?:.*[-_. ])?(?:gold|keys?|labels?|qrels?)(?:[-_. ].*)?", re.I | re.S)


def is_folder(value: object) -> TypeGuard[str | os.PathLike[str]]:
    """Tell whether a value is the path of a folder."""
    return isinstance(value, str | os.PathLike) and os.path.isdir(value)


class Unfolded(NamedTuple):
    """The files that paths stand for.

    Attributes
    ----------
    paths
        The files, those of a folder sorted. A folder stays as it is if no file is read in it: see
        `check_is_no_folder`.
    teams
        File -> the sub-folder of the named folder that it is in, at any depth; empty if any file is
        in none.
    skipped
        Why files are not read -> their names.
    """

    paths: list[str]
    teams: dict[str, str]
    skipped: dict[str, list[str]]

    def remark(self, done: str) -> str:
        """Return what is not read: `2 links (a, b) and 1 special file (pipe) not checked`."""
        parts = [
            f"{len(names):,} {what.format(s='s' * (len(names) > 1))} ({visible(brief(names))})"
            for what, names in sorted(self.skipped.items())
        ]
        return f"{listed(parts)} not {done}"


def unfolded(
    paths: Sequence[str],
    without: Sequence[str | None] = (),
    why_not: Callable[[str], str] = lambda _: "",
) -> Unfolded:
    """Return the files of paths; a folder stands for all files below it.

    Parameters
    ----------
    paths
        Files and folders.
    without
        Files that are read or written as something else.
    why_not
        Tells what else a file in a folder is, as a key of `Unfolded.skipped`, or nothing.

    Raises
    ------
    InputError
        A folder has more than `MAX_FILES`.
    """
    others = {os.path.realpath(path) for path in without if path not in (None, "-")}
    found = Unfolded([], {}, {})
    for path in paths:
        before = len(found.paths)
        for file in _files_below(path) if os.path.isdir(path) else ():
            if os.path.realpath(file) in others:
                continue
            reason = _why_skipped(file) or why_not(file)
            if reason:
                found.skipped.setdefault(reason, []).append(os.path.basename(file))
                continue
            found.paths.append(file)
            team, *below = os.path.relpath(file, path).split(os.sep)
            if below:
                found.teams[file] = team
        if len(found.paths) == before:
            found.paths.append(path)
    return found if len(found.teams) == len(found.paths) else found._replace(teams={})


def unfolded_runs(paths: Sequence[str], without: Sequence[str | None], naming: Naming) -> Unfolded:
    """Return the runs of paths as `unfolded`; raises `InputError` for a folder without any.

    Other files in folders, such as collections, are skipped.
    """
    found = unfolded(paths, without, partial(_why_no_run, naming=naming))
    for path in found.paths:
        check_is_no_folder(path)
    return found


def unfolded_logs(paths: Sequence[str], without: Sequence[str | None] = ()) -> Unfolded:
    """Return the logs of paths as `unfolded_runs`: of samples in folders, the newest of a task."""
    found = unfolded(paths, without, _why_no_log)
    tasks: dict[str, tuple[str, str]] = {}
    for path in found.paths:
        check_is_no_folder(path)
        samples = OF_SAMPLES.fullmatch(os.path.basename(path))
        if samples and path not in paths:
            tasks[path] = os.path.dirname(path), samples["task"]
    newest = {task: path for path, task in tasks.items()}  # of files sorted by their dates
    older = [path for path, task in tasks.items() if newest[task] != path]
    if older:
        found.skipped["older file{s} of samples"] = [*map(os.path.basename, older)]
    return found._replace(paths=[path for path in found.paths if path not in older])


def _why_no_log(path: str) -> str:
    try:
        return "" if has_systems(Source(path)) else "other file{s}"
    except InputError:  # the reader of the file reports it
        return ""


def why_not_checked(path: str) -> str:
    """Return what a file in a folder is that is read with samples beside it, or an empty text."""
    folder, name = os.path.split(path)
    beside = name.replace("results_", "samples_*_", 1) + "l*"
    is_read = _OF_RESULTS.fullmatch(name) and iglob(beside, root_dir=folder)
    return "file{s} of results" if is_read and any(is_read) else ""


def walk(folder: str) -> Iterator[str]:
    """Yield the files below a folder, but no hidden ones.

    Folders that are links, that cannot be read, or that have the results of a campaign are yielded
    and not entered.
    """
    waiting = [folder]  # os.walk calls itself for each level before Python 3.12
    while waiting:
        parent = waiting.pop()
        try:
            with os.scandir(parent) as entries:
                inside = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError:
            inside = []
            yield parent
        if {entry.name for entry in inside} >= RESULTS:
            inside = []
            yield parent
        for entry in inside:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                yield entry.path


def _files_below(folder: str) -> list[str]:
    files = sorted(islice(walk(folder), MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise InputError(folder, f"has more than {MAX_FILES:,} files")
    return files


def is_left_behind(path: str) -> bool:
    """Tell whether a file is named like those that people, editors and systems leave in folders."""
    return bool(_LEFT_BEHIND.fullmatch(os.path.basename(path)))


def is_regular(path: str) -> bool:
    """Tell whether a path is a regular file, and not a view of the system that looks like one."""
    return os.path.isfile(path) and not os.path.realpath(path).startswith(("/proc/", "/sys/"))


def bytes_of(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the bytes of a regular file as they are stored.

    Raises `InputError` if it cannot be read, is not regular, which may have no end, or has more
    than `most` bytes.
    """
    name = os.fspath(path)
    if "\0" in name:
        raise InputError(name, "is not a file name")
    try:
        size = os.stat(name).st_size
        if not is_regular(name):
            raise InputError(name, "is not a regular file")
        if size <= most:
            with open(name, "rb") as file:
                data = file.read(most + 1)
            size = len(data)  # it may have grown
    except OSError as error:
        raise InputError(name, error_text(error)) from error
    if size > most:
        limit = f"{most >> 20:,} MiB" if most >> 20 else f"{most:,} bytes"
        raise InputError(name, f"holds more than {limit}")
    return data


def is_open(folder: str) -> bool:
    """Tell whether the files of a folder can be listed and read."""
    return os.access(folder, os.R_OK | os.X_OK)


def check_is_no_folder(path: str) -> None:
    """Raise `InputError` for a folder in which `unfolded` found nothing to read."""
    if os.path.isdir(path):
        reason = "without files to read" if is_open(path) else "that cannot be read"
        raise InputError(path, f"is a folder {reason}")


def _why_skipped(path: str) -> str:
    """Return why a file below a folder is not read, or an empty text."""
    name = os.path.basename(path)
    if os.path.islink(path):
        return "link{s}"
    if os.path.isdir(path):
        return "folder{s} of results" if is_open(path) else ""
    if not is_regular(path):
        return "special file{s}"
    if is_left_behind(path):
        return "file{s} not named like runs"
    if not _KNOWN.fullmatch(name):
        return "file{s} without a known suffix"
    return "file{s} that fix wrote" if _FIXED.fullmatch(name) else ""


def _why_no_run(path: str, naming: Naming) -> str:
    """Return what a file in a folder is, if nobody submits its kind, or an empty text.

    A run of pairs needs no confidences, and looks like their labels: its name tells.
    """
    source = Source(path, naming)
    try:
        kind, (*_, last) = sniff(source), first_line(head_of(source)).split() or [""]
    except InputError:  # the reader of the file reports it
        return ""
    if last in {*MEANINGS, *PAIR_WORDS.values()} and _OF_LABELS.fullmatch(source.name):
        kind = FileKind.KEY
    is_run = KINDS[kind].is_submitted or kind is FileKind.RESPONSES
    return "" if is_run else f"file{{s}} of kind {kind}"
