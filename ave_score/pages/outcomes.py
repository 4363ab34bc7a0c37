"""What a run does on a question, as pages show it: a letter, a symbol, words and a colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ave_score.core.judgements import Meaning
from ave_score.core.labels import AnswerOutcome, Outcome
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.parts import mentioned
from ave_score.counts.decisions import cells_of, decisions_of, table_of
from ave_score.counts.judged import judged_outcomes
from ave_score.tasks.inputs import ids_of


class Mark(NamedTuple):
    """How an outcome is shown: a letter in packed data, symbol, words, and a class of colours."""

    code: str
    symbol: str
    words: str
    tone: str


_MARKS: dict[Outcome | AnswerOutcome, Mark] = {
    Outcome.SELECTED_RIGHT: Mark("r", "✓", "correct answer selected", "good"),
    Outcome.WITHHELD_UNANSWERABLE: Mark(
        "n", "∅", "rightly nothing selected: no candidate is correct", "silent"
    ),
    Outcome.WITHHELD_ANSWERABLE: Mark(
        "m", "○", "nothing selected, although a candidate is correct", "missed"
    ),
    Outcome.SELECTED_WRONG_ANSWERABLE: Mark(
        "w", "✗", "wrong answer selected, although a candidate is correct", "bad"
    ),
    Outcome.SELECTED_WRONG_UNANSWERABLE: Mark(
        "u", "⊗", "wrong answer selected; no candidate is correct", "void"
    ),
    AnswerOutcome.ANSWERED_RIGHT: Mark("a", "✓", "answered correctly", "good"),
    AnswerOutcome.WITHHELD_WRONG: Mark(
        "e", "(✗)", "unanswered; the answer that it withheld is wrong", "none"
    ),
    AnswerOutcome.UNANSWERED: Mark("c", "○", "unanswered", "none"),
    AnswerOutcome.WITHHELD_RIGHT: Mark(
        "d", "(✓)", "unanswered; the answer that it withheld is correct", "missed"
    ),
    AnswerOutcome.ANSWERED_WRONG: Mark("b", "✗", "answered incorrectly", "bad"),
}
_MOST = Mark("h", "◕", "right in at least half of the epochs", "most")
_SOME = Mark("l", "◔", "right in less than half of the epochs", "some")
_NEVER = Mark("t", "⊘", "never right: in some epochs wrong, in others unanswered", "bad")
_OF_PAIRS = (
    Mark("p", "✓", "right decision", "good"),
    Mark("q", "✗", "wrong decision", "bad"),
    Mark("k", "?", "labelled UNKNOWN: neither right nor wrong", "none"),
)
_BRIEF = (
    Mark("y", "✓", "right", "good"),
    Mark("o", "○", "unanswered, or nothing selected", "none"),
    Mark("x", "✗", "wrong", "bad"),
)
_ABSENT = Mark(".", "·", "not scored on this question", "absent")

IN_BRIEF = str.maketrans(
    {
        mark.code: {"good": "y", "bad": "x", "void": "x"}.get(mark.tone, "o")
        for mark in _MARKS.values()
    }
)
"""Outcomes without what they say about answers that a run did not give."""

RIGHT, WRONG = ("good", "silent"), ("bad", "void")
"""The classes of outcomes that are right, and of those that are wrong."""

MARKS = (*_MARKS.values(), _MOST, _SOME, _NEVER, *_OF_PAIRS, *_BRIEF, _ABSENT)
"""All marks, those of one table in the order of sorting."""


def outcomes_of(subject: Run | QARun, gold: Collection, table: dict[str, Meaning]) -> str:
    """Return the letter of a `Mark` for each question, or pair, of a collection.

    UNKNOWN labels are resolved. Of a QA system, the outcome of a selection counts if there are
    candidates, as in the tables of selection.
    """
    part = mentioned(subject, gold)
    if isinstance(subject, QARun):
        judged = judged_outcomes(subject, part, table)
        has_candidates = len(part.index) > 0
        marks = (
            [_MARKS[one.outcome if has_candidates else one.worth] for one in replicates]
            for replicates in judged
        )
        codes = "".join([_mark_of(of).code for of in marks])
    elif part.index.is_pairs:
        codes = cells_of(subject, part).translate(_PAIRS).decode("ascii")
    else:
        codes = "".join([_MARKS[decision.outcome].code for decision in decisions_of(subject, part)])
    if part is gold:
        return codes
    known = dict(zip(ids_of(part), codes, strict=True))
    return "".join([known.get(id_, _ABSENT.code) for id_ in ids_of(gold)])


def _mark_of(marks: Sequence[Mark]) -> Mark:
    """Return the mark of a question, given those of its replicates."""
    right = sum(mark.tone in RIGHT for mark in marks)
    wrong = sum(mark.tone in WRONG for mark in marks)
    if len(marks) in (right, wrong) or len({*marks}) == 1:
        return marks[0]
    if right:
        return _MOST if 2 * right >= len(marks) else _SOME
    return _NEVER if wrong else _MARKS[AnswerOutcome.UNANSWERED]


_PAIRS = table_of(2 * b"pqk" + b"qpk", ord(_ABSENT.code))
"""Cell -> letter."""
