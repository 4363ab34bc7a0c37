"""Differences by group of questions, and the test of their mean over groups."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import ave_score
from ave_score import Design, Policies
from tests import each
from tests.helpers_command import ave, document_of, here_with, output, refusal
from tests.helpers_files import put

HEAD = "q_id,run,judgement,task\n"
LETTERS = "--letters", "respubliqa", "-m", "answering_accuracy"
TASKS = {"t": ("RRRR", "WWRR"), "u": ("RWRW", "WRWW"), "v": ("RR", "WR")}
"""Task -> what is right of ada, and of bob."""


def judged(tasks: Mapping[str, tuple[str, ...]], runs: tuple[str, ...] = ("ada", "bob")) -> str:
    """Return a judged file of the letters that runs have in each task."""
    rows = [
        f"{task}{number},{run},{letter},{task}\n"
        for task, of_runs in tasks.items()
        for run, letters in zip(runs, of_runs, strict=True)
        for number, letter in enumerate(letters)
    ]
    return HEAD + "".join(rows)


here = here_with({"judged.csv": judged(TASKS)}, autouse=True)


def test_groups_are_tested_with_a_correction_and_their_mean_by_t() -> None:
    """Differences of t: 1 1 0 0, of u: 1 -1 1 0, of v: 1 0.

    Means 1/2, 1/4, 1/2; variances 1/3, 11/12, 1/2; squared errors 1/12, 11/48, 1/4. The squared
    error of the mean, 5/12, is 27/48/9 = 1/16; degrees of freedom (27/48)^2 / ((1/12)^2/3 +
    (11/48)^2/3 + (1/4)^2/1) = 729 / (16/3 + 121/3 + 144) = 2187/569. t is (5/12) / (1/4) = 5/3. No
    group has two swaps of ten: p is 1/2, 1 and 1.
    """
    scipy_stats = pytest.importorskip("scipy.stats")
    found = document_of("compare", "judged.csv", "--breakdown", "task", *LETTERS)
    (pair,) = found["pairs"]
    assert (found["groups"], pair["run"], pair["other"]) == (3, "ada", "bob")
    *groups, micro, macro = pair["parts"]
    assert [part["difference"] for part in groups] == [1 / 2, 1 / 4, 1 / 2]
    assert [part["stderr"] ** 2 for part in groups] == pytest.approx([1 / 12, 11 / 48, 1 / 4])
    assert [part["p"] for part in groups] == [0.5, 1, 1]
    assert [part["p_corrected"] for part in groups] == [1, 1, 1]
    assert (micro["difference"], micro["questions"]) == (4 / 10, 10)
    assert (macro["questions"], macro["difference"]) == (3, pytest.approx(5 / 12))
    assert (macro["stderr"], macro["df"]) == (pytest.approx(1 / 4), pytest.approx(2187 / 569))
    assert macro["p"] == pytest.approx(2 * scipy_stats.t.sf(5 / 3, 2187 / 569), abs=1e-9)
    expected = [(2, 2, 0), (2, 1, 1), (1, 1, 0)]
    assert [(part["won"], part["tied"], part["lost"]) for part in groups] == expected
    pairs = output("compare", "judged.csv", "--breakdown", "task", *LETTERS, "--pairs")
    rows = [" ".join(line.split()) for line in pairs.splitlines()]
    assert any(row.startswith("ada bob t 4 +0.500 ± 0.289 1.73 (3)") for row in rows)
    assert any(row.startswith("ada bob macro 3 +0.417 ± 0.250 1.67 (3.8)") for row in rows)
    half = scipy_stats.t.ppf(0.975, 2187 / 569) / 4
    assert [macro["low"], macro["high"]] == pytest.approx([5 / 12 - half, 5 / 12 + half])
    assert not macro["significant"]


def test_the_correction_is_for_all_pairs_and_groups() -> None:
    """p of 8 questions that ada alone answers is 2/2^8; of six pairs and groups, Holm's 6 times."""
    three = {"t": ("R" * 8, "W" * 8, "W" * 8), "u": ("RW" * 4, "WR" * 4, "RW" * 4)}
    put(Path(), judged(three, ("ada", "bob", "cyd")), "three.csv")
    made = ave_score.compare_groups(
        "three.csv",
        by="task",
        measures="answering_accuracy",
        design=Design(policies=Policies(letters="respubliqa")),
    )
    (first,) = (pair for pair in made.pairs if {pair.run, pair.other} == {"ada", "bob"})
    assert first.parts[0].p == 2 / 2**8
    assert first.parts[0].adjusted == pytest.approx(6 * 2 / 2**8)
    assert first.parts[0].is_significant
    assert list(made.to_frame()["group"][:2]) == ["t", "u"]
    text = output("compare", "three.csv", "--breakdown", "task", *LETTERS)
    assert "2 of 6 differences on groups are significant." in text
    rows = output("compare", "three.csv", "--breakdown", "task", *LETTERS, "-f", "csv")
    assert len(rows.splitlines()) == 1 + 3 * (2 + 2)


