"""Key files: `q_id a_id VALIDATED|REJECTED|UNKNOWN`, labels for an unlabelled collection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ave_score import rules
from ave_score.files.columns import field_columns, separator_hint
from ave_score.files.lines import LineReader
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.labels import label_facts
from ave_score.model import LABELS, Label
from ave_score.text import counted

LAYOUT = "q_id a_id VALIDATED|REJECTED|UNKNOWN"


class KeyRow(NamedTuple):
    """A line of a key; `sure` is whether it has three fields: only then are its ids known."""

    line: int
    q_id: str
    a_id: str
    label: Label | None
    sure: bool


def read_key(source: Source, findings: Findings) -> Iterator[KeyRow]:
    """Yield every line that names an answer; its label is None where it is unreadable."""
    empty = True
    for block in LineReader(source, findings, "a key file").blocks():
        for number, line, fields in block.rows():
            empty = False
            label = None if number in block.bad else _label(number, line, fields, findings)
            if len(fields) > 1:
                sure = len(fields) == 3 and number not in block.bad
                yield KeyRow(number, fields[0], fields[1], label, sure)
    if empty and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="labels in it")


def _label(number: int, line: str, fields: list[str], findings: Findings) -> Label | None:
    if len(fields) != 3:
        found = counted(len(fields), "field")
        findings.add(
            rules.FIELD_COUNT,
            number,
            field_columns(line, 3),
            line,
            found=found,
            expected="3",
            layout=LAYOUT,
            hint=separator_hint(line, len(fields)),
        )
    elif fields[2] in LABELS:
        return Label(LABELS[fields[2]])
    else:
        columns = field_columns(line, 2)
        findings.add(rules.UNKNOWN_LABEL, number, columns, line, **label_facts(fields[2]))
    return None
