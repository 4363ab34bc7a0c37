"""What `ave-score compare` does: read, check, compare, render, write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from ave_score.commands.figure import check_figure, write_figure
from ave_score.commands.input_files import InputFiles, decisions, run_names
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.counts import run_families
from ave_score.errors import UsageError
from ave_score.facts import collection_facts
from ave_score.files.source import Source
from ave_score.inference.compared import Comparison, Design
from ave_score.inference.comparison import compare
from ave_score.inference.questions import answered_rightly, question_table
from ave_score.inference.resampling import Resampling
from ave_score.measures import Measure, parse_measures
from ave_score.measures.registry import COMPARED
from ave_score.model import Collection, Run
from ave_score.policies import Policies, settle_unknown, signature
from ave_score.reports.comparison import comparison_report
from ave_score.reports.comparison_data import Compared, write_questions
from ave_score.reports.formats import render
from ave_score.reports.style import style_for
from ave_score.text import counted


class Options(NamedTuple):
    """The options of one call, as given."""

    key: str | None
    policies: Policies
    measures: str | None
    test: str
    baseline: str | None
    correction: str | None
    level: float
    resamples: int
    seed: int
    pairs: bool
    hardest: int | None
    per_question: str | None
    plot: str | None
    plot_width: float | None
    format: str
    digits: int | None
    output: str
    keep_going: bool

    @property
    def design(self) -> Design:
        """How runs are compared."""
        resampling = Resampling(self.resamples, self.seed)
        level = round(self.level / 100, 12)
        correction = self.correction or "holm"
        return Design(self.test, resampling, level, correction, self.baseline, self.policies.ties)

    @property
    def wanted(self) -> list[Measure]:
        """The measures asked for."""
        if self.measures is not None:
            return parse_measures(self.measures, run_families())
        by_default = parse_measures(",".join(COMPARED), run_families())
        return by_default[:1] if self.design.procedure.of_values else by_default

    def check(self) -> None:
        """Raise `UsageError` for what is wrong with them, before any file is read."""
        self.design.check()
        check_figure(self.plot, ["--plot-width"] * (self.plot_width is not None))
        if not self.wanted:
            raise UsageError("no measure to compare by")
        if self.design.procedure.adjusts and self.correction is not None:
            raise UsageError(f"--test {self.test} compares all runs at once: nothing to correct")

    def sign(self, collection: Collection, settled: Collection) -> str:
        """Return the signature: how the figures were made."""
        design = self.design
        made = {
            "test": design.test,
            "resamples": self.resamples,
            "seed": self.seed,
            "level": f"{self.level:g}",
            "correction": design.corrected_by,
        }
        ranks = any(one.family.is_ranked for one in self.wanted)
        parts = [signature(self.policies, collection_facts(collection, settled), ranks=ranks)]
        return "|".join([*parts, *(f"{name}:{value}" for name, value in made.items())])


def compare_files(collection_path: str, run_paths: Sequence[str], options: Options) -> int:
    """Compare runs on a collection and write what the options ask for; return the exit code."""
    options.check()
    sources = [Source(path) for path in run_paths]
    if len(sources) < 2:
        raise UsageError("two runs or more are compared: ave-score compare COLLECTION RUN RUN...")
    names = run_names(sources)
    read = [collection_path, *run_paths, *([options.key] if options.key is not None else [])]
    written = {"--output": options.output, "--per-question": options.per_question}
    check_output_paths(read, {**written, "--plot": options.plot})
    inputs = InputFiles()
    collection, systems = inputs.gold(
        Source(collection_path), options.key, options.policies.campaign
    )
    if systems:
        raise UsageError(f"{collection_path} holds QA systems; runs on a collection are compared")
    settled = settle_unknown(collection, options.policies.unknown)
    runs = _runs(inputs, sources, names, settled, options)
    comparisons = compare(runs, settled, options.wanted, options.design)
    with ExitStack() as open_files:
        if options.per_question is not None:
            out = open_files.enter_context(whole_file(options.per_question))
            tables = [(one.measure, question_table(runs, settled, one)) for one in comparisons]
            write_questions(out, tables, lines=options.per_question.endswith(".jsonl"))
        if options.plot is not None:
            from ave_score.commands.study_plots import differences_of  # most calls draw nothing

            draw = differences_of(comparisons[0], options.level, options.plot_width)
            write_figure(options.plot, draw, open_files)
        signed = options.sign(collection, settled)
        ranked = _in_order(runs, comparisons[0])
        answered = answered_rightly(ranked, settled) if options.hardest else None
        compared = Compared(comparisons, signed, inputs.left_out, answered, options.hardest or 0)
        report = comparison_report(compared, options.digits, as_pairs=options.pairs)
        text = render(report, options.format, style_for(options.output))
        open_files.enter_context(whole_file(options.output)).write(text)
    inputs.show()
    return 1 if inputs.refused else 0


def _runs(
    inputs: InputFiles,
    sources: Sequence[Source],
    names: Sequence[str],
    collection: Collection,
    options: Options,
) -> list[Run]:
    """Return the sound runs; ends the command where files were refused."""
    with inputs.runs(sources, names, collection, options.policies) as read:
        runs = list(map(decisions, read))
    refused = inputs.refused
    if refused and not (options.keep_going and len(runs) > 1):
        files = counted(len(sources), "file")
        raise inputs.refuse(f"{refused} of {files} refused, nothing compared")
    return runs


def _in_order(runs: Sequence[Run], comparison: Comparison) -> list[Run]:
    """Return the runs, the best first."""
    by_name = {run.name: run for run in runs}
    return [by_name[one.run] for one in comparison.standings]
