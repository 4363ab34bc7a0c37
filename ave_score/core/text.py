"""Untrusted text made safe to print, suggestions for mistyped words, and short names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

SHOWN_CHARACTERS = 80
"""Characters of an untrusted string that a message quotes."""

MAX_ID = 1_000
"""Characters of the longest id in a table: a line of a run holds two."""

_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001-\U000e007f"
)
_EXOTIC_BLANK = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_FORMAT = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f"
_OBEYED = (
    f"[\x00-\x1f\x7f-\x9f{_INVISIBLE}{_FORMAT}{_EXOTIC_BLANK}\ud800-\udfff]"  # by a terminal
    r"|(?:^|(?<=\s))::|##(?=\w*\[)"  # by a CI log: ::error::, ##[error], ##vso[...]
)
_CONTROL_IN_TEXT = "\x00-\x08\x0b-\x1f\ufffe\uffff"
_ALLOWED_CONTROL = "\x7f-\x9f"
_ODD = f"{_CONTROL_IN_TEXT}{_ALLOWED_CONTROL}{_INVISIBLE}{_EXOTIC_BLANK}"
_NO_ID = f"\x00-\x20\x7f-\x9f\ud800-\udfff{_INVISIBLE}{_EXOTIC_BLANK}"


@cache
def _any_of(characters: str) -> re.Pattern[str]:
    """Return a pattern of characters, compiled on demand because most files need none."""
    return re.compile(f"[{characters}]")


def visible(text: str) -> str:
    r"""Escape what a terminal or a CI log would interpret, and what looks like a blank.

    >>> visible("\x1b[31mred")
    '\\x1b[31mred'
    >>> visible("::error::")
    ':\\x3aerror::'
    """
    if text.isascii() and text.isprintable() and "::" not in text and "##" not in text:
        return text  # nearly every text, and compiling the pattern takes long
    return re.sub(_OBEYED, _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    first, last = match[0][:-1], match[0][-1]
    if first:
        return f"{first}\\x{ord(last):02x}"
    return last.encode("unicode_escape").decode("ascii")


def text_of_name(name: str) -> str:
    r"""Return the name of a file as text: bytes that are not UTF-8 are escaped.

    >>> text_of_name("B\udcfcrger")
    'B\\xfcrger'
    """
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def composed(name: str) -> str:
    """Return a name with composed letters, as people type it: macOS may take the letters apart."""
    if name.isascii():
        return name
    from unicodedata import normalize  # few names need it

    return normalize("NFC", name)


def is_nil(answer: str) -> bool:
    """Tell whether an answer is NIL, ignoring case and punctuation."""
    if "nil" not in answer.casefold():  # nearly every answer
        return False
    return re.sub(r"[\W_]+", " ", answer).strip().casefold() == "nil"


def find_control(text: str, start: int = 0) -> re.Match[str] | None:
    """Find the first control character that XML forbids from `start` on: not tab and LF."""
    return _any_of(_CONTROL_IN_TEXT).search(text, start)


def find_no_text(text: str) -> re.Match[str] | None:
    """Find what escapes of JSON can write and no file can: the first lone surrogate, else as above.

    CR is allowed.
    """
    lone = None if text.isascii() else _any_of("\ud800-\udfff").search(text)
    return lone or find_control(text.replace("\r", " "))


def find_allowed_control(text: str) -> re.Match[str] | None:
    """Find the first control character that XML allows: DEL and U+0080-U+009F."""
    return _any_of(_ALLOWED_CONTROL).search(text)


def find_odd(text: str, start: int = 0) -> re.Match[str] | None:
    """Find the first control, invisible or non-ASCII blank character from `start` on."""
    return _any_of(_ODD).search(text, start)


def plain_blanks(text: str) -> str:
    """Return the text with non-ASCII blanks replaced by spaces."""
    return _any_of(_EXOTIC_BLANK).sub(" ", text)


def without_odd(text: str) -> str:
    """Return the text with plain blanks and without invisible characters."""
    return _any_of(_ODD).sub("", plain_blanks(text))


def without_control(text: str) -> str:
    """Return the text with each control character replaced by a space."""
    return _any_of(_CONTROL_IN_TEXT + _ALLOWED_CONTROL).sub(" ", text)


def is_usable_id(text: str) -> bool:
    """Tell whether an id can be used in a line of a run."""
    return bool(text) and not text.startswith("#") and not _any_of(_NO_ID).search(text)


def are_plain_ids(ids: Sequence[str]) -> bool:
    """Tell whether all ids are usable in tables, without a number sign; no other type is."""
    try:
        text = "".join(ids)
    except TypeError:
        return False
    return all(ids) and "#" not in text and is_usable_id(text) and max(map(len, ids)) <= MAX_ID


OF_TYPE = "a value of type "
"""How the key begins that stands, with null, for a value of a frame that JSON does not have."""


def excerpt(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return the text escaped and truncated to about `limit` characters."""
    return visible(text) if len(text) <= limit else visible(text[: limit - 1]) + "…"


