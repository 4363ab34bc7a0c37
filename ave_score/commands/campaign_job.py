"""What `ave-score campaign` does: plan, check and score run by run, write the folder of results."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ave_score import rules
from ave_score.campaigns.cache import Cache
from ave_score.campaigns.pages import INDEX, left_out_of, make_pages, notes_of, summary_of
from ave_score.campaigns.plan import check_output, make_plan
from ave_score.campaigns.start import START
from ave_score.campaigns.task import Plan, RunFile
from ave_score.campaigns.work import Result, Worker
from ave_score.commands.files import check_written, whole_file
from ave_score.commands.folder import Folder
from ave_score.commands.progress import progress
from ave_score.errors import UsageError
from ave_score.files.source import Source
from ave_score.reports.findings.concise import finding_lines, help_lines
from ave_score.text import nearest, visible

_MOST_LISTED = 50


def score_campaign(path: str, output: str | None) -> int:
    """Score everything that a campaign file names; return the exit code."""
    if not os.path.exists(path) and nearest(path, ["init"]):
        raise UsageError(f"there is no file {path}; did you mean ave-score campaign init?")
    plan, findings = make_plan(Source(path))
    for line in (*finding_lines(findings, every=True), *help_lines([findings])):
        click.echo(line, err=True)
    if plan is None:
        click.echo("ave-score: nothing scored", err=True)
        return 1
    target = plan.output if output is None else output
    folder = Folder(target, path)
    check_output(plan, target)
    cache = Cache(folder.cached())
    try:
        results = _results(plan, cache)
        pages = make_pages(plan, results, findings)
        folder.write(pages, cache.to_text())
    except BaseException:
        folder.keep(cache.to_text(whole=False))  # what was counted is not counted again
        raise
    _tell(results)
    before = f" ({cache.hits:,} of {cache.hits + cache.misses:,} parts counted before)"
    click.echo(visible(str(Path(folder.path) / INDEX)))
    click.echo(summary_of(results) + (before if cache.hits else ""))
    odd = findings.counts[rules.FILE_UNUSABLE]  # also where there was no file to leave out
    return 1 if left_out_of(results) or odd else 0


def _results(plan: Plan, cache: Cache) -> list[Result]:
    """Score language by language, watched by a bar over all runs."""
    results: list[Result] = []
    worker = None
    steps: list[tuple[int, RunFile | None]] = [
        (number, run)
        for number, task in enumerate(plan.tasks)
        for run in (None, *task.runs)  # None: the language begins
    ]
    with progress(steps, "Scoring", lambda step: _shown(plan, step)) as watched:
        for number, run in watched:
            if run is None:
                if worker is not None:
                    results.append(worker.result())
                worker = Worker(plan.tasks[number], cache)
            elif worker is not None:
                worker.take(run)
    if worker is not None:
        results.append(worker.result())
    return results


def _shown(plan: Plan, step: tuple[int, RunFile | None]) -> str:
    number, run = step
    return f"{plan.tasks[number].where} {run.name if run else ''}"


def _tell(results: list[Result]) -> None:
    """Name what was left out, and what else is to be told, on stderr."""
    for head, reports in (("left out", left_out_of(results)), ("note", notes_of(results))):
        for result, report in reports[:_MOST_LISTED]:
            told = f"{head}: {result.task.where}: {report.path}: {report.summary}"
            click.echo(f"ave-score: {visible(told)}", err=True)
        if len(reports) > _MOST_LISTED:
            more = len(reports) - _MOST_LISTED
            click.echo(f"ave-score: and {more:,} more, in findings.md", err=True)


def write_start(output: str) -> None:
    """Write the file to start with, to where there is none."""
    check_written([], {"--output": output})
    if output != "-" and Path(output).exists():
        raise UsageError(f"{output} is there already, and is not written over")
    with whole_file(output) as out:
        out.write(START)
