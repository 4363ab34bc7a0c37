"""The layout of a table: its columns, and the names that they have in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ave_score.core.kinds import usual_names
from ave_score.core.text import nearest
from ave_score.files.naming import Naming

_TYPO = 0.85
"""Names that are more similar are one name with a slip; other names are only related."""

_KNOWN_HEADERS = 100
"""Different lists of keys that are cached; most files have only one."""


class Layout(NamedTuple):
    """The layout of a table.

    Attributes
    ----------
    kind
        For messages: "a judged run".
    needed, optional
        The names of the required and the optional columns. Without required columns, names that
        were given for columns need not occur, either.
    elsewhere
        Columns of other tables, with the end of a message that names that kind of table.
    keeps_others
        Whether other columns are read, too.
    expects_typos
        Whether these do not include any that is nearly named as a column that is missing.
    quotes_tabs
        Whether fields of a tab-separated table may be quoted.
    otherwise
        Column -> its name in a file without its usual names.
    lacking
        All required columns that a table lacks -> the end of a message that says what it may be.
    """

    kind: str
    needed: tuple[str, ...]
    optional: tuple[str, ...]
    elsewhere: Mapping[str, str] = {}
    keeps_others: bool = False
    expects_typos: bool = False
    quotes_tabs: bool = False
    otherwise: Mapping[str, str] = {}
    lacking: Mapping[tuple[str, ...], str] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is read."""
        return self.needed + self.optional

    @property
    def expected(self) -> str:
        """What a file should be, for messages."""
        return f"{self.kind} (TSV, CSV or JSON Lines)"


class Fields(NamedTuple):
    """Which columns of a file are read.

    Attributes
    ----------
    of
        Column -> its name in the file.
    repeated
        Column, and two of its names in the file, which may be equal.
    missing
        Required columns that the file does not have.
    """

    of: dict[str, str]
    repeated: list[tuple[str, str, str]]
    missing: list[str]


class Names:
    """The names that the columns of a layout have in a file.

    Attributes
    ----------
    own
        Column -> its name in the file, for those that were found.
    required
        The columns of the layout that the naming names, which are required: in every row, or in
        some row if not `in_each_row`.
    """

    def __init__(self, layout: Layout, naming: Naming, *, in_each_row: bool) -> None:
        self._layout = layout
        self._names = naming.names
        # without required columns, a table is read with the columns that it has
        self.required = [name for name in naming.names if layout.needed and name in layout.columns]
        self._needed = [*layout.needed, *(self.required if in_each_row else ())]
        self.own: dict[str, str] = {}
        self._known: dict[tuple[str, ...], Fields] = {}

    def name_of(self, field: str) -> str:
        """Return the name that a column should have in the file."""
        return self._names.get(field, field)

    def fields(self, own: tuple[str, ...]) -> Fields:
        """Return which columns a header, or the keys of an object, has."""
        if own in self._known:
            return self._known[own]
        fields = self._fields(own)
        if len(self._known) < _KNOWN_HEADERS:
            self._known[own] = fields
        self.own = {**self.own, **fields.of}
        return fields

    def _fields(self, own: tuple[str, ...]) -> Fields:
        times, layout = Counter(own), self._layout
        named = {field: its for field, name in self._names.items() for its in _in(own, [name])[:1]}
        fields = Fields({}, [], [])
        for field in layout.columns:
            others = [layout.otherwise[field]] if field in layout.otherwise else []
            usual = _in(own, usual_names(field)) or _in(own, others)
            usual = [name for name in usual if name not in named.values()]
            self._take(field, [named[field]] if field in named else usual, times, fields)
            if field in self._needed and field not in fields.of:
                fields.missing.append(field)
        if layout.keeps_others:
            read = {*fields.of.values()}
            lacking = {*layout.columns} - {*fields.of} if layout.expects_typos else ()
            for name in times:
                is_other = name and name not in read and name not in fields.of
                if is_other and not nearest(name, lacking, _TYPO):
                    self._take(name, [name], times, fields)
        return fields

    def _take(self, field: str, names: list[str], times: Counter[str], fields: Fields) -> None:
        """Add a column that has these names in a file."""
        if names:
            fields.of[field] = names[0]
        again = [*names[1:], *(name for name in names if times[name] > 1)]
        fields.repeated.extend((field, names[0], name) for name in again)


def _in(own: tuple[str, ...], names: Sequence[str]) -> list[str]:
    """Return which of the names a file has, or else those that differ in case."""
    exact = [name for name in names if name in own]
    folded = {name.casefold() for name in names}
    return exact or [name for name in dict.fromkeys(own) if name.casefold() in folded]
