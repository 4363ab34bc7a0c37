"""What studies of measures sample: answers or questions, and what is counted of each.

Measures of validation are about answers, and all others about questions, whose answers then stay
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ave_score.counts import VALIDATION, Family
from ave_score.counts.joined import VALIDATION_KIND, cells
from ave_score.errors import UsageError
from ave_score.inference.by_question import Floats, count_by_question
from ave_score.measures import Measure
from ave_score.model import Collection, Label, Run
from ave_score.text import counted


class Unit(StrEnum):
    """What a sample is of: answers that have been judged, or questions with all their answers."""

    ANSWERS = "answers"
    QUESTIONS = "questions"

    def told(self, number: int) -> str:
        """Return e.g. `1 judged answer`."""
        word = self.value.removesuffix("s")
        return counted(number, f"judged {word}" if self is Unit.ANSWERS else word)


class Units(NamedTuple):
    """What is counted of each unit of some runs.

    Attributes
    ----------
    unit
        What they are.
    number
        How many.
    runs
        How many.
    columns
        Family -> unit, run, field of the family's counts -> what is counted.
    """

    unit: Unit
    number: int
    runs: int
    columns: Mapping[Family, npt.NDArray[Any]]


def units_of(measures: Iterable[Measure], wanted: Unit | None) -> dict[Unit, list[Measure]]:
    """Return what samples are of, and for which measures.

    Unless one of them is `wanted`, measures of validation are studied in samples of answers, all
    others in samples of questions. Raises `UsageError` that lists all measures without samples.
    """
    found: dict[Unit, list[Measure]] = {}
    refused = []
    for measure in measures:
        of_answers = measure.family is VALIDATION
        if not measure.family.of_answers or (wanted is Unit.ANSWERS and not of_answers):
            refused.append(measure.key)
        usual = Unit.ANSWERS if of_answers else Unit.QUESTIONS
        found.setdefault(wanted or usual, []).append(measure)
    if refused:
        units = "questions or answers" if wanted is None else wanted
        raise UsageError(f"cannot be computed in samples of {units}: {', '.join(refused)}")
    return found


def count_units(
    runs: Iterable[Run], collection: Collection, families: Iterable[Family], unit: Unit
) -> Units:
    """Count every unit of every run.

    Raises `UsageError` for fewer than two runs, and where runs cannot be counted so.
    """
    wanted = set(families)
    if unit is Unit.ANSWERS:
        if wanted - {VALIDATION}:
            raise UsageError("answer by answer there is validation to count, and nothing else")
        columns_of = [{VALIDATION: _by_answer(run, collection)} for run in runs]
        number = len(collection.labels) - collection.labels.count(Label.UNKNOWN)
    else:
        by_question = [count_by_question(run, collection, wanted).columns for run in runs]
        columns_of = [{family: _narrow(one[family]) for family in wanted} for one in by_question]
        number = len(collection.roster.spans)
    if len(columns_of) < 2:
        raise UsageError("one run cannot be compared: two runs at least are needed")
    columns = {family: np.stack([one[family] for one in columns_of], axis=1) for family in wanted}
    return Units(unit, number, len(columns_of), columns)


def _by_answer(run: Run, collection: Collection) -> npt.NDArray[Any]:
    """Return a row with a single 1 for every answer with a label other than UNKNOWN."""
    kinds = np.frombuffer(cells(run, collection).translate(VALIDATION_KIND), dtype=np.uint8)
    judged = np.frombuffer(collection.labels, dtype=np.uint8) != Label.UNKNOWN
    fields = len(VALIDATION.counts.names())
    is_of_kind: npt.NDArray[Any] = kinds[judged][:, None] == np.arange(fields)
    return is_of_kind.astype(np.uint8)


def _narrow(columns: Floats) -> npt.NDArray[np.floating]:
    """Return columns in single precision where sums of them are exact in it."""
    is_exact = (columns == np.floor(columns)).all() and np.abs(columns).sum() < 2**24
    return columns.astype(np.float32) if is_exact else columns
