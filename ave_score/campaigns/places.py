"""Where a name stands that a campaign file, or a table that it names, gives to a run.

Files are read again for this, since few names are wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from ave_score import rules
from ave_score.campaigns.task import Task
from ave_score.core.errors import InputError
from ave_score.core.findings import Findings
from ave_score.core.text import composed
from ave_score.files.campaign import MAX_CAMPAIGN, Word
from ave_score.files.settings import Keys, lines_of
from ave_score.files.source import Source
from ave_score.files.times import time_text
from ave_score.files.two_columns import entries


class Named(NamedTuple):
    """A task of which no more is known yet."""

    edition: str
    word: Word
    language: str
    line: int | None
    where: str


def add_name_of_nothing(
    findings: Findings, task: Task | Named, setting: str, value: object, name: str, hint: str
) -> None:
    """Report a name that is of no run, at its line.

    Parameters
    ----------
    findings
        Those of the campaign file.
    task
        The first task that has the setting.
    setting, value
        What names runs, such as `teams` or `primary`, and what it is set to: the path of a table,
        or the names or patterns.
    name
        The name.
    hint
        The end of the message.
    """
    path, line = _place_of(findings.path, task, setting, value, name)
    of_table = Findings(path)
    facts = {"where": task.where, "name": setting, "found": name, "hint": hint}
    of_table.add(rules.NAME_OF_NOTHING, line, **facts)
    findings.extend_with(of_table, rules.NAME_OF_NOTHING)


def add_second_time(
    findings: Findings,
    task: Task | Named,
    value: object,
    name: str,
    first: str,
    times: Mapping[str, datetime],
) -> None:
    """Report a name in a table of times at its line: `first`, whose time counts, is the same file.

    `value` as of `add_name_of_nothing`; `times` is what the table says.
    """
    path, line = _place_of(findings.path, task, "submitted", value, name)
    _, before = _place_of(findings.path, task, "submitted", value, first)
    said = {composed(key): time_text(time) for key, time in times.items()}
    where = "" if before is None else f"in line {before} "
    expected = f"one time for each file; {where}it is {said[first]} for {first!r}"
    of_table = Findings(path)
    facts = {"name": name, "found": said[composed(name)], "expected": expected}
    of_table.add(rules.TIME_UNUSABLE, line, **facts)
    findings.extend_with(of_table, rules.TIME_UNUSABLE)


def _place_of(
    campaign: str, task: Task | Named, setting: str, value: object, name: str
) -> tuple[str, int | None]:
    """Return the file that gives a name to a run, and the line there."""
    if isinstance(value, str):
        return value, _line_in_table(value, setting, name)
    table = "editions", task.edition
    of_task = *table, task.word.setting, task.language
    settings = (*of_task, setting), (*table, setting)
    line = _line_in_campaign(
        campaign, [key for setting in settings for key in ((*setting, name), setting)]
    )
    return campaign, line or task.line


def _line_in_table(path: str, setting: str, name: str) -> int | None:
    """Return the line of a name in a table of teams or times; None if it cannot be found."""
    column = {"teams": "team"}.get(setting, setting)
    rows = entries(Source(path), Findings(path), ("run", column), "", third="primary")
    try:
        return next((row.number for row in rows if composed(row.name) == composed(name)), None)
    except InputError:  # a pipe, which is read only once
        return None


def _line_in_campaign(path: str, settings: Sequence[Keys]) -> int | None:
    """Return the line of the first setting that a campaign file has; None if it has none."""
    try:
        data = Source(path).whole(MAX_CAMPAIGN) or b""
    except InputError:
        return None
    lines = lines_of(data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    return next((lines[keys] for keys in settings if keys in lines), None)
