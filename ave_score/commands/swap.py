"""`ave-score swap`: which differences of measures can be believed."""

from __future__ import annotations

from math import isnan

import click

from ave_score.commands.options import command, option
from ave_score.commands.output_files import whole_file
from ave_score.commands.study import StudyOptions, score_in_samples
from ave_score.errors import UsageError
from ave_score.reports.formats import render


class SwapOptions(StudyOptions):
    """The arguments and options of one call."""

    level: float = option(
        metavar="PERCENT",
        type=click.FloatRange(0, 100, min_open=True, max_open=True),
        default=95,
        show_default=True,
        help="How many of 100 comparisons the required difference must decide rightly.",
    )


@command("swap", SwapOptions, short_help="Study which differences of a measure can be believed.")
def swap_command(options: SwapOptions) -> int:
    """Say how large the difference of two RUNs must be to come out the same in another sample.

    Every pair of RUNs is compared in two random samples of the COLLECTION that share nothing, drawn
    without replacement. Where the second contradicts the first, the RUNs have swapped. The error
    rate of differences in 21 bins, of 0.00, 0.01, ... 0.20 and more, and the difference from which
    it is 5 % at most (Voorhees and Buckley, SIGIR 2002; Sakai 2007), its share of the highest
    score seen, and the share of comparisons that reach it (sensitivity). The rates of few runs
    are rough.

    Exit codes: 0 done, 1 a file has findings that forbid scoring, 2 could not run.
    """
    from fractions import Fraction

    from ave_score.inference.swap import swap
    from ave_score.reports.studies import Swapped, swap_report
    from ave_score.reports.style import style_for

    if isnan(options.level):  # neither below 0 nor above 100
        raise UsageError("--level nan: expected a percentage between 0 and 100")
    numbers = [measure.key for measure in options.chosen_measures() if measure.whole]
    if numbers:
        raise UsageError(f"{', '.join(numbers)}: numbers of questions do not fit bins of 0.01")
    study, sampled = score_in_samples(options, samples=2)
    study = study._replace(signature=f"{study.signature}|level:{options.level:g}")
    found = [Swapped(one, swap(one.scores)) for one in sampled]
    level = Fraction(str(options.level)) / 100
    report = swap_report(study, found, level, options.digits)
    with whole_file(options.output) as out:
        out.write(render(report, options.format, style_for(options.output)))
    return 0
