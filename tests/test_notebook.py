"""The notebook runs, and its figures are those that pandas computes from the same frame."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pandas as pd
import pytest

from tests.conftest import ROOT


def executed() -> dict[str, Any]:
    """Return the names that the cells of the notebook define, run one after the other."""
    cells = json.loads((ROOT / "docs/tutorials/systems.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), names)
    return names


def test_the_notebook_runs_and_agrees_with_pandas() -> None:
    names = executed()
    right = names["grades"].assign(right=names["grades"]["grade"] == "good")
    by_model = right.groupby("model")["right"].mean()
    scores = names["scores"].to_frame()
    assert scores["answering_accuracy"].to_dict() == pytest.approx(by_model.to_dict())
    by_group = right.groupby(["model", "subject"])["right"].mean()
    groups = names["groups"].to_frame()
    found = groups[groups["part"] == "group"].set_index(["run", "group"])["answering_accuracy"]
    assert found.to_dict() == pytest.approx(by_group.to_dict())
    assert len({*found.round(9)}) > 3
    (pair,) = names["compared"].to_frame().to_dict("records")
    assert pair["difference"] == pytest.approx(by_model["ada"] - by_model["bob"])
    assert "test:crossed" in names["compared"].signature
    several = names["several"].to_frame()["pass@2"]
    assert several.to_dict() == pytest.approx(right.groupby("model").apply(two_seeds).to_dict())
    equal = (names["grades"]["grade"] == names["grades"]["said"]).mean()
    assert names["agreed"].to_frame()["agreement"].iloc[0] == pytest.approx(equal)
    assert len(names["questions"]) == 48


def two_seeds(answers: pd.DataFrame) -> float:
    """Return the mean over questions of the share of pairs of seeds of which one is right."""
    shares = []
    for _, of_question in answers.groupby("item"):
        pairs = [*combinations(of_question["right"], 2)]
        shares.append(sum(map(any, pairs)) / len(pairs))
    return sum(shares) / len(shares)
