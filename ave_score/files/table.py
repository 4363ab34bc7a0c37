"""Tables with named columns: tab-separated, CSV and JSON Lines, detected by the first line.

In CSV, with commas or semicolons, and in the tab-separated files of runs, keys and collections a
field may be quoted: `"a ""word"", and more"`. In other tab-separated files, quotes are ordinary
characters. Blanks around an unquoted field do not belong to it. JSON Lines have an object a line.
Columns have their usual names, or those of the source's `naming`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, TypeAlias, TypeVar

from ave_score import rules
from ave_score.core.findings import HINTS, Findings
from ave_score.core.text import did_you_mean, excerpt, find_no_text, near_or_all, nearest, quantity
from ave_score.files.delimited import Delimited, DelimitedLine
from ave_score.files.layout import Layout, Names
from ave_score.files.lines import Block, LineReader
from ave_score.files.positions import locate
from ave_score.files.rows import Rows
from ave_score.files.sniff import delimiter_of, first_line, head_of, own_header
from ave_score.files.source import Source
from ave_score.files.table_row import TableRow
from ave_score.rules import Rule

_BLOCK = 1 << 12
"""Rows that are read at a time."""

Columns: TypeAlias = dict[str, list[Any]]
Result = TypeVar("Result")


class Table:
    """Reads a table row by row.

    Attributes
    ----------
    columns
        The columns of the file that are read; empty before it is read, or if it is unusable. In
        JSON Lines those of the rows so far.
    is_typed
        Whether fields have types, as in JSON.
    unusable
        Other column -> the findings of its first field that is no text.
    """

    def __init__(self, source: Source, findings: Findings, layout: Layout) -> None:
        self.source = source
        self.findings = findings
        self.layout = layout
        self.columns: list[str] = []
        self.unusable: dict[str, Findings] = {}
        start = first_line(head_of(source)).strip()
        self.is_typed = start.startswith(("{", "[", "<"))
        findings.document = source.document
        if source.document is not None:
            findings.read_as = source.document.called
        self._names = Names(layout, source.naming, in_each_row=not self.is_typed)
        delimiter = "" if self.is_typed else delimiter_of(source)
        self._syntax = Delimited(delimiter, delimiter != "\t" or layout.quotes_tabs)
        self._has_header = False
        self._own_header = own_header(source)
        # a brace alone starts a document of several lines, which is reported as such
        own_start = b"{" if self.is_typed and start != "{" else b""
        expected = layout.expected
        self._reader = LineReader(source, findings, expected, has_texts=True, own_start=own_start)
        if delimiter in (",", ";"):
            self._reader.usual_end = b"\r\n"
        self._blocks = self._reader.blocks()
        if self._own_header:
            self._read_header(DelimitedLine(1, delimiter.join(self._own_header)))
            columns = [name for name in self.columns if not name.isdecimal()]
            of = f", of {', '.join(columns)}" * bool(columns)
            findings.read_as = f"a table without a header{of}"

    def records(self) -> Iterator[TableRow]:
        """Yield the rows with their fields as they are: texts, numbers and other JSON values.

        Rows with the wrong number of fields are reported and have as many as there are.
        """
        return self._of_objects() if self.is_typed else self._of_lines()

    def rows(self) -> Iterator[TableRow]:
        """Yield the rows with all fields as texts; report and skip those where that fails."""
        known, keeps = {*self.layout.columns}, self.layout.keeps_others
        for row in self.records():
            has_others = keeps and not row.value.keys() <= known
            others = row.take_others(known) if has_others else {}
            if row.is_whole and (not self.is_typed or row.make_texts()):
                yield row._replace(others=others) if others else row

    def own_name(self, field: str) -> str:
        """Return the name of a column in the file."""
        return self._names.own.get(field, field)

    def cell_columns(self, line: str, field: str) -> range:
        """Return the columns of a field in a row; the end or the start if it is missing."""
        if self.is_typed:
            return self._key_columns(line, self.own_name(field))
        # no line has more fields than characters and one
        number = self.columns.index(field) if field in self.columns else len(line) + 1
        return self._syntax.columns_of(line, number)

    def line_of(self, value: Mapping[str, str | float]) -> str:
        """Return the line of a row; columns without a value are empty."""
        if self.is_typed:
            import json  # few tables are written

            return json.dumps({self.own_name(name): field for name, field in value.items()})
        return self._syntax.line_of([str(value.get(name, "")) for name in self.columns])

    def locate(self, named: Mapping[Rule, str]) -> None:
        """Add columns and quotes to findings about rows, given the column of each rule."""
        locate(self.source, self.findings, named, self.cell_columns)

    def blocks(
        self,
        ids: Sequence[str],
        decision: Callable[[TableRow], tuple[int, float] | None],
        take: Callable[[range, Columns], Rows | None],
    ) -> Iterator[Rows]:
        """Yield the rows about answers, in blocks.

        `ids` are the columns of the ids: of question and answer, or of a pair. `decision` returns
        the code and the number of a row, or None with a finding added. `take` is as in `in_bulk`.
        """
        yield from self.in_bulk(take, self.layout.needed)
        yield from self._one_by_one(ids, decision)

    def in_bulk(
        self, take: Callable[[Any, Columns], Result | None], names: Sequence[str] = ()
    ) -> Iterator[Result]:
        """Yield what a function returns for blocks of plain rows, given their lines and columns.

        It is given the columns `names`, or all. From the first block on that has other rows, or for
        which it returns None, the rows are left to `records`.
        """
        for block in map(self._after_header, self._blocks):
            columns_of = self._columns_of_objects if self.is_typed else self._columns_of_lines
            columns = None if block.bad else columns_of(block, names)
            lines = range(block.first, block.first + block.text.count("\n"))
            taken = take(lines, columns) if columns else None
            if taken is None:
                self._blocks = chain([block], self._blocks)
                return
            yield taken

    def _one_by_one(
        self, ids: Sequence[str], decision: Callable[[TableRow], tuple[int, float] | None]
    ) -> Iterator[Rows]:
        rows = self.records()
        while block := [*islice(rows, _BLOCK)]:
            accepted, unreadable = [], []
            for row in block:
                if not row.value.keys() >= {*ids}:
                    continue
                has_texts = not self.is_typed or row.make_texts()
                sound = all([*map(row.filled, ids), *map(row.has_usable_id, ids)])
                q_id, a_id = (["", *(row.value[name] for name in ids)])[-2:]
                decided = decision(row) if row.is_whole and has_texts and sound else None
                if decided is not None:
                    accepted.append((row.number, q_id, a_id, *decided))
                elif sound:
                    unreadable.append((row.number, q_id, a_id, row.is_whole))
            yield Rows.of(accepted, unreadable)

    # --- JSON Lines -------------------------------------------------------------------------------

    def _of_objects(self) -> Iterator[TableRow]:
        from ave_score.files.json_lines import objects_of

        unseen = dict.fromkeys(name for name in self._names.required if name not in self.columns)
        has_objects, keys = False, list[str]()
        for line in objects_of(self._blocks, self.findings):
            keys = [key for key, _ in line.members]
            fields = self._names.fields(tuple(keys))
            has_objects, members = True, dict(line.members)
            value = {field: members[key] for field, key in fields.of.items()}
            row = TableRow(line.number, line.text, value, self, not fields.missing)
            self.columns += [field for field in fields.of if field not in self.columns]
            for field in unseen.keys() & value.keys():
                del unseen[field]
            for field, first, again in fields.repeated:
                columns = self._key_columns(line.text, again)
                facts = {"field": field, "first": first, "again": again}
                row.add_at(columns, rules.KEY_REPEATED, **facts)
            for field in fields.missing:
                self._add_missing(row, field, keys, self.layout.lacking.get((*fields.missing,), ""))
            yield row
        for field in unseen if has_objects else ():
            key = self.source.naming.names[field]
            hint = near_or_all(key, keys)
            self.findings.add(rules.KEY_MISSING, key=key, where="in any object", hint=hint)

    def _columns_of_objects(self, block: Block, names: Sequence[str]) -> Columns | None:
        """Return columns of a block of similar objects."""
        from ave_score.files.json_lines import alike_objects

        keys, values = alike_objects(block.text)
        if "\\" in block.text:
            texts = [value for value in values if isinstance(value, str)]
            if find_no_text("\n".join(texts)):
                return None
        return self._named(keys, [values[at :: len(keys)] for at in range(len(keys))], names)

    def _named(
        self, keys: tuple[str, ...], columns: Sequence[list[Any]], names: Sequence[str]
    ) -> Columns | None:
        """Return columns by name, given their keys; None if any is missing or repeated."""
        fields = self._names.fields(keys)
        if not keys or fields.missing or fields.repeated or {*self._names.required} - {*fields.of}:
            return None
        self.columns = self.columns or [*fields.of]
        return {name: columns[keys.index(fields.of[name])] for name in names or fields.of}

    def _key_columns(self, line: str, key: str) -> range:
        from ave_score.files.json import member_columns

        return member_columns(line, key)

    def _add_missing(self, row: TableRow, field: str, keys: list[str], hint: str) -> None:
        key = self._names.name_of(field)
        if self.findings.counts[rules.KEY_MISSING] < HINTS:
            read = self._names.own
            known = self.layout.columns if self.layout.expects_typos else read
            taken = {read[field] for field in known if field in read}
            hint = near_or_all(key, keys, taken, hint)
        facts = {"key": key, "where": "in the object", "hint": hint}
        row.add_at(self._key_columns(row.line, ""), rules.KEY_MISSING, **facts)

    # --- TSV and CSV ------------------------------------------------------------------------------

    def _of_lines(self) -> Iterator[TableRow]:
        lines = self._lines()
        header = None if self._has_header else next(lines, None)
        if header and not header.bad:
            self._read_header(header)
        for line in lines if self.columns else ():
            if line.bad:
                continue
            texts = self._syntax.texts(line.text)
            if not any(texts):
                continue  # an empty row of a spreadsheet
            is_whole = len(texts) == len(self.columns)
            value = dict(zip(self.columns, texts, strict=False))
            row = TableRow(line.number, line.text, value, self, is_whole)
            if not is_whole:
                self._report_width(row, len(texts))
            yield row

    def _after_header(self, block: Block) -> Block:
        """Return a block without the header, if it begins with a plain one, which is read."""
        header, _, rest = block.text.partition("\n")
        is_plain = header.strip() and '"' not in header and block.first not in block.bad
        if self.is_typed or self._has_header or not is_plain:
            return block
        self._read_header(DelimitedLine(block.first, header))
        return Block(block.first + 1, rest, block.bad)

    def _columns_of_lines(self, block: Block, names: Sequence[str]) -> Columns | None:
        """Return columns of a block of plain lines."""
        wanted, width = names or self.columns, len(self.columns)
        if len({*self.columns}) < width or not width:
            return None
        columns = self._syntax.columns(block.text, width, map(self.columns.index, wanted))
        return None if columns is None else dict(zip(wanted, columns, strict=True))

    def _lines(self) -> Iterator[DelimitedLine]:
        """Yield the lines of the file; report wrong quotes."""
        for line in self._syntax.lines(self._blocks):
            if line.wrong is None or line.bad:
                yield line
            else:
                row, columns = TableRow(line.number, line.text, {}, self), line.wrong.columns[:1]
                row.add_at(columns, rules.QUOTE_UNUSABLE, problem=line.wrong.problem)

    def _report_width(self, row: TableRow, width: int) -> None:
        expected = len(self.columns)
        columns = self._syntax.columns_of(row.line, expected)
        row.add_at(columns, rules.ROW_WIDTH, found=quantity(width, "field"), expected=expected)

    def _read_header(self, header: DelimitedLine) -> None:
        """Read the names of the columns; report a header that is unusable."""
        self._has_header = True
        own = self._syntax.texts(header.text)
        fields = self._names.fields(tuple(own))
        layout, problem, hint = self.layout, "", ""
        if fields.missing:
            names = ", ".join(map(self._names.name_of, fields.missing))
            problem = f"the header has no column {names}"
            elsewhere = layout.elsewhere
            has = f" (it has {excerpt(', '.join(own))})"
            hint = next((elsewhere[name] for name in own if name in elsewhere), has)
            if own_hint := layout.lacking.get(tuple(fields.missing)):
                hint = f"{own_hint}; it has {excerpt(', '.join(own))}"
        elif fields.repeated:
            names = ", ".join(dict.fromkeys(again for _, _, again in fields.repeated))
            problem = f"the header names the column {excerpt(names)} twice"
        if problem:
            needed = " and ".join(
                filter(None, [", ".join(layout.needed[:-1]), *layout.needed[-1:]])
            )
            least = needed and f", at least {needed}"
            facts = {"problem": problem, "hint": hint, "least": least}
            self.findings.add(rules.HEADER_UNUSABLE, header.number, 1, header.text, **facts)
            return
        field_of = {name: field for field, name in fields.of.items()}
        self.columns = [field_of.get(name, name) for name in own]
        if not self._own_header:
            self._note_unknown(header, {name for name in own if name not in field_of})

    def _note_unknown(self, header: DelimitedLine, unknown: set[str]) -> None:
        for cell in self._syntax.cells(header.text):
            if cell.text not in unknown:
                continue
            hint = ""
            if self.findings.counts[rules.UNKNOWN_COLUMN] < HINTS:
                lacking = [name for name in self.layout.columns if name not in self.columns]
                hint = did_you_mean(nearest(cell.text, lacking))
            columns = range(cell.start + 1, cell.start + 1 + max(1, len(cell.text)))
            facts = {"found": cell.text, "hint": hint}
            self.findings.add(rules.UNKNOWN_COLUMN, header.number, columns, header.text, **facts)