class Quote(NamedTuple):
    """Part of a line, escaped, with the position of the offending characters in it."""

    text: str = ""
    start: int = 0
    length: int = 0


QUOTED_CHARACTERS = 200
"""Characters of a line that are quoted."""


def quote(line: str, columns: range) -> Quote:
    """Return the line, shortened if it is long, with the position of `columns` in it.

    `columns` count from 1; an empty range marks nothing.
    """
    start = max(columns.start - 1, 0)
    first = start - 60 if len(line) > QUOTED_CHARACTERS and start > 100 else 0
    stop = first + QUOTED_CHARACTERS
    before = ("…" if first else "") + visible(line[first:start])
    marked = visible(line[start : min(columns.stop - 1, stop)])
    after = visible(line[start + len(columns) : stop]) + ("…" if len(line) > stop else "")
    return Quote(before + marked + after, len(before), len(marked))


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word most similar to `word`, or None if no word is similar."""
    from difflib import get_close_matches  # slow to import, rarely needed

    folded = {candidate.casefold(): candidate for candidate in known}
    matches = get_close_matches(word.casefold()[:SHOWN_CHARACTERS], list(folded), 1, cutoff)
    return folded[matches[0]] if matches else None


def did_you_mean(word: str | None) -> str:
    """Return a suggestion as the end of a message, or an empty text."""
    return f"; did you mean {word}?" if word else ""


COLUMNS_SAY = "; --columns says which is which"
"""The end of a message about names that are not the usual ones."""


def near_or_all(
    name: str, there: Sequence[str], known: Iterable[str] = (), way_out: str = ""
) -> str:
    """Return the end of a message about a missing name: the one that is meant, or what there is.

    Those that are known to be something else are not meant. Long messages are cut: names are last.
    """
    others = {*known}
    near = nearest(name, [one for one in there if one not in others])
    if near or not there:
        return did_you_mean(near)
    return f"{way_out or COLUMNS_SAY}; it has {excerpt(', '.join(there))}"


def quantity(number: int, noun: str) -> str:
    """Return '1 answer', '2,000 answers'."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def quantities(numbers: Mapping[str, int]) -> str:
    """Return how many there are of each noun, without those of which there is none.

    >>> quantities({"run": 2, "QA system": 0})
    '2 runs'
    """
    return listed([quantity(number, noun) for noun, number in numbers.items() if number] or [""])


def nothing_done(done: str, files: int, of: int | None = None) -> str:
    """Return why a task ended: 'nothing scored: 1 of 2 files has errors'."""
    among = f"{files:,} of {quantity(of, 'file')}" if of else quantity(files, "file")
    return f"nothing {done}: {among} {'has' if files == 1 else 'have'} errors"


def not_done(done: str, files: Sequence[str]) -> str:
    """Return which files take no part: 'Not scored because of errors: a, b.'."""
    return f"Not {done} because of errors: {brief([*map(visible, files)])}."


