"""`ave-score decide`: convert verifier scores to a run."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ave_score.commands.options import FILE, OUTPUT, TableOptions, argument, command, option
from ave_score.commands.output_files import check_output_paths, write_whole_files
from ave_score.errors import UsageError


class DecideOptions(TableOptions):
    """The arguments and options of one call."""

    scores: str = argument(metavar="SCORES", type=FILE)
    threshold: float | None = option(
        type=float,
        metavar="T",
        help="Accept answers with a score of at least T.",
    )
    top_k: int | None = option(
        type=click.IntRange(1),
        metavar="K",
        help="Accept at most K answers per question. Default: 1; no limit with --threshold.",
    )
    ties: str = option(
        type=click.Choice(["first", "last", "none", "random"]),
        default="first",
        show_default=True,
        help="Which of several answers with the same score is preferred: by file order, none, or "
        "random.",
    )
    seed: int = option(
        type=int, default=0, show_default=True, metavar="N", help="Random seed of --ties random."
    )
    collection: str | None = option(
        metavar="FILE",
        type=FILE,
        help="The collection that the run must cover; sets the order of its lines.",
    )
    output: str = OUTPUT
    write_collection: str | None = option(
        metavar="FILE",
        type=FILE,
        help="Also write the answers as a collection, with labels from the key or column correct.",
    )


@command("decide", DecideOptions)
def decide_command(options: DecideOptions) -> int:
    """Convert the SCORES that a verifier assigned to answers to a run.

    SCORES is JSON Lines with the keys q_id, score and optionally a_id, correct, question and
    answer; a tab-separated table with these columns; or lines `q_id a_id score`. The best accepted
    answer of a question is SELECTED, other accepted answers are VALIDATED, and the rest are
    REJECTED. Scores are written unchanged as confidences.

    Exit codes: 0 success, 1 a file has errors and nothing was written, 2 could not run.
    """
    from ave_score.commands.input_files import InputFiles
    from ave_score.deciding import DecisionPolicy, check_policy, decide, scored_table
    from ave_score.files.collection_writer import xml_lines
    from ave_score.files.gold import check_test_collection
    from ave_score.files.scores import check_scores
    from ave_score.files.tabular import Lost

    policy = DecisionPolicy(options.threshold, options.top_k, options.ties, options.seed)
    check_policy(policy)
    source = options.source(options.scores)
    written = {"--output": options.output, "--write-collection": options.write_collection}
    check_output_paths([options.scores, *filter(None, [options.collection])], written)
    inputs, collection = InputFiles(), None
    if options.collection is not None:
        collection = inputs.take(check_test_collection, options.source(options.collection))
    # check the scores even if the collection is invalid
    with_texts = options.write_collection is not None
    scores = inputs.take(check_scores, source, collection, with_texts=with_texts)
    if scores is None or inputs.refused:
        raise inputs.refuse("nothing written")
    if with_texts and not scores.has_correct:
        raise UsageError(f"{scores.path} has no field correct, which --write-collection needs")
    decided = decide(scores, policy)
    contents: dict[str, Iterable[str]] = {options.output: decided.lines()}
    if options.write_collection is not None:
        contents[options.write_collection] = xml_lines(scored_table(scores), Lost())
    write_whole_files(contents)
    inputs.show()
    click.echo(decided.summary(), err=True)
    return 0
