"""`ave-score check`: the options of the command; `check_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import FILE, campaign_option, output_option

FORMATS = (
    "full",
    "concise",
    "json",
    "markdown",
    "github",
    "gitlab",
    "sarif",
    "junit",
)

KINDS = (
    *("auto", "run", "collection", "key", "judged", "groups", "questions", "answers"),
    *("campaign", "scores", "answer-sets", "responses"),
)


@click.command("check", short_help="Say everything that is wrong with a file.")
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
@click.option(
    "--collection",
    metavar="FILE",
    type=FILE,
    help="The collection that runs are about, with labels or without: they are not looked at. Or "
    "the answer sets that responses are about.",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    metavar="KIND",
    default="auto",
    show_default=True,
    help=f"What the FILEs are to be: {', '.join(KINDS)}.",
)
@campaign_option
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default="full",
    envvar="AVE_SCORE_FORMAT",
    show_default=True,
    help="How findings are written; AVE_SCORE_FORMAT sets another default.",
)
@click.option("--select", metavar="CODES", help="Only rules of these codes, e.g. AVE1,AVE301.")
@click.option("--ignore", metavar="CODES", help="No rules of these codes; stronger than --select.")
@click.option("--strict", is_flag=True, help="Warnings are as bad as errors.")
@click.option(
    "--max-findings",
    type=click.IntRange(0),
    metavar="N",
    help="List no more than N findings in all; the others are counted.",
)
@click.option("--statistics", is_flag=True, help="Only how often each rule was broken.")
@output_option
@click.pass_context
def check_command(context: click.Context, /, files: tuple[str, ...], **options: object) -> int:
    """Say everything that is wrong with runs, collections, and all other files that are read here.

    What a FILE is, it tells itself, but for keys; --kind says it. With --collection it is also
    found out whether a run names every answer, and no other. Files may be compressed with gzip or
    xz; - is standard input.

    Exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 a file could not be read.
    `ave-score rule CODE` explains a finding, `ave-score fix` mends what can be mended.
    """
    if not files:
        raise click.UsageError("no FILE given: ave-score check FILE...", context)
    from ave_score.commands.check_job import Options, check_files  # not on the way to --help

    return check_files(files, Options(**options))  # type: ignore[arg-type]
