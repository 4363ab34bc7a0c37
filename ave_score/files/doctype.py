"""The DOCTYPE of an XML file, which says nothing to us: its DTD is never read."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator

from ave_score.files.source import Source

_PLAIN_DOCTYPE = (  # *+ never goes back, so that no prolog takes long
    r"""(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*+"""
    r"""(<!DOCTYPE(?:[^<>\[\]"']|"[^"]*"|'[^']*')*+"""
    r"""(?:\[(?:(?!<!ENTITY|<!--|%)[^\]"']|"[^"]*"|'[^']*')*+\]\s*)?>)"""
)


def without_doctype(source: Source, also: Callable[[bytes], None]) -> Iterator[bytes]:
    """Yield the file with a DOCTYPE line blanked: the DTD it names is not read in any case.

    So a reference to an entity of that DTD is an error in its place, not a word lost in silence.
    A DOCTYPE that declares entities itself stays, for the careful pass to refuse.

    Parameters
    ----------
    source
        The file.
    also
        Called with each chunk as it is in the file.
    """
    for number, chunk in enumerate(source.chunks()):
        also(chunk)
        yield _blanked(chunk) if number == 0 else chunk


def _blanked(head: bytes) -> bytes:
    """Return the first bytes of a file, as many as there were, with its DOCTYPE as blanks."""
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
