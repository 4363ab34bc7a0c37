"""A text file as lines that can be changed; whatever is not changed is written as it was read.

What was changed is shown as a unified diff.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ave_score.files.encoding import marked_encoding
from ave_score.text import visible

if TYPE_CHECKING:
    from difflib import Match

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")


class Line(NamedTuple):
    """One line: its number in the file as it was read (0: added), its text and how it ends."""

    number: int
    text: str
    end: str = "\n"


class Document:
    """The lines of a file.

    Bytes that are not UTF-8 are kept as lone surrogates and written as the bytes that they were.

    Parameters
    ----------
    data
        The whole file.

    Attributes
    ----------
    lines
        What is left of the lines that were read, and those added.
    original
        The lines as they were read.
    """

    def __init__(self, data: bytes) -> None:
        self.encoding = marked_encoding(data) or "utf-8"
        try:
            text = data.decode(self.encoding, self._errors)
        except UnicodeError:  # UTF-16 that breaks off: nothing here can be fixed
            self.encoding = "latin-1"
            text = data.decode(self.encoding)
        found = [(match[1], match[2]) for match in _LINE.finditer(text)]
        if found[-1] == ("", ""):
            found.pop()
        self.lines = [Line(number, *one) for number, one in enumerate(found, 1)]
        self.original = list(self.lines)
        self.keep()

    def keep(self) -> None:
        """Keep what was changed so far: `undo` goes back to here."""
        self._kept = (self.encoding, list(self.lines))

    def undo(self) -> None:
        """Take back what was changed since the last `keep`."""
        self.encoding, self.lines = self._kept

    @property
    def _errors(self) -> str:
        return "surrogateescape" if self.encoding.startswith("utf-8") else "strict"

    def encoded(self) -> bytes:
        """Return the file as it is now."""
        text = "".join(line.text + line.end for line in self.lines)
        return text.encode(self.encoding, self._errors)

    def number(self, place: int) -> int:
        """Return the number that a line, the first being 1, had when the file was read."""
        return self.lines[place - 1].number

    def text(self, place: int) -> str:
        """Return the text of a line, the first being 1."""
        return self.lines[place - 1].text

    def put(self, place: int, text: str) -> None:
        """Give a line, the first being 1, another text."""
        self.lines[place - 1] = self.lines[place - 1]._replace(text=text)

    def add(self, text: str) -> None:
        """Add a line at the end."""
        if self.lines and not self.lines[-1].end:
            self.lines[-1] = self.lines[-1]._replace(end="\n")
        self.lines.append(Line(0, text))

    def delete(self, places: set[int]) -> None:
        """Delete lines, the first being 1."""
        self.lines = [line for place, line in enumerate(self.lines, 1) if place not in places]


def unified_diff(document: Document, name: str) -> Iterator[str]:
    """Yield the lines of the diff, made visible; nothing where no line has changed.

    Line ends, and how the file is encoded, are not in it.
    """
    from difflib import SequenceMatcher  # slow to import

    class Known(SequenceMatcher[str]):
        """Knows which lines stayed: to search for them takes the square of their number."""

        def get_matching_blocks(self) -> list[Match]:
            return list(_unchanged(document))

    before, now = document.original, document.lines
    for number, hunk in enumerate(Known().get_grouped_opcodes()):
        if not number:
            yield from (f"--- {visible(name)}", f"+++ {visible(name)} (mended)")
        (_, first, _, new_first, _), (_, _, stop, _, new_stop) = hunk[0], hunk[-1]
        old, new = range(first, stop), range(new_first, new_stop)
        yield (f"@@ -{old.start + bool(old)},{len(old)} +{new.start + bool(new)},{len(new)} @@")
        for tag, first, stop, new_first, new_stop in hunk:
            yield from _marked(" " if tag == "equal" else "-", before[first:stop])
            if tag != "equal":
                yield from _marked("+", now[new_first:new_stop])


def _unchanged(document: Document) -> Iterator[Match]:
    """Yield where lines stand side by side in both files that are the same in both."""
    from difflib import Match

    first = new_first = size = 0
    for new, line in enumerate(document.lines):
        old = line.number - 1
        if old < 0 or not _is_same(line, document.original[old]):
            continue
        if (old, new) != (first + size, new_first + size):
            yield Match(first, new_first, size)
            first, new_first, size = old, new, 0
        size += 1
    yield Match(first, new_first, size)
    yield Match(len(document.original), len(document.lines), 0)


def _is_same(line: Line, before: Line) -> bool:
    return line.text == before.text and bool(line.end) == bool(before.end)


def _marked(mark: str, lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        yield mark + "\t".join(map(visible, line.text.split("\t")))
        if not line.end:
            yield "\\ No newline at end of file"
