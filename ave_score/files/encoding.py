"""The encoding of a file, by its byte order mark or XML declaration."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.rules import Safety

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
"""Byte order marks and Python's names of their encodings, the longest first."""

_ALL_MARKS = tuple(mark for mark, _ in MARKS)

_ARCHIVES = (
    (0, b"PK\x03\x04", "a ZIP archive"),
    (0, b"PK\x05\x06", "an empty ZIP archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"\x28\xb5\x2f\xfd", "compressed with Zstandard"),
    (0, b"\x04\x22\x4d\x18", "compressed with LZ4"),
    (0, b"\x1f\x8b", "compressed with gzip"),
    (0, b"\xfd7zXZ\x00", "compressed with xz"),
    (0, b"PAR1", "a Parquet file"),
    (4, b"1AY&SY", "compressed with bzip2"),
    (257, b"ustar", "a tar archive"),
)
"""Position, magic bytes and name of archives and of compressions that are not read.

What `Source` unpacks stands here as well: it is not unpacked after a byte order mark, or twice.
"""

_COMPRESSIONS = {"gzip": b"\x1f\x8b", "xz": b"\xfd7zXZ\x00", "parquet": b"PAR1"}
COMPRESSION_BYTES = max(map(len, _COMPRESSIONS.values()))
"""The bytes by which compressions that are unpacked are known."""

_XLS = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_WORKBOOKS = (
    (re.compile(rb"(?s)PK\x03\x04(?:.*?PK\x03\x04)?.{26}xl/"), "an Excel workbook"),
    (re.compile(_XLS), "an Excel workbook, or another file of Office"),
    (
        re.compile(
            rb"(?s)PK\x03\x04.{26}mimetype.{0,99}?application/vnd\.oasis\.opendocument\.spr"
        ),
        "an OpenDocument spreadsheet",
    ),
)
"""How spreadsheets begin, and their names: the members of archives are named before their data."""

_SAMPLE = 1 << 14
"""Bytes of a file in which binary data is looked for: four thousand characters of UTF-32."""

_OF_PYTHON = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
"""Codecs of Python that are no encodings of files."""

_DECLARED = rb"""<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']"""


def marked_encoding(head: bytes) -> str | None:
    """Return the encoding of a file's byte order mark, or None."""
    if not head.startswith(_ALL_MARKS):  # nearly every file, and each sample of a log
        return None
    return next(name for mark, name in MARKS if head.startswith(mark))


def _as_utf8(head: bytes) -> bytes:
    """Return the beginning of a file as it is once it was written as UTF-8 without marks."""
    head = head[:_SAMPLE]
    marked = marked_encoding(head)
    if marked in ("utf-16", "utf-32"):
        head = head.decode(marked, "replace").encode()
    while head.startswith(codecs.BOM_UTF8):
        head = head[3:]
    return head


def is_archive(head: bytes, findings: Findings, expected: str) -> bool:
    """Tell whether a file is an archive, a spreadsheet, or compressed in a way that is not read.

    Such a file is reported.

    A file with a byte order mark is judged by what follows it: without the mark it is an archive.
    """
    bare = _as_utf8(head)
    what = next(
        (f"{name}: save it as CSV" for workbook, name in _WORKBOOKS if workbook.match(bare)), None
    )
    for start, magic, name in _ARCHIVES:
        if what is None and bare.startswith(magic, start):
            what = f"{name}, which has to be unpacked"
    if what is not None:
        findings.add(rules.BINARY_FILE, 1, found=what, expected=expected)
    return what is not None


def declared_codec(head: bytes) -> codecs.CodecInfo | None:
    """Return the codec that the XML declaration names, or None.

    Raises `LookupError` if Python has no text codec of this name.
    """
    declared = re.match(_DECLARED, head)
    if not declared:
        return None
    codec = codecs.lookup(declared[1].decode("ascii"))
    if codec.name in _OF_PYTHON:
        raise LookupError(f"unknown encoding: {codec.name}")
    with suppress(UnicodeError):  # a text codec that cannot decode this
        b"aaaa".decode(codec.name)
    return codec


def encoding_of(head: bytes) -> str:
    """Return the encoding that the byte order mark or the XML declaration names, else UTF-8."""
    try:
        codec = declared_codec(head)
    except LookupError:
        codec = None
    return marked_encoding(head) or (codec.name if codec else "utf-8")


def with_lf(text: str) -> str:
    """Replace CRLF and CR by LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def utf8_text(data: bytes, findings: Findings, *, cr_ends_lines: bool = True) -> str | None:
    """Return the text of UTF-8 without a mark; None, with a finding, if it is not UTF-8.

    `cr_ends_lines` is whether a CR alone ends a line, as it does not in TOML.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        before = with_lf(before) if cr_ends_lines else before
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        findings.add(rules.NOT_UTF8, line, column, byte=data[error.start])
        return None


def without_mark(head: bytes, findings: Findings, expected: str) -> bytes | None:
    """Return the head of a UTF-8 file without its mark; None, with findings, if it is not UTF-8."""
    if is_archive(head, findings, expected):
        return None
    marked = marked_encoding(head)
    bare = _as_utf8(head)
    sample = bare[:4096]
    zeros = sample.count(0)
    if not zeros and marked in ("utf-16", "utf-32"):
        findings.add(rules.UTF16, 1, found=marked.upper())
        return None
    if not zeros and marked:
        fix = Safety.NONE if marked_encoding(bare) else None  # it would be read as UTF-16
        findings.add(rules.BYTE_ORDER_MARK, 1, None, "", fix)
        return head[3:]
    if not zeros:
        return head
    every_other = zeros in (sample[::2].count(0), sample[1::2].count(0))
    if every_other and zeros >= len(sample) // 3:
        encoding = "UTF-16 (without byte order mark)"
        findings.add(rules.UTF16, 1, None, "", Safety.NONE, found=encoding)
    else:
        findings.add(rules.BINARY_FILE, 1, found="it has NUL bytes", expected=expected)
    return None


def decoded(data: bytes, findings: Findings, expected: str) -> str | None:
    """Return the text of a file with LF line ends; None, with findings, if it is not UTF-8."""
    bare = without_mark(data, findings, expected)
    text = None if bare is None else utf8_text(bare, findings)
    if text is None:
        findings.skip("its values: nothing in the file was read")
        return None
    return with_lf(text)


def compression_of(head: bytes) -> str:
    """Return the compression, given the first bytes; "" for none."""
    return next(
        (name for name, compression in _COMPRESSIONS.items() if head.startswith(compression)), ""
    )
