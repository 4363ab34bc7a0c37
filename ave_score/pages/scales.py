"""Names and axes of figures, exact: round ticks, and positions with two decimals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ave_score.exact import fixed
from ave_score.reports.style import cells_of
from ave_score.text import shortened, visible

Value = Fraction | float

LONGEST = 28
"""Characters of the longest name in a figure."""


class Name(NamedTuple):
    """A name of a run in a figure: shortened in the middle, and in full."""

    short: str
    full: str
    is_own: bool = False


class Named(NamedTuple):
    """How runs are called on a page.

    `shown` are names of runs that differ from those of the files, `own` the runs of the reader.
    """

    shown: Mapping[str, str] = {}
    own: Collection[str] = ()

    def names(self, runs: Iterable[str], longest: int = LONGEST) -> dict[str, Name]:
        """Return the name of each run, shortened to `longest` characters."""
        distinct = [*dict.fromkeys(runs)]
        full = [visible(self.shown.get(run, run)) for run in distinct]
        short = shortened(full, longest, cells_of)
        own = [run in self.own for run in distinct]
        return dict(zip(distinct, map(Name, short, full, own), strict=True))


AS_GIVEN = Named()


# --- scales ---------------------------------------------------------------------------------------


class Tick(NamedTuple):
    """A position on an axis in per cent, and its label."""

    at: str
    text: str


class Scale(NamedTuple):
    """An axis from `low` to `high`, both multiples of `step`, the distance of its ticks."""

    low: Fraction
    high: Fraction
    step: Fraction

    def at(self, value: Value) -> str:
        """Return the position of a value in per cent of the axis."""
        return fixed(100 * (Fraction(value) - self.low) / (self.high - self.low), 2)

    def down(self, value: Value) -> str:
        """Return the position of a value in per cent of an axis that points upwards."""
        return fixed(100 * (self.high - Fraction(value)) / (self.high - self.low), 2)

    def ticks(self, *, times: int = 1, is_upward: bool = False) -> list[Tick]:
        """Return the ticks; labels are values multiplied by `times`."""
        digits = _decimals(self.step * times)
        place = self.down if is_upward else self.at
        number = int((self.high - self.low) / self.step)
        values = [self.low + n * self.step for n in range(number + 1)]
        return [Tick(place(value), fixed(value * times, digits)) for value in values]


def scale_of(values: Iterable[Value], most: int = 6) -> Scale:
    """Return the scale of some values: at most `most` intervals of 1, 2 or 5 times a power of ten.

    Values that are all equal get an interval on either side.
    """
    exact = [Fraction(value) for value in values]
    low, high = min(exact, default=Fraction(0)), max(exact, default=Fraction(1))
    if low == high:
        pad = abs(low) / 10 or Fraction(1)
        low, high = low - pad, high + pad
    step = Fraction(1, 10**9)
    factors = (Fraction(2), Fraction(5, 2), Fraction(2))
    n = 0
    while ceil(high / step) - floor(low / step) > most:
        step *= factors[n % 3]
        n += 1
    return Scale(floor(low / step) * step, ceil(high / step) * step, step)


UNIT = Scale(Fraction(0), Fraction(1), Fraction(1, 5))
"""Shares."""


def _decimals(step: Fraction) -> int:
    """Return the decimals that the labels of ticks need."""
    digits = 0
    while (step * 10**digits).denominator != 1:
        digits += 1
    return digits
