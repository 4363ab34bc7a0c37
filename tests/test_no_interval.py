"""Measures that have neither intervals nor tests say why, at every door."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ave_score
from ave_score.measures.registry import MEASURES
from tests.conftest import ROOT
from tests.helpers_command import ave, output, refusal
from tests.helpers_files import put

GOLD, RUNS = "gold/tiny.xml", ["sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
WITHOUT = [name for name, measure in MEASURES.items() if measure.no_interval]

REASON = MEASURES["ece"].no_interval


def test_which_they_are() -> None:
    """A mean of |gap| is above 0 although each gap is 0 on average, so its samples miss the 0."""
    assert WITHOUT == ["ece"]
    assert "use brier" in REASON
    assert "--plot reliability=" in REASON


@pytest.mark.parametrize("key", [*WITHOUT, "ece(3, bins=mass)"])
@pytest.mark.parametrize("call", [
    ["compare", GOLD, *RUNS],
    ["compare", GOLD, *RUNS, "--test", "bootstrap", "--pairs"],
    ["compare", GOLD, *RUNS, "--power"],
    ["swap", GOLD, *RUNS],
    ["stability", GOLD, *RUNS],
    ["report", GOLD, *RUNS, "--output", "page.html", "--compare"],
], ids=lambda call: " ".join(call[:1] + call[4:]))  # fmt: skip
def test_commands_that_test_refuse_them(call: list[str], key: str) -> None:
    more = [key] if call[-1] == "--compare" else ["--measures", key]
    said = refusal(*call, *more, code=2)
    assert said.strip().endswith(REASON)
    assert key.partition("(")[0] in said


def test_scores_have_the_value_and_the_reason() -> None:
    found = output("score", GOLD, *RUNS, "--ci", "95", "-m", "brier,ece")
    assert f"No interval of ECE(10): {REASON}." in found
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=50))
    scores = ave_score.score(GOLD, RUNS, policies=policies, measures="brier,ece")
    for row in scores.rows[:2]:
        assert row.values["ece"] is not None
        assert row.intervals.keys() == {"brier"}
        assert row.no_interval == {"ece": REASON}


def test_parts_have_the_value_and_the_reason(tmp_path: Path) -> None:
    groups = "".join(f"{q}\t{'ab'[q > 2]}\n" for q in range(1, 6))
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=50))
    parts = ave_score.break_down(
        GOLD, RUNS, put(tmp_path, groups, "groups.tsv"), measures="ece,brier", policies=policies
    )
    of_runs = [part for run in parts.runs for part in run.parts if part.values["ece"] is not None]
    assert len(of_runs) == 2 * 4  # two groups, micro and macro
    assert all(part.no_interval["ece"] == REASON for part in of_runs)
    assert not any("ece" in part.intervals for part in of_runs)


TESTED = re.compile("(randomisation|bootstrap) test")
"""Brier of answers has no counts to swap, so it is compared by the bootstrap."""


@pytest.mark.parametrize(
    ("measures", "is_compared"), [("ece,brier", True), ("ece,brier,f1", True), ("ece", False)]
)
def test_pages_compare_by_the_others(measures: str, is_compared: bool, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert ave("report", GOLD, *RUNS, "-m", measures, "--output", page).code == 0
    text = page.read_text("utf-8")
    without_option = REASON.partition(", and look at --")[0]
    assert f"Not compared by ECE(10): {without_option}." in text
    assert bool(TESTED.search(text)) is is_compared


@pytest.mark.parametrize("chosen", ['measures = "ece,brier"', 'compare = "ece"'])
def test_campaigns_say_why(chosen: str, tmp_path: Path) -> None:
    text = f"""title = "Five questions"
[editions.2026]
{chosen}
[editions.2026.languages.en]
collection = "{ROOT}/{GOLD}"
runs = "{ROOT}/sample_runs/tiny"
"""
    made = put(tmp_path, text, "campaign.toml")
    result = ave_score.campaign(made, tmp_path / "results")
    said = [path.read_text("utf-8") for path in (tmp_path / "results").rglob("*.md")]
    assert result.scores
    assert any(f"Not compared by ECE(10): {REASON}." in one for one in said)
    assert any(TESTED.search(one) for one in said) is ("brier" in chosen)


def test_values_of_questions_stay() -> None:
    frame = ave_score.per_question(GOLD, RUNS, measures="ece,brier")
    assert frame["ece"].notna().any()
