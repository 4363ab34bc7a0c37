"""Measures of confidence on samples of questions: every answer has the weight of its question.

These measures rank the answers of all questions together, so they cannot be computed from counts of
single questions. Samplers compute them for many samples at once, in floats; the tests compare each
sampler with the exact function of its measure. A measure names its sampler in its record.

Answers of equal confidence form a group: those of the sample if measures take the mean over their
orders, otherwise only the copies of one answer, which take consecutive ranks. If r answers of the
sample precede a group of s answers, C of them and R of the group correct, the mean of C(i)/i over
all orders of the group, summed over its ranks, is

    y·s + (C - y·r)·(H(r + s) - H(r)), where y = R/s and H(n) is the n-th harmonic number;

over the ranks of its correct answers only, whose expected number in the first j - 1 ranks behind a
correct one at rank j is z·(j - 1), it is

    y·(z·s + (C + 1 - z - z·r)·(H(r + s) - H(r))), where z = (R - 1)/(s - 1), or 0 if s = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cached_property, partial
from math import ceil
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ave_score.counts.ranking import rankings
from ave_score.exact import as_decimal
from ave_score.inference.by_question import Floats
from ave_score.measures import Measure, orders
from ave_score.measures.parameters import Value
from ave_score.model import Collection, Label, Run, Verdict
from ave_score.policies import TIES_CHOICES

Sampler: TypeAlias = Callable[[Floats], Floats]
"""Takes the frequency of every question in each sample (row); returns the measure per sample."""

_NUMBERS = 1_000_000
"""The maximum number of weights in memory."""

NO_SAMPLER = "it is not computed on samples of questions"
OUTSIDE = "there are confidences outside 0..1"


def samplers(
    run: Run, collection: Collection, ties: str, measures: Sequence[Measure]
) -> tuple[dict[str, Sampler], dict[str, str]]:
    """Return the samplers of a run by measures' keys, and the reasons for measures without one."""
    answers = RunAnswers(run, collection, ties)
    found: dict[str, Sampler] = {}
    reasons: dict[str, str] = {}
    for measure in measures:
        record = SAMPLERS[measure.sampler] if measure.sampler else None
        if record is None:
            reasons[measure.key] = NO_SAMPLER
        elif record.probabilities and not answers.are_probabilities(record.probabilities):
            reasons[measure.key] = OUTSIDE
        else:
            found[measure.key] = partial(_in_parts, record, answers, measure.values)
    return found, reasons


def _in_parts(
    record: SamplerRecord, answers: RunAnswers, values: Sequence[Value], times: Floats
) -> Floats:
    """Compute a few samples at a time, to bound memory."""
    parts = np.array_split(times, -(-times.shape[0] * answers.number // _NUMBERS))
    return np.concatenate([record.compute(answers, part, *values) for part in parts])


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
    starts
        The first answer of each group, over whose orders measures take the mean.
    """

    confidence: Floats
    right: Floats
    question: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]

    def weights(self, times: Floats) -> Floats:
        """Return how often each answer is in each sample."""
        return np.asarray(times, dtype=float)[:, self.question]

    def precisions(self, weights: Floats) -> Floats:
        """Return the sum of C(i)/i over all ranks, in each sample."""
        size, right, before, above, span = self._groups(weights)
        share = right / np.maximum(size, 1)
        return np.asarray((share * size + (above - share * before) * span).sum(axis=1))

    def precisions_of_right(self, weights: Floats) -> Floats:
        """Return the sum of C(i)/i over the ranks of right answers, in each sample."""
        size, right, before, above, span = self._groups(weights)
        share = right / np.maximum(size, 1)
        more = (right - 1) / np.maximum(size - 1, 1) * (right > 0)
        found = share * (more * size + (above + 1 - more - more * before) * span)
        return np.asarray(found.sum(axis=1))

    def _groups(self, weights: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Return for each group in each sample s, R, r, C and H(r + s) - H(r)."""
        size, right = self.by_group(weights), self.by_group(weights * self.right)
        before, above = size.cumsum(axis=1) - size, right.cumsum(axis=1) - right
        harmonic = _harmonic(weights)
        span = harmonic[(before + size).astype(int)] - harmonic[before.astype(int)]
        return size, right, before, above, span

    def by_group(self, values: Floats) -> Floats:
        """Return the sums over the answers of each group, in each sample."""
        if len(self.starts) == values.shape[1]:
            return values
        return np.asarray(np.add.reduceat(values, self.starts, axis=1))


def _harmonic(weights: Floats) -> Floats:
    """Return the harmonic numbers 0, 1, 3/2, ... up to the size of the largest sample."""
    most = int(weights.sum(axis=1).max(initial=0))
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])


