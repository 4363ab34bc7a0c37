"""Figures of pages: their geometry as plain records, drawn by `templates/charts.html`.

Horizontal positions are percentages of a plot, with two decimals: figures follow the width of the
page, while text, marks and lines keep their size. Nothing is computed in the template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isnan
from typing import NamedTuple

from ave_score.counts.counted import Kind
from ave_score.inference.compared import Comparison, Pair, Standing
from ave_score.inference.resampling import Interval
from ave_score.measures import Measure
from ave_score.pages.scales import AS_GIVEN, Name, Named, Scale, Tick, Value, scale_of
from ave_score.reports.comparison import DIGITS, difference_text, interval_text, ranks_text
from ave_score.reports.report import MOST_PAIRS
from ave_score.reports.scores import cell_text
from ave_score.scoring import Row, Scores

# --- rows of values with intervals ----------------------------------------------------------------


class Strip(NamedTuple):
    """A value and the ends of its interval in per cent of the axis; None if there is none."""

    at: str | None
    low: str | None = None
    high: str | None = None


class Level(NamedTuple):
    """A baseline: a vertical line at `at` per cent, labelled in line `line` of the head.

    `side` is the side of the line that the label is on: start, middle or end.
    """

    at: str
    name: str
    value: str
    line: int
    side: str


class ValueRow(NamedTuple):
    """A run, or a pair of runs with the `other` one, and what its row shows.

    `mark` is the shape of its mark: run, system, or hollow for no significant difference.
    """

    rank: str
    name: Name
    strip: Strip
    mark: str
    value: str
    interval: str = ""
    ranks: str = ""
    letters: str = ""
    other: Name | None = None


class Rows(NamedTuple):
    """A figure of rows: the ranking of runs, or differences of pairs.

    `zero` is the position of 0 if it is a line. `level` is that of the intervals, "" without any.
    """

    measure: str
    better: str
    ticks: Sequence[Tick]
    rows: Sequence[ValueRow]
    levels: Sequence[Level] = ()
    beyond: Sequence[str] = ()
    zero: str | None = None
    level: str = ""
    has_ranks: bool = False
    has_letters: bool = False
    has_systems: bool = False

    @property
    def lines(self) -> int:
        """The number of lines of labels of baselines."""
        return 1 + max((level.line for level in self.levels), default=-1)


class _Ranked(NamedTuple):
    """A row before it is drawn."""

    row: Row
    value: Fraction | None
    standing: Standing | None

    @property
    def interval(self) -> Interval | None:
        """The interval of the value, if both exist."""
        if self.value is None or self.standing is None:
            return None
        return None if isnan(self.standing.interval.low) else self.standing.interval


def ranking(
    scores: Scores,
    measure: Measure,
    comparison: Comparison | None = None,
    named: Named = AS_GIVEN,
) -> Rows:
    """Return the runs and QA systems by a measure, best first, with intervals and baselines.

    Parameters
    ----------
    scores
        Scores that include the measure; runs to which it does not apply are left out.
    measure
        The measure.
    comparison
        The comparison by this measure; None: neither intervals nor ranks.
    named
        How runs are called.
    """
    found = _ranked(scores, measure, comparison)
    values: list[Value] = [one.value for one in found if one.value is not None]
    values += [end for one in found for end in one.interval or ()]
    inside, beyond = _baselines(scores, measure, values)
    scale = scale_of([*values, *inside.values()])
    names = named.names(one.row.run for one in found)
    rows = [
        _value_row(one, rank, names[one.row.run], measure, scale)
        for rank, one in enumerate(found, 1)
    ]
    has_intervals = any(row.interval for row in rows)
    return Rows(
        measure.title,
        _better(measure),
        scale.ticks(times=_times(measure)),
        rows,
        _levels(inside, measure, scale),
        [f"{name} {cell_text(value, measure, DIGITS)}" for name, value in beyond.items()],
        level=_level(comparison) if comparison and has_intervals else "",
        has_ranks=any(row.ranks for row in rows),
        has_letters=any(row.letters for row in rows),
        has_systems=len({row.mark for row in rows}) > 1,
    )


def _ranked(scores: Scores, measure: Measure, comparison: Comparison | None) -> list[_Ranked]:
    """Return the rows to which a measure applies, best first, undefined values last."""
    standings = {one.run: one for one in comparison.standings} if comparison else {}
    found = [
        _Ranked(row, row.values.get(measure.key), standings.get(row.run))
        for row in scores.rows
        if row.kind is not Kind.BASELINE and measure.key not in row.reasons
    ]
    sign = -1 if measure.higher_is_better else 1
    return sorted(found, key=lambda one: (one.value is None, sign * (one.value or 0)))


def _value_row(one: _Ranked, rank: int, name: Name, measure: Measure, scale: Scale) -> ValueRow:
    standing, is_drawn = one.standing, one.value is not None
    return ValueRow(
        str(rank) if is_drawn else "",
        name,
        _strip(scale, one.value, one.interval),
        "system" if one.row.kind is Kind.QA else "run",
        cell_text(one.value, measure, DIGITS),
        "" if one.interval is None else interval_text(one.interval, measure, DIGITS),
        ranks_text(standing).replace("-", "–") if standing and standing.ranks else "",
        standing.letters if standing else "",
    )


def _strip(scale: Scale, value: Fraction | None, interval: Interval | None) -> Strip:
    ends = (None, None) if interval is None else [scale.at(end) for end in interval]
    return Strip(None if value is None else scale.at(value), *ends)


def _baselines(
    scores: Scores, measure: Measure, values: Sequence[Value]
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the baselines near the values of runs, and those so far that they would squeeze them.

    Near is at most a quarter of the range of the values outside of it.
    """
    low, high = min(values, default=0), max(values, default=1)
    margin = Fraction(high - low) / 4
    inside: dict[str, Fraction] = {}
    beyond: dict[str, Fraction] = {}
    for row in scores.rows:
        value = row.values.get(measure.key)
        if row.kind is Kind.BASELINE and value is not None:
            is_near = low - margin <= value <= high + margin
            (inside if is_near else beyond)[row.run] = value
    return inside, beyond


