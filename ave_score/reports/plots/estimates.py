"""Estimated accuracies with their intervals, beside what the judge and labels alone say."""

from __future__ import annotations

from functools import partial

from ave_score.core.drawing import Drawing
from ave_score.core.errors import UsageError
from ave_score.core.text import quantity
from ave_score.inference.estimate import EstimatedSystem
from ave_score.measures import MEASURES
from ave_score.reports.data import decimal
from ave_score.reports.estimate import DIGITS
from ave_score.reports.plots.figure import WIDTH, words_of
from ave_score.reports.plots.paint import paint_rows
from ave_score.reports.plots.painted import drawing_of
from ave_score.reports.plots.row_records import RowsFigure, ValueRow
from ave_score.reports.plots.scales import Name, names_of, scale_of
from ave_score.reports.report import figure_text
from ave_score.tasks.estimated import CALIBRATED, Estimated

_MOST = 60
"""Systems that are drawn: the best."""


def estimates(result: Estimated, width: float | None = None) -> Drawing:
    """Return the figure of estimates; raises `UsageError` if there is none."""
    shown = [system for system in result.systems if system.estimate is not None][:_MOST]
    if not shown:
        raise UsageError("nothing to draw: no system has an estimate")
    names = names_of(system.run for system in shown)
    rows = [_row(system, names[system.run]) for system in shown]
    values = [value for row in rows for value in (row.value, row.judged, *(row.interval or ()))]
    values += [end for row in rows if row.alone for end in row.alone[1]]
    notes = [
        f"Dots: estimates with their {result.level:g} % intervals; grey: labels alone. Diamonds: "
        "the shares that the judge accepts."
    ]
    if any(row.mark == "hollow" for row in rows):
        notes.append("Hollow dots: by the errors of the judge elsewhere.")
    if left := len(result.systems) - len(shown):
        notes.append(f"{quantity(left, 'system')} without an estimate, or below these: not shown.")
    title = f"Estimated accuracy of {quantity(len(shown), 'judged system')}"
    words = words_of(title, map(_sentence, rows), notes)
    scale = scale_of([value for value in values if value is not None])
    data = RowsFigure(MEASURES["accuracy"], DIGITS, scale, rows, words=words)
    return drawing_of(partial(paint_rows, data, width or WIDTH), words)


def _row(system: EstimatedSystem, name: Name) -> ValueRow:
    value, mark = decimal(system.estimate), "hollow" if system.method == CALIBRATED else "run"
    ends = system.alone_interval
    alone = None if ends is None else (system.alone or 0.0, ends)
    text = figure_text(value, DIGITS)
    return ValueRow(name, value, system.interval, mark, text, judged=system.judged, alone=alone)


def _sentence(row: ValueRow) -> str:
    spec, alone = f".{DIGITS}f", ""
    if row.alone is not None:
        value, (low, high) = row.alone
        alone = f" labels alone {value:{spec}} [{low:{spec}}, {high:{spec}}],"
    return f"{row.label}: {row.text}{row.between(spec)},{alone} judged {row.judged:{spec}}."
