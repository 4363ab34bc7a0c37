"""A measure of a QA system at every threshold: answers below it are withheld."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby

from ave_score.core.epochs import judged_of
from ave_score.core.errors import UsageError
from ave_score.core.model import JudgedAnswer
from ave_score.core.parts import given_answers
from ave_score.counts import Counts
from ave_score.counts.counted import NO_CANDIDATES
from ave_score.counts.judged import JudgedSystem, SystemOutcome, shares
from ave_score.inference.sweep import Sweep, SweepPoint, decided_at
from ave_score.measures import Measure


def sweep_system(judged: JudgedSystem, measure: Measure) -> Sweep:
    """Compute a measure for a QA system at every threshold of its confidences.

    Raises
    ------
    UsageError
        The measure does not apply to QA systems, or needs candidates, and the collection has none;
        an answer has no confidence.
    """
    count = _counter(judged, measure)

    def value(outcomes: Counter[tuple[SystemOutcome, ...]]) -> Counts:
        return measure.family.added(count, shares(outcomes))

    points = [
        SweepPoint(threshold, accepted, measure(value(outcomes)))
        for threshold, accepted, outcomes in _steps(judged)
    ]
    return Sweep(judged.system.name, measure(value(Counter(judged.outcomes))), points)


def _counter(judged: JudgedSystem, measure: Measure) -> Callable[[SystemOutcome], Counts]:
    """Return the counter of a measure; raises `UsageError` if it does not apply."""
    family, why = measure.family, ""
    if family.of_outcome is None:
        why = family.why_no_system
    elif family.needs_candidates and not judged.collection.standard.has_candidates:
        why = NO_CANDIDATES
    if why or family.of_outcome is None:
        raise UsageError(f"cannot sweep by {measure.key}: {why}")
    return family.of_outcome


def _steps(
    judged: JudgedSystem,
) -> Iterator[tuple[float | None, int, Counter[tuple[SystemOutcome, ...]]]]:
    """Yield thresholds in descending order, the number of given answers, and all outcomes.

    Only the questions that change are judged again.
    """
    system, number_of = judged.system, judged.collection.index.question_number
    given = sorted(given_answers(system), key=lambda row: -row[1])
    now: list[list[JudgedAnswer]] = [[] for _ in number_of]
    places: list[tuple[int, int]] = []  # of each answer: its question, and its place there
    for answer in decided_at(system, None).answers:
        number = number_of[answer.q_id]
        places.append((number, len(now[number])))
        now[number].append(answer)
    by_question = [
        judged.outcomes_of(n, judged_of(answer) or [None]) for n, answer in enumerate(now)
    ]
    outcomes, accepted = Counter(by_question), 0
    yield None, accepted, outcomes
    for threshold, group in groupby(given, key=lambda row: row[1]):
        changed: dict[int, None] = {}
        for position, _ in group:
            number, place = places[position]
            now[number][place] = system.answers[position]
            changed[number] = None
            accepted += 1
        for number in changed:
            outcomes[by_question[number]] -= 1
            by_question[number] = judged.outcomes_of(number, judged_of(now[number]) or [None])
            outcomes[by_question[number]] += 1
        yield threshold, accepted, outcomes
