"""What results have in common: the report of their command as text, rows and a notebook's tables.

`ave_score.reports` is above the modules that compute results, and imported when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from ave_score.core.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.reports.plots.drawing import Drawing
    from ave_score.reports.report import Report


_REPORTS = {
    "Agreed": "agree.agree_report",
    "BestOfN": "best_of_n.best_of_n_report",
    "Breakdown": "breakdown.breakdown_report",
    "Built": "build.build_report",
    "Compared": "compare.compare_report",
    "Findings": "check.findings_report",
    "FixedRun": "fix.fix_report",
    "Scores": "score.score_report",
    "StabilityStudy": "stability.stability_report",
    "Stats": "stats.stats_report",
    "SwapStudy": "swap.swap_report",
    "Swept": "sweep.sweep_report",
}
"""Type of a result -> the function that returns its report, given the result and the number of
decimals: `module.function` in `ave_score.reports`."""

_FIGURES = {
    "BestOfN": "plots.best_of_n.best_of_n",
    "Compared": "plots.rows.differences",
    "StabilityStudy": "plots.ties.ties",
}
"""Type of a result -> the function that returns its figure, given the result and the width."""


class Reported:
    """A result with a report: `print` shows its tables as a terminal does, a notebook as HTML."""

    def to_text(self, format: str = "table", *, digits: int | None = None) -> str:
        """Return the report as text.

        Parameters
        ----------
        format
            `table`, `markdown` or `latex` (tables), `csv` (rows) or `json` (everything); of scores
            also `value` (the numbers) or `trec` (lines as trec_eval's).
        digits
            Decimals, at least 0. By default those of the tables of the command; csv is exact.

        Returns
        -------
        str
            One or more lines, each with its line ending.

        Raises
        ------
        UsageError
            The format does not exist, or does not apply to the result.
        """
        formats = import_module("ave_score.reports.formats")
        if format not in formats.FORMATS:
            raise UsageError(f"no format {format!r}, only {', '.join(formats.FORMATS)}")
        return cast("str", formats.render(self._report(digits), format))

    def to_frame(self) -> pd.DataFrame:
        """Return the rows of the format `csv` as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            Ratios are unrounded floats in the units of the measure, NaN if undefined.
        """
        return self._report(None).records().to_frame()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return cast("str", called("html.fragment", self._report(None)))

    def _report(self, digits: int | None) -> Report:
        return cast("Report", called(_REPORTS[type(self).__name__], self, digits))


class Drawn(Reported):
    """A result with a report and a figure."""

    def plot(self, *, width: float | None = None) -> Drawing:
        """Draw the figure that the command draws with `--plot`.

        Parameters
        ----------
        width
            The width in inches; by default that of a page, 6.3.

        Returns
        -------
        Drawing
            The figure; notebooks show it, `save` writes it.

        Raises
        ------
        UsageError
            There is nothing to draw, or more than a figure holds; matplotlib is not installed.
        """
        return cast("Drawing", called(_FIGURES[type(self).__name__], self, width))


def called(name: str, *arguments: object) -> object:
    """Call a function of `ave_score.reports`, `module.function`."""
    module, _, function = name.rpartition(".")
    made: object = getattr(import_module(f"ave_score.reports.{module}"), function)(*arguments)
    return made
