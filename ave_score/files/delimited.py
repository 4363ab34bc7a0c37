"""The syntax of TSV and CSV: lines of fields, which may be quoted and then have several lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ave_score.files.lines import MAX_LINE, Block, plain_columns
from ave_score.files.positions import end_of

_QUOTED = re.compile(r' *"((?:[^"]|"")*+)" *')

_OPEN, _FOLLOWED = "is never closed", "is followed by other text"


def quoted(text: str, delimiter: str) -> str:
    """Return a field of CSV, quoted if it would be read otherwise without quotes."""
    if text == text.strip() and {'"', "\n", delimiter}.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


class DelimitedField(NamedTuple):
    """A field of a line: its position from 0, its text, and what is wrong with its quotes."""

    start: int
    stop: int
    text: str
    problem: str = ""

    @property
    def columns(self) -> range:
        """Its columns, at least one."""
        return range(self.start + 1, max(self.stop, self.start + 1) + 1)


class DelimitedLine(NamedTuple):
    """A line, or several of a quoted field.

    Attributes
    ----------
    bad
        Whether it was reported as unusable.
    wrong
        The first field that begins with a quote but is not quoted as a whole.
    """

    number: int
    text: str
    bad: bool = False
    wrong: DelimitedField | None = None


class Delimited(NamedTuple):
    """The syntax of a table.

    Attributes
    ----------
    delimiter
        What separates the fields.
    has_quotes
        Whether fields may be quoted.
    """

    delimiter: str
    has_quotes: bool

    def texts(self, line: str) -> list[str]:
        """Return the texts of the fields of a line without wrong quotes."""
        texts = self._quoted_texts(line) if self._is_quoted(line) else None
        return texts or [text.strip() for text in line.split(self.delimiter)]

    def cells(self, line: str) -> Iterator[DelimitedField]:
        """Yield the fields of a line."""
        start, has_quotes = 0, self._is_quoted(line)
        while start <= len(line):
            quoted = _QUOTED.match(line, start) if has_quotes else None
            if quoted and line[quoted.end() : quoted.end() + 1] in ("", self.delimiter):
                stop = quoted.end()
                yield DelimitedField(start, stop, quoted[1].replace('""', '"'))
            else:
                stop = line.find(self.delimiter, start)
                stop = len(line) if stop < 0 else stop
                text, problem = line[start:stop].strip(), ""
                if has_quotes and text.startswith('"'):
                    problem = _FOLLOWED if quoted else _OPEN
                yield DelimitedField(start, stop, text, problem)
            start = stop + 1

    def columns_of(self, line: str, number: int) -> range:
        """Return the columns of a field, counted from 0; the end of the line if it is missing."""
        cell = next(islice(self.cells(line), number, None), None)
        return cell.columns if cell else end_of(line.rstrip(" "))

    def line_of(self, texts: Sequence[str]) -> str:
        """Return the line of fields; texts are quoted where needed."""
        cells = (quoted(text, self.delimiter) for text in texts) if self.has_quotes else texts
        return self.delimiter.join(cells)

    def columns(self, text: str, width: int, numbers: Iterable[int]) -> list[list[str]] | None:
        """Return columns of plain lines by number; None if any has a quote or another width."""
        if not width or self._is_quoted(text):
            return None
        columns = plain_columns(text, self.delimiter, width)
        return columns and [[*map(str.strip, columns[number])] for number in numbers]

    def lines(self, blocks: Iterable[Block]) -> Iterator[DelimitedLine]:
        """Yield the lines that are not blank, joined where a quoted field has several."""
        lines = (
            DelimitedLine(number, text, number in block.bad)
            for block in blocks
            for number, text in enumerate(block.text.split("\n")[:-1], block.first)
        )
        for line in lines:
            if self._is_quoted(line.text):
                yield self._joined(line, lines)
            elif line.text and not line.text.isspace():
                yield line

    def _joined(self, line: DelimitedLine, following: Iterator[DelimitedLine]) -> DelimitedLine:
        """Return a line, joined with those that an open quote takes in."""
        parts, size, bad = [line.text], len(line.text), line.bad
        quotes, wrong = line.text.count('"'), self._wrong_quote(line.text)
        while wrong is not None and wrong.problem == _OPEN and size <= MAX_LINE:
            other = next(following, None)
            if other is None:
                break
            parts.append(other.text)
            size, bad = size + len(other.text) + 1, bad or other.bad
            quotes += other.text.count('"')
            if '"' in other.text and quotes % 2 == 0:
                wrong = self._wrong_quote("\n".join(parts))
        return DelimitedLine(line.number, "\n".join(parts), bad, wrong)

    def _is_quoted(self, text: str) -> bool:
        return self.has_quotes and '"' in text

    def _wrong_quote(self, line: str) -> DelimitedField | None:
        """Return the first field that begins with a quote but is not quoted as a whole."""
        if self._quoted_texts(line) is not None:
            return None
        return next((cell for cell in self.cells(line) if cell.problem), None)

    def _quoted_texts(self, line: str) -> list[str] | None:
        """Return the texts of fields that may be quoted; None if a quote may be wrong."""
        mark = self.delimiter
        fields = re.findall(rf' *"((?:[^"]|"")*+)" *{mark}|([^{mark}]*){mark}', line + mark)
        if any('"' in plain for _, plain in fields):
            return None
        return [quoted.replace('""', '"') or plain.strip() for quoted, plain in fields]
