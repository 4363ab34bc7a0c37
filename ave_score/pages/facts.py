"""What a page says beside its figures: what was scored, and how, and what its columns mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ave_score.core.choices import MISSING_CHOICES, TIES_CHOICES, UNKNOWN_CHOICES
from ave_score.core.epochs import EPOCHS_CHOICES
from ave_score.core.errors import for_pages
from ave_score.core.judgements import LETTERS
from ave_score.core.policies import Policies
from ave_score.core.text import brief, quantities, visible
from ave_score.counts.counted import Kind
from ave_score.measures import Measure
from ave_score.pages.audience import Audience
from ave_score.pages.results import Results
from ave_score.reports.measure_text import facts, summary
from ave_score.tasks.scores import Scores


class Explained(NamedTuple):
    """A measure, a sentence about it, and the facts of its record."""

    measure: Measure
    summary: str
    facts: Sequence[tuple[str, str]]


def facts_of(known: Results, audience: Audience) -> Iterator[tuple[str, str]]:
    """Yield what was scored, and how."""
    scores, collection, policies = known.scores, known.scores.collection, known.scores.policies
    standard = collection.standard
    yield standard.heading, Path(collection.path).name
    if collection.languages:
        yield "Languages", ", ".join(collection.languages)
    notes = " ".join(map(for_pages, map(visible, collection.notes)))
    if standard.is_told_by_notes:
        yield "Questions", notes
    elif collection.questions:
        correct = f", {collection.questions_with_correct:,} with a correct answer"
        number = f"{collection.questions:,}{scores.epochs}"
        more = f". {notes}" * bool(notes)
        yield "Questions", f"{number}{correct * bool(collection.answers)}{more}"
    if collection.answers:
        labels = {
            "correct": collection.validated,
            "not correct": collection.rejected,
            "unknown": collection.unknown,
        }
        named = ", ".join(f"{number:,} {word}" for word, number in labels.items() if number)
        yield f"{standard.noun.capitalize()}s", f"{collection.answers:,}: {named}"
    rows = [row for row in scores.rows if row.kind.is_submitted]
    systems = known.systems
    if systems is None:
        systems = sum(row.kind is Kind.QA for row in rows)
    yield "Scored", quantities({"run": len(rows) - systems, "QA system": systems}) or "nothing"
    if audience.team is not None and any(row.team != audience.team for row in rows):
        yield "Other teams", "anonymous; their runs are numbered, the best first"
    if scores.not_scored:
        where = " (see Findings)" * any(file.is_refused for file in known.files)
        yield "Not scored", f"{brief(scores.not_scored)}{where}"
    yield from _policies(known, policies)


def _policies(known: Results, policies: Policies) -> Iterator[tuple[str, str]]:
    """Yield the choices that change figures, in words."""
    scores = known.scores
    if _has_letters(scores):
        yield "Judgements", f"{policies.letters}: {LETTERS[policies.letters].help}"
    missing = MISSING_CHOICES[policies.missing]
    if not missing.is_refused:
        yield "Missing answers", missing.help
    if scores.collection.unknown:
        yield "UNKNOWN labels", UNKNOWN_CHOICES[policies.unknown].help
    if any(measure.is_ranked for measure in scores.measures):
        standard = scores.collection.standard
        yield (
            f"Equal {standard.ordering}",
            f"ranked {TIES_CHOICES[policies.ties].rule_of(standard)}",
        )
    epochs = EPOCHS_CHOICES[policies.epochs]
    if scores.epochs or epochs.pick or epochs.makes_systems:
        yield "Epochs", epochs.help
    if policies.threshold is not None:
        decided = f"answers with a confidence of at least {policies.threshold:g}"
        kinds = {row.kind for row in scores.rows}
        beside = "; QA systems withhold the others" * (Kind.QA in kinds)
        of_systems = f"QA systems give {decided}, and withhold the others"
        is_of_runs = any(kind.is_run for kind in kinds)
        yield "Threshold", f"runs validate {decided}{beside}" if is_of_runs else of_systems
    if policies.intervals is not None:
        yield "Intervals", f"{policies.intervals.level:g} % confidence, in brackets"


def explained(scores: Scores, measures: Sequence[Measure]) -> Iterator[Explained]:
    """Yield what columns mean, without names of groups; about UNKNOWN only where it may be."""
    left_out = {"Groups", *["UNKNOWN"] * (not (scores.collection.unknown or _has_letters(scores)))}
    for measure in measures:
        told = [(head, for_pages(text)) for head, text in facts(measure) if head not in left_out]
        yield Explained(measure, summary(measure), told)


def _has_letters(scores: Scores) -> bool:
    """Tell whether letters of assessors decide on figures."""
    unsigned = scores.collection.standard.unsigned
    has_systems = any(row.kind is Kind.QA for row in scores.rows)
    return has_systems and Policies.letters.name not in unsigned
