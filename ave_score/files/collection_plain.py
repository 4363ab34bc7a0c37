"""Collections in plain XML, read in bulk without a parser.

Each piece of a file is proven to be plain: well-formed by its characters and tags, with usable ids
that are unique and with known labels. Any other file is left to `CollectionReader`, which reads all
dialects and reports all defects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise, repeat
from operator import itemgetter
from typing import NamedTuple

from ave_score.core.errors import InputError
from ave_score.core.labels import LABELS
from ave_score.core.model import Label
from ave_score.files.collection_xml import CollectionReader
from ave_score.files.source import Source

_LONGEST = 1 << 20
"""Bytes of the longest question, and of the longest text before the first question."""

_OTHER_DIALECT = {"id", "q_id"}
"""Attributes that no question has beside its id."""

_CODES = {None: Label.NONE.value} | dict[str | None, int](LABELS.items())

_XML_BYTES = bytes({*range(0x100)} - {*range(0x20)} | {*b"\t\n\r"})
"""The bytes that occur in UTF-8 without control characters that XML forbids."""

_ENTITIES = re.compile("&(?:amp|lt|gt|quot|apos);")
_TEXT = "[^<]*+"  # *+ never goes back
_ID = r"([!$%'-;=-~][!#-%'-;=-~]*+)"  # printable ASCII that does not begin with #
_NAME = r"(?!(?i:xml))[A-Za-z_][A-Za-z0-9_.-]*+"
_VALUE = r'[^"<&\t\r\n]*+'
_ATTRIBUTES = rf'((?:\s++{_NAME}="{_VALUE}")*+)'
_attributes = re.compile(f'({_NAME})="({_VALUE})"').findall

_start = re.compile(
    rf"""(?xa)\ufeff?
    (?:<\?xml\ version=(?:"1\.0"|'1\.0')
        (?:\ encoding=(?:"(?i:utf-8)"|'(?i:utf-8)'))?
        (?:\ standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?\ ?\?>)?
    (?:\s*<!--[^-]*+(?:-[^-]++)*+-->)*+\s*
    <(?!(?:q|a|pair|topic|reading-test|output)[\s>])({_NAME}){_ATTRIBUTES}\s*>{_TEXT}"""
).fullmatch
"""Matches a file up to its first question: the name and the attributes of the root element."""

_answers = re.compile(
    rf"""(?xa)
    (?:<q\ id="{_ID}"{_ATTRIBUTES}>{_TEXT}(?:<q_str(?:>{_TEXT}</q_str>|\ ?/>){_TEXT}|)|)
    <a\ id="{_ID}"(?:\ value="({"|".join(LABELS)})"|)>{_TEXT}
    (?:<a_str(?:>{_TEXT}</a_str>|\ ?/>){_TEXT}|)
    (?:<t_str(?:\ doc="[^"<]*+"|)(?:>{_TEXT}</t_str>|\ ?/>){_TEXT}|)
    </a>{_TEXT}(?:</q>{_TEXT}()|)"""
).split
"""Splits a text at its answers, each with the start of a question before it, and the end of one
after it."""


class _Questions(NamedTuple):
    """Consecutive questions: ids, attributes as written, sizes, and the columns of the answers."""

    ids: list[str]
    attributes: list[str]
    sizes: list[int]
    a_ids: list[str]
    labels: bytes

    @classmethod
    def joined(cls, parts: Sequence[_Questions]) -> _Questions:
        """Return the questions of all parts."""
        return cls(
            [q_id for part in parts for q_id in part.ids],
            [written for part in parts for written in part.attributes],
            [size for part in parts for size in part.sizes],
            [a_id for part in parts for a_id in part.a_ids],
            b"".join(part.labels for part in parts),
        )

    @property
    def q_ids(self) -> list[str]:
        """The question of each answer."""
        return [*chain.from_iterable(map(repeat, self.ids, self.sizes))]


def read_plain(source: Source, reader: CollectionReader) -> CollectionReader | None:
    """Fill the columns of a reader from a file without findings; None if the file is not plain."""
    try:
        pieces = _pieces(source.chunks())
        start = _start(_checked(next(pieces)) or "")
        read = _read(pieces) if start else None
    except InputError:  # the other reader may stop before it
        return None
    if not start or read is None:
        return None
    parts, tail = read
    is_whole = parts and re.fullmatch(rf"(?a){_TEXT}</{start[1]}\s*>\s*", tail)
    return reader if is_whole and _fill(reader, _Questions.joined(parts), start) else None


def _read(pieces: Iterator[bytes]) -> tuple[list[_Questions], str] | None:
    """Return the questions of all pieces, and what is after the last one; None if not plain."""
    parts, held = [], next(pieces, b"")
    for piece in pieces:
        text = _checked(held)
        part = None if text is None else _questions(text)
        if part is None:
            return None
        parts.append(part)
        held = piece
    tail = _checked(held)
    return None if tail is None else (parts, tail)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what is before the first question, questions, and what is after the last one."""
    held, find = b"", bytes.find
    for chunk in chunks:
        held += chunk
        cut = find(held, b"<q ")
        if cut > 0 or len(held) > _LONGEST:
            yield held[:cut]
            held, find = held[cut:], bytes.rfind
    end = held.rfind(b"</q>") + len(b"</q>")
    yield held[:end]
    yield held[end:]


def _checked(data: bytes) -> str | None:
    """Return the text of a piece; None if any of its characters or references is not plain."""
    if data.translate(None, _XML_BYTES):
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if not text.isascii() and ("\ufffe" in text or "\uffff" in text):
        return None
    if "&" in text and text.count("&") != len(_ENTITIES.findall(text)):
        return None
    return None if "]" in text and "]]>" in text else text


def _questions(text: str) -> _Questions | None:
    """Return the questions of a piece; None if there is anything else in it."""
    fields = _answers(text)
    gaps, q_ids, attributes, a_ids, words, ends = (fields[number::6] for number in range(6))
    first = [number for number, q_id in enumerate(q_ids) if q_id]
    last = [number for number, end in enumerate(ends, 1) if end is not None]
    if any(gaps) or not first or [*first, len(a_ids)] != [0, *last]:
        return None
    sizes = [b - a for a, b in pairwise([0, *last])]
    labels = bytes(map(_CODES.__getitem__, words))
    questions = _Questions(
        [q_ids[number] for number in first],
        [attributes[number] for number in first],
        sizes,
        a_ids,
        labels,
    )
    is_unique = len({*a_ids}) == len(a_ids) or (
        len({*zip(questions.q_ids, a_ids, strict=True)}) == len(a_ids)
    )
    return questions if is_unique else None


def _fill(reader: CollectionReader, columns: _Questions, start: re.Match[str]) -> bool:
    """Fill a reader; return whether all attributes and ids are plain."""
    written = {text: _attributes(text) for text in {start[2], *columns.attributes}}
    named = {text: dict(pairs) for text, pairs in written.items()}
    if (
        len({*columns.ids}) < len(columns.ids)
        or any(len(named[text]) < len(pairs) for text, pairs in written.items())
        or any(not _OTHER_DIALECT.isdisjoint(named[text]) for text in {*columns.attributes})
    ):
        return False
    reader.start_root(start[1], named[start[2]])
    for text, group in groupby(zip(columns.attributes, columns.ids, strict=True), itemgetter(0)):
        reader.take_language(named[text])
        reader.keep_attributes([q_id for _, q_id in group], named[text])
    reader.questions, reader.q_ids, reader.a_ids = columns.ids, columns.q_ids, columns.a_ids
    reader.starts = [0, *accumulate(columns.sizes)][:-1]
    labels = columns.labels if reader.reads_labels else bytes([Label.NONE]) * len(columns.labels)
    reader.labels = bytearray(labels)
    return True
