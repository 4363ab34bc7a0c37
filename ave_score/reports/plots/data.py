"""What figures show, as plain values: they can be had, and tested, without drawing anything."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

Place = tuple[Fraction, Fraction]
"""Where something stands: x and y, exact."""


class LeftOut(NamedTuple):
    """A run that a figure cannot show, and why."""

    run: str
    reason: str


class Bar(NamedTuple):
    """A run or a QA system as a bar.

    Attributes
    ----------
    run
        Its name.
    is_system
        Whether it is a QA system; else it is an answer-validation run.
    accuracy
        qa_accuracy, in 0..1.
    potential
        qa_rej_accuracy, in 0..1: what is added if all that was rightly rejected is then answered.
    interval
        The ends of the confidence interval of `accuracy`, where there is one.
    """

    run: str
    is_system: bool
    accuracy: Fraction
    potential: Fraction
    interval: tuple[float, float] | None = None


class Bars(NamedTuple):
    """Bars, the best first, with the baselines where the collection has them.

    `level` is that of the intervals in per cent, None where there are none.
    """

    bars: Sequence[Bar]
    perfect: Fraction | None = None
    random: Fraction | None = None
    level: float | None = None
    left_out: Sequence[LeftOut] = ()


class Curve(NamedTuple):
    """A run at all its thresholds, from the highest on.

    Attributes
    ----------
    run
        Its name.
    points
        x and y in 0..1, in the order of falling confidence.
    decided
        Where its own decisions stand.
    area
        The measure that sums the curve up; None where it is undefined.
    """

    run: str
    points: Sequence[Place]
    decided: Place | None
    area: Fraction | None


class Curves(NamedTuple):
    """Curves, the best first.

    Attributes
    ----------
    figure
        `roc`, `precision-recall` or `risk-coverage`.
    chance
        What knowing nothing gives: of precision-recall the share of correct answers, else None.
    """

    figure: str
    curves: Sequence[Curve]
    chance: Fraction | None = None
    left_out: Sequence[LeftOut] = ()


class Bin(NamedTuple):
    """Answers whose confidence is in (low, high], the lowest bin with 0; none where `answers` is 0.

    `confidence` is the mean of their confidences, `accuracy` the share that is correct.
    """

    low: Fraction
    high: Fraction
    answers: int
    confidence: Fraction | None
    accuracy: Fraction | None


class Reliability(NamedTuple):
    """The bins of a run, from the lowest on, and its expected calibration error over them."""

    run: str
    bins: Sequence[Bin]
    error: Fraction | None


class Reliabilities(NamedTuple):
    """A reliability diagram for each run, in the order given."""

    runs: Sequence[Reliability]
    left_out: Sequence[LeftOut] = ()


class TiePoint(NamedTuple):
    """What a fuzziness makes of comparisons (Buckley, Voorhees 2000): all three in 0..1."""

    fuzziness: float
    error_rate: float
    ties: float


class TieCurve(NamedTuple):
    """A measure over fuzziness values, in rising order."""

    measure: str
    points: Sequence[TiePoint]


class Difference(NamedTuple):
    """A difference of two runs, or of a run and a baseline, with the ends of its interval."""

    name: str
    difference: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0
