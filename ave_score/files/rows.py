"""Blocks of rows as columns, of every notation that has rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Rows(NamedTuple):
    """A block of rows as columns of equal length, as yielded by every reader of rows.

    Attributes
    ----------
    lines
        The number of each line.
    q_ids, a_ids
        The ids of the answers; the q_id of a pair is "".
    codes
        The code of each answer: `Verdict`, or `Label` + 1. A row with a finding is included if its
        code is known.
    values
        The number of each row, NaN if unknown.
    unreadable
        (line, q_id, a_id, sure) of the other lines with a finding and known ids: such an answer is
        not missing, but its code is unknown. `sure` tells whether the ids are certain.
    """

    lines: Sequence[int]
    q_ids: list[str]
    a_ids: list[str]
    codes: bytearray
    values: list[float]
    unreadable: Sequence[tuple[int, str, str, bool]] = ()

    @classmethod
    def of(
        cls,
        accepted: Sequence[tuple[int, str, str, int, float]],
        unreadable: Sequence[tuple[int, str, str, bool]],
    ) -> Rows:
        """Return rows given one by one: line, q_id, a_id, code, value."""
        columns = list(map(list, zip(*accepted, strict=True))) or [[] for _ in cls._fields[:5]]
        lines, q_ids, a_ids, codes, values = columns
        return cls(lines, q_ids, a_ids, bytearray(codes), values, unreadable)

    def named(self) -> Iterator[tuple[str, str]]:
        """Yield the ids of all rows, those of unreadable lines last."""
        yield from zip(self.q_ids, self.a_ids, strict=True)
        for _, q_id, a_id, _ in self.unreadable:
            yield q_id, a_id
