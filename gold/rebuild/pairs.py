"""Makes a collection of pairs: does the text say what the hypothesis says?

The hypothesis is the question turned into a sentence with an answer in it. A pair is YES if the
text shows the answer to be right, NO if the answer is wrong or the text does not show it, and
UNKNOWN if the answer is a piece of the right one.
"""

from dataclasses import dataclass

from .chance import Chance, DeadEnd
from .phrases import Phrasebook, Topic
from .published import CollectionSummary, Published
from .texts import Worded, passages

YES, NO, UNKNOWN = "YES", "NO", "UNKNOWN"
VALUES = {"R": YES, "W": NO, "U": NO, "X": UNKNOWN}

ANSWERABLE = 0.75  # how many questions have YES pairs
UNSUPPORTED = 0.1  # how many NO pairs have a right answer with a text that does not show it
MOST = 12  # pairs of one value and question: there are only so many wordings


@dataclass(frozen=True, slots=True)
class Pair:
    """A text, and a hypothesis that was made of a question and an answer."""

    id: str
    value: str
    question: str
    text: str
    doc: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class PairCollection:
    """Reconstructed pairs beside the published figures that they answer to."""

    published: Published
    pairs: tuple[Pair, ...]


def build_pairs(published: Published) -> PairCollection:
    """Return pairs with the published numbers of values, those of a question together."""
    facts = published.facts
    book = Phrasebook(facts.lang, *published.edition.words)
    chance, topics = Chance(facts.name, "pairs"), book.topics()
    drawn = [
        (judgement, topic, worded)
        for topic, judgements in zip(topics, _hand_out(facts, len(topics), chance), strict=True)
        for judgement, worded in _word(book, topic, judgements)
    ]
    pairs = (
        Pair(
            id=str(number),
            value=VALUES[judgement],
            question=book.question(topic),
            text=worded.text,
            doc=worded.doc,
            hypothesis=_hypothesis(book, topic, worded),
        )
        for number, (judgement, topic, worded) in enumerate(drawn, start=1)
    )
    return PairCollection(published, tuple(pairs))


def _hand_out(facts: CollectionSummary, questions: int, chance: Chance) -> list[list[str]]:
    """Return the judgements (R, W, U or X) of the pairs of every question, in a drawn order."""
    answerable = [chance.happens(ANSWERABLE) for _ in range(questions)]
    wrong = ["U" if chance.happens(UNSUPPORTED) else "W" for _ in range(facts.rejected)]
    judged: list[list[str]] = [[] for _ in range(questions)]
    for judgement in ["R"] * facts.validated + wrong + ["X"] * facts.unknown:
        room = [
            judgements
            for judgements, some_right in zip(judged, answerable, strict=True)
            if (some_right or judgement != "R")
            and (judgement == "W" or judgements.count(judgement) < MOST)
        ]
        chance.pick(room).append(judgement)
    return [chance.order(judgements) for judgements in judged]


def _word(book: Phrasebook, topic: Topic, judgements: list[str]) -> list[tuple[str, Worded]]:
    supply = {judgement: passages(book, topic, judgement) for judgement in VALUES}
    worded = [(judgement, next(supply[judgement], None)) for judgement in judgements]
    found = [(judgement, words) for judgement, words in worded if words is not None]
    if len(found) < len(judgements):
        raise DeadEnd(f"phrases/{book.lang}.toml: {topic.kind.id} has too few passages")
    return found


def _hypothesis(book: Phrasebook, topic: Topic, worded: Worded) -> str:
    """Return the first sentence about the subject and the answer that is not the text itself."""
    sentences = book.statements(topic, worded.answer)
    return next(sentence for sentence in sentences if sentence not in worded.text)
