"""`ave-score stats`: the options of the command; `stats_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import FILE, format_option, output_option


@click.command("stats", short_help="Say how large collections are, and how they are labelled.")
@click.argument("collections", nargs=-1, metavar="COLLECTION...", type=FILE)
@format_option
@click.option(
    "--digits",
    type=click.IntRange(0, 12),
    default=2,
    show_default=True,
    help="Decimals of percentages.",
)
@output_option
@click.pass_context
def stats_command(
    context: click.Context, /, collections: tuple[str, ...], format: str, digits: int, output: str
) -> int:
    """Say of each COLLECTION how many questions and answers it has, and of which labels.

    A row each with its language, and one for all of them: the tables of collections in an overview
    paper. The percentage of available answers is known of collections that `ave-score build` made.
    Defective collections are listed with what is wrong with them, and left out.

    Exit codes: 0 done, 1 a file has errors and was left out, 2 a file could not be read.
    """
    if not collections:
        raise click.UsageError("no COLLECTION given: ave-score stats COLLECTION...", context)
    from ave_score.commands.stats_job import describe_files  # not on the way to --help

    return describe_files(collections, format, digits, output)
