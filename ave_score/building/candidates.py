"""Judged rows on their way into a collection: what of them is compared, and in which order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ave_score.building.words import words
from ave_score.files.judged import JudgedRows
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
    """Tell whether a system returned nothing, or punctuation only."""
    return not words(answer)


def natural_key(text: str) -> tuple[NaturalKey, str]:
    """Return a sort key by which 1_2 comes before 1_10."""
    parts: NaturalKey = []
    for part in re.split("([0-9]+)", text):
        number = part.lstrip("0") if part.isascii() and part.isdigit() else None
        parts.append((1, 0, part) if number is None else (0, len(number), number))
    return parts, text
