"""Reads a phrase file: the small invented world that the questions of a language ask about.

A file ``phrases/<lang>.toml`` (explained in ``phrases/README.md``) describes bridges, ships,
museums and so on, and what can be asked about each. A *fact* is the true answer to one kind
of question about one subject; it can be worded in several ways.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .chance import Chance, DeadEnd

FOLDER = Path(__file__).parent / "phrases"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of question: what is asked about which class of subjects."""

    id: str
    subject: str
    value: str
    question: str
    support: tuple[str, ...]
    beside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """One question: a kind, and the position of its subject among the names of the class."""

    kind: Kind
    position: int


class Phrasebook:
    """The phrases of one language."""

    def __init__(self, lang: str, *words: str) -> None:
        """Read the phrase file of a language.

        Other words beside it lead to other questions about the same facts.
        """
        data = tomllib.loads((FOLDER / f"{lang}.toml").read_text(encoding="utf-8"))
        self.lang = lang
        self.words = (lang, *words)
        self.tails: list[str] = data["tails"]
        self._values: dict[str, Any] = data["values"]
        doc_parts = self._values["doc"]["parts"]
        self._doc_parts = {part: _options(options) for part, options in doc_parts.items()}
        self._subjects: dict[str, Any] = data["subjects"]
        self._kinds = [_kind(table) for table in data["kinds"]]
        self._orders = cache(self._draw_orders)

    def topics(self, count: int | None = None) -> list[Topic]:
        """Return different questions, kinds mixed: each kind once before any comes again.

        Without a count these are all that can be asked.
        """
        chance = Chance(*self.words, "topics")
        positions = {kind.id: chance.order(range(len(self.names(kind)))) for kind in self._kinds}
        topics = [
            Topic(kind, positions[kind.id][turn])
            for turn in range(max(map(len, positions.values())))
            for kind in chance.order(self._kinds)
            if turn < len(positions[kind.id])
        ]
        if count and len(topics) < count:
            raise DeadEnd(f"phrases/{self.lang}.toml has {len(topics)} questions, not {count}")
        return topics[:count]

    def question(self, topic: Topic) -> str:
        """Return the question of a topic."""
        return topic.kind.question.format(name=self.name(topic))

    def names(self, kind: Kind) -> list[str]:
        """Return the names of all subjects that this kind of question can be asked about."""
        names: list[str] = self._subjects[kind.subject]["names"]
        return names

    def name(self, topic: Topic) -> str:
        """Return the name of the subject of a topic."""
        return self.names(topic.kind)[topic.position]

    def unsupported(self, topic: Topic) -> list[str]:
        """Return texts about the subject of a topic that answer no question."""
        patterns: list[str] = self._subjects[topic.kind.subject]["unsupported"]
        return [pattern.format(name=self.name(topic)) for pattern in patterns]

    def wordings(self, kind: Kind, position: int) -> list[str]:
        """Return the wordings of the fact at a position; the first is the plain one.

        Positions beyond the names give values that belong to no subject.
        """
        parts = self._parts(kind, position)
        return [pattern.format(**parts) for pattern in self._values[kind.value]["wordings"]]

    def inexact(self, topic: Topic) -> list[str]:
        """Return pieces of the right answer that fall short of it."""
        parts = self._parts(topic.kind, topic.position)
        return [pattern.format(**parts) for pattern in self._values[topic.kind.value]["inexact"]]

    def supported(self, kind: Kind, position: int) -> list[tuple[str, str]]:
        """Return every wording of a fact with the text that supports it."""
        name = self.names(kind)[position]
        return [
            (value, pattern.format(name=name, value=value))
            for value, pattern in zip(self.wordings(kind, position), kind.support, strict=True)
        ]

    def statements(self, topic: Topic, answer: str) -> list[str]:
        """Return sentences that give an answer, true or not, to the question of a topic."""
        name = self.name(topic)
        return [pattern.format(name=name, value=answer) for pattern in topic.kind.support]

    def document(self, text: str) -> str:
        """Return the id of the document of a text; the same text is always in the same one."""
        chance = Chance(self.lang, "document", text)
        parts = {part: chance.pick(options) for part, options in self._doc_parts.items()}
        pattern: str = self._values["doc"]["wordings"][0]
        return pattern.format(**parts)

    def _parts(self, kind: Kind, position: int) -> dict[str, Any]:
        return {p: order[position % len(order)] for p, order in self._orders(kind).items()}

    def _draw_orders(self, kind: Kind) -> dict[str, list[Any]]:
        """Return the options of every part of the values of a kind, each in a drawn order.

        The subject at a position has the options at that position, so the subjects of a kind
        get different values as long as there are enough options.
        """
        return {
            part: Chance(self.lang, kind.id, part).order(_options(options))
            for part, options in self._values[kind.value]["parts"].items()
        }


def _kind(table: dict[str, Any]) -> Kind:
    support, beside = tuple(table.pop("support")), tuple(table.pop("beside"))
    return Kind(**table, support=support, beside=beside)


def _options(options: dict[str, int] | list[Any]) -> list[Any]:
    """Return the options of a part; a range stands for its numbers, written as strings."""
    if isinstance(options, dict):
        return [str(number) for number in range(options["low"], options["high"] + 1)]
    return list(options)
