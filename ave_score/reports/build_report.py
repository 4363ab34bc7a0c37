"""How a collection was built: what each step took away, and what is left."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.building.build import Built, Loss, Step
from ave_score.exact import fixed, ratio, to_number
from ave_score.model import Label
from ave_score.reports.report import Records, Report, ReportTable
from ave_score.text import counted

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


def build_report(built: Built) -> Report:
    """Return what each step took away and what is left, for any renderer."""
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
    return ReportTable("", ("Step", "Less", "Left"), rows, "lrr", notes=list(_summary(built)))


def _summary(built: Built) -> Iterator[str]:
    share = ratio(100 * built.left, built.available)
    percent = "n/a" if share is None else f"{fixed(share, 2)} %"
    labels = ", ".join(f"{built.labels[one]:,} {one.name.lower()}" for one in _LABELS)
    answers = counted(built.available, "answer")
    campaign = f"by campaign {built.settings.campaign}"
    yield f"{built.left:,} of {answers} left ({percent}): {labels} ({campaign})."
    questions = counted(len(built.questions), "question")
    later = f", {built.later:,} behind another of the topic" if built.later else ""
    yield f"{questions}; left out: {built.unanswered:,} without an answer{later}."
    if built.differing:
        yield f"{counted(built.differing, 'answer')} judged differently, labelled UNKNOWN."


def _document(built: Built) -> dict[str, object]:
    return {
        "campaign": built.settings.campaign,
        "max_text": built.settings.max_text,
        "available": built.available,
        "steps": [one._asdict() for one in built.losses],
        "left": built.left,
        "percent_of_available": to_number(ratio(100 * built.left, built.available)),
        "labels": {one.name.lower(): built.labels[one] for one in _LABELS},
        "questions": len(built.questions),
        "questions_without_answers": built.unanswered,
        "later_questions_of_topics": built.later,
        "judged_differently": built.differing,
    }
