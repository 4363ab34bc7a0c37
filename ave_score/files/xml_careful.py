"""XML read with care: by expat, which knows lines and columns, noting every finding."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import NoReturn, Protocol, TypeVar, runtime_checkable
from xml.parsers import expat

from ave_score import rules
from ave_score.files.doctype import without_doctype
from ave_score.files.elements import MAX_TOKEN, Complaint, Report, StopReadingError
from ave_score.files.encoding import declared_codec
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.rules import Rule

_KNOWN_TO_EXPAT = {"utf-8", "utf-16", "iso8859-1", "ascii"}  # as codecs names them


_DOCTYPE = "a DOCTYPE with comments or references in it, behind which words could be lost"


class _UnknownEncodingError(Exception):
    """Raised where a file declares an encoding that Python does not know."""


class Place(Protocol):
    """Tells where reading is."""

    def __call__(self) -> tuple[int, int]:
        """Return line and column, from 1."""


class Elements(Protocol):
    """Takes the elements of a file as they begin and end."""

    def start(self, tag: str, attributes: dict[str, str], /) -> None:
        """Take the start of an element."""

    def end(self, tag: str, /) -> None:
        """Take the end of an element."""


@runtime_checkable
class Texts(Protocol):
    """Takes the texts of a file, too."""

    def text(self, piece: str, /) -> None:
        """Take a piece of text; what stands together may come in several."""


Taker = TypeVar("Taker", bound=Elements)


def read_carefully(
    source: Source,
    findings: Findings,
    make: Callable[[Report, Place], Taker],
    also: Callable[[bytes], None] = lambda _: None,
    complaint: Complaint | None = None,
) -> Taker | None:
    """Feed the file to expat; return who took its elements, None where reading had to end.

    Parameters
    ----------
    make
        Makes the taker, given what notes a finding at the present place, and the place.
    also
        Called with each chunk of the file.
    complaint
        Why lxml did not take the file as XML, if so: it says more than expat does, and stands even
        if expat sees nothing wrong.
    """
    parser = expat.ParserCreate()

    def place() -> tuple[int, int]:
        return parser.CurrentLineNumber, parser.CurrentColumnNumber + 1

    def report(rule: Rule, /, **facts: object) -> None:
        findings.add(rule, *place(), **facts)

    def refuse_entity(name: str, *_: object) -> NoReturn:
        report(rules.ENTITY_DECLARED, name=name)
        raise StopReadingError

    def refuse_doctype() -> NoReturn:
        # plain ones were blanked; behind others expat passes over entities that it does not know
        report(rules.NOT_WELL_FORMED, problem=_DOCTYPE)
        raise StopReadingError

    taker = make(report, place)
    parser.StartElementHandler = taker.start
    parser.EndElementHandler = taker.end
    if isinstance(taker, Texts):
        parser.CharacterDataHandler = taker.text
        parser.EndDoctypeDeclHandler = refuse_doctype
    parser.EntityDeclHandler = refuse_entity
    try:
        _parse_all(parser, _decoded_for_expat(without_doctype(source, also)), report)
    except StopReadingError:
        return None
    except (_UnknownEncodingError, UnicodeError, expat.ExpatError) as error:
        line, column, problem = _explained(error, parser, complaint)
        findings.add(rules.NOT_WELL_FORMED, line, column, problem=problem)
        return None
    if complaint:
        findings.add(
            rules.NOT_WELL_FORMED,
            complaint.line or None,
            complaint.column or None,
            problem=complaint.problem,
        )
        return None
    return taker


def _explained(
    error: Exception, parser: expat.XMLParserType, complaint: Complaint | None
) -> tuple[int, int | None, str]:
    """Return line, column and what is wrong there, in lxml's words where it has some."""
    if isinstance(error, UnicodeError):
        line = parser.CurrentLineNumber
        if isinstance(error, UnicodeDecodeError):
            line += error.object[: error.start].count(b"\n")
        return line, None, "the text is not in the encoding that the file declares"
    place: tuple[int, int | None] = (1, None)
    problem = str(error)
    if isinstance(error, expat.ExpatError):
        place = (error.lineno, error.offset + 1)
        problem = expat.errors.messages[error.code]
    return *place, complaint.problem if complaint else problem


def _parse_all(parser: expat.XMLParserType, pieces: Iterator[bytes | str], report: Report) -> None:
    """Feed all pieces; a token that does not end is reported and ends the reading."""
    fed = 0
    for piece in pieces:
        try:
            parser.Parse(piece, False)
        except ValueError as error:  # an encoding of several bytes, declared in UTF-16
            raise _UnknownEncodingError(str(error)) from error
        fed += len(piece.encode() if isinstance(piece, str) else piece)
        if fed - parser.CurrentByteIndex > MAX_TOKEN:
            report(rules.TOKEN_TOO_LONG, limit=MAX_TOKEN // 1_000_000)
            raise StopReadingError
    parser.Parse(b"", True)


def _decoded_for_expat(chunks: Iterator[bytes]) -> Iterator[bytes | str]:
    """Yield the file's bytes, or its text where the encoding is strange to expat.

    Without the byte order mark and the surrogates of UTF-16, which expat would count as columns.
    """
    decoder = None
    for number, chunk in enumerate(chunks):
        if number == 0:
            chunk = chunk.removeprefix(codecs.BOM_UTF8)  # noqa: PLW2901
            decoder = _decoder(chunk)
        yield decoder.decode(chunk) if decoder else chunk
    if decoder:
        yield decoder.decode(b"", True)


def _decoder(head: bytes) -> codecs.IncrementalDecoder | None:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")()
    try:
        codec = declared_codec(head)
    except LookupError as error:
        raise _UnknownEncodingError(str(error)) from None
    if codec is None or codec.name in _KNOWN_TO_EXPAT:
        return None
    return codec.incrementaldecoder()
