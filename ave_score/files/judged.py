"""Judged question-answering runs: tab-separated, with a header that names the columns.

`q_id run judgement` are needed; `a_id answer text doc answered confidence` may be there. One file
may hold many runs; their order, and the order of their rows, is kept.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ave_score import rules
from ave_score.files.run_line import NUMBER
from ave_score.files.source import Source
from ave_score.files.table import Layout, Row, Table
from ave_score.findings import Findings
from ave_score.labels import Answering, Meaning, is_contradicted
from ave_score.model import JudgedAnswer, JudgedRun
from ave_score.text import did_you_mean

LAYOUT = Layout(
    "a judged run (tab-separated)",
    needed=("q_id", "run", "judgement"),
    optional=("a_id", "answer", "text", "doc", "answered", "confidence"),
    elsewhere={"question": " (a questions table? build takes one with --questions)"},
)

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
    file = Table(source, findings, LAYOUT)
    for row in file.rows():
        answer = _answer(row, campaign, table)
        if answer:
            name = row.value["run"]
            runs.setdefault(name, JudgedRun(name, source.path, [], campaign)).answers.append(answer)
    if not runs and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="judged answers in it")
    return Judged(list(runs.values()), file.columns)


def _answer(row: Row, campaign: str, table: dict[str, Meaning]) -> JudgedAnswer | None:
    """Return the row as a value, or None with at least one finding added."""
    value = row.value
    sound = all([*map(row.filled, ("q_id", "run")), _is_judged(row, campaign, table)])
    answered = value.get("answered", "").upper()
    if answered not in _ANSWERED:
        row.add("answered", rules.ANSWERED_UNKNOWN, found=value["answered"])
        sound = False
    if not sound or _is_contradicted(row, campaign, table):
        return None
    return JudgedAnswer(
        row.number,
        value["q_id"],
        value["judgement"],
        value.get("a_id", ""),
        value.get("answer", ""),
        _ANSWERED[answered],
        value.get("text", ""),
        value.get("doc", ""),
        _confidence(row),
    )


def _confidence(row: Row) -> float | None:
    """Return a confidence; None where the row gives none, or none that is a number."""
    text = row.value.get("confidence", "")
    if not text:
        return None
    if not re.fullmatch(NUMBER, text):
        row.add("confidence", rules.CONFIDENCE_NOT_A_NUMBER, found=text)
        return None
    value = float(text)
    if not math.isfinite(value):
        row.add("confidence", rules.CONFIDENCE_NOT_FINITE, found=text)
        return None
    if not 0 <= value <= 1:
        row.add("confidence", rules.CONFIDENCE_RANGE, found=text)
    return value


def _is_contradicted(row: Row, campaign: str, table: dict[str, Meaning]) -> bool:
    letter, word = row.value["judgement"], row.value.get("answered", "").upper()
    meaning = table[letter]
    if not is_contradicted(meaning, letter, _ANSWERED[word]):
        return False
    means = meaning.answering if meaning.answering is Answering.UNANSWERED else "unsupported"
    facts = {"found": letter, "answered": word, "campaign": campaign, "means": str(means)}
    row.add("judgement", rules.CAMPAIGN_CONTRADICTED, **facts)
    return True


def _is_judged(row: Row, campaign: str, table: dict[str, Meaning]) -> bool:
    letter = row.value["judgement"]
    if letter in table:
        return True
    row.add(
        "judgement",
        rules.UNKNOWN_JUDGEMENT,
        found=letter,
        expected=", ".join(known or "(empty)" for known in table),
        campaign=campaign,
        hint=did_you_mean(letter.upper() if letter.upper() in table else None),
    )
    return False
