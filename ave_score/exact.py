"""Exact numbers to the end: ratios are fractions, and are rounded once, half up, for printing.

The campaigns' papers round half up (27/40 = 0.675 is printed 0.68). Binary floating point and
round-half-even both miss such figures, so no ratio becomes a float before it is printed.
"""

from __future__ import annotations

from fractions import Fraction

Number = int | Fraction
"""A count or an exact ratio."""


def ratio(numerator: Number, denominator: Number) -> Fraction | None:
    """Return the exact quotient, or None where it is 0/0 or divided by nothing."""
    return Fraction(numerator, denominator) if denominator else None


def fixed(value: Number, digits: int) -> str:
    """Print an exact number with `digits` decimals, rounded half up (towards +infinity).

    >>> fixed(Fraction(27, 40), 2)
    '0.68'
    >>> fixed(Fraction(-1, 1000), 2)
    '0.00'
    """
    scale: int = 10**digits
    # floor(x + 1/2) on integers only: (2·n·scale + d) // (2·d)
    units = (2 * value.numerator * scale + value.denominator) // (2 * value.denominator)
    whole, decimals = divmod(abs(units), scale)
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{decimals:0{digits}d}" if digits else f"{sign}{whole}"


def plain(value: Number | None) -> int | float | None:
    """Return an exact number as what JSON and data frames hold: int, float or None."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)
