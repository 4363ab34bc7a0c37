"""`ave-score compare`: the options of the command; `compare_job` does the work."""

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
from ave_score.inference.kinds import CORRECTIONS, PROCEDURES


def _told() -> str:
    """Return what each test does, assumes, and is not for."""
    parts = ["Tests:"]
    for one in PROCEDURES.values():
        parts.append(
            f"{one.name}: {one.does}. Assumes: {one.assumes}. Not: {one.avoid}. ({one.source}.)"
        )
    return "\n\n".join(parts)


POLICIES = policies(
    *("campaign", "missing", "unknown", "ties"),
    ties="How answers of equal confidence are ranked, for measures of rankings.",
)


@click.command(
    "compare", short_help="Say which differences between runs mean something.", epilog=_told()
)
@click.argument("collection", type=FILE)
@click.argument("runs", nargs=-1, metavar="RUN RUN...", type=FILE)
@key_option
@policy_options(POLICIES)
@click.option(
    "--measures",
    "-m",
    metavar="LIST",
    help="Measures of counts and rankings, e.g. 'f1,c_at_1,map'. Default: qa_accuracy,f1; "
    "qa_accuracy for tests that compare values of questions, of which F is no mean.",
)
@click.option(
    "--test",
    type=click.Choice(list(PROCEDURES)),
    default="randomisation",
    show_default=True,
    help="How p is found; see below.",
)
@click.option(
    "--baseline",
    metavar="NAME",
    help="Compare all runs with this one, named as in the tables, not all pairs.",
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    help="What is made of p for comparing many pairs. Default: holm; none for tukey and friedman, "
    "which compare all runs at once.",
)
@click.option(
    "--level",
    metavar="PERCENT",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=95,
    show_default=True,
    help="Of intervals and ranks; a difference is significant where p is at most the rest.",
)
@click.option(
    "--resamples",
    type=click.IntRange(100, 1_000_000),
    default=10_000,
    show_default=True,
    help="Samples of questions, and of ways to swap runs.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="From which all samples follow.",
)
@click.option("--pairs", is_flag=True, help="Show a row for each pair in the place of a matrix.")
@click.option(
    "--hardest",
    metavar="N",
    type=click.IntRange(1),
    help="Also show the N questions that the fewest runs get right, and who is right alone.",
)
@click.option(
    "--per-question",
    metavar="FILE",
    type=FILE,
    help="Also write a row for each question; CSV, or JSON Lines if FILE ends in .jsonl.",
)
@plot_option
@plot_width_option
@format_option
@click.option("--digits", type=click.IntRange(0, 12), help="Decimals. Default: 3; csv unrounded.")
@output_option
@click.option("--keep-going", is_flag=True, help="Compare sound runs though others are defective.")
def compare_command(collection: str, runs: tuple[str, ...], **options: object) -> int:
    """Say which differences between two or more RUNs on a COLLECTION mean something.

    Every two runs, or all runs and a baseline, are compared question by question, by each measure:
    difference with its interval, p, corrected for all pairs, won and lost questions, effect size;
    for each run between which ranks it is, and which runs cannot be told apart. csv has a row for
    each pair. COLLECTION and RUNs are those of `ave-score score`.

    Exit codes: 0 done, 1 a file has findings that forbid scoring, 2 could not run.
    """
    from ave_score.commands.compare_job import Options, compare_files  # not on the way to --help

    options["policies"] = POLICIES.chosen(options)
    return compare_files(collection, runs, Options(**options))  # type: ignore[arg-type]
