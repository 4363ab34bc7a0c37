"""The lines of tables of two columns: runs and teams, questions and clusters, names and times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.files.delimited import Delimited, DelimitedField
from ave_score.files.lines import LineReader
from ave_score.files.positions import add_field_count
from ave_score.files.sniff import delimiter_of
from ave_score.files.source import Source


class NamePair(NamedTuple):
    """A line of a table of two columns, the columns of the second one in it, and a third one."""

    number: int
    line: str
    name: str
    value: str
    columns: range
    third: DelimitedField | None


def entries(
    source: Source,
    findings: Findings,
    columns: tuple[str, str],
    expected: str,
    is_head: Callable[[Sequence[str]], bool] = lambda _: False,
    third: str = "",
) -> Iterator[NamePair]:
    """Yield the lines of a table of two columns; a header line with their names is optional.

    It may name a `third` column. Fields are separated by tabs, or by commas or semicolons as in the
    first line. A first line with other names, in lower case, is a header if `is_head` holds.
    """
    syntax, is_first = Delimited(delimiter_of(source), has_quotes=False), True
    reader, layout = LineReader(source, findings, expected, has_texts=True), [*columns]
    for block in reader.blocks():
        for number, line in block.lines():
            fields = syntax.texts(line)
            if number in block.bad or fields == [""] or line.startswith("#"):
                continue
            was_first, is_first = is_first, False
            folded = [field.casefold() for field in fields]
            has_third = folded[2:] == [third]
            if was_first and has_third and (folded[:2] == [*columns] or is_head(folded[:2])):
                layout = folded
                continue
            if folded == [*columns] or (was_first and len(fields) == 2 and is_head(folded)):
                continue
            if len(fields) != len(layout):
                at, wanted = syntax.columns_of(line, len(layout)), str(len(layout))
                facts = {"layout": "<TAB>".join(layout)}
                add_field_count(findings, number, line, len(fields), wanted, at, **facts)
            elif not fields[0]:
                findings.add(rules.FIELD_EMPTY, number, 1, line, field=columns[0])
            else:
                cells = [*syntax.cells(line), None]
                at = syntax.columns_of(line, 1)
                yield NamePair(number, line, fields[0], fields[1], at, cells[2])
