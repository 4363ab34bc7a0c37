"""Key files: `q_id a_id VALIDATED|REJECTED|UNKNOWN`, labels for an unlabelled collection."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score import rules
from ave_score.files.contents import Examined, examined, label_counts
from ave_score.files.lines import LineReader
from ave_score.files.placement import Placement, Rows, align, index_of
from ave_score.files.positions import FIELDS, add_field_count, field_columns, locate
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.model import LABELS, AnswerIndex, Collection, Label, label_facts

LAYOUT = "q_id a_id VALIDATED|REJECTED|UNKNOWN"


def read_key(source: Source, findings: Findings) -> Iterator[Rows]:
    """Yield the rows block by block; their codes are `Label` + 1."""
    empty = True
    for block in LineReader(source, findings, "a key file").blocks():
        lines: list[int] = []
        rows = Rows(lines, [], [], bytearray(), [])
        unreadable = []
        for number, line, fields in block.rows():
            empty = False
            bad = number in block.bad
            label = None if bad else _label(number, line, fields, findings)
            if label is not None:
                lines.append(number)
                rows.q_ids.append(fields[0])
                rows.a_ids.append(fields[1])
                rows.codes.append(label + 1)
            elif len(fields) > 1:
                unreadable.append((number, fields[0], fields[1], len(fields) == 3 and not bad))
        yield rows._replace(values=[0.0] * len(rows.codes), unreadable=unreadable)
    if empty and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="labels in it")


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


def check_key(source: Source, index: AnswerIndex | None) -> tuple[bytes | None, list[Findings]]:
    """Read a key; return a label for each answer of the index, with the findings.

    The labels are None if a finding prevents scoring. Without an index, the index is built from the
    key.
    """
    findings = Findings(source.path)
    if index is None:
        findings.skip("unknown and missing answers (AVE201-AVE203, AVE407): no collection given")
        blocks = list(read_key(source, findings))
        placement = align(blocks, index_of(blocks), findings)
    else:
        placement = place_key(source, index, findings)
    labels = bytes(code - 1 if code else Label.NONE for code in placement.codes)
    if index is not None and placement.fits:
        report_unlabelled(index, labels, findings)
    locate(source, findings, FIELDS)
    return (None if findings.errors else labels), [findings]


def place_key(source: Source, index: AnswerIndex, findings: Findings) -> Placement:
    """Align a key with an index; the codes of the placement are `Label` + 1."""
    return align(read_key(source, findings), index, findings)


def report_unlabelled(index: AnswerIndex, labels: bytes | bytearray, findings: Findings) -> None:
    """Report every answer that has no label."""
    for position, label in enumerate(labels):
        if label == Label.NONE:
            q_id, a_id = index.q_ids[position], index.a_ids[position]
            findings.add(rules.UNLABELLED_ANSWER, q_id=q_id, a_id=a_id)


def examine(source: Source, collection: Collection | None, _: str) -> Examined:
    """Check a key, perhaps against a collection."""
    index = None if collection is None else collection.index
    return examined(check_key(source, index), label_counts)
