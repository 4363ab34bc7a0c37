"""Text from strangers, made safe to show; and the nearest word to a mistyped one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

SHOWN_CHARACTERS = 80
"""How much of a foreign string a message repeats."""

_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f"
)
_EXOTIC_BLANK = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_FORMAT = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f"
_OBEYED = re.compile(
    f"[\x00-\x1f\x7f-\x9f{_INVISIBLE}{_FORMAT}{_EXOTIC_BLANK}\ud800-\udfff]"  # a terminal would
    r"|(?:^|(?<=\s))::|##(?=\w*\[)"  # the log of a build would: ::error::, ##[error], ##vso[...]
)
_CONTROL_IN_TEXT = "\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff"
_ODD = f"{_CONTROL_IN_TEXT}{_INVISIBLE}{_EXOTIC_BLANK}"
_NO_ID = f"\x00-\x20\x7f-\x9f\ud800-\udfff{_INVISIBLE}{_EXOTIC_BLANK}"


@cache
def _any_of(characters: str) -> re.Pattern[str]:
    """Return a pattern of characters; compiled when first wanted, for most files want none."""
    return re.compile(f"[{characters}]")


def visible(text: str) -> str:
    r"""Show what a terminal, or the log of a build, would obey, and what looks like a blank.

    >>> visible("\x1b[31mred")
    '\\x1b[31mred'
    >>> visible("::error::")
    ':\\x3aerror::'
    """
    return _OBEYED.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    first, last = match[0][:-1], match[0][-1]
    if first:
        return f"{first}\\x{ord(last):02x}"
    return last.encode("unicode_escape").decode("ascii")


def is_nil(answer: str) -> bool:
    """Tell whether an answer says that there is none: NIL, whatever the case and punctuation."""
    return re.sub(r"[\W_]+", " ", answer).strip().casefold() == "nil"


def find_control(text: str, start: int = 0) -> re.Match[str] | None:
    """Find the first control character behind `start`; tab and LF are none."""
    return _any_of(_CONTROL_IN_TEXT).search(text, start)


def find_odd(text: str, start: int = 0) -> re.Match[str] | None:
    """Find the first control, invisible or exotic blank character behind `start`."""
    return _any_of(_ODD).search(text, start)


def plain_blanks(text: str) -> str:
    """Return the text with exotic blanks made plain."""
    return _any_of(_EXOTIC_BLANK).sub(" ", text)


def without_odd(text: str) -> str:
    """Return the text with exotic blanks made plain, and what cannot be seen left out."""
    return _any_of(_ODD).sub("", plain_blanks(text))


def without_control(text: str) -> str:
    """Return the text with a blank for each character that belongs to no text, nor to any XML."""
    return _any_of(_CONTROL_IN_TEXT).sub(" ", text)


def is_usable_id(text: str) -> bool:
    """Tell whether a line of a run could name this id."""
    return bool(text) and not text.startswith("#") and not _any_of(_NO_ID).search(text)


def excerpt(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return the text made visible and cut to about `limit` characters."""
    return visible(text) if len(text) <= limit else visible(text[: limit - 1]) + "…"


class Quote(NamedTuple):
    """Part of a line, made visible, and where in it the piece stands that it is quoted for."""

    text: str = ""
    start: int = 0
    length: int = 0


QUOTED_CHARACTERS = 200
"""How much of a line a quotation repeats."""


def quote(line: str, columns: range) -> Quote:
    """Return the line, or as much as is needed of a long one, with the characters in `columns`.

    `columns` count from 1; an empty range quotes the line for nothing in particular.
    """
    start = max(columns.start - 1, 0)
    first = start - 60 if len(line) > QUOTED_CHARACTERS and start > 100 else 0
    stop = first + QUOTED_CHARACTERS
    before = ("…" if first else "") + visible(line[first:start])
    marked = visible(line[start : min(columns.stop - 1, stop)])
    after = visible(line[start + len(columns) : stop]) + ("…" if len(line) > stop else "")
    return Quote(before + marked + after, len(before), len(marked))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was probably meant to be, if any comes near."""
    from difflib import get_close_matches  # slow to import, needed only when something is wrong

    folded = {candidate.casefold(): candidate for candidate in known}
    matches = get_close_matches(word.casefold()[:SHOWN_CHARACTERS], list(folded), n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def did_you_mean(word: str | None) -> str:
    """Return the end of a message that suggests `word`, or nothing."""
    return f"; did you mean {word}?" if word else ""


def counted(number: int, noun: str) -> str:
    """Return '1 answer', '2,000 answers'."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
