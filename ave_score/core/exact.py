"""Exact arithmetic: ratios are fractions and are rounded only once, half up, when printed.

Irrational numbers are computed to sixty digits. Only sums over more than ten thousand ranks, whose
denominators have thousands of digits, are floats.

The campaigns' papers round half up (27/40 = 0.675 is printed as 0.68). Neither binary floating
point nor round-half-even reproduces such figures, so no other ratio becomes a float before
printing.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, Context, Decimal
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import chain, repeat
from math import fsum, isnan, isqrt, lcm, sqrt
from operator import mul, sub
from typing import Any, NamedTuple

Number = int | Fraction
"""A count or an exact ratio."""

_DECIMALS = 60
"""Digits of roots and logarithms, far more than any table prints."""

EXACT_TERMS = 10_000
"""Ranks up to which sums over them are exact."""


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


def mean(values: Iterable[Fraction | None]) -> Fraction | None:
    """Return the exact mean; None if a value is None."""
    known = [*values]
    return None if None in known else sum(filter(None, known), Fraction(0)) / len(known)


class Spread(NamedTuple):
    """How values of the runs of a system differ; None if one is undefined, as is the SD of one."""

    sd: Fraction | None
    lowest: Fraction | None
    highest: Fraction | None


def spread(values: Sequence[Fraction | None]) -> Spread:
    """Return the standard deviation of values (by their number less 1), and their ends."""
    known, middle = [value for value in values if value is not None], mean(values)
    if middle is None:
        return Spread(None, None, None)
    squares = sum(((value - middle) ** 2 for value in known), Fraction(0))
    sd = Fraction(sqrt(squares / (len(known) - 1))) if len(known) > 1 else None
    return Spread(sd, min(known), max(known))


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

    The integers are an array of 64 bits if numbers have at most six decimals, else of objects.
    """
    import numpy as np

    plain = as_plain_integers(numbers)
    if plain is not None:
        return plain
    exact = [decimal.as_integer_ratio() for decimal in map(as_decimal, numbers)]
    factor = lcm(*{by for _, by in exact})
    return np.array([number * (factor // by) for number, by in exact], object), factor


def as_plain_integers(numbers: array[float]) -> tuple[Any, int] | None:
    """Return `as_integers` of 64 bits; None if numbers have more decimals."""
    import numpy as np

    floats = np.array(numbers)
    for factor in _FACTORS:
        with np.errstate(over="ignore"):
            integers = np.rint(floats * factor)  # inf is not equal
        if (integers / factor == floats).all() and (abs(integers) < _PLAIN).all():
            return integers.astype(np.int64), factor
    return None


_MANY = 100_000
"""Numbers whose order takes longer in a loop than importing numpy does."""


def places(numbers: array[float]) -> bytes:
    """Return the place of each number in their order; equal ones share it, NaN is the last."""
    if len(numbers) > _MANY:
        import numpy as np

        return np.unique(numbers, return_inverse=True)[1].astype("<i8").tobytes()
    known = sorted({number for number in numbers if not isnan(number)})
    place = {number: at for at, number in enumerate(known)}
    return array("q", [place.get(number, len(known)) for number in numbers]).tobytes()


_SPARSE = 10
"""Possible keys for each value, up to which sums are counted by key."""


def sums_by(keys: Any, values: Any) -> dict[int, int]:  # noqa: ANN401 - arrays
    """Return the sum of the values of each key.

    Keys and values are arrays of integers; keys of 64 bits are not negative, and sums of values of
    64 bits are below 2^53.
    """
    import numpy as np

    if object in (keys.dtype, values.dtype):
        totals: defaultdict[int, int] = defaultdict(int)
        for key, value in zip(keys.tolist(), values.tolist(), strict=True):
            totals[key] += value
        return totals
    known = None
    if keys.max(initial=0) > _SPARSE * len(keys):
        known, keys = np.unique(keys, return_inverse=True)
    occur = np.bincount(keys).nonzero()[0]
    sums = np.bincount(keys, values)[occur].astype(np.int64)
    return dict(zip((occur if known is None else known).tolist(), sums.tolist(), strict=True))


class Spans(NamedTuple):
    """Terms (constant + factor · (H(end) - H(start))) / by, where H(n) = 1 + 1/2 + ... + 1/n.

    Columns are arrays of integers. The spans start..end do not overlap. If the last end is at most
    ten thousand, the integers have 64 bits; beyond that they may be floats.
    """

    constants: Any
    factors: Any
    by: Any
    starts: Any
    ends: Any


def sum_of_spans(spans: Spans) -> Fraction:
    """Return the sum of terms: exact if the last end is at most ten thousand.

    Beyond that its denominator would have thousands of digits, so the terms are floats. Their sum
    is rounded once, so that it does not depend on their order.
    """
    if not len(spans.ends):
        return Fraction(0)
    last = int(spans.ends[-1])
    if last <= EXACT_TERMS:
        return _exact_sum(spans, last)
    import numpy as np

    constants, factors, by, starts, ends = spans
    inverses = 1 / np.arange(1, last + 2)
    sums = np.add.reduceat(inverses, np.column_stack([starts, ends]).ravel())[::2]
    return Fraction(fsum(((constants + factors * sums) / by).tolist()))


def sum_of_inverses(start: int, end: int) -> Fraction:
    """Return the sum of 1/n over n = start + 1 .. end, as `sum_of_spans`."""
    if end > EXACT_TERMS:
        return Fraction(fsum(1 / n for n in range(start + 1, end + 1)))
    return sum_over_ranks([0] * start + [1] * (end - start))


def _exact_sum(spans: Spans, last: int) -> Fraction:
    constants, factors, by, starts, ends = (column.tolist() for column in spans)
    common = lcm(*{*by})
    scales = [common // denominator for denominator in by]
    numerators = _by_rank([*map(mul, factors, scales)], starts, ends, last)
    total: Fraction = sum(map(mul, constants, scales)) + sum_over_ranks(numerators)
    return total / common


def _by_rank(
    factors: list[int], starts: Sequence[int], ends: Sequence[int], last: int
) -> list[int]:
    """Return the factor of each rank, 0 for ranks in no span."""
    if len(ends) == last:
        return factors
    gaps, lengths = map(sub, starts, [0, *ends]), map(sub, ends, starts)
    parts = zip(map(repeat, repeat(0), gaps), map(repeat, factors, lengths), strict=False)
    return [*chain.from_iterable(chain.from_iterable(parts))]


def sum_over_ranks(numerators: Sequence[int]) -> Fraction:
    """Return the exact sum of numerators[i] / (i + 1)."""
    return Fraction(_over_lcm(numerators, 0, len(numerators)), _lcm_of_ranks(0, len(numerators))[0])


_LEAF = 64
"""So many terms are added at once; longer sums are split in two, which keeps factors small."""


def _split(start: int, end: int) -> int:
    """Return where a long sum is split: the first part is a power of two, which sums share."""
    return start + (1 << (end - start - 1).bit_length() - 1)


@lru_cache(2**12)
def _lcm_of_ranks(start: int, end: int) -> tuple[int, Sequence[int]]:
    """Return the least common multiple of start + 1 .. end, and the factors of terms or parts."""
    if end - start <= _LEAF:
        common = lcm(*range(start + 1, end + 1))
        return common, [common // rank for rank in range(start + 1, end + 1)]
    middle = _split(start, end)
    parts = _lcm_of_ranks(start, middle)[0], _lcm_of_ranks(middle, end)[0]
    common = lcm(*parts)
    return common, [common // part for part in parts]


def _over_lcm(numerators: Sequence[int], start: int, end: int) -> int:
    """Return the numerator of a part of the sum, over the least common multiple of its ranks."""
    _, factors = _lcm_of_ranks(start, end)
    if end - start <= _LEAF:
        part = numerators[start:end]
        return sum(map(mul, part, factors)) if any(part) else 0
    middle = _split(start, end)
    parts = _over_lcm(numerators, start, middle), _over_lcm(numerators, middle, end)
    return sum(map(mul, parts, factors))


def sum_by_denominator(numerators: Mapping[int, Number]) -> Fraction:
    """Return the exact sum of the numerators, each over its key."""
    common = lcm(*numerators)
    return Fraction(sum(n * (common // by) for by, n in numerators.items()), common)


def weighted_sum(values: Sequence[Number], times: Sequence[Number]) -> Number:
    """Return the exact sum of values, each so many times."""
    if Fraction not in map(type, values):
        total: Number = sum(map(mul, values, times))
        return whole_as_int(total)
    by_denominator: defaultdict[int, Number] = defaultdict(int)
    for value, number in zip(values, times, strict=True):
        by_denominator[value.denominator] += value.numerator * number
    return whole_as_int(sum_by_denominator(by_denominator))


def truncate(value: Number, by: int = 1) -> Fraction:
    """Truncate a number, divided by another, to sixty decimals.

    This bounds the denominator of a sum of many approximated irrational numbers.
    """
    scale = 10**_DECIMALS
    return Fraction(scale * value.numerator // (value.denominator * by), scale)


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


def log2(number: int) -> Fraction:
    """Return the binary logarithm: exact for powers of two, else to 60 digits."""
    if number & (number - 1) == 0:
        return Fraction(number.bit_length() - 1)
    context = Context(prec=_DECIMALS)
    return Fraction(context.divide(context.ln(Decimal(number)), context.ln(Decimal(2))))


def ln_of_product(powers: Mapping[int, int]) -> Fraction:
    """Return the natural logarithm of a product of powers of positive integers, to 80 digits.

    Parameters
    ----------
    powers
        Integer -> its exponent.
    """
    # a product of a million rounded powers has over 110 digits left
    context = Context(prec=2 * _DECIMALS, Emax=MAX_EMAX)
    powers_of = (context.power(factor, times) for factor, times in powers.items())
    product = reduce(context.multiply, powers_of, Decimal(1))
    return Fraction(Context(prec=_DECIMALS + 20).ln(product))


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
