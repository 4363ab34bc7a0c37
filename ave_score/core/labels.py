"""Labels of answers, verdicts on them, and the outcomes of questions."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum, StrEnum

from ave_score.core.text import did_you_mean, nearest


class Label(IntEnum):
    """The gold label of an answer; the value is its code in `Collection.labels`."""

    REJECTED = 0
    VALIDATED = 1
    UNKNOWN = 2
    NONE = 3  # a test file without labels


class Verdict(IntEnum):
    """A run's verdict on an answer; the value is its code in `Run.verdicts`."""

    MISSING = 0
    REJECTED = 1
    VALIDATED = 2
    SELECTED = 3
    UNREADABLE = 4  # the run has a line for the answer, but the line has a finding


VERDICTS = {verdict.name: verdict.value for verdict in (Verdict(3), Verdict(2), Verdict(1))}
"""The words of a run file and their codes."""

PAIR_VERDICTS = {"YES": Verdict.VALIDATED.value, "NO": Verdict.REJECTED.value}
"""The words of a run of text-hypothesis pairs (AVE 2006) and their codes."""

LABELS = {label.name: label.value for label in (Label(1), Label(0), Label(2))}
"""The words of a gold file and their codes."""

PAIR_LABELS = {
    "YES": Label.VALIDATED.value,
    "NO": Label.REJECTED.value,
    "UNKNOWN": Label.UNKNOWN.value,
    "TRUE": Label.VALIDATED.value,
    "FALSE": Label.REJECTED.value,
}
"""The words of a gold file of pairs: YES and NO at AVE 2006, TRUE and FALSE in SPARTE."""


TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
"""The words of a column of whether an answer is correct."""


class Labels(Enum):
    """How labels are read."""

    IGNORED = "labels are not read"
    OPTIONAL = "labels are read if present"
    NEEDED = "an answer without one is a finding"


GRADE_DIGITS = 2
"""Digits of a grade: gains double with each grade."""


def label_facts(word: str, words: Iterable[str] = LABELS) -> dict[str, object]:
    """Return the facts of a finding about an unknown gold label."""
    hint = did_you_mean(nearest(word, words))
    return {"found": word, "expected": ", ".join(words), "hint": hint}


def label_cell(label: int, answerable: bool) -> int:
    """Return a label's code with a bit for whether its question has a correct answer.

    Adding 8 times the verdict gives the *cell* that `counts` counts.
    """
    return label + 4 * answerable


def grade_of(word: str) -> int | None:
    """Return a grade, None if it is not a whole number from 0 to 99."""
    is_grade = word.isascii() and word.isdigit() and len(word) <= GRADE_DIGITS
    return int(word) if is_grade else None


class Outcome(StrEnum):
    """The outcome of a question: the five cases of AVE 2008 (thesis 4.6-4.7)."""

    SELECTED_RIGHT = "selected_right"
    SELECTED_WRONG_ANSWERABLE = "selected_wrong_answerable"
    WITHHELD_ANSWERABLE = "withheld_answerable"
    SELECTED_WRONG_UNANSWERABLE = "selected_wrong_unanswerable"
    WITHHELD_UNANSWERABLE = "withheld_unanswerable"


class AnswerOutcome(StrEnum):
    """The outcome of a question for a system that may leave it unanswered (thesis, ch. 6).

    WITHHELD questions are unanswered, and the assessors judged the withheld answer.
    """

    ANSWERED_RIGHT = "answered_right"
    ANSWERED_WRONG = "answered_wrong"
    UNANSWERED = "unanswered"
    WITHHELD_RIGHT = "withheld_right"
    WITHHELD_WRONG = "withheld_wrong"
