"""Tables of the teams or systems of runs, with an optional header, which may name `primary`."""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.labels import TRUTHS
from ave_score.core.text import composed
from ave_score.files.contents import Checking, Contents
from ave_score.files.source import Source
from ave_score.files.two_columns import entries

HEADS = ["run", "team"], ["run", "system"], ["run", "group"]
"""Headers of tables of teams, of the systems that runs are of, and of teams called groups."""


class Teams(dict[str, str]):
    """Run -> team, and what else a table of teams says.

    Attributes
    ----------
    primary
        The runs that count; None if the table does not say which.
    is_checked
        Whether the caller holds its names against all runs, also against those that are not scored.
    """

    def __init__(
        self,
        teams: Mapping[str, str] = MappingProxyType({}),
        primary: Set[str] | None = None,
        *,
        is_checked: bool = False,
    ) -> None:
        super().__init__(teams)
        self.primary, self.is_checked = primary, is_checked


@for_one_file
def check_teams(source: Source) -> tuple[Teams | None, list[Findings]]:
    """Read run -> team; None, with findings, if a line is unreadable."""
    findings, teams = Findings(source.path), dict[str, str]()
    primary: set[str] | None = None
    said: dict[str, str] = {}
    columns, expected = ("run", "team"), "a table of runs and teams"
    for entry in entries(source, findings, columns, expected, HEADS.__contains__, "primary"):
        found, cell = entry.value, entry.third
        if cell is not None:
            primary = primary or set()
            is_primary = cell.text != "" and TRUTHS.get(cell.text.casefold())
            if is_primary is None:
                facts = {"field": "primary", "found": cell.text}
                where = entry.number, cell.columns, entry.line
                findings.add(rules.ANSWERED_UNKNOWN, *where, **facts)
            elif is_primary:
                primary.add(composed(entry.name))
                found += " (primary)"
        name = composed(entry.name)
        teams[name] = entry.value
        first = said.setdefault(name, found)
        if first != found:
            facts = {"name": entry.name, "found": found, "first": first}
            findings.add(rules.TWO_TEAMS, entry.number, entry.columns, entry.line, **facts)
    if not teams and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="teams in it")
    return (None if findings.errors else Teams(teams, primary)), [findings]


def examine(source: Source, _: object, *__: object) -> Checking:
    """Check a table of teams."""
    return check_teams(source)


def contents(teams: dict[str, str]) -> Contents:
    """Describe runs and teams in numbers."""
    return {"runs": len(teams), "teams": len({*teams.values()})}
