"""The encoding that a file shows by its mark, or an XML file declares."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
"""Byte order marks, and how Python calls the encoding that begins with each; the longest first."""

_DECLARED = rb"""<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']"""


def marked_encoding(head: bytes) -> str | None:
    """Return the encoding whose byte order mark a file begins with, if any."""
    return next((name for mark, name in MARKS if head.startswith(mark)), None)


def declared_codec(head: bytes) -> codecs.CodecInfo | None:
    """Return Python's codec of the encoding that the first bytes of a file declare, if any.

    Raises `LookupError` where Python has none of this name, or only one that is not of text.
    """
    declared = re.match(_DECLARED, head)
    if not declared:
        return None
    codec = codecs.lookup(declared[1].decode("ascii"))
    with suppress(UnicodeError):  # a codec of text, if not of this one
        b"aaaa".decode(codec.name)
    return codec
