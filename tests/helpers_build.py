"""Helpers for tests of `ave-score build`: building from texts in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ave_score.core.findings import Findings
from ave_score.files.collection_writer import xml_lines
from ave_score.files.judged import check_rows, locate_rows
from ave_score.files.questions import check_questions
from ave_score.files.source import Source
from ave_score.reports.build import build_report
from ave_score.reports.formats import render
from ave_score.reports.style import TextStyle
from ave_score.tasks.build import BuildSettings, Built, build_collection
from ave_score.tasks.build_passages import Extraction

COLUMNS = ("q_id", "run", "judgement", "a_id", "answer", "text", "doc")

Row = tuple[str, ...]


def table(rows: Iterable[Row], columns: Sequence[str] = COLUMNS) -> str:
    """Return a tab-separated table with its header."""
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))


def built_of(
    *judged: str,
    questions: str | None = None,
    campaign: str = "qa-clef",
    max_text: int = 700,
    extraction: Extraction | None = None,
) -> tuple[Built, list[Findings]]:
    """Build a collection of judged files at hand, all of which must be readable."""
    files, found = [], []
    for number, text in enumerate(judged, 1):
        rows, (findings,) = check_rows(Source.holding(f"{number}.tsv", text.encode()), campaign)
        assert rows is not None, [*map(str, findings)]
        files.append(rows)
        found.append(findings)
    asked = None
    if questions is not None:
        asked, _ = check_questions(Source.holding("questions.tsv", questions.encode()))
        assert asked is not None
    built = build_collection(files, asked, BuildSettings(campaign, max_text, "", extraction))
    locate_rows(files)
    return built, found


def losses(built: Built) -> dict[str, int]:
    """Return how many answers each step took away, those that took none left out."""
    return {str(loss.step): loss.less for loss in built.losses if loss.less}


def answers(built: Built) -> dict[str, dict[str, tuple[str, str]]]:
    """Return q_id -> a_id -> answer and label, in their orders."""
    return {
        one.question.q_id: {
            answer.a_id: (answer.answer, answer.label.name) for answer in one.answers
        }
        for one in built.questions
    }


def written(built: Built) -> str:
    """Return all that is written of a collection: the XML, then the report."""
    return "".join(xml_lines(built.table(), Counter())) + reported(built, "table")


def reported(built: Built, format: str) -> str:
    """Return the report of what was left out."""
    return render(build_report(built), format, TextStyle(unicode=False))
