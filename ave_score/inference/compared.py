"""What is found where runs are compared, and how it was looked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.errors import UsageError
from ave_score.inference.kinds import CORRECTIONS, PROCEDURES, Procedure
from ave_score.inference.omnibus import Omnibus
from ave_score.inference.paired import Score
from ave_score.inference.resampling import Interval, Resampling
from ave_score.measures import Measure
from ave_score.policies import Policies


class Design(NamedTuple):
    """How runs are compared.

    Attributes
    ----------
    test
        A key of `kinds.PROCEDURES`.
    resampling
        Samples of the bootstrap, which also gives intervals and ranks, and of the randomisation.
    level
        The share of intervals that are to hold the true value, in 0..1; a difference is significant
        where p, corrected, is at most what is left of 1.
    correction
        A key of `kinds.CORRECTIONS`; nothing is corrected of a test that compares all runs at once.
    baseline
        The run that all others are compared with; None: all pairs are.
    ties
        How answers of a question that share a confidence are ranked: `file` or `average`.
    """

    test: str = "randomisation"
    resampling: Resampling = Resampling()
    level: float = 0.95
    correction: str = "holm"
    baseline: str | None = None
    ties: str = "file"

    @property
    def procedure(self) -> Procedure:
        """The record of the test."""
        return PROCEDURES[self.test]

    @property
    def alpha(self) -> float:
        """Up to which p a difference is significant."""
        return round(1 - self.level, 12)

    @property
    def corrected_by(self) -> str:
        """The correction that is made."""
        return "none" if self.procedure.adjusts else self.correction

    def check(self) -> None:
        """Raise `UsageError` for what does not exist."""
        for what, name, known in (
            ("test", self.test, PROCEDURES),
            ("correction", self.correction, CORRECTIONS),
        ):
            if name not in known:
                raise UsageError(f"no {what} {name!r}; there are {', '.join(known)}")
        Policies.ties.check(self.ties)
        if not 0 < self.level < 1:
            raise UsageError(f"a level is a share between 0 and 1, not {self.level}")


class Pair(NamedTuple):
    """Two runs, the better one first; where there is a baseline it is the second.

    Attributes
    ----------
    difference
        The measure of `run` less that of `other`, exact; None where either is undefined.
    interval
        In which it lies, by the bootstrap: percentiles of the same samples of questions.
    p, adjusted
        As the test gives it, and corrected for all pairs of this measure; NaN without a difference.
    is_significant
        Whether the difference is taken for more than chance.
    is_exact
        Whether all that chance could do was gone through, with no random numbers.
    score
        Questions that `run` wins, that neither wins, that `other` wins.
    effect
        Cohen's d_z; None where the measure is no mean of values of questions.
    """

    run: str
    other: str
    difference: Fraction | None
    interval: Interval
    p: float
    adjusted: float
    is_significant: bool
    is_exact: bool
    score: Score
    effect: float | None


class Standing(NamedTuple):
    """A run: its measure, the interval of it, between which ranks it is, letters of its groups."""

    run: str
    value: Fraction | None
    interval: Interval
    ranks: tuple[int, int]
    letters: str


class Comparison(NamedTuple):
    """Runs compared by one measure.

    Attributes
    ----------
    questions
        How many there are.
    standings
        The runs, the best first.
    pairs
        In the order of the runs.
    groups
        Names of runs in which none differs significantly from another; none with a baseline. Runs
        that the measure is undefined for are in none.
    omnibus
        What a test of all runs at once finds; None of other tests.
    """

    measure: Measure
    design: Design
    questions: int
    standings: Sequence[Standing]
    pairs: Sequence[Pair]
    groups: Sequence[Sequence[str]]
    omnibus: Omnibus | None = None
