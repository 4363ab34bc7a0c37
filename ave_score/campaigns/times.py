"""Times of submission: each table of a campaign is read once, and each of its rows is of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ave_score.campaigns.submissions import ends_of, problem_of
from ave_score.campaigns.task import RunFile, Times
from ave_score.core.errors import InputError
from ave_score.core.text import brief, composed, nearest, text_of_name
from ave_score.files.source import Source
from ave_score.files.times import check_times, deadline_problem


class _Table(NamedTuple):
    """A table of times: what names it, the keys that are of runs, and the names of all runs.

    `used` is key -> language -> the files that it names, `keys` file -> its run and the key that
    counts.
    """

    where: str
    times: Times
    used: dict[str, dict[str, list[str]]]
    known: dict[str, None]
    keys: dict[str, tuple[RunFile, str]]


class Unmatched(NamedTuple):
    """A name in a table of times that is of no run, its language, and the run that may be meant.

    `first` is another name in the table, whose time counts, if both are of one file.
    """

    where: str
    name: str
    near: str | None
    first: str | None = None


class TimesRead:
    """The tables of times of a campaign; `folder` is that of the campaign file."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._tables: dict[str | int, _Table] = {}

    def table(self, source: str | dict[str, datetime], where: str) -> Times:
        """Return the times that a language names; `where` is for messages about them.

        Raises `InputError` if they cannot be used: nobody could say which run is late.
        """
        key = source if isinstance(source, str) else id(source)
        if key not in self._tables:
            times = self._read(source) if isinstance(source, str) else source
            self._tables[key] = _Table(where, times, {}, {}, {})
        return self._tables[key].times

    def use(
        self, source: str | dict[str, datetime], task: str, runs: Mapping[str, RunFile]
    ) -> None:
        """Note which rows are of the runs of a task, by their paths."""
        _, times, used, known, keys = self._tables[
            source if isinstance(source, str) else id(source)
        ]
        known |= dict.fromkeys(run.name for run in runs.values())
        for run in runs.values():  # a row may name what a longer name of a run stands for
            used.setdefault(composed(run.name), {})
        for path, key in _keys(runs, times).items():
            if key is not None:
                keys[path] = runs[path], key
                used.setdefault(key, {}).setdefault(task, []).append(path)

    def unmatched(self) -> Iterator[Unmatched]:
        """Yield the rows that are of no run of any language, or of one with another time."""
        for where, times, used, known, keys in self._tables.values():
            of_names = _composed(times)
            left = [name for name in times if not used.get(composed(name))]  # no file takes them
            counts: dict[str, str] = {}
            for path, (run, key) in keys.items() if left else ():
                for name in _names_of(run, path):
                    counts.setdefault(name, key)
            for name in left:
                first = counts.get(composed(name))
                is_known = (
                    composed(name) in used if first is None else of_names[first] == times[name]
                )
                if not is_known:
                    yield Unmatched(where, name, nearest(name, [*known]), first)

    def check(self, path: str) -> None:
        """Raise `InputError` if rows name different files of several tasks: whose time is it?"""
        for where, _, used, *_ in self._tables.values():
            several = {
                key: [*dict.fromkeys(path for paths in tasks.values() for path in paths)]
                for key, tasks in used.items()
                if len(tasks) > 1
            }
            said = [
                f"{key!r} is of {brief(files, 2, ' and ')}"
                for key, files in several.items()
                if len(files) > 1
            ]
            if said:
                more = f"; there are {len(said) - 1:,} more such names" * (len(said) > 1)
                reason = (
                    f"submitted of {where}: {said[0]}; name one file by the end of its path{more}"
                )
                raise InputError(path, f"{reason}; {_NOT_KNOWN}")

    def _read(self, name: str) -> Times:
        path = str(Path(self._folder) / name)
        problem = problem_of(path)
        if problem is not None:
            raise InputError(text_of_name(path), f"{problem}; {_NOT_KNOWN}")
        times, (findings,) = check_times(Source(path))
        if times is None:
            first = next(iter(findings))
            line = f"line {first.line}: " if first.line else ""
            reason = f"{line}{first.rule.code} {first.message}; {_NOT_KNOWN}"
            raise InputError(text_of_name(path), reason)
        return times


_NOT_KNOWN = "nothing is scored, since the times of submission are not known"


def check_deadline(where: str, closes: datetime | None, times: object, path: str) -> None:
    """Raise `InputError` for a deadline without times of submission."""
    problem = deadline_problem(where, closes, times)
    if problem:
        raise InputError(path, f"{problem}; set submitted, or remove closes")


def times_of(runs: Mapping[str, RunFile], times: Times) -> dict[str, datetime | str]:
    """Return the time of submission of each file, or the end of a message why it has none."""
    known = _composed(times)
    keys = _keys(runs, times)
    used = Counter(keys.values())
    submitted: dict[str, datetime | str] = {}
    for path, key in keys.items():
        if key is None:
            submitted[path] = ""
        elif used[key] > 1:
            submitted[path] = f": {key} may be any of {used[key]} runs"
        else:
            submitted[path] = known[key]
    return submitted


def _composed(times: Times) -> dict[str, datetime]:
    return {composed(key): time for key, time in times.items()}


def _keys(runs: Mapping[str, RunFile], times: Iterable[str]) -> dict[str, str | None]:
    known = frozenset(composed(key) for key in times)
    return {
        path: next((name for name in _names_of(run, path) if name in known), None)
        for path, run in runs.items()
    }


def _names_of(run: RunFile, path: str) -> Iterator[str]:
    """Yield the keys that a run may have, best first: the ends of its path, and its name.

    Teams use the same names of files, so these alone are no keys of their runs.
    """
    yield from (end for end in ends_of(path) if "/" in end or not run.team)
    yield composed(run.name)
