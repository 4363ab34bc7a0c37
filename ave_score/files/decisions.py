"""The fields that all runs of decisions have: a verdict and a confidence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Protocol

from ave_score import rules
from ave_score.core.findings import HINTS, Findings
from ave_score.core.judgements import LETTERS
from ave_score.core.labels import (
    OTHER_LABELS,
    PAIR_VERDICT_WORDS,
    PAIR_VERDICTS,
    TRANSLATIONS,
    VERDICTS,
)
from ave_score.core.text import did_you_mean, nearest
from ave_score.rules import Rule, Safety

LABEL_WORDS = OTHER_LABELS | {
    letter for letters in LETTERS.values() for letter in letters.table if letter
}
"""Words of gold files, judged files and AVE 2006 that are not verdicts of other runs."""

_IS_SWAPPED = "; are verdict and confidence swapped?"
NO_NUMBERS = frozenset(["nan", "inf", "infinity"])
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
COMMA = r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?"
_PERHAPS_A_THOUSAND = r"[+-]?0*[1-9][0-9]*,[0-9]{3}"


class DecisionRow(Protocol):
    """A row with a verdict and a confidence, which collects the findings about it."""

    @property
    def findings(self) -> Findings:
        """The findings of the file."""

    def add(self, name: str, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about the field `verdict` or `confidence`."""


def are_swapped(row: DecisionRow, word: str, confidence: str, verdicts: Mapping[str, int]) -> bool:
    """Tell whether a row has the confidence as its verdict, and the other way round; report it."""
    if confidence not in verdicts or not re.fullmatch(f"{NUMBER}|{COMMA}", word):
        return False
    facts = {"found": word, "expected": ", ".join(verdicts)}
    row.add("verdict", rules.UNKNOWN_VERDICT, **facts, hint=_IS_SWAPPED)
    return True


def verdict_of(
    row: DecisionRow, word: str, verdicts: Mapping[str, int], values: Mapping[str, str]
) -> int | None:
    """Return the code of a verdict; None, with a finding, if the word is unknown.

    Parameters
    ----------
    verdicts
        The words of the layout and their codes.
    values
        Other words and the verdicts that they mean.
    """
    word = values.get(word, word)
    upper = word.upper()
    if verdicts is PAIR_VERDICTS:
        word = of_pair(word) or word if word in values.values() else word
    if word in verdicts:
        return verdicts[word]
    if upper in verdicts:
        row.add("verdict", rules.VERDICT_CASE, found=word, expected=upper)
        return verdicts[upper]
    expected = ", ".join(verdicts)
    if upper in LABEL_WORDS:
        row.add("verdict", rules.LABEL_IN_RUN, found=word, expected=expected)
        return None
    meant = TRANSLATIONS.get(upper)
    if verdicts is PAIR_VERDICTS:
        meant = of_pair(TRANSLATIONS.get(upper, upper))
    if meant is None and row.findings.counts[rules.UNKNOWN_VERDICT] < HINTS:
        meant = nearest(word, verdicts)
    hint = did_you_mean(meant if meant in verdicts else None)
    row.add("verdict", rules.UNKNOWN_VERDICT, found=word, expected=expected, hint=hint)
    return None


def of_pair(word: str) -> str | None:
    """Return the word of pairs for a verdict, if it is one."""
    return PAIR_VERDICT_WORDS[VERDICTS[word]] if word in VERDICTS else None


def confidence_of(row: DecisionRow, word: str) -> float:
    """Return a confidence; NaN, with a finding, if it is not a finite number."""
    if re.fullmatch(NUMBER, word):
        value = float(word)
        if math.isfinite(value):
            if not 0.0 <= value <= 1.0 and not row.findings.counts[rules.CONFIDENCE_RANGE]:
                row.add("confidence", rules.CONFIDENCE_RANGE, found=word)
            return value
        row.add("confidence", rules.CONFIDENCE_NOT_FINITE, found=word)
    elif word.lstrip("+-").casefold() in NO_NUMBERS:
        row.add("confidence", rules.CONFIDENCE_NOT_FINITE, found=word)
    elif re.fullmatch(COMMA, word):
        # with three digits after the comma it is ambiguous
        fix = Safety.UNSAFE if re.fullmatch(_PERHAPS_A_THOUSAND, word) else Safety.SAFE
        point = word.replace(",", ".")
        row.add("confidence", rules.DECIMAL_COMMA, fix, found=word, expected=point)
        return float(point)
    else:
        row.add("confidence", rules.CONFIDENCE_NOT_A_NUMBER, found=word)
    return math.nan
