"""From a judged file to all its rows, of which a collection can be built."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ave_score import rules
from ave_score.checks.located import locate_cells
from ave_score.files.judged import read_judged
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.labels import campaign_table
from ave_score.model import JudgedAnswer
from ave_score.rules import Rule
from ave_score.text import is_usable_id

_COLUMN: dict[Rule, str] = {
    rules.ID_UNUSABLE: "q_id",
    rules.OUTSIDE_QUESTIONS: "q_id",
    rules.JUDGEMENTS_DIFFER: "judgement",
    rules.DOCUMENT_UNUSABLE: "doc",
    rules.DOCUMENT_MISSING: "doc",
}
"""The column that a finding about a row points at."""


class JudgedRows(NamedTuple):
    """All rows of a judged file, several answers of a system to a question among them.

    `findings` takes what is found about the rows later on; `locate_rows` places it.
    """

    source: Source
    findings: Findings
    columns: list[str]
    answers: list[JudgedAnswer]

    @property
    def has_texts(self) -> bool:
        """Whether the file has a column of supporting texts."""
        return "text" in self.columns


def check_rows(source: Source, campaign: str) -> tuple[JudgedRows | None, list[Findings]]:
    """Read the rows of a judged file; None, with findings, where one is unreadable.

    `campaign` is a key of `CAMPAIGNS`.
    """
    findings = Findings(source.path)
    judged = read_judged(source, findings, campaign, campaign_table(campaign))
    answers = sorted(answer for run in judged.runs for answer in run.answers)
    unusable: set[str] = set()
    for answer in answers:
        if not is_usable_id(answer.q_id) and answer.q_id not in unusable:
            unusable.add(answer.q_id)
            findings.add(rules.ID_UNUSABLE, answer.line, found=answer.q_id)
    rows = JudgedRows(source, findings, judged.columns, answers)
    locate_rows([rows])
    return (None if findings.errors else rows), [findings]


def locate_rows(files: Iterable[JudgedRows]) -> None:
    """Complete the findings about rows with their columns, and the line quoted."""
    for file in files:
        locate_cells(file.source, file.findings, file.columns, _COLUMN)
