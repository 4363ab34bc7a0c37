"""`--missing unanswered`: what a run does not say of a pair is an open decision, as at PAN.
Expected figures are calculated by hand from the definitions of PAN's evaluators, which give a
missing value 0.5 (pan21_verif_evaluator.py: `c_at_1`, `f_05_u_score`, `f1`, `auc`, `brier_score`):
the gold labels are YES NO YES NO, the values 0.9, 0.5, 0.8, 0.7."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import Policies
from tests.helpers_command import ave, put_all
from tests.helpers_files import put

GOLD = "p1\tYES\np2\tNO\np3\tYES\np4\tNO\n"
LACKS, SAYS = "p1\t0.9\np3\t0.8\np4\t0.7\n", "p1\t0.9\np2\t0.5\np3\t0.8\np4\t0.7\n"
EXPECTED = {
    "auc": Fraction(1),  # every YES is above 0.5 and 0.7
    "c_at_1_pan": Fraction(5, 8),  # (2 + 1 · 2/4) / 4
    "f1": Fraction(4, 5),  # without the open one: 2·2 / (2·2 + 0 + 1)
    "f_05_u": Fraction(2, 3),  # 1.25·2 / (1.25·2 + 0.25·(0 + 1) + 1)
    "brier": Fraction(79, 400),  # (0.01 + 0.25 + 0.04 + 0.49) / 4
}
PAN = ["--missing", "unanswered"]
BY_HALF = ["--threshold", "0.5", *PAN]


def scored(folder: Path, run: str, *options: str) -> dict[str, Any]:
    put(folder, GOLD, "gold.tsv")
    path = put(folder, run)
    measures = ",".join(EXPECTED)
    said = ave("score", folder / "gold.tsv", path, "-m", measures, *options, "-f", "json", code=0)
    document: dict[str, Any] = json.loads(said.out)
    return document


@pytest.mark.parametrize("options", [PAN, BY_HALF])
@pytest.mark.parametrize("run", [LACKS, SAYS], ids=["lacks", "says"])
def test_an_open_decision_counts_as_at_pan(tmp_path: Path, run: str, options: list[str]) -> None:
    document = scored(tmp_path, run, *options)
    expected = {name: pytest.approx(float(value)) for name, value in EXPECTED.items()}
    assert document["runs"][0]["measures"] == expected
    assert "missing:unanswered" in document["signature"]


def test_python_reads_it_alike(tmp_path: Path) -> None:
    gold, run = put(tmp_path, GOLD, "gold.tsv"), put(tmp_path, LACKS)
    policies = Policies(threshold=0.5, missing="unanswered")
    with pytest.warns(ave_score.AveScoreWarning, match="AVE207"):
        scores = ave_score.score(gold, run, policies=policies, measures=",".join(EXPECTED))
    assert scores.rows[0].values == EXPECTED


def test_a_run_of_verdicts_leaves_it_open(tmp_path: Path) -> None:
    """Of the three pairs with a verdict all are right, and the fourth is not counted."""
    gold, run = put(tmp_path, GOLD, "gold.tsv"), put(tmp_path, "p1 YES\np3 YES\np4 NO\n")
    said = ave("check", run, "--collection", gold, "--missing", "unanswered")
    assert "no line for pair 'p2'; read as an open decision" in said.out
    said = ave("score", gold, run, "--missing", "unanswered", "-m", "accuracy,f1", "-f", "csv")
    assert "1.0" in said.out.splitlines()[1]
    with pytest.warns(ave_score.AveScoreWarning, match="an open decision"):
        frame = ave_score.read_run(run, gold, missing="unanswered").to_frame()
    assert [*frame["verdict"]] == ["YES", "OPEN", "YES", "NO"]


def test_the_answers_of_a_question_are_rejected(tmp_path: Path) -> None:
    gold = put(tmp_path, "q_id,a_id,label\n1,a,VALIDATED\n1,b,REJECTED\n", "gold.csv")
    run = put(tmp_path, "1 a SELECTED 0.9\n")
    texts = [
        ave("score", gold, run, "--missing", missing, "-f", "csv").out
        for missing in ("unanswered", "rejected")
    ]
    assert texts[0] == texts[1]


def test_a_judged_system_withholds(tmp_path: Path) -> None:
    """Of two questions one is answered, and right: c@1 is (1 + 1·1/2) / 2."""
    judged = put(tmp_path, "q_id\trun\tjudgement\n1\ta\tR\n1\tb\tW\n2\tb\tR\n", "judged.tsv")
    said = ave("score", judged, "--missing", "unanswered", "-m", "c_at_1", "-f", "json", code=0)
    rows = {row["run"]: row["measures"] for row in json.loads(said.out)["runs"]}
    assert rows["a"] == {"c_at_1": pytest.approx(3 / 4)}


def test_qrels_have_no_open_decisions(tmp_path: Path) -> None:
    qrels, run = put(tmp_path, "1 0 a 1\n2 0 b 1\n", "qrels"), put(tmp_path, "1 Q0 a 1 .9 x\n")
    assert "not available for qrels" in ave("score", qrels, run, "--missing", "unanswered").err
    said = ave("score", qrels, run, "--missing", "excluded", "-m", "mrr", "-f", "json", code=0)
    assert json.loads(said.out)["runs"][0]["measures"] == {"mrr": 1}  # of its own topic


def test_a_campaign_of_pan_needs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values as PAN has them, gold labels, and the official mean of five."""
    monkeypatch.chdir(tmp_path)
    values = {"p1": 0.9, "p3": 0.8, "p4": 0.7}
    lines = "".join(f'{{"id": "{one}", "value": {value}}}\n' for one, value in values.items())
    measures = "mean(auc, c_at_1_pan, f1, f_05_u, 1-brier)"
    campaign = (
        f'[editions.2021]\nmeasures = "{measures}"\nmissing = "unanswered"\n'
        '[editions.2021.tasks.a]\ncollection = "gold.tsv"\nruns = "runs"\n'
    )
    put_all(tmp_path, {"campaign.toml": campaign, "gold.tsv": GOLD, "runs/one.jsonl": lines})
    ave("campaign", "campaign.toml", code=0)
    (row,) = (
        row
        for row in json.loads((tmp_path / "results/2021/a.json").read_text())["runs"]
        if row["run"] == "one"
    )
    overall = sum([*EXPECTED.values()][:4]) + 1 - EXPECTED["brier"]
    assert row["measures"] == {measures: pytest.approx(float(overall / 5))}
