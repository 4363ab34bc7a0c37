"""The options of `ave-score score`, most of which `ave-score report` has, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.commands.declared import argument, file_option, flag, option
from ave_score.commands.help import Section
from ave_score.commands.options import (
    CLUSTER,
    DIGITS,
    PLOT_OF_RUNS,
    SCORES_FORMAT,
    RankedOptions,
    check_cluster,
    measures,
    parts,
    policies,
)
from ave_score.commands.output_files import typed_figure
from ave_score.commands.types import A_SWEPT_MEASURE, FILE
from ave_score.core.errors import UsageError
from ave_score.core.standards import CANDIDATES
from ave_score.reports.formats import FORMATS, Form
from ave_score.reports.plots import FIGURES

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.inference.units import Gold
    from ave_score.measures import Measure

OF_ANSWERS = (
    *("key", "qa", "cluster", "breakdown", "sweep", "threshold", "ci"),
    *("per_question", "plot", "replicates"),
)
"""Options that need more than the counts of an engine, or other files."""

STDERR = "stderr"
"""What --ci may be instead of a level."""


class ScoredOptions(RankedOptions):
    """What `ave-score score` and `ave-score report` both take."""

    least_runs = 1

    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN...", type=FILE)
    keep_going: bool = flag(Section.INPUT, "Score the valid runs even if others have errors.")
    policies: Policies = policies()
    threshold: float | None
    ci: float | str | None
    cluster: str | None = CLUSTER
    measures: str | None = measures(
        "Measures or groups, e.g. f1,ave2008: see `ave-score measures`. A table is ranked by its "
        "first.",
        default="ave2007; respubliqa for QA systems only; more in csv and json",
    )
    breakdown: str | None = parts(
        Section.CONTENT, "Instead, score each group of questions (a type, a topic)", "group"
    )

    def chosen_measures(self, default: str, gold: Gold | None = None) -> list[Measure]:
        """Return the selected measures, or those of the default."""
        from ave_score.tasks.subjects import wanted_measures

        return wanted_measures(default if self.measures is None else self.measures, gold)

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        from ave_score.tasks.subjects import table_measures

        kinds = ("runs", "systems", "systems of logs that withhold")  # what may be read
        self.chosen_measures(table_measures(kinds))
        check_cluster(self.cluster, self.ci)

    def check_gold(self, gold: Gold) -> None:
        """Raise `UsageError` for options that do not apply to what runs are scored against."""
        self.refuse_for(gold, *gold.standard.refused_by_score)


class ScoreOptions(ScoredOptions):
    """The arguments and options of one call."""

    policies: Policies = policies(
        words={"ci": STDERR},
        ci="Add confidence intervals of this level, usually 95: Wilson's of shares and ratios of "
        "counts (such as F), else a bootstrap; stderr: standard errors, 0.69 ± 0.05.",
    )
    engine: str | None = option(
        Section.COUNTING,
        "Count large tables with DuckDB or Spark: see docs/how-to/large-tables.md.",
        ["duckdb", "spark"],
    )
    sweep: str | None = option(
        Section.CONTENT,
        "Instead, find the best threshold of each run by MEASURE; csv and json contain the curves.",
        metavar="MEASURE",
        shell_complete=A_SWEPT_MEASURE,
    )
    digits: int | None = DIGITS
    format: str = SCORES_FORMAT
    per_question: str | None = file_option(
        Section.OUTPUT,
        "Also write a row per run and question; CSV, or JSON Lines to FILE.jsonl. With -f trec, - "
        "adds lines.",
    )
    plot: str | None = PLOT_OF_RUNS
    figure: str | None = None

    @property
    def stderr(self) -> bool:
        """Whether standard errors are shown."""
        return self.ci == STDERR

    @property
    def has_question_lines(self) -> bool:
        """Whether the report contains the values of single questions."""
        return self.format == "trec" and self.per_question == "-"

    @property
    def written(self) -> dict[str, str | None]:
        """Option -> the path of what is written."""
        rows = None if self.has_question_lines else self.per_question
        return super().written | {"--per-question": rows}

    def chosen_measures(self, default: str, gold: Gold | None = None) -> list[Measure]:
        """Return the selected measures, by default those of tables or of data formats."""
        standard = CANDIDATES if gold is None else gold.standard
        are_data = FORMATS[self.format].form is not Form.TABLES
        default = (standard.data_measures if are_data else "") or default
        chosen = super().chosen_measures(default, gold)
        if self.measures is not None or not are_data:
            return chosen
        return [measure for measure in chosen if measure.family.has_values(standard)]

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        if self.plot is not None:
            self.figure, self.plot = typed_figure(self.plot)
        self._check_values()
        super().check()
        self.refuse("breakdown", "sweep", "per_question", "plot", "teams")
        if self.breakdown is not None and self.cluster is not None and self.ci == STDERR:
            raise UsageError(
                "--breakdown: standard errors are of questions; --cluster needs a level"
            )
        self.refuse("sweep", "threshold", "ci", "measures", "per_question", "plot")
        self.refuse("sweep", "replicates")
        if self.replicates is not None and (
            self.has_question_lines or self.figure not in (None, FIGURES[0])
        ):
            raise UsageError("--replicates: curves and lines of questions are of single runs")
        if self.sweep is not None:
            _ = self.criterion
        if self.engine is not None:
            if self.given(*OF_ANSWERS):
                unable = ", ".join(self.given(*OF_ANSWERS))
                raise UsageError(f"--engine cannot be combined with {unable}: score without it")
            if not self.runs:
                raise UsageError("no RUN given: ave-score score COLLECTION RUN...")

    def _check_values(self) -> None:
        """Raise `UsageError` for options that conflict with a format of values."""
        if FORMATS[self.format].form is not Form.VALUES:
            return
        others = self.given("breakdown", "sweep", "ci")
        if others:
            raise UsageError(f"--format {self.format} prints scores of runs, not {others[0]}")
        if self.format == "value" and self.measures is None:
            raise UsageError("--format value prints only numbers: name the measures, e.g. -m f1")

    @property
    def criterion(self) -> Measure:
        """The measure of --sweep."""
        from ave_score.tasks.sweep import one_measure

        return one_measure(self.sweep or "")
