"""What systems answered to questions without candidates: tab-separated, with a header.

`q_id answer` are needed; `run` and `nuggets` may be there. One file may hold many runs; their
order, and the order of their rows, is kept. The answer NIL says that there is none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ave_score import rules
from ave_score.files.source import Source
from ave_score.files.table import Layout, Row, Table
from ave_score.findings import Findings
from ave_score.open_questions import Response, ResponseRun
from ave_score.text import is_usable_id

LAYOUT = Layout(
    "a table of responses (tab-separated)",
    needed=("q_id", "answer"),
    optional=("run", "nuggets"),
    elsewhere={
        "judgement": " (a judged file? --kind judged checks it as that)",
        "question": " (a questions table? --kind questions checks it as that)",
    },
)


class Responses(NamedTuple):
    """What a table of responses holds: its runs, and its columns in their order."""

    runs: list[ResponseRun]
    columns: list[str]


def read_responses(source: Source, findings: Findings, name: str) -> Responses:
    """Read the runs of a table; `name` is that of the run where no column names it."""
    runs: dict[str, ResponseRun] = {}
    table = Table(source, findings, LAYOUT)
    for row in table.rows():
        response = _response(row)
        if response is not None:
            called = row.value.get("run", name)
            run = runs.setdefault(called, ResponseRun(called, source.path, {}))
            run.responses.setdefault(response.q_id, []).append(response)
    if not runs and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="responses in it")
    return Responses(list(runs.values()), table.columns)


def _response(row: Row) -> Response | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    needed = [name for name in ("q_id", "run", "answer") if name in value]
    sound = all([*map(row.filled, needed)])
    if value["q_id"] and not is_usable_id(value["q_id"]):
        row.add("q_id", rules.ID_UNUSABLE, found=value["q_id"])
        sound = False
    nuggets = filter(None, re.split(r"[,\s]+", value.get("nuggets", "")))
    if not sound:
        return None
    return Response(row.number, value["q_id"], value["answer"], tuple(dict.fromkeys(nuggets)))
