"""Times of submission: moments with an offset, and tables of `run` and `submitted`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.text import composed
from ave_score.files.contents import Checking, Contents
from ave_score.files.source import Source
from ave_score.files.two_columns import entries

MOMENT = "a date and time with its offset (zones differ), as in 2026-05-01T23:59:00Z"
"""What times have to be, for messages."""


def moment(value: object) -> datetime | None:
    """Return a time with an offset, from a text (ISO 8601) or a value of TOML; None for others."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    return value if isinstance(value, datetime) and value.tzinfo is not None else None


def time_text(time: datetime) -> str:
    """Return a time as ISO 8601, with Z for UTC."""
    return time.isoformat().replace("+00:00", "Z")


def deadline_problem(where: str, closes: datetime | None, submitted: object) -> str:
    """Return what is said of a deadline without times of submission; "" of any other."""
    if closes is None or submitted is not None:
        return ""
    return f"{where} closes at {time_text(closes)}, but names no times of submission"


@for_one_file
def check_times(source: Source) -> tuple[dict[str, datetime] | None, list[Findings]]:
    """Read run (its name or the end of its path) -> time of submission.

    None, with findings, if a line is unreadable. A first line with a word instead of a time is a
    header, whatever the columns are called.
    """
    findings = Findings(source.path)
    times: dict[str, datetime] = {}
    lines: dict[str, int] = {}
    expected = "a table of runs and times"
    for entry in entries(source, findings, ("run", "submitted"), expected, _is_word):
        time = moment(entry.value)
        expected = MOMENT
        if time is not None:
            name = composed(entry.name)
            first, line = times.setdefault(name, time), lines.setdefault(name, entry.number)
            if first == time:
                continue
            expected = f"one time for each run; it was {time_text(first)} in line {line}"
        facts = {"name": entry.name, "found": entry.value, "expected": expected}
        findings.add(rules.TIME_UNUSABLE, entry.number, entry.columns, entry.line, **facts)
    if not times and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="times in it")
    return (None if findings.errors else times), [findings]


def _is_word(fields: Sequence[str]) -> bool:
    """Tell whether the second field may be the name of a column: it has no digit of a time."""
    return re.search(r"\d", fields[1]) is None and fields[1] != ""


def examine(source: Source, _: object, *__: object) -> Checking:
    """Check a table of times of submission."""
    return check_times(source)


def contents(times: dict[str, datetime]) -> Contents:
    """Describe runs in numbers."""
    return {"runs": len(times)}
