"""The answers of a run as arrays, and sums over their ranks in samples of questions.

See `weighted` for the formulas.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.core.choices import TIES_CHOICES
from ave_score.core.exact import as_decimal
from ave_score.core.model import Collection, Label, Run, Verdict
from ave_score.counts.decisions import ACCEPTED
from ave_score.counts.ranking import rankings
from ave_score.inference.by_question import Floats
from ave_score.measures import orders


class Answers(NamedTuple):
    """Answers by descending confidence; ties are in the order of the policy.

    Attributes
    ----------
    confidence
        Their confidences.
    right
        1 for each answer that counts as right, else 0.
    question
        The indices of their questions.
    levels
        The first answer of each confidence.
    starts
        The first answer of each group, over whose orders measures take the mean.
    """

    confidence: Floats
    right: Floats
    question: npt.NDArray[np.int64]
    levels: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]

    def weights(self, times: Floats) -> Floats:
        """Return how often each answer is in each sample."""
        return np.take(times, self.question, axis=1)

    def sums(self, times: Floats, *values: Floats) -> Floats:
        """Return the sums of values of the answers, a row for each value, in each sample."""
        number = times.shape[1]
        columns = [np.bincount(self.question, of_answers, number) for of_answers in values]
        return np.asarray(np.array(columns) @ times.T)

    def precisions(self, weights: Floats) -> Floats:
        """Return the sum of C(i)/i over all ranks, in each sample."""
        size, right, before, above, span = self.groups(weights)
        share = right / np.maximum(size, 1)
        return np.asarray((share * size + (above - share * before) * span).sum(axis=1))

    def precisions_of_right(self, weights: Floats) -> Floats:
        """Return the sum of C(i)/i over the ranks of right answers, in each sample."""
        size, right, before, above, span = self.groups(weights)
        share = right / np.maximum(size, 1)
        more = (right - 1) / np.maximum(size - 1, 1) * (right > 0)
        sums = share * (more * size + (above + 1 - more - more * before) * span)
        return np.asarray(sums.sum(axis=1))

    def groups(self, weights: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Return for each group in each sample s, R, r, C and H(r + s) - H(r)."""
        size, right = self.by_group(weights), self.by_group(weights * self.right)
        before, above = size.cumsum(axis=1) - size, right.cumsum(axis=1) - right
        numbers = harmonic(weights)
        span = numbers[(before + size).astype(int)] - numbers[before.astype(int)]
        return size, right, before, above, span

    def by_confidence(self, values: Floats) -> Floats:
        """Return the sums over the answers of each confidence, in each sample."""
        return np.asarray(np.add.reduceat(values, self.levels, axis=1))

    def by_group(self, values: Floats) -> Floats:
        """Return the sums over the answers of each group, in each sample."""
        if len(self.starts) == values.shape[1]:
            return values
        return np.asarray(np.add.reduceat(values, self.starts, axis=1))


def harmonic(weights: Floats) -> Floats:
    """Return the harmonic numbers 0, 1, 3/2, ... up to the size of the largest sample."""
    most = int(weights.sum(axis=1).max(initial=0))
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])


