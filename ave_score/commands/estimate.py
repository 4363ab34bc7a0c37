"""`ave-score estimate`: what a judge's verdicts say about systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.commands import Section
from ave_score.commands.declared import Options, command, files, of_keys, option
from ave_score.commands.options import (
    CLUSTER,
    FORMAT,
    OUTPUT,
    QA,
    digits,
    policies,
    selection,
    tables,
)
from ave_score.commands.output_files import write_report
from ave_score.commands.types import LEVEL
from ave_score.core.choice import KEYS_WITH_JUDGE, choice_of
from ave_score.core.errors import UsageError

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.files.source import Naming
    from ave_score.rules import Told


class EstimateOptions(Options):
    """The arguments and options of one call."""

    answers: tuple[str, ...] = files("ANSWERS")
    qa: str | None = QA
    log: tuple[str, ...] | None = option(
        Section.INPUT,
        "What is chosen of LOGs; may be repeated.",
        metavar="KEY=VALUE",
        **of_keys(KEYS_WITH_JUDGE),
    )
    labels: str = option(
        Section.COUNTING,
        "How answers were chosen for labels: at random, by verdict, or with the probabilities that "
        "the column weight is one over.",
        ["random", "verdict", "weight"],
        default="random",
    )
    policies: Policies = policies(
        "letters", "missing", "unknown", missing="Treatment of answers without a verdict."
    )
    cluster: str | None = CLUSTER
    ci: float = option(
        Section.COUNTING, "Confidence level of intervals.", LEVEL, metavar="PERCENT", default=95
    )
    digits: int | None = digits("3; csv is not rounded")
    format: str = FORMAT
    output: str = OUTPUT
    told: Told = selection()
    naming: Naming = tables("q_id=id,verdict=grade,judgement=human")


@command(
    "estimate",
    EstimateOptions,
    examples={
        "Estimate the accuracy of the systems in a judged table": "ave-score estimate judged.csv",
        "Take the labels of people and the judge from logs": (
            "ave-score estimate ada.eval bob.eval --log scorer=human --log judge=grader"
        ),
    },
    usual="qa log labels cluster ci columns values unknown format output",
    what="estimated",
    how="estimated",
)
def estimate_command(options: EstimateOptions) -> int:
    """Estimate the accuracy of systems from a judge's verdicts and labels of some answers.

    ANSWERS is a judged table with a column verdict, in which judgement is empty where no person has
    labelled the answer; or a collection, in which answers are UNKNOWN without a label, and the run
    of a judge; or logs with two scorers. Each system is corrected by its own labels only. The
    interval covers the errors of the judge and the chance of few labels. csv has one row per
    system.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import collecting, ended
    from ave_score.files.sniff import has_systems
    from ave_score.reports.estimate import estimate_report
    from ave_score.tasks.estimate import estimate_of

    chosen = None if options.log is None else choice_of(options.log, KEYS_WITH_JUDGE)
    inputs = collecting(options, options.policies._replace(logs=chosen))
    first, *more = options.answers
    are_logs = chosen is not None or (more and has_systems(inputs.source(first)))
    if len(more) > 1 and not are_logs:
        raise UsageError(f"{len(more)} judges are given; the verdicts of one judge are corrected")
    found = estimate_of(
        inputs,
        [first, *more] if are_logs else first,
        None if are_logs or not more else more[0],
        options.qa,
        labels=options.labels,
        cluster=options.cluster,
        level=options.ci,
    )
    write_report(estimate_report(found, options.digits), options.format, options.output)
    return ended(inputs)
