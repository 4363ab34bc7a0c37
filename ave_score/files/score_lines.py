"""Lines of fields between blanks or tabs, read as a table: `q_id a_id score`, and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ave_score.core.findings import Findings
from ave_score.files.layout import Layout
from ave_score.files.lines import Block, LineReader
from ave_score.files.positions import add_field_count, field_columns
from ave_score.files.source import Source
from ave_score.files.table import Columns, Table
from ave_score.files.table_row import TableRow


class PlainLines(Table):
    """Lines of fields separated by blanks or tabs.

    Parameters
    ----------
    fields
        The names of the fields.
    expected
        The expected kind of file, for messages.
    said
        The fields, for messages.
    hint_of
        Returns the end of the message about a line with another number of fields.
    """

    def __init__(
        self,
        source: Source,
        findings: Findings,
        fields: tuple[str, ...],
        expected: str,
        said: str,
        hint_of: Callable[[Sequence[str]], str] = lambda _: "",
    ) -> None:
        super().__init__(source, findings, Layout(expected, fields, ()))
        self.columns, self._said, self._hint_of = [*fields], said, hint_of
        self._blocks = LineReader(source, findings, expected).blocks()

    def _after_header(self, block: Block) -> Block:
        return block

    def _columns_of_lines(self, block: Block, _: Sequence[str]) -> Columns | None:
        columns = block.columns(len(self.columns))
        return None if columns is None else dict(zip(self.columns, columns, strict=True))

    def records(self) -> Iterator[TableRow]:
        """Yield the lines; those that are unusable, or have other fields, are not whole."""
        for block in self._blocks:
            for number, text, fields in block.rows():
                value, is_bad = dict(zip(self.columns, fields, strict=False)), number in block.bad
                is_whole = len(fields) == len(self.columns) and not is_bad
                if not (is_whole or is_bad):
                    add_field_count(
                        *(self.findings, number, text, len(fields), str(len(self.columns))),
                        field_columns(text, len(self.columns)),
                        layout=self._said,
                        hint=self._hint_of(fields),
                    )
                yield TableRow(number, text, value, self, is_whole)

    def cell_columns(self, line: str, field: str) -> range:
        """Return the columns of a field."""
        return field_columns(line, self.columns.index(field))
