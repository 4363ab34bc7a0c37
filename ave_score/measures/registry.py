"""The records of all measures: help, documentation, table heads and JSON read them here.

A measure is a pure function of exact counts. It is registered once, beside its formula, by
`@measure(...)`; its name parses and prints the same way: `f1`, `f_beta(2)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from ave_score.counts import Counts, Family
from ave_score.errors import UsageError
from ave_score.text import did_you_mean, nearest

_NAME = re.compile(r"\s*([A-Za-z_0-9]+)\s*(?:\(\s*([^()]*?)\s*\))?\s*")
_BETWEEN = re.compile(r",(?![^()]*\))")


class Parameter(NamedTuple):
    """The number that a parametrised measure takes; any number >= 0.

    `symbol` is how the formula calls it, `default` what it is where the name gives none.
    """

    symbol: str
    default: Fraction


class Measure(NamedTuple):
    """What is known of one measure.

    Attributes
    ----------
    key
        Its name on the command line and in JSON, with its parameter where that is not the default.
    head
        Its name as the head of a table's column.
    family
        The counts it is computed from.
    formula
        The formula; its symbols are explained at the top of the family's module.
    undefined
        What it is where the formula gives 0/0.
    source
        Where it was defined.
    higher_is_better
        Which way is better.
    percent
        Whether tables print it times 100, as the campaigns' papers do.
    whole
        Whether it is a number of questions, which tables print as it is.
    lowest, highest
        Its range.
    function
        The formula as code: counts, and the parameter's value if there is one, to the measure.
    parameter, value
        What the measure takes beside counts, and its value where that is not the default.
    """

    key: str
    head: str
    family: Family
    formula: str
    undefined: str
    source: str
    function: Callable[..., Fraction | None]
    higher_is_better: bool = True
    percent: bool = False
    whole: bool = False
    lowest: str = "0"
    highest: str = "1"
    parameter: Parameter | None = None
    value: Fraction | None = None

    def __call__(self, counts: Counts) -> Fraction | None:
        """Return the exact value for these counts, or None where it is undefined."""
        if self.parameter is None:
            return self.function(counts)
        return self.function(counts, self.parameter.default if self.value is None else self.value)

    def standing(self, value: Fraction | None) -> tuple[bool, Fraction]:
        """Return what sorts values of this measure: the best first, undefined ones last."""
        return value is None, (-1 if self.higher_is_better else 1) * (value or Fraction(0))

    def best(self, values: Iterable[Fraction | None]) -> Fraction | None:
        """Return the best of some values, None where none of them is defined."""
        return min(values, key=self.standing, default=None)

    def with_value(self, value: Fraction) -> Measure:
        """Return the same measure with its parameter set."""
        if self.parameter is None:
            raise UsageError(f"measure {self.key} takes no parameter")
        if value == self.parameter.default:
            return self
        shown = _decimal(value)
        head = self.head.replace(_decimal(self.parameter.default), shown)
        return self._replace(key=f"{self.key}({shown})", head=head, value=value)


MEASURES: dict[str, Measure] = {}
"""Key -> record, in the order of registration."""

LAYOUTS: dict[str, tuple[str, ...]] = {
    # the columns of the overview papers' tables
    "ave2007": ("f1", "precision", "recall", "qa_accuracy", "normalized_qa_accuracy"),
    "ave2008": (
        "f1",
        "precision",
        "recall",
        "estimated_qa_performance",
        "qa_accuracy",
        "normalized_qa_accuracy",
        "qa_rej_accuracy",
        "qa_accuracy_max",
    ),
    "respubliqa": (
        "c_at_1",
        "answering_accuracy",
        "n_right",
        "n_wrong",
        "n_unanswered",
        "n_withheld_right",
        "n_withheld_wrong",
    ),
}
"""Name of a published layout -> the measures of its tables."""


TABLES: dict[str, tuple[Family, ...]] = {
    "validation": (Family.VALIDATION, Family.QUESTIONS),
    "selection": (Family.SELECTION,),
    "answering": (Family.ANSWERING,),
}
"""Name of a table -> the counts its measures come from; the first make a row belong to it."""


def measure(
    key: str,
    head: str,
    family: Family,
    **record: Any,  # noqa: ANN401 - the fields of Measure
) -> Callable[[Callable[..., Fraction | None]], Callable[..., Fraction | None]]:
    """Register the decorated function as a measure; see `Measure` for the fields of the record."""

    def register(function: Callable[..., Fraction | None]) -> Callable[..., Fraction | None]:
        if key in MEASURES:
            raise ValueError(f"measure {key} is registered twice")
        MEASURES[key] = Measure(key, head, family, function=function, **record)
        return function

    return register


def groups() -> dict[str, tuple[str, ...]]:
    """Return the names that stand for several measures: layouts, tables and `all`."""
    tables = {
        table: tuple(key for key, record in MEASURES.items() if record.family in families)
        for table, families in TABLES.items()
    }
    return {**LAYOUTS, **tables, "all": tuple(chain(*tables.values()))}


def parse_measures(text: str) -> list[Measure]:
    """Return the measures that a list such as `f1, f_beta(2), selection` names, each once.

    Raises `UsageError` that lists every bad name at once, with what may have been meant.
    """
    found: dict[str, Measure] = {}
    problems: list[str] = []
    for name in _BETWEEN.split(text):
        try:
            found.update((one.key, one) for one in _parse_one(name))
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("; ".join(problems))
    return list(found.values())


def _parse_one(name: str) -> Iterable[Measure]:
    match = _NAME.fullmatch(name)
    if not match:
        raise UsageError(f"{name.strip()!r} is no measure name")
    key, value = match[1], match[2]
    several = groups().get(key)
    if several and value is None:
        return [MEASURES[each] for each in several]
    if key not in MEASURES:
        hint = did_you_mean(nearest(key, [*MEASURES, *groups()]))
        raise UsageError(f"no measure {key!r}{hint.replace(';', ':')}")
    if value is None:
        return [MEASURES[key]]
    return [MEASURES[key].with_value(_number(key, value))]


def _number(key: str, text: str) -> Fraction:
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or value < 0 or abs(value.adjusted()) > 6:
        raise UsageError(f"{key}({text}): expected a number from 0, such as {key}(0.5)")
    return Fraction(value)


def _decimal(value: Fraction) -> str:
    shown = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown
