"""Power, topic set sizes and equivalence beside statsmodels, beside each other, and by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ave_score
from ave_score.commands import run as command
from ave_score.inference.power import (
    PowerPolicy,
    detectable,
    equivalence,
    power,
    power_of,
    questions_for,
)


def statsmodels(module: str) -> Any:  # noqa: ANN401 - a module
    """Return a module of statsmodels, which is slow to import."""
    return pytest.importorskip(f"statsmodels.stats.{module}", reason="statsmodels is missing")


Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("questions", [2, 10, 50, 500])
@pytest.mark.parametrize("level", [0.05, 0.001])
def test_power_equals_statsmodels(questions: int, level: float) -> None:
    theirs = statsmodels("power").TTestPower()
    for effect in (0.05, 0.2, 0.4)[: 2 if questions > 10 else 3]:  # theirs is NaN beyond
        expected = theirs.power(effect, questions, level)
        assert power(effect * 0.3, 0.3, questions, level) == pytest.approx(expected, abs=1e-6)


def test_detectable_differences_equal_statsmodels() -> None:
    theirs = statsmodels("power").TTestPower()
    for questions, level in ((20, 0.05), (200, 0.05), (200, 0.005)):
        expected = theirs.solve_power(None, questions, level, 0.8)
        assert detectable(0.4, questions, level) == pytest.approx(0.4 * expected, rel=1e-5)
    # Cohen 1988: with 34 pairs an effect of 0.5 has a power of 0.8, with 33 it has not
    assert questions_for(0.5, 1.0, 0.05) == 34
    assert power(0.5, 1.0, 33, 0.05) < 0.8 <= power(0.5, 1.0, 34, 0.05)
    assert questions_for(1e-9, 1.0, 0.05) is None
    assert np.isnan(detectable(0.0, 20, 0.05))


def test_equivalence_equals_statsmodels() -> None:
    chance = np.random.default_rng(4)
    one = chance.random(60)
    for shift in (0.0, 0.02, -0.06, 0.2):
        other = one + shift + chance.normal(size=60) / 10
        expected, *_ = statsmodels("weightstats").ttost_paired(one, other, -0.1, 0.1)
        each = one - other
        found = equivalence(float(each.mean()), float(each.std(ddof=1)), 60, 0.1)
        assert found == pytest.approx(expected)
    assert equivalence(0.0, 0.0, 9, 0.1) == 0
    assert equivalence(0.2, 0.0, 9, 0.1) == 1


def test_pairs_are_corrected_for_their_number() -> None:
    """Bonferroni: both p values times 2."""
    chance = np.random.default_rng(5)
    each = {("a", "b"): chance.normal(size=40) / 5, ("a", "c"): chance.normal(size=40) / 5}
    means = [float(one.mean()) for one in each.values()]
    alone = [
        equivalence(mean, float(one.std(ddof=1)), 40, 0.1)
        for mean, one in zip(means, each.values(), strict=True)
    ]
    found = power_of(each, means, 0.025, "bonferroni", PowerPolicy(0.1, 0.05))
    assert [one.p_equivalent for one in found] == pytest.approx([2 * p for p in alone])
    for one in found:
        assert one.detectable == detectable(one.deviation, 40, 0.025)
        assert one.questions == questions_for(0.05, one.deviation, 0.025)
    with pytest.raises(ave_score.UsageError, match="must be above 0, not -1"):
        PowerPolicy(equivalence=-1).check()


FILES = ["gold/ave2007-es.xml", *(f"sample_runs/ave2007-es/Tellez_{n}.txt" for n in (1, 2))]


def test_command(capsys: Capture) -> None:
    """24 questions won, 10 lost of 170 (how-to/compare.md): sd sqrt((34 - 14^2/170) / 169)."""
    more = ["-m", "qa_accuracy", "--power", "--detect", "0.05", "--equivalence", "0.2"]
    assert command(["compare", *FILES, *more, "-f", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (one,) = document["measures"][0]["power"]
    deviation = ((34 - 14**2 / 170) / 169) ** 0.5
    assert (one["run"], one["other"]) == ("Tellez_1", "Tellez_2")
    assert one["deviation"] == pytest.approx(deviation)
    effect = statsmodels("power").TTestPower().solve_power(None, 170, 0.05, 0.8)
    assert one["detectable"] == pytest.approx(effect * deviation, rel=1e-5)
    needed = statsmodels("power").TTestPower().solve_power(0.05 / deviation, None, 0.05, 0.8)
    assert one["units_needed"] == int(np.ceil(needed))
    values = np.array([1.0] * 24 + [-1.0] * 10 + [0.0] * 136)
    expected, *_ = statsmodels("weightstats").ttost_paired(values, np.zeros(170), -0.2, 0.2)
    assert one["p_equivalent"] == pytest.approx(expected)
    assert document["signature"].endswith("|equivalence:0.2|detect:0.05")
    assert command(["compare", *FILES, *more]) == 0
    table = capsys.readouterr().out
    assert "Power by QA accuracy" in table
    assert "1 of 1 pair is significant" in table
    # the binomial p of 10 or fewer of 34 is 0.012, doubled 0.024
    achieved = "0.001 for 0 %, 0.01 for 0 %, 0.05 for 100 %, 0.1 for 100 %, 0.5 for 100 %"
    assert achieved in " ".join(table.split())
    # of five questions, one won and one lost: deviation 0.71, of which t finds 1.68 times as much
    tiny = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
    assert command(["compare", *tiny, "-m", "qa_accuracy", "--power"]) == 0
    assert "0.707 none" in " ".join(capsys.readouterr().out.split())
    assert command(["compare", *FILES, "--equivalence", "0"]) == 2
    assert "must be above 0" in capsys.readouterr().err
