"""A large run and a large collection, read in step, row by row, so that neither is held in memory.

Both files are proven to be plain and to have the same answers in the same order. What is kept is
how many questions have each composition (see `compositions`). Other files are left to the readers
that hold a collection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ave_score.core.errors import InputError
from ave_score.core.findings import Findings
from ave_score.core.jobs import InOrder
from ave_score.core.model import Verdict
from ave_score.files.layout import PLAIN_HEADER
from ave_score.files.limits import LARGER
from ave_score.files.lines import LineReader
from ave_score.files.packed import (
    PackedRows,
    equal_ids,
    hashes_of,
    of_first_bytes,
    packed_labels,
    packed_rows,
)
from ave_score.files.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ave_score.files.packed import Words

_SEARCHED = 1 << 20
"""Bytes of a file in which a place to cut it is searched."""

_BITS, _MOST = np.uint64(7), (1 << 7) - 1
"""Bits of the number of answers with one cell in the number of a composition; the most answers."""

_CELLS = [8 * verdict + label for verdict in (1, 2, 3) for label in (0, 1, 2)]
_UNITS = np.zeros(256, np.uint64)
_UNITS[_CELLS] = np.uint64(1) << _BITS * np.arange(len(_CELLS), dtype=np.uint64)

_OF_QUESTION, _OF_ANSWER = np.uint64(44), np.uint64(20)


class _NotPlainError(Exception):
    """Raised where a file is not proven to be plain."""


class _Rows(NamedTuple):
    """Answers: whether each is the first of its question, hashes of q_id and of both ids, cell."""

    is_first: NDArray[np.bool_]
    questions: Words
    answers: Words
    cells: NDArray[np.uint8]

    def part(self, start: int | None, stop: int | None) -> _Rows:
        """Return some of the rows."""
        here = slice(start, stop)
        return _Rows(
            self.is_first[here], self.questions[here], self.answers[here], self.cells[here]
        )

    def before(self, other: _Rows) -> _Rows:
        """Return these rows, followed by others."""
        return _Rows(
            np.concatenate((self.is_first, other.is_first)),
            np.concatenate((self.questions, other.questions)),
            np.concatenate((self.answers, other.answers)),
            np.concatenate((self.cells, other.cells)),
        )


class InStep(NamedTuple):
    """What was read of a run and a collection.

    Attributes
    ----------
    gold, run
        Composition -> number of questions.
    """

    gold: Counter[bytes]
    run: Counter[bytes]


def read_in_step(collection: Source, run: Source) -> InStep | None:
    """Read a run against a collection, a table of ids and labels; None if any row is not plain."""
    try:
        first, *others = _parts(collection, run)
        with InOrder(_read_part, others, len(others)) as read:
            found = [_read_part(first), *read]
        numbers = reduce(Counter[int].__add__, (part.numbers for part in found))
        if not numbers or _has_equal(np.concatenate([part.questions for part in found])):
            return None
        return _read(numbers)
    except (_NotPlainError, InputError):  # the other readers say why a file cannot be read
        return None


class _Part(NamedTuple):
    """Part of a collection, and of a run that has the same answers; `header` is what is first."""

    collection: Source
    run: Source
    header: bytes = b""


def _parts(collection: Source, run: Source) -> list[_Part]:
    """Return as many parts of both files as there are processes, cut before the same question."""
    whole, cuts = [_Part(collection, run, PLAIN_HEADER)], [(0, 0)]
    if collection.jobs == 1 or collection.compression or run.compression:
        return whole
    for process in range(1, collection.jobs):
        at, rows_at = (file.size * process // collection.jobs for file in (collection, run))
        lines = collection.bytes_at(at, _SEARCHED).split(b"\n")[1:-1]
        starts = [*accumulate(map(len, lines), lambda start, size: start + size + 1, initial=0)]
        ids = [line.split(b"\t")[:2] for line in lines]
        number = next((n for n in range(1, len(ids)) if ids[n][0] != ids[n - 1][0]), None)
        first = max(0, rows_at - _SEARCHED)
        rows = run.bytes_at(first, 2 * _SEARCHED)
        found = -1 if number is None else rows.find(b"\n%b " % b" ".join(ids[number]))
        if number is None or found < 0:
            return whole
        skipped = collection.bytes_at(at, _SEARCHED).index(b"\n") + 1
        cuts.append((at + skipped + starts[number], first + found + 1))
    ends = [*cuts[1:], (collection.size, run.size)]
    return [
        _Part(collection.part(start, end), run.part(row, last), b"" if start else PLAIN_HEADER)
        for (start, row), (end, last) in zip(cuts, ends, strict=True)
    ]


class _Counts(NamedTuple):
    """Numbers of compositions -> number of questions, and the hash of each question."""

    numbers: Counter[int]
    questions: Words


def _read_part(part: _Part) -> _Counts:
    """Read a part of both files; raises `_NotPlainError` if any row is not plain."""
    findings = Findings(part.run.path)
    found = _Counts(Counter(), np.empty(0, np.uint64))
    questions = [found.questions]
    for rows in _whole_questions(_steps(part, findings)):
        questions.append(rows.questions[rows.is_first])
        found.numbers.update(_compositions(rows))
    if [*findings]:
        raise _NotPlainError
    return found._replace(questions=np.concatenate(questions))


def _steps(part: _Part, findings: Findings) -> Iterator[_Rows]:
    """Yield the rows of both files."""
    of_gold = _labelled(_pieces(part.collection, findings), part.header)
    of_run = map(_decided, _pieces(part.run, findings))
    gold, rows, at, row = next(of_gold, None), next(of_run, None), 0, 0
    while gold and rows:
        (ids, found), size = gold, min(len(gold[1].cells) - at, len(rows.codes) - row)
        if not equal_ids(ids[:, at : at + size], rows.ids[:, row : row + size]):
            raise _NotPlainError
        some = found.part(at, at + size)
        yield some._replace(cells=8 * rows.codes[row : row + size] + some.cells)
        at, row = at + size, row + size
        if at == len(found.cells):
            gold, at = next(of_gold, None), 0
        if row == len(rows.codes):
            rows, row = next(of_run, None), 0
    if gold or rows:
        raise _NotPlainError


def _pieces(source: Source, findings: Findings) -> Iterator[bytes]:
    source.chunk = LARGER
    return LineReader(source, findings, "rows").pieces()


def _decided(data: bytes) -> PackedRows:
    """Return the rows of a piece of a run."""
    rows = packed_rows(data, 1)
    if rows is None or rows.outside():
        raise _NotPlainError
    return rows


def _labelled(pieces: Iterator[bytes], header: bytes) -> Iterator[tuple[Words, _Rows]]:
    """Yield the ids and the rows of pieces of a collection; their cells are labels."""
    last = b""
    for piece in pieces:
        if not piece.startswith(header):
            raise _NotPlainError
        data, header = piece.removeprefix(header), b""
        rows = packed_labels(data)
        # tabs, not blanks, and nothing that may have a meaning in tables
        if rows is None or any(mark in data for mark in (b'"', b"#", b" ")):
            raise _NotPlainError
        ids, sizes, labels = rows
        questions = of_first_bytes(ids, sizes)
        is_first = np.ones(len(labels), bool)
        is_first[1:] = (questions[:, 1:] != questions[:, :-1]).any(axis=0)
        is_first[0] = questions[:, 0].tobytes().rstrip(b"\0") != last
        last = questions[:, -1].tobytes().rstrip(b"\0")
        yield ids, _Rows(is_first, hashes_of(questions), hashes_of(ids), labels)


def _whole_questions(steps: Iterator[_Rows]) -> Iterator[_Rows]:
    """Yield the same rows without a question that goes on in the next ones."""
    held: _Rows | None = None
    for step in steps:
        rows = held.before(step) if held else step
        last = int(np.flatnonzero(rows.is_first)[-1])
        if len(rows.cells) - last > _MOST:
            raise _NotPlainError
        if last:
            yield rows.part(None, last)
        held = rows.part(last, None)
    if held:
        yield held


def _compositions(rows: _Rows) -> dict[int, int]:
    """Return number of a composition -> number of questions."""
    first = np.flatnonzero(rows.is_first)
    if np.diff(first, append=len(rows.cells)).max() > _MOST:
        raise _NotPlainError
    question = np.cumsum(rows.is_first).astype(np.uint64)
    if _has_equal((question << _OF_QUESTION) | (rows.answers >> _OF_ANSWER)):
        raise _NotPlainError
    numbers, times = np.unique(np.add.reduceat(_UNITS[rows.cells], first), return_counts=True)
    return dict(zip(numbers.tolist(), times.tolist(), strict=True))


def _has_equal(hashes: Words) -> bool:
    """Tell whether any two hashes are equal; they are unless both ids are different."""
    ordered = np.sort(hashes)
    return bool((ordered[1:] == ordered[:-1]).any())


def _read(numbers: Counter[int]) -> InStep:
    """Return the compositions of numbers; each has one SELECTED if it has an accepted answer."""
    found = InStep(Counter(), Counter())
    for number, times in numbers.items():
        sizes = [number >> 7 * at & _MOST for at in range(len(_CELLS))]
        cells = bytes(cell for cell, size in zip(_CELLS, sizes, strict=True) for _ in range(size))
        accepted = [cell // 8 for cell in cells if cell // 8 > Verdict.REJECTED]
        if accepted and accepted.count(Verdict.SELECTED) != 1:
            raise _NotPlainError
        found.run[cells] += times
        found.gold[bytes(sorted(cell % 8 for cell in cells))] += times
    return found
