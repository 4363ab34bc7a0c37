"""The records of scores of groups of questions: a group, a run with its groups, and all runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.policies import IntervalPolicy
from ave_score.core.reported import Reported
from ave_score.core.text import brief, quantity
from ave_score.counts.counted import Kind
from ave_score.inference.intervals import Estimate
from ave_score.measures import Measure

MICRO, MACRO = "micro", "macro"


class Part(NamedTuple):
    """The scores of a run on a group of questions, or over all groups.

    Attributes
    ----------
    name
        The group; `micro` and `macro` over all groups.
    questions
        Questions, or pairs, in the group; for `macro`, the number of groups.
    values
        The measures by their keys; None if a measure is undefined or does not apply.
    intervals, no_interval
        The requested intervals, and why a measure with a value has none.
    infinite
        The keys of the measures without a value because they are infinite.
    stderr
        The requested standard errors of measures that are computed from sums over questions.
    """

    name: str
    questions: int
    values: Mapping[str, Fraction | None]
    intervals: dict[str, Estimate]
    no_interval: dict[str, str]
    infinite: Set[str] = frozenset()
    stderr: Mapping[str, float] = {}


class BrokenDown(NamedTuple):
    """A run with its groups, in the order of the questions, then micro and macro.

    `is_ranked` tells whether it may be the best, as of a `Row`.
    """

    run: str
    kind: Kind
    parts: Sequence[Part]
    is_ranked: bool = True


@dataclass(frozen=True, repr=False)
class Breakdown(Reported):
    """The scores of runs on groups of questions: what `ave-score score --breakdown` reports.

    `to_frame` has a row for each run and group, and for the micro and macro values.

    Attributes
    ----------
    by
        The file or attribute that names the groups.
    measures, runs
        The measures, and the runs with their groups.
    unit
        `question` or `pair`.
    signature, not_scored
        The signature of the scores, and the files that could not be scored.
    intervals
        The settings of the intervals; None: no intervals.
    notes
        What runs are scored on, if missing answers are excluded.
    with_errors
        Whether standard errors were asked for.
    """

    by: str
    measures: Sequence[Measure]
    runs: Sequence[BrokenDown]
    unit: str
    signature: str
    not_scored: Sequence[str] = ()
    intervals: IntervalPolicy | None = None
    notes: Sequence[str] = ()
    with_errors: bool = False

    def __repr__(self) -> str:
        names = brief([measure.key for measure in self.measures])
        return f"<Breakdown of {quantity(len(self.runs), 'run')} by {self.by}: {names}>"
