"""The join of a run and a collection, from which decisions are counted.

Each answer has a one-byte code, its *cell*: verdict, label, and whether the answer's question has a
correct answer. All counts of decisions are frequencies of cells, in a run or in the answers to one
question, so the counts of the parts add up to the total.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from typing import NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.exact import Number
from ave_score.core.model import Collection, Label, Run, Verdict, label_cell

CELLS = 8 * len(Verdict)
"""The number of different cells."""

ACCEPTED = (Verdict.VALIDATED, Verdict.SELECTED)
"""The verdicts that accept an answer."""

_EITHER = (False, True)
_TIMES_8 = bytes(8 * verdict % 256 for verdict in range(256))


def cells_of(
    verdict: Verdict, labels: Sequence[Label], answerable: Sequence[bool] = _EITHER
) -> bytes:
    """Return the cells of a verdict with any of the labels."""
    return bytes(verdict * 8 + label_cell(label, a) for label in labels for a in answerable)


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
            if accepted == (verdict in ACCEPTED):
                for cell in cells_of(verdict, [label]):
                    table[cell] = kind
    return bytes(table)


VALIDATION_KIND = _kind_of_every_cell()
"""Cell -> number of the field of `ValidationCounts` that counts it."""


class JoinedAnswers(NamedTuple):
    """The cells of all questions of a run, or of one question.

    Attributes
    ----------
    cells
        One byte per answer.
    starts
        The cells of question i are `cells[starts[i]:starts[i + 1]]`; one more than questions.
    answerable
        Whether an answer to the question is correct, for each question.
    expected_random
        The sum over questions of the share of correct answers.
    """

    cells: bytes
    starts: array[int]
    answerable: Sequence[bool]
    expected_random: Number

    def accepted(self, *, judged_only: bool = False) -> Iterator[tuple[int, int, bool]]:
        """Yield for each question: accepted answers, correct ones of these, and answerability.

        An accepted answer labelled UNKNOWN does not count as correct, or not at all if
        `judged_only`.
        """
        right, wrong, unknown = self.counts(0, 1, 4)
        for rights, wrongs, others, answerable in zip(
            right, wrong, unknown, self.answerable, strict=True
        ):
            yield rights + wrongs + (0 if judged_only else others), rights, answerable

    def counts(self, *kinds: int) -> list[Sequence[int]]:
        """Return the answers of each question that `VALIDATION_KIND` maps to each of the kinds."""
        of_cells, starts = self.cells.translate(VALIDATION_KIND), self.starts
        return [[*map(of_cells.count, repeat(kind), starts, starts[1:])] for kind in kinds]


def cells(run: Run, collection: Collection) -> bytes:
    """Join a run and the labels of its collection: one cell per answer, in index order.

    Raises `UsageError` if the run was read against another collection.
    """
    if not run.index.has_answers_of(collection.index):
        raise UsageError(f"run {run.name!r} was not read against this collection")
    verdicts, labels = run.verdicts.translate(_TIMES_8), collection.label_cells
    # added as two integers, because no cell exceeds a byte: seven times as fast
    total = int.from_bytes(verdicts, "little") + int.from_bytes(labels, "little")
    return total.to_bytes(len(verdicts), "little")


def join(run: Run, collection: Collection) -> JoinedAnswers:
    """Join a run and its collection; pairs have cells only, because they belong to no question."""
    index = collection.index
    answerable, expected = collection.answerable, collection.expected_random
    return JoinedAnswers(cells(run, collection), index.bounds, answerable, expected)


_CORRECT = bytes(cell for cell in range(CELLS) if cell % 4 == Label.VALIDATED)


def one_question(some_cells: bytes) -> JoinedAnswers:
    """Return the join of a single question, whose cells are in any order, or of a single pair."""
    correct = sum(map(some_cells.count, _CORRECT))
    share = Fraction(correct, max(1, len(some_cells)))
    return JoinedAnswers(some_cells, array("q", (0, len(some_cells))), (correct > 0,), share)
