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
from .published import CollectionSummary, Published, SelectionRow, ValidationRow

DECIMALS = 2
PERCENT = 100


@dataclass(frozen=True, slots=True)
class Target:
    """What one run has to score, in counts of answers and questions.

    ``rejected_right`` counts the questions without a correct answer in which nothing is
    validated; None if nothing was published that depends on it.
    """

    run: str
    validated_correct: int
    validated_incorrect: int
    selected_right: int
    rejected_right: int | None


def half_up(value: Fraction, decimals: int = DECIMALS) -> Fraction:
    """Round an exact value, halves up, as the tables were rounded."""
    scale = 10**decimals
    return Fraction(_nearest(scale * value.numerator, value.denominator), scale)


def _nearest(part: int, whole: int) -> int:
    """Return the integer nearest to a ratio, halves up."""
    return (2 * part + whole) // (2 * whole)


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
    """Return the counts behind a run's rows in the validation and the selection table.

    Of several pairs of validated counts, those are preferred that need the fewest unknown
    answers to be validated, then the closest to the printed figures.
    """
    facts, row = published.facts, published.selection_row(run)
    right, rejected = _closest_selection(row, facts)
    ranked = [
        (_unknown_needed(correct, incorrect, right, rejected, facts), distance, correct, incorrect)
        for distance, correct, incorrect in _validated_counts(published.validation_row(run), facts)
    ]
    _, _, correct, incorrect = min(ranked)
    return Target(run, correct, incorrect, right, rejected)


def validated_counts(row: ValidationRow, facts: CollectionSummary) -> tuple[int, int]:
    """Return the correct and the incorrect answers that the run validated, at a best guess."""
    _, correct, incorrect = min(_validated_counts(row, facts))
    return correct, incorrect


def selected_right(row: SelectionRow, facts: CollectionSummary) -> int:
    """Return for how many questions a QA system, which rejects none, gave a right answer."""
    return _closest_selection(row, facts)[0]


def selection_fits(
    right: Fraction, row: SelectionRow, facts: CollectionSummary, rejected: int = 0
) -> bool:
    """Say whether so many right selections and rejections give every figure of a row."""
    accuracy, rejection = right / facts.questions, Fraction(rejected, facts.questions)
    figures = (
        (accuracy, row.qa_accuracy),
        (percent(right, facts.questions_with_correct), row.percent_of_perfect),
        (rejection, row.qa_rej_accuracy),
        (accuracy + rejection, row.qa_accuracy_max),
        (accuracy + rejection * accuracy, row.estimated_qa_performance),
    )
    return all(rounds_to(exact, printed) for exact, printed in figures if printed)


def available_answers(facts: CollectionSummary, systems: int) -> int | None:
    """Return how many answers there were before some were chosen, by the printed percentage.

    Of several numbers the first is taken in which every question, or every system, has as many
    answers as any other; if there is none, the smallest. None if no percentage was printed.
    """
    printed = facts.percent_of_available
    if not printed:
        return None
    about = floor(facts.answers * PERCENT / Fraction(printed))
    near = range(max(about - about // 20, facts.answers), about + about // 20)
    for decimals in (DECIMALS, len(printed.partition(".")[2])):  # 21.4 was printed for 21.43
        fitting = [
            number
            for number in near
            if half_up(percent(facts.answers, number), decimals) == Fraction(printed)
        ]
        for divisor in (facts.questions, systems or 1, 1):
            for number in fitting:
                if number % divisor == 0:
                    return number
    raise DeadEnd(f"no number of available answers gives the percentage of {facts.name}")


def _validated_counts(
    row: ValidationRow, facts: CollectionSummary
) -> list[tuple[Fraction, int, int]]:
    """Return all pairs of counts that fit, each after its distance from the printed figures."""
    printed = [row.f1, row.precision, row.recall]
    f1, precision = PERCENT * Fraction(row.f1), PERCENT * Fraction(row.precision)
    solutions = []
    for correct in range(facts.validated + 1):
        if not rounds_to(Fraction(correct, facts.validated), row.recall):
            continue
        for incorrect in range(facts.rejected + 1):
            validated = correct + incorrect
            if (  # of integers, as there are millions of pairs
                _nearest(PERCENT * correct, validated or 1) == precision
                and _nearest(2 * PERCENT * correct, validated + facts.validated) == f1
            ):
                scores = validation_scores(Fraction(correct), Fraction(incorrect), facts.validated)
                solutions.append((_distance(scores, printed), correct, incorrect))
    if not solutions:
        raise DeadEnd(f"no counts give the validation row of {row.run} in {facts.name}")
    return solutions


def _closest_selection(row: SelectionRow, facts: CollectionSummary) -> tuple[int, int | None]:
    """Return right selections and right rejections (None: not published) closest to a row."""
    rejections = range(facts.hopeless + 1) if row.qa_rej_accuracy else [None]
    solutions = [
        (right, rejected)
        for right in range(facts.questions_with_correct + 1)
        if rounds_to(percent(right, facts.questions_with_correct), row.percent_of_perfect)
        for rejected in rejections
        if selection_fits(Fraction(right), row, facts, rejected or 0)
    ]
    if not solutions:
        raise DeadEnd(f"no count gives the selection row of {row.run} in {facts.name}")

    def distance(solution: tuple[int, int | None]) -> tuple[Fraction, Fraction]:
        right, rejected = solution
        share = Fraction(rejected or 0, facts.questions)
        whole = facts.questions_with_correct
        return (
            abs(percent(right, whole) - Fraction(row.percent_of_perfect)),
            abs(share - Fraction(row.qa_rej_accuracy or 0)),
        )

    return min(solutions, key=distance)


def _unknown_needed(
    correct: int, incorrect: int, right: int, rejected: int | None, facts: CollectionSummary
) -> int:
    """Return how many questions must be answered by an unknown answer, at least.

    A question that is not rejected needs a validated answer. Incorrect ones serve for that,
    but not those that are selected where a correct answer is validated without being selected.
    """
    if rejected is None:
        return 0
    second = facts.validated - facts.questions_with_correct  # validated beside a selected one
    forced = max(0, correct - right - second)
    return max(0, facts.hopeless - rejected - (incorrect - forced))


def _distance(scores: Iterable[Fraction], printed: Iterable[str]) -> Fraction:
    gaps = [abs(s - Fraction(p)) for s, p in zip(scores, printed, strict=True)]
    return sum(gaps, Fraction(0))
