"""The accuracy of a judged system, from the verdicts of a judge and labels of some answers.

Accuracy is post-stratified by verdict: the shares of right answers among labelled ones with each
verdict, weighted by the verdicts of all answers.

Sources: Angelopoulos, Duchi, Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023, whose
estimate this is with lambda = slope / (1 + n / unlabelled); Lee and others, How to Correctly Report
LLM-as-a-Judge Evaluations, 2025.
"""

from __future__ import annotations

from dataclasses import dataclass
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
from ave_score.inference.shares import Stratum, combined, crossing, normal, worth
from ave_score.inference.student import quantile

FEWEST = 10
"""Questions with labels that a system needs."""

VERDICTS = ACCEPTED, REJECTED, WITHHELD = ("accepted", "rejected", "withheld")
"""What is said of an answer: by the judge, or by the system that withholds it."""


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
    verdict
        The number of one of `VERDICTS` for each.
    label
        1 right, 0 wrong, NaN without a label; withheld answers have none.
    question
        The number of its question, or of what is sampled together.
    weight
        One over the probability of a label; NaN if unknown.
    confidence
        That of the judge; NaN if unknown.
    """

    verdict: npt.NDArray[np.int64]
    label: Floats
    question: npt.NDArray[np.int64]
    weight: Floats
    confidence: Floats

    @cached_property
    def labelled(self) -> Flags:
        """Which answers have a label."""
        return ~np.isnan(self.label)

    @cached_property
    def verdicts(self) -> list[JudgedVerdict]:
        """The answers with each of `VERDICTS`."""
        counted = self.verdict >= 0, self.labelled, self.label == 1
        numbers = [np.bincount(self.verdict[some], minlength=3).tolist() for some in counted]
        return [JudgedVerdict(*found) for found in zip(VERDICTS, *numbers, strict=True)]

    @property
    def size(self) -> int:
        """The number of answers."""
        return len(self.label)

    @property
    def given(self) -> int:
        """The number of answers that are not withheld."""
        return self.size - self.verdicts[2].answers

    @property
    def rates(self) -> Rates:
        """What the judge accepts of right and of wrong answers with labels."""
        accepted, rejected, _ = self.verdicts
        right, labels = accepted.right + rejected.right, accepted.labels + rejected.labels
        return Rates(right, accepted.right, labels - right, accepted.labels - accepted.right)


class SystemEstimate:
    """The estimated accuracy of a system, with what it rests on.

    Parameters
    ----------
    answers
        Those of the system.
    chosen
        How answers were chosen for labels: at `random`, by `verdict`, or with known probabilities
        by `weight`.
    uses_judge
        Whether verdicts are used, if they are of use.

    Attributes
    ----------
    chosen
        How labels were chosen, as declared or, if that is seen, by verdict.
    number, questions
        The numbers of labels, and of their questions.
    is_complete
        Whether every given answer has a label.
    estimate
        The estimated share of right answers; NaN if it is refused.
    refused
        Why there is no estimate; "" if there is one.
    judge_used
        Whether the verdicts are used: not if labels do not show that they tell right from wrong.
    seen
        What is seen of the choice of labels, beside what is declared.
    strata
        The accepted and the rejected answers; or all that are given, if verdicts are not used.
    design_effect
        By how much labels that share questions count less.
    influence
        The error of each question, for the correlation of systems.
    """

    def __init__(
        self, answers: JudgedAnswers, chosen: str = AT_RANDOM, *, uses_judge: bool = True
    ) -> None:
        self.answers, self.chosen = answers, chosen
        self.number = int(answers.labelled.sum())
        self.questions = len(np.unique(answers.question[answers.labelled]))
        self.is_complete = self.number == answers.given
        self.judge_used = uses_judge and not self.is_complete
        self.estimate, self.design_effect, self.between = np.nan, 1.0, 0.0
        self.refused, self.seen, self.strata = "", list[str](), list[Stratum]()
        if self.questions < FEWEST:
            has = f"labels on {self.questions} questions" if self.number else "no labels"
            self.refused = f"{has}, at least {FEWEST} needed; label 30 or more"
            return
        if not self.is_complete:
            self._look()
        if not self.refused:
            self._stratify()

    def _look(self) -> None:
        """Decide whether verdicts are used, and look how labels seem to be chosen."""
        answers = self.answers
        (_, *accepted), (_, *rejected), _ = answers.verdicts
        sizes, labels, right = zip(accepted, rejected, strict=True)
        alike = self.number / self.questions  # answers to one question are chosen together
        self.judge_used = self.judge_used and min(sizes) > 0
        if self.judge_used and self.chosen == AT_RANDOM:
            if dependence(sizes, labels) / alike > NOT_RANDOM:
                self.chosen = "verdict"
                self.seen.append("labels seem chosen by verdict, and are treated so")
            else:
                self.judge_used = dependence(labels, right) > GATE
        if self.chosen == "weight":
            return

        def is_chosen_by(value: Floats) -> bool:
            return by_rank(answers.verdict, answers.labelled, value) / alike > SURELY_NOT_RANDOM

        if not np.isnan(answers.confidence[answers.verdict < 2]).any() and is_chosen_by(
            answers.confidence
        ):
            self.refused = (
                "labels seem chosen by the confidence of the judge: say with which probabilities, "
                "in a column weight, and --labels weight"
            )
        if is_chosen_by(answers.question.astype(float)):
            self.seen.append("labels seem chosen by the place in the file: its first questions?")

    def _stratify(self) -> None:
        """Compute the shares of strata, and how the answers to a question vary together."""
        answers = self.answers
        parts = (
            [answers.verdict == 0, answers.verdict == 1]
            if self.judge_used
            else [answers.verdict < 2]
        )
        weight = np.where(answers.labelled, answers.weight if self.chosen == "weight" else 1.0, 0.0)
        label = np.where(answers.labelled, answers.label, 0.0)
        error, expected = np.zeros((2, answers.size))  # nothing is right of what is withheld
        for part in parts:
            own = weight * part
            labels = float(own.sum() ** 2 / (own @ own)) if own.any() else 0.0
            known = own if labels else weight
            share = float((known * label).sum() / known.sum())  # exactly 1 if all are right
            error += part.mean() * own * (label - share) / known.sum()
            expected[part] = share
            self.strata.append(Stratum(float(part.mean()), share, labels))
        lacking = [verdict.verdict for verdict in answers.verdicts[:2] if not verdict.labels]
        if self.judge_used and self.chosen != AT_RANDOM and lacking:
            self.refused = f"no label of {lacking[0]} answers"
            return
        self.estimate = min(1.0, sum(stratum.weight * stratum.share for stratum in self.strata))
        of_labels = np.bincount(answers.question, error)
        of_all = np.bincount(answers.question, (expected - expected.mean()) / answers.size)
        if self.questions < self.number:
            alone = float(error @ error)
            together = float(of_labels @ of_labels) * self.questions / (self.questions - 1)
            self.design_effect = (
                max(1.0, together / alone) if alone else self.number / self.questions
            )
        self.between = float(of_all @ of_all) + 2 * max(0.0, float(of_all @ of_labels))
        self.influence = of_labels + of_all

    @property
    def of_random(self) -> bool:
        """Whether labels are a random sample of the answers, or all of them."""
        is_seen = self.refused and self.questions >= FEWEST  # chosen otherwise
        return self.is_complete or (self.chosen == AT_RANDOM and not is_seen)

    @cached_property
    def all_questions(self) -> int:
        """The number of questions of all answers."""
        return len(np.unique(self.answers.question))

    def interval(self, alpha: float) -> Interval:
        """Return the interval of the estimate at the level 1 - alpha."""
        effect, size = self.design_effect, self.answers.size
        if self.is_complete and self.all_questions == size:
            return wilson(self.estimate * size, size, 1 - alpha)
        if self.questions < self.number:
            effect *= (quantile(alpha, self.questions - 1) / normal(alpha)) ** 2
        strata = [stratum._replace(labels=stratum.labels / effect) for stratum in self.strata]
        return combined(strata, self.between, alpha)

    def bounds(self, alpha: float) -> Interval | None:
        """Return the interval if all without labels of their verdict are wrong, or right."""
        if not self.refused or not self.strata:
            return None
        low, high = combined([known for known in self.strata if known.labels], 0.0, alpha)
        rest = sum(stratum.weight for stratum in self.strata if not stratum.labels)
        return Interval(low, min(1.0, high + rest))

    def worth(self, alpha: float) -> float:
        """Return the number of labels alone that give an interval as wide."""
        if not self.judge_used and self.questions == self.number:
            return float(self.number)
        return worth(self.estimate, self.interval(alpha), alpha)


_LEAST_Z, _MOST_Z = 1e-6, 6.466951
"""Where p is told as 1, and as 1e-10."""


def difference(
    better: SystemEstimate, other: SystemEstimate, alpha: float
) -> tuple[float, Interval, float]:
    """Return the difference of two estimates that are not refused, its interval and p.

    Parameters
    ----------
    better, other
        The estimates; numbers of questions are the same for both.
    alpha
        One minus the level of the interval. p is where its lower end is 0.
    """
    found = better.estimate - other.estimate
    size = min(len(better.influence), len(other.influence))
    both = float(better.influence[:size] @ other.influence[:size])
    scale = float(better.influence @ better.influence) * float(other.influence @ other.influence)
    rho = min(1.0, max(-1.0, both / sqrt(scale))) if scale > 0 else 0.0

    def margin(one: SystemEstimate, two: SystemEstimate, alpha: float) -> float:
        """Return how far the lower end of one minus two is below the difference."""
        below, above = one.estimate - one.interval(alpha).low, two.interval(alpha).high
        above -= two.estimate
        return sqrt(max(0.0, below**2 + above**2 - 2 * rho * below * above))

    low, high = found - margin(better, other, alpha), found + margin(other, better, alpha)
    z = crossing(lambda z: margin(better, other, erfc(z / sqrt(2))) - found, _LEAST_Z, _MOST_Z)
    p = erfc(z / sqrt(2)) if found and z > _LEAST_Z else 1.0
    return found, Interval(max(-1.0, low), min(1.0, high)), p
