"""The programs of benchmarks/: what they measure and write; how long anything takes is no test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import benchmarks.run
from ave_score import Design, Policies, Resampling, compare
from ave_score.inference.units import count_for
from benchmarks import conclusions, replicates, results
from benchmarks.data import make
from benchmarks.peers import PEERS
from benchmarks.ratios import EQUAL, TESTS, share_found
from benchmarks.results import Cell, Command, Table, markdown, ratios, used_by
from benchmarks.run import present
from tests import mostly_slow
from tests.conftest import ROOT
from tools.own import own_files

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.mark.parametrize(("goal", "most", "words"), [
    ("<= 1.3", None, "<= 1.3 reached"),
    ("<= 1.2", None, "<= 1.2 **missed**"),
    (">= 1.2", 99, ">= 1.2 reached, <= 99 MB **missed**"),
    (">= 8", 100, ">= 8 **missed**, <= 100 MB reached"),
    ("", None, ""),
])  # fmt: skip
def test_a_goal_is_judged_by_ratio_and_peak(goal: str, most: int | None, words: str) -> None:
    assert Command("", [], goal, most).judged(1.25, 99.5) == words


def test_a_process_is_stopped_at_its_limit() -> None:
    usage = used_by(SLEEP, limit=0.2)
    assert not usage.ended and usage.wall < 30


def test_a_process_that_fails_has_no_figures() -> None:
    fails = Command("fails", [sys.executable, "-c", "raise SystemExit(3)"], "<= 1")
    table = ratios("", [Command("pass", [sys.executable, "-c", "pass"]), fails], 1)
    assert table.rows[1] == ["fails", "stopped or failed", None, None, "<= 1"]
    with pytest.raises(SystemExit, match="fails failed"):
        ratios("", [fails], 1)


DOCUMENTED = [
    *("CONTRIBUTING.md", "benchmarks/README.md", "gold/README.md", "sample_runs/broken/README.md"),
    *("docs/explanation/simulated-tests.md", "docs/explanation/simulated-intervals.md"),
    *("docs/explanation/speed.md", "docs/explanation/reproduction.md"),
]


def test_programs_of_the_checkout_start_as_documented() -> None:
    """`python -m` puts the folder that it is called in before the installed packages.

    The installation of the tests may put the checkout there as well: -S leaves that out.
    """
    texts = "".join((ROOT / name).read_text("utf-8") for name in DOCUMENTED)
    for folder in ("benchmarks", "tools", "tests"):
        texts += "".join(path.read_text("utf-8") for path in own_files(folder, ".py"))
    assert not re.findall(r"python \S+/\w+\.py", texts)
    names = {*re.findall(r"python -m ((?:benchmarks|tools|gold|tests)\.\w+)", texts)}
    assert {"benchmarks.run", "benchmarks.growth", "tools.generate", "gold.rebuild"} <= names
    packages = sysconfig.get_path("purelib")
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import {', '.join(sorted(names - OPTIONAL))}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": packages},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


NEEDS = {"benchmarks.engine": "duckdb", "tools.mutation": "mutmut"}
OPTIONAL = {name for name, package in NEEDS.items() if not find_spec(package)}


@pytest.mark.slow
def test_ratios_are_of_the_first_command() -> None:
    busy = Command("busy", [sys.executable, "-c", "sum(range(20_000_000))"])
    table = ratios("", [Command("pass", [sys.executable, "-c", "pass"]), busy], 1)
    (_, *base, _, _), (name, *times, peak, _) = table.rows
    assert (name, base) == ("busy", [1.0, 1.0])
    assert all(isinstance(time, float) and time > 1 for time in times)
    assert isinstance(peak, int) and peak > 0


def test_tables_are_kept_by_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.json")
    results.write(
        "run", [Table("First", ["", "time"], [["a", 1.23456], ["b", None]])], is_quick=True
    )
    results.write("growth", [Table("Rows", ["", "rows"], [["a", 1000]], "Text.")], is_quick=False)
    results.write("run", [Table("Second", ["", "time"], [["a", 12.3456]])], is_quick=True)
    kept = json.loads((tmp_path / "results.json").read_text())
    assert list(kept) == ["growth", "run"]
    page = results.page()
    assert "### First" not in page
    assert page.index("### Second\n\n|  | time |\n| --- | --: |\n| a | 12.3 |\n") < page.index(
        "### Rows\n\nText.\n\n|  | rows |\n| --- | --: |\n| a | 1,000 |\n"
    )
    assert page.count("on a tenth of the data") == 1


def test_numbers_have_three_digits_at_most() -> None:
    row: list[Cell] = ["a", 0.994, 9.994, 12.34, 123.4, 1234, None]
    expected = "| a | 0.99 | 9.99 | 12.3 | 123 | 1,234 |  |"
    assert markdown(Table("", [], [row])).splitlines()[-1] == expected


def test_the_page_has_no_path() -> None:
    text = results.RESULTS.read_text("utf-8")
    assert not [path for path in ("/tmp", "/home", "/root", "/work", "/usr") if path in text]


@pytest.mark.slow
def test_installed_peers_print_what_ave_score_prints(tmp_path: Path) -> None:
    make(tmp_path, runs=2, questions=20, answers=5)
    found = {peer.name for peer in present(tmp_path)}
    assert found == {peer.name for peer in PEERS if peer.is_here()}


@pytest.mark.slow
def test_a_peer_that_computes_something_else_ends_the_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [duckdb] = (peer for peer in PEERS if peer.needs == "duckdb")
    monkeypatch.setattr(benchmarks.run, "PEERS", [duckdb])
    make(tmp_path, runs=1, questions=20, answers=5)
    assert list(present(tmp_path)) == [duckdb]
    labels = tmp_path / "gold.tsv"
    labels.write_text(labels.read_text().replace("REJECTED", "VALIDATED", 1))
    with pytest.raises(SystemExit, match="computes something else"):
        list(present(tmp_path))


def test_runs_of_equal_f_have_the_chances_of_the_formula() -> None:
    # 1 of 4 answers is correct: F = 2 r / (1 + r + 3 w), so w = (2 r / F - 1 - r) / 3
    for kind, recall in zip(EQUAL[0].kinds, (1.0, 0.35), strict=True):
        assert kind == pytest.approx((recall, (2 * recall / 0.467 - 1 - recall) / 3))


@pytest.mark.parametrize("number", mostly_slow(range(len(EQUAL)), 4))
def test_no_statistic_of_a_test_exceeds_that_by_which_pairs_are_left_out(number: int) -> None:
    case = EQUAL[number]
    campaigns = case.drawn(np.random.default_rng(number), 20, 20)
    bounds = case.statistics(campaigns)[:, 0, 1]
    made = [case.pair(counts, 0).swaps() for counts in campaigns]
    known = [(one.observed, most) for one, most in zip(made, bounds, strict=True)]
    known = [(one, most) for one, most in known if not np.isnan(one)]
    assert len(known) > 5
    assert all(one <= most * (1 + 1e-6) for one, most in known)


@pytest.mark.parametrize("test", TESTS)
def test_simulations_test_pairs_as_compare_does(test: str) -> None:
    pytest.importorskip("scipy")
    collection, runs = conclusions.campaign(np.random.default_rng(1), 2)
    design = Design.of(test=test, resampling=Resampling(conclusions.SAMPLES, 3))
    measures = conclusions.MEASURES
    counted = [count_for(run, collection, measures, Policies()) for run in runs]
    for compared in compare(collection, runs, measures=measures, design=design).comparisons:
        [p] = conclusions.p_of_pairs(test, counted, compared.measure, 3)
        assert compared.pairs[0].p == pytest.approx(p, rel=1e-9)


def test_runs_of_equal_f_are_seldom_found_different() -> None:
    # if the share is 0.065, 26 or more of 200 are found once in 1,000 times (binomial); that of
    # swaps of the plain difference is 0.28 by another implementation
    assert share_found(EQUAL[0], 60, {"randomisation": 200})["randomisation"] < 0.13


@pytest.mark.slow
def test_the_crossed_test_is_told_from_a_test_of_questions() -> None:
    # if the share is 0.06, 21 or more of 150 are found once in 3,000 times (binomial); by another
    # implementation the crossed test finds 0.044 and the t test of means 0.50
    pytest.importorskip("scipy")
    case = replicates.Case(replicates.ACCURACY, 300, (3, 3), (0.5, 0.5))
    different, of_means, _ = case.shares(150)
    assert different < 0.14 < of_means


@pytest.mark.slow
def test_systems_whose_runs_deviate_otherwise_are_equally_good() -> None:
    value = replicates.accuracy(replicates.MEAN, 0.5)
    mean = replicates.mean_logit(value, 0.0)
    assert replicates.accuracy(mean, 0.0) == pytest.approx(value, abs=1e-12)
    assert mean < replicates.MEAN  # more deviation brings shares nearer to a half
