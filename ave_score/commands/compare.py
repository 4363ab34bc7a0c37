"""`ave-score compare`: test differences between runs for significance."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import click

from ave_score.commands.declared import command, file_option, flag, option
from ave_score.commands.help import Section
from ave_score.commands.options import (
    CLUSTER,
    PLOT,
    SEED,
    RankedOptions,
    digits,
    measures,
    parts,
    policies,
)
from ave_score.commands.output_files import write_report
from ave_score.commands.progress import bar_of
from ave_score.commands.types import DIFFERENCE, LEVEL
from ave_score.core.entrants import Entrants
from ave_score.core.errors import UsageError
from ave_score.core.policies import Policies
from ave_score.core.writing import whole_file
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES

if TYPE_CHECKING:
    from ave_score.commands.input_files import RunFiles
    from ave_score.core.model import Clusters
    from ave_score.inference.compare_records import Correction, Design, Test
    from ave_score.inference.power import PowerPolicy
    from ave_score.inference.units import Subject
    from ave_score.reports.report import Report


class CompareOptions(RankedOptions):
    """The arguments and options of one call."""

    verb = "compare"

    keep_going: bool = flag(Section.INPUT, "Compare the valid runs even if others have errors.")
    against: str | None = option(
        Section.COUNTING,
        "Compare all runs with this run (its name in the tables) instead of all pairs.",
        metavar="NAME",
    )
    test: Test | None = option(
        Section.COUNTING,
        "Significance test: see docs/explanation/which-test.md.",
        list(PROCEDURES),
        show_default="randomisation; bootstrap for auc; crossed for runs of --replicates",
    )
    correction: Correction | None = option(
        Section.COUNTING,
        "Correction of p for multiple comparisons.",
        list(CORRECTIONS),
        show_default="holm; none with tukey and friedman",
    )
    level: float = option(
        Section.COUNTING,
        "Confidence level of intervals, ranks and significance.",
        LEVEL,
        metavar="PERCENT",
        default=95,
    )
    policies: Policies = policies(*Policies.refusing())
    cluster: str | None = CLUSTER
    resamples: int = option(
        Section.COUNTING,
        "Samples of bootstraps and tests.",
        click.IntRange(100, 1_000_000),
        default=10_000,
    )
    seed: int = SEED
    measures: str | None = measures(
        "Measures, e.g. f1,c_at_1,map.",
        default="f1,qa_accuracy; others for QA systems, pairs and responses",
    )
    pairs: bool = flag(
        Section.CONTENT,
        "Also show pairs of runs, the best first: difference, interval, p, questions won.",
    )
    breakdown: str | None = parts(
        Section.CONTENT, "Instead, compare on each group of questions, and by their mean", "group"
    )
    power: float | Literal[True] | None = option(
        Section.CONTENT,
        "Also show the differences that this comparison could detect with probability 0.8 and, "
        "with --power=DIFFERENCE, how many questions it takes to detect this one.",
        DIFFERENCE,
        metavar="[DIFFERENCE]",
        is_flag=False,
        flag_value=True,
    )
    equivalence: float | None = option(
        Section.CONTENT,
        "Also test whether the true differences are smaller than this (--power).",
        float,
        metavar="MARGIN",
    )
    digits: int | None = digits("3; csv is not rounded")
    per_question: str | None = file_option(
        Section.OUTPUT,
        "Also write one row per question; CSV, or JSON Lines if FILE ends in .jsonl.",
    )
    plot: str | None = PLOT

    @property
    def design(self) -> Design:
        """How runs are compared."""
        from ave_score.inference.compare_records import Design
        from ave_score.inference.resampling import Resampling

        resampling = Resampling(self.resamples, self.seed)
        correction = self.correction or "holm"
        return Design(self.test, resampling, self.level, correction, self.against, self.policies)

    @property
    def power_policy(self) -> PowerPolicy | None:
        """What is asked about the power of the comparison; None: nothing."""
        from ave_score.inference.power import PowerPolicy

        if self.power is None and self.equivalence is None:
            return None
        return PowerPolicy(self.equivalence, None if self.power is True else self.power)

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        from ave_score.measures import parse_measures

        self.design.check()
        if self.power_policy is not None:
            self.power_policy.check()
        if self.measures is not None:
            parse_measures(self.measures)
        check_correction(self.design, self.correction)
        if self.breakdown is not None:
            for name, why in _WITHOUT_GROUPS.items():
                for option in self.given(name):
                    raise UsageError(f"{option}: not available with --breakdown: {why}")


_OF_ALL = "computed for the differences on all questions"
_WITHOUT_GROUPS = {
    "power": f"power is {_OF_ALL}",
    "equivalence": f"equivalence is {_OF_ALL}",
    "per_question": "what a question adds is the same whatever its group is",
    "plot": "figures have the differences on all questions",
}
"""Option -> why it has no groups of questions."""


def check_correction(design: Design, correction: str | None) -> None:
    """Raise `UsageError` for a correction of a test that has its own."""
    if design.procedure.adjusts and correction is not None:
        raise UsageError(
            f"--test {design.test} compares all runs at once and needs no --correction"
        )


@command(
    "compare",
    CompareOptions,
    examples={
        "Compare all runs of a folder": "ave-score compare gold.xml runs",
        "Compare all runs with one of them, by F": (
            "ave-score compare gold.xml runs --against bold -m f1"
        ),
        "Compare two models on each subject": (
            "ave-score compare ada.eval bob.eval --breakdown subject"
        ),
    },
    usual="columns against missing ties measures pairs breakdown format output plot",
    what="compared",
    how="compared",
)
def compare_command(options: CompareOptions) -> int:
    """Test the differences between two or more RUNs on a COLLECTION for significance.

    Compares all pairs of runs, or all runs with one, question by question. The table has
    each score with its interval, the range of its rank, and the groups of runs without a
    significant difference. --pairs adds the pairs; csv has one row per pair. COLLECTION and RUNs,
    or logs, are as in `ave-score score`.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import RunFiles, ended
    from ave_score.reports.compare import compare_report
    from ave_score.reports.compare_questions import write_questions
    from ave_score.tasks.compare import compare
    from ave_score.tasks.replicates import replicated

    files = RunFiles(options)
    subjects = [*files.subjects]
    files.check_left([item.name for item in replicated(subjects, files.replicates)])
    if len(subjects) < 2:
        raise UsageError(
            "at least two runs needed: ave-score compare COLLECTION RUN RUN..., or LOGs"
        )
    cluster = options.cluster
    clusters = None if cluster is None else files.inputs.clusters(cluster, files.gold)
    if options.breakdown is not None:
        write_report(_by_group(options, files, subjects, clusters), options.format, options.output)
        return ended(files.inputs)
    compared = compare(
        files.gold,
        subjects,
        measures=options.measures,
        design=options.design._replace(clusters=clusters),
        power=options.power_policy,
        watch=bar_of("Comparing"),
        **files.entrants(Entrants),
    )
    compared = replace(compared, not_scored=files.inputs.not_scored)
    with ExitStack() as open_files:
        if options.per_question is not None:
            out = open_files.enter_context(whole_file(options.per_question))
            write_questions(out, compared.tables, lines=options.per_question.endswith(".jsonl"))
        report = compare_report(compared, options.digits, as_pairs=options.pairs)
        write_report(report, options.format, options.output, options.plot, compared.plot)
    return ended(files.inputs)


def _by_group(
    options: CompareOptions,
    files: RunFiles,
    subjects: Sequence[Subject],
    clusters: Clusters | None,
) -> Report:
    """Return the report of differences on groups of questions."""
    from ave_score.reports.compare_groups import compare_groups_report
    from ave_score.tasks.compare_groups import compare_groups

    compared = compare_groups(
        files.gold,
        subjects,
        by=files.inputs.clusters(options.breakdown or "", files.gold),
        measures=options.measures,
        design=options.design._replace(clusters=clusters),
        watch=bar_of("Comparing"),
        **files.entrants(Entrants),
    )
    compared = replace(compared, not_scored=files.inputs.not_scored)
    return compare_groups_report(compared, options.digits, as_pairs=options.pairs)
