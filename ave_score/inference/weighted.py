"""Measures of confidence in samples of questions: every answer with the weight of its question.

These measures rank the answers of all questions together, so that nothing that is counted of single
questions adds up to them. Here they are computed for many samples at once, in floats; each is held
against the exact function of its measure in the tests. A measure names its sampler in its record.

An answer that is in a sample w times takes w places behind one another: if r answers of the sample
stand before it, C of them correct, the sum over its places of C(i)/i is
y·w + (C - y·r)·(H(r + w) - H(r)), H being harmonic numbers.
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
from ave_score.exact import written
from ave_score.inference.by_question import Floats
from ave_score.measures import Measure
from ave_score.measures.orders import reciprocal_rank
from ave_score.measures.parameters import Value
from ave_score.model import Collection, Label, Run, Verdict

Sampler: TypeAlias = Callable[[Floats], Floats]
"""Takes how often every question is in each sample (a row each), and gives the measure in each."""

_NUMBERS = 1_000_000
"""Weights of answers that are held at a time."""


class NotSampled(Exception):
    """Why a measure of a run is not computed in samples; the reason ends a sentence."""


NO_SAMPLER = "it is not computed in samples of questions"
TIES_AVERAGED = "ties are averaged, and it is not computed so in samples of questions"
OUTSIDE = "confidences lie outside 0..1"


def samplers(
    run: Run, collection: Collection, ties: str, measures: Sequence[Measure]
) -> tuple[dict[str, Sampler], dict[str, str]]:
    """Return what computes measures of a run in samples, by their keys.

    And of those that are not computed so the reason.
    """
    answers = RunAnswers(run, collection, ties)
    found: dict[str, Sampler] = {}
    reasons: dict[str, str] = {}
    for measure in measures:
        try:
            if measure.sampler is None:
                raise NotSampled(NO_SAMPLER)
            sampler = SAMPLERS[measure.sampler](answers, *measure.values)
        except NotSampled as reason:
            reasons[measure.key] = str(reason)
        else:
            found[measure.key] = partial(_in_parts, sampler, len(collection.roster))
    return found, reasons


def _in_parts(sampler: Sampler, answers: int, times: Floats) -> Floats:
    """Compute a few samples at a time, so that memory is bounded however many answers there are."""
    parts = -(-times.shape[0] * answers // _NUMBERS)
    return np.concatenate([sampler(part) for part in np.array_split(times, parts)])


class Answers(NamedTuple):
    """Answers, the highest confidence first; those of one stand in the order of the collection.

    Attributes
    ----------
    sure
        Their confidences.
    right
        1 for each that counts as right, else 0.
    question
        The numbers of their questions.
    """

    sure: Floats
    right: Floats
    question: npt.NDArray[np.int64]

    def weights(self, times: Floats) -> Floats:
        """Return how often each answer is in each sample."""
        return np.asarray(times, dtype=float)[:, self.question]

    def precisions(self, weights: Floats) -> Floats:
        """Return the sum of C(i)/i over the places of each answer, in each sample."""
        before = weights.cumsum(axis=1) - weights
        right = (weights * self.right).cumsum(axis=1) - weights * self.right
        harmonic = _harmonic(weights)
        span = harmonic[(before + weights).astype(int)] - harmonic[before.astype(int)]
        return np.asarray(self.right * weights + (right - self.right * before) * span)


def _harmonic(weights: Floats) -> Floats:
    """Return the harmonic numbers 0, 1, 3/2, ... up to the size of the largest sample."""
    most = int(weights.sum(axis=1).max(initial=0))
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])


class RunAnswers:
    """The answers of a run as arrays, as samplers take them."""

    def __init__(self, run: Run, collection: Collection, ties: str) -> None:
        self._run, self._collection, self._ties = run, collection, ties
        starts = np.asarray(collection.roster.starts)
        self._question = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._sure = np.asarray(run.confidences)
        labels = np.frombuffer(collection.labels, dtype=np.uint8)
        verdicts = np.frombuffer(run.verdicts, dtype=np.uint8)
        self._correct = (labels == Label.VALIDATED).astype(float)
        self.is_judged = labels < Label.UNKNOWN
        self.is_accepted = verdicts >= Verdict.VALIDATED
        self.is_selected = verdicts == Verdict.SELECTED

    def check_order(self) -> None:
        """Raise `NotSampled` where answers of one confidence stand in no order."""
        if self._ties != "file":
            raise NotSampled(TIES_AVERAGED)

    def check_probabilities(self, mask: npt.NDArray[np.bool_]) -> None:
        """Raise `NotSampled` where a confidence of these answers cannot be a probability."""
        sure = self._sure[mask]
        if not ((sure >= 0) & (sure <= 1)).all():
            raise NotSampled(OUTSIDE)

    @cached_property
    def judged(self) -> Answers:
        """The answers that are labelled VALIDATED or REJECTED."""
        return self._ranked(self.is_judged, self._sure, self._correct)

    @cached_property
    def selected(self) -> Answers:
        """The answers that the run selects."""
        return self._ranked(self.is_selected, self._sure, self._correct)

    @cached_property
    def decisions(self) -> Answers:
        """The judged answers as decisions: right where verdict and label agree.

        The confidence in a rejection is 1 less that in the answer.
        """
        pairs = zip(self._sure.tolist(), self.is_accepted.tolist(), strict=True)
        exact = [one if yes else float(1 - written(one)) for one, yes in pairs]
        right = (self._correct == self.is_accepted).astype(float)
        return self._ranked(self.is_judged, np.array(exact), right)

    def _ranked(self, mask: npt.NDArray[np.bool_], sure: Floats, right: Floats) -> Answers:
        sure, right, question = sure[mask], right[mask], self._question[mask]
        order = np.argsort(-sure, kind="stable")
        return Answers(sure[order], right[order], question[order])

    def k_terms(self) -> Floats:
        """Return what each question adds to K."""
        number = len(self._collection.roster.questions)
        accepted = self.is_accepted.astype(float)
        signed = self._sure * (2 * self._correct - 1) * accepted
        totals, size, correct = (
            np.bincount(self._question, weights=one, minlength=number)
            for one in (signed, accepted, self._correct)
        )
        return np.asarray(totals / np.maximum(np.maximum(size, correct), 1))

    def ranks(self) -> tuple[Floats, Floats]:
        """Return of each question the reciprocal rank of accepted answers, and if it has none."""
        accepted = [one for _, one in rankings(self._run, self._collection, self._ties)]
        worths = {one: reciprocal_rank(one) for one in set(accepted)}
        ranks = np.array([float(worths[one]) for one in accepted])
        return ranks, np.array([float(not one.groups) for one in accepted])


# --- samplers -------------------------------------------------------------------------------------

Maker: TypeAlias = Callable[..., Sampler]
"""Makes the sampler of a run; takes the values of the measure's parameters, too."""

