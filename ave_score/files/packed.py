"""Blocks of lines of a large run as columns of numpy: ids are compared as machine words.

A block is packed only if every line is proven to be plain; no other block is accepted.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ave_score.core.labels import LABELS, VERDICTS
from ave_score.core.model import AnswerIndex, Label
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

_LABELS = [
    (code + 1, np.uint64(int.from_bytes(f"{word}\n"[:8].encode(), "little")), len(word))
    for word, code in LABELS.items()
]
"""The same for labels and the LF behind them: their codes + 1."""

_OF_NUMBER = np.zeros(256, bool)
_OF_NUMBER[np.frombuffer(b"\x000123456789.+-eE", np.uint8)] = True

_ZEROS = np.uint64(int.from_bytes(b"0" * 8))
_HIGH = np.uint64(int.from_bytes(b"\xf0" * 8))
_SIXES = np.uint64(int.from_bytes(b"\x06" * 8))
_EVERY_FOURTH = np.uint64(0x000000FF000000FF)
_TENS = 10.0 ** np.arange(9)
_PROBES = 64
"""Slots of a hash table that are looked at for an id; equal hashes may need more."""

_EMPTY, _HALF, _LOW = np.uint64((1 << 64) - 1), np.uint64(32), np.uint64((1 << 32) - 1)

_MIX = np.uint64(0x9E3779B97F4A7C15)


class PackedRows(NamedTuple):
    """A block of plain lines, each `q_id a_id verdict confidence`.

    Attributes
    ----------
    lines
        The number of each line.
    data
        The lines.
    ids
        The bytes of `q_id a_id`, padded with zeros: the first word of each row, the second, ...
    sizes
        The number of bytes of each q_id.
    codes, values
        The verdict and the confidence of each line.
    """

    lines: range
    data: bytes
    ids: Words
    sizes: Places
    codes: NDArray[np.uint8]
    values: NDArray[np.float64]
    unreadable: tuple[()] = ()

    def texts(self) -> list[str]:
        """Return the lines."""
        return self.data.decode("ascii").split("\n")[:-1]

    def unpacked(self) -> Rows:
        """Return the same rows as strings and numbers."""
        fields = self.data.decode("ascii").split()
        codes, values = bytearray(self.codes.tobytes()), self.values.tolist()
        return Rows(self.lines, fields[::4], fields[1::4], codes, values)

    def outside(self) -> Sequence[int]:
        """Return the positions of the rows with a confidence outside 0..1."""
        found: list[int] = np.flatnonzero((self.values < 0) | (self.values > 1)).tolist()
        return found

    def put(
        self,
        index: AnswerIndex,
        start: int,
        codes: bytearray,
        values: array[float],
        lines: array[int],
    ) -> int | None:
        """Put the rows into columns of an index, in which 0 is the code of an answer without a row.

        Returns the position after the last row; None, with nothing put, if an answer is unknown or
        has a row. `start` is the position of the first row if they are in the order of the index.
        """
        packed = packed_index(index)
        stop = start + len(self.codes)
        here: slice | Places | None = slice(start, stop)
        if stop > len(index) or not equal_ids(packed.ids[:, here], self.ids):
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
    found = _fields(data, 4)
    if found is None:
        return None
    text, word_at, starts, (after_q_id, after_ids, after_verdict, ends) = found
    codes = _codes(word_at, after_ids + 1, after_verdict, _VERDICTS)
    if codes is None or (text[after_verdict - 1] != ord("D")).any():  # the last of VALIDATED
        return None
    values = _numbers(word_at, after_verdict + 1, ends)
    if values is None:
        return None
    ids = _words(word_at, starts, after_ids - starts)
    lines = range(first, first + len(ends))
    return PackedRows(lines, data, ids, after_q_id - starts, codes, values)


def packed_labels(data: bytes) -> tuple[Words, Places, NDArray[np.uint8]] | None:
    """Return the ids of `q_id a_id label`, the sizes of the q_ids and the labels, as above."""
    found = _fields(data, 3)
    if found is None:
        return None
    text, word_at, starts, (after_q_id, after_ids, ends) = found
    codes = _codes(word_at, after_ids + 1, ends, _LABELS)
    if codes is None or (text[ends[codes == Label.VALIDATED + 1] - 1] != ord("D")).any():
        return None
    return _words(word_at, starts, after_ids - starts), after_q_id - starts, codes - np.uint8(1)


def _fields(data: bytes, width: int) -> tuple[Text, Words, Places, Places] | None:
    """Return text, the word at each byte, starts of lines, and ends of fields; None as above."""
    if sys.byteorder != "little":
        return None
    raw = (data.replace(b"\t", b" ") if b"\t" in data else data) + _SPARE
    text = np.frombuffer(raw, np.uint8, len(data))
    is_mark = text <= ord(" ")
    marks = np.flatnonzero(is_mark)
    rows = len(marks) // width
    stops = marks[: width * rows].reshape(-1, width).T
    ends = stops[-1]
    if (
        not rows
        or len(marks) % width
        or text.max() > ord("~")
        or is_mark[0]
        or (is_mark[1:] & is_mark[:-1]).any()  # an empty field
        or np.count_nonzero(text == ord(" ")) != (width - 1) * rows
        or (text[ends] != ord("\n")).any()
    ):
        return None
    starts = np.concatenate(([0], ends[:-1] + 1))
    if (stops[1] - starts).max() > _LONGEST_ID or (text[starts] == ord("#")).any():
        return None
    return text, np.ndarray((len(raw) - 7,), np.uint64, raw, 0, (1,)), starts, stops


def _words(word_at: Words, starts: Places, sizes: Places) -> Words:
    """Return fields as words, padded with zeros: one row for the first word of each, and so on."""
    found = np.empty((-(-int(sizes.max(initial=1)) // 8), len(starts)), np.uint64)
    for number, words in enumerate(found):
        left = np.minimum(np.maximum(sizes - 8 * number, 0), 8)
        np.bitwise_and(word_at[starts + 8 * number], _FIRST[left], out=words)
    return found


def _codes(
    word_at: Words, starts: Places, ends: Places, known: Sequence[tuple[int, np.uint64, int]]
) -> NDArray[np.uint8] | None:
    """Return the codes of verdicts by their first eight letters; None if any is no verdict."""
    words, sizes = word_at[starts], ends - starts
    codes = np.zeros(len(starts), np.uint8)
    for code, word, size in known:
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


class PackedIndex:
    """The ids of a collection, packed as those of rows."""

    def __init__(self, ids: Words) -> None:
        self.ids = ids

    @cached_property
    def _table(self) -> Words:
        """A hash table with open addressing: half of a hash and the position of its id."""
        size = self.ids.shape[1]
        hashes, mask = hashes_of(self.ids), (4 << size.bit_length()) - 1
        table = np.full(mask + 1, _EMPTY)
        slots = (hashes >> _HALF).astype(np.int64) & mask
        waiting = (hashes << _HALF) | np.arange(size, dtype=np.uint64)
        for _ in range(_PROBES):
            is_free = table[slots] == _EMPTY
            table[slots[is_free]] = waiting[is_free]  # the last of several gets a slot
            still = table[slots] != waiting
            waiting, slots = waiting[still], (slots[still] + 1) & mask
        return table

    def positions(self, ids: Words) -> Places | None:
        """Return the positions of ids; None if any is not found or occurs twice."""
        table, hashes = self._table, hashes_of(ids)
        mask = len(table) - 1
        slots = (hashes >> _HALF).astype(np.int64) & mask
        found = table[slots]
        wanted = hashes << _HALF
        left = np.flatnonzero((found ^ wanted) >> _HALF)
        for _ in range(_PROBES):
            slots[left] = (slots[left] + 1) & mask
            found[left] = others = table[slots[left]]
            left = left[((others ^ wanted[left]) >> _HALF) != 0]
            if not len(left):
                break
        if len(left):
            return None
        positions = (found & _LOW).astype(np.int64)
        seen = np.zeros(self.ids.shape[1] + 1, bool)
        seen[np.minimum(positions, len(seen) - 1)] = True
        if np.count_nonzero(seen[:-1]) < len(positions):
            return None
        return positions if equal_ids(self.ids[:, positions], ids) else None


@lru_cache(maxsize=2)
def packed_index(index: AnswerIndex) -> PackedIndex:
    """Return the packed ids of an index, kept for the next run."""
    if isinstance(index, IndexOfRows):
        return index.packed
    texts = "\n".join(map(" ".join, zip(index.q_ids, index.a_ids, strict=True))).encode() + b"\n"
    ends = np.flatnonzero(np.frombuffer(texts, np.uint8) == ord("\n"))  # no id has one
    starts = np.concatenate(([0], ends[:-1] + 1))
    raw = texts + bytes(8 + int((ends - starts).max()))
    word_at = np.ndarray((len(raw) - 7,), np.uint64, raw, 0, (1,))
    return PackedIndex(_words(word_at, starts, ends - starts))


class IndexOfRows(AnswerIndex):
    """The index of a run's own answers, whose ids become strings when they are needed."""

    def __init__(
        self,
        questions: list[str],
        starts: list[int],
        blocks: Sequence[PackedRows],
        order: Places,
        ids: Words,
    ) -> None:
        self.questions, self.starts = questions, starts
        self._blocks, self._order = blocks, order
        self.packed = PackedIndex(ids)

    def __len__(self) -> int:
        return self.starts[-1]

    @cached_property
    def q_ids(self) -> list[str]:  # type: ignore[override]
        """The question id of every answer."""
        return self._ordered([q_id for rows in self._blocks for q_id in rows.unpacked().q_ids])

    @cached_property
    def a_ids(self) -> list[str]:  # type: ignore[override]
        """The answer id of every answer."""
        return self._ordered([a_id for rows in self._blocks for a_id in rows.unpacked().a_ids])

    def _ordered(self, column: list[str]) -> list[str]:
        return [*map(column.__getitem__, self._order.tolist())]


