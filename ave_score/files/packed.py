"""Blocks of plain lines of large runs, read with numpy: ids are compared as machine words.

A block is packed only if every line is proven to be plain; the careful reader reads any other.
"""

from __future__ import annotations

import sys
from array import array
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ave_score.core.labels import VERDICTS
from ave_score.core.model import AnswerIndex
from ave_score.files.rows import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray  # takes as long as half of numpy

    Text: TypeAlias = NDArray[np.uint8]
    Words: TypeAlias = NDArray[np.uint64]
    Places: TypeAlias = NDArray[np.int64]

_LONGEST_ID, _LONGEST_NUMBER = 128, 32
"""Bytes of `q_id a_id`, and of a confidence, beyond which a block is not packed."""

_SPARE = bytes(_LONGEST_ID + 16)
"""What is read behind the last field of a block."""

_FIRST = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
"""Number of bytes -> the mask of the first bytes of a word."""

_VERDICTS = [
    (code, np.uint64(int.from_bytes(word[:8].encode(), "little")), len(word))
    for word, code in VERDICTS.items()
]
"""Code, first eight letters, and length of each verdict; the last letter of each is D."""

_OF_NUMBER = np.zeros(256, bool)
_OF_NUMBER[np.frombuffer(b"\x000123456789.+-eE", np.uint8)] = True

_ZEROS = np.uint64(int.from_bytes(b"0" * 8))
_HIGH = np.uint64(int.from_bytes(b"\xf0" * 8))
_SIXES = np.uint64(int.from_bytes(b"\x06" * 8))
_EVERY_FOURTH = np.uint64(0x000000FF000000FF)
_TENS = 10.0 ** np.arange(9)
_MIX = np.uint64(0x9E3779B97F4A7C15)


class PackedRows(NamedTuple):
    """A block of plain lines, each `q_id a_id verdict confidence`; see `Rows`.

    Attributes
    ----------
    lines
        The number of each line.
    data
        The lines.
    ids
        The bytes of `q_id a_id`, padded with zeros: the first word of each row, the second, ...
    codes, values
        The verdict and the confidence of each line.
    """

    lines: range
    data: bytes
    ids: Words
    codes: NDArray[np.uint8]
    values: NDArray[np.float64]
    unreadable: tuple[()] = ()

    def unpacked(self) -> Rows:
        """Return the same rows as strings and numbers."""
        fields = self.data.decode("ascii").split()
        codes, values = bytearray(self.codes.tobytes()), self.values.tolist()
        return Rows(self.lines, fields[::4], fields[1::4], codes, values)

    def outside(self) -> list[int]:
        """Return the positions of the rows with a confidence outside 0..1."""
        positions: list[int] = np.flatnonzero((self.values < 0) | (self.values > 1)).tolist()
        return positions

    def numbers(self) -> list[str]:
        """Return the confidences as they are in the file."""
        return self.data.decode("ascii").split()[3::4]

    def put(
        self,
        index: AnswerIndex,
        start: int,
        codes: bytearray,
        values: array[float],
        lines: array[int],
    ) -> int | None:
        """Put the rows into columns of an index, as `Rows.put`."""
        packed = _packed_index(index)
        stop = start + len(self.codes)
        here: slice | Places | None = slice(start, stop)
        if stop > len(index) or not _equal_ids(packed.ids[:, here], self.ids):
            here = packed.positions(self.ids)
            if here is None:
                return None
            stop = int(here[-1]) + 1
        placed = np.frombuffer(codes, np.uint8)
        if placed[here].any():
            return None
        placed[here] = self.codes
        np.frombuffer(values, np.float64)[here] = self.values
        np.frombuffer(lines, np.uint64)[here] = np.arange(self.lines.start, self.lines.stop)
        return stop


def packed_rows(data: bytes, first: int) -> PackedRows | None:
    """Pack complete lines, the first of which has the number `first`; None if any is not plain.

    A plain line has four fields of printable ASCII with one blank or tab between them, a verdict in
    capitals, and a finite number.
    """
    fields = _fields(data)
    if fields is None:
        return None
    text, word_at, starts, (_, after_ids, after_verdict, ends) = fields
    codes = _codes(word_at, after_ids + 1, after_verdict)
    if codes is None or (text[after_verdict - 1] != ord("D")).any():  # the last of VALIDATED
        return None
    values = _numbers(word_at, after_verdict + 1, ends)
    if values is None:
        return None
    ids = _words(word_at, starts, after_ids - starts)
    return PackedRows(range(first, first + len(ends)), data, ids, codes, values)


_WIDTH = 4
"""Fields of a line."""


def _fields(data: bytes) -> tuple[Text, Words, Places, Places] | None:
    """Return text, the word at each byte, starts of lines, and ends of fields; None as above."""
    if sys.byteorder != "little":
        return None
    raw = (data.replace(b"\t", b" ") if b"\t" in data else data) + _SPARE
    text = np.frombuffer(raw, np.uint8, len(data))
    is_mark = text <= ord(" ")
    marks = np.flatnonzero(is_mark)
    rows = len(marks) // _WIDTH
    stops = marks[: _WIDTH * rows].reshape(-1, _WIDTH).T
    ends = stops[-1]
    if (
        not rows
        or len(marks) % _WIDTH
        or text.max() > ord("~")
        or is_mark[0]
        or (is_mark[1:] & is_mark[:-1]).any()  # an empty field
        or np.count_nonzero(text == ord(" ")) != (_WIDTH - 1) * rows
        or (text[ends] != ord("\n")).any()
    ):
        return None
    starts = np.concatenate(([0], ends[:-1] + 1))
    if (stops[1] - starts).max() > _LONGEST_ID or (text[starts] == ord("#")).any():
        return None
    return text, np.ndarray((len(raw) - 7,), np.uint64, raw, 0, (1,)), starts, stops


