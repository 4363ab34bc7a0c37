"""From a file to questions with their correct answers, or with nuggets."""

from __future__ import annotations

from ave_score.checks.located import locate
from ave_score.files.answer_sets import read_answer_sets
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.open_questions import OpenGold


def check_answer_sets(source: Source) -> tuple[OpenGold | None, list[Findings]]:
    """Read answer sets, JSON or XML; None, with findings, where they cannot be scored against."""
    findings = Findings(source.path)
    gold = read_answer_sets(source, findings)
    locate(source, findings, {})
    return (None if findings.errors else gold), [findings]
