"""XML: lxml reads it, and expat reads it again where lines and columns have to be told.

A dialect is a subclass of `ElementReader`, which holds all its rules. Where nothing is wrong, lxml
feeds it with events, and no tree is built. lxml's events have no columns: where a finding, or a
record, needs its place, expat feeds a new reader of the same class from the start of the file.

No DTD is loaded. A plain DOCTYPE is blanked before either parser meets it, so that a reference to
an entity of its DTD is an error in its place, not a word lost in silence. Any other DOCTYPE is left
to expat: a declared entity is refused before anything can be expanded.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar

from ave_score import rules
from ave_score.files.encoding import declared_codec
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.rules import Rule
from ave_score.text import is_usable_id

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MAX_DEPTH = 256
"""Deepest nesting that is read; a collection has 4 levels, one of QA4MRE 6."""

MAX_TOKEN = 10_000_000
"""Bytes of the longest tag or comment that is read, as by lxml; time grows with its square."""

_MAX_TAGS = 100
"""Tags of a file that are remembered: a file may have more than there is memory for."""

Attributes: TypeAlias = Mapping[str, str]

Position: TypeAlias = tuple[int, int]
"""Line and column, from 1."""

_ParserError: TypeAlias = tuple[str, int, int]
"""Why lxml does not take a file as XML, with line and column, which are 0 if not known."""

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
"""What lxml's messages say to programmers, and places that it is asked for apart."""

_KNOWN_TO_EXPAT = {"utf-8", "utf-16", "iso8859-1", "ascii"}  # as codecs names them


class _StopReadingError(Exception):
    """Raised where reading on is no use; the reason has been reported."""


class _UnknownEncodingError(Exception):
    """Raised where a file declares an encoding that Python does not know."""


class _PositionNeededError(Exception):
    """Raised while lxml reads, where only expat can tell the position of what is wrong."""


class _Handlers(dict[str, _Handler | None]):
    """What takes an element, if anything, by its tag, with a namespace or without."""

    def __missing__(self, tag: str) -> _Handler | None:
        handler = self.get(local_name(tag))
        if len(self) < _MAX_TAGS:
            self[tag] = handler
        return handler


class ElementReader:
    """Takes the elements of a file as a parser meets them; a subclass for each dialect.

    Attributes
    ----------
    findings
        Where defects are noted.
    parser
        The parser that feeds it if that is expat, which knows positions; lxml does not.
    started
        How many elements have started.
    has_texts
        Whether the texts of elements are wanted.
    """

    has_texts = False

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.parser: XMLParserType | None = None
        self._starters = _Handlers[Starter]()
        self._enders = _Handlers[Ender]()
        self.started = self._ended = 0

    def handle(self, starters: Mapping[str, Starter], enders: Mapping[str, Ender]) -> None:
        """Say what takes the starts and the ends of elements; others are passed over."""
        self._starters = _Handlers(starters)
        self._enders = _Handlers(enders)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        self.started = started = self.started + 1
        if started - self._ended > MAX_DEPTH:
            self.refuse(rules.TOO_DEEP, limit=MAX_DEPTH)
        if started == 1:
            self.start_root(local_name(tag), attributes)
        handle = self._starters[tag]
        if handle is not None:
            handle(attributes)

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        self._ended += 1
        handle = self._enders[tag]
        if handle is not None:
            handle()

    def text(self, piece: str) -> None:
        """Take a piece of text; what stands together may come in several."""

    def start_root(self, name: str, attributes: Attributes) -> None:
        """Look at the root element, before what takes elements of its name does."""

    def finish(self) -> None:
        """Look at all that was read; called at the end of a well-formed file."""

    def position(self) -> Position:
        """Return where the element begins, or ends, that is being taken."""
        if self.parser is None:
            return 0, 0
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def report(self, rule: Rule, at: Position | None = None, /, **facts: object) -> None:
        """Note that a rule is broken, at the present position if no other is given."""
        if self.parser is None:
            raise _PositionNeededError
        self.findings.add(rule, *(at or self.position()), **facts)

    def refuse(self, rule: Rule, /, **facts: object) -> NoReturn:
        """Note that a rule is broken so that reading on is no use."""
        self.report(rule, **facts)
        raise _StopReadingError

    def doctype(self, *_: object) -> NoReturn:
        """Leave a DOCTYPE to expat; only lxml calls this."""
        raise _PositionNeededError

    def close(self) -> None:
        """End a file; only lxml calls this."""

    def checked_id(self, tag: str, name: str, attributes: Attributes) -> str:
        """Return the id that an attribute holds, "" where there is none; report one of no use."""
        found = attributes.get(name, "")
        if not _plain_id(found):
            if name not in attributes:
                self.report(rules.ID_MISSING, tag=tag, attribute=name)
            elif not is_usable_id(found):
                self.report(rules.ID_UNUSABLE, found=found)
        return found


