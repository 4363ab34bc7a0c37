"""AVE runs: `q_id a_id SELECTED|VALIDATED|REJECTED confidence`, one line an answer.

Fields are separated by blanks or tabs; blank lines, and lines that begin with `#`, are skipped.
A block of clean lines is taken apart in a few bulk operations; a block in which anything is odd
goes through the line-by-line reader, which finds out what.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ave_score import rules
from ave_score.findings import HINTS, Findings
from ave_score.formats.lines import Block, LineReader, field_columns
from ave_score.formats.source import Source
from ave_score.model import VERDICTS, Roster
from ave_score.rules import Rule
from ave_score.text import counted, did_you_mean, nearest

LAYOUT = "q_id a_id SELECTED|VALIDATED|REJECTED confidence"

_EXPECTED = ", ".join(VERDICTS)
_LABELS = frozenset(
    ["UNKNOWN", "R", "W", "U", "X", "YES", "NO", "TRUE", "FALSE", "CORRECT", "INCORRECT"]
)
"""Words of gold files, judged files and AVE 2006 that have no place in a run."""
_TRANSLATED = {
    "VALIDADA": "VALIDATED",
    "VALIDADO": "VALIDATED",
    "VALID": "VALIDATED",
    "SI": "VALIDATED",
    "SÍ": "VALIDATED",
    "RECHAZADA": "REJECTED",
    "RECHAZADO": "REJECTED",
    "INVALID": "REJECTED",
    "SELECCIONADA": "SELECTED",
    "SELECCIONADO": "SELECTED",
    "BEST": "SELECTED",
}
_HEADERS = frozenset(["q_id", "qid", "q", "question", "question_id", "id", "topic"])
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_COMMA = r"[+-]?[0-9]*,[0-9]+"


class Rows(NamedTuple):
    """Rows of a run as columns, all of one length, and the answers of unreadable lines.

    `unreadable` holds (line, q_id, a_id, sure) of lines with a finding, where these could be told:
    such an answer is not missing, but nothing is known of it. `sure` is whether only the verdict or
    the confidence was at fault, so that the ids stand where they belong.
    """

    lines: Sequence[int]
    q_ids: list[str]
    a_ids: list[str]
    verdicts: bytearray
    confidences: list[float]
    unreadable: Sequence[tuple[int, str, str, bool]] = ()


def read_rows(source: Source, findings: Findings) -> Iterator[Rows]:
    """Yield the rows of a run, block by block, adding findings about its lines."""
    reader = LineReader(source, findings, "an AVE run", if_xml=rules.SWAPPED)
    empty = True
    for block in reader.blocks():
        rows = _clean_rows(block) or _careful_rows(block, findings)
        empty = empty and not rows.lines and not rows.unreadable
        yield rows
    if empty and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="answers in it")


def own_roster(source: Source) -> Roster:
    """Return the roster of the answers that a run names itself, in the order of its lines."""
    unheard = Findings(source.path)  # whoever reads the rows next hears it all again
    answers: dict[str, dict[str, None]] = {}
    for rows in read_rows(source, unheard):
        for q_id, a_id in zip(rows.q_ids, rows.a_ids, strict=True):
            answers.setdefault(q_id, {})[a_id] = None
        for _, q_id, a_id, _ in rows.unreadable:
            answers.setdefault(q_id, {})[a_id] = None
    return Roster.of(answers)


def _clean_rows(block: Block) -> Rows | None:
    """Take a block apart in bulk; None where any line is not beyond doubt."""
    text = block.text
    if block.bad or text.startswith("#") or "\n#" in text:
        return None
    # With line ends as a field of their own, every fifth field is one exactly if every line has
    # four fields with one separator between them.
    fields = text.replace("\t", " ").replace("\n", " \n ").split(" ")
    fields.pop()
    q_ids, a_ids, words, numbers, ends = (fields[column::5] for column in range(5))
    if not len(fields) == 5 * len(ends) == 5 * ends.count("\n") == 5 * text.count("\n"):
        return None
    if not ends or "" in q_ids or "" in a_ids:
        return None
    try:
        verdicts = bytearray(map(VERDICTS.__getitem__, words))
        confidences = list(map(float, numbers))
    except (KeyError, ValueError):
        return None
    # float() takes 1_000 and the digits of other scripts; a confidence is plainer than that
    spelling = "".join(numbers)
    if "_" in spelling or not spelling.isascii():
        return None
    # a sum that is finite has no NaN in it, which min and max would overlook
    if not math.isfinite(sum(confidences)) or min(confidences) < 0.0 or max(confidences) > 1.0:
        return None
    return Rows(range(block.first, block.first + len(ends)), q_ids, a_ids, verdicts, confidences)


def _careful_rows(block: Block, findings: Findings) -> Rows:
    """Read a block line by line and say what is wrong with each."""
    accepted: list[tuple[int, str, str, int, float]] = []
    unreadable: list[tuple[int, str, str, bool]] = []
    for number, line, fields in block.rows():
        read = _Line(number, line, fields, findings)
        bad = number in block.bad
        decision = None if bad else read.decision()
        if decision:
            accepted.append((number, fields[0], fields[1], *decision))
        elif len(fields) > 1:
            sure = not bad and len(fields) == 4 and not read.is_header()
            unreadable.append((number, fields[0], fields[1], sure))
    columns = list(map(list, zip(*accepted, strict=True))) or [[] for _ in Rows._fields[:5]]
    lines, q_ids, a_ids, verdicts, confidences = columns
    return Rows(lines, q_ids, a_ids, bytearray(verdicts), confidences, unreadable)


class _Line(NamedTuple):
    """One line of a run, and where to complain about it."""

    number: int
    text: str
    fields: list[str]
    findings: Findings

    def decision(self) -> tuple[int, float] | None:
        """Return verdict code and confidence, or None with at least one finding added."""
        if self.is_header():
            self._add(rules.HEADER_LINE, 0, layout=LAYOUT)
            return None
        if len(self.fields) != 4:
            self._count_fields()
            return None
        verdict, confidence = self._verdict(self.fields[2]), self._confidence(self.fields[3])
        return None if verdict is None or confidence is None else (verdict, confidence)

    def _add(self, rule: Rule, field_number: int, **facts: object) -> None:
        columns = field_columns(self.text, field_number)
        self.findings.add(rule, self.number, columns, self.text, **facts)

    def _count_fields(self) -> None:
        self._add(
            rules.FIELD_COUNT,
            4,  # the first one too many, or the end of the line
            found=counted(len(self.fields), "field"),
            expected="4",
            layout=LAYOUT,
        )

    def is_header(self) -> bool:
        """Tell whether the line names columns: nothing in it is a verdict, a label or a number."""
        return (
            self.fields[0].casefold() in _HEADERS
            and (VERDICTS.keys() | _LABELS).isdisjoint(map(str.upper, self.fields))
            and not re.search("[0-9]", self.fields[-1])
        )

    def _verdict(self, word: str) -> int | None:
        if word in VERDICTS:
            return VERDICTS[word]
        upper = word.upper()
        if upper in VERDICTS:
            self._add(rules.VERDICT_CASE, 2, found=word, expected=upper)
        elif upper in _LABELS:
            self._add(rules.LABEL_IN_RUN, 2, found=word, expected=_EXPECTED)
        else:
            meant = _TRANSLATED.get(upper)
            if meant is None and self.findings.counts[rules.UNKNOWN_VERDICT] < HINTS:
                meant = nearest(word, VERDICTS)
            hint = did_you_mean(meant)
            self._add(rules.UNKNOWN_VERDICT, 2, found=word, expected=_EXPECTED, hint=hint)
        return None

    def _confidence(self, word: str) -> float | None:
        if re.fullmatch(_NUMBER, word):
            value = float(word)
            if math.isfinite(value):
                if not 0.0 <= value <= 1.0:
                    self._add(rules.CONFIDENCE_RANGE, 3, found=word)
                return value
            self._add(rules.CONFIDENCE_NOT_FINITE, 3, found=word)
        elif word.lstrip("+-").casefold() in {"nan", "inf", "infinity"}:
            self._add(rules.CONFIDENCE_NOT_FINITE, 3, found=word)
        elif re.fullmatch(_COMMA, word):
            self._add(rules.DECIMAL_COMMA, 3, found=word, expected=word.replace(",", "."))
        else:
            self._add(rules.CONFIDENCE_NOT_A_NUMBER, 3, found=word)
        return None
