"""From a file to the questions of a collection."""

from __future__ import annotations

from ave_score.findings import Findings
from ave_score.formats.questions import Question, read_questions
from ave_score.formats.source import Source


def check_questions(
    source: Source, *, needs_hypotheses: bool = False
) -> tuple[dict[str, Question] | None, list[Findings]]:
    """Read q_id -> question; None, with findings, where a row is unreadable."""
    findings = Findings(source.path)
    questions = read_questions(source, findings, needs_hypotheses=needs_hypotheses)
    return (None if findings.errors else questions), [findings]
