"""What is estimated of judged systems: the systems, and their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ave_score.core.drawing import Drawn
from ave_score.core.text import quantity
from ave_score.inference.estimate import EstimatedSystem
from ave_score.inference.resampling import Interval

CALIBRATED = "calibrated"


class EstimatedPair(NamedTuple):
    """The difference of two systems, the better one first; p is corrected for all pairs."""

    run: str
    other: str
    difference: float
    interval: Interval
    p: float
    p_corrected: float
    significant: bool


class PlannedSystem(NamedTuple):
    """The labels that a system takes, None if all do not do; and the half width with all labels."""

    run: str
    labels: int | None
    of_all: float


class LabelPlan(NamedTuple):
    """The labels that give each system an interval of a half width."""

    half_width: float
    systems: Sequence[PlannedSystem]


@dataclass(frozen=True, repr=False)
class Estimated(Drawn):
    """The accuracy of judged systems: what `ave-score estimate` reports.

    `to_frame` has a row for each system. `plot` draws estimates, intervals, labels alone and judged
    shares.

    Attributes
    ----------
    systems
        The systems, the most accurate first; behind them those that are calibrated, which are not
        ranked, and those without an estimate.
    pairs
        The difference of each two systems that have an estimate.
    level
        The level of intervals, in per cent.
    labels
        How answers were chosen for labels, as declared.
    p_equal_errors
        Chi-square's p of equal errors of the judge on the systems with labels at random; None with
        fewer than two.
    sensitivity, specificity
        The shares of right answers that the judge accepts, and of wrong ones that it rejects, in
        the labels at random of all systems together; None without such.
    notes
        Sentences about the figures.
    signature
        The line that identifies the answers, the policies and the settings.
    plan
        The labels for intervals of a half width; None if none is wanted.
    """

    systems: Sequence[EstimatedSystem]
    pairs: Sequence[EstimatedPair]
    level: float
    labels: str
    p_equal_errors: float | None
    notes: Sequence[str]
    signature: str
    sensitivity: float | None = None
    specificity: float | None = None
    plan: LabelPlan | None = None

    def __repr__(self) -> str:
        return f"<Estimated {quantity(len(self.systems), 'system')}>"
