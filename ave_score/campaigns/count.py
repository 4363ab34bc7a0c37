"""Checks and counts one file of a language: a value, and what is to be told of the file."""

from __future__ import annotations

from collections.abc import Iterable

from ave_score.campaigns.counted import CountedGold, FileReport, Found
from ave_score.campaigns.task import RunFile, Task
from ave_score.counts import additive_families
from ave_score.counts.counted import RowCounter
from ave_score.errors import InputError
from ave_score.facts import collection_facts
from ave_score.files.check import check_submission
from ave_score.files.gold import Gold
from ave_score.files.groups import check_groups
from ave_score.files.judged import check_judged
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import Collection, JudgedRun, Run
from ave_score.policies import settle_unknown
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import Severity

Reports = list[FileReport]


def noted(task: Task, found: Iterable[Findings]) -> Reports:
    """Return what was found in files, with paths as the campaign file has them."""
    reports = []
    for findings in found:
        if len(findings):
            shown = findings.called(task.shown(findings.path))
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


def unreadable(task: Task, error: InputError) -> FileReport:
    """Return what is to be told of a file that cannot be read."""
    return FileReport(task.shown(error.path), error.reason, [], left_out=True)


def count_gold(
    task: Task, read: tuple[Gold | None, list[Findings]]
) -> tuple[CountedGold | None, Reports]:
    """Return what a language is scored against, in numbers, with the rows that come with it."""
    gold, found = read
    reports = noted(task, found)
    if gold is None:
        return None, reports
    settled = settle_unknown(gold.collection, task.policies.unknown)
    judged, of_judged = _judged(task, gold.collection)
    shown = task.shown(task.collection)
    tally = tally_of(task, settled)
    rows = [Found(tally.of_system(one), shown, True) for one in gold.systems]
    rows += [Found(tally.of_system(one), task.shown(one.path), False) for one in judged]
    rows += [Found(one, shown, False) for one in tally.baselines()]
    facts = collection_facts(gold.collection, settled)
    facts = facts._replace(path=shown, key_path=task.key and task.shown(task.key))
    return CountedGold(facts, rows), reports + of_judged


def _judged(task: Task, collection: Collection) -> tuple[list[JudgedRun], Reports]:
    """Return the QA systems that are to be ranked beside the runs."""
    if task.judged is None:
        return [], []
    if collection.roster.is_pairs:
        told = "ranks QA systems by question, and pairs belong to none"
        return [], [FileReport(task.shown(task.judged), told, [], left_out=True)]
    systems, found = check_judged(Source(task.judged), collection, task.policies.campaign)
    return systems or [], noted(task, found)


def count_run(task: Task, gold: Gold, run: RunFile) -> tuple[list[Found], Reports]:
    """Return the rows of a run that was submitted: none where it has defects."""
    collection = settle_unknown(gold.collection, task.policies.unknown)
    campaign, missing = task.policies.campaign, task.policies.missing
    submitted, found = check_submission(Source(run.path), collection, campaign, missing, run.name)
    tally = tally_of(task, collection)
    rows = [
        tally.of_run(one) if isinstance(one, Run) else tally.of_system(one)
        for one in submitted or ()
    ]
    return [Found(row, task.shown(run.path), True) for row in rows], noted(task, found)


def tally_of(task: Task, collection: Collection) -> RowCounter:
    """Return what counts everything that any measure of the task wants, and a few numbers more.

    What takes no more than numbers to be kept is counted anyway, so that it is there when other
    measures are asked for.
    """
    return RowCounter(collection, task.policies, [*additive_families(), *task.samples])


def read_groups(task: Task) -> tuple[dict[str, str], Reports]:
    """Return who submitted what."""
    if isinstance(task.groups, dict):
        return task.groups, []
    try:
        groups, found = check_groups(Source(task.groups))
    except InputError as error:
        return {}, [unreadable(task, error)]
    return groups or {}, noted(task, found)
