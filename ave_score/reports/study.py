"""What the reports of `stability` and `swap` share."""

from __future__ import annotations

from ave_score.core.text import quantity
from ave_score.inference.samples import Sampled, Unit
from ave_score.reports.data import COUNT, MEASURE, Key, one_of
from ave_score.tasks.study import Study

ENOUGH_RUNS = 10
"""Fewer runs make fewer than 45 pairs, and each run is in more than a fifth of them."""


def caution(study: Study) -> list[str]:
    """Return a note if there are too few runs for reliable rates."""
    runs = len(study.runs)
    if runs >= ENOUGH_RUNS:
        return []
    return [
        f"{runs} runs make only {quantity(study.pairs, 'pair')}: the rates are rough, and depend "
        "more on these runs than on the measure."
    ]


def drawn_text(sampled: Sampled) -> str:
    """Return e.g. `240 of 551 answers`."""
    return f"{sampled.sampling.size:,} of {sampled.units:,} {sampled.unit}"


def left_out_notes(undefined: int, sampled: Sampled) -> list[str]:
    """Return a note on the comparisons without a value, if there are any."""
    title = sampled.measure.title
    note = f"{undefined:,} comparisons excluded: {title} is undefined in a sample."
    return [note] * (undefined > 0)


SAMPLE_KEYS: dict[str, Key] = {
    "measure": MEASURE("The name of the measure.", "sampled.measure.key"),
    "unit": one_of(*Unit)("What is sampled.", "sampled.unit"),
    "units": COUNT("How many there are.", "sampled.units"),
    "size": COUNT("How many are in a sample.", "sampled.sampling.size"),
}
"""The keys of a measure in its samples."""

SAMPLE = ("measure", "unit", "size")
"""Those that are columns of CSV."""

UNDEFINED_COMPARISONS = (
    "Comparisons of two runs that were skipped because the measure of either is undefined in a "
    "sample."
)
