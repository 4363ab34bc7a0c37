"""Finds the shape of a collection: how many answers of each label every question has.

The published counts fix the sums. The row of the random baseline fixes one thing more, the
sum over questions of correct answers / answers. The search hands out the answers by chance
and then moves rejected answers from question to question until that sum is right as well.
"""

from dataclasses import dataclass
from fractions import Fraction

from .chance import Chance, DeadEnd
from .figures import PERCENT, selection_fits
from .published import CollectionSummary, Published

RANDOM_BASELINE = "Random"
MOST_ANSWERS = 20  # of a question, where it is not the QA systems that set the limit
MOST_CORRECT = 3  # the phrases know three wordings of a right answer
MOVES = 50_000
# How far from its goal the share may stray during the search, in questions. A search that only
# ever went closer would get stuck: single moves change the share by steps of different sizes.
LEEWAY = Fraction(1, 6)


@dataclass(slots=True)
class Shape:
    """The number of answers of one question, by label."""

    correct: int
    rejected: int = 0
    unknown: int = 0

    @property
    def answers(self) -> int:
        """All answers of the question."""
        return self.correct + self.rejected + self.unknown

    @property
    def share(self) -> Fraction:
        """How likely an answer picked at random is correct."""
        return Fraction(self.correct, self.answers)


def find_shapes(published: Published, attempt: int) -> list[Shape]:
    """Return one shape a question, in the order of the collection."""
    chance = Chance(published.facts.name, "shapes", attempt)
    shapes = _draft(published, chance)
    if any(row.run == RANDOM_BASELINE for row in published.selection):
        _settle(shapes, published, chance)
    return chance.order(shapes)


def _draft(published: Published, chance: Chance) -> list[Shape]:
    """Hand out answers so that all sums are right; the random baseline is not yet."""
    facts, limit = published.facts, _limit(published)
    with_correct = facts.questions_with_correct or _likely_answerable(facts)
    answerable = [Shape(correct=1) for _ in range(with_correct)]
    hopeless = [Shape(correct=0) for _ in range(facts.questions - with_correct)]
    for _ in range(facts.validated - with_correct):
        chance.pick([s for s in answerable if s.correct < MOST_CORRECT]).correct += 1
    for place in range(facts.unknown):  # spread evenly: rarely more than one a question
        hopeless[place % len(hopeless)].unknown += 1
    left = facts.rejected
    for shape in hopeless:
        if not shape.answers:
            shape.rejected, left = 1, left - 1
    for _ in range(left):
        room = [s for s in answerable + hopeless if s.answers < limit]
        if not room:
            raise DeadEnd("more answers than the QA systems can have given")
        chance.pick(room).rejected += 1
    return answerable + hopeless


def _limit(published: Published) -> int:
    """Return how many answers a question can have."""
    return len(published.systems) if published.edition.sourced else MOST_ANSWERS


def _likely_answerable(facts: CollectionSummary) -> int:
    """Return a likely number of questions with a correct answer where none was printed.

    In the other collections there are about two for every three correct answers. The rest of
    the questions need an answer as well, which is not correct.
    """
    likely = min(facts.validated, facts.questions) * 2 // 3
    return max(likely, facts.questions - facts.rejected - facts.unknown)


def _settle(shapes: list[Shape], published: Published, chance: Chance) -> None:
    """Move rejected answers about until the random baseline comes out as printed."""
    facts, limit = published.facts, _limit(published)
    row = published.selection_row(RANDOM_BASELINE)
    goal = Fraction(row.percent_of_perfect) * facts.questions_with_correct / PERCENT
    share = sum((shape.share for shape in shapes), Fraction(0))
    for _ in range(MOVES):
        if selection_fits(share, row, facts):
            return
        giver, taker = chance.pick(shapes), chance.pick(shapes)
        if not giver.rejected or giver.answers == 1 or taker.answers == limit or giver is taker:
            continue
        before = giver.share + taker.share
        giver.rejected, taker.rejected = giver.rejected - 1, taker.rejected + 1
        moved = share + giver.share + taker.share - before
        if abs(moved - goal) <= max(abs(share - goal), LEEWAY):
            share = moved
        else:
            giver.rejected, taker.rejected = giver.rejected + 1, taker.rejected - 1
    raise DeadEnd("the random baseline did not come out")
