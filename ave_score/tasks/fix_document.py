"""The lines of a text file, editable, and the changes as a unified diff.

Unchanged lines are written back byte for byte.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.text import visible
from ave_score.files.encoding import marked_encoding

if TYPE_CHECKING:
    from difflib import Match

    from ave_score.files.run import RunReader

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")


class NumberedLine(NamedTuple):
    """A line: its number in the original file (0 if it was added), its text and its line end."""

    number: int
    text: str
    end: str = "\n"


class Document:
    """The lines of a file, which are found when they are needed: few files have fixable defects.

    Bytes that are not UTF-8 are kept as lone surrogates and written back unchanged.

    Parameters
    ----------
    data
        The content of the file.

    Attributes
    ----------
    reader
        The reader of the current lines, which knows how their notation says things.
    confidences
        Number of a current line -> its confidence.
    """

    reader: RunReader
    confidences: Mapping[int, float]

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.encoding = marked_encoding(data) or "utf-8"
        if not self.encoding.startswith("utf-8"):
            try:
                data.decode(self.encoding)
            except UnicodeError:  # truncated UTF-16: nothing here can be fixed
                self.encoding = "latin-1"
        self._read_as = self.encoding, self._errors

    @property
    def is_untouched(self) -> bool:
        """Whether no line was looked at: it is as it was."""
        return "lines" not in vars(self)

    @property
    def _is_original(self) -> bool:
        return self.encoding == self._read_as[0] and self.lines == self.original

    @cached_property
    def original(self) -> list[NumberedLine]:
        """The lines of the original file."""
        text = self._data.decode(*self._read_as)
        matches = enumerate(_LINE.finditer(text), 1)
        lines = [NumberedLine(number, match[1], sys.intern(match[2])) for number, match in matches]
        if lines[-1][1:] == ("", ""):
            lines.pop()
        return lines

    @cached_property
    def lines(self) -> list[NumberedLine]:
        """The current lines."""
        return list(self.original)

    def keep(self) -> None:
        """Save the current state; `undo` restores it."""
        self._saved = (self.encoding, list(self.lines))

    def undo(self) -> None:
        """Discard the changes made since the last `keep`."""
        self.encoding, self.lines = self._saved

    @property
    def _errors(self) -> str:
        return "surrogateescape" if self.encoding.startswith("utf-8") else "strict"

    def encoded(self) -> bytes:
        """Return the current content as bytes."""
        if self.is_untouched or self._is_original:  # UTF-16 has two orders of bytes
            return self._data
        text = "".join(line.text + line.end for line in self.lines)
        return text.encode(self.encoding, self._errors)

    def number(self, position: int) -> int:
        """Return the original line number of the line at `position` (from 1)."""
        return position if self.is_untouched else self.lines[position - 1].number

    def text(self, position: int) -> str:
        """Return the text of the line at `position` (from 1)."""
        return self.lines[position - 1].text

    def replace(self, position: int, text: str) -> None:
        """Replace the text of the line at `position` (from 1)."""
        self.lines[position - 1] = self.lines[position - 1]._replace(text=text)

    def write_field(self, position: int, columns: range, word: str) -> str:
        """Replace a field, which keeps its quotes, by a word; return what it was."""
        text = self.text(position)
        before = text[columns.start - 1 : columns.stop - 1]
        mark = '"' if before.strip().startswith('"') and before.strip() != '"' else ""
        after = f"{mark}{word}{mark}"
        self.replace(position, text[: columns.start - 1] + after + text[columns.stop - 1 :])
        return before

    def add(self, text: str) -> None:
        """Add a line at the end."""
        if self.lines and not self.lines[-1].end:
            self.lines[-1] = self.lines[-1]._replace(end="\n")
        self.lines.append(NumberedLine(0, text))

    def delete(self, positions: set[int]) -> None:
        """Delete the lines at these positions (from 1)."""
        self.lines = [line for n, line in enumerate(self.lines, 1) if n not in positions]


def unified_diff(document: Document, name: str) -> Iterator[str]:
    """Yield the escaped lines of the diff; nothing if no line has changed.

    The diff ignores line ends and the encoding.
    """
    if document.is_untouched:
        return
    from difflib import SequenceMatcher  # slow to import

    class Known(SequenceMatcher[str]):
        """Uses the known unchanged lines, because searching for them takes quadratic time."""

        def get_matching_blocks(self) -> list[Match]:
            return list(_unchanged(document))

    before, now = document.original, document.lines
    for number, hunk in enumerate(Known().get_grouped_opcodes()):
        if not number:
            yield from (f"--- {visible(name)}", f"+++ {visible(name)} (fixed)")
        (_, first, _, new_first, _), (_, _, stop, _, new_stop) = hunk[0], hunk[-1]
        old, new = range(first, stop), range(new_first, new_stop)
        yield (f"@@ -{old.start + bool(old)},{len(old)} +{new.start + bool(new)},{len(new)} @@")
        for tag, first, stop, new_first, new_stop in hunk:
            yield from _marked(" " if tag == "equal" else "-", before[first:stop])
            if tag != "equal":
                yield from _marked("+", now[new_first:new_stop])


def _unchanged(document: Document) -> Iterator[Match]:
    """Yield the blocks of lines that are the same before and after."""
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


def _is_same(line: NumberedLine, before: NumberedLine) -> bool:
    return line.text == before.text and bool(line.end) == bool(before.end)


def _marked(mark: str, lines: Sequence[NumberedLine]) -> Iterator[str]:
    for line in lines:
        yield mark + "\t".join(map(visible, line.text.split("\t")))
        if not line.end:
            yield "\\ No newline at end of file"
