"""The notebook runs, and its figures are those that pandas computes from the same frame."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
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
    every = names["several"].to_frame()["pass_all@2"]
    assert every.to_dict() == pytest.approx(
        right.groupby("model").apply(two_seeds, which=all).to_dict()
    )
    errors = names["errors"].rows
    assert {row.run: row.stderr["answering_accuracy"] for row in errors} == pytest.approx(
        right.groupby("model").apply(error_of_passages).to_dict()
    )
    parts = names["by_subject"].to_frame().set_index(["part", "group"])["difference"]
    apart = (by_group["ada"] - by_group["bob"]).to_dict()
    assert parts["group"].to_dict() == pytest.approx(apart)
    assert parts["macro"].item() == pytest.approx(sum(apart.values()) / len(apart))
    brier = right.assign(loss=(right["sure"] - right["right"]) ** 2).groupby("model")["loss"].mean()
    assert names["sure"].to_frame()["brier"].to_dict() == pytest.approx(brier.to_dict())
    equal = (names["grades"]["grade"] == names["grades"]["said"]).mean()
    assert names["agreed"].to_frame()["agreement"].iloc[0] == pytest.approx(equal)
    assert len(names["questions"]) == 48


def error_of_passages(answers: pd.DataFrame) -> float:
    """Return the clustered standard error: C / (C - 1) times the squared sums of deviations."""
    items = answers.groupby(["passage", "item"])["right"].mean()
    sums = (items - items.mean()).groupby("passage").sum()
    passages = len(sums)
    return float((passages / (passages - 1) * (sums**2).sum()) ** 0.5 / len(items))


def two_seeds(answers: pd.DataFrame, which: Callable[[Iterable[object]], bool] = any) -> float:
    """Return the mean over questions of the share of pairs of seeds with any right one, or all."""
    shares = []
    for _, of_question in answers.groupby("item"):
        pairs = [*combinations(of_question["right"], 2)]
        shares.append(sum(map(which, pairs)) / len(pairs))
    return sum(shares) / len(shares)