def listed(texts: Sequence[str]) -> str:
    """Return a list in words.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def ranges(numbers: Iterable[int], *, has_more: bool = False, at_most: int = 8) -> str:
    """Return numbers in short; `has_more` if there are others.

    >>> ranges([4, 5, 6, 9, 12])
    '4-6, 9, 12'
    """
    spans: list[list[int]] = []
    for number in sorted({*numbers}):
        if not spans or number > spans[-1][1] + 1:
            spans.append([number, number])
        spans[-1][1] = number
    texts = [f"{low}" if low == high else f"{low}-{high}" for low, high in spans[:at_most]]
    return ", ".join([*texts, *["..."] * bool(texts and (has_more or len(spans) > at_most))])


def shortest_names(paths: Sequence[tuple[tuple[str, ...], str]]) -> list[str]:
    """Return the shortest unique name of each file, with as many folders as needed: `team1/run`.

    `paths` are the folders and the name of each file. Equal paths get the same name.

    >>> shortest_names([(("es", "a"), "run"), (("es", "b"), "run"), (("es",), "other")])
    ['a/run', 'b/run', 'other']
    """
    distinct = list(dict.fromkeys(paths))
    names = [name for _, name in distinct]
    for level in range(1, 1 + max((len(folders) for folders, _ in distinct), default=0)):
        taken = Counter(names)
        if len(taken) == len(names):
            break
        names = [
            "/".join([*folders[-level:], own]) if taken[name] > 1 else name
            for (folders, own), name in zip(distinct, names, strict=True)
        ]
    named = dict(zip(distinct, names, strict=True))
    return [named[path] for path in paths]


def shortened(names: Sequence[str], room: float, width: Callable[[str], float]) -> list[str]:
    """Shorten names to at most `room` in the unit of `width` by removing the middle.

    Names of runs often differ at the end. Names that become identical are numbered.

    >>> shortened(["team-a-run-1", "team-b-run-1"], 8, len)
    ['team…n-1', 'te…1 (2)']
    """
    unique = []
    seen: dict[str, int] = {}
    for full in names:
        name = shorten(full, room, width)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            end = f" ({seen[name]})"
            name = shorten(full, room - width(end), width) + end
        unique.append(name)
    return unique


def shorten(name: str, room: float, width: Callable[[str], float]) -> str:
    """Remove as little of the middle of a name as necessary."""
    if len(name) <= 200 and width(name) <= room:
        return name
    fits, too_long = 2, min(len(name), 200)
    while fits + 1 < too_long:
        half = (fits + too_long) // 2
        if width(_without_middle(name, half)) <= room:
            fits = half
        else:
            too_long = half
    return _without_middle(name, fits)


def _without_middle(name: str, length: int) -> str:
    tail = length // 2
    return f"{name[: length - tail]}…{name[len(name) - tail :]}"


NaturalKey = tuple[list[tuple[int, int, str]], str]


def natural_key(text: str) -> NaturalKey:
    """Return a sort key that orders 1_2 before 1_10."""
    parts: list[tuple[int, int, str]] = []
    for part in re.split("([0-9]+)", text):
        number = part.lstrip("0") if part.isascii() and part.isdigit() else None
        parts.append((1, 0, part) if number is None else (0, len(number), number))
    return parts, text


def brief(names: Sequence[str], most: int = 3, by: str = ", ") -> str:
    """Return the first names, at most so many, and the number of the others.

    >>> brief(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    before = f"{by}and " if by == "; " else " and "
    more = f"{before}{len(names) - most:,} more" * (len(names) > most)
    return f"{by.join(names[:most])}{more}"


_CALCULATED = frozenset("=+-@\t\r\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet takes for the start of a formula; the last four are as wide as ideographs."""


def not_calculated(text: str) -> str:
    """Return a text as CSV has it: with an apostrophe if a spreadsheet would calculate it."""
    shown = visible(text)
    return f"'{shown}" if shown[:1] in _CALCULATED else shown
