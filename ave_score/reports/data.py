"""Documents described once: each key with its type, its meaning, and how a result has it.

A description makes the document of JSON here, and its schema in `tools.schemas`. Records of CSV
are the entries of lists of the document. A key is its type, called with its meaning:

    {"runs": each(TEXT)("The names of the runs."), "level": SHARE("The level.", "agreement.level")}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import isnan
from operator import attrgetter
from typing import Any, NamedTuple, cast

from ave_score.core.exact import to_number
from ave_score.reports.report import Cell, Records

Get = str | Callable[[Any, Any], object]
"""The path of an attribute, or a function of an entry and of what it is in."""

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
    """

    schema: Mapping[str, object]
    keys: Mapping[str, Key] | None = None
    item: Type | None = None
    name: str = ""
    is_optional: bool = False

    def __call__(self, text: str = "", get: Get = "") -> Key:
        """Return a key with this meaning; its value is by default the attribute of its name."""
        return Key(self, text, get)

    @property
    def optional(self) -> Type:
        """The same type for a key that may be absent."""
        return replace(self, is_optional=True)

    @property
    def or_null(self) -> Type:
        """The same type, or null."""
        kind = self.schema.get("type") or ("array" if self.item else "object")
        return replace(self, schema={**self.schema, "type": [kind, "null"]})

    def made(self, value: Any, within: object = None) -> object:  # noqa: ANN401 - of any result
        """Return a value of this type as the document has it."""
        if value is None:
            return None
        if isinstance(value, Mapping):
            return dict(value)
        if self.item is not None:
            return [self.item.made(one, within) for one in value]
        if self.keys is None:
            return value
        found = ((name, key, key.value(name, value, within)) for name, key in self.keys.items())
        return {name: key.type.made(one, value) for name, key, one in found if one is not ABSENT}


class Key(NamedTuple):
    """A key of a document: its type, its meaning, and how to get it from a result."""

    type: Type
    text: str
    get: Get

    def value(self, name: str, entry: object, within: object) -> object:
        """Return what an entry of a result has for this key."""
        if callable(self.get):
            return self.get(entry, within)
        return attrgetter(self.get or name)(entry)


Keys = Mapping[str, Key]


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

    def records(self, result: object, path: str, columns: Iterable[str]) -> Records:
        """Return a row for each entry of the lists at a path, with the keys of what it is in."""
        names = [*columns]
        rows = reduce(_entries, path.split("."), iter([self.of(result)]))
        return Records(names, ([row[name] for name in names] for row in rows))


def _entries(outer: Iterator[Mapping[str, Any]], name: str) -> Iterator[dict[str, Cell]]:
    return ({**one, **inner} for one in outer for inner in one[name])


def shared(name: str) -> Type:
    """Return a type that `tools.schemas` defines for all documents."""
    return Type({"$ref": f"#/$defs/{name}"})


def exact(path: str) -> Get:
    """Return what gets the exact number at a path, as an integer or a float."""
    number = attrgetter(path)
    return lambda one, _: to_number(number(one))


def known(path: str) -> Get:
    """Return what gets the float at a path, None for NaN."""
    number = attrgetter(path)
    return lambda one, _: None if isnan(number(one)) else number(one)


def one_of(*values: str | None) -> Type:
    """Return the type of values of which there are only these."""
    return Type({"enum": [value and str(value) for value in values]})


def between(low: float, high: float | None = None, kind: str = "number") -> Type:
    """Return the type of numbers of at least `low`, and at most `high`."""
    most = {} if high is None else {"maximum": high}
    return Type({"type": kind, "minimum": low, **most})


def each(item: Type, length: int | None = None) -> Type:
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

SIGNATURE, LEFT_OUT = shared("signature")(), shared("left_out")()
RUNS = each(TEXT)("The names of the runs, sorted.")
SEED = COUNT("The seed of the sampling.")
NOTES = each(TEXT).optional("Sentences about the figures.", lambda found, _: found.notes or ABSENT)
