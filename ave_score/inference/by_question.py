"""Counts of each question as arrays, for resampling and significance tests.

Counts are additive: a sample of questions is scored from the sum of its questions' counts. Equal
questions are counted only once, by the families of `counts`. The functions of measures accept
arrays in place of numbers (see `exact.ratio`), so they are computed for many samples at once. The
values here are floats; printed scores remain exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ave_score.core.errors import UsageError
from ave_score.core.model import Clusters, ClustersGiven
from ave_score.counts import Counts, Family
from ave_score.measures import Measure, NotApplicable

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

NO_SAMPLER = "it is not computed on samples of questions"

TOLERANCE = 1e-11
"""Values that differ by less are equal; `evaluate` rounds to 1e-12."""

STEP = 1e-4
"""The step of numeric derivatives, as a share of the count plus 1: all others may be far more."""

FINE_STEP = 1e-5
"""The step of derivatives that standard errors have: their error is below 1e-9."""

CLUSTER = "cluster"
"""The unit if questions that belong together are sampled together."""

REDUCED = "outcome"
"""The unit of what replicates of a question were reduced to, which are no replicates."""


@dataclass(frozen=True, eq=False)
class CountRows:
    """Rows of counts, one for each unit, most of which are equal to others.

    Attributes
    ----------
    distinct
        The different rows, with a column per field.
    index
        The number of each unit's row among them.
    """

    distinct: Floats
    index: npt.NDArray[np.integer]

    @classmethod
    def of(cls, rows: Floats) -> CountRows:
        """Find the distinct rows of an array."""
        return cls(*distinct_rows(rows))

    def __len__(self) -> int:
        return len(self.index)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Floats:
        """Return the row of each unit."""
        return np.asarray(self.distinct[self.index], dtype=dtype)

    @cached_property
    def total(self) -> Floats:
        """The sums of all fields over the units."""
        return np.asarray(np.asarray(self).sum(axis=0))

    @cached_property
    def whole(self) -> Floats:
        """The same sums, as of a sample of all units: fractions are added up in another order."""
        return np.ones((1, len(self))) @ np.asarray(self)


def distinct_rows(rows: Floats) -> tuple[Floats, npt.NDArray[np.int32]]:
    """Return the distinct rows, sorted, and the number of each row among them.

    `numpy.unique` takes five times as long.
    """
    order = np.lexsort(rows.T)
    is_new = np.append(True, (np.diff(rows[order], axis=0) != 0).any(axis=1))[: len(rows)]
    index = np.empty(len(rows), dtype=np.int32)
    index[order] = np.cumsum(is_new) - 1
    return rows[order][is_new], index


class ByQuestion(NamedTuple):
    """The counts of a run, a system or responses, for each unit of sampling.

    Attributes
    ----------
    run
        The name of the run or system.
    columns
        Family -> `CountRows`, or an array: a row per unit and a column per field of the family's
        counts.
    values
        Key of a measure that is a mean over units -> rows likewise: the value and 1, or 0 and 0 if
        the measure is undefined for the unit.
    samplers
        Key of a measure that ranks answers of all units together -> a function that computes it
        for samples, from the frequency of every unit in each sample.
    reasons
        Key of a measure that cannot be computed on samples -> the reason, as the end of a sentence.
    ids
        The ids of the units.
    unit
        What is sampled, in the singular: `question`, `pair` where there are no questions, or
        `cluster` where questions belong together.
    epochs
        The counts of each replicate alone, its question as its id; None if questions have one each.
    runs
        The counts of each run of a system, which it is the mean of; empty for a single run.
    """

    run: str
    columns: Mapping[Family, CountRows | Floats]
    values: Mapping[str, CountRows | Floats] = {}
    samplers: Mapping[str, Callable[[Floats], Floats]] = {}
    reasons: Mapping[str, str] = {}
    ids: Sequence[str] = ()
    unit: str = "question"
    epochs: ByQuestion | None = None
    runs: Sequence[ByQuestion] = ()

    @property
    def replicates(self) -> ByQuestion | None:
        """The same for each replicate alone; None if questions have one, or were reduced."""
        return None if self.epochs is None or self.epochs.unit == REDUCED else self.epochs

    @property
    def is_independent(self) -> bool:
        """Whether each unit is a single question or pair, not a cluster of several."""
        return self.unit != CLUSTER

    @property
    def questions(self) -> int:
        """The number of units."""
        return len(next(iter([*self.columns.values(), *self.values.values()])))

    def has(self, measure: Measure) -> bool:
        """Tell whether a measure can be computed on samples, for an interval or a test."""
        return not measure.no_interval and self.has_values(measure)

    def has_values(self, measure: Measure) -> bool:
        """Tell whether a measure can be computed for single units, at least."""
        return measure.key in self.samplers or self.adds_up(measure)

    def why_not(self, measure: Measure) -> str:
        """Return why a measure is not computed on samples, as the end of a sentence."""
        return measure.no_interval or self.reasons.get(measure.key, NO_SAMPLER)

    def adds_up(self, measure: Measure) -> bool:
        """Tell whether a measure is computed from sums over the units."""
        return measure.key in self.values or (
            measure.key not in self.samplers
            and not measure.parts
            and measure.family in self.columns
        )

    def rows_of(self, measure: Measure) -> CountRows:
        """Return the rows whose sums a measure is computed from, one for each unit."""
        values = self.values.get(measure.key)
        rows = self.columns[measure.family] if values is None else values
        return rows if isinstance(rows, CountRows) else CountRows.of(rows)

    def counts_of(self, measure: Measure) -> Floats:
        """Return `rows_of` as an array."""
        return np.asarray(self.rows_of(measure))

    def computed(self, measure: Measure, totals: Floats) -> Floats:
        """Compute a measure from sums of `counts_of`, one sum in each row."""
        return rounded(self.unrounded(measure, totals.T))

    def unrounded(self, measure: Measure, columns: Floats | Sequence[Floats]) -> Floats:
        """Return `computed`, from the sums of each field, with all its digits."""
        if measure.key not in self.values:
            return evaluate(measure, columns)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(columns[0] / columns[1])

    def slopes(self, measure: Measure, totals: Floats, step: float = STEP) -> Floats:
        """Return the derivatives of a measure by each sum of `counts_of`, for each row of sums.

        They are 0 where the measure has none: at a bound of it, or where it is undefined.
        """
        return self.linearised(measure, totals, np.arange(totals.shape[1]), step)[1]

    def linearised(
        self, measure: Measure, totals: Floats, fields: Integers, relative: float = STEP
    ) -> tuple[Floats, Floats]:
        """Return a measure for each row of sums, and its `slopes` by some fields."""
        columns, number = [*np.ascontiguousarray(totals.T)[:, None]], len(fields)
        step = relative * (1 + np.abs(totals.T[fields]))
        for place, field in enumerate(fields, 1):  # the others are the same in all rows
            columns[field] = np.repeat(columns[field], 1 + 2 * number, axis=0)
            columns[field][place] += step[place - 1]
            columns[field][number + place] -= step[place - 1]
        values = self.unrounded(measure, columns)
        slopes = (values[1 : 1 + number] - values[1 + number :]) / (2 * step)
        return values[0], np.where(np.isnan(slopes), 0.0, slopes).T

    def fields(self, measure: Measure, totals: Floats) -> Integers:
        """Return the numbers of the fields that a measure is computed from, for sums of runs."""
        if measure.key in self.values:
            return np.arange(totals.shape[1])
        inside = totals + 1  # without zeros, all of them have slopes
        effects = np.abs(inside * self.slopes(measure, inside))
        return np.flatnonzero((effects > 1e-6 * effects.max()).any(axis=0))

    def of_each(self, measure: Measure) -> Floats:
        """Return a measure of each single unit; NaN if it is undefined."""
        if self.runs:
            return np.asarray(np.mean([run.of_each(measure) for run in self.runs], axis=0))
        if measure.key in self.samplers:
            return self.measured(measure, np.eye(self.questions))
        rows = self.rows_of(measure)
        return np.asarray(self.computed(measure, rows.distinct)[rows.index])

    def as_values(self, measure: Measure) -> ByQuestion:
        """Return the values of a measure alone, which must be the mean of its values for units."""
        values = self.of_each(measure)
        known = ~np.isnan(values)
        return self._replace(
            columns={},
            values={
                measure.key: CountRows.of(np.column_stack([np.where(known, values, 0.0), known]))
            },
        )

    def measured(self, measure: Measure, times: npt.NDArray[Any]) -> Floats:
        """Compute a measure for samples of the units.

        `times` has a row per sample with the frequency of every unit in it.
        """
        if measure.key in self.samplers:
            with np.errstate(divide="ignore", invalid="ignore"):
                values = self.samplers[measure.key](times)
            return rounded(np.where(np.isfinite(values), values, np.nan))
        return self.computed(measure, times @ self.counts_of(measure))

    def by_cluster(self, given: ClustersGiven) -> ByQuestion:
        """Return the counts of clusters of units, which are then sampled together.

        Raises `UsageError` for a unit without a cluster, and for fewer than two clusters.
        """
        clusters = Clusters.found(given)
        clusters.check_all(self.ids, self.unit)
        names, index = distinct(clusters.of[unit] for unit in self.ids)
        if len(names) < 2:
            raise UsageError(f"{clusters.name}: samples need at least 2 clusters, found {names[0]}")

        def added(rows: CountRows | Floats) -> CountRows:
            by_unit = np.asarray(rows)
            total = np.zeros((len(names), by_unit.shape[1]))
            np.add.at(total, index, by_unit)
            return CountRows.of(total)

        def spread(sampler: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
            return lambda times: sampler(times[:, index])

        return self._replace(
            columns={family: added(rows) for family, rows in self.columns.items()},
            values={key: added(rows) for key, rows in self.values.items()},
            samplers={key: spread(sampler) for key, sampler in self.samplers.items()},
            ids=names,
            unit=CLUSTER,
            runs=[run.by_cluster(clusters) for run in self.runs],
        )


Distinct = TypeVar("Distinct", bound=Hashable)


def distinct(items: Iterable[Distinct]) -> tuple[list[Distinct], Integers]:
    """Return the distinct items, and the index of every item among them."""
    numbers: dict[Distinct, int] = {}
    index = [numbers.setdefault(item, len(numbers)) for item in items]
    return list(numbers), np.array(index, dtype=np.int64)


# --- computing ------------------------------------------------------------------------------------


class _Column(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    """A count of many samples; operations convert fractions to floats, not to objects."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:  # noqa: ANN401
        plain = [float(x) if type(x) is Fraction else np.asarray(x) for x in inputs]
        return getattr(ufunc, method)(*plain, **named).view(_Column)


