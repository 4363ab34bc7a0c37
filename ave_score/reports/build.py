"""How a collection was built: the answers that each step removed, and those that are left."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.core.exact import fixed, ratio, to_number
from ave_score.core.model import Label
from ave_score.core.text import counted
from ave_score.reports.report import Records, Report, ReportTable
from ave_score.tasks.build import Built, Loss, Step

SCHEMA = "ave-score/build/1"

_STEPS = {
    Step.OUTSIDE: "question not in the table",
    Step.NIL: "NIL",
    Step.VOID: "void",
    Step.TEXTLESS: "without a text",
    Step.DOCUMENT_MISSING: "document missing",
    Step.NOT_IN_DOCUMENT: "not in its document",
    Step.TOO_LONG: "text over {max_text:,} characters",
    Step.REPEATED: "repeated",
    Step.CONTAINED: "contained in another",
    Step.LATER: "later question of a topic",
}
_LABELS = (Label.VALIDATED, Label.REJECTED, Label.UNKNOWN)


def build_report(built: Built, _digits: int | None = None) -> Report:
    """Return the report of building a collection."""
    return Report(
        lambda: [_table(built)],
        lambda: _document(built),
        lambda: Records(Loss._fields, built.losses),
    )


def _table(built: Built) -> ReportTable:
    rows = [["judged answers available", "", f"{built.available:,}"]]
    for loss in built.losses:
        step = _STEPS[loss.step].format(max_text=built.settings.max_text)
        rows.append([step, f"{loss.less:,}", f"{loss.left:,}"])
    return ReportTable("", ("Step", "Removed", "Left"), rows, "lrr", notes=list(_summary(built)))


def _summary(built: Built) -> Iterator[str]:
    share = ratio(100 * built.left, built.available)
    percent = "n/a" if share is None else f"{fixed(share, 2)} %"
    labels = ", ".join(f"{built.labels[label]:,} {label.name.lower()}" for label in _LABELS)
    answers = counted(built.available, "answer")
    campaign = f"by campaign {built.settings.campaign}"
    yield f"{built.left:,} of {answers} left ({percent}): {labels} ({campaign})."
    questions = counted(len(built.questions), "question")
    later = f", {built.later:,} not the first of their topic" if built.later else ""
    yield f"{questions}; excluded: {built.unanswered:,} without answers{later}."
    if built.differing:
        yield f"{counted(built.differing, 'answer')} with conflicting judgements, labelled UNKNOWN."


def _document(built: Built) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "campaign": built.settings.campaign,
        "max_text": built.settings.max_text,
        "available": built.available,
        "steps": [loss._asdict() for loss in built.losses],
        "left": built.left,
        "percent_of_available": to_number(ratio(100 * built.left, built.available)),
        "labels": {label.name.lower(): built.labels[label] for label in _LABELS},
        "questions": len(built.questions),
        "questions_without_answers": built.unanswered,
        "later_questions_of_topics": built.later,
        "judged_differently": built.differing,
    }
