"""What all studies of measures say: of which runs, in which samples, and what to keep in mind."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.exact import fixed
from ave_score.inference.samples import Sampled

ENOUGH_RUNS = 10
"""Of fewer runs there are fewer than 45 pairs, and each run is in more than a fifth of them."""


class Study(NamedTuple):
    """What all measures of a study share.

    Attributes
    ----------
    signature
        How the figures were made.
    runs
        The names of the runs, sorted.
    repetitions, seed
        Of the sampling.
    """

    signature: str
    runs: Sequence[str]
    repetitions: int
    seed: int

    @property
    def pairs(self) -> int:
        """The number of pairs of runs."""
        return len(self.runs) * (len(self.runs) - 1) // 2

    def caution(self) -> list[str]:
        """Return a note where the runs are too few for rates to be exact."""
        runs = len(self.runs)
        if runs >= ENOUGH_RUNS:
            return []
        pairs = "1 pair" if self.pairs == 1 else f"{self.pairs} pairs"
        return [
            f"{runs} runs make {pairs} only: these rates are rough, and say more of the runs than "
            "of the measure."
        ]


def drawn(sampled: Sampled) -> str:
    """Return e.g. `240 of 551 answers`."""
    return f"{sampled.sampling.size:,} of {sampled.units:,} {sampled.unit}"


def left_out(undefined: int, sampled: Sampled) -> list[str]:
    """Return a note where comparisons are missing."""
    title = sampled.measure.title
    told = f"{undefined:,} comparisons left out, as {title} is undefined in a sample."
    return [told] * (undefined > 0)


def figure(value: Fraction | None, digits: int, scale: int = 1) -> str:
    """Return a figure as a table prints it, times `scale`."""
    return "n/a" if value is None else fixed(scale * value, digits)


def document(sampled: Sampled) -> dict[str, object]:
    """Return what JSON says of the samples of a measure."""
    return {
        "measure": sampled.measure.key,
        "unit": str(sampled.unit),
        "units": sampled.units,
        "size": sampled.sampling.size,
    }
