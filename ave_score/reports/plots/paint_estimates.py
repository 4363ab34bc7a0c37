"""Estimates and intervals of systems, painted by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ave_score.inference.estimate import EstimatedSystem
from ave_score.reports.plots.figure import Words
from ave_score.reports.plots.paint import SMALL, TICK, fitting, sheet
from ave_score.reports.plots.scales import scale_of
from ave_score.tasks.estimated import CALIBRATED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MANY = 20
"""Rows that have the usual height."""


def paint_estimates(systems: Sequence[EstimatedSystem], words: Words, width: float) -> Figure:
    """Draw a row for each system, the first at the top."""
    size, height = (TICK, 0.28) if len(systems) <= _MANY else (SMALL, 0.2)
    figure = sheet(words, width, height * len(systems) + 0.5)
    axes = figure.subplots()
    axes.set_yticks(
        range(len(systems)), fitting([system.run for system in systems], width / 3), fontsize=size
    )
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    mark: dict[str, Any] = {"markersize": 4, "zorder": 6, "clip_on": False}
    values: list[float] = []
    for y, system in enumerate(systems):
        fill = "white" if system.method == CALIBRATED else "black"
        own = (system.estimate, system.interval, "black", fill, y - 0.12)
        alone = (system.alone, system.alone_interval, "#999999", "#999999", y + 0.22)
        for value, interval, ink, fill, at in (own, alone):
            if value is not None:
                ends = interval or (value, value)
                axes.plot(ends, [at, at], "|-", color=ink, markersize=5, zorder=4)
                axes.plot([value], [at], "o", color=ink, mfc=fill, **mark)
                values += [value, *ends]
        axes.plot([system.judged], [y - 0.12], "D", color="#d0560a", mfc="white", **mark)
        values.append(system.judged)
    scale = scale_of(values)
    ticks = [float(value) for value in scale.values]
    axes.set_xticks(ticks, [tick.text for tick in scale.ticks()])
    axes.set(xlim=(ticks[0], ticks[-1]), ylim=(len(systems) - 0.4, -0.6))
    axes.set_xlabel("Accuracy")
    return figure
