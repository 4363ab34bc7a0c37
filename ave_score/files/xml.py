"""XML, read with expat, which knows lines and columns; lxml says better what is not well-formed.

A dialect is a subclass of `ElementReader`, which is fed without building a tree.

No DTD is loaded. A plain DOCTYPE is blanked before parsing, so that a reference to an entity of its
DTD is an error instead of silently lost text. In any other, declared entities are refused before
any expansion.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar
from xml.parsers import expat

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.text import is_usable_id
from ave_score.files.encoding import declared_codec
from ave_score.files.source import Source
from ave_score.rules import Rule

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MAX_DEPTH = 256
"""Deepest nesting that is read; a collection has 4 levels, one of QA4MRE 6."""

MAX_TOKEN = 10_000_000
"""Bytes of the longest tag or comment, as in lxml; parsing takes quadratic time."""

_MAX_TAGS = 100
"""Tags, and names in the parser, of a file that are cached, to limit memory."""

Attributes: TypeAlias = Mapping[str, str]

Position: TypeAlias = tuple[int, int]
"""Line and column, from 1."""

Starter: TypeAlias = Callable[[Attributes], None]
Ender: TypeAlias = Callable[[], None]

_Handler = TypeVar("_Handler")

_plain_id = re.compile(r"[!\"$-~][!-~]*").fullmatch
"""Matches printable ASCII that does not begin with #: nearly every id there is."""

_PLAIN_DOCTYPE = (  # *+ never goes back, so that no prolog takes long
    r"""(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*+"""
    r"""(<!DOCTYPE(?:[^<>\[\]"']|"[^"]*"|'[^']*')*+"""
    r"""(?:\[(?:(?!<!ENTITY|<!--|%)[^\]"']|"[^"]*"|'[^']*')*+\]\s*)?>)"""
)
_DOCTYPE = "a DOCTYPE with comments or references, after which text could be lost"

_ADVICE = r"(?s),? use XML_PARSE_HUGE option|, line \d+, column \d+.*"
"""Parts of lxml's messages for programmers, and positions, which are reported separately."""

_KNOWN_TO_EXPAT = {"utf-8", "utf-16", "iso8859-1", "ascii"}  # as codecs names them


class _StopReadingError(Exception):
    """Raised to stop reading after the reason has been reported."""


class _UnknownEncodingError(Exception):
    """Raised if a file declares an encoding that Python does not know."""


class _Handlers(dict[str, _Handler | None]):
    """The handler of each tag, with or without a namespace."""

    def __missing__(self, tag: str) -> _Handler | None:
        handler = self.get(local_name(tag))
        if len(self) < _MAX_TAGS:
            self[tag] = handler
        return handler


