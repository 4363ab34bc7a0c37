"""Score one language: read the collection, then score each run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from ave_score import rules
from ave_score.campaigns.compare import compared_runs
from ave_score.campaigns.entries import entries_of
from ave_score.campaigns.file_reports import (
    Reports,
    before_reading,
    failed,
    foreign,
    is_no_run,
)
from ave_score.campaigns.limits import (
    Limited,
    remark_of,
    set_apart,
)
from ave_score.campaigns.logs import logs_of, rows_of_logs
from ave_score.campaigns.patterns import patterns_of
from ave_score.campaigns.result import Result, TeamFile
from ave_score.campaigns.rows import CampaignRow, distinct_rows, of_one_name
from ave_score.campaigns.submitted import Submitted, read_file, submitted_in, teams_of
from ave_score.campaigns.task import FileReport, RunFile, Task
from ave_score.core.entrants import OPTIONS, RunsInTeams, of_names
from ave_score.core.errors import UsageError
from ave_score.core.model import Label
from ave_score.core.open_questions import OpenGold, OpenQuestion
from ave_score.core.policies import settled_gold
from ave_score.counts import additive_families
from ave_score.files.campaign import BEYOND_LIMITS
from ave_score.files.source import Source
from ave_score.measures import Measure
from ave_score.reports.score_notes import primary_notes
from ave_score.rules import QUIET
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import is_named
from ave_score.tasks.ranked import notes_on_equal, with_equal
from ave_score.tasks.score import score
from ave_score.tasks.scores import Row, Scores
from ave_score.tasks.subjects import kinds_of, refuse_systems, table_measures, wanted_measures

if TYPE_CHECKING:
    from ave_score.core.model import Collection, QARun
    from ave_score.inference.units import Gold


def _read_gold(task: Task) -> tuple[tuple[Gold, list[QARun]] | None, Reports]:
    """Return the collection and its systems, or those of all logs but defective ones."""
    given: list[Source] = logs_of(task)

    def read(inputs: Inputs) -> tuple[Gold, list[QARun]]:
        source = given or task.collection
        gold, systems = inputs.gold(source, task.key, qa=task.judged, with_texts=True)
        if task.key is not None and "key" in gold.standard.refused:
            raise UsageError("a key labels a collection, and answer sets have none")
        return gold, systems

    told: Reports = []
    while True:
        value, reports = read_file(task, task.collection, read)
        told += [report for report in reports if report not in told]
        wrong = {report.path for report in reports if report.not_scored}
        left = [log for log in given if task.shown(log.path) not in wrong]
        if value is not None or len(left) == len(given) or left[:1] != given[:1]:
            return value, told
        given = left


_OF_GOLD = {*QUIET, rules.NUGGET_UNKNOWN, rules.NUGGETS_MISPLACED}
"""The rules whose findings teams do not see: assessors find nuggets, which they have not."""


class Worker:
    """Scores one language: `take` reads a run, `result` scores and compares all of them."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._files: list[TeamFile] = []
        self._no_runs: set[str] = set()
        self._reports = before_reading(task)
        self._rows: list[CampaignRow] = []
        self._gold: Gold | None = None
        self._are_logs = False
        if task.is_usable:
            self._read_gold()

    def _read_gold(self) -> None:
        """Read the collection and its QA systems."""
        task = self._task = self._with_documents()
        if "documents" in task.reading and task.reading["documents"] is None:
            return
        read, reports = _read_gold(task)
        self._reports += reports
        if read is None:
            return
        self._gold, systems = read
        if self._gold.standard.is_told_by_notes:
            self._are_logs = True
            self._rows += rows_of_logs(task, systems)
        else:
            shown = task.shown(task.collection)
            self._rows += [CampaignRow(system, shown, True) for system in systems]
        if task.judged is not None:
            self._read_judged(task.judged)

    def _with_documents(self) -> Task:
        """Return the task with its list of documents read, once for all; None if it has errors."""
        task, path = self._task, self._task.reading.get("documents")
        if path is None:
            return task
        listed, reports = read_file(task, path, lambda inputs: inputs.limits.documents)
        self._reports += reports
        return task._replace(reading={**task.reading, "documents": listed})

    def _read_judged(self, path: str) -> None:
        """Read the judged QA systems, which candidate answers of questions have."""
        task, gold = self._task, self._settled

        def read(inputs: Inputs) -> list[QARun]:
            refuse_systems(gold, path, "scored")
            return inputs.judged(path, cast("Collection", gold))

        judged, reports = read_file(task, path, read)
        self._reports += reports
        self._rows += [CampaignRow(item, task.shown(item.path), False) for item in judged or ()]

    @cached_property
    def _settled(self) -> Gold:
        """The collection, UNKNOWN labels resolved, or the answer sets."""
        assert self._gold is not None
        return settled_gold(self._gold, self._task.policies.unknown)

    @cached_property
    def _blind(self) -> Gold:
        """The collection without its labels, which findings for teams must not depend on."""
        if isinstance(self._settled, OpenGold):
            questions = self._settled.questions.items()
            without = {q_id: OpenQuestion(q_id, question.type) for q_id, question in questions}
            return replace(self._settled, questions=without)
        labels = bytes([Label.NONE]) * len(self._settled.labels)
        return replace(self._settled, labels=labels)

    def take(self, run: RunFile) -> None:
        """Read one run; logs are read already, since all of them say what the questions are."""
        if self._gold is None or self._are_logs:
            return
        task, shown, named = self._task, self._task.shown(run.path), {run.name: run.path}
        subjects, reports = read_file(
            task, run.path, lambda inputs: [*inputs.runs(named, self._settled)]
        )
        self._reports += reports
        for subject in subjects or ():
            self._rows.append(CampaignRow(subject, shown, True))
        if not reports:
            return
        if subjects is None:
            self._files.append(TeamFile(run.name, shown, None, reports[-1].summary))
            return
        blind = Inputs(
            task.policies,
            collects=True,
            told=lambda rule: rule not in _OF_GOLD,
            entrants=task.reading,
        )
        with suppress(Exception):  # what depends on labels is not told instead
            _ = [*blind.runs(named, self._blind)]
        for findings in blind.told:
            if len(findings):
                told = findings.with_path(shown)
                reason = foreign(told) if told.is_foreign else ""
                may_be_note = reason and run.team and rules.OTHER_FORMAT not in told.counts
                if may_be_note and is_no_run(task, run.path, self._settled):
                    self._no_runs.add(shown)
                self._files.append(TeamFile(run.name, shown, None if reason else told, reason))

    def result(self) -> Result:
        """Return the scores, the comparison and all reports."""
        task, reports = self._task, self._reports
        if self._gold is None:
            entries = entries_of(task, [], teams_of(task)[0])
            return Result(task, None, reports, entries=entries, limits=task.refused)
        distinct, doubled, of_teams = distinct_rows(task, self._rows)
        others = [entry.subject.name for entry in distinct if not entry.is_submitted]
        strays = {task.shown(path): path for path, _ in task.strays}
        beside = {at for at, path in strays.items() if is_no_run(task, path, self._settled)}
        is_known = not any(report.not_scored and report.path not in strays for report in reports)
        scored = [(entry.subject.name, entry.path) for entry in distinct if entry.is_submitted]
        entered = submitted_in(task, scored, others if is_known else None)
        subjects = [entry.subject for entry in distinct]
        used, unused = patterns_of(task, subjects)
        reports = [*reports, *of_one_name(task), *doubled, *entered.reports]
        limits = [*task.refused, *entered.limits, *of_teams]
        asked = task.asked or table_measures(kinds_of(subjects, self._gold))
        try:
            measures = wanted_measures(asked, self._gold)
            compared_by = self._compared_by()
            named = cast("RunsInTeams", {name: used[name] for name in of_names(OPTIONS)})
            counted = _with_additive_families(measures, self._gold)
            named["teams"] = entered.teams
            scores = score(self._gold, subjects, policies=task.policies, measures=counted, **named)
        except Exception as error:  # the other languages are scored
            reports.append(failed(task, task.collection, error))
            return Result(task, None, reports, entries=entered.entries, limits=limits)
        result = self._told(scores.only(measures), compared_by, distinct, entered, reports)
        return result._replace(
            entries=entered.entries,
            unmatched=entered.unmatched,
            limits=limits,
            gold=self._settled,
            subjects=subjects,
            files=self._files,
            unused=unused,
            no_runs=self._no_runs | beside,
        )

    def _compared_by(self) -> list[Measure] | None:
        """Return the measures of comparisons, None for the default; raises as those of tables."""
        chosen = self._task.compare
        named = wanted_measures(chosen, self._gold) if chosen else None if chosen is None else []
        return named if self._task.is_compared else []

    def _told(
        self,
        scores: Scores,
        compared_by: Sequence[Measure] | None,
        distinct: Sequence[CampaignRow],
        entered: Submitted,
        reports: list[FileReport],
    ) -> Result:
        """Return the scores with what tables say of runs, the comparison, and all reports."""
        assert self._gold is not None
        task = self._task
        rows = with_equal(_with_remarks(task, scores.rows, distinct, entered), self._gold.standard)
        reports += _on_equal(rows, distinct)
        refused = _refused_primary(task, entered)
        reports += [FileReport("primary", note) for note in primary_notes(rows, refused)]
        facts = scores.collection
        if not self._are_logs:  # which are named by what they are about: the path is that of a run
            facts = facts._replace(
                path=task.shown(task.collection), key_path=task.key and task.shown(task.key)
            )
        not_scored = [report.path for report in reports if report.not_scored]
        scores = replace(scores, collection=facts, rows=rows, not_scored=not_scored)
        submitted = frozenset(entry.row for entry in distinct if entry.is_submitted)
        result = Result(task, scores, reports, submitted)
        subjects = [entry.subject for entry in distinct]
        compared, not_compared = compared_runs(self._gold, subjects, scores, compared_by)
        told = [*reports, *_inapplicable(result, scores.measures)]
        return result._replace(compared=compared, not_compared=not_compared, reports=told)


