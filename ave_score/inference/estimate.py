"""The accuracy of a judged system, from the verdicts of a judge and labels of some answers.

Accuracy is post-stratified by verdict: the shares of right answers among labelled ones with each
verdict, weighted by the verdicts of all answers.

Sources: Angelopoulos, Duchi, Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023, whose
estimate this is with lambda = slope / (1 + n / unlabelled); Lee and others, How to Correctly Report
LLM-as-a-Judge Evaluations, 2025.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.core.labels import AT_RANDOM
from ave_score.inference.by_question import Floats
from ave_score.inference.intervals import wilson
from ave_score.inference.labelling import (
    GATE,
    NOT_RANDOM,
    SURELY_NOT_RANDOM,
    Flags,
    Rates,
    by_rank,
    dependence,
)
from ave_score.inference.resampling import Interval
from ave_score.inference.shares import Stratum, combined, normal, worth
from ave_score.inference.student import quantile

FEWEST = 10
"""Questions with labels that a system needs."""


class JudgedVerdict(NamedTuple):
    """The answers with a verdict: their number, that of labels, and of right ones among these."""

    verdict: str
    answers: int
    labels: int
    right: int


@dataclass(frozen=True, eq=False)
class JudgedAnswers:
    """The answers of a system.

    Attributes
    ----------
    accepted
        Whether the judge accepts each.
    label
        1 right, 0 wrong, NaN without a label.
    question
        The number of its question, or of what is sampled together.
    weight
        One over the probability of a label; NaN if unknown.
    confidence
        That of the judge; NaN if unknown.
    withheld
        Whether the system withholds it.
    """

    accepted: Flags
    label: Floats
    question: npt.NDArray[np.int64]
    weight: Floats
    confidence: Floats
    withheld: Flags

    @cached_property
    def labelled(self) -> Flags:
        """Which given answers have a label."""
        return ~np.isnan(self.label) & ~self.withheld

    @cached_property
    def verdicts(self) -> tuple[JudgedVerdict, JudgedVerdict, JudgedVerdict]:
        """The accepted, the rejected and the withheld answers."""

        def of(verdict: str, where: Flags) -> JudgedVerdict:
            labels = self.label[where & self.labelled]
            return JudgedVerdict(verdict, int(where.sum()), len(labels), int(labels.sum()))

        accepted = self.accepted & ~self.withheld
        return (
            of("accepted", accepted),
            of("rejected", ~accepted & ~self.withheld),
            of("withheld", self.withheld),
        )

    @property
    def given(self) -> int:
        """The number of answers that are not withheld."""
        return len(self.label) - self.verdicts[2].answers

    @property
    def rates(self) -> Rates:
        """What the judge accepts of right and of wrong answers with labels."""
        accepted, rejected, _ = self.verdicts
        right, labels = accepted.right + rejected.right, accepted.labels + rejected.labels
        return Rates(right, accepted.right, labels - right, accepted.labels - accepted.right)


@dataclass(eq=False)
class SystemEstimate:
    """The estimated accuracy of a system, with what it rests on.

    Attributes
    ----------
    of
        The answers.
    chosen
        How labels were chosen, as declared or, if that is seen, by verdict.
    refused
        Why there is no estimate; "" if there is one.
    judge_used
        Whether the verdicts are used: not if labels do not show that they tell right from wrong.
    seen
        What is seen of the choice of labels, beside what is declared.
    strata
        The rejected and the accepted answers; or all that are given, if verdicts are not used.
    design_effect
        By how much labels that share questions count less.
    influence
        The error of each question, for the correlation of systems.
    """

    of: JudgedAnswers
    chosen: str = AT_RANDOM
    refused: str = ""
    judge_used: bool = False
    seen: list[str] = field(default_factory=list)
    strata: list[Stratum] = field(default_factory=list)
    design_effect: float = 1.0
    between: float = 0.0
    influence: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def number(self) -> int:
        """The number of labels."""
        return sum(verdict.labels for verdict in self.of.verdicts)

    @cached_property
    def questions(self) -> int:
        """The number of questions with labels."""
        return len(np.unique(self.of.question[self.of.labelled]))

    @property
    def judged(self) -> float:
        """The share of all answers that the judge accepts."""
        return self.of.verdicts[0].answers / len(self.of.label)

    @property
    def is_complete(self) -> bool:
        """Whether every given answer has a label."""
        return self.number == self.of.given

    @cached_property
    def estimate(self) -> float | None:
        """The estimated share of right answers; None if it is refused."""
        if self.refused:
            return None
        return sum(item.weight * item.share for item in self.strata)

    def interval(self, alpha: float) -> Interval:
        """Return the interval of the estimate at the level 1 - alpha."""
        effect = self.design_effect
        answers = len(self.of.label)
        if self.is_complete and len(np.unique(self.of.question)) == answers:
            return wilson((self.estimate or 0.0) * answers, answers, 1 - alpha)
        if self.questions < self.number:
            effect *= (quantile(alpha, self.questions - 1) / normal(alpha)) ** 2
        strata = [item._replace(labels=item.labels / effect) for item in self.strata]
        return combined(strata, self.between, alpha)

    def bounds(self, alpha: float) -> Interval | None:
        """Return the interval if all without labels of their verdict are wrong, or right."""
        if not self.refused or not self.strata:
            return None
        low, high = combined([item for item in self.strata if item.labels], 0.0, alpha)
        rest = sum(item.weight for item in self.strata if not item.labels)
        return Interval(low, min(1.0, high + rest))

    @cached_property
    def alone(self) -> SystemEstimate | None:
        """The same without verdicts; None if labels are not at random, or are all that is used."""
        if self.refused or not self.judge_used or self.chosen != AT_RANDOM:
            return None
        made = SystemEstimate(self.of)
        _stratify(made)
        return made

    def worth(self, alpha: float) -> float:
        """Return the number of labels alone that give an interval as wide."""
        if self.estimate is None or (not self.judge_used and self.questions == self.number):
            return float(self.number)
        return worth(self.estimate, self.interval(alpha), alpha)


def estimated(of: JudgedAnswers, chosen: str = AT_RANDOM) -> SystemEstimate:
    """Estimate the accuracy of a system.

    Parameters
    ----------
    of
        Its answers.
    chosen
        How answers were chosen for labels: at `random`, by `verdict`, or with known probabilities
        by `weight`.

    Returns
    -------
    SystemEstimate
        The estimate; or why there is none.
    """
    made = SystemEstimate(of, chosen)
    if made.questions < FEWEST:
        has = "no labels" if not made.number else f"labels on {made.questions} questions"
        made.refused = f"{has}, at least {FEWEST} needed; label 30 or more"
        return made
    _look(made)
    if not made.refused:
        _stratify(made)
    return made


def _look(made: SystemEstimate) -> None:
    """Decide whether verdicts are used, and look how labels seem to be chosen."""
    of, given = made.of, ~made.of.withheld
    (_, *accepted), (_, *rejected), _ = of.verdicts
    answers, labels, right = zip(accepted, rejected, strict=True)
    alike = made.number / made.questions  # answers to one question are chosen together
    made.judge_used = not made.is_complete and min(answers) > 0
    if made.judge_used and made.chosen == AT_RANDOM:
        if dependence(answers, labels) / alike > NOT_RANDOM:
            made.chosen = "verdict"
            made.seen.append("labels seem chosen by verdict, and are treated so")
        else:
            made.judge_used = dependence(labels, right) > GATE
    if made.chosen == "weight" or made.is_complete:
        return
    sure, strata, labelled = of.confidence[given], of.accepted[given], of.labelled[given]
    if not np.isnan(sure).any() and by_rank(strata, labelled, sure) / alike > SURELY_NOT_RANDOM:
        made.refused = (
            "labels seem chosen by the confidence of the judge: say with which probabilities, in a "
            "column weight, and --labels weight"
        )
    place = of.question[given].astype(float)
    if by_rank(strata, labelled, place) / alike > SURELY_NOT_RANDOM:
        made.seen.append("labels seem chosen by the place in the file, such as the first questions")


def _stratify(made: SystemEstimate) -> None:
    """Compute the shares of strata, and how the answers to a question vary together."""
    of, given = made.of, ~made.of.withheld
    parts = [given & ~of.accepted, given & of.accepted] if made.judge_used else [given]
    weight = of.weight if made.chosen == "weight" else np.ones(len(given))
    every = float(np.average(of.label[of.labelled], weights=weight[of.labelled]))
    error, expected = np.zeros((2, len(given)))  # nothing is right of what is withheld
    for part in parts:
        share, labels, labelled = every, 0.0, part & of.labelled
        if labelled.any():
            own = weight[labelled] / weight[labelled].sum()
            share, labels = float(own @ of.label[labelled]), 1 / float(own @ own)
            error[labelled] = part.mean() * own * (of.label[labelled] - share)
        expected[part] = share
        made.strata.append(Stratum(float(part.mean()), share, labels))
    lacking = [at for at, stratum in enumerate(made.strata) if not stratum.labels]
    if lacking and made.chosen != AT_RANDOM:
        what = "accepted" if lacking == [1] else "rejected"
        made.refused = f"no label of {what} answers"
        return
    moved = (expected - expected.mean()) / len(given)
    of_labels, of_all = (np.bincount(of.question, values) for values in (error, moved))
    alone, number = float(error @ error), made.questions
    if number < made.number:
        together = float(of_labels @ of_labels) * number / (number - 1)
        made.design_effect = max(1.0, together / alone) if alone else made.number / number
    made.between = float(of_all @ of_all) + 2 * max(0.0, float(of_all @ of_labels))
    made.influence = np.asarray(of_labels + of_all, float)


class Difference(NamedTuple):
    """The difference of two systems, with its interval and p."""

    difference: float
    interval: Interval
    p: float


def difference(one: SystemEstimate, other: SystemEstimate, alpha: float) -> Difference:
    """Return the difference of two estimates that are not refused, of the better one first.

    Parameters
    ----------
    one, other
        The estimates; numbers of questions are the same for both.
    alpha
        One minus the level of the interval. p is where an end of the interval is 0.
    """
    value, other_value = one.estimate or 0.0, other.estimate or 0.0
    found = value - other_value
    size = min(len(one.influence), len(other.influence))
    both = float(one.influence[:size] @ other.influence[:size])
    scale = float(one.influence @ one.influence) * float(other.influence @ other.influence)
    rho = min(1.0, max(-1.0, both / sqrt(scale))) if scale > 0 else 0.0

    def margin(at: float, *, above: bool = False) -> float:
        low, high = one.interval(at)
        other_low, other_high = other.interval(at)
        a, b = (
            (high - value, other_value - other_low)
            if above
            else (value - low, other_high - other_value)
        )
        return sqrt(max(0.0, a * a + b * b - 2 * rho * a * b))

    interval = Interval(
        max(-1.0, found - margin(alpha)), min(1.0, found + margin(alpha, above=True))
    )
    return Difference(found, interval, _p(margin, found) if found else 1.0)


_LEAST_P, _MOST_Z = 1e-10, 6.466951


def _p(margin: Callable[[float], float], found: float) -> float:
    """Return one minus the level at which a margin is the difference, by the Illinois method."""

    def over(z: float) -> float:
        return margin(erfc(z / sqrt(2))) - found

    low, high = 1e-6, _MOST_Z
    below, above = over(low), over(high)
    if below >= 0 or above <= 0:
        return 1.0 if below >= 0 else _LEAST_P
    z, side = low, 0
    for _ in range(100):
        z = high - above * (high - low) / (above - below)
        value = over(z)
        if abs(value) < 1e-14 or high - low < 1e-13:
            break
        if value < 0:
            low, below, above = z, value, above / (2 if side < 0 else 1)
            side = -1
        else:
            high, above, below = z, value, below / (2 if side > 0 else 1)
            side = 1
    return erfc(z / sqrt(2))
