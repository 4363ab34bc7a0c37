"""Judged rows on their way into a collection: what of them is compared, and in which order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ave_score.checks.rows import JudgedRows
from ave_score.model import JudgedAnswer

NaturalKey = list[tuple[int, int, str]]


class Candidate(NamedTuple):
    """A judged row that may become an answer, and the file that it stands in.

    `text` is the supporting text, the row's own or one found in its document.
    """

    file: JudgedRows
    row: JudgedAnswer
    text: str


def candidates(files: Iterable[JudgedRows]) -> Iterator[Candidate]:
    """Yield every row of every file."""
    for file in files:
        for row in file.answers:
            yield Candidate(file, row, row.text)


def is_void(answer: str) -> bool:
    """Tell whether a system returned nothing."""
    return not answer.strip()


def is_nil(answer: str) -> bool:
    """Tell whether a system says that the documents hold no answer."""
    return answer.strip().upper() == "NIL"


def folded(text: str) -> str:
    """Return the text in a form that is the same for texts that differ in case only."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def normalised(answer: str) -> str:
    """Return what makes two answers the same one: case, blanks and outer punctuation do not count.

    A sign or a point right before a digit stays, for it changes the number. An answer of
    punctuation only keeps it.

    >>> normalised(" «El  Duque», ")
    'el duque'
    >>> normalised("-5 °C."), normalised("'.5'")
    ('-5 °c', '.5')
    """
    text = " ".join(folded(answer).split())
    first, last = 0, len(text)
    while first < last and _is_outer(text[first]) and not _NUMBER.match(text, first):
        first += 1
    while first < last and _is_outer(text[last - 1]):
        last -= 1
    return text[first:last] or text


_NUMBER = re.compile(r"[-.,]{1,2}[0-9]")
_MEANING = "#%&*@/\\§¶†‡‰‱"
"""Characters that Unicode calls punctuation, but which say something: 50 % is not 50."""


def _is_outer(character: str) -> bool:
    """Tell whether a character at the end of an answer is no part of it."""
    if character == " ":
        return True
    return unicodedata.category(character).startswith("P") and character not in _MEANING


def natural_key(text: str) -> tuple[NaturalKey, str]:
    """Return a sort key by which 1_2 comes before 1_10."""
    parts: NaturalKey = []
    for part in re.split("([0-9]+)", text):
        number = part.lstrip("0") if part.isascii() and part.isdigit() else None
        parts.append((1, 0, part) if number is None else (0, len(number), number))
    return parts, text
