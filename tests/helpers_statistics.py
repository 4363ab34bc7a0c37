"""Helpers for tests of statistics: counts of runs question by question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ave_score.counts import ANSWERING, SELECTION, VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats


def answered(right: Sequence[float] | Floats, name: str = "run") -> ByQuestion:
    """Return a run that selects right answers of some questions, and wrong ones of the others."""
    selected = np.zeros((len(right), 8))
    selected[:, 0], selected[:, 1], selected[:, 7] = right, 1 - np.asarray(right), 1
    given = np.zeros((len(right), 5))
    given[:, :2] = selected[:, :2]
    ids = [str(number) for number in range(1, len(right) + 1)]
    return ByQuestion(name, {SELECTION: selected, ANSWERING: given}, ids=ids)


def validated(
    rows: Sequence[Sequence[float]] | NDArray[Any], name: str = "run", unit: str = "question"
) -> ByQuestion:
    """Return a run of counts: validated correct and incorrect, rejected correct ... answers."""
    columns = np.zeros((len(rows), 6))
    columns[:, : np.shape(rows)[1]] = rows
    return ByQuestion(name, {VALIDATION: columns}, unit=unit)
