"""Names and axes of figures, exact: round ticks, and positions with two decimals."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ave_score.core.exact import as_decimal, fixed
from ave_score.core.text import shortened, visible
from ave_score.reports.style import cells_of

Value = Fraction | float

LONGEST, SHORT = 28, 20
"""Columns of the longest name in a figure, and where two names or a curve need room."""


class Name(NamedTuple):
    """A name of a run in a figure: shortened in the middle, and in full."""

    short: str
    full: str
    is_own: bool = False


def names_of(
    runs: Iterable[str], own: Collection[str] = (), longest: int = LONGEST
) -> dict[str, Name]:
    """Return the name of each run, shortened to `longest` columns; `own` are runs of the reader."""
    full = [*dict.fromkeys(runs)]
    shown = [*map(visible, full)]
    is_own = [run in own for run in full]
    names = map(Name, shortened(shown, longest, cells_of), shown, is_own)
    return dict(zip(full, names, strict=True))


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
        return fixed(100 * (_exact(value) - self.low) / (self.high - self.low), 2)

    def down(self, value: Value) -> str:
        """Return the position of a value in per cent of an axis that points upwards."""
        return fixed(100 * (self.high - _exact(value)) / (self.high - self.low), 2)

    @property
    def values(self) -> list[Fraction]:
        """The values of the ticks."""
        return [
            self.low + n * self.step for n in range(int((self.high - self.low) / self.step) + 1)
        ]

    def ticks(self, *, times: int = 1, is_upward: bool = False) -> list[Tick]:
        """Return the ticks; labels are values multiplied by `times`."""
        digits = _decimals(self.step * times)
        place = self.down if is_upward else self.at
        return [Tick(place(value), fixed(value * times, digits)) for value in self.values]


def scale_of(values: Iterable[Value], most: int = 6) -> Scale:
    """Return the scale of some values: at most `most` intervals of 1, 2 or 5 times a power of ten.

    Values that are all equal get an interval on either side.
    """
    exact = [*map(_exact, values)]
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


def _exact(value: Value) -> Fraction:
    """Return a value as a fraction; a float is the shortest decimal that converts to it."""
    return Fraction(as_decimal(value)) if isinstance(value, float) else Fraction(value)


def _decimals(step: Fraction) -> int:
    """Return the decimals that the labels of ticks need."""
    digits = 0
    while (step * 10**digits).denominator != 1:
        digits += 1
    return digits
