"""What if a run had validated everything above a threshold? Its decisions, at any of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import NamedTuple

from ave_score.counts import Counts
from ave_score.counts.confidence import has_confidences
from ave_score.counts.joined import JoinedAnswers, cells, join, one_question
from ave_score.errors import UsageError
from ave_score.measures import Measure
from ave_score.model import Collection, Run, Verdict


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
        return min(self.points, key=lambda point: measure.sort_key(point.value))


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
    for span in run.index.spans:
        places = range(span.start, span.stop)
        best = max(places, key=run.confidences.__getitem__, default=None)
        if best is not None and accepted[best] == Verdict.VALIDATED:
            verdicts[best] = Verdict.SELECTED
    return Run(
        run.name, run.path, run.index, bytes(verdicts), run.confidences, run.lines, run.missing
    )


def check_sweepable(measure: Measure) -> Callable[[JoinedAnswers], Counts]:
    """Return what counts decisions for a measure; raises `UsageError` where nothing does."""
    if measure.family.of_answers is None:
        raise UsageError(
            f"cannot sweep by {measure.key}: thresholds decide, and it looks at more than decisions"
        )
    return measure.family.of_answers


def sweep(run: Run, collection: Collection, measure: Measure) -> Sweep:
    """Compute a measure for a run at every threshold.

    Raises
    ------
    UsageError
        The measure is not computed from decisions alone, or does not apply to the collection; the
        run gives no confidences.
    """
    count = check_sweepable(measure)
    _check_confidences(run)
    if run.index.is_pairs and not measure.family.of_pairs:
        raise UsageError(f"cannot sweep by {measure.key}: pairs belong to no question")
    submitted = measure(count(join(run, collection)))
    points = [
        Point(threshold, accepted, measure(counts))
        for threshold, accepted, counts in _steps(run, collection, count)
    ]
    return Sweep(run.name, submitted, points)


Step = tuple[float | None, int, Counts]
"""A threshold, the number of answers that reach it, and what is counted there."""


def _steps(
    run: Run, collection: Collection, count: Callable[[JoinedAnswers], Counts]
) -> Iterator[Step]:
    """Yield every threshold from the highest on; only the questions that change are counted."""
    spans = _question_spans(collection)
    question_of = [
        number for number, span in enumerate(spans) for _ in range(span.start, span.stop)
    ]
    now = decided_at(run, math.inf)
    all_cells = bytearray(cells(now, collection))

    @cache
    def of_question(some_cells: bytes) -> Counts:
        return count(one_question(some_cells))

    by_question = [of_question(bytes(all_cells[span])) for span in spans]
    total, accepted = count(join(now, collection)), 0
    yield None, accepted, total
    selected: set[int] = set()
    for threshold, places in _ranked(run):
        changed = dict.fromkeys(question_of[place] for place in places)
        for place in places:
            number = question_of[place]
            is_best = not run.index.is_pairs and number not in selected
            selected.add(number)
            verdict = Verdict.SELECTED if is_best else Verdict.VALIDATED
            all_cells[place] = 8 * verdict + collection.label_cells[place]
        for number in changed:
            before, after = by_question[number], of_question(bytes(all_cells[spans[number]]))
            by_question[number] = after
            total = total + after - before
        accepted += len(places)
        yield threshold, accepted, total


def _question_spans(collection: Collection) -> list[slice]:
    """Return where the answers of each question stand; of pairs each is one."""
    index = collection.index
    if index.is_pairs:
        return [slice(place, place + 1) for place in range(len(index))]
    return index.spans


def _ranked(run: Run) -> Iterator[tuple[float, list[int]]]:
    """Yield the confidences, the highest first, with the places of their answers in file order."""
    confidences = run.confidences
    ranked = sorted(range(len(confidences)), key=confidences.__getitem__, reverse=True)
    for confidence, places in groupby(ranked, key=confidences.__getitem__):
        yield confidence, list(places)


def _check_confidences(run: Run) -> None:
    if not has_confidences(run):
        raise UsageError(f"run {run.name!r} gives no confidences, so that no threshold parts them")
