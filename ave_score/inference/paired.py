"""Two runs question by question: values, who wins which question, and paired randomisation.

Randomisation asks: what would chance make of two runs if either's answers were either's? Where two
runs swap their answers to some questions, the counts of one become half of the sum of both and half
of the signed sum of what they differ by. The signed counts of all runs are one product of matrices,
and every pair follows from these: signs belong to questions, not to runs, so that neither names nor
order of runs change a p.

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
from ave_score.inference.by_question import TOLERANCE, ByQuestion, Floats, evaluate, rounded
from ave_score.inference.resampling import BLOCK, Resampling, questions_of, whole
from ave_score.measures import Measure


class Score(NamedTuple):
    """How many questions one of two runs wins, how many neither, and how many the other."""

    wins: int
    ties: int
    losses: int


def counted_for(run: ByQuestion, measure: Measure) -> Floats:
    """Return what is added up to compute a measure: a row for each question."""
    values = run.values.get(measure.key)
    return run.columns[measure.family] if values is None else values[:, None]


def computed(run: ByQuestion, measure: Measure, totals: Floats) -> Floats:
    """Compute a measure of sums over all questions of `counted_for`, a row each."""
    values = run.values.get(measure.key)
    return evaluate(measure, totals) if values is None else rounded(totals[:, 0] / len(values))


def per_question_values(run: ByQuestion, measure: Measure) -> Floats:
    """Return a measure of each question alone; NaN where it is undefined."""
    values = run.values.get(measure.key)
    return evaluate(measure, run.columns[measure.family]) if values is None else values


def question_values(runs: Sequence[ByQuestion], measure: Measure) -> Floats:
    """Return a measure of each question alone, where the whole is the mean of these.

    Questions where it is undefined, of all runs alike, are left out. Raises `UsageError` for a
    measure that is no such mean: tests of values of questions say nothing of it. F is none (it
    divides counts of all questions), nor is c@1 (what silence is worth depends on all questions);
    accuracy is one where all questions have as many judged answers.

    Returns
    -------
    Floats
        A row for each run, a column for each question.
    """
    values = np.array([per_question_values(run, measure) for run in runs])
    undefined = np.isnan(values)
    if (undefined == undefined[0]).all() and not undefined[0].all():
        defined = values[:, ~undefined[0]]
        wholes = [whole(run, measure) for run in runs]
        if np.allclose(defined.mean(axis=1), wholes, rtol=0, atol=1e-9):
            return defined
    raise UsageError(
        f"{measure.key} of these runs is no mean of values of questions, which this test compares; "
        "randomisation and bootstrap compute the measure itself anew"
    )


def added_by_question(one: ByQuestion, other: ByQuestion, measure: Measure) -> Floats:
    """Return what each question adds to the difference of two runs.

    It is half of what the difference loses if the two runs swap what they did on the question. Of a
    mean over questions that is the difference of the two values, divided by the number of
    questions; but every measure of counts has it, F too.

    Returns
    -------
    Floats
        A number for each question; above 0 where it speaks for a higher value of `one`.
    """
    left, right = counted_for(one, measure), counted_for(other, measure)
    change = left - right
    differing = np.flatnonzero(change.any(axis=1))
    swapped = change[differing]
    before = whole(one, measure) - whole(other, measure)
    after = computed(one, measure, left.sum(axis=0) - swapped)
    after = after - computed(other, measure, right.sum(axis=0) + swapped)
    added = np.zeros(len(change))
    added[differing] = (before - after) / 2
    return added


def score_of(added: Floats, measure: Measure) -> Score:
    """Return wins, ties and losses; a question is won where it speaks for the run."""
    oriented = added if measure.higher_is_better else -added
    wins, losses = int((oriented > TOLERANCE).sum()), int((oriented < -TOLERANCE).sum())
    return Score(wins, len(added) - wins - losses, losses)


def effect_size(differences: Floats) -> float | None:
    """Return Cohen's d_z: the mean difference of questions in their standard deviations.

    None where all differences are equal. Source: Cohen, Statistical Power Analysis for the
    Behavioral Sciences, 1988.
    """
    if len(differences) < 2 or np.ptp(differences) < TOLERANCE:
        return None
    return float(differences.mean() / differences.std(ddof=1))


# --- randomisation --------------------------------------------------------------------------------

EXACT = 13
"""Up to so many questions on which two runs differ all ways of swapping are gone through."""

_STREAM = 1
"""Tells these random numbers from those of the bootstrap, which has the seed alone."""


class Found(NamedTuple):
    """What a test finds: p in 0..1, NaN where the measure is undefined; whether it is exact."""

    p: float
    exact: bool = False


Signed: TypeAlias = Mapping[tuple[str, str], Floats]
"""(run, what is added up) -> sums with a sign for each question, a row for each sample."""


def signs(questions: int, resampling: Resampling) -> Iterator[npt.NDArray[np.float32]]:
    """Yield blocks of samples: a row each, with 1 or -1 for every question."""
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
    """Add up what measures are computed of with random signs, the same for every run."""
    blocks: dict[str, npt.NDArray[np.floating]] = {}
    for measure in measures:
        stack = np.hstack([counted_for(run, measure) for run in runs])
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
    """Return what a measure is computed of: counts of its family, or its own values."""
    return measure.key if measure.key in run.values else measure.family.name


def randomisation(one: ByQuestion, other: ByQuestion, measure: Measure, signed: Signed) -> Found:
    """Test whether a measure of two runs differs, two-sided; see the module."""
    left, right = counted_for(one, measure), counted_for(other, measure)
    both, change = left.sum(axis=0) + right.sum(axis=0), left - right

    def differences(sums: Floats) -> Floats:
        """Return the differences where the two differ by `sums`, and add up to `both`."""
        halves = ((both + sums) / 2, (both - sums) / 2)
        return computed(one, measure, halves[0]) - computed(other, measure, halves[1])

    seen = differences(change.sum(axis=0, keepdims=True))
    if np.isnan(seen[0]):
        return Found(np.nan)
    differing = change[change.any(axis=1)]
    if len(differing) <= EXACT:
        return Found(_at_least(differences(_every_way(differing)), seen[0]), exact=True)
    source = _source(one, measure)
    drawn = signed[one.run, source] - signed[other.run, source]
    # what was seen is one of the ways that chance could have had
    return Found(_at_least(np.append(differences(drawn), seen), seen[0]))


def _every_way(differing: Floats) -> Floats:
    """Return the sums of all choices of signs, 2^n rows."""
    places = np.arange(len(differing))
    chosen = (np.arange(2 ** len(differing))[:, None] >> places) & 1
    return (chosen * 2 - 1) @ differing


def _at_least(made: Floats, seen: float) -> float:
    """Return the share of defined differences that are as large as the one seen, either way."""
    known = made[~np.isnan(made)]
    return float((np.abs(known) >= abs(seen) - TOLERANCE).mean())
