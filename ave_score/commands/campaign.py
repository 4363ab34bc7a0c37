"""`ave-score campaign`: check and score all runs of a campaign, write the results folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ave_score import rules
from ave_score.campaigns.campaign import folder_of, own_output, scored_campaign
from ave_score.campaigns.folder import AUDIENCES, ORGANISERS, Folder, Said
from ave_score.campaigns.listing import listed, listing_report
from ave_score.campaigns.made_from import digest_of
from ave_score.campaigns.pages import INDEX, not_scored_in, notes_of, summary_of
from ave_score.campaigns.plan import make_plan
from ave_score.campaigns.start import start_file
from ave_score.commands.declared import Options, argument, command, file_option, option
from ave_score.commands.help import HelpGroup, Section
from ave_score.commands.options import FORMAT, OUTPUT
from ave_score.commands.output_files import say, write_report
from ave_score.commands.own_copies import is_own, remember
from ave_score.commands.progress import progress
from ave_score.commands.types import FILE, complete_names
from ave_score.core.errors import DefectError, UsageError
from ave_score.core.text import nearest, visible
from ave_score.core.writing import whole_file
from ave_score.files.source import Source
from ave_score.reports.findings.concise import finding_lines, help_lines

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ave_score.campaigns.plan import Plan
    from ave_score.campaigns.result import Result
    from ave_score.campaigns.task import FileReport, Task
    from ave_score.core.findings import Findings

_MOST_LISTED = 50


class _Campaign(HelpGroup):
    """Treats an argument that is not a subcommand as the FILE of `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = (*self.commands, *ctx.help_option_names)
        if args and args[0] not in known:
            args.insert(0, "run")
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return commands, and TOML files: bash offers no file of its own beside a name."""
        names = super().shell_complete(ctx, incomplete)
        if not names:
            return FILE.shell_complete(incomplete)
        files = [path.name for path in Path().glob("*.toml") if " " not in path.name]
        return [*names, *complete_names(sorted(files), incomplete)]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's name
        return ["[run] FILE | list FILE | init"]


@click.group("campaign", cls=_Campaign)
def campaign_command() -> None:
    """Check and score all runs of a campaign FILE, and write all tables.

    FILE (TOML) lists editions, languages, collections and folders of runs. Invalid runs are
    reported and not scored; the others are. `ave-score campaign init` writes a template.
    `--output FOLDER` sets the results folder.

    Exit codes: 0 success, 1 some files were not scored, 2 could not run.
    """


class RunOptions(Options):
    """The argument and options of `ave-score campaign run`."""

    file: str = argument(type=FILE)
    output: str | None = file_option(
        Section.OUTPUT, "Results folder; overrides the one in FILE.", short="-o", metavar="FOLDER"
    )
    audience: str = option(
        Section.CONTENT,
        "Readers of FOLDER. For the public, it is a site of what share in FILE allows.",
        [*AUDIENCES],
        default=ORGANISERS,
    )

    def check(self) -> None:
        """Raise `UsageError` for a site without a folder of its own."""
        if self.audience != ORGANISERS and self.output is None:
            raise UsageError(f"--audience {self.audience} needs --output, a folder of its own")


@command(
    "run",
    RunOptions,
    examples={
        "Write the results folder that FILE names": "ave-score campaign run campaign.toml",
        "Write another one": "ave-score campaign run campaign.toml -o results",
        "Write a site that anybody may read": (
            "ave-score campaign run campaign.toml --audience public -o site"
        ),
    },
)
def run_command(options: RunOptions) -> int:
    """Score the campaign in FILE; the results folder contains an index.

    Exit codes: 0 success, 1 some files were not scored, 2 could not run.
    """
    plan, findings = _plan(options.file)
    if plan is None:
        say([*_lines_of(findings), "ave-score: nothing scored"])
        return 1
    target = own_output(plan) if options.output is None else options.output
    folder = folder_of(plan, target, options.file, options.audience)
    is_public = options.audience != ORGANISERS  # who may not find real names in the record
    made_from = None if is_public else digest_of(plan)
    said = folder.said_before() if is_own(folder.record) else None
    if said is not None and said.made_from == made_from:
        folder.remove_parts()
        return _tell(said, folder, "nothing has changed since the last call, nothing was done")
    with_names = partial(
        progress, label="Scoring", name=lambda step: f"{plan.tasks[step.task].where} {step.name}"
    )
    try:
        scored = scored_campaign(plan, findings, with_names, options.audience)
    except DefectError as error:
        say([*_lines_of(error.findings), "ave-score: nothing written"])
        return 1
    if any(report.may_pass for result in scored.results for report in result.reports):
        made_from = None
    rest = "findings.md" if "findings.md" in scored.pages else "the results for organisers"
    notes = [*_lines_of(findings), *_lines_of_reports(scored.results, rest)]
    said = Said(made_from or "", 0 if scored.is_complete else 1, summary_of(scored.results), notes)
    folder.write(scored.files, said if made_from is not None else None)
    if made_from is not None:
        remember(folder.record, folder.record.read_bytes())
    return _tell(said, folder)


def _tell(said: Said, folder: Folder, *more: str) -> int:
    """Print what is said of results, and where they are; return the exit code."""
    for line in (said.summary, *more):
        click.echo(visible(line))
    say(said.notes)
    first = INDEX if (Path(folder.path) / INDEX).exists() else "index.html"
    click.echo(visible(str(Path(folder.path) / first)))
    return said.code


def _plan(file: str) -> tuple[Plan | None, Findings]:
    """Read a campaign file."""
    meant = None if os.path.exists(file) else nearest(file, ["init", "list"])
    if meant:
        raise UsageError(f"file {file} does not exist; did you mean ave-score campaign {meant}?")
    return make_plan(Source(file))


def _lines_of(findings: Findings) -> list[str]:
    """Return the findings in a campaign file, and the help of their rules."""
    return [*finding_lines(findings, every=True), *help_lines([findings])]


def _lines_of_reports(results: Sequence[Result], rest: str) -> Iterator[str]:
    """Yield what is said of files not scored, and the notes; `rest` is as in `report_lines`."""
    for reports in (not_scored_in(results), notes_of(results)):
        yield from report_lines([(result.task, report) for result, report in reports], rest)


def report_lines(reports: Sequence[tuple[Task, FileReport]], rest: str) -> Iterator[str]:
    """Yield what is said of files; `rest` says where the reports beyond the first are."""
    for task, report in reports[:_MOST_LISTED]:
        head = "not scored" if report.not_scored else "note"
        line = f"{head}: {task.where}: {report.path}: {report.summary}"
        yield f"ave-score: {visible(line)}"
    if len(reports) > _MOST_LISTED:
        yield f"ave-score: and {len(reports) - _MOST_LISTED:,} more, in {rest}"


class ListOptions(Options):
    """The argument and options of `ave-score campaign list`."""

    file: str = argument(type=FILE)
    format: str = FORMAT
    output: str = OUTPUT


@command(
    "list",
    ListOptions,
    examples={
        "Show the tasks and runs of a campaign": "ave-score campaign list campaign.toml",
        "Write them for other programs": "ave-score campaign list campaign.toml -f csv -o runs.csv",
    },
)
def list_command(options: ListOptions) -> int:
    """List which file is which run of which team in which language, without scoring.

    Runs are not read: `ave-score check FILE` checks them, and the names of runs in FILE.

    Exit codes: 0 success, 1 some files are unusable, 2 could not run.
    """
    plan, findings = _plan(options.file)
    say(_lines_of(findings))
    if plan is None:
        say(["ave-score: nothing listed"])
        return 1
    listing = listed(plan)
    say(report_lines(listing.notes, "--format json"))
    write_report(listing_report(listing), options.format, options.output)
    some_not_scored = any(note.report.not_scored for note in listing.notes)
    return int(some_not_scored or bool(findings.counts[rules.FILE_UNUSABLE]))


class InitOptions(Options):
    """The option of `ave-score campaign init`."""

    output: str = OUTPUT


@command(
    "init",
    InitOptions,
    examples={
        "Write a template": "ave-score campaign init -o campaign.toml",
        "Show it": "ave-score campaign init",
    },
)
def init_command(options: InitOptions) -> None:
    """Write a commented template campaign file; an existing file is not overwritten."""
    if options.output != "-" and os.path.exists(options.output):
        raise UsageError(f"{options.output} already exists")
    with whole_file(options.output) as out:
        out.write(start_file())


campaign_command.examples = {
    "Write a template, and adapt it to your files": "ave-score campaign init -o campaign.toml",
    "Score the campaign": "ave-score campaign campaign.toml --output results",
}
campaign_command.add(
    {
        run_command: "Score a campaign (the word run is optional).",
        list_command: "List the runs of a campaign, without scoring.",
        init_command: "Write a template campaign file.",
    }
)
