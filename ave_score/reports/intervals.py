"""Confidence intervals of measures in documents and in records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import isnan
from operator import attrgetter
from typing import TYPE_CHECKING

from ave_score.core.exact import fixed
from ave_score.reports.data import ABSENT, Key, shared
from ave_score.reports.report import Cell, Figure

if TYPE_CHECKING:
    from ave_score.inference.intervals import Estimate

METHODS = ("wilson", "wilson-effective", "bca", "percentile", "rule of three")
"""The names of the methods; `ave_score.inference.intervals` says when each is used."""


def interval_keys(path: str = "") -> dict[str, Key]:
    """Return the keys about intervals, which are left out where they are empty.

    The entries of the result have `intervals` and `no_interval` at this path, which ends in a dot.
    """
    intervals, absent = attrgetter(f"{path}intervals"), attrgetter(f"{path}no_interval")

    def methods(one: object) -> object:
        found: Mapping[str, Estimate] = intervals(one)
        return {key: each.method for key, each in found.items() if each.method} if found else ABSENT

    def cautions(one: object) -> object:
        found: Mapping[str, Estimate] = intervals(one)
        return {key: each.caution for key, each in found.items() if each.caution} or ABSENT

    return {
        "intervals": shared("intervals").optional(
            get=lambda one, _: {key: ends(each) for key, each in intervals(one).items()} or ABSENT
        ),
        "interval_methods": shared("interval_methods").optional(get=lambda one, _: methods(one)),
        "interval_cautions": shared("interval_cautions").optional(get=lambda one, _: cautions(one)),
        "no_interval": shared("no_interval").optional(get=lambda one, _: absent(one) or ABSENT),
    }


def ends(found: Estimate) -> list[float | None]:
    """Return the ends of an interval; None for both if there is none."""
    return [None if isnan(end) else end for end in found.interval]


def columns_of_ends(keys: Iterable[str]) -> list[str]:
    """Return the columns of the intervals of measures."""
    return [f"{key}_{end}" for key in keys for end in ("low", "high", "method")]


def cells_of_ends(
    found: Mapping[str, Estimate | None], keys: Iterable[str], digits: int | None
) -> list[Cell]:
    """Return the ends and the methods of intervals; None where there is none."""
    cells: list[Cell] = []
    for key in keys:
        interval = found.get(key)
        if interval is None or isnan(interval.low):
            cells += [None] * 3
        else:
            cells += (rounded(Fraction(repr(end)), digits) for end in interval.interval)
            cells.append(interval.method)
    return cells


def rounded(value: Fraction | None, digits: int | None) -> Cell:
    """Return a value with `digits` decimals, or exact if `digits` is None."""
    return value if value is None or digits is None else Figure(fixed(value, digits))
