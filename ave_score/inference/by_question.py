"""Counts of each question as arrays, for resampling and significance tests.

Counts are additive: a sample of questions is scored from the sum of its questions' counts. Equal
questions are counted only once, by the families of `counts`. The functions of measures accept
arrays in place of numbers (see `exact.ratio`), so they are computed for many samples at once. The
values here are floats; printed scores remain exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ave_score.counts import ANSWERING, Counts, Family
from ave_score.counts.joined import CELLS, cells, one_question
from ave_score.counts.judged import JudgedSystem, SystemOutcome
from ave_score.errors import UsageError
from ave_score.measures import Measure, NotApplicable
from ave_score.model import Collection, Run

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

TOLERANCE = 1e-11
"""Values that differ by less are equal; `evaluate` rounds to 1e-12."""

_REMEMBERED = 2**16
"""Distinct questions whose counts are cached for other runs."""


class ByQuestion(NamedTuple):
    """The counts of a run, question by question.

    Attributes
    ----------
    run
        The name of the run.
    columns
        Family -> an array with a row per question and a column per field of the family's counts.
    values
        Key of a measure that is a mean over questions -> its value for each question.
    samplers
        Key of a measure that ranks answers of all questions together -> a function that computes
        it for samples, from the frequency of every question in each sample.
    """

    run: str
    columns: Mapping[Family, Floats]
    values: Mapping[str, Floats] = {}
    samplers: Mapping[str, Callable[[Floats], Floats]] = {}

    @property
    def questions(self) -> int:
        """The number of questions."""
        return len(next(iter([*self.columns.values(), *self.values.values()])))

    def measured(self, measure: Measure, times: npt.NDArray[np.floating]) -> Floats:
        """Compute a measure for samples of the questions.

        `times` has a row per sample with the frequency of every question in it.
        """
        if measure.key in self.samplers:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = self.samplers[measure.key](np.asarray(times, dtype=float))
            return rounded(np.where(np.isfinite(found), found, np.nan))
        if measure.key in self.values:
            return rounded(times @ self.values[measure.key] / times.sum(axis=1))
        return evaluate(measure, times @ self.columns[measure.family])


# --- counting -------------------------------------------------------------------------------------


def is_countable(measure: Measure) -> bool:
    """Tell whether a measure can be computed from counts or values of single questions."""
    return measure.family.of_answers is not None or _is_mean(measure)


def _is_mean(measure: Measure) -> bool:
    """Tell whether a measure is the mean of its values for single questions."""
    return measure.is_mean and measure.family.by_question is not None


def count_for(
    run: Run,
    collection: Collection,
    measures: Sequence[Measure],
    ties: str,
    also: Iterable[Family] = (),
) -> ByQuestion:
    """Count question by question the data for measures, all of which must be countable.

    The families of `also` are always counted.
    """
    means = [measure for measure in measures if _is_mean(measure)]
    families = {measure.family for measure in measures if measure not in means}.union(also)
    counted = count_by_question(run, collection, families)
    return counted._replace(values=_values_by_question(run, collection, ties, means))


def count_by_question(run: Run, collection: Collection, families: Iterable[Family]) -> ByQuestion:
    """Count a run question by question; the rows of a family add up to the counts of the run.

    Raises `UsageError` for pairs, and for families that cannot be counted by question.
    """
    if collection.index.is_pairs:
        raise UsageError("pairs belong to no question, so questions cannot be sampled")
    wanted = sorted(set(families), key=str)
    unknown = ", ".join(str(family) for family in wanted if family.of_answers is None)
    if unknown:
        raise UsageError(f"measures of {unknown} cannot be computed on samples of questions")
    tallies, index = _distinct(_tallies(run, collection))
    columns = {
        family: np.array([_row_of_tally(family, tally) for tally in tallies])[index]
        for family in wanted
    }
    return ByQuestion(run.name, columns)


def _tallies(run: Run, collection: Collection) -> list[bytes]:
    """Return for each question the frequencies of all cells, from which decisions are counted."""
    starts = np.asarray(collection.index.starts, dtype=np.int64)
    number = len(starts) - 1
    question = np.repeat(np.arange(number), np.diff(starts))
    joined = np.frombuffer(cells(run, collection), dtype=np.uint8)
    times = np.bincount(question * CELLS + joined, minlength=CELLS * number)
    data, width = times.astype(np.uint32).tobytes(), 4 * CELLS
    return [data[start : start + width] for start in range(0, len(data), width)]


@lru_cache(_REMEMBERED)
def _row_of_tally(family: Family, tally: bytes) -> tuple[float, ...]:
    """Return the counts of a question with these frequencies of cells."""
    times = np.frombuffer(tally, dtype=np.uint32)
    return _row_of_cells(family, np.repeat(np.arange(CELLS, dtype=np.uint8), times).tobytes())


def _row_of_cells(family: Family, some_cells: bytes) -> tuple[float, ...]:
    assert family.of_answers
    return _row(family.of_answers(one_question(some_cells)))


def _row(counts: Counts) -> tuple[float, ...]:
    return tuple(float(value) for value in vars(counts).values())


Distinct = TypeVar("Distinct", bound=Hashable)


def _distinct(items: Iterable[Distinct]) -> tuple[list[Distinct], Integers]:
    """Return the distinct items, and the index of every item among them."""
    numbers: dict[Distinct, int] = {}
    index = [numbers.setdefault(item, len(numbers)) for item in items]
    return list(numbers), np.array(index, dtype=np.int64)


def count_by_answer(run: Run, collection: Collection, family: Family) -> npt.NDArray[np.uint8]:
    """Count a run answer by answer: each answer counts as a question."""
    joined = np.frombuffer(cells(run, collection), dtype=np.uint8)
    table = [_row_of_cells(family, bytes([cell])) for cell in range(CELLS)]
    return np.array(table, dtype=np.uint8)[joined]


def _values_by_question(
    run: Run, collection: Collection, ties: str, measures: Iterable[Measure]
) -> dict[str, Floats]:
    """Return the values for each question of measures that are means, by the measures' keys."""
    found = {}
    counted: dict[Family, Sequence[Counts]] = {}
    for measure in measures:
        family = measure.family
        assert family.by_question
        if family not in counted:
            counted[family] = list(family.by_question(run, collection, ties))
        distinct = {id(counts): counts for counts in counted[family]}
        values = {key: _as_float(measure, counts) for key, counts in distinct.items()}
        found[measure.key] = np.array([values[id(counts)] for counts in counted[family]])
    return found


