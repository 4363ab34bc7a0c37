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
from fractions import Fraction
from functools import partial, wraps
from typing import NamedTuple, TypeAlias

import numpy as np

from ave_score.core.model import Collection, Run
from ave_score.inference.by_question import Floats
from ave_score.inference.run_answers import RunAnswers, harmonic
from ave_score.measures import Measure
from ave_score.measures.confidence import INFINITE
from ave_score.measures.parameters import Value

Sampler: TypeAlias = Callable[[Floats], Floats]
"""Takes the frequency of every question in each sample (row); returns the measure per sample."""

_NUMBERS = 1 << 17
"""The maximum number of weights at a time, which then fit the processor's cache."""

OUTSIDE = "there are confidences outside 0..1"

_ROUNDING = 1e-9
"""Numbers of answers are exact, but for rounding of their products with shares."""


def samplers(
    run: Run, collection: Collection, ties: str, measures: Sequence[Measure]
) -> tuple[dict[str, Sampler], dict[str, str]]:
    """Return the samplers of a run by measures' keys, and the reasons for measures without one."""
    answers = RunAnswers(run, collection, ties)
    sampled: dict[str, Sampler] = {}
    reasons: dict[str, str] = {}
    for measure in measures:
        record = SAMPLERS[measure.sampler] if measure.sampler else None
        if record is None:
            continue  # see `ByQuestion.why_not`
        if record.probabilities and not answers.are_probabilities(record.probabilities):
            reasons[measure.key] = OUTSIDE
        elif record.is_finite and not np.isfinite(answers.losses).all():
            reasons[measure.key] = INFINITE
        else:
            sampled[measure.key] = partial(_sampled, record, answers, measure.values)
    return sampled, reasons


def _sampled(
    record: SamplerRecord, answers: RunAnswers, values: Sequence[Value], times: Floats
) -> Floats:
    return record.compute(answers, times, *values)


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
    is_finite
        Whether the loss of every judged answer must be finite.
    """

    compute: Callable[..., Floats]
    probabilities: str | None = None
    is_finite: bool = False


SAMPLERS: dict[str, SamplerRecord] = {}
"""Name of a sampler, as in records of measures -> its record."""


def sampler(
    *, probabilities: str | None = None, is_finite: bool = False
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register the decorated function as a sampler under its name."""

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        SAMPLERS[compute.__name__] = SamplerRecord(compute, probabilities, is_finite)
        return compute

    return register


