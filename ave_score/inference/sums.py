"""Sums of the counts of several runs over samples of their units, as a matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ave_score.counts import Family
from ave_score.inference.by_question import ByQuestion, CountRows, Floats
from ave_score.measures import Measure


class Sums:
    """The sums of counts over samples; `counts` has a table for each run, with equal columns."""

    def __init__(self, counts: Sequence[CountRows | npt.NDArray[Any]]) -> None:
        self._columns = np.hstack([np.asarray(of_run, dtype=float) for of_run in counts])
        self._runs = len(counts)

    def over(self, times: npt.NDArray[Any]) -> Floats:
        """Return the sums over samples; the axes are sample, run and field.

        `times` has a row per sample with the frequency of every unit in it.
        """
        sums: Floats = np.asarray(times, dtype=float) @ self._columns
        return sums.reshape(len(times), self._runs, -1)


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
            (Sums([runs[place].rows_of(measures[total[0]]) for place in places]), [*places], total)
            for (_, places), total in summed.items()
        ]

    def over(self, times: npt.NDArray[Any]) -> Floats:
        """Return the measures on samples; the axes are measure, run and sample.

        `times` are as for `Sums.over`. A measure that a run has no samples of is NaN.
        """
        scores = np.full((len(self._measures), len(self._runs), len(times)), np.nan)
        for sums, places, numbers in self._summed:
            totals = sums.over(times)
            flat = totals.reshape(-1, totals.shape[2])
            for number in numbers:
                values = self._runs[places[0]].computed(self._measures[number], flat)
                scores[number, places] = values.reshape(len(times), -1).T
        for number, measure in enumerate(self._measures):
            for place, run in enumerate(self._runs):
                if measure.key in run.samplers:
                    scores[number, place] = run.measured(measure, times)
        return scores
