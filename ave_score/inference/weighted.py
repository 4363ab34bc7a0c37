"""Measures of confidence in samples of questions: every answer with the weight of its question.

These measures rank the answers of all questions together, so that nothing that is counted of single
questions adds up to them. Here they are computed for many samples at once, in floats; each is held
against the exact function of `measures.confidence` in the tests. An answer that is in a sample w
times takes w places behind one another: if r answers of the sample stand before it, C of them
correct, the sum over its places of C(i)/i is y·w + (C - y·r)·(H(r + w) - H(r)), H being harmonic
numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ave_score.inference.by_question import Floats, Integers


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
    question: Integers

    @classmethod
    def ranked(cls, sure: Floats, right: Floats, question: Integers) -> Answers:
        """Put answers into their order."""
        order = np.argsort(-sure, kind="stable")
        return cls(sure[order], right[order], question[order])

    def weights(self, times: Floats) -> Floats:
        """Return how often each answer is in each sample."""
        return np.asarray(times, dtype=float)[:, self.question]


def _precisions(answers: Answers, weights: Floats) -> Floats:
    """Return the sum of C(i)/i over the places of each answer, in each sample."""
    before = weights.cumsum(axis=1) - weights
    right = (weights * answers.right).cumsum(axis=1) - weights * answers.right
    harmonic = _harmonic(weights)
    span = harmonic[(before + weights).astype(int)] - harmonic[before.astype(int)]
    return np.asarray(answers.right * weights + (right - answers.right * before) * span)


def _harmonic(weights: Floats) -> Floats:
    """Return the harmonic numbers 0, 1, 3/2, ... up to the size of the largest sample."""
    most = int(weights.sum(axis=1).max(initial=0))
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])


def cws_rte(decisions: Answers, times: Floats) -> Floats:
    """Return the confidence-weighted score of decisions."""
    weights = decisions.weights(times)
    return np.asarray(_precisions(decisions, weights).sum(axis=1) / weights.sum(axis=1))


def ap_rte(answers: Answers, times: Floats) -> Floats:
    """Return the average precision of all answers."""
    weights = answers.weights(times)
    found = (_precisions(answers, weights) * answers.right).sum(axis=1)
    return np.asarray(found / (weights * answers.right).sum(axis=1))


def pearson_r(answers: Answers, times: Floats) -> Floats:
    """Return the correlation of confidence and correctness."""
    weights, sure, right = answers.weights(times), answers.sure, answers.right
    size, rights = weights.sum(axis=1), weights @ right
    total, squares, product = weights @ sure, weights @ sure**2, weights @ (sure * right)
    spread = (size * squares - total**2) * (size * rights - rights**2)
    return np.asarray((size * product - total * rights) / np.sqrt(np.where(spread > 0, spread, 0)))


def brier(answers: Answers, times: Floats) -> Floats:
    """Return the mean squared difference of confidence and correctness."""
    weights = answers.weights(times)
    return np.asarray(weights @ (answers.sure - answers.right) ** 2 / weights.sum(axis=1))


def ece(answers: Answers, bins: Integers, times: Floats) -> Floats:
    """Return the expected calibration error; `bins` has the bin of every answer."""
    weights, gap = answers.weights(times), answers.sure - answers.right
    parts = [np.abs(weights[:, bins == one] @ gap[bins == one]) for one in np.unique(bins)]
    return np.asarray(sum(parts) / weights.sum(axis=1))


def auc(answers: Answers, times: Floats) -> Floats:
    """Return the area under the ROC curve, ties half."""
    weights = answers.weights(times)
    starts = np.flatnonzero(np.diff(answers.sure, prepend=np.inf))  # of answers that are tied
    right = np.add.reduceat(weights * answers.right, starts, axis=1)
    wrong = np.add.reduceat(weights * (1 - answers.right), starts, axis=1)
    above = right.cumsum(axis=1) - right
    pairs = right.sum(axis=1) * wrong.sum(axis=1)
    return np.asarray((wrong * (above + right / 2)).sum(axis=1) / pairs)


def cws(selected: Answers, times: Floats) -> Floats:
    """Return the confidence-weighted score; unanswered questions come last."""
    weights = selected.weights(times)
    answered, rights = weights.sum(axis=1), weights @ selected.right
    questions = np.asarray(times, dtype=float).sum(axis=1)
    harmonic = _harmonic(np.asarray(times, dtype=float))
    behind = harmonic[questions.astype(int)] - harmonic[answered.astype(int)]
    return np.asarray((_precisions(selected, weights).sum(axis=1) + rights * behind) / questions)


def aurc(selected: Answers, times: Floats) -> Floats:
    """Return the area under the risk-coverage curve."""
    weights = selected.weights(times)
    answered = weights.sum(axis=1)
    return np.asarray(1 - _precisions(selected, weights).sum(axis=1) / answered)


def k1(selected: Answers, times: Floats) -> Floats:
    """Return K1 of the selected answers."""
    signed = selected.sure * (2 * selected.right - 1)
    return np.asarray(selected.weights(times) @ signed / times.sum(axis=1))


def k(terms: Floats, times: Floats) -> Floats:
    """Return K; `terms` is what each question adds to it."""
    return np.asarray(times @ terms / times.sum(axis=1))


def ranked_c_at_1(ranks: Floats, silent: Floats, times: Floats) -> Floats:
    """Return c@1 of reciprocal ranks; `silent` is 1 where nothing is accepted."""
    questions = times.sum(axis=1)
    mean = times @ ranks / questions
    return np.asarray(mean + mean * (times @ silent) / questions)