class RunAnswers:
    """The answers of a run as arrays for samplers."""

    def __init__(self, run: Run, collection: Collection, ties: str) -> None:
        self._run, self._collection, self._ties = run, collection, ties
        self.number = len(run.verdicts)
        self._bins: dict[int, npt.NDArray[np.int64]] = {}
        self._recalls: dict[tuple[str, int], tuple[Floats, Floats]] = {}
        starts = np.asarray(collection.index.starts)
        self._question = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._sure = np.asarray(run.confidences)
        labels = np.frombuffer(collection.labels, dtype=np.uint8)
        verdicts = np.frombuffer(run.verdicts, dtype=np.uint8)
        self._correct = (labels == Label.VALIDATED).astype(float)
        judged = labels < Label.UNKNOWN
        self._masks = {
            "judged": judged,
            "accepted": judged & np.isin(verdicts, ACCEPTED),
            "selected": judged & (verdicts == Verdict.SELECTED),
        }

    def are_probabilities(self, which: str) -> bool:
        """Tell whether confidences of `judged`, `accepted` or `selected` answers are in 0..1."""
        sure = self._sure[self._masks[which]]
        return bool(((sure >= 0) & (sure <= 1)).all())

    @cached_property
    def judged(self) -> Answers:
        """The answers labelled VALIDATED or REJECTED."""
        return self._ranked("judged", self._sure, self._correct)

    @cached_property
    def selected(self) -> Answers:
        """The judged answers that the run selects."""
        return self._ranked("selected", self._sure, self._correct)

    @cached_property
    def decisions(self) -> Answers:
        """The judged answers as decisions: right if verdict and label agree.

        The confidence in a rejection is 1 minus the confidence in the answer.
        """
        accepted = self._masks["accepted"]
        pairs = zip(self._sure.tolist(), accepted.tolist(), strict=True)
        exact = [sure if yes else float(1 - as_decimal(sure)) for sure, yes in pairs]
        return self._ranked("judged", np.array(exact), (self._correct == accepted).astype(float))

    @cached_property
    def _arranged(self) -> npt.NDArray[np.int64]:
        """The answers in the order of the policy on ties."""
        index = self._collection.index
        arranged = TIES_CHOICES[self._ties].arranged(range(len(index)), index.ids)
        return np.array(arranged, dtype=np.int64)

    def _ranked(self, which: str, confidence: Floats, right: Floats) -> Answers:
        places = self._arranged[self._masks[which][self._arranged]]
        order = places[np.argsort(-confidence[places], kind="stable")]
        sure = confidence[order]
        levels = np.flatnonzero(np.diff(sure, prepend=np.inf))
        starts = levels if TIES_CHOICES[self._ties].is_mean else np.arange(len(order))
        return Answers(sure, right[order], self._question[order], levels, starts)

    @cached_property
    def opposites(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
        """Questions of the right and of the wrong judged answers, by descending confidence.

        Also, for each wrong answer, how many right ones have more confidence, and at least as much.
        """
        is_right, sure = self.judged.right == 1, -self.judged.confidence
        right, wrong = sure[is_right], sure[~is_right]
        above = np.stack([np.searchsorted(right, wrong, side) for side in ("left", "right")])
        return self.judged.question[is_right], self.judged.question[~is_right], above

    @cached_property
    def k_terms(self) -> Floats:
        """The contribution of each question to K."""
        number = len(self._collection.index.questions)
        accepted = self._masks["accepted"].astype(float)
        signed = self._sure * (2 * self._correct - 1) * accepted
        totals, size, correct = (
            np.bincount(self._question, weights=values, minlength=number)
            for values in (signed, accepted, self._correct)
        )
        return np.asarray(totals / np.maximum(np.maximum(size, correct), 1))

    def recalls(self, of: str, places: int) -> tuple[Floats, Floats]:
        """Return the correct answers of each question in its first 1, 2 .. ranks, and at most."""
        if (of, places) in self._recalls:
            return self._recalls[of, places]
        pairs = rankings(self._run, self._collection, self._ties)
        ranked = [pair[of == "accepted"] for pair in pairs]
        sizes = [max(orders.length(ranking), orders.all_correct(ranking)) for ranking in {*ranked}]
        ranks = np.arange(1, min(places, max(1, *sizes)) + 1)
        hits = np.zeros((len(ranked), len(ranks)))
        for number, ranking in enumerate(ranked):
            for before, _, size, right, inside in orders.placed(ranking, len(ranks)):
                hits[number, before : before + inside] = right / size
        correct = np.array([[orders.all_correct(ranking)] for ranking in ranked])
        self._recalls[of, places] = hits.cumsum(axis=1), np.minimum(ranks, correct).astype(float)
        return self._recalls[of, places]

    @cached_property
    def losses(self) -> Floats:
        """The negative logarithm of the probability that each judged answer gives to the truth."""
        likely = np.where(self.judged.right, self.judged.confidence, 1 - self.judged.confidence)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(likely))

    @cached_property
    def sides(self) -> npt.NDArray[np.int64]:
        """Of each judged answer: 1 if its confidence is above 1/2, -1 if below, else 0."""
        return np.sign(self.judged.confidence - 0.5).astype(np.int64)

    def bins(self, number: int) -> npt.NDArray[np.int64]:
        """Return the bin of every judged answer, computed in exact arithmetic."""
        if number not in self._bins:
            exact = (as_decimal(float(c)) * Decimal(number) for c in self.judged.confidence)
            self._bins[number] = np.array([max(1, ceil(scaled)) for scaled in exact])
        return self._bins[number]
