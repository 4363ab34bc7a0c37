"""AVE 2007/2008 collections: `<q id><q_str/><a id value><a_str/><t_str/></a>...</q>` in any root.

Two passes share one builder. The quick one (lxml, events only, no tree) is all that a sound file
needs. At the first doubt it stops, and the careful one (expat, which knows lines and columns) reads
the file again from the start and notes every finding. A DOCTYPE is such a doubt: the careful pass
never loads a DTD, and refuses an entity declaration before anything can be expanded.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator
from typing import NoReturn
from xml.parsers import expat

from lxml import etree

from ave_score import rules
from ave_score.findings import Findings, Rule
from ave_score.formats.collection_builder import EXPECTED, CollectionBuilder, StopReadingError
from ave_score.formats.source import Source
from ave_score.model import Collection

MAX_TOKEN = 4 << 20
"""Longest tag or comment that the careful pass reads; expat's time grows with its square."""

_RUN_LINE = re.compile(rb"^\S+[ \t]+\S+[ \t]+(SELECTED|VALIDATED|REJECTED)\b", re.I | re.M)
_DECLARED_ENCODING = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']""")
_PLAIN_DOCTYPE = re.compile(  # *+ never goes back, so that no prolog takes long
    rb"""\A(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*+"""
    rb"""(<!DOCTYPE(?:[^<>\[\]"']|"[^"]*"|'[^']*')*+"""
    rb"""(?:\[(?:(?!<!ENTITY|<!--|%)[^\]"']|"[^"]*"|'[^']*')*+\]\s*)?>)""",
    re.S,
)
_KNOWN_TO_EXPAT = {"utf-8", "utf-16", "iso8859-1", "ascii"}  # as codecs names them
_ADVICE = re.compile(r",? use XML_PARSE_HUGE option|, line \d+, column \d+.*", re.S)


class _DoubtError(Exception):
    """Raised by the quick pass where the careful one has to look; its text is lxml's complaint."""


class _UnknownEncodingError(Exception):
    """Raised where a file declares an encoding that Python does not know."""


def read_collection(source: Source, findings: Findings) -> Collection | None:
    """Read a collection; None, with findings, where there is nothing in it that could be scored."""
    if not _looks_like_xml(source, findings):
        return None
    digest = hashlib.sha256()
    try:
        builder: CollectionBuilder | None = _quick_pass(source, digest.update)
    except _DoubtError as doubt:
        digest = hashlib.sha256()
        builder = _careful_pass(source, findings, digest.update, str(doubt))
    if builder is None:
        return None
    if not builder.questions:
        findings.add(rules.NO_QUESTIONS)
        return None
    return Collection(source.path, digest.hexdigest(), builder.roster(), bytes(builder.labels))


def _looks_like_xml(source: Source, findings: Findings) -> bool:
    """Tell files that were given by mistake from broken XML, by how they begin."""
    bare = (
        chunk.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        for chunk in source.chunks()
    )
    text = next(filter(None, bare), b"")[:4096]
    if text.startswith(b"<"):
        return True
    if not text:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    elif _RUN_LINE.search(text):
        hint = "; were collection and run swapped?"
        findings.add(rules.OTHER_FORMAT, 1, found="an AVE run", expected=EXPECTED, hint=hint)
    else:
        kind = "JSON" if text[:1] in b"{[" else "no XML at all"
        findings.add(rules.OTHER_FORMAT, 1, found=kind, expected=EXPECTED, hint="")
    return False


def _without_doctype(source: Source, also: Callable[[bytes], None]) -> Iterator[bytes]:
    """Yield the file with a DOCTYPE line blanked: the DTD it names is not read in any case.

    So a reference to an entity of that DTD is an error in its place, not a word lost in silence.
    A DOCTYPE that declares entities itself stays, for the careful pass to refuse.
    """
    for number, chunk in enumerate(source.chunks()):
        also(chunk)
        doctype = _PLAIN_DOCTYPE.match(chunk) if number == 0 else None
        if doctype and chunk.count(b"<!DOCTYPE") == 1:
            start, end = doctype.span(1)
            blanks = re.sub(rb"[^\r\n]", b" ", doctype[1])
            yield chunk[:start] + blanks + chunk[end:]
        else:
            yield chunk


