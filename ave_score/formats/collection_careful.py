"""The careful pass over a collection: expat, which knows lines and columns, notes every finding."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import NoReturn
from xml.parsers import expat

from ave_score import rules
from ave_score.findings import Findings
from ave_score.formats.collection_builder import (
    MAX_TOKEN,
    CollectionBuilder,
    Complaint,
    Labels,
    Report,
    StopReadingError,
)
from ave_score.formats.doctype import without_doctype
from ave_score.formats.encoding import declared_codec
from ave_score.formats.source import Source
from ave_score.rules import Rule

_KNOWN_TO_EXPAT = {"utf-8", "utf-16", "iso8859-1", "ascii"}  # as codecs names them


class _UnknownEncodingError(Exception):
    """Raised where a file declares an encoding that Python does not know."""


def careful_pass(
    source: Source,
    findings: Findings,
    also: Callable[[bytes], None],
    complaint: Complaint | None,
    wanted: Labels,
) -> CollectionBuilder | None:
    """Feed the file to expat and note every finding with its line and column.

    `complaint` is why lxml did not take the file as XML, if so: it says more than expat does, and
    stands even if expat sees nothing wrong.
    """
    parser = expat.ParserCreate()

    def report(rule: Rule, /, **facts: object) -> None:
        column = parser.CurrentColumnNumber + 1
        findings.add(rule, parser.CurrentLineNumber, column, **facts)

    def refuse_entity(name: str, *_: object) -> NoReturn:
        report(rules.ENTITY_DECLARED, name=name)
        raise StopReadingError

    builder = CollectionBuilder(report, wanted)
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
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
        place = (complaint.line or None, complaint.column or None)
        findings.add(rules.NOT_WELL_FORMED, *place, problem=complaint.problem)
        return None
    return builder


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
