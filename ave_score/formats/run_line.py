"""One line of a run: what it says, and what is wrong with it."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from ave_score import rules
from ave_score.findings import HINTS, Findings
from ave_score.formats.columns import field_columns, separator_hint
from ave_score.model import VERDICTS
from ave_score.rules import Rule, Safety
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
_FIRST_COLUMNS = frozenset(["q_id", "qid", "q", "question", "question_id", "id", "topic"])
_NO_NUMBERS = frozenset(["nan", "inf", "infinity"])
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_COMMA = r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?"
_PERHAPS_A_THOUSAND = r"[+-]?0*[1-9][0-9]*,[0-9]{3}"


class Headers:
    """Tells which lines name columns: the first row may, and repetitions where files were joined.

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
        return fields == self._header


def _names_columns(fields: list[str]) -> bool:
    """Tell whether nothing in a row is an id with a digit, a verdict, a label or a number."""
    words = [word.strip('"') for word in re.split("[,;]", fields[0])] + fields[1:]
    return (
        (len(words) == 4 or words[0].casefold() in _FIRST_COLUMNS)
        and not re.search("[0-9]", "".join(words))
        and (VERDICTS.keys() | _LABELS).isdisjoint(map(str.upper, words))
        and words[-1].casefold() not in _NO_NUMBERS
    )


class RunLine(NamedTuple):
    """A line, its fields, and where to complain about it."""

    number: int
    text: str
    fields: list[str]
    findings: Findings

    def decision(self, *, is_header: bool = False) -> tuple[int, float] | None:
        """Return verdict code and confidence, or None where the verdict cannot be told.

        The confidence is NaN where it cannot be told. Whatever is wrong is added to the findings.
        """
        if is_header:
            self._add(rules.HEADER_LINE, 0, layout=LAYOUT)
            return None
        if len(self.fields) != 4:
            self._count_fields()
            return None
        verdict, confidence = self._verdict(self.fields[2]), self._confidence(self.fields[3])
        return None if verdict is None else (verdict, confidence)

    def _add(self, rule: Rule, field_number: int, fix: Safety | None = None, **facts: str) -> None:
        columns = field_columns(self.text, field_number)
        self.findings.add(rule, self.number, columns, self.text, fix, **facts)

    def _count_fields(self) -> None:
        hint = separator_hint(self.text, len(self.fields))
        if len(self.fields) == 3 and self.fields[2] in ("VALIDATED", "REJECTED", "UNKNOWN"):
            hint = "; --kind key checks a file of labels"
        self._add(
            rules.FIELD_COUNT,
            4,  # the first one too many, or the end of the line
            found=counted(len(self.fields), "field"),
            expected="4",
            layout=LAYOUT,
            hint=hint,
        )

    def _verdict(self, word: str) -> int | None:
        if word in VERDICTS:
            return VERDICTS[word]
        upper = word.upper()
        if upper in VERDICTS:
            self._add(rules.VERDICT_CASE, 2, found=word, expected=upper)
            return VERDICTS[upper]
        if upper in _LABELS:
            self._add(rules.LABEL_IN_RUN, 2, found=word, expected=_EXPECTED)
            return None
        meant = _TRANSLATED.get(upper)
        if meant is None and self.findings.counts[rules.UNKNOWN_VERDICT] < HINTS:
            meant = nearest(word, VERDICTS)
        hint = did_you_mean(meant)
        self._add(rules.UNKNOWN_VERDICT, 2, found=word, expected=_EXPECTED, hint=hint)
        return None

    def _confidence(self, word: str) -> float:
        if re.fullmatch(_NUMBER, word):
            value = float(word)
            if math.isfinite(value):
                if not 0.0 <= value <= 1.0:
                    self._add(rules.CONFIDENCE_RANGE, 3, found=word)
                return value
            self._add(rules.CONFIDENCE_NOT_FINITE, 3, found=word)
        elif word.lstrip("+-").casefold() in _NO_NUMBERS:
            self._add(rules.CONFIDENCE_NOT_FINITE, 3, found=word)
        elif re.fullmatch(_COMMA, word):
            return self._with_comma(word)
        else:
            self._add(rules.CONFIDENCE_NOT_A_NUMBER, 3, found=word)
        return math.nan

    def _with_comma(self, word: str) -> float:
        """Return what a number with a comma is; with three digits behind it this is not sure."""
        point = word.replace(",", ".")
        fix = Safety.UNSAFE if re.fullmatch(_PERHAPS_A_THOUSAND, word) else Safety.SAFE
        self._add(rules.DECIMAL_COMMA, 3, fix, found=word, expected=point)
        return float(point)
