"""`ave-score stability`: error rate and proportion of ties of measures."""

from __future__ import annotations

from ave_score.commands.declared import command
from ave_score.commands.options import PLOT
from ave_score.commands.output_files import write_report
from ave_score.commands.progress import bar_of
from ave_score.commands.study import StudyOptions, read_study


class StabilityOptions(StudyOptions):
    """The arguments and options of one call."""

    plot: str | None = PLOT


@command(
    "stability",
    StabilityOptions,
    examples={
        "Study the default measures": "ave-score stability gold.xml runs",
        "Study F on small samples, and draw the curves": (
            "ave-score stability gold.xml runs -m f1 --size 3 --plot curves.svg"
        ),
    },
    usual="columns missing ties unit size resamples measures format output plot",
    what="compared",
)
def stability_command(options: StabilityOptions) -> int:
    """Estimate how often a measure ranks two RUNs differently in another sample, and ties them.

    Compares every pair of RUNs in random samples of the COLLECTION (Buckley and Voorhees, SIGIR
    2000). Comparisons that contradict the majority for their pair are errors. Differences below 1 %
    to 10 % of the larger score are ties. Shows a table per measure; csv and json contain the
    curves. With few runs, rates are imprecise.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.reports.stability import stability_report
    from ave_score.tasks.stability import stability

    studied = stability(
        *read_study(options),
        measures=options.measures,
        sampling=options.sampling,
        policies=options.policies,
        watch=bar_of("Sampling"),
    )
    report = stability_report(studied, options.digits)
    write_report(report, options.format, options.output, options.plot, studied.plot)
    return 0
