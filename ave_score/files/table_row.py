"""A row of a table, which collects the findings about its fields."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.labels import TRUTH_WORDS
from ave_score.core.text import MAX_ID, find_no_text, is_usable_id
from ave_score.rules import Rule, Safety


class OfTable(Protocol):
    """What a row asks its table.

    Attributes
    ----------
    findings
        The findings of the file.
    is_typed
        Whether fields have types, as in JSON.
    unusable
        Other column -> the findings of its first field that is no text.
    """

    findings: Findings
    is_typed: bool
    unusable: dict[str, Findings]

    def own_name(self, field: str, /) -> str:
        """Return the name of a column in the file."""

    def cell_columns(self, line: str, field: str, /) -> range:
        """Return the columns of a field in a row."""


class TableRow(NamedTuple):
    """A row, with the table that its findings belong to.

    Attributes
    ----------
    number
        Its first line, or the row of a Parquet file or frame.
    line
        Its text, in CSV perhaps of several lines.
    value
        Column -> field; columns that the file does not have are absent. Fields are texts, or from
        `Table.records` values of JSON.
    is_whole
        Whether it has as many fields as the header, and all that are required.
    others
        Of `Table.rows`, the fields in columns that the layout does not name, if it keeps these, as
        `take_others` returns them.
    """

    number: int
    line: str
    value: dict[str, Any]
    table: OfTable
    is_whole: bool = True
    others: Mapping[str, str] = MappingProxyType({})

    @property
    def findings(self) -> Findings:
        """The findings of the file."""
        return self.table.findings

    def add(self, name: str, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about the field in the column `name`."""
        self.add_at(self.table.cell_columns(self.line, name), rule, fix, **facts)

    def add_at(
        self, columns: range, rule: Rule, fix: Safety | None = None, /, **facts: object
    ) -> None:
        """Add a finding about columns of `line`; if it has several lines, about one of them."""
        before = self.line[: columns.start - 1]
        first = before.rfind("\n") + 1
        columns = range(columns.start - first, columns.stop - first)
        line = self.line[first:].partition("\n")[0]
        number = self.number + before.count("\n")
        self.table.findings.add(rule, number, columns, line, fix, **facts)

    def filled(self, name: str) -> bool:
        """Tell whether a field is not empty; report it otherwise."""
        if self.value.get(name) in (None, ""):  # `[]` of JSON is no text, but not empty
            self.add(name, rules.FIELD_EMPTY, field=self.table.own_name(name))
        return bool(self.value.get(name))

    def has_usable_id(self, name: str) -> bool:
        """Tell whether a field is empty or a valid id; report it otherwise."""
        value = self.value[name]
        if not isinstance(value, str):  # of JSON, reported by `make_texts`
            return False
        if not value or (len(value) <= MAX_ID and is_usable_id(value)):
            return True
        self.add(name, rules.ID_UNUSABLE, found=value)
        return False

    def take_others(self, known: Container[str]) -> dict[str, str]:
        """Take out the fields of columns that are not `known`; return them, without empty ones.

        Of values that are no plain texts, as lists, "" is returned: they are no findings of the
        file, since objects may have the keys of any other program, but of who asks for them
        (`Table.unusable`).
        """
        others = dict[str, str]()
        for name in [*self.value]:
            if name not in known and (value := self.value.pop(name)) not in (None, ""):
                text = TRUTH_WORDS[value] if isinstance(value, bool) else value
                is_plain = isinstance(text, str) and not find_no_text(text)
                others[name] = text if is_plain else ""
                if not is_plain and name not in self.table.unusable:
                    self.table.unusable[name] = self._findings_of(name, value)
        return others

    def keep_others(
        self, q_id: str, kept: dict[str, dict[str, str]], varying: set[str], *, reports: bool
    ) -> None:
        """Add `others` to attribute -> question -> value, unless a question has several values."""
        for name, field in self.others.items():
            if not field or name in varying:
                continue
            if kept.setdefault(name, {}).setdefault(q_id, field) != field:
                varying.add(name)
                del kept[name]
                if reports:
                    hint = (
                        f": it differs within question '{q_id}', so it is no attribute of questions"
                    )
                    self.add(name, rules.UNKNOWN_COLUMN, found=self.table.own_name(name), hint=hint)

    def _findings_of(self, name: str, value: object) -> Findings:
        """Return the findings that a value would be if its column were read."""
        table = copy(self.table)
        table.findings = Findings(self.findings.path)
        self._replace(value={name: value}, table=table).make_texts()
        return table.findings

    def make_texts(self) -> bool:
        """Replace values of JSON by texts; return whether there were no others."""
        from ave_score.files.json import described

        sound, has_escapes = True, "\\" in self.line  # other text was checked with its line
        for name, value in self.value.items():
            if value is None:
                self.value[name] = ""
            elif isinstance(value, bool):
                self.value[name] = TRUTH_WORDS[value]
            elif isinstance(value, str):
                sound = (not has_escapes or self.has_plain_text(name)) and sound
            else:
                facts = {"field": self.table.own_name(name), "found": described(value)}
                self.add(name, rules.VALUE_UNUSABLE, expected="a text or a number", **facts)
                sound = False
        return sound

    def has_plain_text(self, name: str) -> bool:
        r"""Tell whether a text of JSON has no control characters, as in `"\u0000"`; report them."""
        text = self.value[name]
        odd = find_no_text(text)
        if odd:
            other = "a lone surrogate" if odd[0] >= "\ud800" else "a control character"
            described = unicodedata.name(odd[0], other).lower()
            facts = {"found": f"U+{ord(odd[0]):04X} ({described})", "also": ""}
            self.add(name, rules.CONTROL_CHARACTER, Safety.NONE, **facts)
        return not odd
