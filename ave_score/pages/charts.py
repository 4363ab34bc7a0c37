"""Figures of pages: their geometry as plain records, drawn by `templates/charts.html`.

Horizontal positions are percentages of a plot, with two decimals: figures follow the width of the
page, while text, marks and lines keep their size. Nothing is computed in the template.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import isnan
from typing import NamedTuple

from ave_score.counts.counted import Kind
from ave_score.inference.compare_records import Comparison, Pair, Standing
from ave_score.inference.resampling import Interval
from ave_score.measures import Measure
from ave_score.pages.scales import SHORT, Name, Scale, Tick, Value, names_of, scale_of
from ave_score.reports.compare import DIGITS, difference_text, interval_text, ranks_text
from ave_score.reports.compare_conclusions import levels
from ave_score.reports.report import MOST_PAIRS
from ave_score.reports.score import cell_text, ranks
from ave_score.tasks.score import Row, Scores

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


class RowsFigure(NamedTuple):
    """A figure of rows: the ranking of runs, or differences of pairs.

    `zero` is the position of 0 if it is a line. `level` is that of the intervals, "" without any.
    `basis` is what differences are tested by, "" if it is the measure.
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
    basis: str = ""

    @property
    def has_unranked(self) -> bool:
        """Whether some runs with a value have no ranks beside others that have."""
        return self.has_ranks and any(row.rank and not row.ranks for row in self.rows)

    @property
    def lines(self) -> int:
        """The number of lines of labels of baselines."""
        return 1 + max((level.line for level in self.levels), default=-1)


class _Axis(NamedTuple):
    """The axis of a measure, and the decimals of its values."""

    measure: Measure
    scale: Scale
    digits: int

    @property
    def ticks(self) -> list[Tick]:
        return self.scale.ticks(times=100 if self.measure.percent else 1)

    def strip(self, value: Fraction | None, interval: Interval | None) -> Strip:
        ends = (None, None) if interval is None else [self.scale.at(end) for end in interval]
        return Strip(None if value is None else self.scale.at(value), *ends)

    def ends(self, interval: Interval | None) -> str:
        return "" if interval is None else interval_text(interval, self.measure, self.digits)


class _Ranked(NamedTuple):
    """A row before it is drawn; `standing` is that of the comparison."""

    row: Row
    value: Fraction | None
    interval: Interval | None
    standing: Standing | None


def ranking(
    scores: Scores,
    measure: Measure,
    comparison: Comparison | None = None,
    own: Collection[str] = (),
    digits: int = DIGITS,
) -> RowsFigure:
    """Return the runs and QA systems by a measure, best first, with intervals and baselines.

    What is scored on different answers has no rank.

    Parameters
    ----------
    scores
        Scores; runs to which the measure does not apply are left out.
    measure
        The measure, one of the scores or that of the comparison.
    comparison
        The comparison by this measure, with ranks and letters; None if there is none.
    own
        The runs of the reader.
    digits
        Decimals of figures.
    """
    found = _ranked(scores, measure, comparison)
    values: list[Value] = [one.value for one in found if one.value is not None]
    values += [end for one in found for end in one.interval or ()]
    inside, beyond = _baselines(scores, measure, values)
    axis = _Axis(measure, scale_of([*values, *inside.values()]), digits)
    names = names_of((one.row.shown for one in found), own)
    is_comparable = all(one.standing for one in found) or not any(row.extent for row in scores.rows)
    rows = [
        _value_row(one, rank * is_comparable, names[one.row.shown], axis)
        for rank, one in zip(ranks([one.value for one in found]), found, strict=True)
    ]
    if len({row.mark for row in rows}) == 1:
        rows = [row._replace(mark="run") for row in rows]
    has_intervals = any(row.interval for row in rows)
    return RowsFigure(
        measure.title,
        "" if measure.higher_is_better else "lower is better",
        axis.ticks,
        rows,
        _levels(inside, axis),
        [f"{name}: {cell_text(value, measure, digits)}" for name, value in beyond.items()],
        level=_level(scores, comparison) if has_intervals else "",
        has_ranks=any(row.ranks for row in rows),
        has_letters=any(row.letters for row in rows),
        has_systems=len({row.mark for row in rows}) > 1,
    )


