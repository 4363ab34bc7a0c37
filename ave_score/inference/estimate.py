"""The accuracy of a judged system, from the verdicts of a judge and labels of some answers.

Accuracy is post-stratified by verdict: the shares of right answers among labelled ones with each
verdict, weighted by the verdicts of all answers.

Sources: Angelopoulos, Duchi, Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023, whose
estimate this is with lambda = slope / (1 + n / unlabelled); Lee and others, How to Correctly Report
LLM-as-a-Judge Evaluations, 2025.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    Rates,
    by_rank,
    dependence,
)
from ave_score.inference.resampling import Interval
from ave_score.inference.roots import crossing
from ave_score.inference.shares import Stratum, combined, normal, worth
from ave_score.inference.student import quantile

FEWEST = 10
"""Questions with labels that a system needs."""

ROUGH, FEW_CLUSTERS = 30, 50
"""Labels below which an estimate is rough; and labelled questions, with several answers to each."""

VERDICTS = ACCEPTED, REJECTED, WITHHELD = ("accepted", "rejected", "withheld")
"""What is said of an answer: by the judge, or by the system that withholds it."""

COMPLETE, STRATIFIED, ALONE = "all labelled", "post-stratified", "labels alone"
"""How accuracy is estimated."""


class JudgedVerdict(NamedTuple):
    """The answers with a verdict: their number, that of labels, and of right ones among these."""

    verdict: str
    answers: int
    labels: int
    right: int


class JudgedAnswers(NamedTuple):
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


@dataclass(init=False)
class EstimatedSystem:
    """A system and its estimated accuracy.

    Attributes
    ----------
    run
        Its name.
    judged
        The share of its answers that the judge accepts.
    answers, questions, labels, labelled_questions
        Their numbers.
    verdicts
        The answers and labels of each verdict.
    chosen
        How its answers were chosen for labels, as declared or as seen: `random`, `verdict` or
        `weight`.
    judge_used
        Whether the verdicts are used: not if labels do not show that they tell right from wrong.
    cautions
        What is to be known about it, in words.
    estimate, interval
        The accuracy, and its interval; None if there is none.
    method
        `post-stratified`, `labels alone`, `all labelled` or `calibrated`; None without an estimate.
    no_estimate
        Why there is none; None if there is one.
    worth
        The number of labels alone that give an interval as wide; None without an estimate.
    design_effect
        By how much labels that share questions count less; None without an estimate.
    bounds
        The interval, whatever the answers with a verdict without labels are; None without need.
    alone, alone_interval
        What labels alone say; None if they are not chosen at random, or are all that is used.
    ranks, letters
        The best and the worst rank that the significant differences leave, and the groups.
    """

    run: str
    judged: float
    answers: int
    questions: int
    labels: int
    labelled_questions: int
    verdicts: Sequence[JudgedVerdict]
    chosen: str
    judge_used: bool
    cautions: list[str]
    estimate: float | None = None
    interval: Interval | None = None
    method: str | None = None
    no_estimate: str | None = None
    worth: float | None = None
    design_effect: float | None = None
    bounds: Interval | None = None
    alone: float | None = None
    alone_interval: Interval | None = None
    ranks: tuple[int, int] | None = None
    letters: str = ""

    def __init__(
        self, run: str, of: JudgedAnswers, chosen: str = AT_RANDOM, *, uses_judge: bool = True
    ) -> None:
        self.run, self.of, self.chosen = run, of, chosen
        self.known = ~np.isnan(of.label)
        some = of.verdict >= 0, self.known, of.label == 1
        numbers = [np.bincount(of.verdict[part], minlength=3).tolist() for part in some]
        self.counted = [*map(JudgedVerdict, VERDICTS, *numbers)]
        self.verdicts = [verdict for verdict in self.counted if verdict.answers]
        self.answers, self.labels = len(of.label), int(self.known.sum())
        self.given = self.answers - self.counted[2].answers
        self.judged = self.counted[0].answers / self.answers
        self.questions = len(np.unique(of.question))
        self.labelled_questions = len(np.unique(of.question[self.known]))
        self.alike = self.labels / max(1, self.labelled_questions)  # are chosen together
        self.is_complete = self.labels == self.given
        self.judge_used = uses_judge and not self.is_complete
        self.cautions, self.strata = [], list[Stratum]()
        if self.labelled_questions < FEWEST:
            has = f"labels on {self.labelled_questions} questions" if self.labels else "no labels"
            self.no_estimate = f"{has}, at least {FEWEST} needed; label 30 or more"
        elif not self.is_complete:
            self._look()
        if self.no_estimate is None:
            self._stratify()

    def _look(self) -> None:
        """Decide whether verdicts are used, and look how labels seem to be chosen."""
        of = self.of
        sizes, labels, right = zip(*(verdict[1:] for verdict in self.counted[:2]), strict=True)
        self.judge_used = self.judge_used and min(sizes) > 0
        if self.judge_used and self.chosen == AT_RANDOM:
            if dependence(sizes, labels) / self.alike > NOT_RANDOM:
                self.chosen = "verdict"
                self.cautions.append("labels seem chosen by verdict, and are treated so")
            else:
                self.judge_used = dependence(labels, right) > GATE
        if self.chosen == "weight":
            return
        has_confidence = not np.isnan(of.confidence[of.verdict < 2]).any()
        if has_confidence and self._is_chosen_by(of.confidence):
            self.no_estimate = (
                "labels seem chosen by the confidence of the judge: say with which probabilities, "
                "in a column weight, and --labels weight"
            )
        if self._is_chosen_by(of.question.astype(float)):
            self.cautions.append("labels seem chosen by place in the file: its first questions?")

    def _is_chosen_by(self, value: Floats) -> bool:
        return by_rank(self.of.verdict, self.known, value) / self.alike > SURELY_NOT_RANDOM

    def _stratify(self) -> None:
        """Compute the shares of strata, and how the answers to a question vary together."""
        of, known = self.of, self.known
        parts = [of.verdict == 0, of.verdict == 1] if self.judge_used else [of.verdict < 2]
        weight = np.where(known, of.weight if self.chosen == "weight" else 1.0, 0.0)
        label = np.where(known, of.label, 0.0)
        error, expected = np.zeros((2, self.answers))  # nothing is right of what is withheld
        for part in parts:
            own = weight * part
            labels = float(own.sum() ** 2 / (own @ own)) if own.any() else 0.0
            used = own if labels else weight
            share = float((used * label).sum() / used.sum())  # exactly 1 if all are right
            error += part.mean() * own * (label - share) / used.sum()
            expected[part] = share
            self.strata.append(Stratum(float(part.mean()), share, labels))
        lacking = [verdict.verdict for verdict in self.counted[:2] if not verdict.labels]
        if self.judge_used and self.chosen != AT_RANDOM and lacking:
            self.no_estimate = f"no label of {lacking[0]} answers"
            return
        self.estimate = min(1.0, sum(stratum.weight * stratum.share for stratum in self.strata))
        of_labels = np.bincount(of.question, error)
        of_all = np.bincount(of.question, (expected - expected.mean()) / self.answers)
        self.design_effect, questions = 1.0, self.labelled_questions
        if questions < self.labels:
            alone, together = float(error @ error), float(of_labels @ of_labels)
            effect = together * questions / (questions - 1) / alone if alone else 0.0
            self.design_effect = max(1.0, effect) if alone else self.labels / questions
        self.between = float(of_all @ of_all) + 2 * max(0.0, float(of_all @ of_labels))
        self.influence = of_labels + of_all

    def limits(self, alpha: float) -> Interval:
        """Return the interval of the estimate at the level 1 - alpha."""
        effect, share = self.design_effect or 1.0, self.estimate or 0.0
        if self.is_complete and self.questions == self.answers:
            return wilson(share * self.answers, self.answers, 1 - alpha)
        if self.labelled_questions < self.labels:
            effect *= (quantile(alpha, self.labelled_questions - 1) / normal(alpha)) ** 2
        strata = [stratum._replace(labels=stratum.labels / effect) for stratum in self.strata]
        return combined(strata, self.between, alpha)

    def conclude(self, alpha: float) -> None:
        """Say what is found at the level 1 - alpha."""
        self.chosen = AT_RANDOM if self.is_complete else self.chosen
        if self.estimate is None:
            self.judge_used = False
            if self.strata:  # whether those without labels of their verdict are all wrong, or right
                low, high = combined([part for part in self.strata if part.labels], 0.0, alpha)
                rest = sum(part.weight for part in self.strata if not part.labels)
                self.bounds = Interval(low, min(1.0, high + rest))
            return
        self.interval, self.worth = self.limits(alpha), float(self.labels)
        if self.judge_used or self.labelled_questions < self.labels:
            self.worth = worth(self.estimate, self.interval, alpha)
        self.method = COMPLETE if self.is_complete else STRATIFIED if self.judge_used else ALONE
        if self.judge_used and self.chosen == AT_RANDOM:
            alone = EstimatedSystem(self.run, self.of, uses_judge=False)
            self.alone, self.alone_interval = alone.estimate, alone.limits(alpha)
        self.cautions += self._cautions(self.interval)

    def _cautions(self, interval: Interval) -> Iterator[str]:
        """Yield what is to be known about an estimate."""
        if self.method == ALONE:
            yield (
                f"the labels do not show that the judge tells {self.run}'s right answers from "
                "wrong ones: labels alone"
            )
        if self.labels < ROUGH:
            yield f"rough: fewer than {ROUGH} labels"
        if self.labelled_questions < min(self.labels, FEW_CLUSTERS):
            yield f"labels on fewer than {FEW_CLUSTERS} questions, with several answers each: rough"
        if not interval.low <= self.judged <= interval.high:
            how = "generous to" if self.judged > interval.high else "strict with"
            points = 100 * abs(self.judged - (self.estimate or 0.0))
            yield f"the judge is {points:.0f} points too {how} {self.run}"

    @property
    def of_random(self) -> bool:
        """Whether labels are a random sample of the answers, or all of them."""
        is_seen = self.no_estimate is not None and self.labelled_questions >= FEWEST
        return self.is_complete or (self.chosen == AT_RANDOM and not is_seen)

    @property
    def rates(self) -> Rates:
        """What the judge accepts of right and of wrong answers with labels."""
        (_, _, labels, right), (_, _, others, missed), _ = self.counted
        return Rates(right + missed, right, labels + others - right - missed, labels - right)


_LEAST_Z, _MOST_Z = 1e-6, 6.466951
"""Where p is told as 1, and as 1e-10."""


def difference(
    better: EstimatedSystem, other: EstimatedSystem, alpha: float
) -> tuple[float, Interval, float]:
    """Return the difference of two systems with an estimate, its interval and p.

    Parameters
    ----------
    better, other
        The systems; numbers of questions are the same for both.
    alpha
        One minus the level of the interval. p is where its lower end is 0.
    """
    at, its = better.estimate or 0.0, other.estimate or 0.0
    found, size = at - its, min(len(better.influence), len(other.influence))
    both = float(better.influence[:size] @ other.influence[:size])
    scale = float(better.influence @ better.influence) * float(other.influence @ other.influence)
    rho = min(1.0, max(-1.0, both / sqrt(scale))) if scale > 0 else 0.0

    def margins(alpha: float) -> list[float]:
        """Return how far the ends of the interval are below and above the difference."""
        (low, high), (its_low, its_high) = better.limits(alpha), other.limits(alpha)
        ends = (at - low, its_high - its), (high - at, its - its_low)
        return [sqrt(max(0.0, a**2 + b**2 - 2 * rho * a * b)) for a, b in ends]

    below, above = margins(alpha)
    z = crossing(lambda z: margins(erfc(z / sqrt(2)))[0] - found, _LEAST_Z, _MOST_Z)
    p = erfc(z / sqrt(2)) if found and z > _LEAST_Z else 1.0
    return found, Interval(max(-1.0, found - below), min(1.0, found + above)), p
