"""Questions by whether they were and could be answered: ROMIP's categories, NIL, and sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ave_score.counting.joined import VALIDATION_KIND, Part
from ave_score.counting.judged import WITHHELD, judged_outcomes
from ave_score.counts import CandidateSetCounts, CategoryCounts, NilCounts
from ave_score.model import Collection, JudgedAnswer, JudgedRun, Outcome
from ave_score.policies import Answering, Meaning


def accepted_answers(part: Part) -> Iterator[tuple[int, int, bool]]:
    """Yield of each question how many answers a run accepts and rightly, and if there was one.

    Answers labelled UNKNOWN are accepted, too, but not rightly.
    """
    kinds = part.cells.translate(VALIDATION_KIND)
    for span, answerable in zip(part.spans, part.answerable, strict=True):
        right, wrong, unknown = (kinds.count(kind, span.start, span.stop) for kind in (0, 1, 4))
        yield right + wrong + unknown, right, answerable


def count_categories(part: Part) -> CategoryCounts:
    """Count the questions of a run by category."""
    times: Counter[str] = Counter()
    for accepted, right, answerable in accepted_answers(part):
        if right:
            times["some_right"] += 1
        elif accepted:
            times["none_right_answerable" if answerable else "answered_unanswerable"] += 1
        else:
            times["unanswered_answerable" if answerable else "unanswered_unanswerable"] += 1
    return CategoryCounts(**times)


def count_candidate_sets(part: Part) -> CandidateSetCounts:
    """Sum what the accepted answers of each question are worth as an unranked set."""
    answerable, total = 0, Fraction(0)
    sizes = Counter(accepted_answers(part))
    for (accepted, right, has_correct), times in sizes.items():
        answerable += times * has_correct
        if right:
            total += times * Fraction(right + 1, accepted + 1)
    return CandidateSetCounts(answerable, total)


def count_judged_categories(
    system: JudgedRun, collection: Collection, table: dict[str, Meaning]
) -> CategoryCounts:
    """Count the questions of a QA system by category; an answer NIL is none.

    Where there are no candidates, a question has an answer if any system of the file found one,
    or was wrong in saying that there is none.
    """
    answerable = collection.answerable
    if not len(collection.roster):
        found = _judged(system.pool.answers, table, Answering.CORRECT)
        found |= _judged(system.pool.nil, table, Answering.INCORRECT)
        answerable = [q_id in found for q_id in collection.roster.questions]
    outcomes = judged_outcomes(system, collection, table)
    rows = zip(outcomes, answerable, strict=True)
    return CategoryCounts(**Counter(_category(*outcome, exists) for outcome, exists in rows))


def _category(answer: JudgedAnswer | None, outcome: Outcome, answerable: bool) -> str:
    is_right = outcome is Outcome.SELECTED_RIGHT
    if outcome in WITHHELD:
        return "unanswered_answerable" if answerable else "unanswered_unanswerable"
    if answer is not None and answer.is_nil:  # its judgement says whether there is an answer
        return "unanswered_unanswerable" if is_right else "unanswered_answerable"
    if is_right:
        return "some_right"
    return "none_right_answerable" if answerable else "answered_unanswerable"


def count_judged_nil(system: JudgedRun, table: dict[str, Meaning]) -> NilCounts:
    """Count the answers NIL of a QA system.

    The questions without an answer are those of which any system of its file said so rightly.
    """
    worths = [
        table[one.judgement].answering
        for one in system.answers
        if one.is_nil and one.answered is not False
    ]
    given = [worth for worth in worths if worth is not Answering.UNANSWERED]
    without = _judged(system.pool.nil, table, Answering.CORRECT)
    return NilCounts(len(without), len(given), given.count(Answering.CORRECT))


def _judged(
    judged: Iterable[tuple[str, str]], table: dict[str, Meaning], worth: Answering
) -> set[str]:
    """Return the questions of which something was judged to be worth this."""
    return {q_id for q_id, letter in judged if table[letter].answering is worth}


def count_nil(part: Part) -> NilCounts:
    """Count what a run says that accepts nothing where it finds no answer."""
    return NilCounts.of(count_categories(part))
