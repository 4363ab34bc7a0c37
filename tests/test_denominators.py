"""Differences of measures whose denominators vary over questions, or over clusters.

Expected figures are computed here from definitions, by plain numpy: a difference D of sums by sums,
what is left of a question, its own difference less D times its denominator, and Student's t.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ave_score.inference.by_question import Floats
from benchmarks.denominators import CASES, concluded
from tests import mostly_slow, slow
from tests.helpers_command import document_of, output, refusal

stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")

NUMBER = 24
CHANCE = np.random.default_rng(3)
CORRECT = CHANCE.integers(1, 9, NUMBER)
WRONG = CHANCE.integers(1, 5, NUMBER)
"""The numbers of correct and incorrect answers to each question."""

TOPICS = [f"t{min(number, 15) // 2 * 2}" for number in range(NUMBER)]
"""Topics of 2 questions, and one of 10."""


class Accepted(NamedTuple):
    """How many correct and incorrect answers a run accepts to each question."""

    correct: Any
    wrong: Any


RUNS = {
    "one": Accepted(np.minimum(CORRECT, np.arange(NUMBER) % 3), WRONG // 2),
    "half": Accepted(CORRECT // 2, np.arange(NUMBER) % 2),
}
THIRD = {
    "accepts all": Accepted(CORRECT, WRONG),
    "accepts nothing": Accepted(0 * CORRECT, 0 * WRONG),
    "accepts one each": Accepted(np.arange(NUMBER) % 2, 1 - np.arange(NUMBER) % 2),
}


def written(folder: Path, runs: dict[str, Accepted]) -> list[str]:
    """Write the collection, with topics, and runs; one accepted answer a question is selected."""
    lines = ["<ave>"]
    for number, topic in enumerate(TOPICS):
        values = ["VALIDATED"] * int(CORRECT[number]) + ["REJECTED"] * int(WRONG[number])
        answers = "".join(f'<a id="{n}" value="{value}"/>' for n, value in enumerate(values))
        lines.append(f'<q id="{number}" topic="{topic}">{answers}</q>')
    (folder / "gold.xml").write_text("\n".join([*lines, "</ave>"]), "utf-8")
    paths = [str(folder / "gold.xml")]
    for name, run in runs.items():
        rows = []
        for q, (correct, wrong) in enumerate(zip(*run, strict=True)):
            is_in = np.arange(CORRECT[q] + WRONG[q])
            accepted = (is_in < correct) | ((is_in >= CORRECT[q]) & (is_in < CORRECT[q] + wrong))
            first = int(accepted.argmax()) if accepted.any() else -1
            for a, yes in enumerate(accepted):
                verdict = "SELECTED" if a == first else "VALIDATED" if yes else "REJECTED"
                rows.append(f"{q} {a} {verdict} {(90 - a + len(name)) / 100}")
        path = folder / f"{name.replace(' ', '-')}.txt"
        path.write_text("\n".join([*rows, ""]), "utf-8")
        paths.append(str(path))
    return paths


def shares(key: str, run: Accepted) -> tuple[Floats, Floats]:
    """Return the numerator and the denominator of a measure for each question."""
    correct, wrong = np.array(run.correct, dtype=float), np.array(run.wrong, dtype=float)
    return {
        "recall": (correct, CORRECT),
        "accuracy": (correct + WRONG - wrong, CORRECT + WRONG),
        "specificity": (WRONG - wrong, WRONG),
        "error_1": (wrong, CORRECT + WRONG),
        "error_2": (CORRECT - correct, CORRECT + WRONG),
        "precision": (correct, correct + wrong),
        # the first accepted answer is a correct one, if there is any
        "qa_accuracy": (1.0 * (correct > 0), np.ones(NUMBER)),
    }[key]


def by_topic(values: Floats) -> Floats:
    return np.array(
        [sum(v for v, t in zip(values, TOPICS, strict=True) if t == one) for one in {*TOPICS}]
    )


def expected(key: str, *, clustered: bool) -> tuple[float, float, int, int]:
    """Return the difference, its standard error, the units, and the degrees of freedom.

    Units without a denominator, as questions without an accepted answer, do not contribute.
    """
    parts = [shares(key, run) for run in RUNS.values()]
    if clustered:
        parts = [(by_topic(top), by_topic(bottom)) for top, bottom in parts]
    values = [top.sum() / bottom.sum() for top, bottom in parts]
    (one, other) = (
        (top - value * bottom) / bottom.sum()
        for (top, bottom), value in zip(parts, values, strict=True)
    )
    number = len(one)
    error = float(np.sqrt(number / (number - 1) * ((one - other) ** 2).sum()))
    free = min(int((bottom > 0).sum()) for _, bottom in parts) - 1
    return float(values[0] - values[1]), error, number, free


UNEVEN = ["recall", "accuracy", "specificity", "error_1", "error_2", "precision"]
TRIED = [*((key, False) for key in UNEVEN), *((key, True) for key in [*UNEVEN, "qa_accuracy"])]


def pair_of(*arguments: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the pair `one` and `half` of a comparison, and its power."""
    (measure,) = document_of("compare", *arguments)["measures"]
    both = zip(measure["pairs"], measure.get("power", [{}] * 9), strict=False)
    (found,) = [two for two in both if {two[0]["run"], two[0]["other"]} == {"one", "half"}]
    return found


