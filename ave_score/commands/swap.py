"""`ave-score swap`: the options of the command; `study_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.study_options import POLICIES, StudyOptions, study_options


@click.command("swap", short_help="Study which differences of a measure can be believed.")
@study_options
@click.option(
    "--level",
    metavar="PERCENT",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=95,
    show_default=True,
    help="How many of 100 comparisons the required difference must decide rightly.",
)
def swap_command(collection: str, runs: tuple[str, ...], level: float, **options: object) -> int:
    """Say how large the difference of two RUNs must be to come out the same in another sample.

    Every pair of RUNs is compared in two random samples of the COLLECTION that share nothing, drawn
    without replacement. Where the second contradicts the first, the RUNs have swapped. The error
    rate of differences in 21 bins, of 0.00, 0.01, ... 0.20 and more, and the difference from which
    it is 5 % at most (Voorhees and Buckley, SIGIR 2002; Sakai 2007), its share of the highest
    score seen, and the share of comparisons that reach it (sensitivity). The rates of few runs
    are rough.

    Exit codes: 0 done, 1 a file has findings that forbid scoring, 2 could not run.
    """
    from ave_score.commands.study_job import study_swap  # not on the way to --help

    options["policies"] = POLICIES.chosen(options)
    return study_swap(collection, runs, level, StudyOptions(**options))  # type: ignore[arg-type]
