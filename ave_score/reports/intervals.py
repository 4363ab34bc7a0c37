"""Confidence intervals of measures in documents and in records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from operator import attrgetter
from typing import TYPE_CHECKING

from ave_score.reports.data import ABSENT, Key, shared

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
        "intervals": shared("intervals").optional.in_columns("{}_low", "{}_high")(
            get=lambda one, _: {key: ends(each) for key, each in intervals(one).items()} or ABSENT
        ),
        "interval_methods": shared("interval_methods").optional.in_columns("{}_method")(
            get=lambda one, _: methods(one)
        ),
        "interval_cautions": shared("interval_cautions").optional.in_columns()(
            get=lambda one, _: cautions(one)
        ),
        "no_interval": shared("no_interval").optional.in_columns()(
            get=lambda one, _: absent(one) or ABSENT
        ),
    }


def ends(found: Estimate) -> list[float | None]:
    """Return the ends of an interval; None for both if there is none."""
    return [None if isnan(end) else end for end in found.interval]


def columns_of_ends(keys: Iterable[str]) -> list[str]:
    """Return the columns of the intervals of measures."""
    return [f"{key}_{end}" for key in keys for end in ("low", "high", "method")]
