"""What a run does on a question, as pages show it: a letter, a symbol, words and a colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ave_score.core.exact import Number
from ave_score.core.judgements import Meaning
from ave_score.core.labels import AnswerOutcome, Outcome
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.parts import mentioned
from ave_score.counts.decisions import cells_of, decisions_of, table_of
from ave_score.counts.judged import judged_outcomes


class Mark(NamedTuple):
    """How an outcome is shown: a letter in packed data, symbol, words, and a class of colours."""

    code: str
    symbol: str
    words: str
    tone: str

    @property
    def right(self) -> Number:
        """The share of right answers."""
        return Fraction(self.symbol) if "-" in self.code else int(self.tone in RIGHT)

    @property
    def stops(self) -> str:
        """The colours of replicates with several outcomes, from left to right; "" of others."""
        if "-" not in self.code:
            return ""
        right, unanswered, number = map(int, self.code.split("-"))
        ends = (100 * right // number, 100 * (right + unanswered) // number)
        return f"var(--good) {ends[0]}%, var(--none) 0 {ends[1]}%, var(--bad) 0"


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

_IN_BRIEF = str.maketrans(
    {
        mark.code: {"good": "y", "bad": "x", "void": "x"}.get(mark.tone, "o")
        for mark in _MARKS.values()
    }
)

RIGHT, WRONG = ("good", "silent"), ("bad", "void")
"""The classes of outcomes that are right, and of those that are wrong."""

_BY_CODE = {mark.code: mark for mark in (*_MARKS.values(), *_OF_PAIRS, *_BRIEF, _ABSENT)}
"""Letter -> mark, those of one table in the order of sorting."""

_PARTS = {"right": "a", "unanswered": "c", "wrong": "b"}
"""What is said of a part of the replicates of a question -> the letter of its colour."""


def marks_of(codes: Iterable[str]) -> dict[str, Mark]:
    """Return code -> mark, in the order of sorting, with the marks of all colours."""
    used = {*codes}
    mixed = sorted(map(_mixed, used - _BY_CODE.keys()), key=lambda mark: (-mark.right, mark.code))
    tones = {mark.tone for code, mark in _BY_CODE.items() if code in used}
    said = " ".join(mark.words for mark in mixed)
    used |= {
        part for word, part in _PARTS.items() if word in said and _BY_CODE[part].tone not in tones
    }
    known = {code: mark for code, mark in _BY_CODE.items() if code in used}
    return known | {mark.code: mark for mark in mixed}


def _mixed(code: str) -> Mark:
    """Return the mark of replicates with several outcomes: how many are right, open, and there."""
    right, unanswered, number = map(int, code.split("-"))
    said = {"right": right, "unanswered": unanswered, "wrong": number - right - unanswered}
    words = ", ".join(f"{times} {word}" for word, times in said.items() if times)
    return Mark(code, f"{right}/{number}", words, f"mix-{code}")


def _code_of(marks: Sequence[Mark]) -> str:
    if len({*marks}) == 1:
        return marks[0].code
    right, wrong = (sum(mark.tone in tones for mark in marks) for tones in (RIGHT, WRONG))
    return f"{right}-{len(marks) - right - wrong}-{len(marks)}"


def outcomes_of(subject: Run | QARun, gold: Collection, table: dict[str, Meaning]) -> Sequence[str]:
    """Return the code of a `Mark` for each question, or pair, of a collection.

    UNKNOWN labels are resolved. Of a QA system, the outcome of a selection counts if there are
    candidates, as in the tables of selection.
    """
    part = mentioned(subject, gold)
    codes: Sequence[str]
    if isinstance(subject, QARun):
        judged = judged_outcomes(subject, part, table)
        selects = part.standard.has_candidates
        codes = [
            _code_of([_MARKS[one.outcome if selects else one.worth] for one in replicates])
            for replicates in judged
        ]
    elif not part.standard.has_questions:
        codes = cells_of(subject, part).translate(_PAIRS).decode("ascii")
    else:
        codes = [_MARKS[decision.outcome].code for decision in decisions_of(subject, part)]
    if part is not gold:
        known = dict(zip(part.ids, codes, strict=True))
        codes = [known.get(id_, _ABSENT.code) for id_ in gold.ids]
    return _brief(codes)


def in_brief(codes: Sequence[str]) -> Sequence[str]:
    """Return outcomes without what they say about answers that a run did not give."""
    return _brief([code.translate(_IN_BRIEF) for code in codes])


def _brief(codes: Sequence[str]) -> Sequence[str]:
    """Return codes as a text if they are letters, which takes less room."""
    return codes if any(len(code) > 1 for code in codes) else "".join(codes)


_PAIRS = table_of(2 * b"pqk" + b"qpk", ord(_ABSENT.code))
"""Cell -> letter."""
