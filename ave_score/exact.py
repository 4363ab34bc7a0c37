"""Exact numbers to the end: ratios are fractions, and are rounded once, half up, for printing.

The few numbers that are no ratios are carried to sixty digits.

The campaigns' papers round half up (27/40 = 0.675 is printed 0.68). Binary floating point and
round-half-even both miss such figures, so no ratio becomes a float before it is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from math import isqrt

Number = int | Fraction
"""A count or an exact ratio."""

_DECIMALS = 60
"""Digits of what is no ratio, far beyond any table: roots and logarithms."""

_EXACT_TERMS = 10_000


def ratio(numerator: Number, denominator: Number) -> Fraction | None:
    """Return the exact quotient, or None where it is 0/0 or divided by nothing.

    What is no exact number is a column of many, and is divided as it divides itself: so measures
    are computed for thousands of samples at once (`inference.by_question`).
    """
    if isinstance(denominator, int | Fraction):
        return Fraction(numerator, denominator) if denominator else None
    return numerator / denominator


def ratio_or_0(numerator: Number, denominator: Number) -> Fraction:
    """Return the exact quotient, or 0 where it is 0/0; of columns, too."""
    quotient = ratio(numerator, denominator + (denominator == 0))
    return Fraction(0) if quotient is None else quotient


def as_decimal(number: float) -> Decimal:
    """Return a number as its file has it: the shortest decimal that is read as this float.

    That is what stands there, as long as it has no more than 15 digits.

    >>> as_decimal(0.1)
    Decimal('0.1')
    """
    return Decimal(repr(number))


def harmonic(numerators: Sequence[Number]) -> Fraction:
    """Return the sum of numerators[i] / (i + 1).

    Exact up to ten thousand terms. The exact sum of more has a denominator of ten thousands of
    digits, so that there 60 decimals must do.
    """
    if len(numerators) <= _EXACT_TERMS:
        return Fraction(
            *_quotient([(n.numerator, n.denominator * i) for i, n in enumerate(numerators, 1)])
        )
    scale = 10**_DECIMALS
    total = sum(scale * n.numerator // (n.denominator * i) for i, n in enumerate(numerators, 1))
    return Fraction(total, scale)


def _quotient(terms: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the sum of quotients as one that is not reduced; halves keep the factors small."""
    if len(terms) < 2:
        return terms[0] if terms else (0, 1)
    middle = len(terms) // 2
    (a, b), (c, d) = _quotient(terms[:middle]), _quotient(terms[middle:])
    return a * d + c * b, b * d


def truncate(value: Number) -> Fraction:
    """Return a number without what lies behind its sixtieth decimal.

    So the sum of many that are no ratios does not grow a denominator of their product.
    """
    scale = 10**_DECIMALS
    return Fraction(scale * value.numerator // value.denominator, scale)


def root(square: Fraction) -> Fraction:
    """Return the square root: exact where it is a ratio, else to 60 significant digits at least."""
    numerator, denominator = isqrt(square.numerator), isqrt(square.denominator)
    if numerator**2 == square.numerator and denominator**2 == square.denominator:
        return Fraction(numerator, denominator)
    scale = 10 ** (_DECIMALS + len(str(square.denominator)))
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)


@cache
def log2(number: int) -> Fraction:
    """Return the binary logarithm: exact for powers of two, else to 60 digits."""
    if number & (number - 1) == 0:
        return Fraction(number.bit_length() - 1)
    context = Context(prec=_DECIMALS)
    return Fraction(context.divide(context.ln(Decimal(number)), context.ln(Decimal(2))))


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


def whole_as_int(value: Number) -> Number:
    """Return an exact number, as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def to_number(value: Number | None) -> int | float | None:
    """Return an exact number as what JSON and data frames hold: int, float or None."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)
