"""Where in its line a finding stands that was made when the line was no longer at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ave_score import rules
from ave_score.files.columns import cell_columns, field_columns
from ave_score.files.quoting import lines_of
from ave_score.files.source import Source
from ave_score.findings import Columns, Finding, Findings
from ave_score.rules import Rule

FIELDS: dict[Rule, int] = {
    rules.UNKNOWN_QUESTION: 0,
    rules.UNKNOWN_ANSWER: 1,
    rules.ANSWER_OF_ANOTHER_QUESTION: 0,
    rules.ANSWER_REPEATED: 1,
    rules.ANSWER_CONFLICT: 1,
    rules.TWO_SELECTED: 2,
    rules.NONE_SELECTED: 2,
    rules.LABEL_CONFLICT: 2,
}
"""The field, from 0, that a finding about a whole row of a run or a key points at."""


def locate(
    source: Source,
    findings: Findings,
    fields: Mapping[Rule, int],
    columns_of: Callable[[str, int], range] = field_columns,
) -> None:
    """Complete findings that do not quote their line; the file is read again if there are any.

    Parameters
    ----------
    fields
        The number of the field, from 0, that a finding of a rule is about.
    columns_of
        Tells where in a line a field stands.
    """

    def find(found: Finding, line: str) -> Columns:
        number = fields.get(found.rule)
        return found.column if number is None else columns_of(line, number)

    findings.locate(lines_of(source, findings.unlocated()), find)


def locate_cells(
    source: Source, findings: Findings, columns: Sequence[str], named: Mapping[Rule, str]
) -> None:
    """Complete findings about rows of a table, given the names of the columns they are about."""
    fields = {rule: columns.index(name) for rule, name in named.items() if name in columns}
    locate(source, findings, fields, cell_columns)
