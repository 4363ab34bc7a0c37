"""`ave-score compare`: test differences between runs for significance."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import (
    FILE,
    FORMAT,
    KEY,
    OUTPUT,
    PLOT,
    PLOT_WIDTH,
    Options,
    argument,
    command,
    option,
    policies,
)
from ave_score.commands.output_files import (
    check_figure,
    check_output_paths,
    whole_file,
    write_figure,
)
from ave_score.errors import UsageError
from ave_score.inference.procedures import CONTROLS, CORRECTIONS, PROCEDURES
from ave_score.reports.formats import render
from ave_score.text import counted

if TYPE_CHECKING:
    from ave_score.commands.input_files import InputFiles
    from ave_score.inference.comparison import Comparison, Design
    from ave_score.measures import Measure
    from ave_score.model import Collection, Run
    from ave_score.policies import Policies
    from ave_score.reports.plots.sheet import Sheet


class CompareOptions(Options):
    """The arguments and options of one call."""

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    key: str | None = KEY
    policies: Policies = policies(
        *("campaign", "missing", "unknown", "ties"),
    )
    measures: str | None = option(
        "-m",
        metavar="LIST",
        help="Measures, e.g. 'f1,c_at_1,map'. Default: qa_accuracy,f1; only qa_accuracy for tests "
        "on per-question values, because F is not a mean of these.",
    )
    test: str = option(
        type=click.Choice(list(PROCEDURES)),
        default="randomisation",
        show_default=True,
        help="Significance test; see below.",
    )
    baseline: str | None = option(
        metavar="NAME",
        help="Compare all runs with this run (its name in the tables) instead of all pairs.",
    )
    correction: str | None = option(
        type=click.Choice(list(CORRECTIONS)),
        help="Correction of p for multiple comparisons. Default: holm; none for tukey and "
        "friedman, which compare all runs at once.",
    )
    level: float = option(
        metavar="PERCENT",
        type=click.FloatRange(0, 100, min_open=True, max_open=True),
        default=95,
        show_default=True,
        help="Confidence level of intervals and ranks; differences are significant if p is at most "
        "1 minus the level.",
    )
    resamples: int = option(
        type=click.IntRange(100, 1_000_000),
        default=10_000,
        show_default=True,
        help="Number of bootstrap and randomisation samples.",
    )
    seed: int = option(
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Seed of the random samples.",
    )
    pairs: bool = option(is_flag=True, help="Show one row per pair instead of a matrix.")
    hardest: int | None = option(
        metavar="N",
        type=click.IntRange(1),
        help="Also show the N questions that the fewest runs answer correctly, and the questions "
        "that only one run answers correctly.",
    )
    per_question: str | None = option(
        metavar="FILE",
        type=FILE,
        help="Also write one row per question; CSV, or JSON Lines if FILE ends in .jsonl.",
    )
    plot: str | None = PLOT
    plot_width: float | None = PLOT_WIDTH
    format: str = FORMAT
    digits: int | None = option(
        type=click.IntRange(0, 12), help="Decimal places. Default: 3; csv is not rounded."
    )
    output: str = OUTPUT
    keep_going: bool = option(
        is_flag=True, help="Compare the valid runs even if others have errors."
    )

    @property
    def design(self) -> Design:
        """How runs are compared."""
        from ave_score.inference.comparison import Design
        from ave_score.inference.resampling import Resampling

        resampling = Resampling(self.resamples, self.seed)
        level = round(self.level / 100, 12)
        correction = self.correction or "holm"
        return Design(self.test, resampling, level, correction, self.baseline, self.policies.ties)

    def chosen_measures(self) -> list[Measure]:
        """Return the selected measures, by default those that the test supports."""
        from ave_score.counts import run_families
        from ave_score.measures import parse_measures
        from ave_score.measures.registry import COMPARED

        if self.measures is not None:
            return parse_measures(self.measures, run_families())
        by_default = parse_measures(",".join(COMPARED), run_families())
        return by_default[:1] if self.design.procedure.of_values else by_default

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        self.design.check()
        check_figure(self.plot, self.given("plot_width"))
        if not self.chosen_measures():
            raise UsageError("no measure selected")
        if self.design.procedure.adjusts and self.correction is not None:
            raise UsageError(
                f"--test {self.test} compares all runs at once and needs no --correction"
            )
        if len(self.runs) < 2:
            raise UsageError("at least two runs needed: ave-score compare COLLECTION RUN RUN...")

    def signature(self, collection: Collection, settled: Collection) -> str:
        """Return the signature of the results."""
        from ave_score.collection_summary import collection_summary
        from ave_score.policies import signature

        design = self.design
        settings = {
            "test": design.test,
            "resamples": self.resamples,
            "seed": self.seed,
            "level": f"{self.level:g}",
            "correction": design.corrected_by,
        }
        ranks = any(measure.family.is_ranked for measure in self.chosen_measures())
        parts = [signature(self.policies, collection_summary(collection, settled), ranks=ranks)]
        return "|".join([*parts, *(f"{name}:{value}" for name, value in settings.items())])


def _tests() -> str:
    """Return the documentation of the tests and corrections."""
    tests = (
        f"{test.name}: {test.does}. Assumes: {test.assumes}. Not: {test.avoid}. ({test.source}.)"
        for test in PROCEDURES.values()
    )
    corrections = (f"{name} controls {what}." for name, what in CONTROLS.items())
    return "\n\n".join(["Tests:", *tests, "Corrections:", *corrections])


@command(
    "compare",
    CompareOptions,
    epilog=_tests(),
)
def compare_command(options: CompareOptions) -> int:
    """Test the differences between two or more RUNs on a COLLECTION for significance.

    Compares all pairs of runs, or all runs with a baseline, question by question for each measure.
    Shows the difference and its interval, p (corrected for multiple comparisons), questions won and
    lost, and effect size; also the range of ranks of each run, and the runs without a significant
    difference. csv has one row per pair. COLLECTION and RUNs are as in `ave-score score`.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import InputFiles
    from ave_score.inference.comparison import compare
    from ave_score.inference.questions import answered_rightly, question_table
    from ave_score.reports.comparison import comparison_report
    from ave_score.reports.comparison_data import Compared, write_questions
    from ave_score.reports.style import style_for

    options.check()
    inputs = InputFiles()
    collection, settled, runs = _read(options, inputs)
    comparisons = compare(runs, settled, options.chosen_measures(), options.design)
    with ExitStack() as open_files:
        if options.per_question is not None:
            out = open_files.enter_context(whole_file(options.per_question))
            tables = [(each.measure, question_table(runs, settled, each)) for each in comparisons]
            write_questions(out, tables, lines=options.per_question.endswith(".jsonl"))
        if options.plot is not None:
            write_figure(options.plot, _figure(comparisons[0], options), open_files)
        by_name = {run.name: run for run in runs}
        best_first = [by_name[standing.run] for standing in comparisons[0].standings]
        answered = answered_rightly(best_first, settled) if options.hardest else None
        signed = options.signature(collection, settled)
        compared = Compared(comparisons, signed, inputs.left_out, answered, options.hardest or 0)
        report = comparison_report(compared, options.digits, as_pairs=options.pairs)
        text = render(report, options.format, style_for(options.output))
        open_files.enter_context(whole_file(options.output)).write(text)
    inputs.show()
    return 1 if inputs.refused else 0


