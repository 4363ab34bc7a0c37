"""From a file to the questions of a collection."""

from __future__ import annotations

from ave_score.files.questions import Question, read_questions
from ave_score.files.source import Source
from ave_score.findings import Findings


def check_questions(
    source: Source, *, needs_hypotheses: bool = False
) -> tuple[dict[str, Question] | None, list[Findings]]:
    """Read q_id -> question; None, with findings, where a row is unreadable."""
    findings = Findings(source.path)
    questions = read_questions(source, findings, needs_hypotheses=needs_hypotheses)
    return (None if findings.errors else questions), [findings]
