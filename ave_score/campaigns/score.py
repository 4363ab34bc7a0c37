"""Scores one language: its collection, then run by run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ave_score.campaigns.plan import RunFile, Task
from ave_score.collection_summary import CollectionSummary, collection_summary
from ave_score.counts import additive_families
from ave_score.counts.counted import Counted, Kind, RowCounter
from ave_score.errors import InputError, UsageError
from ave_score.files.check import check_submission
from ave_score.files.gold import check_gold
from ave_score.files.groups import check_groups
from ave_score.files.judged import check_judged
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection, QARun, Run
from ave_score.policies import settle_unknown
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import Severity
from ave_score.scoring import Row, Scores, default_measures, measured, unused_groups
from ave_score.text import did_you_mean


class FileReport(NamedTuple):
    """What is wrong with a file: in a line, and in as many as it takes."""

    path: str
    summary: str
    lines: list[str]
    left_out: bool


Reports = list[FileReport]


class Found(NamedTuple):
    """A row, the file that it comes from, and whether that was submitted to the campaign.

    Judged QA systems that are ranked beside the runs were not, and neither were baselines.
    """

    row: Counted
    path: str
    is_submitted: bool


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
    """Scores one language: `take` counts a run, `result` returns what came of all."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._reports: Reports = [
            FileReport(task.shown(path), told, [], left_out=True) for path, told in task.unusable
        ]
        self._rows: list[Found] = []
        self._facts: CollectionSummary | None = None
        if task.is_usable:
            self._read_gold()

    def _read_gold(self) -> None:
        """Read and count what is scored against, and the QA systems that are ranked beside it."""
        task, shown = self._task, self._task.shown(self._task.collection)
        key = Source(task.key) if task.key else None
        try:
            gold, found = check_gold(Source(task.collection), key, task.policies.campaign)
        except InputError as error:
            self._reports.append(_unreadable(task, error))
            return
        except UsageError as error:  # a key to what takes none
            told = str(error).replace(task.collection, shown)
            self._reports.append(FileReport(shown, told, [], left_out=True))
            return
        reports = _noted(task, found)
        if gold is not None:
            collection = gold.collection
            self._settled = settle_unknown(collection, task.policies.unknown)
            # csv and json have what is counted of decisions, whatever is measured
            families = {*additive_families(), *(one.family for one in task.measures)}
            self._counter = RowCounter(self._settled, task.policies, families)
            facts = collection_summary(collection, self._settled)
            key_path = task.key and task.shown(task.key)
            self._facts = facts._replace(path=shown, key_path=key_path)
            try:
                judged, of_judged = _judged(task, collection)
                reports += of_judged
            except InputError as error:
                judged, reports = [], [_unreadable(task, error), *reports]
            count = self._counter.of_system
            self._rows += [Found(count(one), shown, True) for one in gold.systems]
            self._rows += [Found(count(one), task.shown(one.path), False) for one in judged]
            self._rows += [Found(one, shown, False) for one in self._counter.baselines()]
        self._reports += reports

    def take(self, run: RunFile) -> None:
        """Check and count one run."""
        if self._facts is None:
            return
        policies, counter = self._task.policies, self._counter
        given = self._settled, policies.campaign, policies.missing, run.name
        try:
            submitted, found = check_submission(Source(run.path), *given)
        except InputError as error:
            self._reports.append(_unreadable(self._task, error))
            return
        for one in submitted or ():
            row = counter.of_run(one) if isinstance(one, Run) else counter.of_system(one)
            self._rows.append(Found(row, self._task.shown(run.path), True))
        self._reports += _noted(self._task, found)

    def result(self) -> Result:
        """Return everything that was counted and found."""
        task, reports = self._task, self._reports
        if self._facts is None:
            return Result(task, None, reports)
        found, doubled = _distinct(self._rows)
        groups, of_groups = _read_groups(task)
        reports = [*reports, *_of_one_name(task), *doubled, *of_groups]
        reports += self._unused(groups, found)
        counted = [one.row for one in found]
        measures = task.measures or parse_measures(default_measures(counted))
        scores = measured(self._facts, task.policies, measures, counted, groups)
        submitted = frozenset((one.row.kind, one.row.name) for one in found if one.is_submitted)
        left_out = [report.path for report in reports if report.left_out]
        result = Result(task, scores._replace(left_out=left_out), reports, submitted)
        return result._replace(reports=[*reports, *_inapplicable(result, measures)])

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


def _distinct(rows: Iterable[Found]) -> tuple[list[Found], Reports]:
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


def _noted(task: Task, found: Iterable[Findings]) -> Reports:
    """Return what was found in files, with paths as the campaign file has them."""
    reports = []
    for findings in found:
        if len(findings):
            shown = findings.with_path(task.shown(findings.path))
            codes = ", ".join(
                f"{rule.code}: {times:,}"
                for rule, times in shown.tally().items()
                if rule.severity is Severity.ERROR
            )
            summary = shown.summary().removeprefix(f"{shown.path}: ")
            told = f"{summary} ({codes})" if codes else summary
            lines = list(finding_lines(shown))
            reports.append(FileReport(shown.path, told, lines, bool(findings.errors)))
    return reports


def _unreadable(task: Task, error: InputError) -> FileReport:
    """Return what is to be told of a file that cannot be read."""
    return FileReport(task.shown(error.path), error.reason, [], left_out=True)


def _judged(task: Task, collection: Collection) -> tuple[list[QARun], Reports]:
    """Return the QA systems that are to be ranked beside the runs."""
    if task.judged is None:
        return [], []
    if collection.index.is_pairs:
        told = "ranks QA systems by question, and pairs belong to none"
        return [], [FileReport(task.shown(task.judged), told, [], left_out=True)]
    systems, found = check_judged(Source(task.judged), collection, task.policies.campaign)
    return systems or [], _noted(task, found)


def _read_groups(task: Task) -> tuple[dict[str, str], Reports]:
    """Return who submitted what."""
    if isinstance(task.groups, dict):
        return task.groups, []
    try:
        groups, found = check_groups(Source(task.groups))
    except InputError as error:
        return {}, [_unreadable(task, error)]
    return groups or {}, _noted(task, found)
