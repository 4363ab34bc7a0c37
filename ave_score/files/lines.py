"""Text files as blocks of complete lines: encoding, line ends, odd characters.

Files are processed in blocks of about 64 KB with built-in string functions, which is fast and needs
little memory. Only blocks with defects are processed line by line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.text import (
    find_allowed_control,
    find_control,
    find_odd,
    plain_blanks,
    without_odd,
)
from ave_score.files.encoding import without_mark
from ave_score.files.foreign import JSON, OTHER_COLUMNS, XML, foreign, hint_of
from ave_score.files.positions import FIELD
from ave_score.files.source import Source
from ave_score.rules import Rule, Safety

MAX_LINE = 1 << 20
"""Bytes of the longest line that is read."""

JUDGED_LINES = 10_000
"""Each time that so many lines were read, a file is given up if nearly all of them are lost: it is
of another format, and a finding for each of millions of lines helps nobody."""

_PLAIN = bytes(range(0x20, 0x7F)) + bytes(range(0x80, 0x100)) + b"\t\n"
_LOST = 0.9

_SEPARATOR = re.compile(rb'\A"?sep=."?(?=[\r\n])')
"""What Excel writes, and reads, as the first line of CSV."""


def plain_columns(text: str, mark: str, width: int) -> list[list[str]] | None:
    """Return the columns of lines; None if any line has another number of fields.

    Parameters
    ----------
    text
        Lines, each ending with LF.
    mark
        What separates the fields.
    width
        The number of fields of a line, at least 1.
    """
    # With line ends as a field of their own, every last field is one exactly if every line has
    # `width` fields with one separator between them.
    fields = text.replace("\n", f"{mark}\n{mark}").split(mark)
    fields.pop()
    *columns, ends = (fields[number :: width + 1] for number in range(width + 1))
    size = text.count("\n")
    return columns if len(fields) == (width + 1) * size and ends.count("\n") == size else None


class Block(NamedTuple):
    """Complete lines of a file, each ending with LF.

    `first` is the number of the first line. The lines numbered in `bad` are reported as unusable;
    their text is a guess.
    """

    first: int
    text: str
    bad: frozenset[int] = frozenset()

    def columns(self, width: int) -> list[list[str]] | None:
        """Return the columns of lines of `width` fields; None if any may be something else."""
        if self.bad or self.text.startswith("#") or "\n#" in self.text:
            return None
        columns = plain_columns(self.text.replace("\t", " "), " ", width)
        return None if columns is None or any("" in column for column in columns) else columns

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of every non-empty line."""
        for number, line in enumerate(self.text.split("\n"), self.first):
            if line:
                yield number, line

    def rows(self) -> Iterator[tuple[int, str, list[str]]]:
        """Yield number, text and fields (separated by blanks or tabs) of non-blank lines.

        Lines that start with # are comments and skipped.
        """
        for number, line in self.lines():
            fields = FIELD.findall(line)
            if fields and not line.startswith("#"):
                yield number, line, fields


