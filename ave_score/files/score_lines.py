"""The three layouts of scores, each read into the same records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ave_score import rules
from ave_score.files.json_lines import (
    NotFinite,
    Number,
    ObjectLine,
    member_columns,
    object_lines,
)
from ave_score.files.lines import LineReader
from ave_score.files.positions import add_field_count, cell_columns, field_columns
from ave_score.files.run_lines import NO_NUMBERS, NUMBER
from ave_score.files.source import Source
from ave_score.files.table import Layout, Row, Table
from ave_score.findings import HINTS, Findings
from ave_score.model import VERDICTS
from ave_score.text import did_you_mean, nearest

EXPECTED = "the scores of a verifier"

_NEEDED: tuple[str, ...] = ("q_id", "a_id", "score")
_OPTIONAL = ("correct", "answer", "question")
_KEYS = {
    "q_id": ("q_id", "question_id"),
    "a_id": ("a_id", "answer_id"),
    **{field: (field,) for field in ("score", *_OPTIONAL)},
}
_CORRECT = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Record(NamedTuple):
    """A line and its values by field: a text, a `Number` or any JSON value.

    Missing fields are absent.
    """

    number: int
    text: str
    value: dict[str, object]


class JsonLines:
    """JSON Lines; unknown keys are ignored."""

    correct = "true, false or null"

    def __init__(
        self, source: Source, findings: Findings, names: Mapping[str, str], *, own_start: bytes
    ) -> None:
        self._source = source
        self._findings = findings
        self._keys = _KEYS | {field: (name,) for field, name in names.items()}
        self._pairs = [(field, key) for field, keys in self._keys.items() for key in keys]
        self._unseen = {*names} - {"q_id", "score"}
        self._own_start = own_start

    def columns(self, line: str, field: str) -> range:
        """Return the columns of a value."""
        found = (member_columns(line, key) for key in self._keys[field])
        return max(found, key=lambda columns: columns.start)

    def records(self) -> Iterator[Record]:
        """Yield the objects; report missing keys."""
        expected = f"{EXPECTED} (JSON Lines, a table, or lines q_id a_id score)"
        some = False
        for line in object_lines(self._source, self._findings, expected, self._own_start):
            some = True
            yield self._record(line)
        for field in self._unseen if some else ():
            facts = {"key": self._keys[field][0], "where": "in any object", "hint": ""}
            self._findings.add(rules.KEY_MISSING, **facts)

    def _record(self, line: ObjectLine) -> Record:
        members = dict(line.members)
        if len(members) < len(line.members):
            self._find_repeated(line)
        value: dict[str, object] = {}
        for field, key in self._pairs:
            if key in members:
                if field in value:
                    self._add_repeated(line, field, self._keys[field][0], key)
                value[field] = members[key]
        if "a_id" in value and value["a_id"] is None:
            del value["a_id"]
        if self._unseen:
            self._unseen -= value.keys()
        for field in ("q_id", "score"):
            if field not in value:
                self._add_missing(line, field, members)
        return Record(line.number, line.text, value)

    def _find_repeated(self, line: ObjectLine) -> None:
        keys = [key for key, _ in line.members]
        for field, names in self._keys.items():
            for name in names:
                if keys.count(name) > 1:
                    self._add_repeated(line, field, name, name)

    def _add_repeated(self, line: ObjectLine, field: str, first: str, again: str) -> None:
        columns = member_columns(line.text, again)
        facts = {"field": field, "first": first, "again": again}
        self._findings.add(rules.KEY_REPEATED, line.number, columns, line.text, **facts)

    def _add_missing(self, line: ObjectLine, field: str, members: Mapping[str, object]) -> None:
        key, hint = self._keys[field][0], ""
        if self._findings.counts[rules.KEY_MISSING] < HINTS:
            hint = did_you_mean(nearest(key, members))
        facts = {"key": key, "where": "in the object", "hint": hint}
        columns = member_columns(line.text, "")
        self._findings.add(rules.KEY_MISSING, line.number, columns, line.text, **facts)


class ScoreTable:
    """A tab-separated table whose first line names the columns."""

    correct = "true or false, 1 or 0, yes or no"

    def __init__(self, source: Source, findings: Findings, names: Mapping[str, str]) -> None:
        self._names = {field: names.get(field, field) for field in (*_NEEDED, *_OPTIONAL)}
        self._needed = [*dict.fromkeys([*_NEEDED, *names])]
        optional = tuple(self._names[field] for field in _OPTIONAL if field not in names)
        needed = tuple(self._names[field] for field in self._needed)
        layout = Layout(f"{EXPECTED} (tab-separated)", needed, optional, {})
        self._table = Table(source, findings, layout)

    def columns(self, line: str, field: str) -> range:
        """Return the columns of a cell."""
        return cell_columns(line, self._table.columns.index(self._names[field]))

    def records(self) -> Iterator[Record]:
        """Yield the rows with ids and a score."""
        for row in self._table.rows():
            filled = [row.filled(self._names[field]) for field in _NEEDED]
            if all(filled):
                yield self._record(row)

    def _record(self, row: Row) -> Record:
        cells = {field: row.value[name] for field, name in self._names.items() if name in row.value}
        value: dict[str, object] = {**cells, "score": _literal(cells["score"])}
        if "correct" in cells:
            word = cells["correct"]
            value["correct"] = _CORRECT.get(word.casefold(), word) if word else None
        return Record(row.number, row.line, value)


class PlainLines:
    """Lines of three fields, separated by blanks or tabs: `q_id a_id score`."""

    correct = ""

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source = source
        self._findings = findings

    def columns(self, line: str, field: str) -> range:
        """Return the columns of a field."""
        return field_columns(line, _NEEDED.index(field))

    def records(self) -> Iterator[Record]:
        """Yield the lines of three fields."""
        for block in LineReader(self._source, self._findings, EXPECTED).blocks():
            for number, text, fields in block.rows():
                if number in block.bad:
                    continue
                if len(fields) == len(_NEEDED):
                    value: dict[str, object] = dict(zip(_NEEDED, fields, strict=True))
                    value["score"] = _literal(fields[2])
                    yield Record(number, text, value)
                else:
                    self._count_fields(number, text, fields)

    def _count_fields(self, number: int, text: str, fields: list[str]) -> None:
        hint = "; a run already has verdicts" if fields[2:] and fields[2] in VERDICTS else ""
        needed = len(_NEEDED)
        columns, layout = field_columns(text, needed), " ".join(_NEEDED)
        width = len(fields)
        add_field_count(
            self._findings, number, text, width, str(needed), columns, layout=layout, hint=hint
        )


def _literal(field: str) -> str:
    """Return a field as a number, or unchanged if it is not a number."""
    if re.fullmatch(NUMBER, field):
        return Number(field)
    is_number = field.lstrip("+-").casefold() in NO_NUMBERS
    return NotFinite(field) if is_number else field