def in_parts(compute: Callable[..., Floats]) -> Callable[..., Floats]:
    """Let a function of the weights of all answers compute a few samples at a time.

    Weights are whole numbers, which are added up eight times as fast as floats.
    """

    @wraps(compute)
    def computed(run: RunAnswers, times: Floats, *values: Value) -> Floats:
        parts = np.array_split(times, max(1, -(-times.shape[0] * run.number // _NUMBERS)))
        return np.concatenate(
            [compute(run, np.asarray(part, dtype=np.int32), *values) for part in parts]
        )

    return computed


@sampler(probabilities="judged")
@in_parts
def cws_rte(run: RunAnswers, times: Floats) -> Floats:
    """The confidence-weighted score of decisions."""
    weights = run.decisions.weights(times)
    return np.asarray(run.decisions.precisions(weights) / weights.sum(axis=1))


@sampler()
@in_parts
def ap_rte(run: RunAnswers, times: Floats) -> Floats:
    """The average precision of all answers."""
    answers, weights = run.judged, run.judged.weights(times)
    precisions = answers.precisions_of_right(weights)
    return np.asarray(precisions / (weights * answers.right).sum(axis=1))


@sampler()
def pearson_r(run: RunAnswers, times: Floats) -> Floats:
    """The correlation of confidence and correctness."""
    sure, right = run.judged.confidence, run.judged.right
    one = np.ones_like(sure)
    size, rights, total, squares, product = run.judged.sums(
        times, one, right, sure, sure**2, sure * right
    )
    variance = size * squares - total**2
    is_flat = variance <= 1e-12 * size * squares  # equal confidences, but for rounding
    spread = np.where(is_flat, 0, variance) * (size * rights - rights**2)
    return np.asarray((size * product - total * rights) / np.sqrt(spread))


@sampler(probabilities="judged")
def brier(run: RunAnswers, times: Floats) -> Floats:
    """The mean squared difference of confidence and correctness."""
    sure, right = run.judged.confidence, run.judged.right
    errors, size = run.judged.sums(times, (sure - right) ** 2, np.ones_like(sure))
    return np.asarray(errors / size)


@sampler(probabilities="judged")
def ece(run: RunAnswers, times: Floats, number: Value, kind: Value = "width") -> Floats:
    """The expected calibration error in a number of bins of equal width or mass."""
    if kind == "mass":
        return _ece_of_mass(run, times, int(str(number)))
    bins, gap = run.bins(int(str(number))), run.judged.confidence - run.judged.right
    of_bins = [np.where(bins == b, gap, 0.0) for b in np.unique(bins)]
    *gaps, size = run.judged.sums(times, *of_bins, np.ones_like(gap))
    return np.asarray(np.abs(gaps).sum(axis=0) / size)


@in_parts
def _ece_of_mass(run: RunAnswers, times: Floats, number: int) -> Floats:
    """Return the error in bins of equal mass, which differ between samples."""
    answers, weights = run.judged, run.judged.weights(times)
    sizes = answers.by_confidence(weights)
    gaps = answers.by_confidence(weights * (answers.confidence - answers.right))
    total = sizes.sum(axis=1, keepdims=True)
    bins = (total - sizes.cumsum(axis=1)) * number // np.maximum(total, 1)  # of lower ones
    is_new = np.diff(bins, prepend=-1, axis=1) != 0
    errors = np.abs(np.add.reduceat(gaps.ravel(), np.flatnonzero(is_new)))
    rows = np.nonzero(is_new)[0]
    return np.asarray(np.bincount(rows, errors, minlength=len(weights)) / total[:, 0])


@sampler(probabilities="judged", is_finite=True)
def log_loss(run: RunAnswers, times: Floats) -> Floats:
    """The mean negative logarithm of the probability of the truth."""
    losses, size = run.judged.sums(times, run.losses, np.ones_like(run.losses))
    return np.asarray(losses / size)


@sampler()
@in_parts
def average_precision(run: RunAnswers, times: Floats) -> Floats:
    """The average precision over thresholds."""
    answers, weights = run.judged, run.judged.weights(times)
    sizes = answers.by_confidence(weights)
    rights = answers.by_confidence(weights * answers.right)
    precisions = rights.cumsum(axis=1) / np.maximum(sizes.cumsum(axis=1), 1)
    return np.asarray((rights * precisions).sum(axis=1) / rights.sum(axis=1))


@sampler(probabilities="judged")
def f_05_u(run: RunAnswers, times: Floats) -> Floats:
    """F0.5 with open decisions as missed ones."""
    right, accepted = run.judged.right == 1, run.sides == 1
    missed = (run.sides == 0) | (run.sides == -1) & right
    correct, wrong, missed = run.judged.sums(times, accepted & right, accepted & ~right, missed)
    return np.asarray(1.25 * correct / (1.25 * correct + 0.25 * missed + wrong))


@sampler(probabilities="judged")
def c_at_1_pan(run: RunAnswers, times: Floats) -> Floats:
    """c@1 of single answers."""
    sides, sign = run.sides, 2 * run.judged.right - 1
    size, right, silent = run.judged.sums(times, sign**2, sides == sign, sides == 0)
    return np.asarray((right + right * silent / size) / size)


@sampler()
@in_parts
def auc(run: RunAnswers, times: Floats) -> Floats:
    """The area under the ROC curve; ties count half."""
    rights, wrongs, (first, last) = run.opposites
    before = np.zeros((len(times), len(rights) + 1), dtype=np.int32)
    np.cumsum(np.take(times, rights, axis=1), axis=1, out=before[:, 1:])
    wrong = np.take(times, wrongs, axis=1)
    above = np.take(before, first, axis=1)
    above += np.take(before, last, axis=1)
    pairs = np.einsum("ij,ij->i", wrong, above, dtype=float)
    return np.asarray(pairs / 2 / (before[:, -1] * wrong.sum(axis=1, dtype=float)))


@sampler()
@in_parts
def cws(run: RunAnswers, times: Floats) -> Floats:
    """The confidence-weighted score; unanswered questions come last."""
    weights = run.selected.weights(times)
    answered, rights = weights.sum(axis=1), weights @ run.selected.right
    questions = times.sum(axis=1)
    numbers = harmonic(times)
    after = numbers[questions.astype(int)] - numbers[answered.astype(int)]
    before = run.selected.precisions(weights)
    return np.asarray((before + rights * after) / questions)


@sampler()
@in_parts
def aurc(run: RunAnswers, times: Floats) -> Floats:
    """The area under the risk-coverage curve."""
    weights = run.selected.weights(times)
    return np.asarray(1 - run.selected.precisions(weights) / weights.sum(axis=1))


@sampler()
@in_parts
def e_aurc(run: RunAnswers, times: Floats) -> Floats:
    """The area under the risk-coverage curve that exceeds the best one."""
    weights = run.selected.weights(times)
    answered, right = weights.sum(axis=1), weights @ run.selected.right
    numbers = harmonic(weights)
    best = right * (1 + numbers[answered.astype(int)] - numbers[right.astype(int)])
    return np.asarray((best - run.selected.precisions(weights)) / answered)


@sampler()
@in_parts
def augrc(run: RunAnswers, times: Floats) -> Floats:
    """The area under the generalised risk-coverage curve."""
    size, right, before, above, _ = run.selected.groups(run.selected.weights(times))
    wrong = size - right
    pairs = (right * (before - above + wrong / 2)).sum(axis=1)
    return np.asarray((pairs + wrong.sum(axis=1) ** 2 / 2) / size.sum(axis=1) ** 2)


@sampler()
@in_parts
def risk_at_coverage(run: RunAnswers, times: Floats, coverage: Value) -> Floats:
    """The share of wrong answers at a coverage; undefined if it is not reached."""
    size, right, before, _, _ = run.selected.groups(run.selected.weights(times))
    ranks = np.maximum(1, np.ceil(float(Fraction(coverage or 0)) * times.sum(axis=1) - _ROUNDING))
    inside = np.clip(ranks[:, None] - before, 0, size)
    correct = (right * inside / np.maximum(size, 1)).sum(axis=1)
    return np.asarray(np.where(ranks > size.sum(axis=1), np.nan, 1 - correct / ranks))


@sampler()
@in_parts
def coverage_at_risk(run: RunAnswers, times: Floats, risk: Value) -> Floats:
    """The largest coverage with at most a share of wrong answers."""
    size, right, before, above, _ = run.selected.groups(run.selected.weights(times))
    allowed, wrong = float(Fraction(risk or 0)), size - right
    spare = allowed * before - (before - above) + _ROUNDING
    change = allowed * size - wrong  # over the whole group
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.floor(spare * size / -change)
    more = np.where(spare + change >= 0, size, np.where(spare >= 0, inside, -before))
    return np.asarray((before + more).max(axis=1, initial=0) / times.sum(axis=1))


@sampler(probabilities="selected")
def k1(run: RunAnswers, times: Floats) -> Floats:
    """K1 of the selected answers."""
    signed = run.selected.confidence * (2 * run.selected.right - 1)
    (total,) = run.selected.sums(times, signed)
    return np.asarray(total / times.sum(axis=1))


@sampler(probabilities="accepted")
def k(run: RunAnswers, times: Floats) -> Floats:
    """K of the accepted answers."""
    return np.asarray(times @ run.k_terms / times.sum(axis=1))


@sampler()
def avg_rec(run: RunAnswers, times: Floats, of: Value, k: Value) -> Floats:
    """The average recall; ranks behind all answers have that of the last."""
    places = int(str(k))
    reached, possible = run.recalls(str(of), places)
    recalls = (times @ reached) / (times @ possible)
    rest = (places - recalls.shape[1]) * recalls[:, -1]
    return np.asarray((recalls.sum(axis=1) + rest) / places)
