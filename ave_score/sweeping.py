"""What if a run had validated everything above a threshold? Its decisions, at any of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ave_score.counting.added import ADDED_UP
from ave_score.counting.confidence import has_confidences
from ave_score.counting.joined import cells, one_question, whole
from ave_score.counts import Counts, Family
from ave_score.errors import UsageError
from ave_score.measures import Measure
from ave_score.model import Collection, Label, Run, Verdict


class Point(NamedTuple):
    """A threshold and what the measure is there; None is one that no answer reaches."""

    threshold: float | None
    accepted: int
    value: Fraction | None


class Sweep(NamedTuple):
    """A run at every threshold that makes a difference, the highest first.

    `submitted` is what the measure is for the decisions that the run itself made.
    """

    run: str
    submitted: Fraction | None
    points: Sequence[Point]

    def best(self, measure: Measure) -> Point:
        """Return the best point; of several, that which accepts the fewest answers."""
        return min(self.points, key=lambda point: measure.standing(point.value))


def decided_at(run: Run, threshold: float) -> Run:
    """Return a run with other decisions: answers of at least this confidence are accepted.

    Of each question the accepted answer of the highest confidence is SELECTED, the first of
    several, and the others are VALIDATED; pairs are only validated. What the run said is forgotten.

    Raises `UsageError` where the run gives no confidences.
    """
    _check_confidences(run)
    accepted = bytes(
        Verdict.VALIDATED if confidence >= threshold else Verdict.REJECTED
        for confidence in run.confidences
    )
    verdicts = bytearray(accepted)
    for span in run.roster.spans:
        places = range(span.start, span.stop)
        best = max(places, key=run.confidences.__getitem__, default=None)
        if best is not None and accepted[best] == Verdict.VALIDATED:
            verdicts[best] = Verdict.SELECTED
    return Run(
        run.name, run.path, run.roster, bytes(verdicts), run.confidences, run.lines, run.missing
    )


def check_sweepable(measure: Measure) -> None:
    """Raise `UsageError` for a measure that is not computed from decisions alone."""
    if measure.family not in ADDED_UP:
        raise UsageError(
            f"cannot sweep by {measure.key}: thresholds decide, and it looks at more than decisions"
        )


def sweep(run: Run, collection: Collection, measure: Measure) -> Sweep:
    """Compute a measure for a run at every threshold.

    Raises
    ------
    UsageError
        The measure is not computed from decisions alone, or does not apply to the collection; the
        run gives no confidences.
    """
    check_sweepable(measure)
    _check_confidences(run)
    if run.roster.is_pairs and measure.family is not Family.VALIDATION:
        raise UsageError(f"cannot sweep by {measure.key}: pairs belong to no question")
    count = ADDED_UP[measure.family]
    submitted = measure(count(whole(run, collection)))
    points = [
        Point(threshold, accepted, measure(counts))
        for threshold, accepted, counts in _steps(run, collection, measure.family)
    ]
    return Sweep(run.name, submitted, points)


Step = tuple[float | None, int, Counts]
"""A threshold, the number of answers that reach it, and what is counted there."""


def _steps(run: Run, collection: Collection, family: Family) -> Iterator[Step]:
    """Yield every threshold from the highest on; only the questions that change are counted."""
    questions = _questions(collection)
    question_of = [number for number, one in enumerate(questions) for _ in range(one.size)]
    now = decided_at(run, math.inf)
    all_cells = bytearray(cells(now, collection))

    def count(number: int) -> Counts:
        span, answerable, share = questions[number]
        return ADDED_UP[family](one_question(bytes(all_cells[span]), answerable, share))

    by_question = [count(number) for number in range(len(questions))]
    total, accepted = ADDED_UP[family](whole(now, collection)), 0
    yield None, accepted, total
    selected: set[int] = set()
    for threshold, places in _ranked(run):
        changed = dict.fromkeys(question_of[place] for place in places)
        for place in places:
            number = question_of[place]
            is_best = not run.roster.is_pairs and number not in selected
            selected.add(number)
            verdict = Verdict.SELECTED if is_best else Verdict.VALIDATED
            all_cells[place] = 8 * verdict + collection.label_cells[place]
        for number in changed:
            before, by_question[number] = by_question[number], count(number)
            total = total + by_question[number] - before
        accepted += len(places)
        yield threshold, accepted, total


class _Question(NamedTuple):
    """Where the answers of a question stand, whether one is correct, and what share of them."""

    span: slice
    answerable: bool
    share: Fraction

    @property
    def size(self) -> int:
        return int(self.span.stop - self.span.start)


def _questions(collection: Collection) -> list[_Question]:
    """Return the questions; of pairs each is one."""
    roster = collection.roster
    if roster.is_pairs:
        return [_Question(slice(at, at + 1), False, Fraction(0)) for at in range(len(roster))]
    return [
        _Question(span, answerable, _share(collection.labels[span]))
        for span, answerable in zip(roster.spans, collection.answerable, strict=True)
    ]


def _share(labels: bytes) -> Fraction:
    return Fraction(labels.count(Label.VALIDATED), max(1, len(labels)))


def _ranked(run: Run) -> Iterator[tuple[float, list[int]]]:
    """Yield the confidences, the highest first, with the places of their answers in file order."""
    confidences = run.confidences
    ranked = sorted(range(len(confidences)), key=confidences.__getitem__, reverse=True)
    for confidence, places in groupby(ranked, key=confidences.__getitem__):
        yield confidence, list(places)


def _check_confidences(run: Run) -> None:
    if not has_confidences(run):
        raise UsageError(f"run {run.name!r} gives no confidences, so that no threshold parts them")
