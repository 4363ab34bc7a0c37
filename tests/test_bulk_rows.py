"""Rows in memory are read as columns: what is read from their lines of JSON is the truth."""

from __future__ import annotations

import math
import random
import warnings
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ave_score
from ave_score import Collection, DefectError, UsageError
from ave_score.files import frames
from ave_score.files.source import Source
from tests import examples, mostly_slow
from tests.test_bulk_gold import NAMINGS, Names, noting, read, said

Columns = dict[str, list[object]]

GOLD: Columns = {
    "q_id": ["1", "1", "2", "3", "3", "1"],
    "a_id": ["1", "2", "1", "1", "2", "3"],
    "label": ["VALIDATED", "REJECTED", "UNKNOWN", "VALIDATED", "REJECTED", "REJECTED"],
    "answer": ["Ann", "Bob", "Rome", None, "1931", ""],
    "weight": [1.0, 1.0, 0.5, 1e-7, 1e-7, 1.0],
}
RUN: Columns = {
    **{name: GOLD[name] for name in ("q_id", "a_id")},
    "verdict": ["SELECTED", "REJECTED", "SELECTED", "REJECTED", "SELECTED", "REJECTED"],
    "confidence": [0.5, 0.25, 1.0, 1e-7, 0.1 + 0.2, 0.0],
}
VALUES: list[object] = [
    *(None, True, 0, 1, 10**400, 0.5, 1e300, math.nan, -math.inf, [1], Decimal("0.1"), b"x"),
    *("", "1", "0.5", "NaN", "validated", "\x00", "\x85", "\ud800", "\ufffe", "a\tb", "\xa0", "é#"),
    *("x" * 70_000, np.float64(0.5), np.str_("1"), date(2026, 1, 2)),
]


def changed(chance: random.Random, given: Columns) -> Any:  # noqa: ANN401 - in several forms
    """Return rows in one of the forms that they have in memory, often with some change."""
    columns = {name: [*values] for name, values in given.items()}
    for _ in range(chance.choice([0, 1, 1, 1, 2])):
        name = chance.choice([*columns])
        columns[name][chance.randrange(len(columns[name]))] = chance.choice(VALUES)
    if chance.random() < 0.1:
        columns[chance.choice(["\x85", "x", "candidate", "y" * 70_000])] = columns["q_id"]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if chance.random() < 0.1:
        rows[chance.randrange(len(rows))]["x"] = 1
    if chance.random() < 0.05:
        columns["a_id"] = columns["a_id"][:-1]
    forms: list[object] = [rows, columns]
    with suppress(ValueError):  # columns of different lengths
        forms.append(pd.DataFrame(columns))
    return chance.choice(forms)


def of_run(
    rows: Any,  # noqa: ANN401 - as above
    gold: Collection,
    naming: tuple[Names, Names],
) -> tuple[object, ...]:
    """Return everything that checking and reading a run gives."""
    columns, values = naming
    try:
        checked = ave_score.check(rows, gold, kind="run", columns=columns, values=values)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ave_score.AveScoreWarning)  # they are in `checked`
            run = ave_score.read_run(rows, gold, columns=columns, values=values)
    except DefectError as error:
        return (*said(error.findings), checked.contents)
    return *said(checked.findings), run.verdicts, [*run.confidences], [*run.lines]


@pytest.mark.parametrize("seed", mostly_slow(range(4), 1))
def test_damaged_rows_are_read_as_their_json(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, in_bulk = random.Random(seed), list[object]()
    monkeypatch.setattr(frames, "simple_columns", noting(frames.simple_columns, in_bulk))
    gold, parts = ave_score.read_collection(GOLD), Source.parts
    for _ in range(examples(2000, 60)):
        is_gold, naming = chance.random() < 0.5, chance.choice(NAMINGS)
        rows = changed(chance, GOLD if is_gold else RUN)
        monkeypatch.setattr(frames, "ROWS", chance.choice([1, 2, 4, 100]))
        results: list[object] = []
        for way in (parts, lambda _: None):
            monkeypatch.setattr(Source, "parts", way)
            try:
                results.append(read(rows, naming) if is_gold else of_run(rows, gold, naming))
            except (UsageError, ValueError) as error:  # a value that JSON cannot hold
                results.append(str(error))
        assert results[0] == results[1], (rows, naming)
    assert len(in_bulk) - in_bulk.count(None) > examples(
        2000, 120
    )  # otherwise nothing was compared
