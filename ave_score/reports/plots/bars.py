"""Figures with a row for each run: bars with baselines, and differences with intervals.

The bars are those of figures A.1-A.5 of the thesis (Rodrigo, PhD thesis, UNED 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import ceil, isnan
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.text import visible
from ave_score.counts import ANSWERING, SELECTION, SelectionCounts
from ave_score.counts.counted import NO_CANDIDATES, Kind
from ave_score.measures.registry import BARS
from ave_score.measures.selection import qa_accuracy, qa_rej_accuracy
from ave_score.reports.plots.drawing import Drawing
from ave_score.reports.plots.figure import (
    DIGITS,
    WIDTH,
    Dash,
    LeftOut,
    Words,
    left_out_notes,
    number,
    words_of,
)
from ave_score.reports.plots.paint import paint_differences
from ave_score.reports.report import MOST_PAIRS
from ave_score.tasks.score import NOT_OF_KIND, Row, Scores

if TYPE_CHECKING:
    from ave_score.tasks.compare import Compared


class Bar(NamedTuple):
    """The qa_accuracy of a run or a QA system, its interval, and its potential.

    `potential` is qa_rej_accuracy: the gain if every rightly rejected question is then answered.
    """

    run: str
    is_system: bool
    accuracy: Fraction
    potential: Fraction
    interval: tuple[float, float] | None = None


class Bars(NamedTuple):
    """Bars, best first, with the baselines if the collection has them.

    `level` is the confidence level of the intervals in per cent, None without intervals.
    """

    bars: Sequence[Bar]
    perfect: Fraction | None = None
    random: Fraction | None = None
    level: float | None = None
    left_out: Sequence[LeftOut] = ()

    @property
    def words(self) -> Words:
        """The title, text and notes."""
        head = "Horizontal bars, best first: QA accuracy, followed by the potential by rejection."
        sentences = [f"{rank}. {_bar_words(bar)}." for rank, bar in enumerate(self.bars, 1)]
        sentences += [f"{name}: {number(value)}." for name, value, _ in self.lines]
        notes = []
        if self.level is not None:
            notes.append(f"Whiskers: intervals of {self.level:g} % of the QA accuracy.")
        notes += left_out_notes(self.left_out)
        return words_of("QA accuracy and potential by rejection", [head, *sentences], notes)

    @property
    def lines(self) -> list[tuple[str, Fraction, Dash]]:
        """The baselines: name, value and dash."""
        lines = (("Perfect selection", self.perfect, (5, 2)), ("Random", self.random, (2, 2)))
        return [(name, value, dash) for name, value, dash in lines if value is not None]

    @property
    def end(self) -> float:
        """The end of the axis: the next tenth above all values, at most 1."""
        ends = [float(bar.accuracy + bar.potential) for bar in self.bars]
        ends += [bar.interval[1] for bar in self.bars if bar.interval is not None]
        ends += [float(value) for _, value, _ in self.lines]
        return min(1.0, ceil(10 * max(ends, default=1) + 0.1) / 10)


class Difference(NamedTuple):
    """A difference of two runs, or of a run and a baseline.

    `low` and `high` are the ends of its interval, NaN if the test gives none.
    """

    name: str
    difference: float
    low: float
    high: float
    is_significant: bool


class Differences(NamedTuple):
    """Differences of a measure with the `title`; `alpha` is the significance level, in 0..1."""

    title: str
    rows: Sequence[Difference]
    alpha: float

    @property
    def words(self) -> Words:
        """The title, text and notes."""
        sentences = [
            f"{visible(row.name)}: {row.difference:+.3f}{_ends(row)}"
            f"{', significant' if row.is_significant else ''}."
            for row in self.rows
        ]
        notes = [f"Filled: significant, corrected p up to {self.alpha:g}; hollow: not."]
        return words_of(self.title, ["Differences with intervals.", *sentences], notes)


INTERVAL_OF = BARS[0]
"""The measure whose intervals are drawn as whiskers."""

_NO_QUESTIONS = "there is no question"


def bars(scores: Scores) -> Bars:
    """Return a bar for each run and QA system, by descending qa_accuracy, then kind and name.

    A bar has an interval if `scores` have an interval of qa_accuracy. Rows without selection counts
    are left out.
    """
    shown: list[Bar] = []
    left_out: list[LeftOut] = []
    baselines: dict[str, Bar] = {}
    for row in scores.rows:
        bar = _bar_of(row)
        if row.kind is Kind.BASELINE:
            if isinstance(bar, Bar):
                baselines[row.run] = bar
        elif isinstance(bar, Bar):
            shown.append(bar)
        else:
            left_out.append(bar)
    shown.sort(key=lambda drawn: (-drawn.accuracy, drawn.is_system, drawn.run))
    perfect, random = baselines.get("Perfect selection"), baselines.get("Random")
    policy = scores.policies.intervals
    has_intervals = any(bar.interval for bar in shown)
    return Bars(
        shown,
        None if perfect is None else perfect.accuracy,
        None if random is None else random.accuracy,
        policy.level if policy and has_intervals else None,
        left_out,
    )


def _bar_of(row: Row) -> Bar | LeftOut:
    counts = row.counts.get(SELECTION)
    if not isinstance(counts, SelectionCounts):
        reason = NO_CANDIDATES if ANSWERING in row.counts else NOT_OF_KIND
        return LeftOut(row.run, reason)
    accuracy, potential = qa_accuracy(counts), qa_rej_accuracy(counts)
    if accuracy is None or potential is None:
        return LeftOut(row.run, _NO_QUESTIONS)
    ends = row.intervals.get(INTERVAL_OF)
    interval = None if ends is None or isnan(ends[0]) else (ends[0], ends[1])
    return Bar(row.run, row.kind is Kind.QA, accuracy, potential, interval)


def _bar_words(bar: Bar) -> str:
    kind = " (QA system)" if bar.is_system else ""
    between = ""
    if bar.interval is not None:
        between = f" [{bar.interval[0]:.{DIGITS}f}, {bar.interval[1]:.{DIGITS}f}]"
    potential = f", potential by rejection {number(bar.potential)}" if bar.potential else ""
    return f"{visible(bar.run)}{kind}: QA accuracy {number(bar.accuracy)}{between}{potential}"


def _ends(row: Difference) -> str:
    return "" if isnan(row.low) else f" [{row.low:+.3f}, {row.high:+.3f}]"


def differences(compared: Compared, width: float | None = None) -> Drawing:
    """Return the differences of the best pairs by the first measure, with their intervals.

    Raises `UsageError` if no pair has a difference.
    """
    comparison = compared.comparisons[0]
    rows = [
        Difference(
            f"{pair.run} - {pair.other}",
            float(pair.difference),
            *pair.interval,
            pair.is_significant,
        )
        for pair in comparison.best_pairs(MOST_PAIRS)
        if pair.difference is not None
    ]
    title = comparison.measure.title
    if not rows:
        raise UsageError(f"nothing to draw: no two runs have a value of {title}")
    head = f"Differences of {title}"
    if not comparison.design.procedure.is_of_measure:
        head += f", tested by {comparison.basis}"
    data = Differences(head, rows, comparison.design.alpha)
    return Drawing(partial(paint_differences, data, width or WIDTH), data.words)
