"""Tables of groups: `run` and `group`, tab-separated, with an optional header."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.delimited import Delimited
from ave_score.files.lines import LineReader
from ave_score.files.positions import add_field_count
from ave_score.files.sniff import delimiter_of
from ave_score.files.source import Source


class NamePair(NamedTuple):
    """A line of a table of two columns, and the columns of the second one in it."""

    number: int
    line: str
    name: str
    value: str
    columns: range


def entries(
    source: Source,
    findings: Findings,
    columns: tuple[str, str],
    expected: str,
    is_head: Callable[[str], bool] = lambda _: False,
) -> Iterator[NamePair]:
    """Yield the lines of a table of two columns; a header line with their names is optional.

    Fields are separated by tabs, or by commas or semicolons as in the first line. A first line with
    other names is a header if `is_head` holds for its second field.
    """
    syntax, is_first = Delimited(delimiter_of(source), has_quotes=False), True
    reader = LineReader(source, findings, expected, has_texts=True)
    for block in reader.blocks():
        for number, line in block.lines():
            fields = syntax.texts(line)
            if number in block.bad or fields == [""] or line.startswith("#"):
                continue
            was_first, is_first = is_first, False
            folded = [field.casefold() for field in fields]
            if folded == [*columns] or (was_first and len(fields) == 2 and is_head(fields[1])):
                continue
            if len(fields) != 2:
                at, width = syntax.columns_of(line, 2), len(fields)
                layout = "<TAB>".join(columns)
                add_field_count(findings, number, line, width, "2", at, layout=layout)
            elif not fields[0]:
                findings.add(rules.FIELD_EMPTY, number, 1, line, field=columns[0])
            else:
                yield NamePair(number, line, fields[0], fields[1], syntax.columns_of(line, 1))


@for_one_file
def check_groups(source: Source) -> tuple[dict[str, str] | None, list[Findings]]:
    """Read run -> group; None, with findings, if a line is unreadable."""
    findings = Findings(source.path)
    groups: dict[str, str] = {}
    for entry in entries(source, findings, ("run", "group"), "a table of runs and groups"):
        first = groups.setdefault(entry.name, entry.value)
        if first != entry.value:
            facts = {"name": entry.name, "found": entry.value, "first": first}
            findings.add(rules.TWO_GROUPS, entry.number, entry.columns, entry.line, **facts)
    if not groups and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="groups in it")
    return (None if findings.errors else groups), [findings]


def examine(source: Source, _: object, __: str) -> Examined:
    """Check a table of groups."""
    return examined(check_groups(source), _contents)


def _contents(groups: dict[str, str]) -> Contents:
    return {"runs": len(groups), "groups": len({*groups.values()})}
