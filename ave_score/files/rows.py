"""Blocks of rows as columns, of every notation that has rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ave_score.core.model import AnswerIndex


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

    def unpacked(self) -> Rows:
        """Return the rows themselves; other rows have ids in another form (see `packed`)."""
        return self

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
        stop = start + len(self.codes)
        here = slice(start, stop)
        if index.a_ids[here] == self.a_ids and index.q_ids[here] == self.q_ids:
            if any(codes[here]):
                return None
            codes[here] = self.codes
            values[here] = array("d", self.values)
            lines[here] = array("Q", self.lines)
            return stop
        places = [*map(index.position.get, zip(self.q_ids, self.a_ids, strict=True))]
        known = [place for place in places if place is not None]
        if len({*known}) < len(places) or any(map(codes.__getitem__, known)):
            return None
        for place, code, value, line in zip(
            known, self.codes, self.values, self.lines, strict=True
        ):
            codes[place], values[place], lines[place] = code, value, line
        return known[-1] + 1

    def named(self) -> Iterator[tuple[str, str]]:
        """Return the ids of all rows, those of unreadable lines last."""
        unreadable = ((q_id, a_id) for _, q_id, a_id, _ in self.unreadable)
        return chain(zip(self.q_ids, self.a_ids, strict=True), unreadable)
