"""Judged question-answering runs: tab-separated, with a header that names the columns.

`q_id run judgement` are needed; `a_id answer text doc answered confidence` may be there. One file
may hold many runs; their order, and the order of their rows, is kept. Quotes are ordinary
characters: a field ends at a tab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from ave_score import rules
from ave_score.findings import HINTS, Findings
from ave_score.formats.columns import cell_columns
from ave_score.formats.lines import LineReader
from ave_score.formats.source import Source
from ave_score.labels import Meaning
from ave_score.model import JudgedAnswer, JudgedRun
from ave_score.rules import Rule
from ave_score.text import counted, did_you_mean, excerpt, nearest

NEEDED = ("q_id", "run", "judgement")
OPTIONAL = ("a_id", "answer", "text", "doc", "answered", "confidence")

_ANSWERED = {"YES": True, "NO": False, "": None}


class Judged(NamedTuple):
    """What a judged file holds: its systems, and its columns in their order."""

    runs: list[JudgedRun]
    columns: list[str]


def read_judged(
    source: Source, findings: Findings, campaign: str, table: dict[str, Meaning]
) -> Judged:
    """Read the runs of a judged file.

    Parameters
    ----------
    campaign, table
        The name of the judgement table, and the table; other letters are findings.
    """
    runs: dict[str, JudgedRun] = {}
    reader = LineReader(source, findings, "a judged run (tab-separated)", has_texts=True)
    lines = _filled_lines(reader)
    header = next(lines, None)
    columns = _columns(header.number, header.text, findings) if header and not header.bad else []
    for line in lines if columns else ():
        row = _Row(line.number, line.text, columns, findings)
        answer = None if line.bad else row.answer(campaign, table)
        if answer:
            name = row.value["run"]
            runs.setdefault(name, JudgedRun(name, source.path, [], campaign)).answers.append(answer)
    if not runs and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="judged answers in it")
    return Judged(list(runs.values()), columns)


class _Line(NamedTuple):
    number: int
    text: str
    bad: bool


def _filled_lines(reader: LineReader) -> Iterator[_Line]:
    for block in reader.blocks():
        for number, text in block.lines():
            if not text.isspace():
                yield _Line(number, text, number in block.bad)


def _columns(number: int, line: str, findings: Findings) -> list[str]:
    """Return the names of the columns, or nothing where the header is unusable."""
    names = [name.strip() for name in line.split("\t")]
    missing = [name for name in NEEDED if name not in names]
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    problem = hint = ""
    if missing:
        problem = f"the header has no column {', '.join(missing)}"
        if "\t" not in line and len(line.replace(";", ",").split(",")) >= len(NEEDED):
            hint = " (its fields seem to be separated by commas or semicolons)"
    elif repeated:
        problem = f"the header names the column {excerpt(', '.join(repeated))} twice"
    if problem:
        findings.add(rules.HEADER_UNUSABLE, number, 1, line, problem=problem, hint=hint)
        return []
    starts = accumulate((len(cell) + 1 for cell in line.split("\t")), initial=1)
    for start, name in zip(starts, names, strict=False):
        if name not in NEEDED + OPTIONAL:
            hint = ""
            if findings.counts[rules.UNKNOWN_COLUMN] < HINTS:
                hint = did_you_mean(nearest(name, NEEDED + OPTIONAL))
            columns = range(start, start + max(1, len(name)))
            findings.add(rules.UNKNOWN_COLUMN, number, columns, line, found=name, hint=hint)
    return names


class _Row:
    """One row of a judged file, and where to complain about it."""

    def __init__(self, number: int, line: str, columns: list[str], findings: Findings) -> None:
        self.number = number
        self.line = line
        self.findings = findings
        self.columns = columns
        self.fields = [field.strip() for field in line.split("\t")]
        self.value = dict(zip(columns, self.fields, strict=False))

    def answer(self, campaign: str, table: dict[str, Meaning]) -> JudgedAnswer | None:
        """Return the row as a value, or None with at least one finding added."""
        if len(self.fields) != len(self.columns):
            found = counted(len(self.fields), "field")
            expected = len(self.columns)
            columns = cell_columns(self.line, expected)
            self.findings.add(
                rules.ROW_WIDTH, self.number, columns, self.line, found=found, expected=expected
            )
            return None
        sound = all([*map(self._filled, ("q_id", "run")), self._judged(campaign, table)])
        answered = self.value.get("answered", "").upper()
        if answered not in _ANSWERED:
            self._add("answered", rules.ANSWERED_UNKNOWN, found=self.value["answered"])
            sound = False
        if not sound:
            return None
        value = self.value
        return JudgedAnswer(
            self.number,
            value["q_id"],
            value["judgement"],
            value.get("a_id", ""),
            value.get("answer", ""),
            _ANSWERED[answered],
            value.get("text", ""),
            value.get("doc", ""),
        )

    def _add(self, name: str, rule: Rule, **facts: object) -> None:
        columns = cell_columns(self.line, self.columns.index(name))
        self.findings.add(rule, self.number, columns, self.line, **facts)

    def _filled(self, name: str) -> bool:
        if not self.value[name]:
            self._add(name, rules.FIELD_EMPTY, field=name)
        return bool(self.value[name])

    def _judged(self, campaign: str, table: dict[str, Meaning]) -> bool:
        letter = self.value["judgement"]
        if letter in table:
            return True
        hint = did_you_mean(letter.upper() if letter.upper() in table else None)
        expected = ", ".join(known or "(empty)" for known in table)
        self._add(
            "judgement",
            rules.UNKNOWN_JUDGEMENT,
            found=letter,
            expected=expected,
            campaign=campaign,
            hint=hint,
        )
        return False
