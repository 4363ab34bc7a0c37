"""Measures of confidence in samples of questions: every answer with the weight of its question.

These measures rank the answers of all questions together, so that nothing that is counted of single
questions adds up to them. Here they are computed for many samples at once, in floats; each is held
against the exact function of `measures.confidence` in the tests. An answer that is in a sample w
times takes w places behind one another: if r answers of the sample stand before it, C of them
correct, the sum over its places of C(i)/i is y·w + (C - y·r)·(H(r + w) - H(r)), H being harmonic
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from math import ceil
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.counting.ranking import rankings
from ave_score.counts import Family
from ave_score.exact import written
from ave_score.inference.by_question import Floats, Integers
from ave_score.measures import Measure, confidence, ranking
from ave_score.model import Collection, Label, Run, Verdict

Sampler = Callable[[Floats], Floats]
"""Takes how often every question is in each sample (a row each), and gives the measure in each."""


_NUMBERS = 1_000_000
"""Weights of answers that are held at a time."""


class _Answers(NamedTuple):
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
    def ranked(cls, sure: Floats, right: Floats, question: Integers) -> _Answers:
        """Put answers into their order."""
        order = np.argsort(-sure, kind="stable")
        return cls(sure[order], right[order], question[order])

    def weights(self, times: Floats) -> Floats:
        """Return how often each answer is in each sample."""
        return np.asarray(times, dtype=float)[:, self.question]


def _precisions(answers: _Answers, weights: Floats) -> Floats:
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


def _cws_rte(decisions: _Answers, times: Floats) -> Floats:
    weights = decisions.weights(times)
    return np.asarray(_precisions(decisions, weights).sum(axis=1) / weights.sum(axis=1))


def _ap_rte(answers: _Answers, times: Floats) -> Floats:
    weights = answers.weights(times)
    found = (_precisions(answers, weights) * answers.right).sum(axis=1)
    return np.asarray(found / (weights * answers.right).sum(axis=1))


def _pearson_r(answers: _Answers, times: Floats) -> Floats:
    weights, sure, right = answers.weights(times), answers.sure, answers.right
    size, rights = weights.sum(axis=1), weights @ right
    total, squares, product = weights @ sure, weights @ sure**2, weights @ (sure * right)
    spread = (size * squares - total**2) * (size * rights - rights**2)
    return np.asarray((size * product - total * rights) / np.sqrt(np.where(spread > 0, spread, 0)))


def _brier(answers: _Answers, times: Floats) -> Floats:
    weights = answers.weights(times)
    return np.asarray(weights @ (answers.sure - answers.right) ** 2 / weights.sum(axis=1))


def _ece(answers: _Answers, bins: int, times: Floats) -> Floats:
    weights = answers.weights(times)
    exact = (written(float(one)) * Decimal(bins) for one in answers.sure)
    places = np.array([max(1, ceil(one)) for one in exact])
    gaps = sum(
        np.abs(weights[:, places == place] @ (answers.sure - answers.right)[places == place])
        for place in np.unique(places)
    )
    return np.asarray(gaps / weights.sum(axis=1))


def _auc(answers: _Answers, times: Floats) -> Floats:
    weights = answers.weights(times)
    starts = np.flatnonzero(np.diff(answers.sure, prepend=np.inf))  # of answers that are tied
    right = np.add.reduceat(weights * answers.right, starts, axis=1)
    wrong = np.add.reduceat(weights * (1 - answers.right), starts, axis=1)
    above = right.cumsum(axis=1) - right
    pairs = right.sum(axis=1) * wrong.sum(axis=1)
    return np.asarray((wrong * (above + right / 2)).sum(axis=1) / pairs)


def _cws(selected: _Answers, times: Floats) -> Floats:
    weights = selected.weights(times)
    answered, rights = weights.sum(axis=1), weights @ selected.right
    questions = np.asarray(times, dtype=float).sum(axis=1)
    harmonic = _harmonic(np.asarray(times, dtype=float))
    behind = harmonic[questions.astype(int)] - harmonic[answered.astype(int)]
    return np.asarray((_precisions(selected, weights).sum(axis=1) + rights * behind) / questions)


def _aurc(selected: _Answers, times: Floats) -> Floats:
    weights = selected.weights(times)
    answered = weights.sum(axis=1)
    return np.asarray(1 - _precisions(selected, weights).sum(axis=1) / answered)


def _k1(selected: _Answers, times: Floats) -> Floats:
    signed = selected.sure * (2 * selected.right - 1)
    return np.asarray(selected.weights(times) @ signed / times.sum(axis=1))


def _k(terms: Floats, times: Floats) -> Floats:
    return np.asarray(times @ terms / times.sum(axis=1))


def _ranked_c_at_1(ranks: Floats, silent: Floats, times: Floats) -> Floats:
    questions = times.sum(axis=1)
    mean = times @ ranks / questions
    return np.asarray(mean + mean * (times @ silent) / questions)


def samplers(
    run: Run, collection: Collection, ties: str, measures: Sequence[Measure]
) -> dict[str, Sampler]:
    """Return what computes measures of confidence in samples, by their keys.

    Left out are measures that do not apply to the run, or, where ties are averaged, rank answers.
    """
    parts = _Parts(run, collection, ties)
    found: dict[str, Sampler] = {}
    for measure in measures:
        sampler = parts.sampler(measure)
        if sampler is not None:
            found[measure.key] = partial(_in_parts, sampler, len(collection.roster))
    return found


def _in_parts(sampler: Sampler, answers: int, times: Floats) -> Floats:
    """Compute a few samples at a time, so that memory is bounded however many answers there are."""
    parts = -(-times.shape[0] * answers // _NUMBERS)
    return np.concatenate([sampler(part) for part in np.array_split(times, parts)])


class _Parts:
    """What the measures of one run are computed from."""

    def __init__(self, run: Run, collection: Collection, ties: str) -> None:
        self._run, self._collection, self._ties = run, collection, ties
        starts = np.asarray(collection.roster.starts)
        self._question = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._sure = np.asarray(run.confidences)
        self._labels = np.frombuffer(collection.labels, dtype=np.uint8)
        self._verdicts = np.frombuffer(run.verdicts, dtype=np.uint8)
        self._correct = (self._labels == Label.VALIDATED).astype(float)
        self._accepted = self._verdicts >= Verdict.VALIDATED

    def sampler(self, measure: Measure) -> Sampler | None:
        """Return what computes one measure; None where there is nothing."""
        function = measure.function
        if measure.family not in (Family.CONFIDENCE, Family.SELF_SCORE, Family.RANKING):
            return None
        if function in _RANKING_ANSWERS and self._ties != "file":
            return None
        if function in _OF_PROBABILITIES and not self._are_probabilities(function):
            return None
        if function is confidence.cws_rte:
            return partial(_cws_rte, self._decisions())
        if function is confidence.ece:
            return partial(_ece, self._judged(), int(str(measure.values[0])))
        if function is confidence.k:
            return partial(_k, self._terms())
        if function is ranking.ranked_c_at_1:
            return partial(_ranked_c_at_1, *self._ranks())
        if function in _OF_JUDGED:
            return partial(_OF_JUDGED[function], self._judged())
        if function in _OF_SELECTED:
            return partial(_OF_SELECTED[function], self._selected())
        return None

    def _are_probabilities(self, function: object) -> bool:
        if function is confidence.k:
            of_it = self._sure[self._accepted]
        elif function is confidence.k1:
            of_it = self._sure[self._verdicts == Verdict.SELECTED]
        else:
            of_it = self._sure[self._labels < Label.UNKNOWN]
        return bool(((of_it >= 0) & (of_it <= 1)).all())

    def _some(self, mask: npt.NDArray[np.bool_], sure: Floats, right: Floats) -> _Answers:
        return _Answers.ranked(sure[mask], right[mask], self._question[mask])

    def _judged(self) -> _Answers:
        return self._some(self._labels < Label.UNKNOWN, self._sure, self._correct)

    def _decisions(self) -> _Answers:
        exact = [one if yes else float(1 - written(one)) for one, yes in self._pairs()]
        right = (self._correct == self._accepted).astype(float)
        return self._some(self._labels < Label.UNKNOWN, np.array(exact), right)

    def _pairs(self) -> list[tuple[float, bool]]:
        return list(zip(self._sure.tolist(), self._accepted.tolist(), strict=True))

    def _selected(self) -> _Answers:
        return self._some(self._verdicts == Verdict.SELECTED, self._sure, self._correct)

    def _terms(self) -> Floats:
        """Return what each question adds to K."""
        number = len(self._collection.roster.questions)
        accepted = self._accepted.astype(float)
        signed = self._sure * (2 * self._correct - 1) * accepted
        totals, size, correct = (
            np.bincount(self._question, weights=one, minlength=number)
            for one in (signed, accepted, self._correct)
        )
        return np.asarray(totals / np.maximum(np.maximum(size, correct), 1))

    def _ranks(self) -> tuple[Floats, Floats]:
        """Return of each question the reciprocal rank of accepted answers, and if it has none."""
        accepted = [one for _, one in rankings(self._run, self._collection, self._ties)]
        worths = {one: ranking.reciprocal_rank(one) for one in set(accepted)}
        ranks = np.array([float(worths[one]) for one in accepted])
        return ranks, np.array([float(not one.groups) for one in accepted])


_OF_JUDGED: dict[object, Callable[[_Answers, Floats], Floats]] = {
    confidence.ap_rte: _ap_rte,
    confidence.pearson_r: _pearson_r,
    confidence.brier: _brier,
    confidence.auc: _auc,
}
_OF_SELECTED: dict[object, Callable[[_Answers, Floats], Floats]] = {
    confidence.cws: _cws,
    confidence.aurc: _aurc,
    confidence.k1: _k1,
}
_RANKING_ANSWERS = (confidence.cws, confidence.cws_rte, confidence.ap_rte, confidence.aurc)
_OF_PROBABILITIES = (
    *(confidence.cws_rte, confidence.k, confidence.k1),
    *(confidence.brier, confidence.ece),
)