class ElementReader:
    """Handles the elements of a file in document order; a subclass for each dialect.

    Attributes
    ----------
    findings
        Receives the defects.
    parser
        The parser that feeds it.
    started
        Number of elements that have started.
    has_texts
        Whether the texts of elements are needed.
    """

    has_texts = False

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.parser: XMLParserType = expat.ParserCreate(namespace_separator="}")
        self._starters = _Handlers[Starter]()
        self._enders = _Handlers[Ender]()
        self.started = self._ended = 0

    def handle(self, starters: Mapping[str, Starter], enders: Mapping[str, Ender]) -> None:
        """Set the handlers of start and end tags; other tags are ignored."""
        self._starters = _Handlers(starters)
        self._enders = _Handlers(enders)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        self.started = started = self.started + 1
        if started - self._ended > MAX_DEPTH:
            self.refuse(rules.TOO_DEEP, limit=MAX_DEPTH)
        if started == 1:
            self.start_root(local_name(tag), attributes)
        handle = self._starters[tag]
        if handle is not None:
            if "}" in "".join(attributes):
                attributes = {
                    name if "}" not in name else f"{{{name}": value
                    for name, value in attributes.items()
                }
            handle(attributes)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self._ended += 1
        handle = self._enders[tag]
        if handle is not None:
            handle()

    def text(self, piece: str) -> None:
        """Handle text, which may arrive in several pieces."""

    def comment(self, text: str) -> None:
        """Handle a comment."""

    def pi(self, target: str, data: str | None = None) -> None:
        """Handle a processing instruction."""

    def start_root(self, name: str, attributes: Attributes) -> None:
        """Handle the root element, before the handler of its tag."""

    def finish(self) -> None:
        """Run final checks at the end of a well-formed file."""

    def position(self) -> Position:
        """Return the position of the current start or end tag."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def report(self, rule: Rule, at: Position | None = None, /, **facts: object) -> None:
        """Add a finding, by default at the current position."""
        self.findings.add(rule, *(at or self.position()), **facts)

    def refuse(self, rule: Rule, /, **facts: object) -> NoReturn:
        """Add a finding and stop reading."""
        self.report(rule, **facts)
        raise _StopReadingError

    def checked_id(self, tag: str, name: str, attributes: Attributes) -> str:
        """Return the id in an attribute, "" if missing; report a missing or unusable id."""
        value = attributes.get(name, "")
        if not _plain_id(value):
            if name not in attributes:
                self.report(rules.ID_MISSING, tag=tag, attribute=name)
            elif not is_usable_id(value):
                self.report(rules.ID_UNUSABLE, found=value)
        return value


def local_name(tag: str) -> str:
    """Return the tag without its namespace, which ends with `}`."""
    return tag.rpartition("}")[2]


def stripped(attributes: Attributes) -> dict[str, str]:
    """Return the attributes with stripped values, as QA4MRE needs."""
    return {name: value.strip() for name, value in attributes.items()}


Reader = TypeVar("Reader", bound=ElementReader)


def read_xml(source: Source, reader: Reader) -> Reader | None:
    """Feed a file to a reader of its elements; return the reader, or None if reading had to stop.

    Its findings also receive defects of the XML.
    """
    if _feed(source, reader):
        reader.finish()
        return reader
    reader.findings.skip("everything after the position where reading stopped")
    return None


def _chunks(source: Source) -> Iterator[bytes]:
    """Yield the file with its DOCTYPE blanked."""
    for number, chunk in enumerate(source.chunks()):
        yield _without_doctype(chunk) if number == 0 else chunk


def _without_doctype(head: bytes) -> bytes:
    """Return the first bytes of a file with a plain DOCTYPE replaced by as many blanks."""
    if b"DOCTYPE" not in head.replace(b"\0", b""):
        return head
    encoding, start = "latin-1", 0  # reads any encoding that writes ASCII as ASCII
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if head.startswith(mark):
            encoding, start = name, len(mark)
    text = head[start:].decode(encoding, "replace")
    doctype = re.match(_PLAIN_DOCTYPE, text, re.S)
    if not doctype or text.count("<!DOCTYPE") != 1:
        return head
    start += len(text[: doctype.start(1)].encode(encoding))
    blanks = re.sub(r"[^\r\n]", " ", doctype[1]).encode(encoding)
    return head[:start] + blanks + head[start + len(blanks) :]


class _Target:
    """What lxml feeds to learn why a file is not well-formed."""

    def doctype(self, *_: object) -> NoReturn:
        raise _StopReadingError

    def close(self) -> None:
        pass


def _complaint(source: Source, most: int) -> str:
    """Return why the first bytes of a file are not well-formed, as lxml says it; "" if unknown."""
    from lxml import etree  # not needed for valid files

    parser = etree.XMLParser(
        target=_Target(),  # type: ignore[arg-type]  # the stubs ask for methods lxml does not
        resolve_entities="internal",  # type: ignore[arg-type]  # &amp;; the stubs are older
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for chunk in _chunks(source):
            parser.feed(chunk)
            most -= len(chunk)
            if most < 0:
                return ""
        parser.close()
    except etree.XMLSyntaxError as error:
        return re.sub(_ADVICE, "", error.msg or "it ends too early").strip()
    except _StopReadingError:
        pass
    return ""


def _feed(source: Source, reader: ElementReader) -> bool:
    """Feed a file to a reader; return whether it was read to the end."""
    parser = reader.parser
    line: int | None
    column: int | None
    try:
        _feed_all(parser, source, reader)
    except _StopReadingError:
        return False
    except UnicodeError as error:
        line, column = parser.CurrentLineNumber, None
        if isinstance(error, UnicodeDecodeError):
            line += error.object[: error.start].count(b"\n")
        problem = "the text is not in the encoding that the file declares"
    except _UnknownEncodingError as error:
        line, column, problem = 1, None, _complaint(source, MAX_TOKEN) or str(error)
    except expat.ExpatError as error:
        line, column = error.lineno, error.offset + 1
        problem = _complaint(source, 4 * parser.CurrentByteIndex + MAX_TOKEN)
        problem = problem or expat.errors.messages[error.code]
    else:
        return True
    reader.findings.add(rules.NOT_WELL_FORMED, line or None, column or None, problem=problem)
    return False


def _feed_all(parser: XMLParserType, source: Source, reader: ElementReader) -> None:
    """Feed a file to expat; refuse entities and endless tokens."""
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.EntityDeclHandler = lambda name, *_: reader.refuse(rules.ENTITY_DECLARED, name=name)
    if reader.has_texts:
        parser.CharacterDataHandler = reader.text
        parser.CommentHandler = reader.comment
        parser.ProcessingInstructionHandler = reader.pi
        # plain ones are blanked; after others expat skips unknown entities
        refuse_doctype = partial(reader.refuse, rules.NOT_WELL_FORMED, problem=_DOCTYPE)
        parser.EndDoctypeDeclHandler = refuse_doctype
    fed = 0
    for piece in _decoded_for_expat(_chunks(source)):
        try:
            parser.Parse(piece, False)
        except (ValueError, LookupError) as error:
            if isinstance(error, KeyError | IndexError):
                raise
            # a multi-byte encoding, or an unknown one, declared in UTF-16
            raise _UnknownEncodingError(str(error)) from error
        if len(parser.intern) > _MAX_TAGS:
            parser.intern.clear()
        fed += len(piece.encode() if isinstance(piece, str) else piece)
        if fed - parser.CurrentByteIndex > MAX_TOKEN:
            reader.refuse(rules.TOKEN_TOO_LONG, limit=MAX_TOKEN // 1_000_000)
    parser.Parse(b"", True)


def _decoded_for_expat(chunks: Iterator[bytes]) -> Iterator[bytes | str]:
    """Yield the file's bytes, or its text if expat does not know the encoding.

    Byte order marks and UTF-16 surrogates, which expat counts as columns, are removed.
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
