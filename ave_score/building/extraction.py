"""The passage of a document that holds an answer (thesis 3.2.2).

Of the sentences with the answer the one with most words of the question is taken, stop words
aside; the first of several. The sentences behind it are added as long as there is room.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Set
from itertools import accumulate

from ave_score.building.words import parts

MAX_PASSAGE = 500
"""Characters up to which sentences are added to the one that was chosen."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'»”’)\]]*+\s+")
_INITIAL = re.compile(r"(?<!\w)\w\.\s+\Z")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each in one line.

    A sentence ends with its paragraph, or with a mark before a blank and anything but a small
    letter; the point behind an initial (J. Smith) is none.
    """
    for paragraph in _PARAGRAPH.split(text):
        start = 0
        for end in _END.finditer(paragraph):
            stop = end.end()
            initial = _INITIAL.search(paragraph, max(start, end.start() - 2), stop)
            is_initial = initial is not None and initial[0][0].isupper()
            if not is_initial and not paragraph[stop : stop + 1].islower():
                yield from _in_one_line(paragraph[start:stop])
                start = stop
        yield from _in_one_line(paragraph[start:])


def _in_one_line(sentence: str) -> Iterator[str]:
    line = " ".join(sentence.split())
    if line:
        yield line


class Passages:
    """A document whose passages are wanted for several answers."""

    def __init__(self, text: str) -> None:
        self._sentences = list(sentences(text))
        said = [parts(sentence) for sentence in self._sentences]
        self._words = [frozenset(one) for one in said]
        pieces = ["".join(f"{word} " for word in one) for one in said]
        self._text = " " + "".join(pieces)
        self._starts = list(accumulate(map(len, pieces), initial=1))[:-1]

    def passage(self, answer: str, wanted: Set[str], most: int = MAX_PASSAGE) -> str | None:
        """Return the passage that holds an answer; None where the document does not.

        Parameters
        ----------
        wanted
            The words of the question that a sentence should have.
        most
            Characters that the passage may have, unless its first sentence is longer.
        """
        places = list(dict.fromkeys(self._places(answer)))
        if not places:
            return None
        first, last = max(places, key=lambda place: self._shared(place, wanted))
        passage = " ".join(self._sentences[first : last + 1])
        for following in self._sentences[last + 1 :]:
            if len(passage) + 1 + len(following) > most:
                break
            passage += f" {following}"
        return passage

    def _places(self, answer: str) -> Iterator[tuple[int, int]]:
        """Yield the first and the last sentence of each place where the answer stands."""
        sought = " ".join(["", *parts(answer), ""])
        if not sought.strip():
            return
        at = self._text.find(sought)
        while at >= 0:
            last = at + len(sought) - 2  # the last letter of the last word
            yield bisect_right(self._starts, at + 1) - 1, bisect_right(self._starts, last) - 1
            at = self._text.find(sought, at + 1)

    def _shared(self, place: tuple[int, int], wanted: Set[str]) -> int:
        first, last = place
        return len(wanted & frozenset().union(*self._words[first : last + 1]))
