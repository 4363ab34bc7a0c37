"""Tokenise texts, to compare answers with each other and with documents."""

from __future__ import annotations

import re
import unicodedata

_NUMBER = re.compile(r"[-.,]{1,2}[0-9]")
_PART = re.compile(r"(?:\A[-.,]{1,2}(?=[0-9]))?\w+(?:(?<=[0-9])[.,](?=[0-9])\w+)*")
_MEANING = "#%&*@/\\§¶†‡‰‱"
"""Punctuation characters that carry meaning: 50 % is not 50."""


def words(text: str) -> list[str]:
    """Return the space-separated words, case-folded and without outer punctuation.

    A sign or a point directly before a digit is kept, because it changes the number. Words of
    punctuation only are removed.

    >>> words(" «El  Duque», - (Paris) ")
    ['el', 'duque', 'paris']
    >>> words("-5 °C."), words("'.5' or 1,000.5")
    (['-5', '°c'], ['.5', 'or', '1,000.5'])
    """
    return [word for word in map(_bare, _folded(text).split()) if word]


def parts(text: str) -> list[str]:
    """Return the words, split at inner punctuation and without signs such as % and $.

    This finds an answer in a text with a different spelling: 50% for 50 %. Numbers are not split.

    >>> parts("L'Aquila-Rome costs $3,500.50 (-5%)")
    ['l', 'aquila', 'rome', 'costs', '3,500.50', '-5']
    """
    return [part for word in words(text) for part in _PART.findall(word)]


def normalised(answer: str) -> str:
    """Return the normal form of an answer: its words, or its punctuation if it has no words."""
    return " ".join(words(answer) or _folded(answer).split())


def _folded(text: str) -> str:
    """Return the text case-folded, in Unicode normal form C."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _bare(word: str) -> str:
    """Return a word without outer punctuation."""
    first, last = 0, len(word)
    while first < last and _is_outer(word[first]) and not _NUMBER.match(word, first):
        first += 1
    while first < last and _is_outer(word[last - 1]):
        last -= 1
    return word[first:last]


def _is_outer(character: str) -> bool:
    """Tell whether a character at either end of a word is punctuation to remove."""
    return unicodedata.category(character).startswith("P") and character not in _MEANING