def index_of_rows(blocks: Sequence[PackedRows]) -> IndexOfRows | None:
    """Return the index of a run's answers; None if any is repeated."""
    sizes = np.concatenate([rows.sizes for rows in blocks])
    ids = np.zeros((max(len(rows.ids) for rows in blocks), len(sizes)), np.uint64)
    start = 0
    for rows in blocks:
        stop = start + len(rows.lines)
        ids[: len(rows.ids), start:stop] = rows.ids
        start = stop
    hashes = np.sort(hashes_of(ids))
    if (hashes[1:] == hashes[:-1]).any():  # unequal hashes are of unequal ids
        return None
    of_questions = of_first_bytes(ids, sizes)
    changes = (of_questions[:, 1:] != of_questions[:, :-1]).any(axis=0)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    words = np.ascontiguousarray(of_questions[:, starts].T)
    numbers: dict[bytes, int] = {}
    names = words.view(f"S{8 * len(ids)}")[:, 0].tolist()
    parts = [numbers.setdefault(name, len(numbers)) for name in names]
    of_rows = np.repeat(parts, np.diff(starts, append=len(sizes)))
    order = np.argsort(of_rows, kind="stable")
    bounds = [0, *np.cumsum(np.bincount(of_rows)).tolist()]
    questions = [name.decode("ascii") for name in numbers]
    return IndexOfRows(questions, bounds, blocks, order, ids[:, order])


def of_first_bytes(ids: Words, sizes: Places) -> Words:
    """Return the first bytes of ids, given how many: those of the questions."""
    found = np.empty_like(ids)
    for number, words in enumerate(ids):
        found[number] = words & _FIRST[np.minimum(np.maximum(sizes - 8 * number, 0), 8)]
    return found


def equal_rows(ids: Words, others: Words) -> NDArray[np.bool_]:
    """Tell which ids are equal; one column may have more words than the other."""
    both = min(len(ids), len(others))
    equal: NDArray[np.bool_] = (ids[:both] == others[:both]).all(axis=0)
    for words in (*ids[both:], *others[both:]):
        equal &= words == 0
    return equal


def equal_ids(ids: Words, others: Words) -> bool:
    """Tell whether all ids are equal, as `equal_rows`."""
    return bool(equal_rows(ids, others).all())


def hashes_of(ids: Words) -> Words:
    """Return a hash of each id; those of different ids may be equal."""
    total = np.zeros(ids.shape[1], np.uint64)
    for words in ids[::-1]:
        total = (total ^ words) * _MIX
        total ^= total >> np.uint64(29)
    return total