def evaluate(measure: Measure, columns: Floats | Sequence[Floats]) -> Floats:
    """Compute a measure for many samples.

    Parameters
    ----------
    columns
        The values of each field of the counts of the measure's family, broadcast together.

    Returns
    -------
    Floats
        A value for each sample; NaN where the measure is undefined.
    """
    counts = measure.family.counts(*(column.view(_Column) for column in columns))
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(measure.function(counts, *measure.values), dtype=float)
    except (TypeError, ValueError):  # the function does not support arrays
        each = np.broadcast(*columns)
        exact = (type(counts)(*map(Fraction, row)) for row in each)
        return np.array([as_float(measure, row) for row in exact]).reshape(each.shape)
    values = np.broadcast_to(values, np.broadcast_shapes(*(column.shape for column in columns)))
    return np.where(np.isfinite(values), values, np.nan)  # None becomes NaN


def rounded(values: Floats) -> Floats:
    """Round to 12 decimals, which removes rounding errors that depend on the order of summation.

    Mathematically equal values then compare equal, and results depend only on the seed.
    """
    return np.asarray(np.round(values, 12) + 0.0, dtype=float)  # and -0.0 is 0.0


def as_float(measure: Measure, counts: Counts) -> float:
    """Return the exact measure of counts as a float; NaN where it is undefined."""
    try:
        value = measure(counts)
    except NotApplicable:
        return float("nan")
    return float("nan") if value is None else float(value)