def _starts(confidence: Floats) -> npt.NDArray[np.int64]:
    """Return the first position of each run of equal confidences."""
    return np.flatnonzero(np.diff(confidence, prepend=np.inf))


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
            "accepted": judged & (verdicts >= Verdict.VALIDATED),
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
        some = self._arranged[self._masks[which][self._arranged]]
        order = some[np.argsort(-confidence[some], kind="stable")]
        sure = confidence[order]
        starts = _starts(sure) if TIES_CHOICES[self._ties].is_mean else np.arange(len(order))
        return Answers(sure, right[order], self._question[order], starts)

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

    @cached_property
    def ranks(self) -> tuple[Floats, Floats]:
        """The reciprocal rank of each question's accepted answers, and 1 if it has none."""
        accepted = [ranking for _, ranking in rankings(self._run, self._collection, self._ties)]
        values = {ranking: orders.reciprocal_rank(ranking) for ranking in set(accepted)}
        ranks = np.array([float(values[ranking]) for ranking in accepted])
        return ranks, np.array([float(ranking.is_empty) for ranking in accepted])

    def recalls(self, of: str, places: int) -> tuple[Floats, Floats]:
        """Return the correct answers of each question in its first 1, 2 .. ranks, and at most."""
        if (of, places) in self._recalls:
            return self._recalls[of, places]
        pairs = rankings(self._run, self._collection, self._ties)
        ranked = [pair[of == "accepted"] for pair in pairs]
        sizes = [max(orders.length(one), orders.all_correct(one)) for one in set(ranked)]
        ranks = np.arange(1, min(places, max(1, *sizes)) + 1)
        found = np.zeros((len(ranked), len(ranks)))
        for number, ranking in enumerate(ranked):
            for at, numerator, by in orders.correct_ranks(ranking, len(ranks)):
                found[number, at] = numerator / by
        correct = np.array([[orders.all_correct(one)] for one in ranked])
        self._recalls[of, places] = found.cumsum(axis=1), np.minimum(ranks, correct).astype(float)
        return self._recalls[of, places]

    def bins(self, number: int) -> npt.NDArray[np.int64]:
        """Return the bin of every judged answer, computed in exact arithmetic."""
        if number not in self._bins:
            exact = (as_decimal(float(c)) * Decimal(number) for c in self.judged.confidence)
            self._bins[number] = np.array([max(1, ceil(scaled)) for scaled in exact])
        return self._bins[number]


# --- samplers -------------------------------------------------------------------------------------


class SamplerRecord(NamedTuple):
    """The record of a sampler.

    Attributes
    ----------
    compute
        Takes the answers of a run, the frequency of every question in each sample, and the values
        of the measure's parameters.
    probabilities
        The answers whose confidences must be probabilities, if any.
    """

    compute: Callable[..., Floats]
    probabilities: str | None = None


SAMPLERS: dict[str, SamplerRecord] = {}
"""Name of a sampler, as in records of measures -> its record."""


