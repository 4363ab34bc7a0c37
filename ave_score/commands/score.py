"""`ave-score score`: score runs against a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import click

from ave_score.commands import Section
from ave_score.commands.options import (
    CLUSTER,
    DIGITS,
    GROUPS,
    JOBS,
    KEY,
    OUTPUT,
    PLOT,
    PLOT_WIDTH,
    QA,
    SCORES_FORMAT,
    TableOptions,
    argument,
    check_cluster,
    command,
    file_option,
    flag,
    measures,
    option,
    parts,
    policies,
)
from ave_score.commands.output_files import check_figure, check_output_paths, write_report
from ave_score.commands.types import A_COLUMN, A_SWEPT_MEASURE, FILE
from ave_score.core.errors import UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.model import QARun
from ave_score.reports.formats import FORMATS, Form
from ave_score.reports.plots import FIGURES

if TYPE_CHECKING:
    from ave_score.commands.threshold_from import ChosenThresholds
    from ave_score.core.model import Run
    from ave_score.core.policies import Policies
    from ave_score.files.source import Source
    from ave_score.measures import Measure

Read = TypeVar("Read")


class ScoreOptions(TableOptions):
    """The arguments and options of one call."""

    command_name = "score"

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN...", type=FILE)
    key: str | None = KEY
    qa: str | None = QA
    groups: str | None = GROUPS
    keep_going: bool = flag(Section.INPUT, help="Score the valid runs even if others have errors.")
    policies: Policies = policies()
    cluster: str | None = CLUSTER
    threshold_from: tuple[str, str] | None = file_option(
        Section.COUNTING,
        nargs=2,
        metavar="COLLECTION RUNS",
        help="Decide each RUN at the best threshold of its run on another COLLECTION. RUNS is that "
        "run, or a folder with a run of the same name for each.",
    )
    by: str | None = option(
        Section.COUNTING,
        metavar="MEASURE",
        shell_complete=A_SWEPT_MEASURE,
        show_default="f1 (F)",
        help="Measure of --threshold-from.",
    )
    engine: str | None = option(
        Section.COUNTING,
        type=click.Choice(["duckdb", "spark"]),
        help="Count large tables with DuckDB or Spark: see docs/how-to/large-tables.md.",
    )
    measures: str | None = measures(
        "Measures or groups, e.g. f1,ndcg@5,ave2008: see `ave-score measures`.",
        default="ave2007; respubliqa for QA systems only; more in csv and json",
    )
    sort: str | None = option(
        Section.CONTENT,
        metavar="MEASURE",
        shell_complete=A_COLUMN,
        show_default="the first",
        help="Measure to sort by, or run.",
    )
    breakdown: str | None = parts(
        Section.CONTENT, "Instead, score each group of questions (a type, a topic)", "group"
    )
    sweep: str | None = option(
        Section.CONTENT,
        metavar="MEASURE",
        shell_complete=A_SWEPT_MEASURE,
        help="Instead, find the best threshold of each run by MEASURE; csv and json contain the "
        "curves.",
    )
    digits: int | None = DIGITS
    format: str = SCORES_FORMAT
    output: str = OUTPUT
    per_question: str | None = file_option(
        Section.OUTPUT,
        help="Also write one row per run and question; CSV, or JSON Lines if FILE ends in .jsonl; "
        "with -f trec, - adds lines to the output.",
    )
    plot: str | None = PLOT
    figure: str | None = option(
        Section.OUTPUT, type=click.Choice(FIGURES), show_default="bars", help="Type of figure."
    )
    plot_width: float | None = PLOT_WIDTH
    jobs: int | None = JOBS

    @property
    def threshold(self) -> float | None:
        """The confidence threshold that replaces the decisions of runs."""
        return self.policies.threshold

    @property
    def ci(self) -> float | None:
        """The level of the requested intervals."""
        return self.policies.intervals and self.policies.intervals.level

    @property
    def has_question_lines(self) -> bool:
        """Whether the report contains the values of single questions."""
        return self.format == "trec" and self.per_question == "-"

    def chosen_measures(self, for_tables: str) -> list[Measure]:
        """Return the selected measures, by default `for_tables` or those of data formats."""
        from ave_score.counts import run_families
        from ave_score.measures import parse_measures
        from ave_score.reports.score import sort_key
        from ave_score.tasks.subjects import DATA_MEASURES

        default = for_tables if FORMATS[self.format].form is Form.TABLES else DATA_MEASURES
        chosen = parse_measures(default if self.measures is None else self.measures, run_families())
        if self.sort is not None:
            sort_key(self.sort, chosen)
        return chosen

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        from ave_score.commands.score_files import check_values
        from ave_score.tasks.subjects import RUN_MEASURES, SYSTEM_MEASURES

        check_values(self)
        self.chosen_measures(f"{RUN_MEASURES},{SYSTEM_MEASURES}")
        check_cluster(self.cluster, self.policies)
        if self.sort is not None and FORMATS[self.format].form is not Form.TABLES:
            raise UsageError(f"--sort needs a format with tables, not {self.format}")
        check_figure(self.plot, self.given("figure", "plot_width"))
        if self.breakdown is not None:
            self._check_breakdown()
        if self.threshold_from is None and self.by is not None:
            raise UsageError("--by is the measure of --threshold-from, which is not given")
        if self.threshold_from is not None:
            others = self.given("threshold", "sweep")
            if others:
                raise UsageError(f"--threshold-from cannot be combined with {', '.join(others)}")
            self.criterion()

    def _check_breakdown(self) -> None:
        """Raise `UsageError` for options that conflict with --breakdown."""
        others = ("cluster", "sweep", "threshold_from", "sort", "per_question", "plot", "groups")
        named = self.given(*others)
        if named:
            raise UsageError(f"--breakdown cannot be combined with {', '.join(named)}")

    def swept_measure(self) -> Measure:
        """Return the measure of --sweep; raises `UsageError` for conflicting options."""
        others = self.given("threshold", "ci", "measures", "sort", "per_question", "plot", "qa")
        if others:
            raise UsageError(f"--sweep cannot be combined with {', '.join(others)}")
        return self._measure_of_thresholds("sweep", self.sweep or "")

    def criterion(self) -> Measure:
        """Return the measure of --by; raises `UsageError` if it needs more than decisions."""
        from ave_score.measures.registry import CRITERION

        return self._measure_of_thresholds("by", self.by or CRITERION)

    def _measure_of_thresholds(self, name: str, text: str) -> Measure:
        """Return the measure of an option; raises `UsageError` if it needs more than decisions."""
        from ave_score.counts import run_families
        from ave_score.inference.sweep import check_sweepable
        from ave_score.measures import parse_measures

        measures = parse_measures(text, run_families())
        if len(measures) != 1:
            raise UsageError(f"--{name} takes one measure, not {text}")
        check_sweepable(measures[0])
        return measures[0]


@command(
    "score",
    ScoreOptions,
    examples={
        "Score all runs of a folder, with confidence intervals": (
            "ave-score score gold.xml runs/*.txt --ci 95"
        ),
        "Write chosen measures for other programs": (
            "ave-score score gold.xml runs/*.txt -m f1,qa_accuracy -f csv"
        ),
    },
)
def score_command(options: ScoreOptions) -> int:
    """Score RUNs against a COLLECTION with gold labels.

    COLLECTION is XML of AVE or QA4MRE, or a table. A RUN has lines "q_id a_id
    SELECTED|VALIDATED|REJECTED confidence", or is a table. A table of judged answers as COLLECTION
    needs no RUN. With answer sets as COLLECTION, a RUN is a table of responses. Files may be
    compressed with gzip or xz; - is standard input. If a run has errors, all of them are listed and
    nothing is scored.

    Exit codes: 0 success, 1 a file has errors, 2 could not run, 3 a value of -f value is undefined.
    """
    from ave_score.commands.input_files import kind_of
    from ave_score.commands.score_files import score_in_step, scored, swept

    options.check()
    if options.engine is not None:
        from ave_score.commands.score_tables import score_table_files

        return score_table_files(options)
    runs = options.named(options.runs)
    read = files_read(options, [name for _, name in runs])
    written = {"--output": options.output, "--plot": options.plot}
    if not options.has_question_lines:
        written["--per-question"] = options.per_question
    check_output_paths(read, written)
    gold = options.source(options.collection)
    if kind_of(gold) is FileKind.ANSWER_SETS:
        from ave_score.commands.responses import score_response_files

        return score_response_files(gold, runs, options)
    code = score_in_step(gold, runs, options)
    if code is not None:
        return code
    job = ScoreJob(options, gold, runs)
    with ExitStack() as open_files:
        if options.breakdown is not None:
            from ave_score.commands.breakdown import broken_down

            report = broken_down(job, options)
        else:
            report = scored(job, open_files) if options.sweep is None else swept(job)
        code = write_report(report, options.format, options.output)
    job.inputs.show()
    return 1 if job.inputs.refused else code


def files_read(options: ScoreOptions, names: Sequence[str]) -> list[str]:
    """Return the files that are read; `names` are those of the runs."""
    read = [options.collection, *options.runs, options.key, options.qa, options.groups]
    read += [options.cluster, options.breakdown, *_files_of_thresholds(options, names)]
    return [*filter(None, read)]


def _files_of_thresholds(options: ScoreOptions, names: Sequence[str]) -> list[str]:
    """Return the files of --threshold-from."""
    if options.threshold_from is None:
        return []
    from ave_score.commands.threshold_from import runs_to_choose_on

    collection, runs = options.threshold_from
    return [collection, *runs_to_choose_on(runs, names).values()]


class ScoreJob:
    """The runs to score and the gold standard; exits if the latter is invalid."""

    def __init__(
        self,
        options: ScoreOptions,
        gold: Source,
        named: Sequence[tuple[Source, str]],
        *,
        with_texts: bool = False,
    ) -> None:
        from ave_score.commands.input_files import InputFiles, with_clusters
        from ave_score.core.policies import settle_unknown

        self.options, self.named = options, named
        self.names = [name for _, name in named]
        self.inputs = InputFiles(options.naming, options.jobs)
        policies = options.policies
        self.collection, self.systems = self.inputs.gold(
            gold, options.key, policies, with_texts=with_texts
        )
        about_questions = options.given("qa", "per_question")
        if self.collection.index.is_pairs and about_questions:
            raise UsageError(f"{about_questions[0]} needs questions, and pairs have none")
        if not named and not self.systems and options.qa is None:
            raise UsageError(f"no RUN given: ave-score {options.command_name} COLLECTION RUN...")
        self.settled = settle_unknown(self.collection, policies.unknown)
        self.groups = self.inputs.groups(options.groups)
        clusters = self.inputs.clusters(options.cluster, self.collection)
        self.policies = with_clusters(policies, clusters)

    @contextmanager
    def runs(self) -> Iterator[Iterator[Run | QARun]]:
        """Yield an iterator that reads runs and systems one by one."""
        with self.each_run(lambda run: run) as runs:
            yield with_own_names(runs, lambda run: run.name if isinstance(run, QARun) else None)

    @contextmanager
    def each_run(
        self, then: Callable[[Run | QARun], Read], shared: Sequence[object] = ()
    ) -> Iterator[Iterator[Read]]:
        """Yield an iterator of what `then` returns for each run, as `InputFiles.each_run`."""
        inputs, policies = self.inputs, self.options.policies
        with inputs.each_run(self.named, self.settled, policies, then, shared) as runs:
            systems = inputs.judged(self.options.qa, self.settled, policies)
            yield chain(map(then, self.systems), runs, map(then, systems))

    def thresholds(self) -> ChosenThresholds | None:
        """Return the thresholds of --threshold-from; exits if its files are invalid."""
        options = self.options
        if options.threshold_from is None:
            return None
        from ave_score.commands.threshold_from import ChosenThresholds, runs_to_choose_on

        collection, runs = options.threshold_from
        return ChosenThresholds(
            self.inputs,
            collection,
            runs_to_choose_on(runs, self.names),
            measure=options.criterion(),
            policies=options.policies,
            scored=self.settled,
        )

    def check_found(self, scored: int) -> None:
        """Exit if files were refused or no run is left."""
        files = len(self.named) + len(self.options.given("qa", "groups"))
        self.inputs.check_found(scored, files, keep_going=self.options.keep_going)


def with_own_names(runs: Iterable[Read], system: Callable[[Read], str | None]) -> Iterator[Read]:
    """Yield runs; raises `UsageError` for two QA systems with the same name.

    `system` returns the name of a QA system, None for other runs.
    """
    systems: set[str | None] = set()
    for run in runs:
        name = system(run)
        if name is not None and name in systems:
            raise UsageError(f"two QA systems have the name {name!r}")
        systems.add(name)
        yield run
