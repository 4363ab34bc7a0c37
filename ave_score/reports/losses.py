"""How a collection was built: what each step took away, and what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ave_score.building.built import Built, Step
from ave_score.exact import fixed, plain, ratio
from ave_score.model import Label
from ave_score.reports.grid import Grid
from ave_score.reports.look import Look
from ave_score.reports.markdown import grid_markdown
from ave_score.reports.terminal import grid_terminal
from ave_score.text import counted

_TOLD = {
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


def render_losses(built: Built, format_: str, width: int | None = None) -> str:
    """Return the table of losses and a summary, as `table`, `markdown` or `json`.

    A table takes no more than `width` columns; None: as many as it needs.
    """
    if format_ == "json":
        return _as_json(built)
    rows = [["judged answers available", "", f"{built.available:,}"]]
    for loss in built.losses:
        told = _TOLD[loss.step].format(max_text=built.settings.max_text)
        rows.append([told, f"{loss.less:,}", f"{loss.left:,}"])
    grid = Grid("", ("Step", "Less", "Left"), rows, "lrr", notes=list(_summary(built)))
    if format_ == "markdown":
        return grid_markdown(grid)
    return grid_terminal(grid, Look(width, lines=False))


def _summary(built: Built) -> Iterator[str]:
    """Yield what is left, in sentences."""
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


def _as_json(built: Built) -> str:
    document = {
        "campaign": built.settings.campaign,
        "max_text": built.settings.max_text,
        "available": built.available,
        "steps": [one._asdict() for one in built.losses],
        "left": built.left,
        "percent_of_available": plain(ratio(100 * built.left, built.available)),
        "labels": {one.name.lower(): built.labels[one] for one in _LABELS},
        "questions": len(built.questions),
        "questions_without_answers": built.unanswered,
        "later_questions_of_topics": built.later,
        "judged_differently": built.differing,
    }
    return json.dumps(document, indent=2) + "\n"
