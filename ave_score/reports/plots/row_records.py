"""Rows of a figure as records: what `rows` makes, and what pages and `paint` draw."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.inference.resampling import Interval
from ave_score.measures import Measure
from ave_score.reports.compare import interval_text
from ave_score.reports.plots.figure import LeftOut, Words
from ave_score.reports.plots.scales import Name, Scale, Tick

_LONGEST = 9
"""The most letters of a row, and of its ranks."""


class Level(NamedTuple):
    """A baseline: a vertical line at its value, labelled in line `line` of the head.

    `side` is the side of the line that the label is on: start, middle or end.
    """

    value: Fraction
    label: str
    line: int
    side: str


class ValueRow(NamedTuple):
    """A run, or a pair of runs with the `other` one, and what its row shows.

    `mark` is the shape of its mark: run, system, or hollow for no significant difference and for
    what is not ranked; `text` is its value. It has no interval if that is None. `gain` is what a
    bar adds to the value. An estimated system has the share `judged` right, and what labels `alone`
    say, if that is another value.
    """

    name: Name
    value: Fraction | None
    interval: Interval | None
    mark: str
    text: str
    rank: str = ""
    ranks: str = ""
    letters: str = ""
    other: Name | None = None
    gain: Fraction | None = None
    judged: float | None = None
    alone: tuple[float, Interval] | None = None

    @property
    def label(self) -> str:
        """The full name of the run, or of both."""
        return self.name.full + (f" - {self.other.full}" if self.other else "")

    def between(self, spec: str) -> str:
        """Return the formatted ends of the interval, "" if there is none."""
        if self.interval is None:
            return ""
        low, high = (format(end, spec) for end in self.interval)
        return f" [{low}, {high}]"


class RowsFigure(NamedTuple):
    """A figure of rows: the ranking of runs, or differences of pairs.

    `level` is that of the intervals, "" without any. `basis` is what differences are tested by, ""
    if it is the measure, and `alpha` the significance level, None for a ranking. Only figures that
    `paint` draws have `words`.
    """

    measure: Measure
    digits: int
    scale: Scale
    rows: Sequence[ValueRow]
    levels: Sequence[Level] = ()
    beyond: Sequence[str] = ()
    level: str = ""
    basis: str = ""
    alpha: float | None = None
    words: Words = Words("", "")
    left_out: Sequence[LeftOut] = ()

    @property
    def ticks(self) -> Sequence[Tick]:
        """The ticks of the axis."""
        return self.scale.ticks(times=100 if self.measure.percent else 1)

    @property
    def has_systems(self) -> bool:
        """Whether marks tell runs and QA systems apart."""
        return {row.mark for row in self.rows} >= {"run", "system"}

    @property
    def lines(self) -> int:
        """The number of lines of labels of baselines."""
        return 1 + max((level.line for level in self.levels), default=-1)

    def ends(self, row: ValueRow) -> str:
        """Return the ends of an interval as text, "" if there is none."""
        interval = row.interval
        return "" if interval is None else interval_text(interval, self.measure, self.digits)

    def has(self, what: str) -> bool:
        """Tell whether any row has `ranks` or `letters`, and none has more than can be read."""
        return 0 < max((len(getattr(row, what)) for row in self.rows), default=0) <= _LONGEST
