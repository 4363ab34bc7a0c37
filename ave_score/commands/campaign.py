"""`ave-score campaign`: check and score all runs of a campaign, write the results folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import FILE, OUTPUT, Options, argument, command, option
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.errors import UsageError
from ave_score.text import nearest, visible

if TYPE_CHECKING:
    from ave_score.campaigns.plan import Plan
    from ave_score.campaigns.run import Step
    from ave_score.campaigns.score import Result

_MOST_LISTED = 50


class _Campaign(click.Group):
    """Treats an argument that is not a subcommand as the FILE of `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = (*self.commands, *ctx.help_option_names)
        if args and args[0] not in known:
            args.insert(0, "run")
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "[run] FILE | init")


@click.group("campaign", cls=_Campaign)
def campaign_command() -> None:
    """Check and score all runs of a campaign FILE, and write all tables.

    FILE (TOML) lists editions, languages, collections and folders of runs. Invalid runs are
    reported and left out; the others are scored. `ave-score campaign init` writes a template;
    `--output FOLDER` sets the results folder. Exit codes: 0 success, 1 some files were left out,
    2 could not run.
    """


class RunOptions(Options):
    """The argument and options of `ave-score campaign run`."""

    file: str = argument(type=FILE)
    output: str | None = option(
        "-o", metavar="FOLDER", type=FILE, help="Results folder; overrides the one in FILE."
    )
    jobs: int | None = option(
        metavar="N",
        type=click.IntRange(1),
        help="Processes that compare runs. Default: one for each core.",
    )


@command("run", RunOptions, short_help="Score a campaign (the word run is optional).")
def run_command(options: RunOptions) -> int:
    """Score the campaign in FILE; the results folder contains an index.md.

    Exit codes: 0 success, 1 some files were left out, 2 could not run.
    """
    from ave_score.bulk import processes
    from ave_score.campaigns.pages import summary_of
    from ave_score.campaigns.plan import make_plan
    from ave_score.campaigns.run import folder_of, index_of, scored_campaign
    from ave_score.commands.progress import progress
    from ave_score.files.source import Source
    from ave_score.reports.findings.concise import finding_lines, help_lines

    if not os.path.exists(options.file) and nearest(options.file, ["init"]):
        raise UsageError(
            f"file {options.file} does not exist; did you mean ave-score campaign init?"
        )
    plan, findings = make_plan(Source(options.file))
    for line in (*finding_lines(findings, every=True), *help_lines([findings])):
        click.echo(line, err=True)
    if plan is None:
        click.echo("ave-score: nothing scored", err=True)
        return 1
    target = plan.output if options.output is None else options.output
    folder = folder_of(plan, target, options.file)
    with_names = partial(progress, label="Scoring", name=lambda step: _shown(plan, step))
    scored = scored_campaign(plan, findings, with_names, processes(options.jobs))
    folder.write(scored.pages)
    _list_left_out(scored.results)
    click.echo(visible(index_of(folder)))
    click.echo(summary_of(scored.results))
    return 0 if scored.is_complete else 1


def _shown(plan: Plan, step: Step) -> str:
    return f"{plan.tasks[step.task].where} {step.name}"


def _list_left_out(results: Sequence[Result]) -> None:
    """Print the files left out and the notes on stderr."""
    from ave_score.campaigns.pages import left_out_of, notes_of

    for head, reports in (("left out", left_out_of(results)), ("note", notes_of(results))):
        for result, report in reports[:_MOST_LISTED]:
            line = f"{head}: {result.task.where}: {report.path}: {report.summary}"
            click.echo(f"ave-score: {visible(line)}", err=True)
        if len(reports) > _MOST_LISTED:
            more = len(reports) - _MOST_LISTED
            click.echo(f"ave-score: and {more:,} more, in findings.md", err=True)


class InitOptions(Options):
    """The option of `ave-score campaign init`."""

    output: str = OUTPUT


@command("init", InitOptions, short_help="Write a template campaign file.")
def init_command(options: InitOptions) -> None:
    """Write a commented template campaign file; an existing file is not overwritten."""
    from ave_score.campaigns.start import start_file

    check_output_paths([], {"--output": options.output})
    if options.output != "-" and os.path.exists(options.output):
        raise UsageError(f"{options.output} already exists")
    with whole_file(options.output) as out:
        out.write(start_file())


campaign_command.add_command(run_command)
campaign_command.add_command(init_command)