SAMPLERS: dict[str, Maker] = {}
"""Name of a sampler, as records of measures have it -> what makes it."""


def sampler(make: Maker) -> Maker:
    """Register the decorated function as what makes the sampler of its name."""
    SAMPLERS[make.__name__] = make
    return make


@sampler
def cws_rte(run: RunAnswers) -> Sampler:
    """The confidence-weighted score of decisions."""
    run.check_order()
    run.check_probabilities(run.is_judged)
    decisions = run.decisions

    def compute(times: Floats) -> Floats:
        weights = decisions.weights(times)
        return np.asarray(decisions.precisions(weights).sum(axis=1) / weights.sum(axis=1))

    return compute


@sampler
def ap_rte(run: RunAnswers) -> Sampler:
    """The average precision of all answers."""
    run.check_order()
    answers = run.judged

    def compute(times: Floats) -> Floats:
        weights = answers.weights(times)
        found = (answers.precisions(weights) * answers.right).sum(axis=1)
        return np.asarray(found / (weights * answers.right).sum(axis=1))

    return compute


@sampler
def pearson_r(run: RunAnswers) -> Sampler:
    """The correlation of confidence and correctness."""
    answers = run.judged
    sure, right = answers.sure, answers.right

    def compute(times: Floats) -> Floats:
        weights = answers.weights(times)
        size, rights = weights.sum(axis=1), weights @ right
        total, squares, product = weights @ sure, weights @ sure**2, weights @ (sure * right)
        spread = (size * squares - total**2) * (size * rights - rights**2)
        root = np.sqrt(np.where(spread > 0, spread, 0))
        return np.asarray((size * product - total * rights) / root)

    return compute


