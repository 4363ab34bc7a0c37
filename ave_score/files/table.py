"""Tab-separated tables whose first line names the columns.

Quotes are ordinary characters: a field ends at a tab. Blanks around a field do not belong to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from ave_score import rules
from ave_score.files.lines import LineReader
from ave_score.files.positions import cell_columns
from ave_score.files.source import Source
from ave_score.findings import HINTS, Findings
from ave_score.rules import Rule
from ave_score.text import counted, did_you_mean, excerpt, is_usable_id, nearest


class Layout(NamedTuple):
    """The layout of a table.

    Attributes
    ----------
    kind
        For messages: "a judged run (tab-separated)".
    needed, optional
        The names of the required and the optional columns.
    elsewhere
        Columns of other tables, with the end of a message that names that kind of table.
    """

    kind: str
    needed: tuple[str, ...]
    optional: tuple[str, ...]
    elsewhere: Mapping[str, str]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is read."""
        return self.needed + self.optional


class Row(NamedTuple):
    """A row with a field for each column, and the findings to add to."""

    number: int
    line: str
    columns: list[str]
    value: dict[str, str]
    findings: Findings

    def add(self, name: str, rule: Rule, /, **facts: object) -> None:
        """Add a finding about the field in the column `name`."""
        columns = cell_columns(self.line, self.columns.index(name))
        self.findings.add(rule, self.number, columns, self.line, **facts)

    def filled(self, name: str) -> bool:
        """Tell whether a field is not empty; report it otherwise."""
        if not self.value[name]:
            self.add(name, rules.FIELD_EMPTY, field=name)
        return bool(self.value[name])

    def has_usable_id(self, name: str) -> bool:
        """Tell whether a field is empty or a valid id; report it otherwise."""
        found = self.value[name]
        if not found or is_usable_id(found):
            return True
        self.add(name, rules.ID_UNUSABLE, found=found)
        return False


class Table:
    """Reads a table row by row.

    Attributes
    ----------
    columns
        The names in the header; empty before it is read, or if it is unusable.
    """

    def __init__(self, source: Source, findings: Findings, layout: Layout) -> None:
        self._reader = LineReader(source, findings, layout.kind, has_texts=True)
        self._findings = findings
        self._layout = layout
        self.columns: list[str] = []

    def rows(self) -> Iterator[Row]:
        """Yield the rows with as many fields as the header; report the others."""
        lines = self._filled_lines()
        header = next(lines, None)
        if header and not header.bad:
            self.columns = _columns(header, self._layout, self._findings)
        for line in lines if self.columns else ():
            if not line.bad:
                yield from self._row(line)

    def _filled_lines(self) -> Iterator[_Line]:
        for block in self._reader.blocks():
            for number, text in block.lines():
                if not text.isspace():
                    yield _Line(number, text, number in block.bad)

    def _row(self, line: _Line) -> Iterator[Row]:
        fields = [field.strip() for field in line.text.split("\t")]
        expected = len(self.columns)
        if len(fields) == expected:
            value = dict(zip(self.columns, fields, strict=True))
            yield Row(line.number, line.text, self.columns, value, self._findings)
            return
        self._findings.add(
            rules.ROW_WIDTH,
            line.number,
            cell_columns(line.text, expected),
            line.text,
            found=counted(len(fields), "field"),
            expected=expected,
        )


class _Line(NamedTuple):
    number: int
    text: str
    bad: bool


def _columns(header: _Line, layout: Layout, findings: Findings) -> list[str]:
    """Return the names of the columns; none if the header is unusable."""
    names = [name.strip() for name in header.text.split("\t")]
    missing = [name for name in layout.needed if name not in names]
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    problem = hint = ""
    if missing:
        problem = f"the header has no column {', '.join(missing)}"
        hint = _hint(header.text, names, layout)
    elif repeated:
        problem = f"the header names the column {excerpt(', '.join(repeated))} twice"
    if problem:
        needed = f"{', '.join(layout.needed[:-1])} and {layout.needed[-1]}"
        facts = {"problem": problem, "hint": hint, "needed": needed}
        findings.add(rules.HEADER_UNUSABLE, header.number, 1, header.text, **facts)
        return []
    _note_unknown(header, names, layout, findings)
    return names


def _hint(line: str, names: list[str], layout: Layout) -> str:
    """Return a hint about a header without the required columns."""
    if "\t" not in line and len(line.replace(";", ",").split(",")) >= len(layout.needed):
        return " (its fields seem to be separated by commas or semicolons)"
    return next((layout.elsewhere[name] for name in names if name in layout.elsewhere), "")


def _note_unknown(header: _Line, names: list[str], layout: Layout, findings: Findings) -> None:
    starts = accumulate((len(cell) + 1 for cell in header.text.split("\t")), initial=1)
    for start, name in zip(starts, names, strict=False):
        if name not in layout.columns:
            hint = ""
            if findings.counts[rules.UNKNOWN_COLUMN] < HINTS:
                hint = did_you_mean(nearest(name, layout.columns))
            columns = range(start, start + max(1, len(name)))
            facts = {"found": name, "hint": hint}
            findings.add(rules.UNKNOWN_COLUMN, header.number, columns, header.text, **facts)
