"""What a file holds, as columns and rows, to be written in another notation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ave_score.columns import COLLECTION_COLUMNS, PAIR_COLUMNS, collection_columns
from ave_score.errors import UsageError
from ave_score.files.check import check_file
from ave_score.files.gold import check_collection
from ave_score.files.json_lines import NotFinite, Number
from ave_score.files.lines import LineReader
from ave_score.files.run_lines import PAIRS, layout_of
from ave_score.files.sniff import column_names, delimiter_of, first_line, head_of
from ave_score.files.source import Source
from ave_score.files.table import Layout, Table
from ave_score.findings import Findings
from ave_score.kinds import COLUMNS, KINDS, FileKind
from ave_score.model import Collection

IDS = frozenset(["q_id", "a_id", "pair_id"])

LINES = {
    FileKind.RUN: ("q_id", "a_id", "verdict", "confidence"),
    FileKind.KEY: ("q_id", "a_id", "label"),
    FileKind.SCORES: ("q_id", "a_id", "score"),
}
"""The fields of lines that are separated by blanks."""

_FIELDS = LINES | {FileKind.GROUPS: ("run", "group")}

TYPES: Mapping[FileKind, Mapping[str, type]] = {
    FileKind.RUN: {"confidence": float},
    FileKind.COLLECTION: {"grade": int},
    FileKind.SCORES: {"score": float, "correct": bool},
    FileKind.JUDGED: {"confidence": float},
}
"""The columns of numbers and truth values; all others are texts."""

QUOTES_TABS = frozenset([FileKind.RUN, FileKind.KEY, FileKind.COLLECTION])
"""The kinds whose tab-separated tables may have quotes."""

Lost = Counter[str]
"""What a notation cannot hold -> how often it occurs."""


class Tabular(NamedTuple):
    """Columns and rows.

    Attributes
    ----------
    kind
        The kind of file.
    columns
        The names of the columns.
    rows
        A value for each column: a text, a `Number` or another value of JSON; None if there is none.
        They can be read once.
    root
        The attributes of the root element of XML.
    """

    kind: FileKind
    columns: Sequence[str]
    rows: Iterable[Sequence[object]]
    root: Mapping[str, str] = {}

    @property
    def types(self) -> list[type]:
        """The type of each column: `float`, `int`, `bool` or `str`."""
        types = TYPES.get(self.kind, {})
        return [types.get(name, str) for name in self.columns]

    def untyped(self, lost: Lost) -> Iterator[Sequence[object]]:
        """Yield the rows; note values of JSON in columns of texts, where they become texts."""
        others = [
            (number, name)
            for number, (name, kind) in enumerate(zip(self.columns, self.types, strict=True))
            if kind is str and name not in IDS
        ]
        for row in self.rows:
            for number, name in others:
                lost[f"type of {name}"] += isinstance(row[number], Number | NotFinite | bool | list)
            yield row


def check_tabular(
    source: Source, kind: FileKind, key: Source | None, campaign: str, lost: Lost
) -> tuple[Tabular | None, list[Findings]]:
    """Read a file as a table; None, with findings, if it has errors.

    Parameters
    ----------
    key
        The labels of a collection without labels.
    campaign
        The campaign whose letters a judged file uses.
    lost
        Receives what a table does not hold, e.g. comments.

    Raises
    ------
    UsageError
        Files of this kind are no tables, or `key` was given for one that is no collection.
    """
    if kind is FileKind.COLLECTION:
        collection, found = check_collection(source, key, needs_labels=False, with_texts=True)
        return (None if collection is None else tabular_of(collection, lost)), found
    if key is not None:
        raise UsageError(f"a key labels a collection, and {source.path} is {KINDS[kind].called}")
    if not KINDS[kind].has_lines:
        raise UsageError(f"{source.path} is {KINDS[kind].called}, which cannot be converted")
    findings = check_file(source, kind, campaign=campaign).findings
    if findings.errors:
        return None, [findings]
    is_table = kind not in _FIELDS or _begins_as_table(source)
    return (_of_table if is_table else _of_lines)(source, kind, lost), [findings]


def _begins_as_table(source: Source) -> bool:
    """Tell whether a file begins with an object of JSON, or a header."""
    line = first_line(head_of(source))
    known = {*COLUMNS, *source.naming.names.values()}
    return (
        line.startswith("{")
        or len(known.intersection(column_names(line, delimiter_of(source)))) > 1
    )


def _of_table(source: Source, kind: FileKind, _: Lost) -> Tabular:
    """Return the rows of a table; its numbers keep their spelling.

    Scores may leave out the ids of answers, which then are numbered as their reader does it.
    """
    columns = _columns(source, kind)
    header = KINDS[kind].header
    kept = IDS | (header.columns if header else frozenset())
    is_numbered = kind is FileKind.SCORES and "a_id" not in columns
    if is_numbered:
        columns = [*columns, "a_id"]

    def rows() -> Iterator[list[object]]:
        values, sizes = source.naming.values, Counter[str]()
        for row in _table(source, kind).records():
            cells = {
                name: None if value == "" and name not in kept else value
                for name, value in row.value.items()
            }
            for name in cells.keys() & {"verdict", "label"}:
                cells[name] = values.get(word(cells[name]), cells[name])
            if is_numbered:
                q_id = word(cells["q_id"])
                sizes[q_id] += 1
                cells["a_id"] = f"{q_id}_{sizes[q_id]}"
            yield [cells.get(name) for name in columns]

    return Tabular(kind, columns, rows())


def _table(source: Source, kind: FileKind) -> Table:
    layout = Layout("", (), (*COLUMNS,), keeps_others=True, quotes_tabs=kind in QUOTES_TABS)
    return Table(source, Findings(source.path), layout)


def _columns(source: Source, kind: FileKind) -> list[str]:
    """Return the columns of a table, in its order; in JSON Lines any row can have others."""
    table = _table(source, kind)
    columns: dict[str, None] = {}
    for row in table.records():
        if not table.is_typed:
            return table.columns
        if len(columns) < len(table.columns):
            field_of = {table.own_name(name): name for name in table.columns}
            columns |= {field_of[key]: None for key in _keys(row.line) if key in field_of}
    return [name for name in columns if name in table.columns]


def _keys(line: str) -> Iterable[str]:
    """Return the keys of an object in order; numbers, which may have many digits, stay texts."""
    keys: dict[str, object] = json.loads(line, parse_int=str, parse_float=str)
    return keys


def word(value: object) -> str:
    """Return a value as a text; "" if there is none."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_lines(source: Source, kind: FileKind, lost: Lost) -> Tabular:
    """Return the fields of lines."""
    columns = _FIELDS[kind]
    if kind is FileKind.RUN and layout_of(source) is PAIRS:
        columns = ("pair_id", *columns[2:])
    separator = "\t" if kind is FileKind.GROUPS else None

    def rows() -> Iterator[list[str | None]]:
        reader = LineReader(source, Findings(source.path), "", has_texts=separator is not None)
        for block in reader.blocks():
            for _, line in block.lines():
                if line.startswith("#"):
                    lost["comment"] += 1
                elif (fields := line.strip().split(separator)) and fields != [*columns]:
                    yield [*fields, *[None] * (len(columns) - len(fields))]

    return Tabular(kind, columns, rows())


def tabular_of(collection: Collection, lost: Lost) -> Tabular:
    """Return a collection as a table; what the table does not hold is added to `lost`."""
    columns = collection_columns(collection)
    others = PAIR_COLUMNS if collection.index.is_pairs else COLLECTION_COLUMNS
    for name, values in collection.attributes.items():
        if name in others:
            lost[f"attribute {name}, which is named like a column"] += len(values)
        elif empty := sum(not value for value in values.values()):
            lost[f"empty attribute {name}"] += empty
    rows, texts = zip(*columns.values(), strict=True), collection.texts
    if texts is None:
        return Tabular(FileKind.COLLECTION, [*columns], rows)
    lost.update(texts.omitted)
    return Tabular(FileKind.COLLECTION, [*columns], rows, texts.root)
