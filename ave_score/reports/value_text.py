"""The values alone, for scripts: a number on each line."""

from __future__ import annotations

from fractions import Fraction

from ave_score.core.exact import fixed, to_number
from ave_score.reports.report import UNDEFINED, Report, values_of
from ave_score.reports.style import TextStyle


def render(report: Report, _style: TextStyle) -> str:
    """Return the values of each run, in the order of the measures; `n/a` if undefined."""
    values = values_of(report, "value")
    return "".join(
        f"{_text(value, values.digits)}\n" for run in values.runs for value in run.values.values()
    )


def _text(value: Fraction | None, digits: int | None) -> str:
    if value is None:
        return UNDEFINED
    return str(to_number(value)) if digits is None else fixed(value, digits)
