"""Random samples of answers or questions without replacement, and measures of runs in them.

The studies of measures draw parts of a collection: of 500 questions 250, each at most once, as the
topic sets of Voorhees and Buckley (SIGIR 2002), two of which share nothing. Measures of validation
are about answers, and all others about questions, whose answers then stay together. A sample is a
row of zeros and ones; what is counted in it is the product of the row and what is counted of each
unit. Whole numbers below 2^24 are multiplied exactly in single precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ave_score.counts import Family
from ave_score.errors import UsageError
from ave_score.inference.by_question import Floats, count_by_answer, count_by_question, evaluate
from ave_score.inference.resampling import BLOCK
from ave_score.measures import Measure
from ave_score.model import Collection, Label, Run
from ave_score.text import counted


class Unit(StrEnum):
    """What a sample is of: answers that have been judged, or questions with all their answers."""

    ANSWERS = "answers"
    QUESTIONS = "questions"

    def counted(self, number: int) -> str:
        """Return e.g. `1 judged answer`."""
        word = self.value.removesuffix("s")
        return counted(number, f"judged {word}" if self is Unit.ANSWERS else word)


class Units(NamedTuple):
    """What is counted of each unit of some runs.

    Attributes
    ----------
    unit
        What they are.
    number
        How many.
    columns
        Family -> unit, run, field of the family's counts -> what is counted.
    """

    unit: Unit
    number: int
    columns: Mapping[Family, npt.NDArray[Any]]


def units_of(measures: Iterable[Measure], wanted: Unit | None) -> dict[Unit, list[Measure]]:
    """Return what samples are of, and for which measures.

    Unless one of them is `wanted`, measures of validation are studied in samples of answers, all
    others in samples of questions. Raises `UsageError` that lists all measures without samples.
    """
    found: dict[Unit, list[Measure]] = {}
    refused = []
    for measure in measures:
        family = measure.family
        if not family.of_answers or (wanted is Unit.ANSWERS and not family.of_pairs):
            refused.append(measure.key)
        usual = Unit.ANSWERS if family.of_pairs else Unit.QUESTIONS
        found.setdefault(wanted or usual, []).append(measure)
    if refused:
        units = "questions or answers" if wanted is None else wanted
        raise UsageError(f"cannot be computed in samples of {units}: {', '.join(refused)}")
    return found


def count_units(
    runs: Iterable[Run], collection: Collection, families: Iterable[Family], unit: Unit
) -> Units:
    """Count every unit of every run.

    Raises `UsageError` for fewer than two runs, and where runs cannot be counted so.
    """
    wanted = set(families)
    if unit is Unit.ANSWERS:
        if any(not family.of_pairs for family in wanted):
            raise UsageError("answer by answer there is validation to count, and nothing else")
        judged = np.frombuffer(collection.labels, dtype=np.uint8) != Label.UNKNOWN
        columns_of = [
            {family: count_by_answer(run, collection, family)[judged] for family in wanted}
            for run in runs
        ]
        number = int(judged.sum())
    else:
        by_question = [count_by_question(run, collection, wanted).columns for run in runs]
        columns_of = [{family: _narrow(one[family]) for family in wanted} for one in by_question]
        number = len(collection.index.spans)
    if len(columns_of) < 2:
        raise UsageError("one run cannot be compared: two runs at least are needed")
    columns = {family: np.stack([one[family] for one in columns_of], axis=1) for family in wanted}
    return Units(unit, number, columns)


def _narrow(columns: Floats) -> npt.NDArray[np.floating]:
    """Return columns in single precision where sums of them are exact in it."""
    is_exact = (columns == np.floor(columns)).all() and np.abs(columns).sum() < 2**24
    return columns.astype(np.float32) if is_exact else columns


# --- samples --------------------------------------------------------------------------------------

Masks: TypeAlias = npt.NDArray[np.bool_]
Watch: TypeAlias = Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]
"""Hands the blocks on, and may show how many are done."""


class Sampling(NamedTuple):
    """How samples are drawn.

    Attributes
    ----------
    size
        Units in each; None: half of all.
    repetitions
        How often.
    seed
        From which they follow: one seed, one result.
    """

    size: int | None = None
    repetitions: int = 500
    seed: int = 0

    def settled(self, unit: Unit, units: int, samples: int) -> Sampling:
        """Return it with a size that so many `samples` without a common unit can have.

        Raises `UsageError`, with the reason, where there is none.
        """
        if self.repetitions < 1:
            raise UsageError(f"{self.repetitions} repetitions: there must be one at least")
        if units < 2:
            raise UsageError(f"the collection has {unit.counted(units)}, too few for half of them")
        size = units // 2 if self.size is None else self.size
        if size < 1:
            raise UsageError(f"a sample of {unit.counted(size)} has nothing to be scored")
        if size * samples > units:
            needed = f"{samples} disjoint samples need {size * samples}: " * (samples > 1)
            most = units // samples
            raise UsageError(
                f"no sample of {unit.counted(size)} can be drawn from {units}: {needed}"
                f"--size {most} at most"
            )
        return self._replace(size=size)


class Sampled(NamedTuple):
    """A measure in all samples.

    Attributes
    ----------
    measure, unit, units
        The measure, what was sampled, and how many of these there are.
    sampling
        How samples were drawn, their size included.
    scores
        Sample of a repetition, repetition, run -> the measure; NaN where it is undefined.
    """

    measure: Measure
    unit: Unit
    units: int
    sampling: Sampling
    scores: Floats


def blocks(units: int, sampling: Sampling) -> list[int]:
    """Return how many repetitions are drawn at a time."""
    size = max(1, BLOCK // units)
    whole, rest = divmod(sampling.repetitions, size)
    return [size] * whole + [rest] * (rest > 0)


def draw(
    units: int, sampling: Sampling, samples: int, rows: Iterable[int]
) -> Iterator[list[Masks]]:
    """Yield for each block `samples` masks: a row a repetition, true where a unit is in the sample.

    Every unit gets a random number. The units of the smallest numbers are the first sample, those
    of the next smallest the second, so that no unit is in two samples of a repetition. `sampling`
    has a size that has been settled.
    """
    size = sampling.size or 0
    ends = [size * (place + 1) for place in range(samples)]
    generator = np.random.default_rng(sampling.seed)
    for each in rows:
        order = np.argpartition(generator.random((each, units)), [end - 1 for end in ends], axis=1)
        masks = []
        for end in ends:
            mask = np.zeros((each, units), dtype=np.bool_)
            np.put_along_axis(mask, order[:, end - size : end], True, axis=1)
            masks.append(mask)
        yield masks


def score_samples(
    units: Units,
    measures: Sequence[Measure],
    sampling: Sampling,
    samples: int = 1,
    watch: Watch = nullcontext,
) -> list[Sampled]:
    """Compute measures of all runs in the same random samples.

    Parameters
    ----------
    samples
        How many disjoint samples each repetition draws.

    Raises `UsageError` for samples that cannot be.
    """
    settled = sampling.settled(units.unit, units.number, samples)
    families = {measure.family for measure in measures}
    totals: dict[Family, list[list[Floats]]] = {
        family: [[] for _ in range(samples)] for family in families
    }
    with watch(blocks(units.number, settled)) as rows:
        for masks in draw(units.number, settled, samples, rows):
            for place, mask in enumerate(masks):
                single = mask.astype(np.float32)
                for family in families:
                    totals[family][place].append(_totals(single, units.columns[family]))
    joined = {
        family: np.stack([np.concatenate(parts) for parts in several])
        for family, several in totals.items()
    }
    return [
        Sampled(one, units.unit, units.number, settled, _evaluated(one, joined[one.family]))
        for one in measures
    ]


def _totals(mask: npt.NDArray[np.float32], columns: npt.NDArray[Any]) -> Floats:
    """Return sample, run, field -> what is counted; some units at a time, to bound memory."""
    units, runs, fields = columns.shape
    side_by_side = columns.reshape(units, runs * fields)
    precision = np.result_type(columns, np.float32)
    size = max(1, BLOCK // (runs * fields))
    total = np.zeros((len(mask), runs * fields))
    for start in range(0, units, size):
        some = slice(start, start + size)
        total += mask[:, some] @ side_by_side[some].astype(precision)
    return total.reshape(len(mask), runs, fields)


def _evaluated(measure: Measure, totals: Floats) -> Floats:
    """Return the measure for every last row of `totals`."""
    flat = evaluate(measure, totals.reshape(-1, totals.shape[-1]))
    return flat.reshape(totals.shape[:-1])
