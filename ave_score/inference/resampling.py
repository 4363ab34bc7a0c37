"""Bootstrap over questions: samples of the questions with replacement, the same for every run.

A sample is a vector of the questions' frequencies; the counts of the sample are the product of this
vector and the counts per question. Integers below 2^24 are multiplied exactly in single
precision, on any number of threads.

Sources: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, chapters 12-14.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ave_score.core.errors import UsageError
from ave_score.inference.by_question import ByQuestion, Floats, rounded
from ave_score.inference.samples import Watch
from ave_score.inference.sums import SampleScores
from ave_score.measures import Measure

BLOCK = 2_000_000
"""Random numbers drawn at a time, which keeps memory below 100 MB."""

_LEFT_OUT = 2_000
"""Questions that the jackknife leaves out in turn, of a measure that is computed again for each."""


class Resampling(NamedTuple):
    """How samples are drawn.

    Attributes
    ----------
    resamples
        The number of samples.
    seed
        The seed of the random numbers; equal seeds give equal results.
    """

    resamples: int = 10_000
    seed: int = 0


class Interval(NamedTuple):
    """A confidence interval; both ends are NaN if the measure is undefined."""

    low: float
    high: float


Replicates = Mapping[tuple[str, str], Floats]
"""(run, measure's key) -> the measure on every sample."""


def block_size(questions: int) -> int:
    """Return the number of samples in a block."""
    return max(1, BLOCK // questions)


def weights(questions: int, resampling: Resampling) -> Iterator[Floats]:
    """Yield blocks of samples: a row per sample with the frequency of every question."""
    generator = np.random.default_rng(resampling.seed)
    size = block_size(questions)
    for start in range(0, resampling.resamples, size):
        rows = min(size, resampling.resamples - start)
        drawn = generator.integers(0, questions, (rows, questions), dtype=np.int32)
        yield np.array([np.bincount(row, minlength=questions) for row in drawn], dtype=float)


def replicate(
    runs: Sequence[ByQuestion],
    measures: Sequence[Measure],
    resampling: Resampling,
    watch: Watch = nullcontext,
) -> Replicates:
    """Compute measures of runs on samples of their questions.

    The samples are the same for all runs and measures, so differences can be computed per sample.
    Measures that cannot be computed on samples of a run are omitted. `watch` passes the starts of
    the blocks of samples through, and may show progress.
    """
    questions = questions_of(runs)
    if not measures:
        return {}
    scores = SampleScores(runs, measures)
    replicates = np.empty((len(measures), len(runs), resampling.resamples))
    starts = range(0, resampling.resamples, block_size(questions))
    with watch(starts) as watched:
        for start, block in zip(watched, weights(questions, resampling), strict=True):
            replicates[:, :, start : start + len(block)] = scores.over(block)
    return {
        (run.run, measure.key): replicates[number, place]
        for number, measure in enumerate(measures)
        for place, run in enumerate(runs)
        if run.has(measure)
    }


def replicate_each(
    runs: Sequence[ByQuestion],
    measures: Sequence[Measure],
    resampling: Resampling,
    watch: Watch = nullcontext,
) -> Replicates:
    """Compute measures of runs, each on samples of its own questions, as `replicate`.

    Runs that lack excluded answers may have fewer questions than others. Runs of equally many
    questions have the same samples.
    """
    of_size: dict[int, list[ByQuestion]] = {}
    for run in runs:
        of_size.setdefault(run.questions, []).append(run)
    replicates: dict[tuple[str, str], Floats] = {}
    for alike in of_size.values():
        replicates |= replicate(alike, measures, resampling, watch)
    return replicates


def questions_of(runs: Sequence[ByQuestion]) -> int:
    """Return the number of questions of all runs; raises `UsageError` if there are too few."""
    arrays = [array for run in runs for array in (*run.columns.values(), *run.values.values())]
    sizes = set(map(len, arrays))
    if len(sizes) != 1:
        raise UsageError("the runs belong to different collections, so they cannot share samples")
    (questions,) = sizes
    if questions < 2:
        unit = runs[0].unit
        raise UsageError(f"samples need at least 2 {unit}s, the collection has {questions}")
    return questions


def bca(replicates: Floats, value: float, jackknifed: Floats, level: float) -> Interval:
    """Return the bias-corrected and accelerated interval.

    Parameters
    ----------
    value
        The measure on all questions.
    jackknifed
        The measure with each question left out in turn.
    level
        The confidence level, in 0..1.
    """
    normal = NormalDist()
    known = replicates[~np.isnan(replicates)]
    left = jackknifed[~np.isnan(jackknifed)]
    below = ((known < value).mean() + (known <= value).mean()) / 2
    if below in (0, 1):
        return _between(known, [(1 - level) / 2, (1 + level) / 2])
    bias = normal.inv_cdf(float(below))
    offsets = left.mean() - left
    spread = 6 * (offsets**2).sum() ** 1.5
    acceleration = (offsets**3).sum() / spread if spread else 0.0
    tail = normal.inv_cdf((1 - level) / 2)
    shares = []
    for shifted in (bias + tail, bias - tail):
        shares.append(normal.cdf(bias + shifted / (1 - float(acceleration) * shifted)))
    return _between(known, shares)


def _between(known: Floats, shares: Sequence[float]) -> Interval:
    low, high = rounded(np.quantile(known, shares))
    return Interval(float(low), float(high))


def jackknife(run: ByQuestion, measure: Measure) -> Floats:
    """Return the measure of a run with each question left out in turn."""
    if run.runs:
        return np.asarray(np.mean([jackknife(one, measure) for one in run.runs], axis=0))
    if measure.key in run.samplers:
        return _without_each(run, measure)
    rows = run.rows_of(measure)
    return np.asarray(run.computed(measure, rows.total - rows.distinct)[rows.index])


def _without_each(run: ByQuestion, measure: Measure) -> Floats:
    """Compute the jackknife values of a measure with a sampler, in blocks.

    Time would grow with the square of the questions, so of many only a sample is left out. Each
    value then stands for several questions, which keeps the size of sums of their powers.
    """
    number = min(run.questions, _LEFT_OUT)
    chosen = np.random.default_rng(0).choice(run.questions, number, replace=False)
    parts = []
    for left_out in np.array_split(np.sort(chosen), -(-number * run.questions // BLOCK)):
        times = np.ones((len(left_out), run.questions))
        times[np.arange(len(left_out)), left_out] = 0
        parts.append(run.measured(measure, times))
    return np.concatenate(parts)[np.arange(run.questions) * number // run.questions]


def whole(run: ByQuestion, measure: Measure) -> float:
    """Return the measure of a run on all its questions."""
    if measure.key in run.samplers:
        return float(run.measured(measure, np.ones((1, run.questions)))[0])
    return float(run.computed(measure, run.rows_of(measure).whole)[0])
