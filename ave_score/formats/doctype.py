"""The DOCTYPE of an XML file, which says nothing to us: its DTD is never read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ave_score.formats.source import Source

_PLAIN_DOCTYPE = re.compile(  # *+ never goes back, so that no prolog takes long
    rb"""\A(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*+"""
    rb"""(<!DOCTYPE(?:[^<>\[\]"']|"[^"]*"|'[^']*')*+"""
    rb"""(?:\[(?:(?!<!ENTITY|<!--|%)[^\]"']|"[^"]*"|'[^']*')*+\]\s*)?>)""",
    re.S,
)


def without_doctype(source: Source, also: Callable[[bytes], None]) -> Iterator[bytes]:
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
