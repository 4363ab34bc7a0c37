"""Reports and figures of results, by the type of the result.

The functions are those that results call (`ave_score.core.reported`); the module of a report is
imported when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ave_score.core.errors import UsageError
from ave_score.reports.formats import FORMATS, render

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.core.drawing import Drawing
    from ave_score.inference.questions import QuestionTable
    from ave_score.measures import Measure
    from ave_score.reports.report import Report

_REPORTS = {
    "Agreed": "agree.agree_report",
    "BestOfN": "best_of_n.best_of_n_report",
    "Breakdown": "breakdown.breakdown_report",
    "Built": "build.build_report",
    "Compared": "compare.compare_report",
    "Estimated": "estimate.estimate_report",
    "Findings": "check.findings_report",
    "FixedRun": "fix.fix_report",
    "GroupsCompared": "compare_groups.compare_groups_report",
    "Scores": "score.score_report",
    "StabilityStudy": "stability.stability_report",
    "Stats": "stats.stats_report",
    "SwapStudy": "swap.swap_report",
    "Swept": "sweep.sweep_report",
}
"""Type of a result -> the function that returns its report, given the result and the number of
decimals: `module.function`."""

_FIGURES = {
    "BestOfN": "plots.best_of_n.best_of_n",
    "Compared": "plots.rows.differences",
    "Estimated": "plots.estimates.estimates",
    "StabilityStudy": "plots.ties.ties",
}
"""Type of a result -> the function that returns its figure, given the result and the width."""


def text_of(result: object, format: str, digits: int | None) -> str:
    """Return the report of a result in a format; raises `UsageError` for an unknown one."""
    if format not in FORMATS:
        raise UsageError(f"no format {format!r}, only {', '.join(FORMATS)}")
    return render(report_of(result, digits), format)


def frame_of(result: object) -> pd.DataFrame:
    """Return the records of a result as a frame."""
    return report_of(result).records().to_frame()


def html_of(result: object) -> str:
    """Return the tables of a result for a notebook."""
    from ave_score.reports.html import fragment

    return fragment(report_of(result))


def drawing_of(result: object, width: float | None) -> Drawing:
    """Return the figure of a result."""
    drawing: Drawing = _named(result, _FIGURES)(result, width)
    return drawing


def question_frame(tables: Sequence[tuple[Measure, QuestionTable]]) -> pd.DataFrame:
    """Return the values of runs on each question by each measure as a frame."""
    from ave_score.reports.compare_questions import question_records

    return question_records(tables).to_frame()


def report_of(result: object, digits: int | None = None) -> Report:
    """Return the report of a result, with the number of decimals or its own."""
    report: Report = _named(result, _REPORTS)(result, digits)
    return report


def _named(result: object, names: Mapping[str, str]) -> Callable[..., Any]:
    """Return the function that is named for the type of a result."""
    module, _, function = names[type(result).__name__].rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"ave_score.reports.{module}"), function)
    return found
