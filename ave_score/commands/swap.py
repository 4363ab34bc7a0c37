"""`ave-score swap`: estimate swap rates and required differences."""

from __future__ import annotations

from ave_score.commands.declared import command, option
from ave_score.commands.help import Section
from ave_score.commands.output_files import write_report
from ave_score.commands.progress import bar_of
from ave_score.commands.study import StudyOptions, read_study
from ave_score.commands.types import LEVEL


class SwapOptions(StudyOptions):
    """The arguments and options of one call."""

    level: float = option(
        Section.COUNTING,
        "Percentage of comparisons without a swap that defines the required difference.",
        LEVEL,
        metavar="PERCENT",
        default=95,
    )

    def check(self) -> None:
        """Raise `UsageError` for numbers of questions, too."""
        from ave_score.tasks.swap import check_bins

        super().check()
        check_bins(self.named)


@command(
    "swap",
    SwapOptions,
    examples={
        "Find the differences that F requires": "ave-score swap gold.xml runs -m f1",
        "Require 99 % of comparisons without a swap": ("ave-score swap gold.xml runs --level 99"),
    },
    usual="columns missing ties unit size resamples level measures format output",
    what="compared",
)
def swap_command(options: SwapOptions) -> int:
    """Estimate the difference between two RUNs needed for the same order in another sample.

    Compares every pair of RUNs in two disjoint random samples of the COLLECTION (Voorhees and
    Buckley, SIGIR 2002; Sakai 2007). A swap occurs if the second sample contradicts the first.
    Shows the swap rate of differences in 21 bins, and the required difference: the first bin with a
    rate of at most 5 %. With few runs, rates are imprecise.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.inference.swap import Agreement
    from ave_score.reports.swap import swap_report
    from ave_score.tasks.swap import swap

    swapped = swap(
        *read_study(options),
        measures=options.measures,
        sampling=options.sampling,
        policies=options.policies,
        agreement=Agreement(options.level),
        watch=bar_of("Sampling"),
    )
    write_report(swap_report(swapped, options.digits), options.format, options.output)
    return 0
