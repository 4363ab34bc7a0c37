"""Results described once: each key with its type, its meaning, and how a result has it.

A description makes the document of JSON and the records of CSV here, and the schema of the document
in `tools.schemas`. A key is its type, called with its meaning:

    {"runs": list_of(TEXT)("The names of runs."), "level": SHARE("The level.", "agreement.level")}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from math import isnan
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, cast

from ave_score.core.exact import fixed, to_number
from ave_score.core.levels import share_of
from ave_score.reports.report import DIGITS, Cell, Figure, Records, Report, ReportTable

R = TypeVar("R")

V = TypeVar("V")

Get = str | Callable[[Any, Any], object]
"""The path of an attribute, or a function of an entry and of what it is in."""

_OF_KEYS = ("{}",)
"""The columns of values that are no intervals: those of their names."""

ABSENT = object()
"""The value of an optional key that a document does not have."""


@dataclass(frozen=True)
class Type:
    """A type of values.

    Attributes
    ----------
    schema
        Its JSON schema, without that of `keys` and `item`.
    keys
        The keys of an object; one that a result has as a mapping is taken as it is.
    item
        The type of the entries of a list.
    name
        The name of an object that a schema describes once for several places.
    is_optional
        Whether a key of this type may be `ABSENT`.
    has_integers
        Whether the document has a ratio that is a whole number as an integer.
    columns
        The columns of records, in which `{}` is the key, or each key of an object in turn. Two are
        for the ends of an interval; any other list has its length.
    """

    schema: Mapping[str, object]
    keys: Mapping[str, Key] | None = None
    item: Type | None = None
    name: str = ""
    is_optional: bool = False
    has_integers: bool = False
    columns: Sequence[str] = _OF_KEYS

    def __call__(self, text: str = "", get: Get = "") -> Key:
        """Return a key with this meaning; its value is by default the attribute of its name."""
        return Key(self, text, get)

    @property
    def optional(self) -> Type:
        """The same type for a key that may be absent."""
        return replace(self, is_optional=True)

    @property
    def or_null(self) -> Type:
        """The same type, or null; shared types that may be null say so themselves."""
        kind = self.schema.get("type") or ("array" if self.item else "object")
        return replace(self, schema={**self.schema, "type": [kind, "null"]})

    @property
    def with_integers(self) -> Type:
        """The same type, with ratios that are whole numbers as integers."""
        return replace(self, has_integers=True)

    def in_columns(self, *columns: str) -> Type:
        """Return the same type with these columns of records."""
        return replace(self, columns=columns)

    def made(self, value: Any, within: object = None) -> object:  # noqa: ANN401 - of any result
        """Return a value of this type as the document has it; NaN is null."""
        if value is None:
            return None
        if isinstance(value, Mapping):
            return {key: self._number(number) for key, number in value.items()}
        if self.item is not None:
            return [self.item.made(part, within) for part in value]
        if self.keys is None:
            return self._number(value)
        parts = _parts(self.keys, value, within)
        return {name: one.made(part, value) for name, one, part in parts}

    def _number(self, value: object) -> object:
        if self.has_integers and isinstance(value, Fraction):
            return to_number(value)
        return _plain(value)


def _plain(value: V) -> V | float | None:
    """Return a value, None for NaN; a zero has no sign."""
    if isinstance(value, float):
        return None if isnan(value) else value + 0.0
    return value


class Key(NamedTuple):
    """A key of a document: its type, its meaning, and how to get it from a result."""

    type: Type
    text: str
    get: Get

    def value(self, name: str, entry: object, within: object) -> object:
        """Return what an entry of a result has for this key."""
        if callable(self.get):
            return self.get(entry, within)
        return _attribute(self.get or name)(entry)


_attribute = cache(attrgetter)

Keys = Mapping[str, Key]


def _parts(keys: Keys, value: object, within: object) -> Iterator[tuple[str, Type, Any]]:
    """Yield the keys that an entry of a result has, with their types and values."""
    for name, key in keys.items():
        part = key.value(name, value, within)
        if part is not ABSENT:
            yield name, key.type, part


class ResultDocument(NamedTuple):
    """A document: its name, its title, what it is, and its keys.

    `is_line` tells whether it is a line of a file, which does not name its version.
    """

    name: str
    title: str
    text: str
    keys: Keys
    is_line: bool = False

    @property
    def schema(self) -> str:
        """The name and version, as the document has it."""
        return f"ave-score/{self.name}/1"

    def of(self, result: object) -> dict[str, Any]:
        """Return the document of a result."""
        made = cast("dict[str, object]", entry(self.keys).made(result))
        return {"schema": self.schema, **made}

    def records(
        self, result: object, path: str, columns: Sequence[str], digits: int | None = None
    ) -> Records:
        """Return a row for each entry of the lists at a path, with the keys of what it is in."""
        return picked(columns, _records(self.keys, result, None, path.split("."), columns), digits)


def _records(
    keys: Keys, value: object, within: object, path: Sequence[str], columns: Sequence[str]
) -> Iterator[dict[str, Cell]]:
    """Yield the records of the lists at a path from a value."""
    if not path:
        yield record(keys, value, within)
        return
    outer = record({name: keys[name] for name in columns if name in keys}, value, within)
    of, inner = keys[path[0]], cast("Type", keys[path[0]].type.item).keys
    for item in cast("Iterable[object]", of.value(path[0], value, within)):
        for row in _records(inner or {}, item, value, path[1:], columns):
            yield outer | row


def record(keys: Keys, value: object, within: object = None) -> dict[str, Cell]:
    """Return an entry as a record: column -> cell, which is exact; NaN is None."""
    row: dict[str, Any] = {}
    for name, one, part in _parts(keys, value, within):
        if part is None or not one.columns:
            continue
        cells: Mapping[str, Any] = {name: part}
        if isinstance(part, Mapping):
            cells = part
        elif one.keys is not None:
            cells = record(one.keys, part, value)
        elif one.item is not None and isinstance(part, Sequence):
            cells = {name: len(part)}
        elif isinstance(part, float) and one.schema == SHARE.schema:
            cells = {name: decimal(part)}  # rounded as measures are
        if one.columns is _OF_KEYS:
            row |= cells
            continue
        for inner, cell in cells.items():
            columns = [column.format(inner) for column in one.columns]
            parts = [cell]
            if len(columns) > 1:
                parts = [decimal(end) if isinstance(end, float) else end for end in cell]
            row |= zip(columns, parts, strict=True)
    return row


def picked(
    columns: Sequence[str], rows: Iterable[Mapping[str, Cell]], digits: int | None = None
) -> Records:
    """Return these columns of rows; ratios are rounded unless `digits` is None."""
    return Records(columns, ([rounded(row.get(name), digits) for name in columns] for row in rows))


def decimal(value: float | None) -> Fraction | None:
    """Return a number as it is written, which is what is rounded, or None for NaN."""
    return None if value is None or isnan(value) else Fraction(repr(float(value)))


def numeric(value: Cell, digits: int | None) -> Cell:
    """Return a ratio with `digits` decimals; as an integer or a float if `digits` is None."""
    if digits is None and isinstance(value, Fraction):
        return to_number(value)
    return rounded(value, digits)


def rounded(value: Cell, digits: int | None) -> Cell:
    """Return a ratio with `digits` decimals, or exact if `digits` is None; None for NaN."""
    if isinstance(value, Fraction):
        return value if digits is None else Figure(fixed(value, digits))
    if isinstance(value, Enum):
        return str(value)
    return _plain(value)


@dataclass(frozen=True)
class Reporter(Generic[R]):
    """What makes the report of a result: its document, its tables and its records.

    Tables have these digits by default, and records are not rounded.
    """

    document: ResultDocument
    tables: Callable[[R, int], Sequence[ReportTable]]
    records: Callable[[R, int | None], Records]
    digits: int = DIGITS

    def __call__(self, result: R, digits: int | None = None) -> Report:
        """Return the report of a result."""
        return Report(
            lambda: self.tables(result, self.digits if digits is None else digits),
            lambda: self.document.of(result),
            lambda: self.records(result, digits),
        )


def shared(name: str) -> Type:
    """Return a type that `tools.schemas` defines for all documents."""
    return Type({"$ref": f"#/$defs/{name}"})


def one_of(*values: str | None) -> Type:
    """Return the type of values of which there are only these."""
    return Type({"enum": [value and str(value) for value in values]})


def between(low: float, high: float | None = None, kind: str = "number") -> Type:
    """Return the type of numbers of at least `low`, and at most `high`."""
    most = {} if high is None else {"maximum": high}
    return Type({"type": kind, "minimum": low, **most})


def list_of(item: Type, length: int | None = None) -> Type:
    """Return the type of lists; `length` is that of all of them."""
    return Type({} if length is None else {"minItems": length, "maxItems": length}, item=item)


def mapping(values: Type, names: Type | None = None) -> Type:
    """Return the type of objects with any keys, or with those of a type."""
    named = {} if names is None else {"propertyNames": names.schema}
    return Type({"type": "object", **named, "additionalProperties": values.schema})


def entry(keys: Keys, name: str = "") -> Type:
    """Return the type of objects with these keys."""
    return Type({}, keys, name=name)


TEXT, BOOLEAN, NUMBER = (Type({"type": kind}) for kind in ("string", "boolean", "number"))
AMOUNT, WHOLE, POSITIVE = between(0), between(0, kind="integer"), between(1, kind="integer")
COUNT, SHARE, P, VALUE, MEASURE = map(shared, ("count", "share", "p", "value", "measure"))

SIGNATURE, NOT_SCORED = shared("signature")(), shared("not_scored")()
RUNS = list_of(TEXT)("The names of the runs, sorted.")
SEED = COUNT("The seed of the sampling.")


def level(meaning: str, get: Callable[[Any], float | Fraction]) -> Key:
    """Return a key of a level in per cent, written as 95 whether it was given as 95 or 95.0."""
    of_levels = Type({"type": "number", "minimum": 1, "exclusiveMaximum": 100})
    return of_levels(meaning, lambda result, _: to_number(100 * share_of(get(result))))


NOTES = list_of(TEXT).optional("Sentences about the figures.", lambda row, _: row.notes or ABSENT)
