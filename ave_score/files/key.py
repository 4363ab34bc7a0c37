"""Key files: `q_id a_id VALIDATED|REJECTED|UNKNOWN`, labels for an unlabelled collection."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.labels import LABELS, label_facts
from ave_score.core.model import AnswerIndex, Collection, Label, Verdict
from ave_score.core.text import are_plain_ids
from ave_score.files.contents import Checking, label_counts
from ave_score.files.layout import Layout
from ave_score.files.lines import Block, LineReader
from ave_score.files.placement import align, report_unlabelled, unless_empty
from ave_score.files.positions import FIELDS, add_field_count, field_columns, locate, named_columns
from ave_score.files.rows import Rows
from ave_score.files.sniff import begins_as_table
from ave_score.files.source import Source
from ave_score.files.table import Columns, Table
from ave_score.files.table_row import TableRow

LAYOUT = f"q_id a_id {'|'.join(LABELS)}"


class KeyReader:
    """Reads a key.

    Parameters
    ----------
    source, findings
        The file, and the findings to add to.
    """

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source = source
        self._findings = findings
        values = source.naming.values
        meant = {word: values.get(word, word) for word in (*LABELS, *values)}
        self._codes = {word: LABELS[label] + 1 for word, label in meant.items() if label in LABELS}
        self._table: Table | None = None
        if begins_as_table(source):
            record = KINDS[FileKind.KEY]
            layout = Layout("a key", record.fields, (), quotes_tabs=record.quotes_tabs)
            self._table = Table(source, findings, layout)

    def columns(self, line: str, field: str) -> range:
        """Return the columns of a field in a line."""
        return (self._table.cell_columns if self._table else named_columns)(line, field)

    def blocks(self) -> Iterator[Rows]:
        """Yield the rows block by block; their codes are `Label` + 1."""
        blocks = self._of_lines()
        if self._table:
            blocks = self._table.blocks(("q_id", "a_id"), self._code, self._of_columns)
        return unless_empty(blocks, self._findings, "labels in it")

    def _code(self, row: TableRow) -> tuple[int, float] | None:
        word = row.value["label"]
        if word in self._codes:
            return self._codes[word], 0.0
        meant = self._source.naming.values.get(word, word)
        row.add("label", rules.UNKNOWN_LABEL, **label_facts(meant))
        return None

    def _of_columns(self, lines: range, columns: Columns) -> Rows | None:
        """Return the rows of columns of a table; None if any may be invalid."""
        rows = self._rows(lines, *columns.values())
        return rows if rows and are_plain_ids(rows.q_ids) and are_plain_ids(rows.a_ids) else None

    def _rows(
        self, lines: range, q_ids: list[str], a_ids: list[str], words: list[str]
    ) -> Rows | None:
        """Return the rows of columns; None if a label is invalid."""
        try:
            codes = bytearray(map(self._codes.__getitem__, words))
        except (KeyError, TypeError):  # values of JSON may be of any type
            return None
        return Rows(lines, q_ids, a_ids, codes, [0.0] * len(codes))

    def _of_lines(self) -> Iterator[Rows]:
        for block in LineReader(self._source, self._findings, "a key file").blocks():
            yield self._of_plain_lines(block) or self._of_any_lines(block)

    def _of_plain_lines(self, block: Block) -> Rows | None:
        """Return the rows of a block; None if any may be invalid."""
        columns = block.columns(3)
        if columns is None:
            return None
        return self._rows(range(block.first, block.first + len(columns[0])), *columns)

    def _of_any_lines(self, block: Block) -> Rows:
        findings, values = self._findings, self._source.naming.values
        accepted, unreadable = [], []
        for number, line, fields in block.rows():
            fields[2:] = [values.get(word, word) for word in fields[2:]]
            bad = number in block.bad
            label = None if bad else _label(number, line, fields, findings)
            if label is not None:
                accepted.append((number, fields[0], fields[1], label + 1, 0.0))
            elif len(fields) > 1:
                sure = len(fields) == 3 and not bad
                unreadable.append((number, fields[0], fields[1], sure))
        return Rows.of(accepted, unreadable)


def _label(number: int, line: str, fields: list[str], findings: Findings) -> Label | None:
    if len(fields) != 3:
        columns = field_columns(line, 3)
        add_field_count(findings, number, line, len(fields), "3", columns, layout=LAYOUT)
    elif fields[2] in LABELS:
        return Label(LABELS[fields[2]])
    else:
        columns = field_columns(line, 2)
        findings.add(rules.UNKNOWN_LABEL, number, columns, line, **label_facts(fields[2]))
    return None


@for_one_file
def check_key(source: Source, index: AnswerIndex | None) -> tuple[bytes | None, list[Findings]]:
    """Read a key; return a label for each answer of the index, with the findings.

    The labels are None if a finding prevents scoring. Without an index, the index is built from the
    key.
    """
    findings = Findings(source.path)
    reader = KeyReader(source, findings)
    if index is None:
        findings.skip("unknown and missing answers (AVE201-AVE203, AVE407): no collection given")
    placement = align(reader.blocks(), index, findings)
    # an unreadable label is no missing one
    others: dict[int, int] = {Verdict.MISSING: Label.NONE, Verdict.UNREADABLE: Label.UNKNOWN}
    labels = bytes(others.get(code, code - 1) for code in placement.codes)
    if index is not None and placement.fits:
        report_unlabelled(index, labels, findings)
    locate(source, findings, FIELDS, reader.columns)
    return (None if findings.errors else labels), [findings]


def examine(source: Source, collection: Collection | None, *_: object) -> Checking:
    """Check a key, perhaps against a collection."""
    index = None if collection is None else collection.index
    return check_key(source, index)


contents = label_counts
