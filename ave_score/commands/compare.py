"""`ave-score compare`: test differences between runs for significance."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ave_score.commands import Section
from ave_score.commands.options import (
    CLUSTER,
    FORMAT,
    GROUPS,
    JOBS,
    KEY,
    OUTPUT,
    PLOT,
    PLOT_WIDTH,
    QA,
    SEED,
    TableOptions,
    argument,
    command,
    digits,
    file_option,
    flag,
    measures,
    option,
    policies,
)
from ave_score.commands.output_files import (
    check_figure,
    check_output_paths,
    whole_file,
    write_figure,
    write_report,
)
from ave_score.commands.progress import bar_of
from ave_score.commands.types import FILE, PERCENTAGE
from ave_score.core.errors import UsageError
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES

if TYPE_CHECKING:
    from ave_score.commands.input_files import InputFiles
    from ave_score.core.policies import Policies
    from ave_score.files.source import Source
    from ave_score.inference.compare_records import Design
    from ave_score.inference.power import PowerPolicy
    from ave_score.inference.units import Gold, Subject


class CompareOptions(TableOptions):
    """The arguments and options of one call."""

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    key: str | None = KEY
    qa: str | None = QA
    groups: str | None = GROUPS
    keep_going: bool = flag(
        Section.INPUT, help="Compare the valid runs even if others have errors."
    )
    baseline: str | None = option(
        Section.COUNTING,
        metavar="NAME",
        help="Compare all runs with this run (its name in the tables) instead of all pairs.",
    )
    test: str | None = option(
        Section.COUNTING,
        type=click.Choice(list(PROCEDURES)),
        show_default="randomisation; bootstrap for auc and the like",
        help="Significance test. When to choose another: docs/explanation/which-test.md.",
    )
    correction: str | None = option(
        Section.COUNTING,
        type=click.Choice(list(CORRECTIONS)),
        show_default="holm; none with tukey and friedman",
        help="Correction of p for multiple comparisons.",
    )
    family: str = option(
        Section.COUNTING,
        type=click.Choice(["measure", "measures"]),
        default="measure",
        show_default=True,
        help="Correct p for the pairs of each measure, or of all measures together.",
    )
    level: float = option(
        Section.COUNTING,
        metavar="PERCENT",
        type=PERCENTAGE,
        default=95,
        show_default=True,
        help="Confidence level of intervals, ranks and significance.",
    )
    policies: Policies = policies("campaign", "missing", "unknown", "ties")
    cluster: str | None = CLUSTER
    resamples: int = option(
        Section.COUNTING,
        metavar="N",
        type=click.IntRange(100, 1_000_000),
        default=10_000,
        show_default=True,
        help="Samples of bootstraps and tests.",
    )
    seed: int = SEED
    measures: str | None = measures(
        "Measures, e.g. f1,c_at_1,map.",
        default="qa_accuracy,f1; others for QA systems, pairs and responses",
    )
    pairs: bool = flag(
        Section.CONTENT,
        help="Also show pairs of runs, the best first: difference, interval, p, questions won.",
    )
    power: bool = flag(
        Section.CONTENT,
        help="Also show the differences that this comparison could detect with probability 0.8.",
    )
    detect: float | None = option(
        Section.CONTENT,
        metavar="DIFFERENCE",
        type=float,
        help="Also show how many questions are needed to detect this difference (--power).",
    )
    equivalence: float | None = option(
        Section.CONTENT,
        metavar="MARGIN",
        type=float,
        help="Also test whether the true differences are smaller than this (--power).",
    )
    hardest: int | None = option(
        Section.CONTENT,
        metavar="N",
        type=click.IntRange(1),
        help="Also show the N questions that the fewest runs answer correctly, and the questions "
        "that only one run answers correctly.",
    )
    digits: int | None = digits("3; csv is not rounded")
    format: str = FORMAT
    output: str = OUTPUT
    per_question: str | None = file_option(
        Section.OUTPUT,
        help="Also write one row per question; CSV, or JSON Lines if FILE ends in .jsonl.",
    )
    plot: str | None = PLOT
    plot_width: float | None = PLOT_WIDTH
    jobs: int | None = JOBS

    @property
    def design(self) -> Design:
        """How runs are compared."""
        from ave_score.inference.compare_records import Design
        from ave_score.inference.resampling import Resampling

        resampling = Resampling(self.resamples, self.seed)
        level = round(self.level / 100, 12)
        correction = self.correction or "holm"
        made = Design(self.test, resampling, level, correction, self.baseline, self.policies)
        return made._replace(family=self.family)

    @property
    def asked(self) -> PowerPolicy | None:
        """What is asked about the power of the comparison; None: nothing."""
        from ave_score.inference.power import PowerPolicy

        found = PowerPolicy(self.equivalence, self.detect)
        return found if self.power or found != PowerPolicy() else None

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        from ave_score.measures import parse_measures

        self.design.check()
        if self.asked is not None:
            self.asked.check()
        check_figure(self.plot, self.given("plot_width"))
        if self.measures is not None and not parse_measures(self.measures):
            raise UsageError("no measure selected")
        if self.design.procedure.adjusts and self.correction is not None:
            raise UsageError(
                f"--test {self.test} compares all runs at once and needs no --correction"
            )


@command(
    "compare",
    CompareOptions,
    examples={
        "Compare all runs of a folder": "ave-score compare gold.xml runs/*.txt",
        "Compare all runs with one of them, by F": (
            "ave-score compare gold.xml runs/*.txt --baseline bold -m f1"
        ),
    },
    what="compared",
    how="compared",
)
def compare_command(options: CompareOptions) -> int:
    """Test the differences between two or more RUNs on a COLLECTION for significance.

    Compares all pairs of runs, or all runs with a baseline, question by question. The table has
    each score with its interval, the range of its rank, and the groups of runs without a
    significant difference. --pairs adds the pairs; csv has one row per pair. COLLECTION and RUNs
    are as in `ave-score score`.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import InputFiles, note_unused_groups
    from ave_score.core.bulk import processes
    from ave_score.reports.compare import compare_report
    from ave_score.reports.compare_data import write_questions
    from ave_score.tasks.compare import compare

    options.check()
    inputs = InputFiles(options.naming, options.jobs)
    gold, subjects = _read(options, inputs)
    groups = inputs.groups(options.groups)
    _check_found(options, inputs, len(subjects))
    compared = compare(
        gold,
        subjects,
        groups=groups,
        measures=options.measures,
        design=options.design._replace(clusters=inputs.clusters(options.cluster, gold)),
        power=options.asked,
        hardest=options.hardest or 0,
        watch=bar_of("Comparing"),
        jobs=processes(options.jobs),
    )
    compared = replace(compared, left_out=inputs.left_out)
    with ExitStack() as open_files:
        if options.per_question is not None:
            out = open_files.enter_context(whole_file(options.per_question))
            write_questions(out, compared.tables, lines=options.per_question.endswith(".jsonl"))
        if options.plot is not None:
            from ave_score.reports.plots.drawing import differences

            draw = differences(compared, options.plot_width).draw
            write_figure(options.plot, draw, open_files)
        report = compare_report(compared, options.digits, as_pairs=options.pairs)
        write_report(report, options.format, options.output)
    note_unused_groups(groups, [subject.name for subject in subjects])
    inputs.show()
    return 1 if inputs.refused else 0


