"""The encoding that a file shows by its mark, or an XML file declares."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from ave_score import rules
from ave_score.findings import Findings
from ave_score.rules import Safety

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


def without_mark(head: bytes, findings: Findings, expected: str) -> bytes | None:
    """Return how a file in UTF-8 begins behind its mark; None, with findings, where it is none."""
    marked = marked_encoding(head)
    if marked in ("utf-16", "utf-32"):
        findings.add(rules.UTF16, 1, found=marked.upper())
        return None
    if marked:
        findings.add(rules.BYTE_ORDER_MARK, 1)
        head = head[3:]
    sample = head[:4096]
    zeros = sample.count(0)
    if not zeros:
        return head
    every_other = zeros in (sample[::2].count(0), sample[1::2].count(0))
    if every_other and zeros >= len(sample) // 3:
        found = "UTF-16 (without byte order mark)"
        findings.add(rules.UTF16, 1, None, "", Safety.NONE, found=found)
    else:
        findings.add(rules.BINARY_FILE, 1, found="it has NUL bytes", expected=expected)
    return None
