"""What a comparison by group says: the differences of each pair on each group, and over all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nan
from typing import NamedTuple

from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.inference.compare_records import Comparison, Design
from ave_score.inference.crossed import Crossed
from ave_score.inference.paired import Score
from ave_score.inference.resampling import Interval
from ave_score.measures import Measure


class GroupDifference(NamedTuple):
    """The difference of two runs on a group of questions, or over all groups.

    Attributes
    ----------
    part
        `group`, `micro` (all questions) or `macro` (the mean over the groups).
    group
        The name of the group; "" over all.
    questions
        Its questions, or pairs or clusters; of `macro`, the number of groups.
    difference
        The measure of the first run minus that of the other; None if either is undefined.
    stderr, free
        Its standard error, with the degrees of freedom; NaN if unknown.
    interval
        The differences that the test does not reject, each alone; NaN without one.
    p, adjusted
        p, and p corrected: of groups for all pairs and groups, of micro and macro for all pairs.
    is_significant
        Whether the corrected p is at most the level of the design.
    why_not
        Why there is no p, as the end of a sentence; "" if there is.
    score, method, spread
        As those of a `Pair`.
    """

    part: str
    group: str
    questions: int
    difference: Fraction | None
    stderr: float
    free: float
    interval: Interval
    p: float
    adjusted: float = nan
    is_significant: bool = False
    why_not: str = ""
    score: Score | None = None
    method: str = ""
    spread: Crossed | None = None

    @property
    def t(self) -> float:
        """The difference by its standard error; NaN if either is unknown, or it is 0."""
        is_known = self.difference is not None and self.stderr > 0
        return float(self.difference or 0) / self.stderr if is_known else nan


class PairByGroup(NamedTuple):
    """Two runs, the better one on all questions first, and their differences: macro is last."""

    measure: Measure
    run: str
    other: str
    parts: Sequence[GroupDifference]


@dataclass(frozen=True, repr=False)
class GroupsCompared(Reported):
    """Differences by group of questions: what `ave-score compare --breakdown` reports.

    `to_frame` has a row for each measure, pair and group, and for the micro and macro values.

    Attributes
    ----------
    by, groups
        The file or attribute that names the groups, and their number.
    pairs
        The pairs of runs by each measure.
    comparisons
        The comparisons on all questions.
    design, signature
        How runs are compared, and the signature of the scores.
    notes, not_scored
        What is compared, and the files that could not be.
    """

    by: str
    groups: int
    pairs: Sequence[PairByGroup]
    comparisons: Sequence[Comparison]
    design: Design
    signature: str
    notes: Sequence[str] = ()
    not_scored: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<GroupsCompared {quantity(len(self.pairs), 'pair')} by {self.by}>"