def _refused_primary(task: Task, entered: Submitted) -> dict[str, list[str]]:
    """Return team -> its primary runs that are not scored."""
    patterns = task.patterns["primary"] or [*(entered.teams.primary or ())]
    refused: dict[str, list[str]] = {}
    for entry in entered.entries:
        if entry.team and not entry.is_scored and is_named(entry.name, patterns):
            refused.setdefault(entry.team, []).append(entry.name)
    return refused


def _with_additive_families(measures: Sequence[Measure], gold: Gold) -> list[Measure]:
    """Return measures, and one of each other additive family: CSV and JSON have its counts."""
    known = {measure.family for measure in measures}
    every = {measure.family: measure for measure in wanted_measures("all", gold)}
    others = every.keys() - known
    return [*measures, *(every[family] for family in additive_families() if family in others)]


def _with_remarks(
    task: Task, rows: Sequence[Row], scored: Sequence[CampaignRow], entered: Submitted
) -> list[Row]:
    """Return rows with what is said about late and surplus runs, and those set apart.

    A primary run is beyond no limit: it is the one by which its team is ranked. Only its name in
    `apart` sets it apart.
    """
    cases: dict[tuple[str, str], list[Limited]] = {}
    for case in entered.limited:
        cases.setdefault((case.entry.name, case.entry.path), []).append(case)
    of_rows = {
        entry.row: cases.get((entry.subject.name, entry.path), ())
        for entry in scored
        if entry.is_submitted
    }
    beyond = task.limits.beyond == BEYOND_LIMITS[1]
    made = []
    for row in rows:
        of_row = of_rows.get((row.kind, row.run), ())
        remark = remark_of(of_row, apart=beyond and not row.is_primary)
        if row.kind.is_submitted and is_named(row.run, task.patterns["apart"]):
            remark = set_apart(remark)
        made.append(row._replace(remark=remark))
    return made


def _on_equal(rows: Sequence[Row], scored: Sequence[CampaignRow]) -> Reports:
    """Return a note on each run that is the same as another one."""
    files = {entry.subject.name: entry.path for entry in scored}
    return [FileReport(files[run], note) for run, note in notes_on_equal(rows).items()]


def _inapplicable(result: Result, measures: Iterable[Measure]) -> Reports:
    """Report that none of the requested measures applies to any row."""
    keys = [measure.key for measure in measures]
    rows = [*result.runs, *result.systems]
    if not rows or any(row.values[key] is not None for row in rows for key in keys):
        return []
    message = f"none of the measures {', '.join(keys)} applies to the submitted runs"
    return [FileReport(result.task.shown(result.task.collection), message)]
