"""What the letters of assessors mean: one entry per campaign.

The same letter can have different meanings: U is *unsupported* at QA@CLEF and *unanswered* at
ResPubliQA. No other module knows any letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from ave_score.core.model import Label


class Answering(StrEnum):
    """Whether a judged row is correct as the answer of a question-answering system."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"


class Meaning(NamedTuple):
    """The meaning of a letter: label in validation, correctness as an answer, and name."""

    label: Label
    answering: Answering
    word: str

    @property
    def is_unsettled(self) -> bool:
        """Whether the policy on UNKNOWN applies to the answer."""
        return self.label is Label.UNKNOWN and self.answering is not Answering.UNANSWERED

    def is_contradicted(self, answered: bool | None) -> bool:
        """Return whether the letter contradicts the run, and so belongs to another campaign.

        An answer that was given cannot be *unanswered*, one that was withheld not *unsupported*.
        """
        if self.answering is Answering.UNANSWERED:
            return answered is True
        return self == UNSUPPORTED and answered is False


RIGHT = Meaning(Label.VALIDATED, Answering.CORRECT, "right")
WRONG = Meaning(Label.REJECTED, Answering.INCORRECT, "wrong")
UNSUPPORTED = Meaning(Label.REJECTED, Answering.INCORRECT, "unsupported")
INEXACT = Meaning(Label.UNKNOWN, Answering.INCORRECT, "inexact")
INEXACT_AS_RIGHT = Meaning(Label.VALIDATED, Answering.CORRECT, "inexact")
UNANSWERED = Meaning(Label.UNKNOWN, Answering.UNANSWERED, "unanswered")
NOT_JUDGED = Meaning(Label.UNKNOWN, Answering.INCORRECT, "not judged")


class JudgementTable:
    """Meanings of the letters of assessors; the empty judgement is always NOT_JUDGED.

    At least one letter must mean RIGHT and one WRONG. `help` and `source` are documentation.
    """

    def __init__(self, name: str, letters: Mapping[str, Meaning], help: str, source: str) -> None:
        if "" in letters or not {RIGHT, WRONG} <= {*letters.values()}:
            raise ValueError(f"letters {name} need non-empty letters for right and wrong")
        self.name = name
        self.help = help
        self.source = source
        self.table: dict[str, Meaning] = {**letters, "": NOT_JUDGED}

    def letter_of(self, label: Label) -> str:
        """Return the letter of a gold label; "" for UNKNOWN."""
        meaning = {Label.VALIDATED: RIGHT, Label.REJECTED: WRONG}.get(label, NOT_JUDGED)
        return next(letter for letter, means in self.table.items() if means == meaning)


LETTERS: dict[str, JudgementTable] = {
    table.name: table
    for table in (
        JudgementTable(
            "qa-clef",
            {"R": RIGHT, "W": WRONG, "U": UNSUPPORTED, "X": INEXACT},
            "QA@CLEF, and the collections of AVE",
            "Vallin and others, Overview of the CLEF 2005 Multilingual Question Answering Track",
        ),
        JudgementTable(
            "qa-clef-lenient",
            {"R": RIGHT, "W": WRONG, "U": UNSUPPORTED, "X": INEXACT_AS_RIGHT},
            "QA@CLEF, where an inexact answer counts as correct",
            "Vallin and others, Overview of the CLEF 2005 Multilingual Question Answering Track",
        ),
        JudgementTable(
            "respubliqa",
            {"R": RIGHT, "W": WRONG, "U": UNANSWERED},
            "ResPubliQA, where a question may be left unanswered",
            "Peñas and others, Overview of ResPubliQA 2009: Question Answering Evaluation over "
            "European Legislation",
        ),
    )
}
"""Name of a meaning -> its judgement table."""

ALL_LETTERS = frozenset(chain(*(letters.table for letters in LETTERS.values()))) - {""}
"""All letters of judgements."""
