"""Lines of a file by their numbers, for findings that are made without the line at hand."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator

from ave_score.files.encoding import declared_codec, marked_encoding
from ave_score.files.source import Source

MAX_QUOTED = 1 << 20
"""Characters of the longest line that is kept for a quotation."""

_END = r"\r\n|\r|\n"


def lines_of(source: Source, wanted: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield the lines of these numbers, with their number; one too long to quote is left out.

    Lines end with LF, CRLF or CR, as all readers count them. Bytes that are not text in the file's
    encoding are shown as replacement characters.
    """
    last = max(wanted, default=0)
    for number, line in _numbered(source) if wanted else ():
        if number > last:
            break
        if number in wanted and len(line) <= MAX_QUOTED:
            yield number, line


def _numbered(source: Source) -> Iterator[tuple[int, str]]:
    """Yield lines without their ends; of a long one no more than shows that it is too long."""
    number, line, held = 1, "", ""
    for piece in _texts(source):
        text = held + piece
        held = "\r" if text.endswith("\r") else ""  # perhaps half of a CRLF
        first, *others = re.split(_END, text.removesuffix("\r"))
        line += first
        for other in others:
            yield number, line
            number, line = number + 1, other
        line = line[: MAX_QUOTED + 1]
    yield number, line


def _texts(source: Source) -> Iterator[str]:
    decoder = None
    try:
        for chunk in source.chunks():
            if decoder is None:
                decoder = codecs.getincrementaldecoder(_encoding(chunk))("replace")
            yield decoder.decode(chunk)
        if decoder is not None:
            yield decoder.decode(b"", True)
    except UnicodeError:  # a few codecs cannot replace what they do not know
        return


def _encoding(head: bytes) -> str:
    marked = marked_encoding(head)
    if marked:
        return marked
    try:
        codec = declared_codec(head)
    except LookupError:
        codec = None
    return codec.name if codec else "utf-8"
