"""Confidence intervals of measures in documents and in records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from operator import attrgetter
from typing import TYPE_CHECKING

from ave_score.reports.data import ABSENT, Key, shared

if TYPE_CHECKING:
    from ave_score.inference.intervals import Estimate

METHODS = {
    "wilson": "Wilson's",
    "wilson-effective": "Wilson's with an effective size",
    "bca": "BCa, from {:,} bootstrap samples,",
    "rule of three": "the rule of three",
    "crossed": "Student's t over questions and runs",
}
"""Method -> its name in a note; `ave_score.inference.intervals` says when each is used."""


def interval_keys(path: str = "") -> dict[str, Key]:
    """Return the keys about intervals, which are left out where they are empty.

    The entries of the result have `intervals` and `no_interval` at this path, which ends in a dot.
    """
    intervals, absent = attrgetter(f"{path}intervals"), attrgetter(f"{path}no_interval")

    def methods(row: object, _: object) -> object:
        estimates: Mapping[str, Estimate] = intervals(row)
        named = {key: estimate.method for key, estimate in estimates.items() if estimate.method}
        return named if estimates else ABSENT

    def cautions(row: object, _: object) -> object:
        estimates: Mapping[str, Estimate] = intervals(row)
        return {
            key: estimate.caution for key, estimate in estimates.items() if estimate.caution
        } or ABSENT

    return {
        "intervals": shared("intervals").optional.in_columns("{}_low", "{}_high")(
            get=lambda row, _: (
                {key: ends(interval) for key, interval in intervals(row).items()} or ABSENT
            )
        ),
        "interval_methods": shared("interval_methods").optional.in_columns("{}_method")(
            get=methods
        ),
        "interval_cautions": shared("interval_cautions").optional.in_columns()(get=cautions),
        "no_interval": shared("no_interval").optional.in_columns()(
            get=lambda row, _: absent(row) or ABSENT
        ),
    }


def ends(estimate: Estimate) -> list[float | None]:
    """Return the ends of an interval; None for both if there is none."""
    return [None if isnan(end) else end for end in estimate.interval]


def columns_of_ends(keys: Iterable[str]) -> list[str]:
    """Return the columns of the intervals of measures."""
    return [f"{key}_{end}" for key in keys for end in ("low", "high", "method")]
