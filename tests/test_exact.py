"""Rounding, and the safe display of foreign text."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ave_score.core.exact import fixed, ratio, to_number
from ave_score.core.text import excerpt, nearest, visible
from tests import each


@each("value, digits, text", [
    (Fraction(27, 40), 2, "0.68"),  # the papers print 27/40 so; as a float it is 0.67499...
    (Fraction(1, 8), 2, "0.13"),  # half to even would give 0.12
    (Fraction(5, 2), 0, "3"),
    (Fraction(-1, 8), 2, "-0.12"),  # half up is towards +infinity
    (Fraction(-1, 1000), 2, "0.00"),  # no negative zero
    (Fraction(2, 3), 12, "0.666666666667"),
    (1, 2, "1.00"),
    (Fraction(-5, 4), 1, "-1.2"),
])  # fmt: skip
def test_fixed(value: Fraction | int, digits: int, text: str) -> None:
    assert fixed(value, digits) == text


@given(st.fractions(-10, 10, max_denominator=400), st.integers(0, 6))
def test_fixed_is_the_value_plus_half_a_unit_cut_off(value: Fraction, digits: int) -> None:
    error = Fraction(fixed(value, digits)) - value
    half_a_unit = Fraction(1, 2 * 10**digits)
    assert -half_a_unit < error <= half_a_unit


def test_ratio_and_plain() -> None:
    assert ratio(1, 2) == Fraction(1, 2) and ratio(0, 0) is None
    assert (to_number(Fraction(4, 2)), to_number(Fraction(1, 2)), to_number(None)) == (2, 0.5, None)
    assert isinstance(to_number(Fraction(4, 2)), int)


def test_visible_shows_what_a_terminal_would_obey() -> None:
    assert visible("a\x1b[31m\n\u202eb\u200b\x9b") == "a\\x1b[31m\\n\\u202eb\\u200b\\x9b"
    assert visible("Glöckner 東京 é") == "Glöckner 東京 é"


def test_excerpt_is_short() -> None:
    assert excerpt("x" * 100, 10) == "x" * 9 + "…" and excerpt("x" * 10, 10) == "x" * 10


def test_nearest() -> None:
    assert nearest("validted", ["VALIDATED", "REJECTED"]) == "VALIDATED"
    assert nearest("zzz", ["VALIDATED", "REJECTED"]) is None
