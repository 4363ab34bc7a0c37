"""What a measure takes beside counts, as it stands in the measure's name: `f_beta(2)`, `ndcg@5`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from ave_score.errors import UsageError
from ave_score.text import did_you_mean, nearest

Value = Fraction | str | None
"""A number, a word, or a cut-off that is not there."""

_HIGHEST_DIGIT = 6
"""Numbers are below ten millions, and have no more than six zeros behind their point."""


class Parameter(NamedTuple):
    """One of them: a number from 0, a whole number from 1, or a word of some.

    Attributes
    ----------
    symbol
        How the formula calls it, and a name: `map(norm=returned)`.
    default
        What it is where the name does not say; None only for a cut-off that need not be.
    choices
        The words that it may be; a number where there are none.
    is_whole
        Whether it is a whole number from 1.
    is_cutoff
        Whether it stands behind the name: `ndcg@5`.
    highest
        What it may not exceed.
    """

    symbol: str
    default: Value
    choices: tuple[str, ...] = ()
    is_whole: bool = False
    is_cutoff: bool = False
    highest: Fraction | None = None

    def read(self, text: str, name: str) -> Value:
        """Return the value that a measure's name gives; raises `UsageError` for what is none."""
        if self.choices:
            return self._word(text, name)
        example = self.written(self.default or Fraction(5))
        try:
            value = Decimal(text)
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite() or value < 0 or abs(value.adjusted()) > _HIGHEST_DIGIT:
            value = Decimal(-1)
        if self.is_whole and value != value.to_integral_value():
            value = Decimal(0)
        if value < self.is_whole or (self.highest is not None and value > self.highest):
            raise UsageError(f"{name}: {text!r} is not {self.expected}, such as {example}")
        return Fraction(value)

    @property
    def expected(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return " or ".join(self.choices)
        to = "" if self.highest is None else f" to {shown(self.highest)}"
        return f"a {'whole number from 1' if self.is_whole else 'number from 0'}{to}"

    def _word(self, text: str, name: str) -> str:
        if text not in self.choices:
            hint = did_you_mean(nearest(text, self.choices))
            raise UsageError(f"{name}: {self.symbol} is {self.expected}, not {text!r}{hint}")
        return text

    def written(self, value: Value, *, first: bool = True) -> str:
        """Return a value as a name has it; a number needs no symbol in the first place."""
        if self.is_cutoff:
            return f"@{shown(value)}"
        return shown(value) if first and not self.choices else f"{self.symbol}={shown(value)}"


def number(symbol: str, default: Fraction | int, highest: int | None = None) -> Parameter:
    """Return a parameter that is a number from 0."""
    top = None if highest is None else Fraction(highest)
    return Parameter(symbol, Fraction(default), highest=top)


def whole(symbol: str, default: int) -> Parameter:
    """Return a parameter that is a whole number from 1."""
    return Parameter(symbol, Fraction(default), is_whole=True)


def choice(symbol: str, *choices: str) -> Parameter:
    """Return a parameter that is one of some words, the first where a name does not say."""
    return Parameter(symbol, choices[0], choices)


def cutoff(default: int | None = None) -> Parameter:
    """Return the parameter `@k`: a whole number from 1; the whole list where it may be left out."""
    value = None if default is None else Fraction(default)
    return Parameter("k", value, is_whole=True, is_cutoff=True)


def shown(value: Value) -> str:
    """Return a value as people write it."""
    if not isinstance(value, Fraction):
        return value or ""
    text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def written_name(name: str, parameters: Sequence[Parameter], values: Sequence[Value]) -> str:
    """Return a measure's name with the values that are not the default: `f_beta(2)`, `ndcg@5`.

    A name that ends in `@` always has its cut-off.
    """
    inside, behind = [], ""
    for place, (parameter, value) in enumerate(zip(parameters, values, strict=True)):
        if parameter.is_cutoff:
            is_said = value is not None and (value != parameter.default or name.endswith("@"))
            behind = parameter.written(value) if is_said else ""
        elif value != parameter.default:
            inside.append(parameter.written(value, first=place == 0))
    arguments = f"({', '.join(inside)})" if inside else ""
    return f"{name.removesuffix('@')}{arguments}{behind}"
