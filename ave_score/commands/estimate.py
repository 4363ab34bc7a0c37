"""`ave-score estimate`: what a judge's verdicts say about systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ave_score.commands.declared import command, file_option, files, option
from ave_score.commands.help import Section
from ave_score.commands.options import (
    CLUSTER,
    PLOT,
    QA,
    ReportedOptions,
    digits,
    log_option,
    policies,
    tables,
)
from ave_score.commands.output_files import UNDEFINED_VALUE, write_report
from ave_score.commands.types import LEVEL
from ave_score.core.choice import KEYS_WITH_JUDGE, choice_of
from ave_score.core.errors import UsageError
from ave_score.core.labels import AT_RANDOM, HOW_LABELLED

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.files.naming import Naming


class EstimateOptions(ReportedOptions):
    """The arguments and options of one call."""

    answers: tuple[str, ...] = files("ANSWERS")
    qa: str | None = QA
    log: tuple[str, ...] | None = log_option(KEYS_WITH_JUDGE)
    labels: str = option(
        Section.COUNTING,
        "How answers were chosen for labels: at random, by verdict, or with the probabilities that "
        "the column weight is one over.",
        [*HOW_LABELLED],
        default=AT_RANDOM,
    )
    policies: Policies = policies(
        "letters", "missing", "unknown", missing="Treatment of answers without a verdict."
    )
    calibration: str | None = file_option(
        Section.INPUT,
        "Other answers with verdicts and labels, for systems with labels on fewer than 10 "
        "questions: assumes that the judge errs alike.",
    )
    half_width: float | None = option(
        Section.CONTENT,
        "Also say how many labels give an interval of plus and minus this, such as 0.03.",
        float,
        metavar="SHARE",
    )
    draw: int | None = option(
        Section.CONTENT,
        "Instead, write the answers to N questions, drawn at random, to be labelled; the file "
        "comes back as the last ANSWERS.",
        click.IntRange(1),
    )
    seed: int = option(Section.COUNTING, "Seed of --draw.", click.IntRange(0), default=0)
    cluster: str | None = CLUSTER
    ci: float = option(
        Section.COUNTING, "Confidence level of intervals.", LEVEL, metavar="PERCENT", default=95
    )
    digits: int | None = digits("3; csv is not rounded")
    plot: str | None = PLOT
    naming: Naming = tables("q_id=id,verdict=grade")


@command(
    "estimate",
    EstimateOptions,
    examples={
        "Estimate the accuracy of the systems in a judged table": "ave-score estimate judged.csv",
        "Draw 9 questions to be labelled": "ave-score estimate judged.csv --draw 9 -o label.csv",
        "Add the labels of a second table": "ave-score estimate judged.csv labels.csv",
    },
    usual="log labels calibration half_width draw ci columns values format output",
    what="estimated",
    how="estimated",
)
def estimate_command(options: EstimateOptions) -> int:
    """Estimate the accuracy of systems from a judge's verdicts and labels of some answers.

    ANSWERS is a judged table with a column verdict, in which judgement is empty where no person has
    labelled the answer; or a collection, in which answers are UNKNOWN without a label, and the run
    of a judge; or logs with two scorers. A last judged table adds labels to those of a table, or of
    the scorer of logs that --log names, if any. Each system is corrected by its own labels only.
    The interval covers the errors of the judge and the chance of few labels. csv has one row per
    system.

    Exit codes: 0 success, 1 a file has errors, 2 could not run, 3 no system has an estimate.
    """
    from ave_score.commands.input_files import collecting, ended
    from ave_score.files.sniff import has_systems
    from ave_score.reports.draw_labels import label_records
    from ave_score.reports.estimate import estimate_report
    from ave_score.reports.report import Report
    from ave_score.tasks.estimate import Settings, estimate_of

    chosen = None if options.log is None else choice_of(options.log, KEYS_WITH_JUDGE)
    inputs = collecting(options, options.policies._replace(logs=chosen))
    first, *more = options.answers
    logs = [first] if chosen is not None or (more and has_systems(inputs.source(first))) else []
    while logs and more and has_systems(inputs.source(more[0])):
        logs.append(more.pop(0))
    if len(more) > 1:
        raise UsageError(f"{len(more)} judges are given, {', '.join(more)}: one is corrected")
    given, judge = logs or first, more[0] if more else None
    if options.draw is not None:
        if options.plot is not None:
            raise UsageError("--plot cannot be combined with --draw, which estimates nothing")
        if judge is not None:
            raise UsageError("--draw draws from one judged table, or from logs: give no JUDGE")
        if options.format not in {"table", "csv"}:
            raise UsageError(f"--draw writes csv, not {options.format}")
        rows = label_records(inputs, given, options.draw, options.seed)
        write_report(Report(list, dict, lambda: rows), "csv", options.output)
        return ended(inputs)
    settings = Settings(options.labels, options.cluster, options.ci, options.half_width)
    found = estimate_of(inputs, given, judge, options.qa, settings, options.calibration)
    has_any = any(system.estimate is not None for system in found.systems)
    if options.plot is not None and not has_any:
        click.echo("ave-score: nothing to draw: no system has an estimate", err=True)
    drawing, report = found.plot if has_any else None, estimate_report(found, options.digits)
    write_report(report, options.format, options.output, options.plot, drawing)
    return ended(inputs, 0 if has_any else UNDEFINED_VALUE)
