"""`ave-score build`: the options of the command; `build_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import FILE, campaign_option, output_option


@click.command("build", short_help="Build a collection of judged answers.")
@click.argument("judged", nargs=-1, metavar="JUDGED...", type=FILE)
@click.option(
    "--questions",
    metavar="FILE",
    type=FILE,
    help="The questions, in their order: q_id, question [lang, topic, hypothesis] (TSV).",
)
@output_option
@click.option(
    "--unlabelled", metavar="FILE", type=FILE, help="Also write the collection without labels."
)
@click.option("--key", metavar="FILE", type=FILE, help="Also write the labels alone.")
@click.option("--pairs", is_flag=True, help="Text-hypothesis pairs, as of AVE 2006.")
@campaign_option
@click.option(
    "--max-text",
    type=click.IntRange(1),
    metavar="N",
    help="Characters of the longest supporting text. Default: 700, with --pairs 500.",
)
@click.option(
    "--lang", default="", metavar="XX", help="The language of questions that name none: en, es..."
)
@click.option("--edition", default="", metavar="NAME", help="What the collection is called.")
@click.option(
    "--documents",
    metavar="FOLDER",
    type=FILE,
    help="Take texts that are wanting from FOLDER/<doc>.txt or .txt.gz.",
)
@click.option(
    "--stop-words",
    metavar="FILE",
    type=FILE,
    help="Words of questions that choose no text, one a line. Default: by language.",
)
@click.option(
    "--report",
    type=click.Choice(["table", "markdown", "json"]),
    default="table",
    show_default=True,
    help="How it is told what was left out; on stderr if a file is written to stdout.",
)
@click.pass_context
def build_command(context: click.Context, /, judged: tuple[str, ...], **options: object) -> int:
    """Build a collection of the JUDGED answers of question answering systems.

    As for AVE: NIL, void and repeated answers, answers contained in another one, and answers with
    too long a text are left out, with topics all questions but the first; judgements become labels.
    What each step takes away is told. The order of files and rows changes nothing.

    Exit codes: 0 done, 1 a file has errors and nothing was written, 2 could not run.
    """
    if not judged:
        raise click.UsageError("no JUDGED given: ave-score build JUDGED...", context)
    from ave_score.commands.build_job import Options, build_files  # not on the way to --help

    return build_files(judged, Options(**options))  # type: ignore[arg-type]
