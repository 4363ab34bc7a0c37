"""Finds answers and supporting texts for the judgements of a question.

Right answers (R) are wordings of the fact that the question asks for. A wrong one (W) is the
same fact of another subject, or a value that played another part at the same subject, and its
text says so: texts never contradict each other. An unsupported answer (U) is a right one with
a text that does not show it, an inexact one (X) a piece of a right one. No answer of a
question is contained in another, so that none would be dropped as a repetition; two wordings of
the same wrong value are given only to a question with more answers than there are values.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .chance import Chance, DeadEnd
from .phrases import Phrasebook, Topic

LONGEST = 250  # characters of a text; a closing sentence is added only within this
TAILS = 0.4  # how many texts get a closing sentence
EARLY_RIVALS = 3  # other subjects that are tried together with the same subject's other values


@dataclass(frozen=True, slots=True)
class Worded:
    """An answer string with its supporting text and the id of the document of the text."""

    answer: str
    text: str
    doc: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An answer that may be taken; for a wrong one, all wordings of the value behind it."""

    answer: str
    text: str
    wordings: frozenset[str] = frozenset()


def word_answers(book: Phrasebook, topic: Topic, judgements: Sequence[str]) -> list[Worded]:
    """Return an answer for every judgement (R, W, U, X), in the same order."""
    supply = _supply(book, topic)
    taken: dict[int, _Candidate] = {}
    right = spent = frozenset(book.wordings(topic.kind, topic.position))
    for place in sorted(range(len(judgements)), key=lambda p: "RUXW".index(judgements[p])):
        candidates = supply[judgements[place]]
        choice = _first_apart(candidates, taken.values(), spent)
        choice = choice or _first_apart(candidates, taken.values(), right)
        if choice is None:
            raise DeadEnd(f"phrases/{book.lang}.toml: {topic.kind.id} has too few answers")
        taken[place], spent = choice, spent | choice.wordings
    return [_worded(book, taken[place]) for place in range(len(judgements))]


def passages(book: Phrasebook, topic: Topic, judgement: str) -> Iterator[Worded]:
    """Yield all different answers of one judgement that a question can have, with their texts.

    The first are those that ``word_answers`` chooses from; then the same texts come again with
    one closing sentence after the other, as other documents would have them.
    """
    right = frozenset(book.wordings(topic.kind, topic.position))
    candidates = [c for c in _supply(book, topic)[judgement] if right.isdisjoint(c.wordings)]
    seen: set[Worded] = set()
    for closing in ("", *book.tails):
        for candidate in candidates:
            worded = _closed(book, candidate, closing) if closing else _worded(book, candidate)
            if len(worded.text) <= LONGEST and worded not in seen:
                seen.add(worded)
                yield worded


def _supply(book: Phrasebook, topic: Topic) -> dict[str, list[_Candidate]]:
    """Return the candidates for every judgement, in a drawn order."""
    chance = Chance(*book.words, "answers", topic.kind.id, topic.position)
    return {
        "R": list(_right(book, topic, chance)),
        "U": list(_unsupported(book, topic, chance)),
        "X": list(_inexact(book, topic)),
        "W": list(_wrong(book, topic, chance)),
    }


def _first_apart(
    supply: Iterable[_Candidate], taken: Iterable[_Candidate], spent: frozenset[str]
) -> _Candidate | None:
    """Return the first candidate that nobody could take for one already taken, if there is one."""
    others = [candidate.answer.casefold() for candidate in taken]
    for candidate in supply:
        answer = candidate.answer.casefold()
        apart = not any(answer in other or other in answer for other in others)
        if apart and spent.isdisjoint(candidate.wordings):
            return candidate
    return None


def _right(book: Phrasebook, topic: Topic, chance: Chance) -> Iterator[_Candidate]:
    facts = book.supported(topic.kind, topic.position)
    yield from chance.order(_Candidate(answer, text) for answer, text in facts)


def _unsupported(book: Phrasebook, topic: Topic, chance: Chance) -> Iterator[_Candidate]:
    for answer in chance.order(book.wordings(topic.kind, topic.position)):
        yield _Candidate(answer, chance.pick(book.unsupported(topic)))


def _inexact(book: Phrasebook, topic: Topic) -> Iterator[_Candidate]:
    """Pieces of the right answer, with every text that has the whole of it."""
    texts = [text for _, text in book.supported(topic.kind, topic.position)]
    for answer in book.inexact(topic):
        yield from (_Candidate(answer, text) for text in texts if answer in text)


def _wrong(book: Phrasebook, topic: Topic, chance: Chance) -> Iterator[_Candidate]:
    """Facts of other subjects, and values with another part at the same subject."""
    positions = range(len(book.names(topic.kind)))
    rivals = [
        _rival(book, Topic(topic.kind, position), chance)
        for position in chance.order(p for p in positions if p != topic.position)
    ]
    early = chance.order(_beside(book, topic) + rivals[:EARLY_RIVALS])
    for group in early + rivals[EARLY_RIVALS:]:
        yield from group


def _rival(book: Phrasebook, other: Topic, chance: Chance) -> list[_Candidate]:
    wordings = frozenset(book.wordings(other.kind, other.position))
    facts = book.supported(other.kind, other.position)
    return chance.order(_Candidate(answer, text, wordings) for answer, text in facts)


def _beside(book: Phrasebook, topic: Topic) -> list[list[_Candidate]]:
    """Return values that belong to no fact, at positions beyond those of the subjects."""
    groups = []
    for turn, pattern in enumerate(topic.kind.beside, start=1):
        position = topic.position + turn * len(book.names(topic.kind))
        wordings = book.wordings(topic.kind, position)
        text = pattern.format(name=book.name(topic), value=wordings[0])
        groups.append([_Candidate(wordings[0], text, frozenset(wordings))])
    return groups


def _worded(book: Phrasebook, candidate: _Candidate) -> Worded:
    """Add a closing sentence to some texts, and the document; the text decides both."""
    chance = Chance(book.lang, "tail", candidate.text)
    closing = chance.pick(book.tails)
    longer = len(candidate.text) + 1 + len(closing)
    wanted = chance.happens(TAILS) and longer <= LONGEST
    return _closed(book, candidate, closing if wanted else "")


def _closed(book: Phrasebook, candidate: _Candidate, closing: str) -> Worded:
    text = f"{candidate.text} {closing}".rstrip()
    return Worded(candidate.answer, text, book.document(text))
