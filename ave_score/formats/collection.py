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
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn
from xml.parsers import expat

from lxml import etree

from ave_score import rules
from ave_score.findings import Findings, Rule
from ave_score.formats.collection_builder import EXPECTED, CollectionBuilder, StopReadingError
from ave_score.formats.source import Source
from ave_score.model import Collection

MAX_DEPTH = 256
"""Deepest nesting that is read (a collection has 4); lxml stops at the same depth."""

_RUN_LINE = re.compile(rb"\S+[ \t]+\S+[ \t]+(SELECTED|VALIDATED|REJECTED|YES|NO)\b", re.IGNORECASE)
_ENCODING = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']""")
_MULTIBYTE = frozenset(
    ["euc-jp", "shift_jis", "iso-2022-jp", "gb2312", "gbk", "gb18030", "big5", "euc-kr"]
)
"""Encodings that expat does not know and Python does."""


class _DoubtError(Exception):
    """Raised by the quick pass where the careful one has to look."""


def read_collection(source: Source, findings: Findings) -> Collection | None:
    """Read a collection; None, with findings, where there is nothing in it that could be scored."""
    if not _looks_like_xml(source, findings):
        return None
    digest = hashlib.sha256()
    try:
        builder: CollectionBuilder | None = _quick_pass(source, findings, digest.update)
    except _DoubtError:
        digest = hashlib.sha256()
        builder = _careful_pass(source, findings, digest.update)
    if builder is None:
        return None
    if not builder.questions:
        findings.add(rules.NO_QUESTIONS)
        return None
    return Collection(source.path, digest.hexdigest(), builder.roster(), bytes(builder.labels))


def _looks_like_xml(source: Source, findings: Findings) -> bool:
    """Tell files that were given by mistake from broken XML, by their first bytes."""
    head = next(source.chunks(), b"")[:4096]
    text = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if text.startswith(b"<"):
        return True
    if not text:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    elif _RUN_LINE.match(text):
        hint = "; were collection and run swapped?"
        findings.add(rules.OTHER_FORMAT, 1, found="an AVE run", expected=EXPECTED, hint=hint)
    else:
        kind = "JSON" if text[:1] in b"{[" else "no XML at all"
        findings.add(rules.OTHER_FORMAT, 1, found=kind, expected=EXPECTED, hint="")
    return False


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


def _quick_pass(
    source: Source, findings: Findings, also: Callable[[bytes], None]
) -> CollectionBuilder | None:
    """Feed the file to lxml; raises `_DoubtError` where anything but its syntax is wrong."""
    builder = _QuickBuilder()
    parser = etree.XMLParser(
        target=builder,  # type: ignore[arg-type]  # the stubs ask for methods lxml does not
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for chunk in source.chunks():
            also(chunk)
            parser.feed(chunk)
        parser.close()
    except etree.XMLSyntaxError as error:
        line, column = error.position
        problem = re.sub(r", line \d+, column \d+.*", "", error.msg or "it ends too early")
        findings.add(rules.NOT_WELL_FORMED, line or None, column or None, problem=problem)
        return None
    return builder


def _careful_pass(
    source: Source, findings: Findings, also: Callable[[bytes], None]
) -> CollectionBuilder | None:
    """Feed the file to expat and note every finding with its line and column."""
    parser = expat.ParserCreate()

    def report(rule: Rule, /, **facts: object) -> None:
        column = parser.CurrentColumnNumber + 1
        findings.add(rule, parser.CurrentLineNumber, column, **facts)

    def refuse_entity(name: str, *_: object) -> NoReturn:
        report(rules.ENTITY_DECLARED, name=name)
        raise StopReadingError

    builder = CollectionBuilder(report)
    depth = 0

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            report(rules.NOT_WELL_FORMED, problem=f"elements are nested deeper than {MAX_DEPTH}")
            raise StopReadingError
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = refuse_entity
    try:
        for piece in _decoded_for_expat(source, also):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except StopReadingError:
        return None
    except expat.ExpatError as error:
        problem = expat.errors.messages[error.code]
        findings.add(rules.NOT_WELL_FORMED, error.lineno, error.offset + 1, problem=problem)
        return None
    except UnicodeDecodeError as error:
        findings.add(rules.NOT_WELL_FORMED, problem=f"its text is not {error.encoding}")
        return None
    return builder


def _decoded_for_expat(source: Source, also: Callable[[bytes], None]) -> Iterator[bytes | str]:
    """Yield the file's bytes, or its text where the declared encoding is strange to expat."""
    decoder = None
    for number, chunk in enumerate(source.chunks()):
        also(chunk)
        if number == 0:
            declared = _ENCODING.match(chunk)
            name = declared[1].decode("ascii").lower() if declared else ""
            if name in _MULTIBYTE:
                decoder = codecs.getincrementaldecoder(name)()
        yield decoder.decode(chunk) if decoder else chunk
