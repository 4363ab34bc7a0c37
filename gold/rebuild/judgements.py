"""Says which QA system gave which answer of a collection, and how it was judged.

Every system gave one answer, or NIL, to every question. In a sourced collection every answer
was given by at least one of the systems; in the others some come from systems not listed. The
published accuracy of a system fixes how many of its answers were right; which ones is a matter
of filling a table of systems x questions with given sums of rows and columns, as in the theorem
of Gale and Ryser.
"""

from dataclasses import dataclass
from functools import partial

from .chance import Chance, DeadEnd
from .figures import selected_right
from .published import Published
from .shapes import MOST_CORRECT, Shape

LABELS = {"R": "VALIDATED", "W": "REJECTED", "U": "REJECTED", "X": "UNKNOWN"}
NIL = None

REPEATS = 0.5  # how often a system without an answer of its own repeats another's, not NIL
UNSUPPORTED = 0.12  # how many questions have a right answer with a text that does not show it


@dataclass(frozen=True, slots=True)
class Judged:
    """The judged answers of one question.

    ``judgements`` has a letter (R, W, U or X) for each answer; in a sourced collection in the
    order in which the systems, taken as published, first gave them. ``given`` has for each
    system the position of its answer, or None for NIL.
    """

    judgements: tuple[str, ...]
    given: tuple[int | None, ...]


def judge(shapes: list[Shape], published: Published, attempt: int) -> list[Judged]:
    """Return the judged answers of every question."""
    chance = Chance(published.facts.name, "judgements", attempt)
    totals = [selected_right(row, published.facts) for row in published.systems]
    sourced = published.edition.sourced
    order = _in_order_of_appearance if sourced else partial(_in_any_order, chance)
    counts = (_right_counts if sourced else _free_right_counts)(shapes, totals, chance)
    givers = _right_givers(counts, totals, chance)
    judged = []
    for shape, right in zip(shapes, givers, strict=True):
        given = _hand_out(shape, right, len(totals), chance)
        letters = _letters(shape, chance)
        judged.append(order(letters, given))
    return judged


def _right_counts(shapes: list[Shape], totals: list[int], chance: Chance) -> list[int]:
    """Return how many systems answer each question rightly: enough, but not too many.

    A right answer needs a system, and so does each wrong one, which leaves the others.
    """
    limits = [len(totals) - s.rejected - s.unknown if s.correct else 0 for s in shapes]
    return _spread([shape.correct for shape in shapes], limits, totals, chance)


def _free_right_counts(shapes: list[Shape], totals: list[int], chance: Chance) -> list[int]:
    """Return the same where systems not listed gave answers as well.

    Then all systems may be right; that at least one of them is wherever an answer is correct
    leaves a system that is nearly always right its questions.
    """
    answerable = [1 if shape.correct else 0 for shape in shapes]
    least = answerable if sum(totals) >= sum(answerable) else [0] * len(shapes)
    return _spread(least, [len(totals) * some for some in answerable], totals, chance)


def _spread(counts: list[int], limits: list[int], totals: list[int], chance: Chance) -> list[int]:
    """Add to the counts by chance, within the limits, until all right answers have a place."""
    able = sum(1 for total in totals if total)
    for _ in range(sum(totals) - sum(counts)):
        room = [q for q, limit in enumerate(limits) if counts[q] < min(limit, able)]
        if not room:
            raise DeadEnd("the systems have more right answers than the questions have room for")
        counts[chance.pick(room)] += 1
    return counts


def _right_givers(counts: list[int], totals: list[int], chance: Chance) -> list[list[int]]:
    """Return the positions of the systems that answer each question rightly.

    Serving the questions that lack most systems first fails only if no table has these sums.
    """
    lacking = list(counts)
    givers: list[list[int]] = [[] for _ in counts]
    for system in sorted(range(len(totals)), key=lambda s: -totals[s]):
        questions = sorted(chance.order(range(len(counts))), key=lambda q: -lacking[q])
        for question in questions[: totals[system]]:
            givers[question].append(system)
            lacking[question] -= 1
    if any(lacking):
        raise DeadEnd("no table of right answers has these sums")
    return givers


def _hand_out(shape: Shape, right: list[int], systems: int, chance: Chance) -> list[int | None]:
    """Hand the answers of one question, correct ones first, to the systems."""
    places = range(shape.answers)
    correct, others = places[: shape.correct], places[shape.correct :]
    wrong = [system for system in range(systems) if system not in right]
    given: list[int | None] = [NIL] * systems
    for givers, answers, repeats in ((right, correct, 1.0), (wrong, others, REPEATS)):
        for turn, system in enumerate(chance.order(givers)):
            if turn < len(answers):
                given[system] = answers[turn]
            elif answers and chance.happens(repeats):
                given[system] = chance.pick(answers)
    return given


def _letters(shape: Shape, chance: Chance) -> list[str]:
    """Return a judgement an answer, right ones first.

    An unsupported answer is a right one with the wrong text, so it takes up a wording of the
    right answer, and an inexact one is a piece of it: a question never has both.
    """
    letters = ["R"] * shape.correct + ["W"] * shape.rejected + ["X"] * shape.unknown
    wordings_left = shape.correct < MOST_CORRECT and not shape.unknown
    if shape.rejected and wordings_left and chance.happens(UNSUPPORTED):
        letters[shape.correct] = "U"
    return letters


def _in_order_of_appearance(letters: list[str], given: list[int | None]) -> Judged:
    """Number the answers as a reader of the judged file meets them."""
    seen = list(dict.fromkeys(answer for answer in given if answer is not NIL))
    if len(seen) != len(letters):
        raise DeadEnd("an answer that no system gave")
    return Judged(
        judgements=tuple(letters[answer] for answer in seen),
        given=tuple(NIL if answer is NIL else seen.index(answer) for answer in given),
    )


def _in_any_order(chance: Chance, letters: list[str], given: list[int | None]) -> Judged:
    """Number the answers by chance: a reader of the judged file does not meet all of them."""
    order = chance.order(range(len(letters)))
    return Judged(
        judgements=tuple(letters[answer] for answer in order),
        given=tuple(NIL if answer is NIL else order.index(answer) for answer in given),
    )
