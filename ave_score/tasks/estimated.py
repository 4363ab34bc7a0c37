"""What is estimated of judged systems: the systems, and their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ave_score.core.drawing import Drawn
from ave_score.core.text import quantity
from ave_score.inference.estimate import JudgedVerdict
from ave_score.inference.resampling import Interval

CALIBRATED = "calibrated"


class EstimatedSystem(NamedTuple):
    """A system and its estimated accuracy.

    Attributes
    ----------
    run
        Its name.
    judged
        The share of its answers that the judge accepts.
    estimate, interval
        The accuracy, and its interval; None if there is none.
    answers, questions, labels, labelled_questions
        Their numbers.
    judge_used
        Whether the verdicts are used: not if labels do not show that they tell right from wrong.
    worth
        The number of labels alone that give an interval as wide; None without an estimate.
    design_effect
        By how much labels that share questions count less.
    method
        `post-stratified`, `labels alone`, `all labelled` or `calibrated`; None without an estimate.
    chosen
        How its answers were chosen for labels, as declared or as seen: `random`, `verdict` or
        `weight`.
    no_estimate
        Why there is none; None if there is one.
    bounds
        The interval, whatever the answers with a verdict without labels are; None without need.
    cautions
        What is to be known about it, in words.
    ranks, letters
        The best and the worst rank that the significant differences leave, and the groups.
    verdicts
        The answers and labels of each verdict.
    alone, alone_interval
        What labels alone say; None if they are not chosen at random, or are all that is used.
    """

    run: str
    judged: float
    answers: int
    questions: int
    labels: int
    labelled_questions: int
    chosen: str
    verdicts: Sequence[JudgedVerdict]
    no_estimate: str | None = None
    bounds: Interval | None = None
    estimate: float | None = None
    interval: Interval | None = None
    judge_used: bool = False
    worth: float | None = None
    design_effect: float | None = None
    method: str | None = None
    cautions: Sequence[str] = ()
    alone: float | None = None
    alone_interval: Interval | None = None
    ranks: tuple[int, int] | None = None
    letters: str = ""


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
