"""Scores one language: run by run, and only what was not counted before."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ave_score.campaigns.cache import Cache, key_of
from ave_score.campaigns.count import Reports, count_gold, count_run, read_groups, unreadable
from ave_score.campaigns.counted import (
    CountedGold,
    FileReport,
    Found,
    gold_of,
    rows_to_json,
    run_of,
)
from ave_score.campaigns.task import RunFile, Task
from ave_score.counts.counted import Kind
from ave_score.errors import InputError, UsageError
from ave_score.files.gold import Gold, check_gold
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.measures import Measure, parse_measures
from ave_score.scoring import Row, Scores, default_measures, measured, unused_groups
from ave_score.text import did_you_mean


class Result(NamedTuple):
    """One language scored: None where it could not be; and what is to be told of its files.

    `submitted` holds kind and name of the rows of `scores` that were submitted to the campaign.
    """

    task: Task
    scores: Scores | None
    reports: Reports
    submitted: frozenset[tuple[Kind, str]] = frozenset()

    @property
    def left_out(self) -> Reports:
        """The files that were not scored."""
        return [report for report in self.reports if report.left_out]

    @property
    def notes(self) -> Reports:
        """What is to be told beside findings, of what was not left out."""
        return [one for one in self.reports if not one.left_out and not one.lines]

    @property
    def runs(self) -> list[Row]:
        """What was submitted: runs, and the answers of systems."""
        rows = self.scores.rows if self.scores else ()
        return [row for row in rows if (row.kind, row.run) in self.submitted]

    @property
    def systems(self) -> list[Row]:
        """QA systems that are ranked beside what was submitted."""
        rows = self.scores.rows if self.scores else ()
        others = [row for row in rows if row.kind is Kind.QA]
        return [row for row in others if (row.kind, row.run) not in self.submitted]


class Worker:
    """Scores one language.

    Parameters
    ----------
    task
        What is to be scored.
    cache
        What was counted before.
    """

    def __init__(self, task: Task, cache: Cache) -> None:
        self._task = task
        self._cache = cache
        self._reports: Reports = [
            FileReport(task.shown(path), told, [], left_out=True) for path, told in task.unusable
        ]
        self._rows: list[Found] = []
        self._gold: CountedGold | None = None
        if task.is_usable:
            self._gold, reports = self._of_gold()
            self._reports += reports

    def take(self, run: RunFile) -> None:
        """Check and count one run."""
        if self._gold is None:
            return
        shown = self._task.shown(run.path)
        try:
            key = key_of("run", *self._gold_parts, run.name, shown, Source(run.path).sha256())
            found = self._cache.get(key, run_of)
            if found is None:
                found = self._counted(run)
                self._cache.put(key, {"rows": rows_to_json(found[0]), "reports": found[1]})
        except InputError as error:
            found = [], [unreadable(self._task, error)]
        rows, reports = found
        self._rows += rows
        self._reports += reports

    def result(self) -> Result:
        """Return everything that was counted and found."""
        task, reports = self._task, self._reports
        if self._gold is None:
            return Result(task, None, reports)
        found, doubled = _told_apart([*self._gold.rows, *self._rows])
        groups, of_groups = read_groups(task)
        reports = [*reports, *_of_one_name(task), *doubled, *of_groups]
        reports += self._unused(groups, found)
        counted = [one.row for one in found]
        measures = task.measures or parse_measures(default_measures(counted))
        scores = measured(self._gold.facts, task.policies, measures, counted, groups)
        submitted = frozenset((one.row.kind, one.row.name) for one in found if one.is_submitted)
        left_out = [report.path for report in reports if report.left_out]
        result = Result(task, scores._replace(left_out=left_out), reports, submitted)
        return result._replace(reports=[*reports, *_inapplicable(result, measures)])

    @cached_property
    def _gold_parts(self) -> list[str]:
        """Everything that decides what an answer is worth."""
        task = self._task
        files = [task.collection, *([task.key] if task.key else [])]
        return [
            *map(str, task.policies._asdict().items()),
            *sorted(map(str, task.samples)),
            *(Source(path).sha256() for path in files),
        ]

    @cached_property
    def _read(self) -> tuple[Gold | None, list[Findings]]:
        """What is scored against and what was found in it; read when first wanted."""
        task = self._task
        key = Source(task.key) if task.key else None
        return check_gold(Source(task.collection), key, task.policies.campaign)

    def _of_gold(self) -> tuple[CountedGold | None, Reports]:
        judged, of_judged = self._hash_of_judged()
        task = self._task
        try:
            shown = [task.shown(path) for path in (task.collection, task.key, task.judged) if path]
            key = key_of("gold", *self._gold_parts, *shown, judged)
            found = self._cache.get(key, gold_of)
            if found is None:
                found = count_gold(task, self._read)
                gold, reports = found
                facts = gold and gold.facts._asdict()
                rows = gold and rows_to_json(gold.rows)
                self._cache.put(key, {"facts": facts, "rows": rows, "reports": reports})
        except InputError as error:
            found = None, [unreadable(task, error)]
        except UsageError as error:  # a key to what takes none
            where = task.shown(task.collection)
            told = str(error).replace(task.collection, where)
            found = None, [FileReport(where, told, [], left_out=True)]
        gold, reports = found
        return gold, of_judged + reports

    def _hash_of_judged(self) -> tuple[str, Reports]:
        """Return the hash of the judged file; where it cannot be read only that is left out."""
        if self._task.judged is None:
            return "", []
        try:
            return Source(self._task.judged).sha256(), []
        except InputError as error:
            self._task = self._task._replace(judged=None)
            return "", [unreadable(self._task, error)]

    def _counted(self, run: RunFile) -> tuple[list[Found], Reports]:
        gold, _ = self._read
        return ([], []) if gold is None else count_run(self._task, gold, run)

    def _unused(self, groups: Iterable[str], found: Iterable[Found]) -> Reports:
        """Report names in the groups that nothing bears, where that is a mistake.

        A file of groups may be about other languages, too: of it only what is nearly the name of a
        run without a group.
        """
        task = self._task
        if any(report.left_out for report in self._reports):
            return []  # who knows what they would have been called
        shown = "groups" if isinstance(task.groups, dict) else task.shown(task.groups)
        known = [one.row.name for one in found if one.row.kind is not Kind.BASELINE]
        known += [run.name for run in task.left_out]
        meant = unused_groups(groups, known)
        return [
            FileReport(shown, f"{name} is no run and no system{did_you_mean(near)}", [], False)
            for name, near in meant.items()
            if near or isinstance(task.groups, dict)
        ]


def _of_one_name(task: Task) -> Reports:
    return [
        FileReport(task.shown(run.path), f"not the only run called {run.name}", [], left_out=True)
        for run in task.left_out
    ]


def _told_apart(rows: Iterable[Found]) -> tuple[list[Found], Reports]:
    """Leave out QA systems that have the name of one before them; a report for each file."""
    first: dict[tuple[Kind, str], Found] = {}
    doubled: dict[str, list[str]] = {}
    for one in rows:
        before = first.setdefault((one.row.kind, one.row.name), one)
        if before is not one:
            told = f"{one.row.name} is in {before.path}, too"
            doubled.setdefault(one.path, []).append(told)
    kept = {one.path for one in first.values() if one.row.kind is not Kind.BASELINE}
    return list(first.values()), [
        FileReport(path, "counted once: " + "; ".join(told), [], left_out=path not in kept)
        for path, told in doubled.items()
    ]


def _inapplicable(result: Result, measures: Iterable[Measure]) -> Reports:
    """Report measures that were asked for where none of them says anything of the runs."""
    asked = [measure.key for measure in measures]
    rows = [*result.runs, *result.systems]
    if not rows or any(row.values[key] is not None for row in rows for key in asked):
        return []
    told = f"none of the measures {', '.join(asked)} applies to what was submitted"
    return [FileReport(result.task.shown(result.task.collection), told, [], left_out=False)]
