"""Words: what repeated and contained answers, and answers in documents, are compared by."""

from __future__ import annotations

import re
import unicodedata

_NUMBER = re.compile(r"[-.,]{1,2}[0-9]")
_PART = re.compile(r"(?:\A[-.,]{1,2}(?=[0-9]))?\w+(?:(?<=[0-9])[.,](?=[0-9])\w+)*")
_MEANING = "#%&*@/\\§¶†‡‰‱"
"""Characters that Unicode calls punctuation, but which say something: 50 % is not 50."""


def words(text: str) -> list[str]:
    """Return what stands between blanks, without outer punctuation, whatever the case.

    A sign or a point right before a digit stays, for it changes the number. A word of punctuation
    only is none.

    >>> words(" «El  Duque», - (Paris) ")
    ['el', 'duque', 'paris']
    >>> words("-5 °C."), words("'.5' or 1,000.5")
    (['-5', '°c'], ['.5', 'or', '1,000.5'])
    """
    return [word for word in map(_bare, _folded(text).split()) if word]


def parts(text: str) -> list[str]:
    """Return the words, parted at inner punctuation, too, and without signs such as % and $.

    So an answer is found in a text that writes it a little differently: 50% for 50 %. Numbers stay
    whole.

    >>> parts("L'Aquila-Rome costs $3,500.50 (-5%)")
    ['l', 'aquila', 'rome', 'costs', '3,500.50', '-5']
    """
    return [part for word in words(text) for part in _PART.findall(word)]


def normalised(answer: str) -> str:
    """Return what makes two answers the same one: their words.

    An answer of punctuation only keeps it.
    """
    return " ".join(words(answer) or _folded(answer).split())


def _folded(text: str) -> str:
    """Return the text in a form that is the same for texts that differ in case only."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _bare(word: str) -> str:
    """Return a word without the punctuation at its ends."""
    first, last = 0, len(word)
    while first < last and _is_outer(word[first]) and not _NUMBER.match(word, first):
        first += 1
    while first < last and _is_outer(word[last - 1]):
        last -= 1
    return word[first:last]


def _is_outer(character: str) -> bool:
    """Tell whether a character at the end of a word is no part of it."""
    return unicodedata.category(character).startswith("P") and character not in _MEANING
