"""One line of a run: what it says, and what is wrong with it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from ave_score import rules
from ave_score.files.columns import field_columns, separator_hint
from ave_score.findings import HINTS, Findings
from ave_score.model import PAIR_VERDICTS, VERDICTS
from ave_score.rules import Rule, Safety
from ave_score.text import counted, did_you_mean, nearest


class Layout(NamedTuple):
    """What the lines of a run hold: `ids` fields that name an answer, a verdict, a confidence.

    The confidence may be left out where `least` is less than `most`.
    """

    text: str
    ids: int
    verdicts: Mapping[str, int]
    least: int
    most: int


ANSWERS = Layout("q_id a_id SELECTED|VALIDATED|REJECTED confidence", 2, VERDICTS, 4, 4)
"""Runs of AVE 2007 and 2008."""

PAIRS = Layout("pair_id YES|NO [confidence]", 1, PAIR_VERDICTS, 2, 3)
"""Runs of AVE 2006, on text-hypothesis pairs."""

_LABELS = frozenset(
    ["UNKNOWN", "R", "W", "U", "X", "YES", "NO", "TRUE", "FALSE", "CORRECT", "INCORRECT"]
)
"""Words of gold files, judged files and AVE 2006 that have no place in another run."""
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
_SURE_COLUMNS = frozenset(["q_id", "qid", "question_id", "pair_id"])
_OF_PAIRS = {"VALIDATED": "YES", "SELECTED": "YES", "REJECTED": "NO"}
"""What is said of pairs in the place of what is said of answers."""
_FIRST_COLUMNS = frozenset(
    ["q_id", "qid", "q", "question", "question_id", "id", "topic", "pair", "pair_id"]
)
NO_NUMBERS = frozenset(["nan", "inf", "infinity"])
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
COMMA = r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?"
_PERHAPS_A_THOUSAND = r"[+-]?0*[1-9][0-9]*,[0-9]{3}"


class Headers:
    """Tells which lines name columns: the first row may, and repetitions where files were joined.

    Elsewhere only a row whose first field could be nothing but the name of a column.

    Attributes
    ----------
    begun
        Whether a row was met already.
    """

    def __init__(self) -> None:
        self.begun = False
        self._header: list[str] | None = None

    def has(self, fields: list[str]) -> bool:
        """Tell whether the next row, given as its fields, is a header."""
        if not self.begun and _names_columns(fields):
            self._header = fields
        self.begun = True
        return fields == self._header or _surely_names_columns(fields)


def _names_columns(fields: list[str]) -> bool:
    """Tell whether nothing in a row is an id with a digit, a verdict, a label or a number."""
    words = [word.strip('"') for word in re.split("[,;]", fields[0])] + fields[1:]
    return (
        (len(words) == 4 or words[0].casefold() in _FIRST_COLUMNS)
        and not re.search("[0-9]", "".join(words))
        and (VERDICTS.keys() | _LABELS).isdisjoint(map(str.upper, words))
        and words[-1].casefold() not in NO_NUMBERS
    )


def _surely_names_columns(fields: list[str]) -> bool:
    return fields[0].casefold() in _SURE_COLUMNS and _names_columns(fields)


class RunLine(NamedTuple):
    """A line, its fields, and where to complain about it."""

    number: int
    text: str
    fields: list[str]
    findings: Findings
    layout: Layout = ANSWERS

    def decision(self, *, is_header: bool = False) -> tuple[int, float] | None:
        """Return verdict code and confidence, or None where the verdict cannot be told.

        The confidence is NaN where it cannot be told. Whatever is wrong is added to the findings.
        """
        if is_header:
            self._add(rules.HEADER_LINE, 0, layout=self.layout.text)
            return None
        if not self.has_right_width:
            self._count_fields()
            return None
        verdict = self._verdict(self.fields[self.layout.ids])
        confidence = math.nan
        if len(self.fields) == self.layout.most:
            confidence = self._confidence(self.fields[-1])
        return None if verdict is None else (verdict, confidence)

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of question and answer; the question of a pair is ""."""
        return (self.fields[0], self.fields[1]) if self.layout.ids == 2 else ("", self.fields[0])

    @property
    def has_right_width(self) -> bool:
        """Whether the line has as many fields as it should."""
        return self.layout.least <= len(self.fields) <= self.layout.most

    def _add(self, rule: Rule, field_number: int, fix: Safety | None = None, **facts: str) -> None:
        columns = field_columns(self.text, field_number)
        self.findings.add(rule, self.number, columns, self.text, fix, **facts)

    def _count_fields(self) -> None:
        hint = separator_hint(self.text, len(self.fields))
        if len(self.fields) == 3 and self.fields[2] in ("VALIDATED", "REJECTED", "UNKNOWN"):
            hint = "; --kind key checks a file of labels"
        elif 2 <= len(self.fields) <= 3 and self.fields[1].upper() in PAIR_VERDICTS:
            hint = "; YES and NO are said of pairs (AVE 2006)"
        least, most = self.layout.least, self.layout.most
        self._add(
            rules.FIELD_COUNT,
            most,  # the first one too many, or the end of the line
            found=counted(len(self.fields), "field"),
            expected=str(most) if least == most else f"{least} or {most}",
            layout=self.layout.text,
            hint=hint,
        )

    def _verdict(self, word: str) -> int | None:
        verdicts, place = self.layout.verdicts, self.layout.ids
        if word in verdicts:
            return verdicts[word]
        upper = word.upper()
        if upper in verdicts:
            self._add(rules.VERDICT_CASE, place, found=word, expected=upper)
            return verdicts[upper]
        expected = ", ".join(verdicts)
        if upper in _LABELS:
            self._add(rules.LABEL_IN_RUN, place, found=word, expected=expected)
            return None
        meant = _TRANSLATED.get(upper)
        if self.layout is PAIRS:
            meant = _OF_PAIRS.get(_TRANSLATED.get(upper, upper))
        if meant is None and self.findings.counts[rules.UNKNOWN_VERDICT] < HINTS:
            meant = nearest(word, verdicts)
        hint = did_you_mean(meant if meant in verdicts else None)
        self._add(rules.UNKNOWN_VERDICT, place, found=word, expected=expected, hint=hint)
        return None

    def _confidence(self, word: str) -> float:
        place = self.layout.most - 1
        if re.fullmatch(NUMBER, word):
            value = float(word)
            if math.isfinite(value):
                if not 0.0 <= value <= 1.0:
                    self._add(rules.CONFIDENCE_RANGE, place, found=word)
                return value
            self._add(rules.CONFIDENCE_NOT_FINITE, place, found=word)
        elif word.lstrip("+-").casefold() in NO_NUMBERS:
            self._add(rules.CONFIDENCE_NOT_FINITE, place, found=word)
        elif re.fullmatch(COMMA, word):
            return self._with_comma(word)
        else:
            self._add(rules.CONFIDENCE_NOT_A_NUMBER, place, found=word)
        return math.nan

    def _with_comma(self, word: str) -> float:
        """Return what a number with a comma is; with three digits behind it this is not sure."""
        point = word.replace(",", ".")
        fix = Safety.UNSAFE if re.fullmatch(_PERHAPS_A_THOUSAND, word) else Safety.SAFE
        self._add(rules.DECIMAL_COMMA, self.layout.most - 1, fix, found=word, expected=point)
        return float(point)
