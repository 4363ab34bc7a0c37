"""Chance that is the same on every platform and in every version of Python.

Only ``random.Random(int).random()`` is promised to stay as it is; ``shuffle``, ``sample`` and
``choice`` are not, and neither is the order of a set. Everything drawn here goes through
``random()``, seeded by a hash of words that say what is drawn: adding a draw in one place
changes nothing anywhere else.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

ATTEMPTS = 200


class DeadEnd(Exception):
    """A random attempt that cannot be finished; another one may be."""


class Chance:
    """A stream of draws that depends on nothing but the words it was made with."""

    def __init__(self, *words: object) -> None:
        """Seed the stream with words such as ``"ave2007-es", "shape", 0``."""
        digest = hashlib.sha256("/".join(map(str, words)).encode()).digest()
        self._random = random.Random(int.from_bytes(digest, "big"))

    def below(self, limit: int) -> int:
        """Return an integer from 0 to ``limit - 1``."""
        return int(self._random.random() * limit)

    def happens(self, probability: float) -> bool:
        """Return true with this probability."""
        return self._random.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def order(self, items: Iterable[T]) -> list[T]:
        """Return the items in a drawn order."""
        keyed = [(self._random.random(), place, item) for place, item in enumerate(items)]
        return [item for _, _, item in sorted(keyed, key=lambda entry: entry[:2])]


def first_that_works(build: Callable[[int], T]) -> T:
    """Return the result of the first attempt (0, 1, ...) that is no dead end."""
    reasons = []
    for attempt in range(ATTEMPTS):
        try:
            return build(attempt)
        except DeadEnd as reason:
            reasons.append(str(reason))
    raise DeadEnd(f"none of {ATTEMPTS} attempts worked; the last one: {reasons[-1]}")