def _words(word_at: Words, starts: Places, sizes: Places) -> Words:
    """Return fields as words, padded with zeros: one row for the first word of each, and so on."""
    words = np.empty((-(-int(sizes.max(initial=1)) // 8), len(starts)), np.uint64)
    for number, row in enumerate(words):
        left = np.minimum(np.maximum(sizes - 8 * number, 0), 8)
        np.bitwise_and(word_at[starts + 8 * number], _FIRST[left], out=row)
    return words


def _codes(word_at: Words, starts: Places, ends: Places) -> NDArray[np.uint8] | None:
    """Return the codes of verdicts by their first eight letters; None if any is no verdict."""
    words, sizes = word_at[starts], ends - starts
    codes = np.zeros(len(starts), np.uint8)
    for code, word, size in _VERDICTS:
        codes[(words == word) & (sizes == size)] = code
    return codes if codes.all() else None


def _numbers(word_at: Words, starts: Places, ends: Places) -> NDArray[np.float64] | None:
    """Return numbers as `float` reads them; None if any is no finite number."""
    sizes = ends - starts
    decimals = sizes - 2
    decimals[sizes == 1] = 0
    first = word_at[starts]
    whole = (first & _FIRST[1]) - np.uint64(ord("0"))
    has_point = (first >> np.uint64(8)) & _FIRST[1] == ord(".")
    if (
        (decimals > 8).any()
        or (whole > 9).any()
        or not (has_point & (decimals > 0) | (sizes == 1)).all()
    ):
        return _other_numbers(word_at, starts, sizes)
    unused = (64 - 8 * decimals).astype(np.uint64)
    behind = first >> np.uint64(16) if decimals.max() <= 6 else word_at[starts + 2]
    digits = (behind << unused) | (_ZEROS & ~(~np.uint64(0) << unused))
    digits -= _ZEROS
    if (((digits | (digits + _SIXES)) & _HIGH) != 0).any():
        return _other_numbers(word_at, starts, sizes)
    # eight digits, the first in the lowest byte: pairs of digits, then of pairs, then of fours
    pairs = digits * np.uint64(10) + (digits >> np.uint64(8))
    low = (pairs & _EVERY_FOURTH) * np.uint64(100 + (1_000_000 << 32))
    high = ((pairs >> np.uint64(16)) & _EVERY_FOURTH) * np.uint64(1 + (10_000 << 32))
    tens = _TENS[decimals]
    # both are exact, and a division is correctly rounded
    values: NDArray[np.float64] = (whole * tens + ((low + high) >> np.uint64(32))) / tens
    return values


def _other_numbers(word_at: Words, starts: Places, sizes: Places) -> NDArray[np.float64] | None:
    """Return numbers with other signs, digits or exponents."""
    if sizes.max() > _LONGEST_NUMBER:
        return None
    words = np.ascontiguousarray(_words(word_at, starts, sizes).T)
    if not _OF_NUMBER[words.view(np.uint8)].all():  # 1_000, nan
        return None
    try:
        values = words.view(f"S{words.shape[1] * 8}")[:, 0].astype(np.float64)
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


class _PackedIndex:
    """The ids of a collection, packed as those of rows."""

    def __init__(self, ids: Words) -> None:
        self.ids = ids

    @cached_property
    def _sorted(self) -> tuple[Words, Places]:
        """The hashes of the ids in ascending order, and the position of each."""
        hashes = _hashes_of(self.ids)
        order = np.argsort(hashes)
        return hashes[order], order

    def positions(self, ids: Words) -> Places | None:
        """Return the positions of ids; None if any is not found or occurs twice."""
        hashes, order = self._sorted
        at = np.searchsorted(hashes, _hashes_of(ids))
        positions = order[np.minimum(at, len(order) - 1)]
        seen = np.zeros(len(order), bool)
        seen[positions] = True
        if np.count_nonzero(seen) < len(positions):
            return None
        return positions if _equal_ids(self.ids[:, positions], ids) else None


@lru_cache(maxsize=2)
def _packed_index(index: AnswerIndex) -> _PackedIndex:
    """Return the packed ids of an index, kept for the next run."""
    fields = [""] * (2 * len(index))
    fields[::2], fields[1::2] = index.q_ids, index.a_ids
    text = np.frombuffer(bytearray("\n".join([*fields, ""]).encode()), np.uint8)
    after_ids, ends = np.flatnonzero(text == ord("\n")).reshape(-1, 2).T  # no id has one
    text[after_ids] = ord(" ")
    starts = np.concatenate(([0], ends[:-1] + 1))
    raw = text.tobytes() + bytes(8 + int((ends - starts).max()))
    word_at = np.ndarray((len(raw) - 7,), np.uint64, raw, 0, (1,))
    return _PackedIndex(_words(word_at, starts, ends - starts))


def _equal_ids(ids: Words, others: Words) -> bool:
    """Tell whether all ids are equal; one column may have more words than the other."""
    both = min(len(ids), len(others))
    has_more = ids[both:].any() or others[both:].any()
    return not has_more and np.array_equal(ids[:both], others[:both])


def _hashes_of(ids: Words) -> Words:
    """Return a hash of each id; if those of different ids are equal, one is not found."""
    total = np.zeros(ids.shape[1], np.uint64)
    for words in ids[::-1]:
        total = (total ^ words) * _MIX
        total ^= total >> np.uint64(29)
    return total
