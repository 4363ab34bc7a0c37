"""`ave-score stats`: count the questions, answers and labels of collections."""

from __future__ import annotations

from ave_score.commands.declared import command, files
from ave_score.commands.input_files import collecting, ended
from ave_score.commands.options import ReportedOptions, digits
from ave_score.commands.output_files import write_report
from ave_score.core.text import not_done
from ave_score.files.gold import check_collection
from ave_score.reports.stats import stats_report
from ave_score.tasks.stats import Stats, described


class StatsOptions(ReportedOptions):
    """The arguments and options of one call."""

    collections: tuple[str, ...] = files("COLLECTION")
    digits: int = digits(2, " of percentages")


@command(
    "stats",
    StatsOptions,
    examples={
        "Count what a collection contains": "ave-score stats gold.xml",
        "Write a table of several collections for a paper": (
            "ave-score stats gold.xml test.xml -f latex"
        ),
    },
    what="counted",
)
def stats_command(options: StatsOptions) -> int:
    """Count the questions, answers and labels of each COLLECTION.

    Shows a row per collection, with its language, and a row of totals, as in overview papers. The
    percentage of available answers is known only for collections made by `ave-score build`.
    Collections with errors are not described. Folders are not searched for collections.

    Exit codes: 0 success, 1 a file has errors, 2 a file could not be read.
    """
    inputs, summaries = collecting(options), []
    for name, source in inputs.named(options.collections, "collection").items():
        collection = inputs.take(check_collection, source, needs_labels=False)
        if collection is not None:
            summaries.append(described(collection, name))
    if not summaries:
        raise inputs.refusal("nothing left to describe")
    write_report(stats_report(Stats(summaries), options.digits), options.format, options.output)
    if inputs.refused:
        lacking = not_done("described", inputs.not_scored).removesuffix(".")
        raise inputs.refusal(f"{lacking[:1].lower()}{lacking[1:]}")
    return ended(inputs)
