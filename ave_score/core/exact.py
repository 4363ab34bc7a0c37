"""Exact arithmetic: ratios are fractions and are rounded only once, half up, when printed.

Irrational numbers are computed to sixty digits.

The campaigns' papers round half up (27/40 = 0.675 is printed as 0.68). Neither binary floating
point nor round-half-even reproduces such figures, so no ratio becomes a float before printing.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import MAX_EMAX, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import chain, pairwise, repeat
from math import isqrt, lcm
from operator import mul, sub
from typing import Any, NamedTuple

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

    The integers are an array of 64 bits if numbers have at most six decimals, else of objects.
    """
    import numpy as np

    given = np.array(numbers)
    for factor in _FACTORS:
        with np.errstate(over="ignore"):
            found = np.rint(given * factor)  # inf is not equal
        if (found / factor == given).all() and (abs(found) < _PLAIN).all():
            return found.astype(np.int64), factor
    exact = [one.as_integer_ratio() for one in map(as_decimal, numbers)]
    factor = lcm(*{by for _, by in exact})
    return np.array([number * (factor // by) for number, by in exact], object), factor


_SPARSE = 10
"""Possible keys for each value, up to which sums are counted by key."""


def sums_by(keys: Any, values: Any) -> dict[int, int]:  # noqa: ANN401 - arrays
    """Return the sum of the values of each key.

    Keys and values are arrays of integers; keys of 64 bits are not negative, and sums of values of
    64 bits are below 2^53.
    """
    import numpy as np

    if object in (keys.dtype, values.dtype):
        found: defaultdict[int, int] = defaultdict(int)
        for key, value in zip(keys.tolist(), values.tolist(), strict=True):
            found[key] += value
        return found
    known = None
    if keys.max(initial=0) > _SPARSE * len(keys):
        known, keys = np.unique(keys, return_inverse=True)
    occur = np.bincount(keys).nonzero()[0]
    sums = np.bincount(keys, values)[occur].astype(np.int64)
    return dict(zip((occur if known is None else known).tolist(), sums.tolist(), strict=True))


class Spans(NamedTuple):
    """Terms (constant + factor · (H(end) - H(start))) / by, where H(n) = 1 + 1/2 + ... + 1/n.

    Columns are arrays of 64 bits in which `by` · `factors` are below 10^15 for each rank, or arrays
    of objects. The spans start..end do not overlap.
    """

    constants: Any
    factors: Any
    by: Any
    starts: Any
    ends: Any


def sum_of_spans(spans: Spans) -> Fraction:
    """Return the sum of terms: exact if the last end is at most ten thousand.

    Beyond that its denominator would have tens of thousands of digits, so it is computed to 60
    decimals: each 1/n is truncated to 72 decimals, and the sum to 60.
    """
    if not len(spans.ends):
        return Fraction(0)
    last = int(spans.ends[-1])
    if last <= _EXACT_TERMS:
        return _exact_sum(spans, last)
    totals: defaultdict[int, int] = defaultdict(int)
    for some in _slices(spans, last):
        for by, total in some:
            totals[by] += total
    rest = 10 ** (_LIMBS * _LIMB - _DECIMALS)
    return Fraction(sum(total // by for by, total in totals.items()) // rest, 10**_DECIMALS)


def sum_of_inverses(start: int, end: int) -> Fraction:
    """Return the sum of 1/n over n = start + 1 .. end, as `sum_of_spans`."""
    if end <= _EXACT_TERMS:
        return Fraction(_inverses(0, end), _lcm_of_ranks(0, end)[0]) - (
            Fraction(_inverses(0, start), _lcm_of_ranks(0, start)[0])
        )
    columns = [0], [1], [1], [start], [end]
    import numpy as np

    return sum_of_spans(Spans(*map(np.array, columns)))


@lru_cache(2**12)
def _inverses(start: int, end: int) -> int:
    """Return the sum of 1/n over n = start + 1 .. end times their least common multiple."""
    _, factors = _lcm_of_ranks(start, end)
    if end - start <= _LEAF:
        return sum(factors)
    middle = _split(start, end)
    return sum(map(mul, (_inverses(start, middle), _inverses(middle, end)), factors))


def _exact_sum(spans: Spans, last: int) -> Fraction:
    constants, factors, by, starts, ends = (column.tolist() for column in spans)
    common = lcm(*{*by})
    scales = [common // some for some in by]
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


_LIMB, _LIMBS = 6, 12
"""Decimals of 1/n are in so many integers of so many digits, which leaves room in 64 bits."""

_PIECE = 24
"""Factors of arrays are multiplied so many bits at a time."""

_CACHED_RANKS = 2**18
"""Ranks for which the decimals of H(n) are cached: about 25 megabytes."""


def _slices(spans: Spans, last: int) -> Iterator[Iterable[tuple[int, int]]]:
    """Yield pairs of a `by` and the sum of its terms, times 10^72."""
    if last <= _CACHED_RANKS:
        yield _totals(spans, _decimals(0, 1 << (last - 1).bit_length()), 0)
    else:
        import numpy as np

        cuts = np.flatnonzero(np.diff(spans.ends // _CACHED_RANKS)) + 1
        for first, behind in pairwise([0, *cuts.tolist(), len(spans.ends)]):
            some = Spans(*(column[first:behind] for column in spans))
            start, end = int(some.starts[0]), int(some.ends[-1])
            yield _totals(some, _decimals.__wrapped__(start, end), start)


@lru_cache(4)
def _decimals(start: int, end: int) -> Any:  # noqa: ANN401 - an array
    """Return the sums of 1/n over n = start + 1 .. end, from no term to all: a row per limb."""
    import numpy as np

    numbers = np.arange(start + 1, end + 1)
    found = np.zeros((_LIMBS, end - start + 1), np.int64)
    rest = np.ones_like(numbers)
    for limb in found:
        rest *= 10**_LIMB
        quotient = rest // numbers
        rest -= quotient * numbers
        np.cumsum(quotient, out=limb[1:])
    return found


def _totals(spans: Spans, decimals: Any, start: int) -> Iterator[tuple[int, int]]:  # noqa: ANN401
    import numpy as np

    constants, factors, by, starts, ends = spans
    starts, ends = starts.astype(np.int64), ends.astype(np.int64)
    first, last = int(starts[0]) - start, int(ends[-1]) - start
    cuts: list[int] = []
    if by.min() == by.max():
        if last - first == len(ends):  # each has a single rank
            inverses = [decimals[:, first + 1 : last + 1], decimals[:, first:last]]
        else:
            inverses = [decimals[:, ends - start] - decimals[:, starts - start]]
    else:
        order = np.argsort(by, kind="stable")
        constants, factors, by = constants[order], factors[order], by[order]
        inverses = [(decimals[:, ends - start] - decimals[:, starts - start])[:, order]]
        cuts = (np.flatnonzero(np.diff(by)) + 1).tolist()
    units = [10 ** (_LIMB * limb) for limb in reversed(range(_LIMBS))]
    pieces = [factors] if factors.dtype == object else [*_pieces(factors)]
    for at, behind in pairwise([0, *cuts, len(by)]):
        total = int(constants[at:behind].sum()) * 10**_LIMB * units[0]
        for shift, piece in enumerate(pieces):
            # products may exceed 64 bits, but their difference does not, and is exact
            limbs, *less = (part[:, at:behind] @ piece[at:behind] for part in inverses)
            numbers = (limbs - less[0] if less else limbs).tolist()
            total += sum(map(mul, numbers, units)) << _PIECE * shift
        yield int(by[at]), total


def _pieces(factors: Any) -> Iterator[Any]:  # noqa: ANN401 - arrays
    """Yield the lowest bits of factors, with their sign, then the next ones."""
    import numpy as np

    while max(int(factors.max()), -int(factors.min())) >> _PIECE:
        piece = np.fmod(factors, 1 << _PIECE)
        yield piece
        factors = (factors - piece) >> _PIECE
    yield factors


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
        some = numerators[start:end]
        return sum(map(mul, some, factors)) if any(some) else 0
    middle = _split(start, end)
    parts = _over_lcm(numerators, start, middle), _over_lcm(numerators, middle, end)
    return sum(map(mul, parts, factors))


def sum_by_denominator(numerators: Mapping[int, Number]) -> Fraction:
    """Return the exact sum of the numerators, each over its key."""
    common = lcm(*numerators)
    return Fraction(sum(n * (common // by) for by, n in numerators.items()), common)


def weighted_sum(values: Sequence[Number], times: Sequence[int]) -> Number:
    """Return the exact sum of values, each so many times."""
    if not any(isinstance(value, Fraction) for value in values):
        return sum(value * number for value, number in zip(values, times, strict=True))
    by_denominator: defaultdict[int, int] = defaultdict(int)
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


@cache
def log2(number: int) -> Fraction:
    """Return the binary logarithm: exact for powers of two, else to 60 digits."""
    if number & (number - 1) == 0:
        return Fraction(number.bit_length() - 1)
    context = Context(prec=_DECIMALS)
    return Fraction(context.divide(context.ln(Decimal(number)), context.ln(Decimal(2))))


_FEW = 16
"""Exponents up to which powers are exact, which is quicker."""


def ln_of_product(powers: Mapping[int, int]) -> Fraction:
    """Return the natural logarithm of a product of powers of positive integers, to 80 digits.

    Parameters
    ----------
    powers
        Integer -> its exponent.
    """
    # a product of a million rounded powers has over 110 digits left
    context = Context(prec=2 * _DECIMALS, Emax=MAX_EMAX)
    few = [factor**times for factor, times in powers.items() if times <= _FEW]
    for _ in range(4):
        last = few[-1:] if len(few) % 2 else ()
        few = [*map(mul, few[::2], few[1::2]), *last]
    many = (context.power(factor, times) for factor, times in powers.items() if times > _FEW)
    product = reduce(context.multiply, chain(map(Decimal, few), many), Decimal(1))
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
