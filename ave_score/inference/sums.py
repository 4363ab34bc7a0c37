"""Sums of the counts of several runs over samples of their units, as one matrix product.

Most counts need no product of their own. What is equal in all runs, as the number of questions, is
summed once, and of each run only what differs from the first. Some of these differences are whole
combinations of others: correct answers that a run rejects are those that it does not validate. The
combinations are found and checked in integers, so all sums of integers remain exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ave_score.counts import Family
from ave_score.inference.by_question import ByQuestion, CountRows, Floats, Integers
from ave_score.measures import Measure

UNITS = 2048
"""Units of a sample that are multiplied at a time, which bounds memory."""

_SINGLE, _DOUBLE = 2**24, 2**53
"""Integers below are exact in single and in double precision."""


class Sums:
    """The sums of counts over samples.

    Parameters
    ----------
    counts
        For each run, `CountRows` or an array with a row per unit and a column per field.
    """

    def __init__(self, counts: Sequence[CountRows | npt.NDArray[Any]]) -> None:
        first = np.asarray(counts[0], dtype=float)
        units, fields = first.shape
        is_whole = np.ones(fields, dtype=np.bool_)
        products, most = np.zeros((fields, fields)), np.abs(first).max(initial=0)
        for one in map(np.asarray, counts):
            change = one - first
            is_whole &= (one == np.floor(one)).all(axis=0)
            products += change.T @ change
            most = max(most, np.abs(change).max(initial=0))
        self._shape = len(counts), fields
        free, combinations = _combined(products, is_whole)
        self._combinations = combinations[np.argsort(~is_whole[free], kind="stable")]
        narrow = np.min_scalar_type(-int(most) - 1)
        single = np.float32 if most * units < _SINGLE else np.float64
        self._parts = [
            (kind, _matrix(counts, first, kind, free[kind[free]], store), used)
            for kind, store, used in ((is_whole, narrow, single), (~is_whole, float, np.float64))
        ]

    def over(self, times: npt.NDArray[Any]) -> Floats:
        """Return the sums over samples; the axes are sample, run and field.

        `times` has a row per sample with the frequency of every unit in it, which add up to at most
        the number of units.
        """
        runs, fields = self._shape
        common, changes = np.zeros((len(times), 1, fields)), []
        for kind, matrix, precision in self._parts:
            found = _product(times, matrix, precision)
            common[:, 0, kind] = found[:, : kind.sum()]
            changes.append(found[:, kind.sum() :].reshape(len(times), runs, -1))
        flat = np.concatenate(changes, axis=2).reshape(len(times) * runs, -1)
        return common + (flat @ self._combinations).reshape(len(times), runs, fields)


def _matrix(
    counts: Sequence[CountRows | npt.NDArray[Any]],
    first: Floats,
    kind: npt.NDArray[np.bool_],
    free: Integers,
    stored: npt.DTypeLike,
) -> npt.NDArray[Any]:
    """Return a row for each field of a kind in the first run, and what differs in each run."""
    common, each = first.T[kind], len(free)
    matrix = np.empty((len(common) + each * len(counts), len(first)), dtype=stored)
    matrix[: len(common)] = common
    for number, one in enumerate(counts):
        start = len(common) + each * number
        matrix[start : start + each] = (np.asarray(one)[:, free] - first[:, free]).T
    return matrix


def _product(
    times: npt.NDArray[Any], matrix: npt.NDArray[Any], precision: type[np.floating]
) -> Floats:
    """Return the product of the samples and the rows of a matrix, some units at a time."""
    found = np.zeros((len(times), len(matrix)))
    for start in range(0, times.shape[1] * (len(matrix) > 0), UNITS):
        some = slice(start, start + UNITS)
        found += times[:, some].astype(precision) @ matrix[:, some].astype(precision).T
    return found


def _combined(products: Floats, is_whole: npt.NDArray[np.bool_]) -> tuple[Integers, Floats]:
    """Return the fields that no whole combination of others gives, and all fields from these.

    `products` has the sum of the products of each two fields over all units and runs. A field is a
    combination of others if the squares of what remains without it add up to 0.
    """
    free: list[int] = []
    found = np.zeros((0, len(products)))
    for field in np.flatnonzero(products.diagonal()):
        known = is_whole[free]
        whole = np.array(free, dtype=int)[known]
        of_whole, mixed = products[np.ix_(whole, whole)], products[whole, field]
        some = np.round(np.linalg.lstsq(of_whole, mixed, rcond=None)[0])
        left = products[field, field] - 2 * some @ mixed + some @ of_whole @ some
        if left or not is_whole[field] or products.max() >= _DOUBLE:
            free.append(int(field))
            found = np.vstack([found, np.zeros(len(products))])
            found[-1, field] = 1
        else:
            found[known, field] = some
    return np.array(free, dtype=np.int64), found


class SampleScores:
    """Computes measures of runs on samples of their units."""

    def __init__(self, runs: Sequence[ByQuestion], measures: Sequence[Measure]) -> None:
        self._runs, self._measures = runs, measures
        # measures of the same counts of the same runs share their sums
        summed: dict[tuple[str | Family, tuple[int, ...]], list[int]] = {}
        for number, measure in enumerate(measures):
            sources: dict[str | Family, list[int]] = {}
            for place, run in enumerate(runs):
                if run.adds_up(measure):
                    source = measure.key if measure.key in run.values else measure.family
                    sources.setdefault(source, []).append(place)
            for source, places in sources.items():
                summed.setdefault((source, tuple(places)), []).append(number)
        self._summed = [
            (Sums([runs[place].rows_of(measures[of[0]]) for place in places]), [*places], of)
            for (_, places), of in summed.items()
        ]

    def over(self, times: npt.NDArray[Any]) -> Floats:
        """Return the measures on samples; the axes are measure, run and sample.

        `times` are as for `Sums.over`. A measure that a run has no samples of is NaN.
        """
        found = np.full((len(self._measures), len(self._runs), len(times)), np.nan)
        for sums, places, numbers in self._summed:
            totals = sums.over(times)
            flat = totals.reshape(-1, totals.shape[2])
            for number in numbers:
                values = self._runs[places[0]].computed(self._measures[number], flat)
                found[number, places] = values.reshape(len(times), -1).T
        for number, measure in enumerate(self._measures):
            for place, run in enumerate(self._runs):
                if measure.key in run.samplers:
                    found[number, place] = run.measured(measure, times)
        return found