def _read(options: CompareOptions, inputs: InputFiles) -> tuple[Gold, Sequence[Subject]]:
    """Return the gold standard, and the valid runs, systems or responses."""
    from ave_score.commands.input_files import kind_of
    from ave_score.core.kinds import FileKind

    runs = options.named(options.runs)
    given = [options.collection, *options.runs, options.key, options.cluster]
    given += [options.qa, options.groups]
    paths = [path for path in given if path is not None]
    written = {"--output": options.output, "--per-question": options.per_question}
    check_output_paths(paths, {**written, "--plot": options.plot})
    source = options.source(options.collection)
    is_open = kind_of(source) is FileKind.ANSWER_SETS
    return (_read_responses if is_open else _read_runs)(source, runs, options, inputs)


def _check_found(options: CompareOptions, inputs: InputFiles, subjects: int) -> None:
    """Exit if files were refused; raises `UsageError` for fewer than two runs."""
    if inputs.refused and not (options.keep_going and subjects > 1):
        files = len(options.runs) + len(options.given("qa", "groups"))
        raise inputs.refuse_files(files, "compare", keep_going=options.keep_going)
    if subjects < 2:
        raise UsageError("at least two runs needed: ave-score compare COLLECTION RUN RUN...")


def _read_runs(
    source: Source, runs: Sequence[tuple[Source, str]], options: CompareOptions, inputs: InputFiles
) -> tuple[Gold, Sequence[Subject]]:
    """Return runs and QA systems; a judged file is its own collection."""
    from ave_score.core.policies import settle_unknown

    policies = options.policies
    collection, systems = inputs.gold(source, options.key, policies)
    about_questions = options.given("hardest", "qa")
    if about_questions and collection.index.is_pairs:
        raise UsageError(f"{about_questions[0]} needs questions, and pairs have none")
    with inputs.runs(runs, collection, policies) as taken:
        found = [*systems, *taken]
    if options.qa is not None:
        settled = settle_unknown(collection, policies.unknown)
        found += inputs.judged(options.qa, settled, policies)
    return collection, found


def _read_responses(
    source: Source, runs: Sequence[tuple[Source, str]], options: CompareOptions, inputs: InputFiles
) -> tuple[Gold, Sequence[Subject]]:
    """Return responses and their answer sets."""
    from ave_score.commands.responses import read_response_files, refuse_policies

    policies = options.policies
    refuse_policies(policies, options.given("key", "hardest", "qa"))
    return read_response_files(inputs, source, runs, keep_going=True)
