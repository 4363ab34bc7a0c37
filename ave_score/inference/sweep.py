"""Decisions of a run or a QA system at a confidence threshold, and a measure at all thresholds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, TypeVar, cast

from ave_score.core.errors import UsageError, check_type
from ave_score.core.model import Collection, QARun, Run, Verdict
from ave_score.core.parts import given_answers, mentioned
from ave_score.counts import Counts
from ave_score.counts.base import counts_of
from ave_score.counts.confidence import has_confidences
from ave_score.counts.decisions import (
    Decisions,
    cells_of,
    decisions_of,
    decisions_of_cells,
)
from ave_score.measures import Measure


class SweepPoint(NamedTuple):
    """The value of a measure at a threshold; None is a threshold above all confidences."""

    threshold: float | None
    accepted: int
    value: Fraction | None


class Sweep(NamedTuple):
    """A run at every distinct threshold, in descending order.

    `submitted` is the value for the run's own decisions.
    """

    run: str
    submitted: Fraction | None
    points: Sequence[SweepPoint]

    def best(self, measure: Measure) -> SweepPoint:
        """Return the best point; among ties, the one that accepts the fewest answers."""
        return min(self.points, key=lambda point: measure.sort_key(point.value))

    def below(self, point: SweepPoint) -> float | None:
        """Return the highest confidence that is not accepted at a point; None if all are."""
        lower = (one.threshold for one in self.points if one.accepted > point.accepted)
        return next(lower, None)


Decidable = TypeVar("Decidable", bound=Run | QARun)


def decided_at(run: Decidable, threshold: float | None) -> Decidable:
    """Return a run that accepts the answers with at least this confidence; None: no answer.

    The most confident accepted answer to each question is SELECTED (the first among ties), the
    others are VALIDATED; pairs are only VALIDATED. The run's own decisions are ignored. A QA system
    withholds the answers below the threshold, beside those that it withheld itself.

    Parameters
    ----------
    run
        A run, or a QA system, with confidences.
    threshold
        The lowest confidence of an accepted answer; None: no answer is accepted.

    Returns
    -------
    Run or QARun
        The same run with other verdicts, or the same system with more answers withheld.

    Raises
    ------
    UsageError
        The run has no confidences, or the system has none for an answer that it gives.
    """
    check_type(run, Run, QARun)
    least = math.inf if threshold is None else threshold
    made = _decided_run(run, least) if isinstance(run, Run) else _withholding(run, least)
    return cast("Decidable", made)  # of the same type


def _withholding(system: QARun, threshold: float) -> QARun:
    """Return a system that withholds the answers below a threshold."""
    below = {number for number, answer in given_answers(system) if answer < threshold}
    answers = [
        answer._replace(answered=False) if number in below else answer
        for number, answer in enumerate(system.answers)
    ]
    return replace(system, answers=answers)


def _decided_run(run: Run, threshold: float) -> Run:
    """Return a run that accepts the answers from a threshold on; what is open stays open."""
    _check_confidences(run)
    accepted = bytes(
        Verdict.VALIDATED if confidence >= threshold else Verdict.REJECTED
        for confidence in run.confidences
    )
    if Verdict.OPEN in run.verdicts:
        pairs = zip(accepted, run.verdicts, strict=True)
        accepted = bytes(own if own == Verdict.OPEN else code for code, own in pairs)
    verdicts = bytearray(accepted)
    for span in run.index.spans:
        positions = range(span.start, span.stop)
        best = max(positions, key=run.confidences.__getitem__, default=None)
        if best is not None and accepted[best] == Verdict.VALIDATED:
            verdicts[best] = Verdict.SELECTED
    return replace(run, verdicts=bytes(verdicts))


def check_sweepable(measure: Measure) -> Callable[[Decisions], Counts]:
    """Return the counter of a measure; raises `UsageError` if it needs more than decisions."""
    if measure.family.of_decisions is None or measure.parts:
        raise UsageError(f"cannot sweep by {measure.key}: it depends on more than decisions")
    return measure.family.of_decisions


def threshold_curve(run: Run, collection: Collection, measure: Measure) -> Sweep:
    """Compute a measure for a run at every threshold.

    Raises
    ------
    UsageError
        The measure depends on more than decisions, or does not apply to the collection; the run
        has no confidences.
    """
    return sweep_together(run, collection, [measure])[0]


def sweep_together(run: Run, collection: Collection, measures: Sequence[Measure]) -> list[Sweep]:
    """Compute measures of one family for a run at every threshold, as `sweep`."""
    first = measures[0]
    check_sweepable(first)
    _check_confidences(run)
    collection = mentioned(run, collection)
    if not first.family.is_of(collection.standard):
        raise UsageError(f"cannot sweep by {first.key}: pairs have no questions")
    decided = Counter(decisions_of(run, collection))
    submitted = first.family.added(check_sweepable(first), decided)
    steps = [*_steps(run, collection, first)]
    return [
        Sweep(
            run.name,
            measure(submitted),
            [
                SweepPoint(threshold, accepted, measure(counts))
                for threshold, accepted, counts in steps
            ],
        )
        for measure in measures
    ]


Step = tuple[float | None, int, Counts]
"""A threshold, the number of accepted answers, and the counts."""


def _steps(run: Run, collection: Collection, measure: Measure) -> Iterator[Step]:
    """Yield thresholds in descending order, recounting only the questions that change."""
    count, spans = check_sweepable(measure), collection.index.unit_spans
    question_of = [
        number for number, span in enumerate(spans) for _ in range(span.start, span.stop)
    ]
    now = decided_at(run, None)
    cells = bytearray(cells_of(now, collection))
    by_question = decisions_of(now, collection)
    total, accepted = measure.family.added(count, Counter(by_question)), 0
    yield None, accepted, total
    selected, has_questions = set[int](), collection.standard.has_questions
    for threshold, positions in _ranked(run):
        changed = dict.fromkeys(question_of[position] for position in positions)
        for position in positions:
            number = question_of[position]
            is_best = has_questions and number not in selected
            selected.add(number)
            verdict = Verdict.SELECTED if is_best else Verdict.VALIDATED
            cells[position] = 8 * verdict + collection.labels[position]
        for number in changed:
            before, after = by_question[number], decisions_of_cells(bytes(cells[spans[number]]))
            by_question[number] = after
            total = total + counts_of(count, after) - counts_of(count, before)
        accepted += len(positions)
        yield threshold, accepted, total


def _ranked(run: Run) -> Iterator[tuple[float, list[int]]]:
    """Yield confidences in descending order, with the positions of their answers in file order."""
    confidences = run.confidences
    ranked = sorted(range(len(confidences)), key=confidences.__getitem__, reverse=True)
    for confidence, positions in groupby(ranked, key=confidences.__getitem__):
        yield confidence, list(positions)


def _check_confidences(run: Run) -> None:
    if not has_confidences(run):
        raise UsageError(f"run {run.name!r} has no confidences for a threshold")
