"""Random samples of answers or questions without replacement, and the measures of runs on them.

The studies of measures draw subsets of a collection, e.g. 250 of 500 questions, each at most once,
like the disjoint topic sets of Voorhees and Buckley (SIGIR 2002). Measures of validation are
sampled over answers, all others over questions with all their answers. A sample is a 0/1 row; its
counts are the product of this row and the counts of each unit. Integers below 2^24 are multiplied
exactly in single precision.
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
    """The unit of sampling: judged answers, or questions with all their answers."""

    ANSWERS = "answers"
    QUESTIONS = "questions"

    def counted(self, number: int) -> str:
        """Return e.g. `1 judged answer`."""
        word = self.value.removesuffix("s")
        return counted(number, f"judged {word}" if self is Unit.ANSWERS else word)


class Units(NamedTuple):
    """The counts of each unit of several runs.

    Attributes
    ----------
    unit
        The unit of sampling.
    number
        The number of units.
    columns
        Family -> an array of counts; its axes are unit, run, and field of the family's counts.
    """

    unit: Unit
    number: int
    columns: Mapping[Family, npt.NDArray[Any]]


def units_of(measures: Iterable[Measure], wanted: Unit | None) -> dict[Unit, list[Measure]]:
    """Group measures by the unit of their samples.

    Unless a unit is `wanted`, measures of validation use samples of answers, and all others
    samples of questions. Raises `UsageError` that lists the measures that cannot be sampled.
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
        raise UsageError(f"cannot be computed on samples of {units}: {', '.join(refused)}")
    return found


def count_units(
    runs: Iterable[Run], collection: Collection, families: Iterable[Family], unit: Unit
) -> Units:
    """Count every unit of every run.

    Raises `UsageError` for fewer than two runs, and for runs that cannot be counted by unit.
    """
    wanted = set(families)
    if unit is Unit.ANSWERS:
        if any(not family.of_pairs for family in wanted):
            raise UsageError("only measures of validation can be computed on samples of answers")
        judged = np.frombuffer(collection.labels, dtype=np.uint8) != Label.UNKNOWN
        columns_of = [
            {family: count_by_answer(run, collection, family)[judged] for family in wanted}
            for run in runs
        ]
        number = int(judged.sum())
    else:
        by_question = [count_by_question(run, collection, wanted).columns for run in runs]
        columns_of = [{family: _narrow(run[family]) for family in wanted} for run in by_question]
        number = len(collection.index.spans)
    if len(columns_of) < 2:
        raise UsageError("a comparison needs at least two runs")
    columns = {family: np.stack([run[family] for run in columns_of], axis=1) for family in wanted}
    return Units(unit, number, columns)


def _narrow(columns: Floats) -> npt.NDArray[np.floating]:
    """Convert columns to single precision if their sums remain exact."""
    is_exact = (columns == np.floor(columns)).all() and np.abs(columns).sum() < 2**24
    return columns.astype(np.float32) if is_exact else columns


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
    repetitions
        The number of repetitions.
    seed
        The seed of the random numbers; equal seeds give equal results.
    """

    size: int | None = None
    repetitions: int = 500
    seed: int = 0

    def settled(self, unit: Unit, units: int, samples: int) -> Sampling:
        """Return it with its size set and checked for a number of disjoint `samples`.

        Raises `UsageError` if such samples cannot be drawn.
        """
        if self.repetitions < 1:
            raise UsageError(f"{self.repetitions} repetitions: at least 1 is required")
        if units < 2:
            raise UsageError(f"the collection has {unit.counted(units)}, too few for half of them")
        size = units // 2 if self.size is None else self.size
        if size < 1:
            raise UsageError(f"a sample of {unit.counted(size)}: at least 1 is required")
        if size * samples > units:
            needed = f"{samples} disjoint samples need {size * samples}: " * (samples > 1)
            most = units // samples
            raise UsageError(
                f"no sample of {unit.counted(size)} can be drawn from {units}: {needed}"
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
        The values of the measure, NaN where it is undefined; the axes are sample of a repetition,
        repetition, and run.
    """

    measure: Measure
    unit: Unit
    units: int
    sampling: Sampling
    scores: Floats


def blocks(units: int, sampling: Sampling) -> list[int]:
    """Return the number of repetitions in each block."""
    size = max(1, BLOCK // units)
    whole, rest = divmod(sampling.repetitions, size)
    return [size] * whole + [rest] * (rest > 0)


def draw(
    units: int, sampling: Sampling, samples: int, rows: Iterable[int]
) -> Iterator[list[Masks]]:
    """Yield `samples` masks per block: a row per repetition, true for units in the sample.

    Every unit gets a random number. The units with the smallest numbers are the first sample, the
    next are the second, so the samples of a repetition are disjoint. The size of `sampling` must
    be set.
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
    """Compute measures of all runs on the same random samples.

    Parameters
    ----------
    samples
        The number of disjoint samples per repetition.

    Raises `UsageError` if such samples cannot be drawn.
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
        Sampled(
            measure, units.unit, units.number, settled, _evaluated(measure, joined[measure.family])
        )
        for measure in measures
    ]


def _totals(mask: npt.NDArray[np.float32], columns: npt.NDArray[Any]) -> Floats:
    """Return the counts by sample, run and field; in chunks of units, to bound memory."""
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
    """Compute the measure along the last axis of `totals`."""
    flat = evaluate(measure, totals.reshape(-1, totals.shape[-1]))
    return flat.reshape(totals.shape[:-1])