@each("tasks, said", [
    ({"t": ("RR", "WR"), "u": ("R", "W")}, "as that of one question is"),
    ({"t": ("RR", "WW"), "u": ("RR", "WW")}, "every difference in a group is the same"),
])  # fmt: skip
def test_a_mean_without_a_known_error_is_not_tested(
    tasks: dict[str, tuple[str, ...]], said: str
) -> None:
    put(Path(), judged(tasks), "few.csv")
    text = output("compare", "few.csv", "--breakdown", "task", *LETTERS)
    assert "No test of the macro mean: " in text and said in text
    macro = document_of("compare", "few.csv", "--breakdown", "task", *LETTERS)["pairs"][0]["parts"][
        -1
    ]
    assert macro["p"] is None and said in macro["reason"]


def test_a_turned_interval_that_ends_at_0_has_no_sign_there() -> None:
    """bob alone is right on the 4 questions of w, too few to show it: the interval has 0."""
    put(Path(), judged({"t": ("RRRRRR", "WWWWWW"), "w": ("WWWW", "RRRR")}), "turned.csv")
    text = output("compare", "turned.csv", "--breakdown", "task", *LETTERS, "-f", "json")
    turned = json.loads(text)["pairs"][0]["parts"][1]
    assert (turned["group"], turned["difference"], turned["high"]) == ("w", -1, 0)
    assert "-0.0," not in text


SIZES_OF_SEEDS = (("t", 10), ("u", 12), ("v", 15))


def rows_of_seeds() -> list[dict[str, object]]:
    """Return rows of two systems with three runs each."""
    chance = np.random.default_rng(2)
    return [
        {"q_id": f"{task}{n}", "run": f"{system}/{seed}", "task": task}
        | {"judgement": "RW"[int(chance.random() < share)], "confidence": chance.random()}
        for task, number in SIZES_OF_SEEDS
        for n in range(number)
        for system, share in (("ada", 0.4), ("bob", 0.6))
        for seed in (1, 2, 3)
    ]


def test_the_macro_mean_of_systems_with_several_runs_is_crossed() -> None:
    """By numpy: the groups' variances over questions by their squared number, and of each system
    the variance of the macro means of its runs by their number; Satterthwaite's df.
    """
    scipy_stats = pytest.importorskip("scipy.stats")
    rows = rows_of_seeds()
    systems = {f"{name}/{seed}": name for name in ("ada", "bob") for seed in (1, 2, 3)}
    made = ave_score.compare_groups(
        rows, by="task", measures="answering_accuracy", replicates=systems
    )
    right = {
        (name, task): np.array(
            [
                [row["judgement"] == "R" for row in rows if row["run"] == f"{name}/{seed}"
                 and row["task"] == task] for seed in (1, 2, 3)
            ]
        )
        for name in ("ada", "bob") for task in "tuv"
    }  # fmt: skip
    parts = []
    for task in "tuv":
        each = right["ada", task].mean(axis=0) - right["bob", task].mean(axis=0)
        parts.append((each.var(ddof=1) / len(each) / 9, len(each) - 1))
    for name in ("ada", "bob"):
        macro = np.mean([right[name, task].mean(axis=1) for task in "tuv"], axis=0)
        parts.append((macro.var(ddof=1) / 3, 2))
    variance = sum(part for part, _ in parts)
    free = variance**2 / sum(part**2 / free for part, free in parts)
    found = made.pairs[0].parts[-1]
    assert found.part == "macro"
    assert (found.stderr, found.free) == pytest.approx((variance**0.5, free))
    t = abs(float(found.difference or 0)) / variance**0.5
    assert found.p == pytest.approx(2 * scipy_stats.t.sf(t, free), abs=1e-9)


def test_the_macro_mean_of_a_measure_of_all_answers_has_the_error_of_the_jackknife() -> None:
    """By numpy: AUC is the share of pairs of a right and a wrong answer in the right order."""
    rows = [row for row in rows_of_seeds() if str(row["run"])[-1] == "1"]
    made = ave_score.compare_groups(rows, by="task", measures="auc")
    (pair,) = made.pairs

    def auc(name: str, task: str, left_out: int | None = None) -> float:
        mine = [row for row in rows if (row["run"], row["task"]) == (name, task)]
        mine = [row for number, row in enumerate(mine) if number != left_out]
        right, wrong = (
            np.array([row["confidence"] for row in mine if row["judgement"] == letter])
            for letter in "RW"
        )
        return float(np.mean(right[:, None] > wrong[None]))

    variance = 0.0
    for task, number in SIZES_OF_SEEDS:
        each = [auc(pair.run, task, n) - auc(pair.other, task, n) for n in range(number)]
        variance += (number - 1) ** 2 / number * float(np.var(each, ddof=1)) / 9
    macro = pair.parts[-1]
    assert float(macro.difference or 0) == pytest.approx(
        np.mean([auc(pair.run, task) - auc(pair.other, task) for task in "tuv"])
    )
    assert macro.stderr == pytest.approx(variance**0.5) and 0 < macro.p < 1


