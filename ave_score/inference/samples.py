"""Random samples of answers or questions without replacement, and the measures of runs on them.

The studies of measures draw subsets of a collection, e.g. 250 of 500 questions, each at most once,
like the disjoint topic sets of Voorhees and Buckley (SIGIR 2002). Questions are sampled with all
their answers, which depend on each other; measures of validation can be sampled over answers, too,
and pairs belong to no question. A sample is a 0/1 row; its counts are the product of this row and
the counts of each unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, Label, QARun, Run
from ave_score.core.policies import Policies
from ave_score.core.standards import CANDIDATES, Standard
from ave_score.core.text import quantity
from ave_score.inference.by_question import ByQuestion, CountRows, Floats
from ave_score.inference.counting import count_by_answer
from ave_score.inference.sums import SampleScores
from ave_score.inference.units import count_for
from ave_score.measures import Measure

BLOCK = 8_000_000
"""Units of samples in memory at a time."""


class Unit(StrEnum):
    """The unit of sampling: judged answers, or questions with all their answers."""

    ANSWERS = "answers"
    QUESTIONS = "questions"

    def quantity(self, number: int) -> str:
        """Return e.g. `1 judged answer`."""
        word = self.value.removesuffix("s")
        return quantity(number, f"judged {word}" if self is Unit.ANSWERS else word)


def unit_of(
    measures: Iterable[Measure], wanted: str | None, standard: Standard = CANDIDATES
) -> Unit:
    """Return the unit of samples: questions, unless answers are `wanted` or there are only pairs.

    Raises `UsageError` that lists the measures that cannot be computed on samples of answers.
    """
    unit = Unit(wanted or (Unit.QUESTIONS if standard.has_questions else Unit.ANSWERS))
    refused = [measure.key for measure in measures if not _is_of_answers(measure)]
    if unit is Unit.ANSWERS and refused:
        raise UsageError(f"cannot be computed on samples of answers: {', '.join(refused)}")
    return unit


def _is_of_answers(measure: Measure) -> bool:
    """Tell whether the counts of single answers add up to those of a measure."""
    family = measure.family
    return family.of_pairs and family.of_decisions is not None and not measure.parts


def count_units(
    subjects: Iterable[Run | QARun],
    collection: Collection,
    measures: Sequence[Measure],
    unit: Unit,
    policies: Policies = Policies(),  # noqa: B008 - it cannot be changed
) -> list[ByQuestion]:
    """Count every unit of every run and QA system for measures.

    Raises `UsageError` for measures that cannot be counted by unit.
    """
    if unit is Unit.ANSWERS:
        runs = [_count_answers(subject, collection, measures) for subject in subjects]
    elif not collection.standard.has_questions:
        raise UsageError("pairs belong to no question, so questions cannot be sampled")
    else:
        runs = [count_for(subject, collection, measures, policies) for subject in subjects]
    for measure in measures:
        for run in runs:
            if not run.has(measure):
                whose = "" if measure.no_interval else f" of {run.run}"
                raise UsageError(f"no samples of {measure.key}{whose}: {run.why_not(measure)}")
    return runs


def _count_answers(
    subject: Run | QARun, collection: Collection, measures: Sequence[Measure]
) -> ByQuestion:
    """Count a run by judged answer."""
    if not isinstance(subject, Run):
        raise UsageError(f"{subject.name} is a QA system: use samples of questions")
    families = {measure.family for measure in measures}
    judged = np.frombuffer(collection.labels, dtype=np.uint8) != Label.UNKNOWN
    columns = {}
    for family in families:
        rows = count_by_answer(subject, collection, family)
        columns[family] = CountRows(rows.distinct, rows.index[judged])
    return ByQuestion(subject.name, columns, unit="answer")


# --- samples --------------------------------------------------------------------------------------

Masks: TypeAlias = npt.NDArray[np.bool_]
Watch: TypeAlias = Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]
"""Passes the blocks through, and may show progress."""


class Sampling(NamedTuple):
    """How samples are drawn.

    Attributes
    ----------
    size
        Units per sample; None: half of all units.
    resamples
        The number of samples, or of sets of disjoint ones.
    seed
        The seed of the random numbers; equal seeds give equal results.
    unit
        `answers`, for measures of validation of runs, or `questions`. None: questions; of pairs,
        which belong to none, answers.
    """

    size: int | None = None
    resamples: int = 500
    seed: int = 0
    unit: str | None = None

    def settled(self, unit: Unit, units: int, samples: int) -> Sampling:
        """Return it with its size set and checked for a number of disjoint `samples`.

        Raises `UsageError` if such samples cannot be drawn.
        """
        if self.resamples < 1:
            raise UsageError(f"{self.resamples} resamples: at least 1 is required")
        if units < 2:
            raise UsageError(f"the collection has {unit.quantity(units)}, too few for half of them")
        size = units // 2 if self.size is None else self.size
        if size < 1:
            raise UsageError(f"a sample of {unit.quantity(size)}: at least 1 is required")
        if size * samples > units:
            needed = f"{samples} disjoint samples need {size * samples}: " * (samples > 1)
            most = units // samples
            raise UsageError(
                f"no sample of {unit.quantity(size)} can be drawn from {units}: {needed}"
                f"--size {most} at most"
            )
        return self._replace(size=size)


class Sampled(NamedTuple):
    """A measure on all samples.

    Attributes
    ----------
    measure, unit, units
        The measure, the unit of sampling, and the number of units in the collection.
    sampling
        How samples were drawn, including their size.
    scores
        The values of the measure, NaN where it is undefined; the axes are sample of a resample,
        resample, and run.
    """

    measure: Measure
    unit: Unit
    units: int
    sampling: Sampling
    scores: Floats


def blocks(units: int, sampling: Sampling) -> list[int]:
    """Return the number of resamples in each block."""
    size = max(1, BLOCK // units)
    whole, rest = divmod(sampling.resamples, size)
    return [size] * whole + [rest] * (rest > 0)


def draw(units: int, sampling: Sampling, samples: int, rows: Iterable[int]) -> Iterator[Masks]:
    """Yield `samples` masks per block: a row per resample, true for units in the sample.

    Every unit gets a random number. The units with the smallest numbers are the first sample, the
    next are the second, so the samples of a row are disjoint. The size of `sampling` must
    be set.
    """
    size = sampling.size or 0
    generator = np.random.default_rng(sampling.seed)
    for resamples in rows:
        masks = np.empty((samples, resamples, units), dtype=np.bool_)
        for row in range(resamples):
            numbers = generator.random(units)
            before = np.zeros(units, dtype=np.bool_)
            for place in range(samples):
                smallest = smallest_of(numbers, size * (place + 1))
                masks[place, row] = smallest & ~before
                before = smallest
        yield masks


def smallest_of(numbers: Floats, size: int) -> Masks:
    """Tell which of some numbers are the smallest; of equal numbers, the first are smaller."""
    if size == len(numbers):
        return np.ones(size, dtype=np.bool_)
    is_smallest: Masks = numbers <= np.partition(numbers, size - 1)[size - 1]
    if np.count_nonzero(is_smallest) > size:
        is_smallest[np.argsort(numbers, kind="stable")[size:]] = False
    return is_smallest


def score_samples(
    runs: Sequence[ByQuestion],
    unit: Unit,
    measures: Sequence[Measure],
    sampling: Sampling,
    samples: int = 1,
    watch: Watch = nullcontext,
) -> list[Sampled]:
    """Compute measures of all runs on the same random samples.

    Parameters
    ----------
    runs
        As `count_units` returns them.
    samples
        The number of disjoint samples per resample.

    Raises `UsageError` if such samples cannot be drawn.
    """
    units = runs[0].questions
    settled = sampling.settled(unit, units, samples)
    scores = SampleScores(runs, measures)
    values = np.empty((samples, len(measures), settled.resamples, len(runs)))
    start = 0
    with watch(blocks(units, settled)) as rows:
        for masks in draw(units, settled, samples, rows):
            span = slice(start, start + len(masks[0]))
            for place, mask in enumerate(masks):
                values[place, :, span] = scores.over(mask).swapaxes(1, 2)
            start = span.stop
    return [
        Sampled(measure, unit, units, settled, values[:, number])
        for number, measure in enumerate(measures)
    ]
