"""Scores that are no more exact than what is printed of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING

from ave_score.core.exact import fixed
from ave_score.measures import Measure
from ave_score.tasks.scores import Row, Scores

if TYPE_CHECKING:
    from ave_score.inference.intervals import Estimate
    from ave_score.inference.resampling import Interval


def printed_digits(measure: Measure, digits: int) -> int:
    """Return the decimals of a measure that are as exact as `digits` decimals of a ratio."""
    return max(0, digits - 2) if measure.percent else digits


def printed_value(value: Fraction, measure: Measure, digits: int) -> Fraction:
    """Return a value as `digits` decimals show it."""
    if measure.whole and value.denominator == 1:
        return value
    times = 100 if measure.percent else 1
    return Fraction(fixed(times * value, digits)) / times


def printed_interval(interval: Interval, measure: Measure, digits: int) -> Interval:
    """Return an interval as `digits` decimals show its ends."""
    if isnan(interval.low):
        return interval
    low, high = (float(printed_value(Fraction(end), measure, digits)) for end in interval)
    return interval._replace(low=low, high=high)


def printed_scores(scores: Scores, digits: int) -> Scores:
    """Return scores whose values and intervals are those that are printed.

    What is made of them (order, ranks, the best of a column, positions in figures) is a function of
    what readers see. Percentages are as exact as ratios with so many digits.
    """
    measures = {measure.key: measure for measure in scores.measures}

    def known(key: str, value: Fraction) -> Fraction:
        return printed_value(value, measures[key], printed_digits(measures[key], digits))

    def interval(key: str, estimate: Estimate) -> Estimate:
        if isnan(estimate.low):
            return estimate
        low, high = (float(known(key, Fraction(repr(end)))) for end in estimate.interval)
        return estimate._replace(low=low, high=high)

    def shown(row: Row) -> Row:
        values = row.values.items()
        return row._replace(
            values={key: None if value is None else known(key, value) for key, value in values},
            intervals={key: interval(key, estimate) for key, estimate in row.intervals.items()},
        )

    return replace(scores, rows=[*map(shown, scores.rows)])
