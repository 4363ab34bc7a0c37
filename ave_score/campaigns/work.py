"""Checks and scores one language: run by run, and only what was not counted before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from ave_score.campaigns.cache import Cache, key_of
from ave_score.campaigns.counted import (
    CountedGold,
    FileReport,
    Found,
    gold_of,
    rows_to_json,
    run_of,
)
from ave_score.campaigns.plan import RunFile, Task
from ave_score.checks.gold import Gold, check_gold
from ave_score.checks.groups import check_groups
from ave_score.checks.judged import check_judged
from ave_score.checks.submission import check_submission
from ave_score.errors import InputError, UsageError
from ave_score.facts import collection_facts
from ave_score.findings import Findings
from ave_score.formats.source import Source
from ave_score.labels import settle_unknown, settled_table
from ave_score.model import Collection, JudgedRun, Run
from ave_score.reports.findings.concise import finding_lines
from ave_score.scoring import (
    Counted,
    Kind,
    Row,
    Scores,
    baseline_counts,
    measured,
    run_counts,
    system_counts,
)
from ave_score.text import did_you_mean, nearest


class Result(NamedTuple):
    """One language scored: None where it could not be; and what is wrong with its files.

    `submitted` holds kind and name of the rows of `scores` that were submitted to the campaign.
    """

    task: Task
    scores: Scores | None
    reports: list[FileReport]
    submitted: frozenset[tuple[Kind, str]] = frozenset()

    @property
    def left_out(self) -> list[FileReport]:
        """The files that were not scored."""
        return [report for report in self.reports if report.left_out]

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
        self._reports: list[FileReport] = []
        self._rows: list[Found] = []
        self._gold: CountedGold | None = None
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
        found = self._told_apart([*self._gold.rows, *self._rows])
        groups = self._groups(found)
        scores = measured(
            self._gold.facts, task.policies, task.measures, [one.row for one in found], groups
        )
        left_out = [report.path for report in self._reports if report.left_out]
        submitted = frozenset((one.row.kind, one.row.name) for one in found if one.is_submitted)
        return Result(task, scores._replace(left_out=left_out), self._reports, submitted)

    def _told_apart(self, rows: Iterable[Found]) -> list[Found]:
        """Leave out QA systems that have the name of one before them, and report them."""
        first: dict[tuple[Kind, str], Found] = {}
        for one in rows:
            before = first.setdefault((one.row.kind, one.row.name), one)
            if before is not one:
                told = f"system {one.row.name}: there is one of this name in {before.path}"
                self._reports.append(FileReport(one.path, told, [], left_out=True))
        return list(first.values())

    @cached_property
    def _gold_parts(self) -> list[str]:
        """Everything that decides what an answer is worth."""
        task = self._task
        files = [task.collection, *([task.key] if task.key else [])]
        return [*task.policies, *(Source(path).sha256() for path in files)]

    @cached_property
    def _read(self) -> tuple[Gold | None, list[Findings]]:
        """What is scored against and what was found in it; read when first wanted."""
        task = self._task
        key = Source(task.key) if task.key else None
        return check_gold(Source(task.collection), key, task.policies.campaign)

    def _of_gold(self) -> CountedGold | None:
        judged = self._hash_of_judged()
        task = self._task
        try:
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
        except UsageError as error:
            told = FileReport(task.shown(task.collection), str(error), [], left_out=True)
            found = None, [told]
        gold, reports = found
        self._reports = list(reports)
        return gold

    def _hash_of_judged(self) -> str:
        """Return the hash of the judged file; where it cannot be read only that is left out."""
        if self._task.judged is None:
            return ""
        try:
            return Source(self._task.judged).sha256()
        except InputError as error:
            self._reports.append(_unreadable(self._task.shown(self._task.judged), error))
            self._task = self._task._replace(judged=None)
            return error.reason

    def _counted_gold(self) -> tuple[CountedGold | None, list[FileReport]]:
        task = self._task
        read, found = self._read
        self._note(found)
        if read is None:
            return None, self._reports
        collection, systems = read
        settled = settle_unknown(collection, task.policies.unknown)
        shown = task.shown(task.collection)
        rows = [Found(self._of_system(one, settled), shown, True) for one in systems]
        rows += [
            Found(self._of_system(one, settled), task.shown(one.path), False)
            for one in self._judged(collection)
        ]
        rows += [Found(one, shown, False) for one in baseline_counts(settled, by_question=True)]
        facts = collection_facts(collection, settled)
        key = task.key and task.shown(task.key)
        facts = facts._replace(path=shown, key_path=key)
        return CountedGold(facts, rows), self._reports

    def _judged(self, collection: Collection) -> list[JudgedRun]:
        """Return the QA systems that are to be ranked beside the runs."""
        judged = self._task.judged
        if judged is None:
            return []
        if collection.roster.is_pairs:
            told = "ranks QA systems by question, and pairs belong to none"
            self._reports.append(FileReport(self._task.shown(judged), told, [], left_out=True))
            return []
        systems, found = check_judged(Source(judged), collection, self._task.policies.campaign)
        self._note(found)
        return systems or []

    def _counted(self, run: RunFile) -> tuple[list[Found], list[FileReport]]:
        read, _ = self._read
        if read is None:
            return [], []
        task, before = self._task, len(self._reports)
        collection = settle_unknown(read.collection, task.policies.unknown)
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
        return [Found(row, task.shown(run.path), True) for row in rows], reports

    def _of_system(self, system: JudgedRun, collection: Collection) -> Counted:
        policies = self._task.policies
        table = settled_table(policies.campaign, policies.unknown)
        return Counted(system.name, Kind.QA, system_counts(system, collection, table))

    def _groups(self, found: Iterable[Found]) -> Mapping[str, str]:
        """Return who submitted what; a name that nothing bears is reported."""
        given = self._task.groups
        if isinstance(given, dict):
            groups, shown = given, "groups"
        else:
            groups, shown = self._read_groups(given), self._task.shown(given)
        known = {one.row.name for one in found} | {run.name for run in self._task.every_run}
        for name in groups:
            if name not in known:
                hint = did_you_mean(nearest(name, known))
                told = f"{name} is no run and no system{hint}"
                self._reports.append(FileReport(shown, told, [], left_out=False))
        return groups

    def _read_groups(self, path: str) -> dict[str, str]:
        try:
            read, found = check_groups(Source(path))
        except InputError as error:
            self._reports.append(_unreadable(self._task.shown(path), error))
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
