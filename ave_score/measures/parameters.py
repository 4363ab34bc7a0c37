"""Parameters of measures, as they are written in a measure's name: `f_beta(2)`, `ndcg@5`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, nearest

Value = Fraction | str | None
"""A number, a word, or None for no cut-off."""

_HIGHEST_DIGIT = 6
"""Numbers are below ten million, with at most six zeros after the decimal point."""


class Parameter(NamedTuple):
    """A parameter: a number from 0, a whole number from 1, or one of several words.

    Attributes
    ----------
    symbol
        Its symbol in the formula and in names: `map(norm=returned)`.
    default
        Its value if the name does not give one; None only for an optional cut-off.
    choices
        The allowed words; empty for a number.
    is_whole
        Whether it is a whole number from 1.
    is_cutoff
        Whether it follows the name: `ndcg@5`.
    highest
        Its maximum.
    with_qrels
        The default with qrels, if it is another word.
    """

    symbol: str
    default: Value
    choices: tuple[str, ...] = ()
    is_whole: bool = False
    is_cutoff: bool = False
    highest: Fraction | None = None
    with_qrels: str = ""

    def read(self, text: str, name: str) -> Value:
        """Return the value written in a measure's name; raises `UsageError` if it is invalid."""
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
        """The allowed values, in words."""
        if self.choices:
            *others, last = self.choices
            return f"{', '.join(others)} or {last}"
        to = "" if self.highest is None else f" to {shown(self.highest)}"
        return f"a {'whole number from 1' if self.is_whole else 'number from 0'}{to}"

    def _word(self, text: str, name: str) -> str:
        if text not in self.choices:
            hint = did_you_mean(nearest(text, self.choices))
            raise UsageError(f"{name}: {self.symbol} is {self.expected}, not {text!r}{hint}")
        return text

    def written(self, value: Value, *, first: bool = True) -> str:
        """Return a value as written in a name; a number in first position needs no symbol."""
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


def choice(symbol: str, *choices: str, with_qrels: str = "") -> Parameter:
    """Return a parameter that is one of several words, the first by default."""
    return Parameter(symbol, choices[0], choices, with_qrels=with_qrels)


def cutoff(default: int | None = None) -> Parameter:
    """Return the parameter `@k`: a whole number from 1; None, the default, is the whole list."""
    value = None if default is None else Fraction(default)
    return Parameter("k", value, is_whole=True, is_cutoff=True)


def shown(value: Value) -> str:
    """Return a value as text, without trailing zeros."""
    if not isinstance(value, Fraction):
        return value or ""
    text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def written_name(name: str, parameters: Sequence[Parameter], values: Sequence[Value]) -> str:
    """Return a measure's name with its non-default values: `f_beta(2)`, `ndcg@5`.

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
