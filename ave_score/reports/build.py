"""How a collection was built: the answers that each step removed, and those that are left."""

from __future__ import annotations

from collections.abc import Iterator

from ave_score.core.exact import fixed, ratio
from ave_score.core.judgements import LETTERS
from ave_score.core.model import Label
from ave_score.core.text import quantity
from ave_score.reports.data import (
    COUNT,
    POSITIVE,
    Reporter,
    ResultDocument,
    between,
    entry,
    list_of,
    one_of,
)
from ave_score.reports.report import Column, ReportTable, name_column, table_of
from ave_score.tasks.build_passages import stop_words_for
from ave_score.tasks.built import Built, Step

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

_STEP = {
    "step": one_of(*Step)("What the step removes."),
    "less": COUNT("Answers that it removed."),
    "left": COUNT("Answers that are left."),
}

_OF_LABELS = {label.name.lower(): COUNT(f"Answers labelled {label.name}.") for label in _LABELS}

DOCUMENT = ResultDocument(
    "build",
    "Built collections",
    "How a collection was built: `ave-score build -f json`. CSV has a row for each step.",
    {
        "letters": one_of(*LETTERS)("The meaning of judgements.", "settings.letters"),
        "max_text": POSITIVE("The maximum length of a text, in characters.", "settings.max_text"),
        "available": COUNT("Judged answers before the first step."),
        "steps": list_of(entry(_STEP))("The steps that remove answers, in order.", "losses"),
        "left": COUNT("Answers in the collection."),
        "percent_of_available": between(0, 100).or_null.with_integers(
            "`left` in per cent of `available`; null if that is 0.",
            lambda built, _: ratio(100 * built.left, built.available),
        ),
        "labels": entry(_OF_LABELS)(
            "The labels of these answers.",
            lambda built, _: {label.name.lower(): built.labels[label] for label in _LABELS},
        ),
        "questions": COUNT("Questions in the collection.", lambda built, _: len(built.questions)),
        "questions_without_answers": COUNT(
            "Questions that are left out because they have no answers.", "unanswered"
        ),
        "later_questions_of_topics": COUNT(
            "Questions that are left out because they are not the first of their topic.", "later"
        ),
        "judged_differently": COUNT(
            "Answers with conflicting judgements, which are labelled UNKNOWN.", "differing"
        ),
    },
)


def _tables(built: Built, _digits: int) -> list[ReportTable]:
    steps = {step: text.format(max_text=built.settings.max_text) for step, text in _STEPS.items()}
    columns = [
        name_column("Step", lambda loss: steps[loss.step] if loss else "judged answers available"),
        Column("Removed", lambda loss: f"{loss.less:,}" if loss else ""),
        Column("Left", lambda loss: f"{loss.left if loss else built.available:,}"),
    ]
    return [table_of("", columns, [None, *built.losses], notes=[*_summary(built)])]


def _summary(built: Built) -> Iterator[str]:
    share = ratio(100 * built.left, built.available)
    percent = "n/a" if share is None else f"{fixed(share, 2)} %"
    labels = ", ".join(f"{built.labels[label]:,} {label.name.lower()}" for label in _LABELS)
    answers = quantity(built.available, "answer")
    letters = f"letters of {built.settings.letters}"
    yield f"{built.left:,} of {answers} left ({percent}): {labels} ({letters})."
    questions = quantity(len(built.questions), "question")
    later = f", {built.later:,} not the first of their topic" if built.later else ""
    yield f"{questions}; excluded: {built.unanswered:,} without answers{later}."
    asked = [] if built.settings.extraction is None else [one.question for one in built.questions]
    if others := sorted({one.lang for one in asked if one.lang and not stop_words_for(one)}):
        yield f"Function words of {', '.join(others)} are not known: texts are chosen by all words."
    if built.differing:
        differing = quantity(built.differing, "answer")
        yield f"{differing} with conflicting judgements, labelled UNKNOWN."


build_report = Reporter(
    DOCUMENT, _tables, lambda built, _: DOCUMENT.records(built, "steps", [*_STEP])
)
