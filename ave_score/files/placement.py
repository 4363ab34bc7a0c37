"""The join of rows and a collection: rows are aligned with the index by id."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ave_score import rules
from ave_score.core.findings import HINTS, MANY, Findings
from ave_score.core.model import AnswerIndex, Label, Verdict
from ave_score.core.text import are_plain_ids, did_you_mean, nearest
from ave_score.files.rows import Ids, Rows
from ave_score.rules import Rule, Safety

if TYPE_CHECKING:
    from ave_score.files.packed import PackedRows

Block = TypeVar("Block", "Rows", "Rows | PackedRows")

OTHER_UNKNOWN, OTHER_NAMED = 0.05, 0.75
"""A file is of another collection if more than `MANY` of its answers, and at least `OTHER_UNKNOWN`
of them, are unknown, some answer is missing, and fewer than `OTHER_NAMED` of all answers, of the
file or of the collection, are in both. Ids match by coincidence: of two collections of AVE 2007 and
2008, up to 62 % (median 32 %)."""

_UNKNOWN = (rules.UNKNOWN_QUESTION, rules.UNKNOWN_ANSWER, rules.ANSWER_OF_ANOTHER_QUESTION)


def _index_of(blocks: Sequence[Rows]) -> AnswerIndex:
    """Return an index of the answers in a file, in file order."""
    ids = Ids()
    for rows in blocks:
        if not ids.extend(rows.q_ids, rows.a_ids):
            for q_id, a_id in zip(rows.q_ids, rows.a_ids, strict=True):
                ids.append(q_id, a_id)
        for _, q_id, a_id, _ in rows.unreadable:
            ids.append(q_id, a_id)
    return ids.index()[0]


def unless_empty(blocks: Iterable[Block], findings: Findings, expected: str) -> Iterator[Block]:
    """Yield blocks of rows; report a file without rows that has no error."""
    empty = True
    for rows in blocks:
        empty = empty and not rows.lines and not rows.unreadable
        yield rows
    if empty and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected=expected)


def align(
    blocks: Iterable[Rows | PackedRows], index: AnswerIndex | None, findings: Findings
) -> Placement:
    """Return rows aligned with an index, or with one of their own answers.

    `findings` receives those about the rows.
    """
    if index is None:
        blocks = [*blocks]
        placement = _placed_as_before(blocks, findings)
        if placement is not None:
            return placement
        blocks = unpacked = [rows.unpacked() for rows in blocks]
        index = _index_of(unpacked)
        _Last.index = index if are_plain_ids([*index.questions, *index.a_ids]) else None
    placement = Placement(index, findings)
    for rows in blocks:
        placement.place(rows)
    placement.judge_unknown()
    return placement


class _Last:
    """The index of the last file without a collection: many runs name the same answers."""

    index: AnswerIndex | None = None


def _placed_as_before(blocks: Sequence[Rows | PackedRows], findings: Findings) -> Placement | None:
    """Return the rows if they name the answers of the last file, in the same order."""
    index = _Last.index
    if not index or any(rows.unreadable for rows in blocks):
        return None
    placement = Placement(index, findings)
    if not all(map(placement.put, blocks)) or Verdict.MISSING in placement.codes:
        return None
    placement.judge_unknown()
    return placement if sorted(placement.lines) == placement.lines.tolist() else None


class _Unknown(NamedTuple):
    """A row about an answer that the index does not have, and the end of a message about it."""

    line: int
    q_id: str
    a_id: str
    hint: str


class Placement:
    """Columns aligned with an index, filled from rows.

    Parameters
    ----------
    index
        The answers.
    findings
        Receives findings about unknown and repeated answers.

    Attributes
    ----------
    codes
        The code of each answer (`Verdict` or `Label` + 1), 0 if it has no row.
    values
        The number of each answer.
    lines
        The line of each answer.
    fits
        Whether any row certainly refers to an answer of the index, and the file is not of another
        collection.
    unknown
        Number of rows about answers that the index does not have.
    """

    def __init__(self, index: AnswerIndex, findings: Findings) -> None:
        self.index = index
        self.findings = findings
        size = len(index)
        self.codes = bytearray(size)
        self.values = array("d", bytes(8 * size))
        self.lines = array("Q", bytes(8 * size))
        self.fits = False
        self.unknown = 0
        self._first: _Unknown | None = None  # the first of these rows
        self._next = 0  # position of the next row if the file has the collection's order

    def place(self, rows: Rows | PackedRows) -> None:
        """Align rows; in one step unless one of them has a finding."""
        if not self.put(rows):
            for row in zip(*rows.unpacked()[:5], strict=True):
                self._place_one(*row)
        for line, q_id, a_id, sure in rows.unreadable:
            self._place_unreadable(line, q_id, a_id, sure=sure)

    def put(self, rows: Rows | PackedRows) -> bool:
        """Align readable rows in one step; return False, without doing it, if any has a finding."""
        stop = rows.put(self.index, self._next, self.codes, self.values, self.lines)
        if stop is not None:
            self.fits, self._next = self.fits or bool(len(rows.codes)), stop
        return stop is not None

    def confidence_of_missing(self) -> float:
        """Return the confidence of an answer that is REJECTED because it has no row.

        It is 0, or the double below the lowest confidence if that is negative, so that the answer
        ranks last; it stays 0 beside a lowest of 0, because confidences may be probabilities. No
        finite number is below the lowest double, which is used again. NaN (none) is for a run of
        pairs in which any has none.
        """
        if not self.index.has_questions and any(map(math.isnan, self.values)):
            return math.nan
        lowest = min(filter(math.isfinite, self.values), default=0.0)
        if lowest >= 0:
            return 0
        return max(math.nextafter(lowest, -math.inf), -sys.float_info.max)

    def missing(self) -> Iterator[int]:
        """Yield the positions without a row; they may be filled while iterating."""
        position = self.codes.find(Verdict.MISSING)
        while position >= 0:
            yield position
            position = self.codes.find(Verdict.MISSING, position + 1)

    def without_missing(self) -> Placement:
        """Return the placement of the same rows in an index of the answers that have one."""
        from ave_score.core.parts import index_of_part  # few runs lack answers

        part = Placement(index_of_part(self.index, self.codes), self.findings)
        part.codes = bytearray(compress(self.codes, self.codes))
        part.values = array("d", compress(self.values, self.codes))
        part.lines = array("Q", compress(self.lines, self.codes))
        part.fits, part.unknown = self.fits, self.unknown
        return part

    def judge_unknown(self) -> None:
        """Replace the findings about unknown answers by one if the file is of another collection.

        To be called once, after the last row. If reading stopped before, the other rows are not
        missing.
        """
        self.fits = self.fits and rules.OTHER_FORMAT not in self.findings.counts
        missing = self.codes.count(Verdict.MISSING)
        size, named = len(self.index), len(self.index) - missing
        few = self.unknown <= MANY or self.unknown < OTHER_UNKNOWN * (self.unknown + named)
        if few or not missing or named >= OTHER_NAMED * (size + self.unknown):
            return
        self.findings.withdraw(_UNKNOWN)
        facts = {"named": f"{named:,}", "size": f"{size:,}", "unknown": f"{self.unknown:,}"}
        if self._first is not None:
            line, q_id, a_id, hint = self._first
            facts |= {"q_id": q_id, "a_id": a_id, "hint": hint}
            self.findings.add(rules.ANOTHER_COLLECTION, line, **facts)
        self.findings.skip(
            "missing answers and selections: the file seems to be of another collection"
        )
        self.fits = False

    def _place_unreadable(self, line: int, q_id: str, a_id: str, *, sure: bool) -> None:
        """Record an unreadable line about an answer.

        An unknown answer is only reported if the ids are certain.
        """
        position = self.index.position.get((q_id, a_id))
        if position is None:
            if sure:
                self._explain_unknown(line, q_id, a_id)
        elif not self.codes[position]:
            self.codes[position] = Verdict.UNREADABLE
            self.lines[position] = line
            self.fits = self.fits or sure

    def _place_one(self, line: int, q_id: str, a_id: str, code: int, value: float) -> None:
        position = self.index.position.get((q_id, a_id))
        if position is None:
            self._explain_unknown(line, q_id, a_id)
            return
        before, first = self.codes[position], self.values[position]
        if before not in (0, Verdict.UNREADABLE):
            # runs of pairs may omit confidences; elsewhere NaN is an unreadable one
            neither = not self.index.has_questions and math.isnan(first) and math.isnan(value)
            alike = before == code and (first == value or neither)
            rule = rules.ANSWER_REPEATED if alike else rules.ANSWER_CONFLICT
            unsure = math.isnan(first) or math.isnan(value)  # it is unknown which is more confident
            unsure = unsure and not (neither and alike)
            fix = Safety.NONE if unsure else None
            facts = {"q_id": q_id, "a_id": a_id, "first": self.lines[position]}
            self.findings.add(rule, line, None, "", fix, **facts)
            if not math.isnan(first) or math.isnan(value):
                return  # otherwise the row with a known value replaces the other
        self.fits = True
        self.codes[position] = code
        self.values[position] = value
        self.lines[position] = line
        self._next = position + 1

    def _explain_unknown(self, line: int, q_id: str, a_id: str) -> None:
        rule, facts = self._unknown_rule(q_id, a_id)
        self.findings.add(rule, line, q_id=q_id, a_id=a_id, **facts)
        self.unknown += 1
        self._first = self._first or _Unknown(line, q_id, a_id, facts.get("hint", ""))

    def _unknown_rule(self, q_id: str, a_id: str) -> tuple[Rule, dict[str, str]]:
        """Return the rule that an unknown answer breaks, with facts for its message."""
        if not self.index.has_questions:
            return rules.UNKNOWN_ANSWER, {"hint": ""}
        number = self.index.question_number.get(q_id)
        elsewhere = self.index.questions_of_answer.get(a_id, [])
        if number is None:
            if (a_id, q_id) in self.index.position:
                return rules.UNKNOWN_QUESTION, {"hint": "; are q_id and a_id swapped?"}
            alike = self.index.questions_by_number.get(q_id.lstrip("0"))
            if alike is None and len(elsewhere) == 1:
                alike = elsewhere[0]
            return rules.UNKNOWN_QUESTION, {"hint": did_you_mean(alike)}
        if elsewhere:
            return rules.ANSWER_OF_ANOTHER_QUESTION, {"expected": elsewhere[0]}
        hint = ""
        if self.findings.counts[rules.UNKNOWN_ANSWER] < HINTS:
            known = self.index.a_ids[self.index.spans[number]]
            hint = did_you_mean(nearest(a_id, known))
        return rules.UNKNOWN_ANSWER, {"hint": hint}


def report_unlabelled(index: AnswerIndex, labels: bytes | bytearray, findings: Findings) -> None:
    """Report every answer that has no label."""
    for position, label in enumerate(labels):
        if label == Label.NONE:
            q_id, a_id = index.q_ids[position], index.a_ids[position]
            findings.add(rules.UNLABELLED_ANSWER, q_id=q_id, a_id=a_id)
