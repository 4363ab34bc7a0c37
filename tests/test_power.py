"""Power, topic set sizes and equivalence beside statsmodels, beside each other, and by hand."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ave_score
from ave_score import PowerPolicy
from ave_score.inference.power import detectable, equivalence, power, questions_for
from tests import each
from tests.helpers_command import document_of, output, refusal


def statsmodels(module: str) -> Any:  # noqa: ANN401 - a module
    """Return a module of statsmodels, which is slow to import."""
    return pytest.importorskip(f"statsmodels.stats.{module}", reason="statsmodels is missing")


def test_detectable_differences_equal_statsmodels() -> None:
    theirs = statsmodels("power").TTestPower()
    for questions, level in ((20, 0.05), (200, 0.05), (200, 0.005)):
        expected = theirs.solve_power(None, questions, level, 0.8)
        assert detectable(0.4, questions, level) == pytest.approx(0.4 * expected, rel=1e-5)
    # Cohen 1988: with 34 pairs an effect of 0.5 has a power of 0.8, with 33 it has not
    assert questions_for(0.5, 1.0, 0.05) == 34
    assert power(0.5, 1.0, 33, 0.05) < 0.8 <= power(0.5, 1.0, 34, 0.05)
    assert questions_for(1e-9, 1.0, 0.05) is None
    # ((1.959964 + 0.841621) / 0.0009)^2 is 9.69 million, fewer than the most; for 0.0008 12 million
    assert questions_for(0.0009, 1.0, 0.05) == pytest.approx(9_690_000, rel=1e-4)
    assert questions_for(0.0008, 1.0, 0.05) is None
    assert np.isnan(detectable(0.0, 20, 0.05))


def defined(effect: float, questions: int, level: float) -> float:
    """Return the power by its definition: over the density of the estimated by the true deviation.
    z + shift exceeds border · s, or is below its negative, where z is normal and s is the root of
    chi square by its degrees of freedom; scipy integrates adaptively, between where s or z
    turns."""
    special = pytest.importorskip("scipy.special")
    integrate = pytest.importorskip("scipy.integrate")
    free, shift = questions - 1, effect * questions**0.5
    border = -special.stdtrit(free, level / 2)
    constant = math.log(2) + free / 2 * math.log(free / 2) - math.lgamma(free / 2)

    def integrand(s: float) -> float:
        density = math.exp(constant + (free - 1) * math.log(s) - free * s**2 / 2)
        outside = special.ndtr(shift - border * s) + special.ndtr(-shift - border * s)
        return float(density * outside)

    far = 9 / free**0.5
    turns = (1, 1 - far / 4, 1 + far / 4, *((shift + step) / border for step in (-5, 0, 5)))
    inside = sorted(one for one in turns if max(0, 1 - far) < one < 1 + far)
    ends = [max(1e-300, 1 - far), *inside, 1 + far]
    pieces = [
        integrate.quad(integrand, low, high, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for low, high in pairwise(ends)
    ]
    return float(sum(pieces))


EFFECTS = (0.01, 0.1, 0.3, 0.375, 0.5, 1.0, 3.0)
QUESTIONS = (2, 3, 10, 31, 170, 2000, 20_000)
LEVELS = (0.05, 0.05 / 105, 0.05 / 528)


@each("questions", QUESTIONS)
@each("level", LEVELS)
def test_power_is_the_integral_over_the_estimated_deviation(questions: int, level: float) -> None:
    """147 combinations; the terms of the density cancel, at 20,000 questions to 1e-11."""
    for effect in EFFECTS:
        found = power(effect, 1.0, questions, level)
        assert found == pytest.approx(defined(effect, questions, level), abs=1e-9)


def test_power_after_holm_among_many_runs() -> None:
    """The levels of Holm for 15 and 33 equal runs; scipy's noncentral t is NaN at .375 deviations.
    Integrated elsewhere, .3386 deviations have a power of .8 with 170 questions at .05/105."""
    level = 0.05 / 105
    least = detectable(2.0, 170, level)
    assert least == pytest.approx(2 * 0.3386, abs=1e-4)
    assert defined(least / 2, 170, level) == pytest.approx(0.8, abs=1e-9)
    for effect in (0.05, 0.1, 0.2):
        found = questions_for(effect, 1.0, 0.05 / 528)
        assert found is not None
        below, enough = (defined(effect, number, 0.05 / 528) for number in (found - 1, found))
        assert below < 0.8 <= enough


def test_no_power_is_not_too_little_power() -> None:
    with pytest.raises(ArithmeticError, match="no power of nan"):
        questions_for(float("nan"), 1.0, 0.05)
    with pytest.raises(ArithmeticError, match="no power of"):
        power(0.1, float("nan"), 10, 0.05)


def test_equivalence_equals_statsmodels() -> None:
    chance = np.random.default_rng(4)
    one = chance.random(60)
    for shift in (0.0, 0.02, -0.06, 0.2):
        other = one + shift + chance.normal(size=60) / 10
        expected, *_ = statsmodels("weightstats").ttost_paired(one, other, -0.1, 0.1)
        each = one - other
        found = equivalence(float(each.mean()), float(each.std(ddof=1)), 59, 60, 0.1)
        assert found == pytest.approx(expected)
    # without spread: were one question in ten another, none of 9 would show it with .9^9
    assert equivalence(0.0, 0.0, 8, 9, 0.1, 1) == pytest.approx(0.387420489)
    assert equivalence(0.05, 0.0, 8, 9, 0.1, 1) == pytest.approx((0.9 / 0.95) ** 9)
    assert equivalence(0.0, 0.0, 8, 9, 1.1, 1) == 0
    assert math.isnan(equivalence(0.0, 0.0, 8, 9, 0.1))
    assert equivalence(0.2, 0.0, 8, 9, 0.1) == 1


TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]


@pytest.mark.parametrize(("given", "heads"), [
    ([*TINY, "--power"], "Deviation Detectable"),
    (["--power", "-m", "f1", *TINY], "Deviation Detectable"),
    (["--power", "--", *TINY], "Deviation Detectable"),
    ([*TINY, "--power", "0.05"], "Deviation Detectable for 0.05"),
    (["--power", "0.05", *TINY], "Deviation Detectable for 0.05"),
    (["--power=5e-2", *TINY], "Deviation Detectable for 0.05"),
    ([*TINY, "--equivalence", "0.2"], "Deviation Detectable equivalence"),
    ([*TINY, "--power", "--equivalence", "0.2"], "Deviation Detectable equivalence"),
    ([*TINY, "--power", "0.05", "--equivalence", "0.2"], "for 0.05 equivalence"),
])  # fmt: skip
def test_power_with_and_without_a_difference(given: list[str], heads: str) -> None:
    pytest.importorskip("scipy")
    table = output("compare", "--resamples", "100", *given)
    line = next(line for line in table.splitlines() if "Deviation  Detectable" in line)
    assert " ".join(line.split()).endswith(heads)


@pytest.mark.parametrize(("given", "said"), [
    (["--power", *TINY], "'gold/tiny.xml' is no number: write --power=0.05"),
    ([TINY[0], "--power", *TINY[1:]], "put --power behind the files or before another option"),
    (["--power=", *TINY], "'' is no number"),
    (["--power", "0,05", *TINY], "'0,05' is no number"),
    (["--power", "True", *TINY], "'True' is no number"),
    (["--power=-1", *TINY], "No such option"),  # click takes it for an option
    (["--power", "0", *TINY], "the difference must be above 0, not 0"),
    (["--power", "nan", *TINY], "the difference must be above 0, not nan"),
])  # fmt: skip
def test_a_path_is_not_taken_for_a_difference(given: list[str], said: str) -> None:
    assert said in " ".join(refusal("compare", *given).split())


FILES = ["gold/ave2007-es.xml", *(f"sample_runs/ave2007-es/Tellez_{n}.txt" for n in (1, 2))]


def test_pairs_are_corrected_for_their_number() -> None:
    """Bonferroni: the p values times 3, and 0.05 / 3 as the level."""
    runs = [FILES[0], "sample_runs/ave2007-es/Rodrigo.txt", *FILES[1:]]
    more = ["-m", "qa_accuracy", "--power", "0.05", "--equivalence", "0.13", "-f", "json"]
    (one,) = document_of("compare", *runs, "--correction", "bonferroni", *more)["measures"]
    assert len(one["power"]) == 3
    for pair, found in zip(one["pairs"], one["power"], strict=True):
        deviation = found["deviation"]
        alone = equivalence(pair["difference"], deviation, 169, 170, 0.13)
        assert 0 < alone < 1 / 3
        assert found["p_equivalent"] == pytest.approx(3 * alone)
        assert found["detectable"] == pytest.approx(detectable(deviation, 170, 0.05 / 3))
        assert found["units_needed"] == questions_for(0.05, deviation, 0.05 / 3)


def test_command() -> None:
    """24 questions won, 10 lost of 170 (how-to/compare.md): sd sqrt((34 - 14^2/170) / 169)."""
    more = ["-m", "qa_accuracy", "--power=0.05", "--equivalence", "0.2"]
    document = document_of("compare", *FILES, *more)
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
    assert document["signature"].endswith("|equivalence:0.2|power:0.05")
    table = output("compare", *FILES, *more)
    assert "Power by QA accuracy" in table
    assert "1 of 1 pair is significant" in table
    # the binomial p of 10 or fewer of 34 is 0.012, doubled 0.024
    achieved = "0.001 for 0 %, 0.01 for 0 %, 0.05 for 100 %, 0.1 for 100 %, 0.5 for 100 %"
    assert achieved in " ".join(table.split())
    # of five questions, one won and one lost: deviation 0.71, of which t finds 1.68 times as much
    text = output("compare", *TINY, "-m", "qa_accuracy", "--power")
    assert "0.707 none" in " ".join(text.split())
    with pytest.raises(ave_score.UsageError, match="must be above 0, not -1"):
        ave_score.compare(FILES[0], FILES[1:], power=PowerPolicy(equivalence=-1))
    assert "must be above 0" in refusal("compare", *FILES, "--equivalence", "0")
