"""Says which QA system gave which answer of a collection, and how it was judged.

Every answer of a collection was given by at least one QA system, and every system gave one
answer, or NIL, to every question. The published accuracy of a system fixes how many of its
answers were right; which ones is a matter of filling a table of systems x questions with
given sums of rows and columns, as in the theorem of Gale and Ryser.
"""

from dataclasses import dataclass

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

    ``judgements`` has a letter (R, W, U or X) for each answer, in the order in which the
    systems, taken as published, first gave them. ``given`` has for each system the position
    of its answer, or None for NIL.
    """

    judgements: tuple[str, ...]
    given: tuple[int | None, ...]


def judge(shapes: list[Shape], published: Published, attempt: int) -> list[Judged]:
    """Return the judged answers of every question."""
    chance = Chance(published.facts.name, "judgements", attempt)
    totals = [selected_right(row, published.facts) for row in published.systems]
    givers = _right_givers(shapes, totals, chance)
    return [
        _judge(shape, right, len(totals), chance)
        for shape, right in zip(shapes, givers, strict=True)
    ]


def _right_counts(shapes: list[Shape], totals: list[int], chance: Chance) -> list[int]:
    """Return how many systems answer each question rightly: enough, but not too many.

    A right answer needs a system, and so does each wrong one, which leaves the others.
    """
    counts = [shape.correct for shape in shapes]
    limits = [len(totals) - s.rejected - s.unknown if s.correct else 0 for s in shapes]
    able = sum(1 for total in totals if total)
    for _ in range(sum(totals) - sum(counts)):
        room = [q for q, limit in enumerate(limits) if counts[q] < min(limit, able)]
        if not room:
            raise DeadEnd("the systems have more right answers than the questions have room for")
        counts[chance.pick(room)] += 1
    return counts


def _right_givers(shapes: list[Shape], totals: list[int], chance: Chance) -> list[list[int]]:
    """Return the positions of the systems that answer each question rightly.

    Serving the questions that lack most systems first fails only if no table has these sums.
    """
    lacking = _right_counts(shapes, totals, chance)
    givers: list[list[int]] = [[] for _ in shapes]
    for system in sorted(range(len(totals)), key=lambda s: -totals[s]):
        questions = sorted(chance.order(range(len(shapes))), key=lambda q: -lacking[q])
        for question in questions[: totals[system]]:
            givers[question].append(system)
            lacking[question] -= 1
    if any(lacking):
        raise DeadEnd("no table of right answers has these sums")
    return givers


def _judge(shape: Shape, right: list[int], systems: int, chance: Chance) -> Judged:
    """Hand the answers of one question to the systems."""
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
    return _in_order_of_appearance(_letters(shape, chance), given)


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