_NARROWEST, _LETTER = 260, 6.2
"""Widths in px: of the plot on a phone, and of a letter of the labels."""


def _levels(baselines: Mapping[str, Fraction], measure: Measure, scale: Scale) -> list[Level]:
    """Return the lines of baselines, from the left; each label is in the first line with room."""
    ends: list[float] = []
    found = []
    for name, value in sorted(baselines.items(), key=lambda one: one[1]):
        text = cell_text(value, measure, DIGITS)
        at = float(scale.at(value)) / 100 * _NARROWEST
        wide = _LETTER * (len(name) + len(text) + 1)
        side, start = "middle", at - wide / 2
        if start < 0:
            side, start = "start", at
        elif start + wide > _NARROWEST:
            side, start = "end", at - wide
        line = next((n for n, end in enumerate(ends) if end + 8 <= start), len(ends))
        ends[line : line + 1] = [start + wide]
        found.append(Level(scale.at(value), name, text, line, side))
    return found


def _better(measure: Measure) -> str:
    return "" if measure.higher_is_better else "lower is better"


def _times(measure: Measure) -> int:
    return 100 if measure.percent else 1


def _level(comparison: Comparison) -> str:
    return f"{100 * comparison.design.level:g} %"


def best_pairs(comparison: Comparison, named: Named = AS_GIVEN) -> Rows:
    """Return the differences of the best pairs with their intervals, around 0.

    Parameters
    ----------
    comparison
        The comparison; pairs with an undefined value are left out.
    named
        How runs are called.
    """
    measure = comparison.measure
    pairs = [pair for pair in comparison.best_pairs(MOST_PAIRS) if pair.difference is not None]
    values = [end for pair in pairs if not isnan(pair.interval.low) for end in pair.interval]
    scale = scale_of([0, *values, *(pair.difference or 0 for pair in pairs)])
    names = named.names(run for pair in pairs for run in (pair.run, pair.other))
    rows = [_pair_row(pair, names[pair.run], names[pair.other], measure, scale) for pair in pairs]
    return Rows(
        measure.title,
        "",
        scale.ticks(times=_times(measure)),
        rows,
        zero=scale.at(0),
        level=_level(comparison) if values else "",
    )


def _pair_row(pair: Pair, name: Name, other: Name, measure: Measure, scale: Scale) -> ValueRow:
    interval = None if isnan(pair.interval.low) else pair.interval
    return ValueRow(
        "",
        name,
        _strip(scale, pair.difference, interval),
        "run" if pair.is_significant else "hollow",
        difference_text(pair, measure, DIGITS),
        "" if interval is None else interval_text(interval, measure, DIGITS),
        other=other,
    )