def local_name(tag: str) -> str:
    """Return the tag without its namespace, which stands before `}` in lxml, `:` in expat."""
    return tag.replace("}", ":").rpartition(":")[2]


def stripped(attributes: Attributes) -> dict[str, str]:
    """Return attributes without blanks around their values, which files of QA4MRE have."""
    return {name: value.strip() for name, value in attributes.items()}


Reader = TypeVar("Reader", bound=ElementReader)


def read_xml(
    source: Source, make: Callable[[], Reader], *, positions: bool = False
) -> Reader | None:
    """Feed a file to a reader of its elements; return the reader, or None where reading had to end.

    `make` makes a new reader, whose findings get the defects of the XML, too. If it needs
    `positions` of what is not wrong, lxml need not begin.
    """
    complaint = None
    if not positions:
        reader = make()
        try:
            complaint = _feed_lxml(source, reader)
            if complaint is None:
                reader.finish()
                return reader
        except _PositionNeededError:
            pass
    reader = make()
    if _feed_expat(source, reader, complaint):
        return reader
    reader.findings.skip("everything after the position where reading stopped")
    return None


def _chunks(source: Source) -> Iterator[bytes]:
    """Yield the file with its DOCTYPE blanked."""
    for number, chunk in enumerate(source.chunks()):
        yield _without_doctype(chunk) if number == 0 else chunk


def _without_doctype(head: bytes) -> bytes:
    """Return the first bytes of a file, as many as there were, with a plain DOCTYPE as blanks."""
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


def _feed_lxml(source: Source, reader: ElementReader) -> _ParserError | None:
    """Feed a file to a reader; return why it is not well-formed, if it is not."""
    from lxml import etree  # where all positions are needed it is not

    parser = etree.XMLParser(
        target=reader,  # type: ignore[arg-type]  # the stubs ask for methods lxml does not
        resolve_entities="internal",  # type: ignore[arg-type]  # &amp;; the stubs are older
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    idle = started = 0
    try:
        for chunk in _chunks(source):
            parser.feed(chunk)
            idle = idle + len(chunk) if reader.started == started else 0
            started = reader.started
            if idle > 2 * MAX_TOKEN:  # lxml would gather a tag without end
                raise _PositionNeededError
        parser.close()
    except etree.XMLSyntaxError as error:
        return re.sub(_ADVICE, "", error.msg or "it ends too early").strip(), *error.position
    return None


def _feed_expat(source: Source, reader: ElementReader, complaint: _ParserError | None) -> bool:
    """Feed a file to a reader, with positions; return whether all of it could be read.

    lxml's complaint says more than expat does, and stands even if expat sees nothing wrong.
    """
    from xml.parsers import expat  # where all is well lxml is enough

    parser = reader.parser = expat.ParserCreate()
    line: int | None
    column: int | None
    try:
        _feed_all(parser, source, reader)
        if complaint is None:
            reader.finish()
            return True
        problem, line, column = complaint
    except _StopReadingError:
        return False
    except UnicodeError as error:
        line, column = parser.CurrentLineNumber, None
        if isinstance(error, UnicodeDecodeError):
            line += error.object[: error.start].count(b"\n")
        problem = "the text is not in the encoding that the file declares"
    except _UnknownEncodingError as error:
        line, column, problem = 1, None, complaint[0] if complaint else str(error)
    except expat.ExpatError as error:
        line, column = error.lineno, error.offset + 1
        problem = complaint[0] if complaint else expat.errors.messages[error.code]
    reader.findings.add(rules.NOT_WELL_FORMED, line or None, column or None, problem=problem)
    return False


def _feed_all(parser: XMLParserType, source: Source, reader: ElementReader) -> None:
    """Feed a file to expat; refuse entities, and a token that does not end."""
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.EntityDeclHandler = lambda name, *_: reader.refuse(rules.ENTITY_DECLARED, name=name)
    if reader.has_texts:
        parser.CharacterDataHandler = reader.text
        # plain ones were blanked; behind others expat passes over entities that it does not know
        refuse_doctype = partial(reader.refuse, rules.NOT_WELL_FORMED, problem=_DOCTYPE)
        parser.EndDoctypeDeclHandler = refuse_doctype
    fed = 0
    for piece in _decoded_for_expat(_chunks(source)):
        try:
            parser.Parse(piece, False)
        except ValueError as error:  # an encoding of several bytes, declared in UTF-16
            raise _UnknownEncodingError(str(error)) from error
        fed += len(piece.encode() if isinstance(piece, str) else piece)
        if fed - parser.CurrentByteIndex > MAX_TOKEN:
            reader.refuse(rules.TOKEN_TOO_LONG, limit=MAX_TOKEN // 1_000_000)
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
