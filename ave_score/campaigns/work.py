"""Checks and scores one language: run by run, and only what was not counted before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from ave_score.campaigns.cache import Cache, key_of
from ave_score.campaigns.counted import Counted, FileReport, Gold, gold_of, rows_to_json, run_of
from ave_score.campaigns.plan import RunFile, Task
from ave_score.checks.collection import check_collection
from ave_score.checks.groups import check_groups
from ave_score.checks.judged import check_judged, check_judged_gold
from ave_score.checks.submission import check_submission
from ave_score.errors import InputError
from ave_score.facts import collection_facts
from ave_score.findings import Findings
from ave_score.formats.sniff import sniff
from ave_score.formats.source import Source
from ave_score.labels import settle_unknown, settled_table
from ave_score.model import Collection, JudgedRun, Run
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import FileKind
from ave_score.scoring import (
    Kind,
    Row,
    Scores,
    baseline_counts,
    measured,
    run_counts,
    system_counts,
)
from ave_score.signature import signature


class Result(NamedTuple):
    """One language scored: None where it could not be; and what is wrong with its files."""

    task: Task
    scores: Scores | None
    reports: list[FileReport]

    @property
    def left_out(self) -> list[FileReport]:
        """The files that were not scored."""
        return [report for report in self.reports if report.left_out]


class _Read(NamedTuple):
    """A collection as read, None where it has defects, its own systems, and what was found."""

    collection: Collection | None
    systems: list[JudgedRun]
    found: list[Findings]


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
        self._reports: list[FileReport] = []
        self._rows: list[Counted] = []
        self._gold: Gold | None = None
        if task.unusable is None:
            self._gold = self._of_gold()

    def take(self, run: RunFile) -> None:
        """Check and count one run."""
        if self._gold is None:
            return
        shown = self._task.shown(run.path)
        try:
            key = key_of("run", *self._gold_parts, run.name, shown, Source(run.path).sha256())
        except InputError as error:
            self._reports.append(_unreadable(shown, error))
            return
        found = self._cache.get(key, run_of)
        if found is None:
            found = self._counted(run)
            self._cache.put(key, {"rows": rows_to_json(found[0]), "reports": found[1]})
        rows, reports = found
        self._rows += rows
        self._reports += reports

    def result(self) -> Result:
        """Return everything that was counted and found so far."""
        task = self._task
        if self._gold is None:
            if task.unusable is not None:
                shown = task.shown(task.collection)
                self._reports.append(FileReport(shown, task.unusable, [], left_out=True))
            return Result(task, None, self._reports)
        self._reports += map(self._of_one_name, task.left_out)
        groups = self._groups()
        every = [*self._rows, *self._gold.rows]
        ordered = [one for kind in Kind for one in every if one.kind is kind]
        rows = [
            Row(one.name, one.kind, one.counts, measured(one.counts, task.measures), group)
            for one in ordered
            for group in [None if one.kind is Kind.BASELINE else groups.get(one.name)]
        ]
        facts = self._gold.facts
        left_out = [report.path for report in self._reports if report.left_out]
        told = signature(task.policies, facts)
        scores = Scores(facts, task.policies, told, task.measures, rows, left_out)
        return Result(task, scores, self._reports)

    @cached_property
    def _gold_parts(self) -> list[str]:
        """Everything that decides what an answer is worth."""
        task = self._task
        files = [task.collection, *([task.key] if task.key else [])]
        return [*task.policies, *(Source(path).sha256() for path in files)]

    @cached_property
    def _read(self) -> _Read:
        """The collection and what was found in it; read when first wanted."""
        task = self._task
        source = Source(task.collection)
        if sniff(source) is FileKind.JUDGED:
            judged, found = check_judged_gold(source, task.policies.campaign)
            return _Read(None, [], found) if judged is None else _Read(*judged, found)
        collection, found = check_collection(source, Source(task.key) if task.key else None)
        return _Read(collection, [], found)

    def _of_gold(self) -> Gold | None:
        task = self._task
        try:
            judged = Source(task.judged).sha256() if task.judged else ""
            shown = [task.shown(path) for path in (task.collection, task.key, task.judged) if path]
            key = key_of("gold", *self._gold_parts, *shown, judged)
            found = self._cache.get(key, gold_of)
            if found is None:
                found = self._counted_gold()
                gold, reports = found
                facts = gold and gold.facts._asdict()
                rows = gold and rows_to_json(gold.rows)
                self._cache.put(key, {"facts": facts, "rows": rows, "reports": reports})
        except InputError as error:
            found = None, [_unreadable(task.shown(error.path), error)]
        gold, reports = found
        self._reports = list(reports)
        return gold

    def _counted_gold(self) -> tuple[Gold | None, list[FileReport]]:
        task = self._task
        collection, systems, found = self._read
        self._note(found)
        if collection is None:
            return None, self._reports
        if task.judged:
            judged, found = check_judged(Source(task.judged), collection, task.policies.campaign)
            self._note(found)
            systems = systems + (judged or [])
        settled = settle_unknown(collection, task.policies.unknown)
        rows = [self._of_system(system, settled) for system in systems]
        rows += [
            Counted(name, Kind.BASELINE, counts)
            for name, counts in baseline_counts(settled, by_question=True)
        ]
        facts = collection_facts(collection, settled)
        key = task.key and task.shown(task.key)
        facts = facts._replace(path=task.shown(task.collection), key_path=key)
        return Gold(facts, rows), self._reports

    def _counted(self, run: RunFile) -> tuple[list[Counted], list[FileReport]]:
        if self._read.collection is None:
            return [], []
        task, before = self._task, len(self._reports)
        collection = settle_unknown(self._read.collection, task.policies.unknown)
        campaign, missing = task.policies.campaign, task.policies.missing
        submitted, found = check_submission(
            Source(run.path), collection, campaign, missing, run.name
        )
        self._note(found)
        reports = self._reports[before:]
        del self._reports[before:]
        rows = [
            Counted(one.name, Kind.AV, run_counts(one, collection, by_question=True))
            if isinstance(one, Run)
            else self._of_system(one, collection)
            for one in submitted or ()
        ]
        return rows, reports

    def _of_system(self, system: JudgedRun, collection: Collection) -> Counted:
        policies = self._task.policies
        table = settled_table(policies.campaign, policies.unknown)
        return Counted(system.name, Kind.QA, system_counts(system, collection, table))

    def _groups(self) -> Mapping[str, str]:
        groups = self._task.groups
        if isinstance(groups, dict):
            return groups
        try:
            read, found = check_groups(Source(groups))
        except InputError as error:
            self._reports.append(_unreadable(self._task.shown(groups), error))
            return {}
        self._note(found)
        return read or {}

    def _note(self, found: Iterable[Findings]) -> None:
        """Keep what was found, with paths as the campaign file has them."""
        for findings in found:
            if len(findings):
                path = self._task.shown(findings.path)
                shown = findings.called(path)
                lines = list(finding_lines(shown))
                summary = shown.summary().removeprefix(f"{path}: ")
                left_out = bool(findings.errors)
                self._reports.append(FileReport(path, summary, lines, left_out))

    def _of_one_name(self, run: RunFile) -> FileReport:
        summary = f"not the only run called {run.name}"
        return FileReport(self._task.shown(run.path), summary, [], left_out=True)


def _unreadable(path: str, error: InputError) -> FileReport:
    return FileReport(path, error.reason, [], left_out=True)
