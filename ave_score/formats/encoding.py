"""The encoding that an XML file declares."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

_DECLARED = rb"""<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']"""


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