def _read(options: CompareOptions, inputs: InputFiles) -> tuple[Collection, Collection, list[Run]]:
    """Return the collection as read, with UNKNOWN settled, and the valid runs.

    Exits if files were refused.
    """
    from ave_score.commands.input_files import decisions, run_names
    from ave_score.files.source import Source
    from ave_score.policies import settle_unknown

    sources = [Source(path) for path in options.runs]
    names = run_names(sources)
    read = [options.collection, *options.runs, *([] if options.key is None else [options.key])]
    written = {"--output": options.output, "--per-question": options.per_question}
    check_output_paths(read, {**written, "--plot": options.plot})
    policies, gold = options.policies, Source(options.collection)
    collection, systems = inputs.gold(gold, options.key, policies.campaign)
    if systems:
        raise UsageError(f"{options.collection} contains QA systems; only runs can be compared")
    settled = settle_unknown(collection, policies.unknown)
    with inputs.runs(sources, names, settled, policies) as taken:
        runs = list(map(decisions, taken))
    refused = inputs.refused
    if refused and not (options.keep_going and len(runs) > 1):
        files = counted(len(sources), "file")
        raise inputs.refuse(f"{refused} of {files} refused, nothing compared")
    return collection, settled, runs


def _figure(comparison: Comparison, options: CompareOptions) -> Callable[[], Sheet]:
    """Return a function that draws the differences of all pairs, with their intervals.

    Raises `UsageError` if no pair has a difference.
    """
    from ave_score.reports.plots.bars import Difference, draw_differences
    from ave_score.reports.plots.sheet import WIDTH

    differences = [
        Difference(f"{pair.run} - {pair.other}", float(pair.difference), *pair.interval)
        for pair in comparison.pairs
        if pair.difference is not None
    ]
    if not differences:
        title = comparison.measure.title
        raise UsageError(f"nothing to draw: no two runs have a value of {title}")
    title = f"Differences of {comparison.measure.title}"
    width = options.plot_width or WIDTH
    return partial(draw_differences, title, differences, options.level, width)