def sampler(
    *, probabilities: str | None = None
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register the decorated function as a sampler under its name."""

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        SAMPLERS[compute.__name__] = SamplerRecord(compute, probabilities)
        return compute

    return register


@sampler(probabilities="judged")
def cws_rte(run: RunAnswers, times: Floats) -> Floats:
    """The confidence-weighted score of decisions."""
    weights = run.decisions.weights(times)
    return np.asarray(run.decisions.precisions(weights) / weights.sum(axis=1))


@sampler()
def ap_rte(run: RunAnswers, times: Floats) -> Floats:
    """The average precision of all answers."""
    answers, weights = run.judged, run.judged.weights(times)
    found = answers.precisions_of_right(weights)
    return np.asarray(found / (weights * answers.right).sum(axis=1))


@sampler()
def pearson_r(run: RunAnswers, times: Floats) -> Floats:
    """The correlation of confidence and correctness."""
    weights, sure, right = run.judged.weights(times), run.judged.confidence, run.judged.right
    size, rights = weights.sum(axis=1), weights @ right
    total, squares, product = weights @ sure, weights @ sure**2, weights @ (sure * right)
    variance = size * squares - total**2
    is_flat = variance <= 1e-12 * size * squares  # equal confidences, but for rounding
    spread = np.where(is_flat, 0, variance) * (size * rights - rights**2)
    return np.asarray((size * product - total * rights) / np.sqrt(spread))


@sampler(probabilities="judged")
def brier(run: RunAnswers, times: Floats) -> Floats:
    """The mean squared difference of confidence and correctness."""
    answers, weights = run.judged, run.judged.weights(times)
    return np.asarray(weights @ (answers.confidence - answers.right) ** 2 / weights.sum(axis=1))


@sampler(probabilities="judged")
def ece(run: RunAnswers, times: Floats, number: Value) -> Floats:
    """The expected calibration error in a number of bins."""
    bins = run.bins(int(str(number)))
    weights, gap = run.judged.weights(times), run.judged.confidence - run.judged.right
    parts = [np.abs(weights[:, bins == b] @ gap[bins == b]) for b in np.unique(bins)]
    return np.asarray(sum(parts) / weights.sum(axis=1))


@sampler()
def auc(run: RunAnswers, times: Floats) -> Floats:
    """The area under the ROC curve; ties count half."""
    answers, weights = run.judged, run.judged.weights(times)
    starts = _starts(answers.confidence)
    right = np.add.reduceat(weights * answers.right, starts, axis=1)
    wrong = np.add.reduceat(weights * (1 - answers.right), starts, axis=1)
    above = right.cumsum(axis=1) - right
    pairs = right.sum(axis=1) * wrong.sum(axis=1)
    return np.asarray((wrong * (above + right / 2)).sum(axis=1) / pairs)


@sampler()
def cws(run: RunAnswers, times: Floats) -> Floats:
    """The confidence-weighted score; unanswered questions come last."""
    weights = run.selected.weights(times)
    answered, rights = weights.sum(axis=1), weights @ run.selected.right
    questions = np.asarray(times, dtype=float).sum(axis=1)
    harmonic = _harmonic(np.asarray(times, dtype=float))
    after = harmonic[questions.astype(int)] - harmonic[answered.astype(int)]
    before = run.selected.precisions(weights)
    return np.asarray((before + rights * after) / questions)


@sampler()
def aurc(run: RunAnswers, times: Floats) -> Floats:
    """The area under the risk-coverage curve."""
    weights = run.selected.weights(times)
    return np.asarray(1 - run.selected.precisions(weights) / weights.sum(axis=1))


@sampler(probabilities="selected")
def k1(run: RunAnswers, times: Floats) -> Floats:
    """K1 of the selected answers."""
    signed = run.selected.confidence * (2 * run.selected.right - 1)
    return np.asarray(run.selected.weights(times) @ signed / times.sum(axis=1))


@sampler(probabilities="accepted")
def k(run: RunAnswers, times: Floats) -> Floats:
    """K of the accepted answers."""
    return np.asarray(times @ run.k_terms / times.sum(axis=1))


@sampler()
def ranked_c_at_1(run: RunAnswers, times: Floats) -> Floats:
    """c@1 of reciprocal ranks."""
    ranks, silent = run.ranks
    questions = times.sum(axis=1)
    mean = times @ ranks / questions
    return np.asarray(mean + mean * (times @ silent) / questions)


@sampler()
def avg_rec(run: RunAnswers, times: Floats, of: Value, k: Value) -> Floats:
    """The average recall; ranks behind all answers have that of the last."""
    places = int(str(k))
    found, possible = run.recalls(str(of), places)
    recalls = (times @ found) / (times @ possible)
    rest = (places - recalls.shape[1]) * recalls[:, -1]
    return np.asarray((recalls.sum(axis=1) + rest) / places)
