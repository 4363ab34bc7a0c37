"""A text file as lines that can be changed; whatever is not changed is written as it was read."""

from __future__ import annotations

import re
from typing import NamedTuple

from ave_score.files.encoding import marked_encoding

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
        except UnicodeError:  # UTF-16 that breaks off: nothing here can be mended
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
