"""The join of a run and a collection, and what is counted in it.

It is one small code an answer, its *cell*: verdict, label and whether the answer's question has a
correct answer. Everything counted is the number of times that certain cells occur, in all of a run
or in the answers of one question, so the counts of parts always add up to those of the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from operator import add
from typing import NamedTuple

from ave_score.counts import QuestionCounts, SelectionCounts, ValidationCounts
from ave_score.errors import UsageError
from ave_score.exact import Number
from ave_score.model import (
    Collection,
    Label,
    Outcome,
    Run,
    Verdict,
    label_cell,
)


def _cells_of(verdict: Verdict, labels: tuple[Label, ...], answerable: tuple[bool, ...]) -> bytes:
    """List the cells of a verdict with any of the labels."""
    return bytes(verdict * 8 + label_cell(label, a) for label in labels for a in answerable)


_EITHER = (False, True)
_WRONG = (Label.REJECTED, Label.UNKNOWN)
_RIGHT = _cells_of(Verdict.SELECTED, (Label.VALIDATED,), _EITHER)
_WRONG_ANSWERABLE = _cells_of(Verdict.SELECTED, _WRONG, (True,))
_WRONG_UNANSWERABLE = _cells_of(Verdict.SELECTED, _WRONG, (False,))
_SELECTED_UNKNOWN = _cells_of(Verdict.SELECTED, (Label.UNKNOWN,), _EITHER)

_TIMES_8 = bytes(8 * verdict % 256 for verdict in range(256))


_KINDS = {  # (accepted, label) -> number of the field of ValidationCounts
    (True, Label.VALIDATED): 0,
    (True, Label.REJECTED): 1,
    (False, Label.VALIDATED): 2,
    (False, Label.REJECTED): 3,
    (True, Label.UNKNOWN): 4,
    (False, Label.UNKNOWN): 5,
}


def _kind_of_every_cell() -> bytes:
    table = bytearray([255]) * 256
    for verdict in (Verdict.SELECTED, Verdict.VALIDATED, Verdict.REJECTED):
        for (accepted, label), kind in _KINDS.items():
            if accepted == (verdict is not Verdict.REJECTED):
                for cell in _cells_of(verdict, (label,), _EITHER):
                    table[cell] = kind
    return bytes(table)


VALIDATION_KIND = _kind_of_every_cell()
"""Cell -> number of the field of `ValidationCounts` that counts it."""


def cells(run: Run, collection: Collection) -> bytes:
    """Join a run and the labels of its collection: one cell an answer, in roster order.

    Raises `UsageError` where the run was placed on another roster than the collection's.
    """
    if run.roster is not collection.roster:
        raise UsageError(f"run {run.name!r} was not read against this collection")
    return bytes(map(add, run.verdicts.translate(_TIMES_8), collection.label_cells))


class Part(NamedTuple):
    """Cells of whole questions: all those of a run, or of one of them.

    Attributes
    ----------
    cells
        One an answer.
    spans, answerable
        Of every question where its answers stand in `cells`, and whether one of them is correct.
    expected_random
        The sum of the questions' shares of correct answers.
    """

    cells: bytes
    spans: Sequence[slice]
    answerable: Sequence[bool]
    expected_random: Number


def whole(run: Run, collection: Collection) -> Part:
    """Join all of a run; of pairs, which belong to no question, there are cells only."""
    roster = collection.roster
    answerable, expected = collection.answerable, collection.expected_random
    return Part(cells(run, collection), roster.spans, answerable, expected)


def one_question(some_cells: bytes, answerable: bool, share: Fraction) -> Part:
    """Return the part that is one question, with its share of correct answers."""
    return Part(some_cells, (slice(0, len(some_cells)),), (answerable,), share)


def count_validation(some_cells: bytes) -> ValidationCounts:
    """Count the answers of any cells: a whole run's, or those of one question."""
    kinds = some_cells.translate(VALIDATION_KIND)
    return ValidationCounts(*map(kinds.count, range(len(fields(ValidationCounts)))))


def count_selection(
    some_cells: bytes, questions: int, answerable: int, expected_random: Number
) -> SelectionCounts:
    """Count the questions of any cells.

    Parameters
    ----------
    some_cells
        The cells of whole questions.
    questions, answerable
        How many questions these are, and how many of them have a correct answer.
    expected_random
        The sum of their shares of correct answers.
    """
    right, wrong_answerable, wrong_unanswerable = (
        sum(map(some_cells.count, kind))
        for kind in (_RIGHT, _WRONG_ANSWERABLE, _WRONG_UNANSWERABLE)
    )
    return SelectionCounts(
        selected_right=right,
        selected_wrong_answerable=wrong_answerable,
        withheld_answerable=answerable - right - wrong_answerable,
        selected_wrong_unanswerable=wrong_unanswerable,
        withheld_unanswerable=questions - answerable - wrong_unanswerable,
        selected_unknown=sum(map(some_cells.count, _SELECTED_UNKNOWN)),
        expected_random=expected_random,
        questions_with_correct=answerable,
    )


def count_selections(part: Part) -> SelectionCounts:
    """Count the questions of a part."""
    answerable = sum(part.answerable)
    return count_selection(part.cells, len(part.spans), answerable, part.expected_random)


def count_questions(part: Part) -> QuestionCounts:
    """Sum the F1 of each question of a part that has one."""
    kinds = part.cells.translate(VALIDATION_KIND)
    triples = Counter(
        tuple(kinds.count(kind, span.start, span.stop) for kind in range(3)) for span in part.spans
    )
    total, defined = Fraction(0), 0
    for (validated_correct, validated_incorrect, rejected_correct), times in triples.items():
        size = 2 * validated_correct + validated_incorrect + rejected_correct
        if size:
            total += times * Fraction(2 * validated_correct, size)
            defined += times
    return QuestionCounts(defined, total)


def outcome_of(counts: SelectionCounts) -> Outcome:
    """Return what happened to the one question that was counted."""
    return next(outcome for outcome in Outcome if getattr(counts, outcome))