@pytest.mark.parametrize(("key", "clustered"), mostly_slow(TRIED, 3))
def test_error_interval_p_and_power_by_hand(tmp_path: Path, key: str, clustered: bool) -> None:
    """With the denominators of each run itself: for t and, at least as wide, by swaps."""
    difference, error, number, free = expected(key, clustered=clustered)
    files = written(tmp_path, RUNS)
    more = ["--correction", "none", "--equivalence", "0.3", *["--cluster", "topic"] * clustered]
    pair, power = pair_of(*files, "-m", key, "--test", "t", *more)
    sign = 1 if pair["run"] == "one" else -1
    assert sign * pair["difference"] == pytest.approx(difference)
    p = 2 * stats.t.sf(abs(difference) / error, free)
    assert pair["p"] == pytest.approx(p, rel=1e-4, abs=1e-12)
    margin = stats.t.isf(0.025, free) * error
    assert pair["difference"] - pair["low"] == pytest.approx(margin, rel=1e-4)
    assert power["deviation"] == pytest.approx(error * number**0.5, rel=1e-6)
    of_margin = stats.t.sf((0.3 - abs(difference)) / error, number - 1)
    assert power["p_equivalent"] == pytest.approx(of_margin, rel=1e-4)
    swapped, same = pair_of(*files, "-m", key, *more)
    assert same["deviation"] == power["deviation"]
    assert swapped["p"] >= pair["p"] * (1 - 1e-6)
    assert swapped["high"] - swapped["low"] >= (pair["high"] - pair["low"]) * (1 - 1e-6)
    assert (swapped["p"] <= 0.05) == (swapped["low"] > 0 or swapped["high"] < 0)


@pytest.mark.parametrize("clusters", [[], slow(["--cluster", "topic"])])
@pytest.mark.parametrize("test", mostly_slow(["randomisation", "t", "bootstrap"], 1))
def test_a_third_run_changes_nothing_of_two(tmp_path: Path, test: str, clusters: list[str]) -> None:
    """To the digit: p, interval, effect, wins, deviation, equivalence, whatever the measure."""
    keys = "recall,accuracy,specificity,precision,f1,mcc,qa_accuracy,mrr,macro_f1,balanced_accuracy"
    *both, first, second, last = written(tmp_path, RUNS | THIRD)
    given = both, [*both, first], [*both, second], [*both, last]
    more = ["--test", test, "--correction", "none", "--resamples", "100", "--equivalence", "0.3"]
    said = []
    for some in given:
        found = document_of("compare", *some, "-m", keys, *more, *clusters)["measures"]
        said.append(
            [
                (item["measure"], one, two)
                for item in found
                for one, two in zip(item["pairs"], item["power"], strict=True)
                if {one["run"], one["other"]} == {"one", "half"}
            ]
        )
    assert len(said[0]) == len(keys.split(",")) and said[1:] == said[:1] * 3


def test_a_run_of_another_kind_does_not_make_a_mean_a_ratio(tmp_path: Path) -> None:
    """Two runs that accept one answer each have a precision that is a mean; beside a third, too.

    12 questions are won by one and 12 by the other, so the binomial p is 1 and Cohen's d 0.
    """
    alternate = np.arange(NUMBER) % 2
    runs = {
        "one": Accepted(alternate, 1 - alternate),
        "half": Accepted(1 - alternate, alternate),
        "all": THIRD["accepts all"],
    }
    files = written(tmp_path, runs)
    for some in (files[:3], files):
        pair, _ = pair_of(*some, "-m", "precision")
        assert (pair["p"], pair["exact"], pair["effect"]) == (1, True, 0)
    for some, name in (
        (files[:3], "; paired randomisation test)"),
        (files, "(paired randomisation test, studentised for 2 of 3 pairs, Holm's correction)"),
        ([files[0], files[1], files[3]], "; studentised paired randomisation test)"),
    ):
        assert name in " ".join(output("compare", *some, "-m", "precision").split())


