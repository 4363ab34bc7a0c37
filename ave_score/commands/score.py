"""`ave-score score`: the options of the command; `score_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import (
    FILE,
    format_option,
    key_option,
    output_option,
    plot_option,
    plot_width_option,
    policies,
    policy_options,
)

POLICIES = policies()


@click.command("score", short_help="Score runs against a collection.")
@click.argument("collection", type=FILE)
@click.argument("runs", nargs=-1, metavar="RUN...", type=FILE)
@key_option
@click.option(
    "--qa",
    metavar="FILE",
    type=FILE,
    help="Judged QA systems to rank among the runs (TSV).",
)
@click.option("--groups", metavar="FILE", type=FILE, help="Which group submitted which run (TSV).")
@policy_options(POLICIES)
@click.option(
    "--sweep",
    metavar="MEASURE",
    help="Find the threshold of each run that is best by MEASURE, instead; csv and json have the "
    "curves.",
)
@format_option
@click.option(
    "--measures",
    "-m",
    metavar="LIST",
    help="Measures, e.g. 'f1,f_beta(2),ndcg@5', or groups: ave2007 (default of tables), ave2008, "
    "respubliqa (default where there are QA systems only), best_of_n, validation, selection, "
    "answering (default of csv and json), confidence, ranking, categories, all; of responses "
    "list, definition, combined. See ave-score measures.",
)
@click.option("--sort", metavar="MEASURE", help="Measure to rank by, or 'run'. Default: the first.")
@click.option("--digits", type=click.IntRange(0, 12), help="Decimals. Default: 2; csv unrounded.")
@output_option
@click.option(
    "--per-question",
    metavar="FILE",
    type=FILE,
    help="Also write a row for each run and question; CSV, or JSON Lines if FILE ends in .jsonl.",
)
@plot_option
@click.option(
    "--figure",
    type=click.Choice(["bars", "roc", "precision-recall", "reliability", "risk-coverage"]),
    help="What to draw. Default: bars.",
)
@plot_width_option
@click.option("--keep-going", is_flag=True, help="Score sound runs though others are defective.")
def score_command(collection: str, runs: tuple[str, ...], **options: object) -> int:
    """Score answer-validation RUNs against a COLLECTION with gold labels.

    COLLECTION is AVE or QA4MRE XML; a RUN has lines "q_id a_id SELECTED|VALIDATED|REJECTED
    confidence", or "pair_id YES|NO confidence" (AVE 2006), or is QA4MRE XML. A judged file (TSV) in
    the place of COLLECTION holds the systems to be scored, and needs no RUN. Where COLLECTION holds
    answer sets (JSON or XML), a RUN is a table of responses to its questions. Files may be
    compressed with gzip or xz; - is standard input. Defective runs are listed with everything that
    is wrong with them, and nothing is scored.

    Exit codes: 0 done, 1 a file has findings that forbid scoring, 2 could not run.
    """
    from ave_score.commands.score_job import score_files  # not on the way to --help
    from ave_score.commands.score_options import Options

    options["policies"] = POLICIES.chosen(options)
    return score_files(collection, runs, Options(**options))  # type: ignore[arg-type]
