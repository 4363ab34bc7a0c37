"""The options of `ave-score score`, and what follows from them alone."""

from __future__ import annotations

from typing import NamedTuple

from ave_score.commands.output_files import check_figure
from ave_score.counts import run_families
from ave_score.errors import UsageError
from ave_score.measures import Measure, parse_measures
from ave_score.policies import Policies
from ave_score.reports.formats import FORMATS, Form
from ave_score.reports.scores import sort_key
from ave_score.scoring import DATA_MEASURES, RUN_MEASURES, SYSTEM_MEASURES


class Options(NamedTuple):
    """The options of one call, as given."""

    key: str | None
    qa: str | None
    groups: str | None
    policies: Policies
    sweep: str | None
    format: str
    measures: str | None
    sort: str | None
    digits: int | None
    output: str
    per_question: str | None
    plot: str | None
    figure: str | None
    plot_width: float | None
    keep_going: bool

    @property
    def threshold(self) -> float | None:
        """The confidence from which runs are taken to validate."""
        return self.policies.threshold

    @property
    def ci(self) -> float | None:
        """The level of the intervals that are asked for."""
        return self.policies.intervals and self.policies.intervals.level

    @property
    def _has_tables(self) -> bool:
        return FORMATS[self.format].form is Form.TABLES

    def wanted(self, for_tables: str) -> list[Measure]:
        """Return the measures asked for, else those of data formats, and those named for tables."""
        default = for_tables if self._has_tables else DATA_MEASURES
        measures = parse_measures(
            default if self.measures is None else self.measures, run_families()
        )
        if self.sort is not None:
            sort_key(self.sort, measures)
        return measures

    def check(self) -> None:
        """Raise `UsageError` for what is wrong with them, before any file is read."""
        self.wanted(f"{RUN_MEASURES},{SYSTEM_MEASURES}")
        if self.sort is not None and not self._has_tables:
            raise UsageError(f"--sort orders tables; --format {self.format} has none")
        check_figure(self.plot, self.named("figure", "plot_width"))

    def named(self, *names: str) -> list[str]:
        """Return which of some options were given, as they are written."""
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None]
