"""`ave-score decide`: the options of the command; `decide_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import FILE, output_option


@click.command("decide", short_help="Make a run of the scores of a verifier.")
@click.argument("scores", metavar="SCORES", type=FILE)
@click.option(
    "--threshold",
    type=float,
    metavar="T",
    help="Accept answers with a score of T or more, and reject the others.",
)
@click.option(
    "--top-k",
    type=click.IntRange(1),
    metavar="K",
    help="Accept at most the K best answers of a question. Default: 1; with --threshold any.",
)
@click.option(
    "--ties",
    type=click.Choice(["first", "last", "none", "random"]),
    default="first",
    show_default=True,
    help="Which of equally scored answers is best: by the order of the file, none, or by chance.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Of --ties random."
)
@click.option(
    "--columns",
    metavar="NAMES",
    help="What the file calls its columns or keys: q_id=problem,score=reward.",
)
@click.option(
    "--collection",
    metavar="FILE",
    type=FILE,
    help="The collection that the run is to cover, in whose order it is written.",
)
@output_option
@click.option(
    "--write-collection",
    metavar="FILE",
    type=FILE,
    help="Also write a collection of the answers, labelled by what the file says is correct.",
)
def decide_command(scores: str, **options: object) -> int:
    """Make a run of the SCORES that a verifier gave to answers.

    SCORES are JSON Lines with the keys q_id, score and perhaps a_id, correct, question and answer;
    a tab-separated table with such columns; or lines `q_id a_id score`. Of the accepted answers of
    a question the best is SELECTED and the others are VALIDATED; the rest is REJECTED. Scores
    become the confidences as they are written.

    Exit codes: 0 done, 1 a file has errors and nothing was written, 2 could not run.
    """
    from ave_score.commands.decide_job import Options, decide_file  # not on the way to --help

    return decide_file(scores, Options(**options))  # type: ignore[arg-type]
