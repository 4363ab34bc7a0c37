"""Decisions on questions: numbers of answers by verdict and label, from which runs are counted.

Each answer has a one-byte code, its *cell*: 8 times the verdict plus the label. All that is counted
of the decisions on a question is how many of its answers have each cell. Counts of a run are sums
over its questions, so a run of any size is a few numbers: how many questions have equal decisions.
Files that are read as a whole and tables that an engine counts are the same in this form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ave_score.core.errors import UsageError
from ave_score.core.judgements import Answering
from ave_score.core.model import AnswerIndex, Collection, Label, Outcome, Run, Verdict
from ave_score.counts.judged import OUTCOMES

CELLS = 8 * len(Verdict)
"""The number of different cells."""

ACCEPTED = (Verdict.VALIDATED, Verdict.SELECTED)
"""The verdicts that accept an answer."""

_TIMES_8 = bytes(8 * verdict % 256 for verdict in range(256))


class Decisions(NamedTuple):
    """The answers to a question by verdict and label; a pair is a question of one answer.

    Where there is no run, all answers are rejected.
    """

    selected_correct: int = 0
    selected_incorrect: int = 0
    selected_unknown: int = 0
    validated_correct: int = 0
    validated_incorrect: int = 0
    validated_unknown: int = 0
    rejected_correct: int = 0
    rejected_incorrect: int = 0
    rejected_unknown: int = 0

    @property
    def right(self) -> int:
        """Accepted answers that are correct."""
        return self.selected_correct + self.validated_correct

    @property
    def wrong(self) -> int:
        """Accepted answers that are incorrect."""
        return self.selected_incorrect + self.validated_incorrect

    @property
    def unsure(self) -> int:
        """Accepted answers that are labelled UNKNOWN."""
        return self.selected_unknown + self.validated_unknown

    @property
    def correct(self) -> int:
        """All correct answers."""
        return self.right + self.rejected_correct

    @property
    def incorrect(self) -> int:
        """All incorrect answers."""
        return self.wrong + self.rejected_incorrect

    @property
    def unknown(self) -> int:
        """All answers labelled UNKNOWN."""
        return self.unsure + self.rejected_unknown

    @property
    def outcome(self) -> Outcome:
        """What the run does with the question by selecting an answer, or none."""
        worth = Answering.UNANSWERED
        if self.selected_correct:
            worth = Answering.CORRECT
        elif self.selected_incorrect or self.selected_unknown:
            worth = Answering.INCORRECT
        return OUTCOMES[worth, self.correct > 0]


_VERDICTS = (Verdict.SELECTED, Verdict.VALIDATED, Verdict.REJECTED)
_LABELS = (Label.VALIDATED, Label.REJECTED, Label.UNKNOWN)


def table_of(codes: Sequence[int], other: int = 0, of_open: Sequence[int] = ()) -> bytes:
    """Return a table from cells to codes: one for each field of `Decisions`, and for other cells.

    An answer without a verdict is rejected. `of_open` are the codes of open decisions by label,
    which no field of `Decisions` has.
    """
    cells = [8 * verdict + label for verdict in _VERDICTS for label in _LABELS]
    table = bytearray([other]) * 256
    for cell, code in zip([*cells, *_LABELS], [*codes, *codes[-3:]], strict=True):
        table[cell] = code
    for label, code in zip(_LABELS, of_open, strict=False):
        table[8 * Verdict.OPEN + label] = code
    return bytes(table)


_FIELDS = range(len(Decisions._fields))
_FIELD_OF_CELL = table_of(_FIELDS, other=255)


def decisions_of_cells(cells: bytes) -> Decisions:
    """Return the decisions on a question, given the cells of its answers in any order."""
    return _of_sorted(bytes(sorted(cells)))


@lru_cache(2**14)
def _of_sorted(cells: bytes) -> Decisions:
    return Decisions(*map(cells.translate(_FIELD_OF_CELL).count, _FIELDS))


def cells_of(run: Run, collection: Collection) -> bytes:
    """Join a run and the labels of its collection: one cell per answer, in index order.

    Raises `UsageError` if the run was read against another collection.
    """
    if not run.index.has_answers_of(collection.index):
        raise UsageError(f"run {run.name!r} was not read against this collection")
    verdicts, labels = run.verdicts.translate(_TIMES_8), collection.labels
    # added as two integers, because no cell exceeds a byte: seven times as fast
    total = int.from_bytes(verdicts, "little") + int.from_bytes(labels, "little")
    return total.to_bytes(len(verdicts), "little")


def cells_by_question(cells: bytes, index: AnswerIndex) -> Iterator[bytes]:
    """Return the cells of the answers to each question, or of each pair."""
    return map(cells.__getitem__, index.unit_spans)


def decisions_of(run: Run, collection: Collection) -> list[Decisions]:
    """Return the decisions of a run on each question, or pair.

    Raises `UsageError` if the run was read against another collection.
    """
    cells = [*cells_by_question(cells_of(run, collection), collection.index)]
    known = {one: decisions_of_cells(one) for one in {*cells}}
    return [*map(known.__getitem__, cells)]


def frequencies(cells: bytes, index: AnswerIndex) -> Counter[Decisions]:
    """Return how many questions have equal decisions, given the cells of all answers."""
    return frequencies_of(Counter(cells_by_question(cells, index)))


def frequencies_of(
    compositions: Mapping[bytes, int], unknown: Label = Label.UNKNOWN
) -> Counter[Decisions]:
    """Return how many questions have equal decisions.

    Parameters
    ----------
    compositions
        The cells of the answers to a question, in any order -> number of such questions.
    unknown
        The label of answers that are labelled UNKNOWN.
    """
    verdicts = range(0, CELLS, 8)
    settled = bytes.maketrans(
        bytes(verdict + Label.UNKNOWN for verdict in verdicts),
        bytes(verdict + unknown for verdict in verdicts),
    )
    questions: Counter[Decisions] = Counter()
    for cells, times in compositions.items():
        questions[decisions_of_cells(cells.translate(settled))] += times
    return questions
