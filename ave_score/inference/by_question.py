"""What is counted of each question, as arrays: what resampling and tests work on.

Counts add up, so that a sample of questions is scored by adding up what is counted of each. The
families of `counts` do the counting: many questions are alike, so each distinct one is counted
once. The functions of measures take arrays in the place of numbers (see `exact.ratio`), and so are
computed for many samples at once. Figures that are printed are still exact; these are floats.
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
"""How far figures may differ that are equal if they are exact; `evaluate` rounds to 1e-12."""

_REMEMBERED = 2**16
"""Distinct questions of which the counts are kept, for other runs."""


class ByQuestion(NamedTuple):
    """What is counted of a run.

    Attributes
    ----------
    run
        Its name.
    columns
        Family -> an array with a row for each question and a column for each field of its counts.
    values
        Key of a measure that is a mean over questions -> what it is of each question.
    samplers
        Key of a measure that ranks answers of all questions together -> what computes it in
        samples, of how often every question is in each.
    """

    run: str
    columns: Mapping[Family, Floats]
    values: Mapping[str, Floats] = {}
    samplers: Mapping[str, Callable[[Floats], Floats]] = {}

    @property
    def questions(self) -> int:
        """How many there are."""
        return len(next(iter([*self.columns.values(), *self.values.values()])))

    def measured(self, measure: Measure, times: npt.NDArray[np.floating]) -> Floats:
        """Compute a measure in samples of the questions.

        `times` has a row for each sample: how often every question is in it.
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
    """Tell whether a measure is computed from what single questions add to it."""
    return measure.family.of_answers is not None or _is_mean(measure)


def _is_mean(measure: Measure) -> bool:
    """Tell whether it is the mean of what it is of each question alone."""
    return measure.is_mean and measure.family.by_question is not None


def count_for(
    run: Run,
    collection: Collection,
    measures: Sequence[Measure],
    ties: str,
    also: Iterable[Family] = (),
) -> ByQuestion:
    """Count question by question what measures are computed of.

    The measures are countable; the families of `also` are counted in any case.
    """
    means = [one for one in measures if _is_mean(one)]
    families = {one.family for one in measures if one not in means}.union(also)
    counted = count_by_question(run, collection, families)
    return counted._replace(values=_values_by_question(run, collection, ties, means))


def count_by_question(run: Run, collection: Collection, families: Iterable[Family]) -> ByQuestion:
    """Count a run question by question; raises `UsageError` for what cannot be counted so.

    The rows of a family add up to what is counted of the whole run.
    """
    if collection.index.is_pairs:
        raise UsageError("pairs belong to no question, and questions are what is sampled")
    wanted = sorted(set(families), key=str)
    unknown = ", ".join(str(family) for family in wanted if family.of_answers is None)
    if unknown:
        raise UsageError(f"no samples of questions can be drawn for measures of {unknown}")
    tallies, index = _distinct(_tallies(run, collection))
    columns = {
        family: np.array([_row_of_tally(family, one) for one in tallies])[index]
        for family in wanted
    }
    return ByQuestion(run.name, columns)


def _tallies(run: Run, collection: Collection) -> list[bytes]:
    """Return of each question how often it has every cell: all that is counted of decisions."""
    starts = np.asarray(collection.index.starts, dtype=np.int64)
    number = len(starts) - 1
    question = np.repeat(np.arange(number), np.diff(starts))
    joined = np.frombuffer(cells(run, collection), dtype=np.uint8)
    times = np.bincount(question * CELLS + joined, minlength=CELLS * number)
    data, width = times.astype(np.uint32).tobytes(), 4 * CELLS
    return [data[start : start + width] for start in range(0, len(data), width)]


@lru_cache(_REMEMBERED)
def _row_of_tally(family: Family, tally: bytes) -> tuple[float, ...]:
    """Return the counts of a question that has every cell so often."""
    times = np.frombuffer(tally, dtype=np.uint32)
    return _row_of_cells(family, np.repeat(np.arange(CELLS, dtype=np.uint8), times).tobytes())


def _row_of_cells(family: Family, some_cells: bytes) -> tuple[float, ...]:
    assert family.of_answers
    return _row(family.of_answers(one_question(some_cells)))