class LineReader:
    """Reads a text file block by block.

    Parameters
    ----------
    source
        The file.
    findings
        Receives the defects.
    expected
        The expected kind of file, for messages: "an AVE run".
    has_texts
        Whether fields contain natural language, where invisible characters and Unicode blanks are
        allowed.
    if_xml
        Returns the end of the message about an XML file.
    own_start
        A start of a foreign format that is allowed here: `{` for JSON Lines.
    longest
        Bytes of the longest line that is read.
    """

    def __init__(
        self,
        source: Source,
        findings: Findings,
        expected: str,
        *,
        has_texts: bool = False,
        if_xml: Callable[[], str] = str,
        own_start: bytes = b"",
        longest: int = MAX_LINE,
    ) -> None:
        self.source = source
        self.findings = findings
        self.expected = expected
        self.if_xml = if_xml
        self.own_start = own_start
        self.longest = longest
        self.usual_end = b"\n"
        """The line end that is not reported; CSV has CRLF by its standard (RFC 4180)."""
        self.first_line = 1
        self.usable = True
        """Whether the file is text of a plausible kind; otherwise reading stops."""
        self._has_texts = has_texts
        self._find_odd = find_control if has_texts else find_odd
        self._bad: set[int] = set()

    def blocks(self) -> Iterator[Block]:
        """Yield the lines of the file in blocks."""
        return map(self.block, self.pieces())

    def block(self, data: bytes) -> Block:
        """Return the next lines of the file, decoded; defects are added to the findings."""
        self._bad.clear()
        first = self.first_line
        text = self._decoded(data)
        self.skip(text.count("\n"))
        return Block(first, text, frozenset(self._bad))

    def skip(self, lines: int) -> None:
        """Count lines that were read without `block`."""
        self.first_line += lines

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the file as complete lines, each ending with LF.

        A piece has to be read before the next is taken: a file of useless lines is given up.
        """
        for piece in self._pieces():
            # even if all of a piece is lost, few of the lines so far are: it stays whole
            size = piece.count(b"\n")
            if self.findings.lost + size < max(JUDGED_LINES, self.first_line - 1 + size) * _LOST:
                yield piece
                continue
            for part in _divided(piece, self.first_line):
                yield part
                if self._gives_up():
                    return

    def _gives_up(self) -> bool:
        """Tell whether nearly all lines so far are lost, wherever the pieces end; report it."""
        lines, lost = self.first_line - 1, self.findings.lost
        if not lines or lines % JUDGED_LINES or lost < lines * _LOST:
            return False
        what = f"another format ({lost:,} of the first {lines:,} lines are unreadable)"
        facts = {"found": what, "expected": self.expected, "hint": "; reading stopped"}
        self.findings.add(rules.OTHER_FORMAT, lines, **facts)
        self.findings.skip(f"the lines after line {lines:,}")
        self.usable = False
        return True

    def _pieces(self) -> Iterator[bytes]:
        raw = self.source.chunks()
        head = self._checked_head(next(raw, b""))
        if not self.usable:
            return
        rest, skipping = b"", False  # skipping: inside a line that is too long
        for chunk in _lf_ended(chain([head], raw), self.findings, self.usual_end):
            rest += chunk
            first_end = rest.find(b"\n")
            if not skipping and (first_end if first_end >= 0 else len(rest)) > self.longest:
                self.findings.add(rules.LINE_TOO_LONG, self.first_line, limit=self.longest)
                skipping = True
            if skipping:
                rest = rest[first_end:] if first_end >= 0 else b""
                skipping = first_end < 0
            end = rest.rfind(b"\n") + 1
            if end:
                yield rest[:end]
                rest = rest[end:]
        if rest or skipping:
            yield rest + b"\n"

    def _checked_head(self, head: bytes) -> bytes:
        """Report a file that is not UTF-8 text of the expected kind; return its head."""
        begun = without_mark(head, self.findings, self.expected)
        sample = begun[:4096] if begun else b""
        kind = foreign(sample, self.source)
        of_json = kind in (JSON, OTHER_COLUMNS)
        is_own = self.own_start and sample.lstrip().startswith(self.own_start) and of_json
        if kind and kind != self.expected and not is_own:
            hint = self.if_xml() if kind == XML else hint_of(sample)
            facts = {"found": kind, "expected": self.expected, "hint": hint}
            self.findings.add(rules.OTHER_FORMAT, 1, **facts)
            begun = None
        if begun is not None:
            return _SEPARATOR.sub(b"", begun)
        self.findings.skip("its lines: nothing in the file was read")
        self.usable = False
        return b""

    def _decoded(self, data: bytes) -> str:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = "".join(self._decoded_lines(data))
        if data.translate(None, _PLAIN) or not data.isascii():
            text = self._without_odd_characters(text)
        return text

    def _decoded_lines(self, data: bytes) -> Iterator[str]:
        """Decode line by line, with Latin-1 as a guess for lines that are not UTF-8."""
        for number, line in enumerate(data.splitlines(keepends=True), self.first_line):
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                column = len(line[: error.start].decode("utf-8")) + 1
                guess = line.decode("latin-1")
                self._reject(rules.NOT_UTF8, number, column, guess, byte=line[error.start])
                yield guess

    def _without_odd_characters(self, text: str) -> str:
        """Report control, invisible and exotic blank characters, once a line, and replace them.

        In texts, control characters that XML allows are kept.
        """
        if self._has_texts and find_allowed_control(text):
            self._warn_of_controls(text)
        if not self._find_odd(text):
            return text
        lines = text.split("\n")
        for index, line in enumerate(lines):
            odd = self._find_odd(line)
            if odd:
                number = self.first_line + index
                if number not in self._bad:
                    self._reject_odd(number, line, odd)
                lines[index] = without_odd(line)
        return "\n".join(lines)

    def _warn_of_controls(self, text: str) -> None:
        """Report the first control character of each line that has one."""
        for number, line in enumerate(text.split("\n"), self.first_line):
            odd = find_allowed_control(line)
            if odd:
                what = _described(odd[0])
                self.findings.add(rules.CONTROL_IN_TEXT, number, odd.start() + 1, line, found=what)

    def _reject_odd(self, number: int, line: str, odd: re.Match[str]) -> None:
        """Report the first odd character of a line, and how many more there are."""
        others, last = 0, odd
        while following := self._find_odd(line, last.end()):
            others, last = others + 1, following
        self._reject(
            rules.CONTROL_CHARACTER,
            number,
            odd.start() + 1,
            line,
            fix=Safety.SAFE if plain_blanks(line) != line else Safety.UNSAFE,
            found=_described(odd[0]),
            also=f" (and {others:,} more in this line)" if others else "",
        )

    def _reject(
        self,
        rule: Rule,
        number: int,
        column: int,
        line: str,
        *,
        fix: Safety | None = None,
        **facts: object,
    ) -> None:
        self._bad.add(number)
        self.findings.add(rule, number, column, line.rstrip("\n"), fix, **facts)


def _divided(piece: bytes, first: int) -> Iterator[bytes]:
    """Divide a piece after each line whose number is a multiple of `JUDGED_LINES`."""
    ends = [match.end() for match in re.finditer(b"\n", piece)]
    start = 0
    for end in ends[JUDGED_LINES - 1 - (first - 1) % JUDGED_LINES :: JUDGED_LINES]:
        yield piece[start:end]
        start = end
    if start < len(piece):
        yield piece[start:]


def _described(character: str) -> str:
    name = unicodedata.name(character, "a control character")
    return f"U+{ord(character):04X} ({name.lower()})"


def _lf_ended(chunks: Iterable[bytes], findings: Findings, usual_end: bytes) -> Iterator[bytes]:
    """Replace CRLF and CR by LF, and report each once unless it is usual."""
    held = b""  # a CR at the end of a chunk may be half of a CRLF
    seen = {usual_end}
    for raw in chunks:
        chunk = held + raw
        held = b""
        if b"\r" in chunk:
            if chunk.endswith(b"\r"):
                chunk, held = chunk[:-1], b"\r"
            _note_line_ends(chunk, seen, findings)
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield chunk
    if held:
        _note_line_ends(held, seen, findings)
        yield b"\n"


def _note_line_ends(chunk: bytes, seen: set[bytes], findings: Findings) -> None:
    crlf = chunk.count(b"\r\n")
    for end, name, present in (
        (b"\r\n", "CRLF (Windows)", crlf),
        (b"\r", "CR (old Mac)", chunk.count(b"\r") - crlf),
    ):
        if present and end not in seen:
            seen.add(end)
            findings.add(rules.LINE_ENDS, found=name)
