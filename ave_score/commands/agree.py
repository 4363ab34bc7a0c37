"""`ave-score agree`: measure the agreement of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.commands.declared import argument, command, file_option, option
from ave_score.commands.help import Section
from ave_score.commands.options import (
    CLUSTER,
    DIGITS,
    KEY,
    GivenRuns,
    ReportedOptions,
    check_cluster,
    policies,
)
from ave_score.commands.output_files import write_report
from ave_score.commands.progress import bar_of
from ave_score.commands.types import FILE
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import UsageError
from ave_score.core.model import Collection
from ave_score.core.standards import OF_JUDGES
from ave_score.core.text import nothing_done, visible

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.tasks.inputs import Inputs


class AgreeOptions(ReportedOptions, GivenRuns):
    """The arguments and options of one call."""

    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    collection: str | None = file_option(
        Section.INPUT, "A collection whose labels are one more judge."
    )
    key: str | None = KEY
    verdicts: str = option(
        Section.COUNTING,
        "two: accepted (VALIDATED or SELECTED) or rejected; three: verdicts as they are, of logs "
        "right, wrong or withheld.",
        ["two", "three"],
        default="two",
    )
    policies: Policies = policies(
        *OF_JUDGES,
        missing="Treatment of answers that a run does not judge, but others do, or the collection "
        "has.",
    )
    cluster: str | None = CLUSTER
    digits: int | None = DIGITS

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        if self.key is not None and self.collection is None:
            raise UsageError("--key labels the answers of a --collection, which is not given")
        if self.collection is not None and self.verdicts == "three":
            raise UsageError("--collection has labels, which compare with --verdicts two")
        check_cluster(self.cluster, self.policies.intervals)


@command(
    "agree",
    AgreeOptions,
    examples={
        "Show how far runs agree": "ave-score agree runs",
        "Compare a judge with the gold labels, with intervals": (
            "ave-score agree judge.txt --collection gold.xml --ci 95"
        ),
    },
    usual="collection columns verdicts missing ci format output",
    what="compared",
)
def agree_command(options: AgreeOptions) -> int:
    """Measure how far RUNs, or judges, agree on the same answers.

    Shows for every two RUNs the share of answers judged alike, Cohen's kappa, and the overlap of
    accepted answers and of selected ones. For all RUNs it shows Krippendorff's alpha. csv has one
    row per pair. RUNs are as in `ave-score score`, or collections with the labels of a judge; or
    logs whose answers several scorers grade.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.files_given import logs_of, runs_of
    from ave_score.commands.input_files import collecting, ended
    from ave_score.inference.agree import common_answers
    from ave_score.reports.agree import agree_report
    from ave_score.tasks.agree import agree, judgements

    inputs, policies = collecting(options, options.policies), options.policies
    first = inputs.source(options.runs[0], "run") if options.runs else None
    logs = [] if first is None else logs_of(options, options.runs, first, "compared")
    paths = [] if logs else runs_of(options, "compared").paths
    if not logs and len(paths) + (options.collection is not None) < 2:
        raise UsageError("at least two runs needed: ave-score agree RUN RUN...")
    if logs and options.collection is not None:
        raise UsageError("--collection labels the answers of runs, and logs have their own")
    gold = None if options.collection is None else _gold(options, inputs)
    runs = [*judgements(inputs, logs or inputs.named(paths), gold)]
    if inputs.refused:
        message = nothing_done("compared", inputs.refused, len(paths))
        if gold is None and runs and MISSING_CHOICES[policies.missing].is_refused:
            message += f"; every file needs the answers of {visible(runs[0].name)}"
        raise inputs.refusal(message)
    if options.cluster is not None and policies.intervals is not None:
        common = gold or common_answers(runs)
        clusters = inputs.clusters(options.cluster, common)
        policies = policies._replace(intervals=policies.intervals._replace(clusters=clusters))
    agreed = agree(
        runs,
        collection=gold,
        verdicts=options.verdicts,
        policies=policies,
        watch=bar_of("Comparing"),
    )
    write_report(agree_report(agreed, options.digits), options.format, options.output)
    return ended(inputs)


def _gold(options: AgreeOptions, inputs: Inputs) -> Collection:
    """Return the collection whose labels are one more judge."""
    gold, _ = inputs.gold(options.collection or "", options.key)
    if not isinstance(gold, Collection) or not len(gold.index):
        raise UsageError(f"{visible(gold.path)} has no candidate answers that runs judge")
    return gold