def _ranked(scores: Scores, measure: Measure, comparison: Comparison | None) -> list[_Ranked]:
    """Return the rows to which a measure applies, best first, undefined values last."""
    standings = {one.run: one for one in comparison.standings} if comparison else {}
    key, found = measure.key, []
    of_runs = standings.keys() <= {row.run for row in scores.rows if row.kind is Kind.AV}
    for row in scores.rows:
        # a QA system may have the name of a run, if systems are not compared
        standing = None if of_runs and row.kind is not Kind.AV else standings.get(row.run)
        if row.kind is Kind.BASELINE or row.is_apart or key in row.reasons:
            continue
        if standing is not None:
            found.append(_Ranked(row, standing.value, _drawable(standing.interval), standing))
        elif key in row.values:
            estimate = row.intervals.get(key)
            interval = None if estimate is None else _drawable(estimate.interval)
            found.append(_Ranked(row, row.values[key], interval, None))
    return sorted(found, key=lambda one: measure.sort_key(one.value))


def _drawable(interval: Interval) -> Interval | None:
    return None if isnan(interval.low) else interval


def _value_row(one: _Ranked, rank: str, name: Name, axis: _Axis) -> ValueRow:
    standing = one.standing
    return ValueRow(
        rank,
        name,
        axis.strip(one.value, one.interval),
        "system" if one.row.kind is Kind.QA else "run",
        cell_text(one.value, axis.measure, axis.digits),
        axis.ends(one.interval),
        ranks_text(standing).replace("-", "–") if standing and standing.ranks else "",
        standing.letters if standing else "",
    )


def _baselines(
    scores: Scores, measure: Measure, values: Sequence[Value]
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the baselines near the values of runs, and those so far that they would squeeze them.

    Near is at most a quarter of the range of the values outside of it; a single value has none.
    """
    low, high = min(values, default=0), max(values, default=1)
    margin = Fraction(high - low) / 4
    inside: dict[str, Fraction] = {}
    beyond: dict[str, Fraction] = {}
    for row in scores.rows:
        value = row.values.get(measure.key)
        if row.kind is Kind.BASELINE and value is not None:
            is_near = not margin or low - margin <= value <= high + margin
            (inside if is_near else beyond)[row.run] = value
    return inside, beyond


_NARROWEST, _LETTER = 260, 6.2
"""Widths in px: of the plot on a phone, and of a letter of the labels."""


def _levels(baselines: Mapping[str, Fraction], axis: _Axis) -> list[Level]:
    """Return the lines of baselines, from the left; each label is in the first line with room."""
    ends: list[float] = []
    found = []
    for name, value in sorted(baselines.items(), key=lambda one: one[1]):
        text = cell_text(value, axis.measure, axis.digits)
        at = float(axis.scale.at(value)) / 100 * _NARROWEST
        wide = _LETTER * (len(name) + len(text) + 1)
        side, start = "middle", at - wide / 2
        if start < 0:
            side, start = "start", at
        elif start + wide > _NARROWEST:
            side, start = "end", at - wide
        line = next((n for n, end in enumerate(ends) if end + 8 <= start), len(ends))
        ends[line : line + 1] = [start + wide]
        found.append(Level(axis.scale.at(value), name, text, line, side))
    return found


def _level(scores: Scores, comparison: Comparison | None) -> str:
    """Return the level of intervals, which are those of the comparison or of the scores."""
    if comparison is not None:
        return levels(comparison.design)[0]
    policy = scores.policies.intervals
    return f"{policy.level:g} %" if policy else ""


def best_pairs(
    comparison: Comparison, own: Collection[str] = (), digits: int = DIGITS
) -> RowsFigure:
    """Return the differences of the best pairs with their intervals, around 0.

    Parameters
    ----------
    comparison
        The comparison; pairs with an undefined value are left out.
    own
        The runs of the reader.
    digits
        Decimals of figures.
    """
    measure = comparison.measure
    pairs = [pair for pair in comparison.best_pairs(MOST_PAIRS) if pair.difference is not None]
    values = [end for pair in pairs if not isnan(pair.interval.low) for end in pair.interval]
    scale = scale_of([0, *values, *(pair.difference or 0 for pair in pairs)])
    axis = _Axis(measure, scale, digits)
    names = names_of((run for pair in pairs for run in (pair.run, pair.other)), own, SHORT)
    rows = [_pair_row(pair, names[pair.run], names[pair.other], axis) for pair in pairs]
    return RowsFigure(
        measure.title,
        "",
        axis.ticks,
        rows,
        zero=scale.at(0),
        level=levels(comparison.design)[0] if values else "",
        basis="" if comparison.design.procedure.is_of_measure else comparison.basis,
    )


def _pair_row(pair: Pair, name: Name, other: Name, axis: _Axis) -> ValueRow:
    interval = _drawable(pair.interval)
    return ValueRow(
        "",
        name,
        axis.strip(pair.difference, interval),
        "run" if pair.is_significant else "hollow",
        difference_text(pair, axis.measure, axis.digits),
        axis.ends(interval),
        other=other,
    )
