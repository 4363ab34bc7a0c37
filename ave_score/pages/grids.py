"""Scores of groups of questions as a table with a small bar in each cell, as plain records."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import inf, isnan
from typing import NamedTuple

from ave_score.core.text import quantity, shortened, visible
from ave_score.measures import Measure
from ave_score.reports.cells import cell_text
from ave_score.reports.compare import interval_text
from ave_score.reports.plots.scales import LONGEST, Name, Scale, names_of, scale_of
from ave_score.reports.report import DIGITS
from ave_score.tasks.broken_down import Breakdown, BrokenDown, Part

RUNS, GROUPS = 30, 60
"""Runs and groups in a figure, at most."""


class GridCell(NamedTuple):
    """A score, None if it is undefined, and its text.

    `is_whole` tells whether it is a score of all groups, `is_best` whether no ranked run has a
    better one; `note` is its interval.
    """

    text: str
    value: Fraction | None
    is_whole: bool = False
    is_best: bool = False
    note: str = ""


class Head(NamedTuple):
    """A run or a group, with the number of its questions; `is_whole` for all groups."""

    name: Name
    size: str = ""
    is_whole: bool = False


class Grid(NamedTuple):
    """Scores of groups of questions by one measure: `rows` have a head each, `heads` are columns.

    The `scale` of all cells includes 0, and the highest value that the measure can have.
    """

    title: str
    corner: str
    heads: Sequence[Head]
    rows: Sequence[tuple[Head, Sequence[GridCell]]]
    scale: Scale
    notes: Sequence[str]


def grid(scores: Breakdown, measure: Measure, own: Collection[str] = ()) -> Grid:
    """Return the scores of runs on groups of questions by a measure, the best run first.

    What is fewer, runs or groups, are the columns.

    Parameters
    ----------
    scores
        The scores of groups of questions, by this measure among others.
    measure
        The measure.
    own
        The runs of the reader.
    """
    scored = _best_first(scores.runs, measure)
    runs = scored[:RUNS]
    parts = _shown(runs[0])
    names = names_of((run.run for run in runs), own)
    scale = _scale(runs, parts, measure)
    run_heads = [Head(names[run.run]) for run in runs]
    columns = [[_cell(run, at, measure, runs) for run in runs] for at in parts]
    heads = _heads(runs[0], parts)
    notes = [
        f"The {len(shown)} {which} of {quantity(item, noun)}."
        for shown, item, which, noun in (
            (runs, len(scored), "best", "run"),
            (parts[:-2], len(runs[0].parts) - 2, "largest", "group"),
        )
        if len(shown) < item
    ]
    title, unit = f"{measure.title} by {visible(scores.by.rpartition('/')[2])}", scores.unit
    if len(runs) < len(parts):
        rows = list(zip(heads, columns, strict=True))
        return Grid(title, f"Group ({unit}s)", run_heads, rows, scale, notes)
    rows = list(zip(run_heads, map(list, zip(*columns, strict=True)), strict=True))
    return Grid(title, "Run", heads, rows, scale, notes)


def _value(run: BrokenDown, at: int, measure: Measure) -> Fraction | None:
    return run.parts[at].values.get(measure.key)


def _best_first(runs: Sequence[BrokenDown], measure: Measure) -> list[BrokenDown]:
    """Return the runs with a value on any group, by that on all questions; undefined is last.

    Those that are not ranked come behind the others.
    """
    scored = [run for run in runs if any(part.values.get(measure.key) for part in run.parts)]

    def key(run: BrokenDown) -> tuple[object, ...]:
        return not run.is_ranked, measure.sort_key(_value(run, -2, measure))

    return sorted(scored or runs, key=key)


def _shown(run: BrokenDown) -> list[int]:
    """Return the positions of the largest groups, in their order, and of micro and macro."""
    last = len(run.parts) - 2
    largest = sorted(range(last), key=lambda at: -run.parts[at].questions)[:GROUPS]
    return [*sorted(largest), last, last + 1]


def _heads(run: BrokenDown, parts: Sequence[int]) -> list[Head]:
    full = [visible(run.parts[at].name) for at in parts]
    names = map(Name, shortened(full, LONGEST, len), full)
    last = len(run.parts) - 2
    return [
        Head(name, f"{run.parts[at].questions:,}" if at <= last else "", at >= last)
        for name, at in zip(names, parts, strict=True)
    ]


def _scale(runs: Sequence[BrokenDown], parts: Sequence[int], measure: Measure) -> Scale:
    values = (_value(run, at, measure) for run in runs for at in parts)
    most = [Fraction(measure.highest)] if measure.span < inf else []  # bars are shares of it
    return scale_of([0, *most, *(value for value in values if value is not None)])


def _cell(run: BrokenDown, at: int, measure: Measure, runs: Sequence[BrokenDown]) -> GridCell:
    value, is_whole = _value(run, at, measure), at >= len(run.parts) - 2
    text = cell_text(value, measure, DIGITS)
    if value is None:
        return GridCell(text, value, is_whole)
    values = [_value(other, at, measure) for other in runs if other.is_ranked]
    known = [other for other in values if other is not None]
    is_best = run.is_ranked and len(known) > 1 and value == measure.best(known)
    return GridCell(text, value, is_whole, is_best, _note(run.parts[at], measure))


def _note(part: Part, measure: Measure) -> str:
    interval = part.intervals.get(measure.key)
    if interval is None or isnan(interval.low):
        return ""
    return interval_text(interval.interval, measure, DIGITS)
