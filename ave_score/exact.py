"""Exact arithmetic: ratios are fractions and are rounded only once, half up, when printed.

Irrational numbers are computed to sixty digits.

The campaigns' papers round half up (27/40 = 0.675 is printed as 0.68). Neither binary floating
point nor round-half-even reproduces such figures, so no ratio becomes a float before printing.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt, lcm
from operator import mul
from typing import Any

from ave_score.bulk import loaded_numpy, numpy_for

Number = int | Fraction
"""A count or an exact ratio."""

_DECIMALS = 60
"""Digits of roots and logarithms, far more than any table prints."""

_EXACT_TERMS = 10_000


def ratio(numerator: Number, denominator: Number) -> Fraction | None:
    """Return the exact quotient, or None if the denominator is 0.

    Arrays use their own division, so measures can be computed for thousands of samples at once
    (`inference.by_question`).
    """
    if isinstance(denominator, int | Fraction):
        return Fraction(numerator, denominator) if denominator else None
    return numerator / denominator


def ratio_or_0(numerator: Number, denominator: Number) -> Fraction:
    """Return the exact quotient, or 0 if it is 0/0; also accepts arrays."""
    quotient = ratio(numerator, denominator + (denominator == 0))
    return Fraction(0) if quotient is None else quotient


def as_decimal(number: float) -> Decimal:
    """Return the shortest decimal that converts to this float.

    It equals the text in the input file if that has at most 15 significant digits.

    >>> as_decimal(0.1)
    Decimal('0.1')
    """
    return Decimal(repr(number))


_FACTORS = 10**4, 10**6
_PLAIN = 10**9


def as_integers(numbers: array[float]) -> tuple[Any, int]:
    """Return the decimals of `as_decimal` times a power of ten or another factor, and that factor.

    The integers are a list; where numpy pays and numbers have at most six decimals, an array.
    """
    np = numpy_for(len(numbers))
    if np is not None:
        given = np.frombuffer(numbers)
        for factor in _FACTORS:
            with np.errstate(over="ignore"):
                found = np.rint(given * factor)  # inf is not equal
            if (found / factor == given).all() and (abs(found) < _PLAIN).all():
                return found.astype(np.int64), factor
    exact = [one.as_integer_ratio() for one in map(as_decimal, numbers)]
    factor = lcm(*{by for _, by in exact})
    return [number * (factor // by) for number, by in exact], factor


def harmonic(numerators: Sequence[Number]) -> Fraction:
    """Return the sum of numerators[i] / (i + 1), as `sum_of_ranks`."""
    return sum_of_ranks([n.numerator for n in numerators], [n.denominator for n in numerators])


def sum_of_ranks(numerators: Any, denominators: Any) -> Fraction:  # noqa: ANN401 - columns
    """Return the sum of numerators[i] / (denominators[i] · (i + 1)) of lists or arrays.

    The sum is exact up to ten thousand terms. Beyond that its denominator would have tens of
    thousands of digits, so each term is computed to 60 decimals.
    """
    if len(numerators) <= _EXACT_TERMS:
        numbers, by = [*map(int, numerators)], [*map(int, denominators)]
        common = lcm(*{*by})
        whole = (
            [n * (common // d) for n, d in zip(numbers, by, strict=True)] if common > 1 else numbers
        )
        return sum_over_ranks(whole) / common
    scale = 10**_DECIMALS
    if isinstance(numerators, list):
        terms = enumerate(zip(map(int, numerators), map(int, denominators), strict=True), 1)
        return Fraction(sum(scale * n // (d * i) for i, (n, d) in terms), scale)
    return Fraction(_digits(numerators, denominators), scale)


def _digits(numerators: Any, denominators: Any) -> int:  # noqa: ANN401 - arrays
    """Return the sum of the terms of `sum_of_ranks`, which are at least 0, times 10^60.

    They are divided some digits at a time, which leaves room in 64 bits.
    """
    np = loaded_numpy()
    by = denominators * np.arange(1, len(denominators) + 1)
    room = 2**62 // max(int(by.max()), len(by))
    digits = next(n for n in (12, 10, 6, 5, 4, 3, 2, 1) if 10**n <= room)
    whole, rest = np.divmod(numerators, by)
    total = int(whole.sum())
    for _ in range(_DECIMALS // digits):
        rest *= 10**digits
        quotient = rest // by
        rest -= quotient * by
        total = total * 10**digits + int(quotient.sum())
    return total


def sum_over_ranks(numerators: Sequence[int]) -> Fraction:
    """Return the exact sum of numerators[i] / (i + 1)."""
    return Fraction(_over_lcm(numerators, 0, len(numerators)), _lcm_of_ranks(0, len(numerators))[0])


_LEAF = 64
"""So many terms are added at once; longer sums are split in halves, which keeps factors small."""


@lru_cache(2**12)
def _lcm_of_ranks(start: int, end: int) -> tuple[int, Sequence[int]]:
    """Return the least common multiple of start + 1 .. end, and the factors of terms or halves."""
    if end - start <= _LEAF:
        common = lcm(*range(start + 1, end + 1))
        return common, [common // rank for rank in range(start + 1, end + 1)]
    middle = (start + end) // 2
    halves = _lcm_of_ranks(start, middle)[0], _lcm_of_ranks(middle, end)[0]
    common = lcm(*halves)
    return common, [common // half for half in halves]


def _over_lcm(numerators: Sequence[int], start: int, end: int) -> int:
    """Return the numerator of a part of the sum, over the least common multiple of its ranks."""
    _, factors = _lcm_of_ranks(start, end)
    if end - start <= _LEAF:
        return sum(map(mul, numerators[start:end], factors))
    middle = (start + end) // 2
    halves = _over_lcm(numerators, start, middle), _over_lcm(numerators, middle, end)
    return sum(map(mul, halves, factors))


def sum_by_denominator(numerators: Mapping[int, Number]) -> Fraction:
    """Return the exact sum of the numerators, each over its key."""
    common = lcm(*numerators)
    return Fraction(sum(n * (common // by) for by, n in numerators.items()), common)


def truncate(value: Number) -> Fraction:
    """Truncate a number to sixty decimals.

    This bounds the denominator of a sum of many approximated irrational numbers.
    """
    scale = 10**_DECIMALS
    return Fraction(scale * value.numerator // value.denominator, scale)


def root(square: Number) -> Fraction:
    """Return the square root: exact if it is rational, else to at least 60 significant digits.

    Arrays use their own power, as in `ratio`.
    """
    if not isinstance(square, int | Fraction):
        return square**0.5
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
    """Format an exact number with `digits` decimals, rounded half up (towards +infinity).

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
    """Return an exact number, as an int if it is integral."""
    return value.numerator if value.denominator == 1 else value


def to_number(value: Number | None) -> int | float | None:
    """Convert an exact number to an int, float or None for JSON and data frames."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)