@each("options, said", [
    (("--test", "friedman"), "friedman compares all runs at once, and not by groups"),
    (("--power",), "--power: not available with --breakdown: power is computed for the"),
    (("--equivalence", "0.1"), "--equivalence: not available with --breakdown"),
    (("--per-question", "x.csv"), "the same whatever its group is"),
    (("--plot", "x.svg"), "--plot: not available with --breakdown: figures have the"),
])  # fmt: skip
def test_what_has_no_groups_is_refused(options: tuple[str, ...], said: str) -> None:
    assert said in refusal("compare", "judged.csv", "--breakdown", "task", *options)
    assert ave("compare", "judged.csv", "--breakdown", "colour", code=2)


SIZES = (6, 8, 14, 24)


def found_in(campaigns: int, ada: list[float], bob: list[float]) -> tuple[int, int]:
    """Return in how many campaigns the macro and the micro means differ significantly."""
    found = [0, 0]
    design = Design(policies=Policies(letters="respubliqa"))
    for seed in range(campaigns):
        chance = random.Random(seed)
        rows = []
        for task, size in enumerate(SIZES):
            for number in range(size):
                hard = chance.uniform(-0.2, 0.2)  # a question is hard for both
                for run, shares in (("ada", ada), ("bob", bob)):
                    letter = "R" if chance.random() < shares[task] + hard else "W"
                    row = {"q_id": f"{task}-{number}", "run": run, "judgement": letter}
                    rows.append(row | {"task": f"t{task}"})
        made = ave_score.compare_groups(
            rows, by="task", measures="answering_accuracy", design=design
        )
        micro, macro = made.pairs[0].parts[-2:]
        found = [found[0] + macro.is_significant, found[1] + micro.is_significant]
    return found[0], found[1]


@pytest.mark.slow
def test_macro_means_that_do_not_differ_are_rarely_called_different() -> None:
    """Simulated: at 5 %, 300 campaigns have 15 false ones, and more than 25 with p < 0.007.

    Runs are equal in each task; or ada is better in two and bob in two, by as much: the macro mean
    is equal, but the larger tasks make the micro mean differ. Where ada is better in the small
    tasks, the macro mean differs more than the micro mean.
    """
    assert found_in(300, [0.6] * 4, [0.6] * 4)[0] <= 25
    macro, micro = found_in(300, [0.75, 0.75, 0.45, 0.45], [0.45, 0.45, 0.75, 0.75])
    assert macro <= 25
    assert micro > 25
    macro, micro = found_in(300, [0.8, 0.8, 0.6, 0.6], [0.3, 0.3, 0.6, 0.6])
    assert macro >= 150 and macro > micro


def campaign_of_seeds(seed: int) -> list[dict[str, object]]:
    """Return equally good systems, whose three runs differ by 0.4 logits, in 4 groups."""
    chance = np.random.default_rng(seed)
    shifts = {f"{name}/{run}": chance.normal(0, 0.4) for name in ("ada", "bob") for run in "123"}
    rows: list[dict[str, object]] = []
    for task, size in enumerate((20, 25, 30, 40)):
        for number in range(size):
            hard = chance.normal(0, 1)
            for run, shift in shifts.items():
                letter = "R" if chance.random() < 1 / (1 + np.exp(-hard - shift)) else "W"
                named = {"q_id": f"{task}-{number}", "run": run, "task": f"t{task}"}
                rows.append({**named, "judgement": letter})
    return rows


@pytest.mark.slow
def test_macro_means_of_several_runs_are_rarely_called_different() -> None:
    """Simulated: at 5 %, 100 campaigns have 5 false ones, and more than 12 with p < 0.002.

    The t test of questions is for these seeds: it calls a third of other seeds different.
    """
    systems = {f"{name}/{run}": name for name in ("ada", "bob") for run in "123"}
    found = {"crossed": 0, "t": 0}
    for seed in range(100):
        for test in found:
            made = ave_score.compare_groups(
                campaign_of_seeds(seed),
                by="task",
                measures="answering_accuracy",
                replicates=systems,
                design=Design.of(test=test),
            )
            found[test] += made.pairs[0].parts[-1].p <= 0.05
    assert found["crossed"] <= 12 and found["t"] >= 20


def test_clusters_of_the_design_may_be_named_by_an_attribute() -> None:
    """As in `compare`: an attribute, and the clusters that it says, are the same."""
    rows = [
        {"q_id": f"q{n}", "run": run, "judgement": "RW"[(n * size) % 3 == 1]}
        | {"subject": "ab"[n % 2], "passage": f"p{n // 2}"}
        for run, size in (("one", 1), ("two", 2))
        for n in range(12)
    ]
    passages = ave_score.Clusters("passage", {row["q_id"]: row["passage"] for row in rows})
    by_name, by_value = (
        ave_score.compare_groups(
            rows, by="subject", measures="answering_accuracy", design=Design(clusters=clusters)
        )
        for clusters in ("passage", passages)
    )
    assert by_name.to_frame().equals(by_value.to_frame())
    *groups, macro = by_name.pairs[0].parts
    assert len(groups) == 3
    assert "a cluster has questions of several groups" in macro.why_not  # of both subjects
    with_error = ave_score.compare_groups(
        rows, by="passage", measures="answering_accuracy", design=Design()
    )
    assert not with_error.pairs[0].parts[-1].why_not
