"""From printed figures back to the integer counts that give them.

The tables print ratios of small integers, rounded half up to two decimals. Trying every
integer finds the counts that a run must have had; a few rows leave a choice, and then the
counts whose exact scores lie closest to the printed ones are taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from .chance import DeadEnd
from .published import CollectionFacts, Published, SelectionRow, ValidationRow

DECIMALS = 2
PERCENT = 100


@dataclass(frozen=True, slots=True)
class Target:
    """What one run has to score, in counts of answers and questions."""

    run: str
    validated_correct: int
    validated_incorrect: int
    selected_right: int


def half_up(value: Fraction) -> Fraction:
    """Round an exact value to two decimals, halves up, as the tables were rounded."""
    scale = 10**DECIMALS
    return Fraction(floor(value * scale + Fraction(1, 2)), scale)


def rounds_to(value: Fraction, printed: str) -> bool:
    """Say whether an exact value is printed like this; ``0.5`` and ``0.50`` are the same."""
    return half_up(value) == Fraction(printed)


def validation_scores(correct: Fraction, incorrect: Fraction, all_correct: int) -> list[Fraction]:
    """Return exact F, precision and recall; precision of a run that validates nothing is 0.

    ``correct`` and ``incorrect`` count the validated answers, as fractions because the 50 %
    baseline is expected to validate half an answer; ``all_correct`` are those it should have.
    """
    validated = correct + incorrect
    precision = correct / validated if validated else Fraction(0)
    return [2 * correct / (validated + all_correct), precision, correct / all_correct]


def percent(part: int | Fraction, whole: int) -> Fraction:
    """Return the exact percentage."""
    return Fraction(part) * PERCENT / whole


def target(published: Published, run: str) -> Target:
    """Return the counts behind a run's rows in the validation and the selection table."""
    facts = published.facts
    correct, incorrect = validated_counts(published.validation_row(run), facts)
    return Target(run, correct, incorrect, selected_right(published.selection_row(run), facts))


def validated_counts(row: ValidationRow, facts: CollectionFacts) -> tuple[int, int]:
    """Return how many correct and how many incorrect answers the run validated."""
    printed = [row.f1, row.precision, row.recall]
    solutions = []
    for correct in range(facts.validated + 1):
        if not rounds_to(Fraction(correct, facts.validated), row.recall):
            continue
        for incorrect in range(facts.rejected + 1):
            scores = validation_scores(Fraction(correct), Fraction(incorrect), facts.validated)
            if all(map(rounds_to, scores, printed)):
                solutions.append((_distance(scores, printed), correct, incorrect))
    if not solutions:
        raise DeadEnd(f"no counts give the validation row of {row.run} in {facts.name}")
    _, correct, incorrect = min(solutions)
    return correct, incorrect


def selected_right(row: SelectionRow, facts: CollectionFacts) -> int:
    """Return for how many questions a run, or a QA system, gave a right answer."""
    solutions = [
        right
        for right in range(facts.questions_with_correct + 1)
        if selection_fits(Fraction(right), row, facts)
    ]
    if not solutions:
        raise DeadEnd(f"no count gives the selection row of {row.run} in {facts.name}")
    exact = Fraction(row.percent_of_perfect)
    return min(solutions, key=lambda n: abs(percent(n, facts.questions_with_correct) - exact))


def selection_fits(right: Fraction, row: SelectionRow, facts: CollectionFacts) -> bool:
    """Say whether this many right selections give both figures of a selection row."""
    return rounds_to(right / facts.questions, row.qa_accuracy) and rounds_to(
        percent(right, facts.questions_with_correct), row.percent_of_perfect
    )


def _distance(scores: Iterable[Fraction], printed: Iterable[str]) -> Fraction:
    gaps = [abs(s - Fraction(p)) for s, p in zip(scores, printed, strict=True)]
    return sum(gaps, Fraction(0))