def count_system(system: JudgedSystem, measures: Iterable[Measure]) -> ByQuestion:
    """Count a QA system question by question, for families that support it.

    `ANSWERING` is always counted, so the result always has a row per question.
    """
    families = {ANSWERING, *(measure.family for measure in measures)}
    outcomes, index = _distinct(system.outcomes)
    columns = {}
    for family in sorted(families, key=str):
        if family.of_outcomes and (len(system.collection.index) or not family.needs_candidates):
            rows = [_row_of_outcome(family, outcome) for outcome in outcomes]
            columns[family] = np.array(rows)[index]
    return ByQuestion(system.system.name, columns)


@lru_cache(_REMEMBERED)
def _row_of_outcome(family: Family, outcome: SystemOutcome) -> tuple[float, ...]:
    """Return the counts of a single outcome."""
    assert family.of_outcomes
    return _row(family.of_outcomes([outcome]))


# --- computing ------------------------------------------------------------------------------------


class _Column(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    """A count of many samples; operations convert fractions to floats, not to objects."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:  # noqa: ANN401
        plain = [float(x) if isinstance(x, Fraction) else np.asarray(x) for x in inputs]
        return getattr(ufunc, method)(*plain, **named).view(_Column)


def evaluate(measure: Measure, totals: Floats) -> Floats:
    """Compute a measure for many samples.

    Parameters
    ----------
    totals
        A row per sample, a column per field of the counts of the measure's family.

    Returns
    -------
    Floats
        A value for each sample; NaN where the measure is undefined.
    """
    counts = measure.family.counts(*totals.T.view(_Column))
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(measure.function(counts, *measure.values), dtype=float)
    except (TypeError, ValueError):  # the function does not support arrays
        exact = (map(Fraction, row) for row in totals.tolist())
        return np.array([_as_float(measure, type(counts)(*row)) for row in exact])
    found = np.broadcast_to(found, len(totals))  # None becomes a scalar NaN
    return rounded(np.where(np.isfinite(found), found, np.nan))


def rounded(values: Floats) -> Floats:
    """Round to 12 decimals, which removes rounding errors that depend on the order of summation.

    Mathematically equal values then compare equal, and results depend only on the seed.
    """
    return np.asarray(np.round(values, 12), dtype=float)


def _as_float(measure: Measure, counts: Counts) -> float:
    """Return the exact measure of counts as a float; NaN where it is undefined."""
    try:
        value = measure(counts)
    except NotApplicable:
        return float("nan")
    return float("nan") if value is None else float(value)