def test_one_more_right_answer_to_each_question(tmp_path: Path) -> None:
    """All differences are 1 of 1 to 8 answers: centred at their mean, the interval had no width."""
    runs = {
        "one": Accepted(CORRECT - CORRECT // 2, 0 * WRONG),
        "half": Accepted(CORRECT - CORRECT // 2 - 1, 0 * WRONG),
    }
    pair, _ = pair_of(*written(tmp_path, runs), "-m", "recall", "--correction", "none")
    difference = NUMBER / CORRECT.sum()
    left = (1 - difference * CORRECT) / CORRECT.sum()
    error = (NUMBER / (NUMBER - 1) * (left**2).sum()) ** 0.5
    assert pair["difference"] == pytest.approx(difference)
    margin = stats.t.isf(0.025, NUMBER - 1) * error
    assert margin > 0.02 and pair["high"] - pair["difference"] >= margin * (1 - 1e-4)
    # swaps need not be as far as t; both have p far below .05
    assert pair["high"] - pair["difference"] < 2 * margin


@pytest.mark.slow
def test_intervals_and_equivalence_in_campaigns() -> None:
    """One answer of 1 to 20 is right, in 90 % and in 10 % of 30 questions; 400 campaigns.

    Of binomials of .95 and of .05, fewer than .92 and more than .085 are found once in 200 times.
    Another implementation has .958, and .82 with contributions centred at their mean.
    """
    shares = concluded(CASES[0], 30, 400)
    assert shares["interval"] >= 0.92 and shares["equivalent"] <= 0.085
    assert 0.75 < shares["as of means"] < 0.88


@pytest.mark.slow
def test_equally_good_runs_are_not_called_different() -> None:
    """One has all answers of small questions right, the other half of all: 1 minus the coverage.

    Of 300 campaigns, more than .085 are found once in 200 times if the share is .05.
    """
    assert CASES[-1].true == 0 and 1 - concluded(CASES[-1], 60, 300)["interval"] <= 0.085


def recalls(folder: Path, sizes: list[int], accepted: dict[str, list[int]]) -> list[str]:
    """Write questions with so many correct answers, and runs that accept some of them."""
    rows = [f"{q}\t{q}_{a}\tVALIDATED\n" for q, size in enumerate(sizes) for a in range(size)]
    (folder / "gold.tsv").write_text("".join(["q_id\ta_id\tlabel\n", *rows]), "utf-8")
    for name, some in accepted.items():
        lines = [
            f"{q} {q}_{a} {('VALIDATED' if a else 'SELECTED') if a < some[q] else 'REJECTED'} 0.5\n"
            for q, size in enumerate(sizes)
            for a in range(size)
        ]
        (folder / f"{name}.txt").write_text("".join(lines), "utf-8")
    return [str(folder / name) for name in ("gold.tsv", *(f"{name}.txt" for name in accepted))]


@pytest.mark.parametrize("times", [2, 12])
def test_a_run_at_a_bound_on_few_has_the_spread_of_both(tmp_path: Path, times: int) -> None:
    """A recall of 1 shows no variance. 12 times 5 questions of sizes 1 to 5 are 49 of equal size.

    Then the standard error is that of the other run alone: z is (its right answers - its recall
    times the size) / all. 2 times 5 are 8 of equal size, fewer than 30: it is larger.
    """
    sizes = [1, 2, 3, 4, 5] * times
    half = [0, 1, 1, 4, 2] * times
    files = recalls(tmp_path, sizes, {"all": sizes, "half": half})
    (of,) = document_of("compare", *files, "-m", "recall", "--power")["measures"]
    number, whole = len(sizes), sum(sizes)
    left = np.array(half) - sum(half) / whole * np.array(sizes)
    error = (number / (number - 1) * float((left**2).sum())) ** 0.5 / whole
    found = of["power"][0]["deviation"] / number**0.5
    if times == 12:
        assert found == pytest.approx(error, rel=1e-6)
    else:
        assert found > 1.1 * error


def test_a_number_of_right_answers_is_that_many_times_the_accuracy(tmp_path: Path) -> None:
    """Also of questions that both systems answer wrongly: interval, deviation, equivalence."""
    rows = ["q_id\trun\tjudgement\n"]
    for q in range(40):
        rows += [f"{q}\ta\t{'R' if q < 20 else 'W'}\n", f"{q}\tb\t{'R' if q < 14 else 'W'}\n"]
    (tmp_path / "judged.tsv").write_text("".join(rows), "utf-8")
    found = []
    for key, margin in (("n_right", "8"), ("answering_accuracy", "0.2")):
        asked = "-m", key, "--equivalence", margin
        (of,) = document_of("compare", str(tmp_path / "judged.tsv"), *asked)["measures"]
        (pair,), (power,) = of["pairs"], of["power"]
        found.append([pair["low"], pair["high"], power["deviation"], power["p_equivalent"]])
    number, share = found
    assert number[:3] == pytest.approx([40 * one for one in share[:3]])
    assert number[3] == pytest.approx(share[3])


def test_a_recall_that_equals_a_mean_by_coincidence_is_none(tmp_path: Path) -> None:
    """Half of each question of two: 20 of 24 right, 5/6, as is the mean of 1, 1/2 and 1."""
    sizes = [1, 2, 3] * 4
    files = recalls(tmp_path, sizes, {"a": [1, 1, 3] * 4, "b": sizes})
    for test in ("tukey", "wilcoxon", "sign"):
        said = " ".join(refusal("compare", *files, "-m", "recall", "--test", test).split())
        assert "is not a mean of values per question" in said
