"""What computes measures in samples of questions that rank the answers of all of them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cached_property, partial
from math import ceil

import numpy as np
import numpy.typing as npt

from ave_score.counts import CONFIDENCE, RANKING, SELF_SCORE
from ave_score.counts.ranking import rankings
from ave_score.exact import written
from ave_score.inference import weighted
from ave_score.inference.by_question import Floats, Integers
from ave_score.measures import Measure, confidence, ranking
from ave_score.measures.orders import reciprocal_rank
from ave_score.model import Collection, Label, Run, Verdict

Sampler = Callable[[Floats], Floats]
"""Takes how often every question is in each sample (a row each), and gives the measure in each."""

_NUMBERS = 1_000_000
"""Weights of answers that are held at a time."""


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
        if measure.family not in (CONFIDENCE, SELF_SCORE, RANKING):
            return None
        if function in _RANKING_ANSWERS and self._ties != "file":
            return None
        if function in _OF_PROBABILITIES and not self._are_probabilities(function):
            return None
        if function is confidence.cws_rte:
            return partial(weighted.cws_rte, self._decisions)
        if function is confidence.ece:
            return partial(weighted.ece, self._judged, self._bins(int(str(measure.values[0]))))
        if function is confidence.k:
            return partial(weighted.k, self._terms())
        if function is ranking.ranked_c_at_1:
            return partial(weighted.ranked_c_at_1, *self._ranks())
        if function in _OF_JUDGED:
            return partial(_OF_JUDGED[function], self._judged)
        if function in _OF_SELECTED:
            return partial(_OF_SELECTED[function], self._selected)
        return None

    def _are_probabilities(self, function: object) -> bool:
        if function is confidence.k:
            of_it = self._sure[self._accepted]
        elif function is confidence.k1:
            of_it = self._sure[self._verdicts == Verdict.SELECTED]
        else:
            of_it = self._sure[self._labels < Label.UNKNOWN]
        return bool(((of_it >= 0) & (of_it <= 1)).all())

    def _some(self, mask: npt.NDArray[np.bool_], sure: Floats, right: Floats) -> weighted.Answers:
        return weighted.Answers.ranked(sure[mask], right[mask], self._question[mask])

    @cached_property
    def _judged(self) -> weighted.Answers:
        return self._some(self._labels < Label.UNKNOWN, self._sure, self._correct)

    @cached_property
    def _decisions(self) -> weighted.Answers:
        exact = [one if yes else float(1 - written(one)) for one, yes in self._pairs()]
        right = (self._correct == self._accepted).astype(float)
        return self._some(self._labels < Label.UNKNOWN, np.array(exact), right)

    def _pairs(self) -> list[tuple[float, bool]]:
        return list(zip(self._sure.tolist(), self._accepted.tolist(), strict=True))

    @cached_property
    def _selected(self) -> weighted.Answers:
        return self._some(self._verdicts == Verdict.SELECTED, self._sure, self._correct)

    def _bins(self, number: int) -> Integers:
        """Return the bin of every judged answer, told exactly."""
        exact = (written(float(one)) * Decimal(number) for one in self._judged.sure)
        return np.array([max(1, ceil(one)) for one in exact])

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
        worths = {one: reciprocal_rank(one) for one in set(accepted)}
        ranks = np.array([float(worths[one]) for one in accepted])
        return ranks, np.array([float(not one.groups) for one in accepted])


_OF_JUDGED: dict[object, Callable[[weighted.Answers, Floats], Floats]] = {
    confidence.ap_rte: weighted.ap_rte,
    confidence.pearson_r: weighted.pearson_r,
    confidence.brier: weighted.brier,
    confidence.auc: weighted.auc,
}
_OF_SELECTED: dict[object, Callable[[weighted.Answers, Floats], Floats]] = {
    confidence.cws: weighted.cws,
    confidence.aurc: weighted.aurc,
    confidence.k1: weighted.k1,
}
_RANKING_ANSWERS = (confidence.cws, confidence.cws_rte, confidence.ap_rte, confidence.aurc)
_OF_PROBABILITIES = (
    *(confidence.cws_rte, confidence.k, confidence.k1),
    *(confidence.brier, confidence.ece),
)
