"""`ave-score campaign`: the options of the command; `campaign_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import FILE, output_option


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
    listed and left out; the others are scored. What has not changed is not scored again.
    `ave-score campaign init` writes a FILE to start with; `--output FOLDER` says where the results
    go. Exit codes: 0 done, 1 something was left out, 2 could not run.
    """


@campaign_command.command("run", short_help="Score what FILE names (run may be left out).")
@click.argument("file", type=FILE)
@click.option(
    "--output", "-o", metavar="FOLDER", type=FILE, help="The folder of results; FILE names one too."
)
def _run(file: str, output: str | None) -> int:
    """Score everything that FILE names; the results are a folder with an index.md.

    Exit codes: 0 done, 1 something was left out, 2 could not run.
    """
    from ave_score.commands.campaign_job import score_campaign  # not on the way to --help

    return score_campaign(file, output)


@campaign_command.command("init", short_help="Write a file to start with.")
@output_option
def _init(output: str) -> None:
    """Write a campaign file in which every setting is explained; a file that is there stays."""
    from ave_score.commands.campaign_job import write_start

    write_start(output)
