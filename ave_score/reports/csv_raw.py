"""Records as CSV whose texts are as in the input, for programs."""

from __future__ import annotations

from ave_score.reports.csv_text import csv_text
from ave_score.reports.report import Report
from ave_score.reports.style import TextStyle


def render(report: Report, _style: TextStyle) -> str:
    """Return the records of a report, without marks at texts that spreadsheets would calculate."""
    return csv_text(report.records(), is_raw=True)
