"""Makes the judged answers of runs that may leave questions unanswered.

An answer is a passage. Where it was published how many of the withheld candidates were right
and how many wrong, an unanswered question has its candidate; otherwise it has none.
"""

from dataclasses import dataclass
from itertools import islice

from .chance import Chance
from .editions import EDITIONS
from .phrases import Phrasebook, Topic
from .published import Answering, AnsweringRow
from .texts import Worded, passages

RIGHT, WRONG, UNANSWERED = "R", "W", "U"
CHOICE = 4  # passages of a judgement that the runs pick theirs from


@dataclass(frozen=True, slots=True)
class Response:
    """What a run gave for one question, and how it was judged: R, W, or U for nothing."""

    q_id: str
    judgement: str
    answered: bool
    passage: Worded | None


def answer(answering: Answering) -> list[list[Response]]:
    """Return the responses of every run, in the order of the questions.

    There are more questions than the phrases know; each comes again in turn.
    """
    book = Phrasebook(answering.lang, *EDITIONS[answering.edition].words)
    known = book.topics()
    topics = [known[number % len(known)] for number in range(answering.questions)]
    return [_respond(answering, row, book, topics) for row in answering.rows]


def _respond(
    answering: Answering, row: AnsweringRow, book: Phrasebook, topics: list[Topic]
) -> list[Response]:
    chance, shared = Chance(answering.name, row.run), Chance(answering.name, "difficulty")
    # What is hard for one run is often hard for another, hence half a draw for all runs.
    ease = [shared.below(1000) + chance.below(1000) for _ in topics]
    easiest_first = sorted(range(len(topics)), key=lambda place: -ease[place])
    hard = chance.order(easiest_first[row.correct :])
    outcomes = dict(zip([*easiest_first[: row.correct], *hard], _outcomes(row), strict=True))
    responses = []
    for place, topic in enumerate(topics):
        judgement, answered = outcomes[place]
        passage = None
        if judgement != UNANSWERED:
            passage = chance.pick(list(islice(passages(book, topic, judgement), CHOICE)))
        responses.append(Response(f"{place + 1:04}", judgement, answered, passage))
    return responses


def _outcomes(row: AnsweringRow) -> list[tuple[str, bool]]:
    """Return judgement and whether it was answered, right answers first."""
    right, wrong = row.candidates or (0, 0)
    return [
        *[(RIGHT, True)] * row.correct,
        *[(WRONG, True)] * row.incorrect,
        *[(RIGHT, False)] * right,
        *[(WRONG, False)] * wrong,
        *[(UNANSWERED, False)] * (row.unanswered - right - wrong),
    ]