@sampler
def brier(run: RunAnswers) -> Sampler:
    """The mean squared difference of confidence and correctness."""
    run.check_probabilities(run.is_judged)
    answers = run.judged

    def compute(times: Floats) -> Floats:
        weights = answers.weights(times)
        return np.asarray(weights @ (answers.sure - answers.right) ** 2 / weights.sum(axis=1))

    return compute


@sampler
def ece(run: RunAnswers, number: Value) -> Sampler:
    """The expected calibration error in a number of bins."""
    run.check_probabilities(run.is_judged)
    answers = run.judged
    exact = (written(float(one)) * Decimal(int(str(number))) for one in answers.sure)
    bins = np.array([max(1, ceil(one)) for one in exact])

    def compute(times: Floats) -> Floats:
        weights, gap = answers.weights(times), answers.sure - answers.right
        parts = [np.abs(weights[:, bins == one] @ gap[bins == one]) for one in np.unique(bins)]
        return np.asarray(sum(parts) / weights.sum(axis=1))

    return compute


@sampler
def auc(run: RunAnswers) -> Sampler:
    """The area under the ROC curve, ties half."""
    answers = run.judged

    def compute(times: Floats) -> Floats:
        weights = answers.weights(times)
        starts = np.flatnonzero(np.diff(answers.sure, prepend=np.inf))  # of answers that are tied
        right = np.add.reduceat(weights * answers.right, starts, axis=1)
        wrong = np.add.reduceat(weights * (1 - answers.right), starts, axis=1)
        above = right.cumsum(axis=1) - right
        pairs = right.sum(axis=1) * wrong.sum(axis=1)
        return np.asarray((wrong * (above + right / 2)).sum(axis=1) / pairs)

    return compute


@sampler
def cws(run: RunAnswers) -> Sampler:
    """The confidence-weighted score; unanswered questions come last."""
    run.check_order()
    selected = run.selected

    def compute(times: Floats) -> Floats:
        weights = selected.weights(times)
        answered, rights = weights.sum(axis=1), weights @ selected.right
        questions = np.asarray(times, dtype=float).sum(axis=1)
        harmonic = _harmonic(np.asarray(times, dtype=float))
        behind = harmonic[questions.astype(int)] - harmonic[answered.astype(int)]
        before = selected.precisions(weights).sum(axis=1)
        return np.asarray((before + rights * behind) / questions)

    return compute


@sampler
def aurc(run: RunAnswers) -> Sampler:
    """The area under the risk-coverage curve."""
    run.check_order()
    selected = run.selected

    def compute(times: Floats) -> Floats:
        weights = selected.weights(times)
        answered = weights.sum(axis=1)
        return np.asarray(1 - selected.precisions(weights).sum(axis=1) / answered)

    return compute


@sampler
def k1(run: RunAnswers) -> Sampler:
    """K1 of the selected answers."""
    run.check_probabilities(run.is_selected)
    selected = run.selected

    def compute(times: Floats) -> Floats:
        signed = selected.sure * (2 * selected.right - 1)
        return np.asarray(selected.weights(times) @ signed / times.sum(axis=1))

    return compute


@sampler
def k(run: RunAnswers) -> Sampler:
    """K of the accepted answers."""
    run.check_probabilities(run.is_accepted)
    terms = run.k_terms()

    def compute(times: Floats) -> Floats:
        return np.asarray(times @ terms / times.sum(axis=1))

    return compute


@sampler
def ranked_c_at_1(run: RunAnswers) -> Sampler:
    """c@1 of reciprocal ranks."""
    ranks, silent = run.ranks()

    def compute(times: Floats) -> Floats:
        questions = times.sum(axis=1)
        mean = times @ ranks / questions
        return np.asarray(mean + mean * (times @ silent) / questions)

    return compute
