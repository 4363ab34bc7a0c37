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
from ave_score.files.placement import align, report_unlabelled, unless_empty
from ave_score.files.positions import FIELDS, locate
from ave_score.files.rows import Rows
from ave_score.files.score_lines import PlainLines
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
        fields, quotes_tabs = KINDS[FileKind.KEY].fields, KINDS[FileKind.KEY].quotes_tabs
        self._table: Table = (
            Table(source, findings, Layout("a key", fields, (), quotes_tabs=quotes_tabs))
            if begins_as_table(source)
            else PlainLines(source, findings, fields, "a key file", LAYOUT)
        )
        self.columns = self._table.cell_columns

    def blocks(self) -> Iterator[Rows]:
        """Yield the rows block by block; their codes are `Label` + 1."""
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
        """Return the rows of columns; None if any may be invalid."""
        q_ids, a_ids, words = columns.values()
        try:
            codes = bytearray(map(self._codes.__getitem__, words))
        except (KeyError, TypeError):  # values of JSON may be of any type
            return None
        are_plain = are_plain_ids(q_ids) and are_plain_ids(a_ids)
        return Rows(lines, q_ids, a_ids, codes, [0.0] * len(codes)) if are_plain else None


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
