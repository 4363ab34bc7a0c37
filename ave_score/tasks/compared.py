"""What a comparison of runs says: the runs in their order, and all pairs, by each measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core import above
from ave_score.core.drawing import Drawn
from ave_score.core.text import brief, quantity
from ave_score.inference.compare_records import Comparison, Standing
from ave_score.inference.power import PairPower, PowerPolicy
from ave_score.inference.questions import QuestionTable, question_table
from ave_score.inference.resampling import Interval
from ave_score.inference.units import Gold, Subject
from ave_score.measures import Measure
from ave_score.tasks.ranked import are_comparable, best_first, ranks_among
from ave_score.tasks.scores import Row

if TYPE_CHECKING:
    from fractions import Fraction

    import pandas as pd


class Powers(NamedTuple):
    """What was asked, and the power of the pairs of each comparison."""

    asked: PowerPolicy
    of_comparisons: Sequence[Sequence[PairPower]]


class Listed(NamedTuple):
    """A run as comparisons list it.

    Attributes
    ----------
    row
        The row of the run, which says what it takes part as.
    standing
        Its figures; one that is not compared has no ranks and letters.
    rank
        Its rank, "" for one that is not compared.
    reason
        Why it is not compared: `reference` or `not primary`; "" if it is.
    """

    row: Row
    standing: Standing
    rank: str = ""
    reason: str = ""


@dataclass(frozen=True, repr=False)
class Compared(Drawn):
    """Runs compared by one or more measures: what `ave-score compare` reports.

    `to_frame` has a row for each measure and pair of runs. `plot` draws the differences of the best
    pairs by the first measure, with their intervals.

    Attributes
    ----------
    comparisons
        A comparison for each measure: the standings of the runs, and all pairs.
    signature
        The line that identifies the policies and the design.
    not_scored
        The files that could not be compared.
    powers
        What the comparison could detect; None unless it was asked.
    subjects, gold
        What was compared, and the gold standard.
    notes
        On which questions, if missing answers are excluded.
    rows
        The rows of what is compared, as those of `Scores`; their figures may be missing.
    apart
        The rows of what is not compared, with the values and intervals of these measures.
    beside
        Measure -> the values of what is ranked by it, too, and is compared by none. Ranks count it.
    """

    comparisons: Sequence[Comparison]
    signature: str
    not_scored: Sequence[str] = ()
    powers: Powers | None = None
    subjects: Sequence[Subject] = ()
    gold: Gold | None = None
    notes: Sequence[str] = ()
    rows: Sequence[Row] = ()
    apart: Sequence[Row] = ()
    beside: Mapping[str, Sequence[Fraction]] = field(default_factory=dict)

    def __repr__(self) -> str:
        names = brief([comparison.measure.key for comparison in self.comparisons])
        return f"<Compared {quantity(len(self.comparisons[0].standings), 'run')}: {names}>"

    @property
    def teams(self) -> dict[str, str]:
        """Run -> the team that submitted it, for runs that have one."""
        rows = (*self.rows, *self.apart)
        return {row.run: row.team for row in rows if row.team is not None}

    def ranked_with(self, rows: Iterable[Row]) -> Compared:
        """Return the comparison, its ranks among all these rows of tables that are ranked."""
        rows = [*rows]
        if not are_comparable(rows):
            return self
        own = {(row.kind, row.run) for row in self.rows}
        others = [row for row in rows if row.is_ranked and (row.kind, row.run) not in own]
        keys = [comparison.measure.key for comparison in self.comparisons]
        values = {key: [row.values.get(key) for row in others] for key in keys}
        beside = {
            key: [value for value in of_key if value is not None] for key, of_key in values.items()
        }
        return replace(self, beside=beside)

    def listed(self, comparison: Comparison) -> list[Listed]:
        """Return the runs by a measure, the best first; those that are not compared are behind.

        Parameters
        ----------
        comparison
            One of `comparisons`.

        Returns
        -------
        list of Listed
            The row of each run, its standing and its rank.
        """
        rows = {row.run: row for row in self.rows}
        values = [standing.value for standing in comparison.standings]
        in_order = ranks_among(
            values, self.beside.get(comparison.measure.key, ()), comparison.measure
        )
        listed = [
            Listed(rows[standing.run], standing, rank)
            for standing, rank in zip(comparison.standings, in_order, strict=True)
        ]
        measure = comparison.measure
        for row in best_first(self.apart, measure):
            interval = row.intervals.get(measure.key)
            ends = Interval(nan, nan) if interval is None else interval.interval
            standing = Standing(row.run, row.values[measure.key], ends, None, "")
            if interval is not None:
                standing = standing._replace(method=interval.method, caution=interval.caution)
            why = "not primary" if row.kind.is_submitted else row.kind.value
            listed.append(Listed(row, standing, reason=why))
        return listed

    @cached_property
    def tables(self) -> list[tuple[Measure, QuestionTable]]:
        """The values of the runs on each question, by each measure."""
        if self.gold is None:
            return []
        return [
            (comparison.measure, question_table(self.subjects, self.gold, comparison))
            for comparison in self.comparisons
        ]

    def per_question(self) -> pd.DataFrame:
        """Return the values of the runs on each question, and what it adds to each difference.

        Returns
        -------
        pandas.DataFrame
            A row for each measure and question, with a column for each run and each pair, named
            `run - other`; in the units of the measure, NaN if undefined.
        """
        frame: pd.DataFrame = above.call("question_frame", self.tables)
        return frame
