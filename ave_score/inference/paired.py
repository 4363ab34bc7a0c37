"""Two runs compared per question: values, wins and losses, and the paired randomisation test.

Under the null hypothesis, the two runs are exchangeable on each question. If two runs swap their
answers to some questions, the counts of one run become half of the sum of both plus half of the
signed sum of their differences. The signed counts of all runs are one matrix product, from which
every pair is computed. Signs belong to questions, not to runs: p does not depend on the names or
the order of runs.

Sources: Noreen, Computer Intensive Methods for Testing Hypotheses, 1989; Yeh, More Accurate Tests
for the Statistical Significance of Result Differences, 2000; Smucker, Allan, Carterette, A
Comparison of Statistical Significance Tests for Information Retrieval Evaluation, 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ave_score.errors import UsageError
from ave_score.inference.by_question import TOLERANCE, ByQuestion, Floats
from ave_score.inference.resampling import BLOCK, Resampling, questions_of, whole
from ave_score.measures import Measure


class Score(NamedTuple):
    """The number of questions that the first of two runs wins, ties, and loses."""

    wins: int
    ties: int
    losses: int


def question_values(runs: Sequence[ByQuestion], measure: Measure) -> Floats:
    """Return a measure of each single question, if the measure is the mean of these values.

    Questions for which it is undefined, for all runs alike, are left out. Raises `UsageError` for
    other measures, to which tests of values per question do not apply: F divides counts of all
    questions, and in c@1 the value of an unanswered question depends on all questions. Accuracy is
    such a mean if all questions have the same number of judged answers.

    Returns
    -------
    Floats
        A row for each run, a column for each question.
    """
    if not all(run.adds_up(measure) for run in runs):
        raise UsageError(f"{measure.key} is not a mean of values per question")
    values = np.array([run.of_each(measure) for run in runs])
    undefined = np.isnan(values)
    if (undefined == undefined[0]).all() and not undefined[0].all():
        defined = values[:, ~undefined[0]]
        wholes = [whole(run, measure) for run in runs]
        if np.allclose(defined.mean(axis=1), wholes, rtol=0, atol=1e-9):
            return defined
    raise UsageError(
        f"{measure.key} of these runs is not a mean of values per question, which this test "
        "compares; use randomisation or bootstrap, which recompute the measure"
    )


def added_by_question(one: ByQuestion, other: ByQuestion, measure: Measure) -> Floats:
    """Return the contribution of each question to the difference of two runs.

    It is half of the decrease of the difference if the two runs swap their answers to the question.
    For a mean over questions, that is the difference of the two values divided by the number of
    questions; but it is defined for every measure of counts, including F.

    Returns
    -------
    Floats
        A number for each question; above 0 if it favours a higher value of `one`. NaN if the
        measure is not computed from sums over questions.
    """
    if not (one.adds_up(measure) and other.adds_up(measure)):
        return np.full(one.questions, np.nan)
    left, right = one.counts_of(measure), other.counts_of(measure)
    change = left - right
    differing = np.flatnonzero(change.any(axis=1))
    swapped = change[differing]
    before = whole(one, measure) - whole(other, measure)
    after = one.computed(measure, left.sum(axis=0) - swapped)
    after = after - other.computed(measure, right.sum(axis=0) + swapped)
    added = np.zeros(len(change))
    added[differing] = (before - after) / 2
    return added


def score_of(added: Floats, measure: Measure) -> Score | None:
    """Return wins, ties and losses; a question that favours the run is a win.

    None if the contributions of questions are unknown.
    """
    if np.isnan(added).any():
        return None
    oriented = added if measure.higher_is_better else -added
    wins, losses = int((oriented > TOLERANCE).sum()), int((oriented < -TOLERANCE).sum())
    return Score(wins, len(added) - wins - losses, losses)


def effect_size(differences: Floats) -> float | None:
    """Return Cohen's d_z: the mean difference per question over its standard deviation.

    None if all differences are equal. Source: Cohen, Statistical Power Analysis for the
    Behavioral Sciences, 1988.
    """
    if len(differences) < 2 or np.ptp(differences) < TOLERANCE:
        return None
    return float(differences.mean() / differences.std(ddof=1))


# --- randomisation --------------------------------------------------------------------------------

EXACT = 13
"""With at most so many differing questions, all ways of swapping are enumerated."""

_STREAM = 1
"""Separates these random numbers from those of the bootstrap, which uses the seed alone."""


class PairResult(NamedTuple):
    """The result of a test: p in 0..1, NaN if the measure is undefined; whether p is exact."""

    p: float
    exact: bool = False


Signed: TypeAlias = Mapping[tuple[str, str], Floats]
"""(run, family or measure) -> sums with random signs per question, a row for each sample."""


def signs(questions: int, resampling: Resampling) -> Iterator[npt.NDArray[np.float32]]:
    """Yield blocks of samples: one in each row, with 1 or -1 for every question."""
    generator = np.random.default_rng([resampling.seed, _STREAM])
    left, size = resampling.resamples, max(1, BLOCK // questions)
    while left:
        rows = min(size, left)
        drawn = np.frombuffer(generator.bytes(rows * -(-questions // 8)), dtype=np.uint8)
        bits = np.unpackbits(drawn.reshape(rows, -1), axis=1, count=questions)
        yield bits.astype(np.float32) * 2 - 1
        left -= rows


def signed_counts(
    runs: Sequence[ByQuestion], measures: Sequence[Measure], resampling: Resampling
) -> Signed:
    """Sum the counts of measures with random signs, which are the same for every run."""
    blocks: dict[str, npt.NDArray[np.floating]] = {}
    for measure in measures:
        stack = np.hstack([run.counts_of(measure) for run in runs])
        is_whole = (stack == np.floor(stack)).all()
        blocks[_source(runs[0], measure)] = stack.astype(np.float32) if is_whole else stack
    sums: dict[str, list[npt.NDArray[np.floating]]] = {source: [] for source in blocks}
    for block in signs(questions_of(runs), resampling):
        for source, columns in blocks.items():
            sums[source].append(block @ columns)
    found: dict[tuple[str, str], Floats] = {}
    for source, parts in sums.items():
        each = np.split(np.concatenate(parts).astype(float), len(runs), axis=1)
        found |= {(run.run, source): part for run, part in zip(runs, each, strict=True)}
    return found


def _source(run: ByQuestion, measure: Measure) -> str:
    """Return the key of the counts or values that a measure is computed from."""
    return measure.key if measure.key in run.values else measure.family.name


def randomisation(
    one: ByQuestion, other: ByQuestion, measure: Measure, signed: Signed
) -> PairResult:
    """Test the difference of a measure between two runs, two-sided; see the module."""
    left, right = one.counts_of(measure), other.counts_of(measure)
    both, change = left.sum(axis=0) + right.sum(axis=0), left - right

    def differences(sums: Floats) -> Floats:
        """Return the differences for runs whose counts differ by `sums` and add up to `both`."""
        halves = ((both + sums) / 2, (both - sums) / 2)
        return one.computed(measure, halves[0]) - other.computed(measure, halves[1])

    observed = differences(change.sum(axis=0, keepdims=True))
    if np.isnan(observed[0]):
        return PairResult(np.nan)
    differing = change[change.any(axis=1)]
    if len(differing) <= EXACT:
        p = _share_at_least(differences(_all_sign_sums(differing)), observed[0])
        return PairResult(p, exact=True)
    source = _source(one, measure)
    drawn = signed[one.run, source] - signed[other.run, source]
    # the observed assignment is one of the possible ones
    return PairResult(_share_at_least(np.append(differences(drawn), observed), observed[0]))


def _all_sign_sums(differing: Floats) -> Floats:
    """Return the sums of all choices of signs, 2^n rows."""
    bits = np.arange(len(differing))
    chosen = (np.arange(2 ** len(differing))[:, None] >> bits) & 1
    return (chosen * 2 - 1) @ differing


def _share_at_least(differences: Floats, observed: float) -> float:
    """Return the share of defined differences at least as large as the observed, two-sided."""
    known = differences[~np.isnan(differences)]
    return float((np.abs(known) >= abs(observed) - TOLERANCE).mean())
