"""Estimated accuracies with their intervals, beside what the judge and labels alone say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ave_score.core.drawing import Drawing
from ave_score.core.errors import UsageError
from ave_score.core.text import quantity, visible
from ave_score.inference.estimate import EstimatedSystem
from ave_score.inference.resampling import Interval
from ave_score.reports.data import decimal
from ave_score.reports.estimate import DIGITS
from ave_score.reports.plots.figure import WIDTH, Words, words_of
from ave_score.reports.plots.paint_estimates import paint_estimates
from ave_score.reports.plots.painted import drawing_of
from ave_score.reports.report import figure_text
from ave_score.tasks.estimated import CALIBRATED, Estimated

_MOST = 60
"""Systems that are drawn: the best."""


def estimates(result: Estimated, width: float | None = None) -> Drawing:
    """Return the figure of estimates; raises `UsageError` if there is none."""
    shown = [system for system in result.systems if system.estimate is not None][:_MOST]
    if not shown:
        raise UsageError("nothing to draw: no system has an estimate")
    words = _words(result, shown)
    return drawing_of(partial(paint_estimates, shown, words, width or WIDTH), words)


def _words(result: Estimated, shown: list[EstimatedSystem]) -> Words:
    level = f"{result.level:g} %"
    notes = [
        f"Dots: estimates with their {level} intervals; grey: labels alone. Diamonds: the shares "
        "that the judge accepts."
    ]
    if any(system.method == CALIBRATED for system in shown):
        notes.append("Hollow dots: by the errors of the judge elsewhere.")
    if left := len(result.systems) - len(shown):
        notes.append(f"{quantity(left, 'system')} without an estimate, or below these: not shown.")
    title = f"Estimated accuracy of {quantity(len(shown), 'judged system')}"
    return words_of(title, [sentence for system in shown for sentence in _sentences(system)], notes)


def _sentences(of: EstimatedSystem) -> Iterator[str]:
    yield f"{visible(of.run)}: {_with_ends(of.estimate, of.interval)}"
    if of.alone is not None:
        yield f"labels alone {_with_ends(of.alone, of.alone_interval)}"
    yield f"judged {figure_text(decimal(of.judged), DIGITS)}."


def _with_ends(value: float | None, interval: Interval | None) -> str:
    texts = [figure_text(decimal(end), DIGITS) for end in (value, *(interval or ()))]
    return texts[0] + (f" [{', '.join(texts[1:])}]," if interval else ",")
