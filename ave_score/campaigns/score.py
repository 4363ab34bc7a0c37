"""Score one language: read the collection, then score each run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ave_score.campaigns.compare import compared_runs, leading_of_all
from ave_score.campaigns.entries import SubmittedEntry, about_groups, entries_of, unmatched_groups
from ave_score.campaigns.file_reports import (
    FileReport,
    Reports,
    failed,
    foreign,
    noted,
    notes,
)
from ave_score.campaigns.limits import about_limits, limited_of, remarks_of
from ave_score.campaigns.plan import Note, RunFile, Task
from ave_score.core.collection_summary import CollectionSummary, collection_summary
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.model import Collection, Label, QARun, Run
from ave_score.core.policies import settle_unknown
from ave_score.counts import additive_families
from ave_score.counts.counted import Counted, Kind, RowCounter
from ave_score.files.campaign import BEYOND_LIMITS
from ave_score.files.check import check_submission
from ave_score.files.gold import check_gold
from ave_score.files.groups import check_groups
from ave_score.files.judged import check_judged
from ave_score.files.source import Source
from ave_score.measures import Measure, parse_measures
from ave_score.tasks.score import Remark, Row, Scores, default_measures, measured

if TYPE_CHECKING:
    from ave_score.tasks.compare import Compared


class CampaignRow(NamedTuple):
    """A row, its file, and whether it was submitted to the campaign.

    Baselines and separately judged QA systems are not submitted. `subject` is the run or the QA
    system; None for baselines.
    """

    row: Counted
    path: str
    is_submitted: bool
    subject: Run | QARun | None = None


class TeamFile(NamedTuple):
    """What a team may know about a file of its own: the findings of a check without gold labels.

    `findings` is None if the file was not checked, for a reason.
    """

    name: str
    path: str
    findings: Findings | None
    reason: str = ""


class Result(NamedTuple):
    """The scores of one language, None if it is not scored, and the reports on its files.

    `submitted` holds the kind and name of each submitted row. `compared` is None if nothing is
    compared, `not_compared` says what is not, and why. `entries` are all that was submitted,
    `limits` the notes on what is late, too much, or not read, `unmatched` the names in the groups
    that match nothing here (see `about_groups`). Pages are made of `gold`, the
    collection, of `subjects`, the runs and QA systems, and of `files`.
    """

    task: Task
    scores: Scores | None
    reports: Reports
    submitted: frozenset[tuple[Kind, str]] = frozenset()
    compared: Compared | None = None
    not_compared: Sequence[str] = ()
    entries: Sequence[SubmittedEntry] = ()
    limits: Sequence[Note] = ()
    unmatched: Mapping[str, str | None] | None = None
    gold: Collection | None = None
    subjects: Sequence[Run | QARun] = ()
    files: Sequence[TeamFile] = ()

    @property
    def left_out(self) -> Reports:
        """The files that were not scored."""
        return [report for report in self.reports if report.left_out]

    @property
    def notes(self) -> Reports:
        """Reports without findings on files that are scored."""
        return [report for report in self.reports if not (report.left_out or report.lines)]

    @property
    def runs(self) -> list[Row]:
        """The submitted runs and QA systems."""
        rows = self.scores.rows if self.scores else ()
        return [row for row in rows if (row.kind, row.run) in self.submitted]

    @property
    def ranked(self) -> list[Row]:
        """The submitted runs and QA systems that can be the best."""
        return [row for row in self.runs if not row.is_apart]

    @property
    def systems(self) -> list[Row]:
        """QA systems that were not submitted."""
        rows = self.scores.rows if self.scores else ()
        others = [row for row in rows if row.kind is Kind.QA]
        return [row for row in others if (row.kind, row.run) not in self.submitted]


class Worker:
    """Scores one language: `take` counts a run, `result` returns the scores of all.

    `jobs` is the number of processes that compare runs.
    """

    def __init__(self, task: Task, jobs: int = 1) -> None:
        self._task, self._jobs = task, jobs
        self._files: list[TeamFile] = []
        self._reports: Reports = [
            FileReport(task.shown(path), reason, [], left_out=True)
            for path, reason in task.unusable
        ] + notes(task.notes)
        self._rows: list[CampaignRow] = []
        self._facts: CollectionSummary | None = None
        if task.is_usable:
            try:
                self._read_gold()
            except Exception as error:
                self._facts, self._rows = None, []
                self._reports.append(failed(task, task.collection, error))

    def _read_gold(self) -> None:
        """Read the collection, and count its QA systems and baselines."""
        task, shown = self._task, self._task.shown(self._task.collection)
        key = Source(task.key) if task.key else None
        try:
            policies = task.policies
            source, campaign, missing = Source(task.collection), policies.campaign, policies.missing
            gold, found = check_gold(source, key, campaign, missing, with_texts=True)
        except UsageError as error:  # a key for a file that takes none
            message = str(error).replace(task.collection, shown)
            self._reports.append(FileReport(shown, message, [], left_out=True))
            return
        reports = noted(task, found)
        if gold is not None:
            collection = gold.collection
            self._settled = settle_unknown(collection, task.policies.unknown)
            # CSV and JSON always contain the additive counts
            asked = [*task.measures, *(task.compare or ())]
            families = {*additive_families(), *(measure.family for measure in asked)}
            self._collection = collection
            self._counter = RowCounter(self._settled, task.policies, families)
            facts = collection_summary(collection, self._settled)
            key_path = task.key and task.shown(task.key)
            self._facts = facts._replace(path=shown, key_path=key_path)
            judged, of_judged = _judged(task, collection)
            reports = [*of_judged, *reports] if not judged else [*reports, *of_judged]
            count = self._counter.of_system
            self._rows += [CampaignRow(count(qa), shown, True, qa) for qa in gold.systems]
            self._rows += [CampaignRow(count(qa), task.shown(qa.path), False, qa) for qa in judged]
            self._rows += [CampaignRow(row, shown, False) for row in self._counter.baselines()]
        self._reports += reports

    def take(self, run: RunFile) -> None:
        """Check and count one run; whatever is wrong with its file, the others are scored."""
        if self._facts is None:
            return
        try:
            self._take(run)
        except Exception as error:
            report = failed(self._task, run.path, error)
            self._reports.append(report)
            self._files.append(TeamFile(run.name, report.path, None, report.summary))

    def _take(self, run: RunFile) -> None:
        policies, counter = self._task.policies, self._counter
        given = policies.campaign, policies.missing, run.name
        shown, files = self._task.shown(run.path), []
        submitted, found = check_submission(Source(run.path), self._settled, *given)
        if any(map(len, found)):
            _, blind = check_submission(Source(run.path), self._blind, *given)
            named = [one.with_path(shown) for one in blind if len(one)]
            files = [
                TeamFile(run.name, shown, None, foreign(one))
                if one.is_foreign
                else TeamFile(run.name, shown, one)
                for one in named
            ]
        rows = [CampaignRow(counter.of(item), shown, True, item) for item in submitted or ()]
        self._rows += rows
        self._files += files
        self._reports += noted(self._task, found)

    def result(self) -> Result:
        """Return the scores and all reports."""
        task, reports = self._task, self._reports
        if self._facts is None:
            entries = entries_of(task, [], _read_groups(task)[0])
            return Result(task, None, reports, entries=entries)
        found, doubled = _distinct(task, self._rows)
        others = [e.row.name for e in found if not e.is_submitted and e.row.kind is Kind.QA]
        is_known = not any(report.left_out for report in reports)
        scored = [(entry.row.name, entry.path) for entry in found if entry.is_submitted]
        entered = entered_in(task, scored, others if is_known else None)
        groups = entered.groups
        reports = [*reports, *_of_one_name(task), *doubled, *entered.reports]
        counted = [entry.row for entry in found]
        measures = task.measures or parse_measures(default_measures(counted))
        scores = measured(self._facts, task.policies, measures, counted, groups)
        remarks = {
            (entry.row.kind, entry.row.name): entered.remarks.get((entry.row.name, entry.path))
            for entry in found
            if entry.is_submitted
        }
        rows = [row._replace(remark=remarks.get((row.kind, row.run))) for row in scores.rows]
        left_out = [report.path for report in reports if report.left_out]
        apart = {(row.kind, row.run) for row in rows if row.is_apart}
        ranked = [entry for entry in found if (entry.row.kind, entry.row.name) not in apart]
        compared = self._compared(ranked, groups, measures)
        scores = replace(scores, rows=rows, left_out=left_out)
        result = Result(task, scores, reports, frozenset(remarks), *compared)
        return result._replace(
            reports=[*reports, *_inapplicable(result, measures)],
            entries=entered.entries,
            unmatched=entered.unmatched,
            limits=[*task.refused, *entered.limits],
            gold=self._settled,
            subjects=[entry.subject for entry in found if entry.subject is not None],
            files=self._files,
        )

    @cached_property
    def _blind(self) -> Collection:
        """The collection without its labels, which findings for teams must not depend on."""
        labels = bytes([Label.NONE]) * len(self._collection.labels)
        return replace(self._collection, labels=labels)

    def _compared(
        self, found: Iterable[CampaignRow], groups: Mapping[str, str], measures: Sequence[Measure]
    ) -> tuple[Compared | None, list[str]]:
        """Compare the runs and QA systems, unless the edition asks for no comparison."""
        asked = self._task.compare
        if asked == []:
            return None, []
        subjects = [(entry.subject, entry.row) for entry in found if entry.subject is not None]
        if asked is None:
            asked = leading_of_all(subjects, measures)
        policies = self._task.policies
        return compared_runs(self._collection, subjects, asked, policies, groups, self._jobs)


class Entered(NamedTuple):
    """What was submitted in a language: run -> group, and reports on groups and limits.

    `limits` are the notes on what is late or too much, `remarks` what tables say about it, by the
    name and the path of the submission, `unmatched` as in `Result`.
    """

    entries: list[SubmittedEntry]
    groups: dict[str, str]
    reports: Reports
    limits: list[Note]
    remarks: Mapping[tuple[str, str], Remark]
    unmatched: Mapping[str, str | None] | None


def entered_in(
    task: Task, scored: Sequence[tuple[str, str]], others: Sequence[str] | None
) -> Entered:
    """Read the groups of the submitted runs; `others` as of `unmatched_groups`, None if unknown."""
    explicit, of_groups = _read_groups(task)
    entries = entries_of(task, scored, explicit)
    groups = {**{entry.name: entry.group for entry in entries if entry.group}, **explicit}
    is_known = others is not None and bool(entries)
    unmatched = unmatched_groups(task, entries, explicit, others or ()) if is_known else None
    reports = of_groups + notes(about_groups(task, entries, explicit))
    limited = limited_of(task, entries)
    limits = [*about_limits(task, entries, limited)]
    remarks = remarks_of(limited, apart=task.limits.beyond == BEYOND_LIMITS[1])
    return Entered(entries, groups, [*reports, *notes(limits)], limits, remarks, unmatched)


def _of_one_name(task: Task) -> Reports:
    return [
        FileReport(task.shown(run.path), f"another run is also named {run.name}", [], left_out=True)
        for run in task.left_out
    ]


def _distinct(task: Task, rows: Iterable[CampaignRow]) -> tuple[list[CampaignRow], Reports]:
    """Keep the first QA system of each name, and report the files of the others.

    A system in a submitted file that is named like the run in another file is not kept: it would
    put that run into its own group.
    """
    first: dict[tuple[Kind, str], CampaignRow] = {}
    doubled: dict[str, list[str]] = {}
    of_runs = {run.name: task.shown(run.path) for run in (*task.runs, *task.left_out)}
    files = {*of_runs.values()}
    for entry in rows:
        name = entry.row.name
        before = of_runs.get(name, entry.path) if entry.path in files else entry.path
        if before == entry.path:
            same = first.setdefault((entry.row.kind, name), entry)
            if same is entry:
                continue
            before = same.path
        doubled.setdefault(entry.path, []).append(f"{name} is also in {before}")
    kept = {entry.path for entry in first.values() if entry.row.kind is not Kind.BASELINE}
    return list(first.values()), [
        FileReport(path, "counted once: " + "; ".join(messages), [], left_out=path not in kept)
        for path, messages in doubled.items()
    ]


def _inapplicable(result: Result, measures: Iterable[Measure]) -> Reports:
    """Report that none of the requested measures applies to any row."""
    asked = [measure.key for measure in measures]
    rows = [*result.runs, *result.systems]
    if not rows or any(row.values[key] is not None for row in rows for key in asked):
        return []
    message = f"none of the measures {', '.join(asked)} applies to the submitted runs"
    return [FileReport(result.task.shown(result.task.collection), message, [], left_out=False)]


def _judged(task: Task, collection: Collection) -> tuple[list[QARun], Reports]:
    """Read the separately judged QA systems."""
    if task.judged is None:
        return [], []
    if collection.index.is_pairs:
        reason = "QA systems are ranked by question, but pairs have no question"
        return [], [FileReport(task.shown(task.judged), reason, [], left_out=True)]
    campaign, missing = task.policies.campaign, task.policies.missing
    try:
        systems, found = check_judged(Source(task.judged), collection, campaign, missing)
    except Exception as error:
        return [], [failed(task, task.judged, error)]
    return systems or [], noted(task, found)


def _read_groups(task: Task) -> tuple[dict[str, str], Reports]:
    """Return run -> group."""
    if isinstance(task.groups, dict):
        return task.groups, []
    try:
        groups, found = check_groups(Source(task.groups))
    except Exception as error:
        return {}, [failed(task, task.groups, error)]
    return groups or {}, noted(task, found)
