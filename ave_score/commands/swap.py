"""`ave-score swap`: estimate swap rates and required differences."""

from __future__ import annotations

from ave_score.commands.options import PERCENTAGE, command, option
from ave_score.commands.output_files import whole_file
from ave_score.commands.study import StudyOptions, score_in_samples
from ave_score.errors import UsageError
from ave_score.reports.formats import render


class SwapOptions(StudyOptions):
    """The arguments and options of one call."""

    level: float = option(
        metavar="PERCENT",
        type=PERCENTAGE,
        default=95,
        show_default=True,
        help="Percentage of comparisons without a swap that defines the required difference.",
    )
    all_bins: bool = option(
        is_flag=True,
        help="Require this percentage in all bins of larger differences, too.",
    )

    def check(self) -> None:
        """Raise `UsageError` for numbers of questions."""
        numbers = [measure.key for measure in self.chosen_measures() if measure.whole]
        if numbers:
            raise UsageError(f"{', '.join(numbers)}: counts of questions do not fit bins of 0.01")


@command("swap", SwapOptions)
def swap_command(options: SwapOptions) -> int:
    """Estimate the difference between two RUNs needed for the same order in another sample.

    Compares every pair of RUNs in two disjoint random samples of the COLLECTION, drawn without
    replacement. A swap occurs if the second sample contradicts the first. Shows the swap rate of
    differences in 21 bins (0.00, 0.01, ... 0.20 and more), the required difference, which is the
    first bin with a rate of at most 5 % (Voorhees and Buckley, SIGIR 2002; Sakai 2007), this
    difference as a proportion of the highest score, and the proportion of comparisons that reach
    it (sensitivity). With few runs, rates are imprecise.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from fractions import Fraction

    from ave_score.inference.swap import Agreement, swap
    from ave_score.reports.studies import Swapped, swap_report
    from ave_score.reports.style import style_for

    study, sampled = score_in_samples(options, samples=2)
    bins = "all" if options.all_bins else "first"
    signed = f"{study.signature}|level:{options.level:g}|bins:{bins}"
    study = study._replace(signature=signed)
    swapped = [Swapped(sample, swap(sample.scores)) for sample in sampled]
    agreement = Agreement(Fraction(str(options.level)) / 100, options.all_bins)
    report = swap_report(study, swapped, agreement, options.digits)
    with whole_file(options.output) as out:
        out.write(render(report, options.format, style_for(options.output)))
    return 0
