"""Lines of a verifier: `q_id a_id score`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.labels import VERDICTS
from ave_score.files.layout import Layout
from ave_score.files.lines import Block, LineReader
from ave_score.files.positions import add_field_count, field_columns
from ave_score.files.source import Source
from ave_score.files.table import Columns, Table
from ave_score.files.table_row import TableRow

_FIELDS = KINDS[FileKind.SCORES].fields
"""The fields of a line without a header."""


class PlainLines(Table):
    """Lines of three fields, separated by blanks or tabs: `q_id a_id score`."""

    def __init__(self, source: Source, findings: Findings, layout: Layout) -> None:
        super().__init__(source, findings, layout)
        self._blocks = LineReader(source, findings, layout.expected).blocks()

    def _after_header(self, block: Block) -> Block:
        return block

    def _columns_of_lines(self, block: Block, _: Sequence[str]) -> Columns | None:
        columns = block.columns(len(_FIELDS))
        return None if columns is None else dict(zip(_FIELDS, columns, strict=True))

    def records(self) -> Iterator[TableRow]:
        """Yield the lines of three fields."""
        for block in self._blocks:
            for number, text, fields in block.rows():
                if number in block.bad:
                    continue
                if len(fields) == len(_FIELDS):
                    yield TableRow(number, text, dict(zip(_FIELDS, fields, strict=True)), self)
                else:
                    self._count_fields(number, text, fields)

    def cell_columns(self, line: str, field: str) -> range:
        """Return the columns of a field."""
        return field_columns(line, _FIELDS.index(field))

    def _count_fields(self, number: int, text: str, fields: list[str]) -> None:
        hint = "; a run already has verdicts" if fields[2:] and fields[2] in VERDICTS else ""
        needed, layout = len(_FIELDS), " ".join(_FIELDS)
        columns, width = field_columns(text, needed), len(fields)
        add_field_count(
            self.findings, number, text, width, str(needed), columns, layout=layout, hint=hint
        )