class _QuickBuilder(CollectionBuilder):
    """The target of lxml's parser: any report, and any DOCTYPE, is a doubt."""

    def __init__(self) -> None:
        super().__init__(self._doubt)

    def doctype(self, *_: object) -> NoReturn:
        raise _DoubtError

    def close(self) -> CollectionBuilder:
        return self

    @staticmethod
    def _doubt(_rule: Rule, /, **_facts: object) -> NoReturn:
        raise _DoubtError


def _quick_pass(source: Source, also: Callable[[bytes], None]) -> CollectionBuilder:
    """Feed the file to lxml; raises `_DoubtError` where anything is wrong."""
    builder = _QuickBuilder()
    parser = etree.XMLParser(
        target=builder,  # type: ignore[arg-type]  # the stubs ask for methods lxml does not
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for chunk in _without_doctype(source, also):
            parser.feed(chunk)
        parser.close()
    except etree.XMLSyntaxError as error:
        raise _DoubtError(_ADVICE.sub("", error.msg or "it ends too early").strip()) from None
    if not builder.questions:
        raise _DoubtError  # perhaps the elements have a default namespace, which expat leaves out
    return builder


def _careful_pass(
    source: Source, findings: Findings, also: Callable[[bytes], None], complaint: str
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

    builder = CollectionBuilder(report)
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.EntityDeclHandler = refuse_entity
    try:
        fed = 0
        for piece in _decoded_for_expat(_without_doctype(source, also)):
            _parse(parser, piece)
            fed += len(piece)
            if fed - parser.CurrentByteIndex > MAX_TOKEN:
                report(rules.TOKEN_TOO_LONG, limit=MAX_TOKEN >> 20)
                return None
        parser.Parse(b"", True)
    except StopReadingError:
        return None
    except _UnknownEncodingError as error:
        findings.add(rules.NOT_WELL_FORMED, 1, problem=complaint or str(error))
        return None
    except UnicodeDecodeError as error:
        problem = "the text is not in the encoding that the file declares"
        line = parser.CurrentLineNumber + error.object[: error.start].count(b"\n")
        findings.add(rules.NOT_WELL_FORMED, line, problem=problem)
        return None
    except expat.ExpatError as error:
        problem = complaint or expat.errors.messages[error.code]
        findings.add(rules.NOT_WELL_FORMED, error.lineno, error.offset + 1, problem=problem)
        return None
    if complaint:
        findings.add(rules.NOT_WELL_FORMED, problem=complaint)
        return None
    return builder


def _parse(parser: expat.XMLParserType, piece: bytes | str) -> None:
    try:
        parser.Parse(piece, False)
    except ValueError as error:  # an encoding of several bytes, declared in UTF-16
        raise _UnknownEncodingError(str(error)) from error


def _decoded_for_expat(chunks: Iterator[bytes]) -> Iterator[bytes | str]:
    """Yield the file's bytes, or its text where the declared encoding is strange to expat."""
    decoder = None
    for number, chunk in enumerate(chunks):
        if number == 0 and (declared := _DECLARED_ENCODING.match(chunk)):
            codec = _codec(declared[1].decode("ascii"))
            if codec.name not in _KNOWN_TO_EXPAT:
                decoder = codec.incrementaldecoder()
        yield decoder.decode(chunk) if decoder else chunk
    if decoder:
        yield decoder.decode(b"", True)


def _codec(name: str) -> codecs.CodecInfo:
    """Return Python's codec of this name, if it is one of text."""
    try:
        codec = codecs.lookup(name)
        b"aaaa".decode(codec.name)
    except UnicodeDecodeError:  # a codec of text, if not of this one
        return codec
    except LookupError as error:
        raise _UnknownEncodingError(str(error)) from None
    return codec
