"""A campaign checked and not scored: its file, and every file that it names, against its task.

All is read and counted as by `campaign`, so that both refuse the same, but nothing is compared,
shown or written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from ave_score import rules
from ave_score.campaigns.anonymous import AnonymousNames
from ave_score.campaigns.campaign import Watch, folder_of, own_output, results_of
from ave_score.campaigns.folder import ORGANISERS
from ave_score.campaigns.plan import Plan, make_plan
from ave_score.campaigns.result import Result
from ave_score.campaigns.task import Task
from ave_score.core.errors import InputError, UsageError
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.files.check import Checked
from ave_score.files.contents import Contents
from ave_score.files.sniff import sniff
from ave_score.files.source import Source


class CheckedCampaign(NamedTuple):
    """A checked campaign.

    Attributes
    ----------
    files
        The campaign file, then what it names: what is not scored for another reason than findings
        is unreadable. A run is checked in each task that has it.
    results
        The reports on the files of each task; empty after an error in the campaign file.
    """

    files: Sequence[Checked]
    results: Sequence[Result] = ()

    @property
    def is_complete(self) -> bool:
        """Whether all that the campaign file names was found."""
        return not self.files[0].findings.counts[rules.FILE_UNUSABLE]


def checked_campaign(source: Source, watch: Watch = nullcontext) -> CheckedCampaign:
    """Check a campaign file and every file that it names, as `campaign` does before it scores."""
    findings = Findings(source.path)
    try:
        plan, findings = make_plan(source)
        if plan is None:
            return CheckedCampaign([Checked(source.path, FileKind.CAMPAIGN, findings)])
        folder_of(plan, own_output(plan), source.path, ORGANISERS).check()
        names = AnonymousNames(plan)

        def finished(result: Result) -> Result:
            names.of_runs(result)
            return result._replace(gold=None, subjects=())

        alone = plan._replace(tasks=[task._replace(is_compared=False) for task in plan.tasks])
        results = results_of(alone, findings, watch, finished)
    except UsageError as error:
        problem = error.for_commands
        return CheckedCampaign([Checked(source.path, None, findings, unreadable=problem)])
    except InputError as error:
        failed = Checked(error.path, None, Findings(error.path), unreadable=error.reason)
        own = Checked(source.path, FileKind.CAMPAIGN, findings)
        return CheckedCampaign([failed] if error.path == source.path else [own, failed])
    own = Checked(source.path, FileKind.CAMPAIGN, findings, _contents(plan))
    return CheckedCampaign([own, *_distinct(results)], results)


def _contents(plan: Plan) -> Contents:
    """Return the contents of a campaign file as its reader counts them."""
    editions = {task.edition for task in plan.tasks}
    return {"editions": len(editions), plan.tasks[0].word.setting: len(plan.tasks)}


def _distinct(results: Sequence[Result]) -> Iterator[Checked]:
    """Yield the files of all tasks, one of several tasks once for each that says more of it."""
    told: dict[str, set[str]] = {}
    for result in results:
        for checked in _of_task(result):
            said = checked.unreadable or str(checked.findings.brief())
            before = told.setdefault(checked.path, set())
            if said not in before and (len(checked.findings) or checked.unreadable or not before):
                before.add(said)
                yield checked


def _of_task(result: Result) -> Iterator[Checked]:
    """Yield the files that a task has, and then what else is not scored."""
    task, others = result.task, {report.path: report for report in result.not_scored}
    found = {report.path: report.findings for report in result.reports if report.findings}
    for path, kind in _files(task):
        findings = found.get(task.shown(path)) or Findings(path)
        reason = others.pop(task.shown(path)).summary if task.shown(path) in others else None
        runs = {run.path for run in task.runs}
        against = task.collection if path in runs and task.key is None else None
        problem = None if findings.errors else reason
        read_as = _kind_of(task, path, kind)
        words = task.source(path).naming.options if against is not None else []
        yield Checked(path, read_as, findings, None, problem, against, words)
    for report in others.values():
        path = str(Path(task.folder) / report.path)
        if report.findings:  # as a list of documents has
            yield Checked(path, None, report.findings.with_path(path))
        else:
            yield Checked(path, None, Findings(path), unreadable=report.summary)


def _files(task: Task) -> Iterator[tuple[str, FileKind]]:
    """Yield the files that are read, each with the kind that it has if its content does not say."""
    yield task.collection, FileKind.COLLECTION
    for path, kind in ((task.key, FileKind.KEY), (task.judged, FileKind.JUDGED)):
        if path is not None:
            yield path, kind
    if isinstance(task.teams, str):
        yield task.teams, FileKind.TEAMS
    yield from ((run.path, FileKind.RUN) for run in (*task.runs, *task.not_scored))


def _kind_of(task: Task, path: str, usual: FileKind) -> FileKind:
    """Return the kind that a file was read as."""
    if usual not in (FileKind.COLLECTION, FileKind.RUN):
        return usual
    with suppress(InputError):  # it is unreadable
        kind = sniff(task.source(path))
        is_run = KINDS[kind].is_submitted or kind is FileKind.RESPONSES
        if is_run or usual is FileKind.COLLECTION:
            return kind
    return usual
