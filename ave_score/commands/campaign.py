"""`ave-score campaign`: plan, check and score run by run, write the folder of results."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import FILE, OUTPUT, Options, argument, command, option
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.errors import UsageError
from ave_score.text import nearest, visible

if TYPE_CHECKING:
    from ave_score.campaigns.plan import Plan, RunFile
    from ave_score.campaigns.score import Result

_MOST_LISTED = 50


class _Campaign(click.Group):
    """Takes what is none of its commands for the FILE of the first of them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = (*self.commands, *ctx.help_option_names)
        if args and args[0] not in known:
            args.insert(0, "run")
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "[run] FILE | init")


@click.group("campaign", cls=_Campaign, short_help="Score a whole campaign from one file.")
def campaign_command() -> None:
    """Check and score everything that a campaign FILE names, and write every table.

    The FILE (TOML) names editions, languages, collections and folders of runs. A defective run is
    listed and left out; the others are scored. `ave-score campaign init` writes a FILE to start
    with; `--output FOLDER` says where the results go. Exit codes: 0 done, 1 something was left
    out, 2 could not run.
    """


class RunOptions(Options):
    """The argument and options of one call of `ave-score campaign run`."""

    file: str = argument(type=FILE)
    output: str | None = option(
        "-o", metavar="FOLDER", type=FILE, help="The folder of results; FILE names one too."
    )


@command("run", RunOptions, short_help="Score what FILE names (run may be left out).")
def run_command(options: RunOptions) -> int:
    """Score everything that FILE names; the results are a folder with an index.md.

    Exit codes: 0 done, 1 something was left out, 2 could not run.
    """
    from pathlib import Path

    from ave_score import rules
    from ave_score.campaigns.pages import INDEX, left_out_of, make_pages, summary_of
    from ave_score.campaigns.plan import check_output, make_plan
    from ave_score.commands.folder import Folder
    from ave_score.files.source import Source
    from ave_score.reports.findings.concise import finding_lines, help_lines

    if not os.path.exists(options.file) and nearest(options.file, ["init"]):
        raise UsageError(f"there is no file {options.file}; did you mean ave-score campaign init?")
    plan, findings = make_plan(Source(options.file))
    for line in (*finding_lines(findings, every=True), *help_lines([findings])):
        click.echo(line, err=True)
    if plan is None:
        click.echo("ave-score: nothing scored", err=True)
        return 1
    target = plan.output if options.output is None else options.output
    folder = Folder(target, options.file)
    check_output(plan, target)
    results = _results(plan)
    folder.write(make_pages(plan, results, findings))
    _list_left_out(results)
    click.echo(visible(str(Path(folder.path) / INDEX)))
    click.echo(summary_of(results))
    odd = findings.counts[rules.FILE_UNUSABLE]  # also where there was no file to leave out
    return 1 if left_out_of(results) or odd else 0


def _results(plan: Plan) -> list[Result]:
    """Score language by language, watched by a bar over all runs."""
    from ave_score.campaigns.score import Worker
    from ave_score.commands.progress import progress

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
                worker = Worker(plan.tasks[number])
            elif worker is not None:
                worker.take(run)
    if worker is not None:
        results.append(worker.result())
    return results


def _shown(plan: Plan, step: tuple[int, RunFile | None]) -> str:
    number, run = step
    return f"{plan.tasks[number].where} {run.name if run else ''}"


def _list_left_out(results: list[Result]) -> None:
    """Name what was left out, and what else is to be told, on stderr."""
    from ave_score.campaigns.pages import left_out_of, notes_of

    for head, reports in (("left out", left_out_of(results)), ("note", notes_of(results))):
        for result, report in reports[:_MOST_LISTED]:
            line = f"{head}: {result.task.where}: {report.path}: {report.summary}"
            click.echo(f"ave-score: {visible(line)}", err=True)
        if len(reports) > _MOST_LISTED:
            more = len(reports) - _MOST_LISTED
            click.echo(f"ave-score: and {more:,} more, in findings.md", err=True)


class InitOptions(Options):
    """The option of one call of `ave-score campaign init`."""

    output: str = OUTPUT


@command("init", InitOptions, short_help="Write a file to start with.")
def init_command(options: InitOptions) -> None:
    """Write a campaign file in which every setting is explained; a file that is there stays."""
    from ave_score.campaigns.start import start_file

    check_output_paths([], {"--output": options.output})
    if options.output != "-" and os.path.exists(options.output):
        raise UsageError(f"{options.output} is there already, and is not written over")
    with whole_file(options.output) as out:
        out.write(start_file())


campaign_command.add_command(run_command)
campaign_command.add_command(init_command)
