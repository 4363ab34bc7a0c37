"""Tables of the teams or systems of runs, with an optional header, which may name `primary`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.labels import TRUTHS
from ave_score.core.text import composed
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.delimited import Delimited, DelimitedField
from ave_score.files.lines import LineReader
from ave_score.files.positions import add_field_count
from ave_score.files.sniff import delimiter_of
from ave_score.files.source import Source

_OF_SYSTEMS = ["run", "system"]
"""The header of a table of the systems that runs are of."""


class Teams(dict[str, str]):
    """Run -> team.

    `primary` has the runs that count, None if the table does not say which. `is_checked` tells that
    its names are held against all runs elsewhere, also against those that are not scored.
    """

    primary: set[str] | None = None
    is_checked = False


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
            if was_first and folded == [*columns, third]:
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


@for_one_file
def check_teams(source: Source) -> tuple[Teams | None, list[Findings]]:
    """Read run -> team; None, with findings, if a line is unreadable."""
    findings, teams = Findings(source.path), Teams()
    said: dict[str, str] = {}
    columns, expected = ("run", "team"), "a table of runs and teams"
    for entry in entries(source, findings, columns, expected, _OF_SYSTEMS.__eq__, "primary"):
        found, cell = entry.value, entry.third
        if cell is not None:
            teams.primary = teams.primary or set()
            is_primary = cell.text != "" and TRUTHS.get(cell.text.casefold())
            if is_primary is None:
                facts = {"field": "primary", "found": cell.text}
                where = entry.number, cell.columns, entry.line
                findings.add(rules.ANSWERED_UNKNOWN, *where, **facts)
            elif is_primary:
                teams.primary.add(composed(entry.name))
                found += " (primary)"
        name = composed(entry.name)
        teams[name] = entry.value
        first = said.setdefault(name, found)
        if first != found:
            facts = {"name": entry.name, "found": found, "first": first}
            findings.add(rules.TWO_TEAMS, entry.number, entry.columns, entry.line, **facts)
    if not teams and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="teams in it")
    return (None if findings.errors else teams), [findings]


def primary_in(teams: Mapping[str, str]) -> set[str] | None:
    """Return the runs that a column `primary` of the teams names; None without one."""
    return teams.primary if isinstance(teams, Teams) else None


def examine(source: Source, _: object, *__: str) -> Examined:
    """Check a table of teams."""
    return examined(check_teams(source), _contents)


def _contents(teams: dict[str, str]) -> Contents:
    return {"runs": len(teams), "teams": len({*teams.values()})}
