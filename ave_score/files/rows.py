"""Blocks of rows as columns, of every notation that has rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, compress, count
from operator import ne, sub
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
    values: Sequence[float]
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


class Ids:
    """The ids of the answers in a file without an index, in the order of its rows.

    Attributes
    ----------
    heads, firsts
        The question of each row that begins consecutive answers of a question, and the row.
    a_ids
        The id of each answer.
    numbers
        q_id -> the number of its first head; all pairs are of the question "". It has questions
        without answers, too.
    """

    def __init__(self) -> None:
        self.heads: list[str] = []
        self.firsts: list[int] = []
        self.a_ids: list[str] = []
        self.numbers: dict[str, int] = {}
        self._answers: dict[str, set[str]] = {}

    def answers_of(self, q_id: str) -> set[str]:
        """Return the answers that a question has so far; from now on it is known.

        A set is made when it is needed: the answers of most questions are consecutive, as those of
        every question without a set are.
        """
        if q_id not in self._answers:
            number = self.numbers.setdefault(q_id, len(self.heads))
            bounds = [*self.firsts[number : number + 2], len(self.a_ids)][:2]
            self._answers[q_id] = {*self.a_ids[bounds[0] : bounds[-1]]}
        return self._answers[q_id]

    def append(self, q_id: str, a_id: str) -> bool:
        """Add an answer; return whether it is new."""
        answers = self.answers_of(q_id)
        if a_id in answers:
            return False
        answers.add(a_id)
        self._begin([q_id], [len(self.a_ids)])
        self.a_ids.append(a_id)
        return True

    def extend(self, q_ids: list[str], a_ids: list[str]) -> bool:
        """Add answers if all are new; return whether they are."""
        is_head = [*map(ne, q_ids, [None, *q_ids])]
        heads, firsts = [*compress(q_ids, is_head)], [*compress(count(), is_head)]
        once = {*heads}
        # the questions that go on, or all, if the answers of any are not consecutive
        begun = self.numbers.keys() & once if len(once) == len(heads) else once
        spans = [*zip(heads, firsts, [*firsts, len(a_ids)][1:], strict=True)]
        again = [(q_id, a_ids[first:stop]) for q_id, first, stop in spans if q_id in begun]
        if any(not self.answers_of(q_id).isdisjoint(answers) for q_id, answers in again):
            return False
        each: Iterable[Iterable[object]] = [zip(q_ids, a_ids, strict=True)]
        if len(once) == len(heads):
            each = (a_ids[first:stop] for _, first, stop in spans)
        if len({*a_ids}) < len(a_ids) and sum(len({*ids}) for ids in each) < len(a_ids):
            return False
        for q_id, answers in again:
            self._answers[q_id].update(answers)
        self._begin(heads, [len(self.a_ids) + first for first in firsts])
        self.a_ids += a_ids
        return True

    def _begin(self, heads: list[str], firsts: list[int]) -> None:
        """Note questions of consecutive answers; the first may go on with the last before."""
        same = int(heads[:1] == self.heads[-1:])
        for number, q_id in enumerate(heads[same:], len(self.heads)):
            self.numbers.setdefault(q_id, number)
        self.heads += heads[same:]
        self.firsts += firsts[same:]

    def index(self) -> tuple[AnswerIndex, list[int] | None]:
        """Return the index of the answers, and the order of their rows in it; None if unchanged."""
        stops = [*self.firsts, len(self.a_ids)][1:]
        if self.heads == [*self.numbers]:
            sizes = dict(zip(self.heads, map(sub, stops, self.firsts), strict=True))
            return AnswerIndex.sized(sizes, self.a_ids), None
        of_question: dict[str, list[int]] = {q_id: [] for q_id in self.numbers}
        for q_id, first, stop in zip(self.heads, self.firsts, stops, strict=True):
            of_question[q_id] += range(first, stop)
        order = [*chain.from_iterable(of_question.values())]
        sizes = {q_id: len(rows) for q_id, rows in of_question.items()}
        return AnswerIndex.sized(sizes, [self.a_ids[row] for row in order]), order
