"""Which differences can be believed: a table of all measures, and the bins of each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.exact import as_float, fixed, plain
from ave_score.inference.samples import Sampled
from ave_score.inference.swap import BINS, WIDTH, Swaps
from ave_score.reports.grid import Grid
from ave_score.reports.study import Study, document, drawn, figure, left_out

SCHEMA = "ave-score/swap/1"

_LEGEND = (
    "Required: the smallest difference from which one sample contradicts another in at most {} % "
    "of comparisons. Relative: its share of the highest score seen. Sensitivity: how many of "
    "100 comparisons reach it."
)


class Swapped(NamedTuple):
    """A measure in its samples, and the outcomes of the comparisons."""

    sampled: Sampled
    swaps: Swaps


def swap_grids(study: Study, found: Sequence[Swapped], level: Fraction, digits: int) -> list[Grid]:
    """Return the table of all measures, and a table of bins for each."""
    summary = Grid(
        f"Difference required at {plain(100 * level)} %, {study.repetitions:,} times two samples",
        ["Measure", "Each of", "Required", "Highest", "Relative, %", "Sensitivity, %"],
        [_summary(one, level, digits) for one in found],
        align="llrrrr",
        notes=[_LEGEND.format(plain(100 - 100 * level)), *study.caution()],
    )
    grids = [summary, *(_bins(one, digits) for one in found)]
    last = grids[-1]
    return [*grids[:-1], last._replace(notes=[*last.notes, f"Signature: {study.signature}"])]


def _summary(one: Swapped, level: Fraction, digits: int) -> list[str]:
    swaps = one.swaps
    return [
        one.sampled.measure.title,
        drawn(one.sampled),
        figure(swaps.required(level), 2),
        figure(swaps.highest, digits),
        figure(swaps.relative(level), digits, 100),
        figure(swaps.sensitivity(level), digits, 100),
    ]


def _bins(one: Swapped, digits: int) -> Grid:
    swaps = one.swaps
    return Grid(
        f"Swaps of {one.sampled.measure.title}",
        ["Difference", "Comparisons", "Swaps", "Error rate, %"],
        [
            [
                _span(place),
                f"{swaps.comparisons[place]:,}",
                f"{swaps.swaps[place]:,}",
                figure(swaps.error_rate(place), digits, 100),
            ]
            for place in range(BINS)
        ],
        align="lrrr",
        notes=left_out(swaps.undefined, one.sampled),
    )


def _span(place: int) -> str:
    """Return which differences are in a bin, the first of them included, the last not."""
    last = "and more" if place == BINS - 1 else f"to {fixed((place + 1) * WIDTH, 2)}"
    return f"{fixed(place * WIDTH, 2)} {last}"


def swap_csv(found: Sequence[Swapped]) -> str:
    """Return every bin of every measure; rates are shares in 0..1, empty where undefined."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = ["measure", "unit", "size", "difference", "comparisons", "swaps", "error_rate"]
    writer.writerow(heads)
    for one in found:
        told = document(one.sampled)
        for row in map(_bin, [one.swaps] * BINS, range(BINS)):
            writer.writerow([told["measure"], told["unit"], told["size"], *row.values()])
    return out.getvalue()


def swap_json(study: Study, found: Sequence[Swapped], level: Fraction) -> str:
    """Return the same with what follows from it; docs/json.md describes every key."""
    told = {
        "schema": SCHEMA,
        "signature": study.signature,
        "runs": list(study.runs),
        "repetitions": study.repetitions,
        "seed": study.seed,
        "level": as_float(level),
        "measures": [
            {
                **document(one.sampled),
                "undefined": one.swaps.undefined,
                "required": as_float(one.swaps.required(level)),
                "largest": as_float(one.swaps.largest),
                "highest": as_float(one.swaps.highest),
                "relative": as_float(one.swaps.relative(level)),
                "sensitivity": as_float(one.swaps.sensitivity(level)),
                "bins": [_bin(one.swaps, place) for place in range(BINS)],
            }
            for one in found
        ],
    }
    return json.dumps(told, indent=2, allow_nan=False) + "\n"


def _bin(swaps: Swaps, place: int) -> dict[str, float | None]:
    return {
        "difference": as_float(place * WIDTH),
        "comparisons": swaps.comparisons[place],
        "swaps": swaps.swaps[place],
        "error_rate": as_float(swaps.error_rate(place)),
    }