def _row(counts: Counts) -> tuple[float, ...]:
    return tuple(float(value) for value in vars(counts).values())


Distinct = TypeVar("Distinct", bound=Hashable)


def _distinct(each: Iterable[Distinct]) -> tuple[list[Distinct], Integers]:
    """Return the different ones of some, and of each its number among these."""
    numbers: dict[Distinct, int] = {}
    index = [numbers.setdefault(one, len(numbers)) for one in each]
    return list(numbers), np.array(index, dtype=np.int64)


def count_by_answer(run: Run, collection: Collection, family: Family) -> npt.NDArray[np.uint8]:
    """Count a run answer by answer, as if each were a question."""
    joined = np.frombuffer(cells(run, collection), dtype=np.uint8)
    table = [_row_of_cells(family, bytes([cell])) for cell in range(CELLS)]
    return np.array(table, dtype=np.uint8)[joined]


def _values_by_question(
    run: Run, collection: Collection, ties: str, measures: Iterable[Measure]
) -> dict[str, Floats]:
    """Return what measures that are means over questions are of each question, by their keys."""
    found = {}
    counted: dict[Family, Sequence[Counts]] = {}
    for measure in measures:
        family = measure.family
        assert family.by_question
        if family not in counted:
            counted[family] = list(family.by_question(run, collection, ties))
        different = {id(one): one for one in counted[family]}
        values = {key: _as_float(measure, one) for key, one in different.items()}
        found[measure.key] = np.array([values[id(one)] for one in counted[family]])
    return found


def count_system(system: JudgedSystem, measures: Iterable[Measure]) -> ByQuestion:
    """Count a QA system question by question, as far as the families of measures can be.

    What it answered is counted in any case, so that there is something of every question.
    """
    families = {ANSWERING, *(one.family for one in measures)}
    outcomes, index = _distinct(system.outcomes)
    columns = {}
    for family in sorted(families, key=str):
        if family.of_outcomes and (len(system.collection.index) or not family.needs_candidates):
            rows = [_row_of_outcome(family, one) for one in outcomes]
            columns[family] = np.array(rows)[index]
    return ByQuestion(system.system.name, columns)


@lru_cache(_REMEMBERED)
def _row_of_outcome(family: Family, outcome: SystemOutcome) -> tuple[float, ...]:
    """Return the counts of a question of which a QA system made this."""
    assert family.of_outcomes
    return _row(family.of_outcomes([outcome]))


# --- computing ------------------------------------------------------------------------------------


class _Column(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    """A count of many samples, which takes fractions for floats and not for objects."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:  # noqa: ANN401
        plain = [float(one) if isinstance(one, Fraction) else np.asarray(one) for one in inputs]
        return getattr(ufunc, method)(*plain, **named).view(_Column)


def evaluate(measure: Measure, totals: Floats) -> Floats:
    """Compute a measure for many samples.

    Parameters
    ----------
    totals
        A row for each sample, a column for each field of the counts of the measure's family.

    Returns
    -------
    Floats
        A value for each sample; NaN where the measure is undefined.
    """
    counts = measure.family.counts(*totals.T.view(_Column))
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(measure.function(counts, *measure.values), dtype=float)
    except (TypeError, ValueError):  # it asks its counts something that arrays cannot answer
        exact = (map(Fraction, row) for row in totals.tolist())
        return np.array([_as_float(measure, type(counts)(*row)) for row in exact])
    found = np.broadcast_to(found, len(totals))  # None, of one sample, is a NaN alone
    return rounded(np.where(np.isfinite(found), found, np.nan))


def rounded(values: Floats) -> Floats:
    """Drop the last digits, in which sums of fractions differ by the order of what is added.

    Values that are equal are then the same, and those of a seed do not depend on anything else.
    """
    return np.asarray(np.round(values, 12), dtype=float)


def _as_float(measure: Measure, counts: Counts) -> float:
    """Return the exact measure of counts as a float; NaN where it is undefined."""
    try:
        value = measure(counts)
    except NotApplicable:
        return float("nan")
    return float("nan") if value is None else float(value)
