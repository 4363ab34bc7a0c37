"""Systems that ran several times: means of runs, and the test over questions and runs."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import ave_score
from ave_score import Design, Policies
from tests.helpers_command import ave, document_of, output, refusal
from tests.helpers_files import put

POLICIES = Policies(letters="respubliqa")
SYSTEMS = {f"{name}/{run}": name for name in ("a", "b") for run in (1, 2, 3)}


def judged(folder: Path, runs: dict[str, str], name: str = "judged.tsv") -> Path:
    """Write a judged file: the letters of the answers of each run to questions 1, 2, 3 .."""
    pairs = [(run, *pair) for run, letters in runs.items() for pair in enumerate(letters, 1)]
    lines = [f"{number}\t{run}\t{letter}\n" for run, number, letter in pairs]
    return put(folder, "q_id\trun\tjudgement\n" + "".join(lines), name)


def table_of(folder: Path) -> Path:
    """Write a table of all systems."""
    text = "".join(f"{run}\t{system}\n" for run, system in SYSTEMS.items())
    return put(folder, text, "systems.tsv")


# By hand: the values of questions are means over runs, d the difference of their means, Vq the
# variance of their differences by the number of questions, Vs of a system the variance of the
# accuracies of its runs by their number; V = Vq + Vs + Vs, df = V^2 / (Vq^2 / 3 + the parts over
# runs^2 / (runs - 1)), of which two runs leave one part with one degree of freedom. p and the
# quantile of t by scipy. The squares of what questions and runs do not explain have the sums 3/8
# and 3/8, or 5/6 and 0; by (questions - 1) (runs - 1) questions runs, that is 1/64 twice, or 5/432.
TWO = {"a/1": "RRRW", "a/2": "RRWW", "b/1": "WRWW", "b/2": "WWWW"}
# a 1, 1, 1/2, 0 less b 0, 1/2, 0, 0: d = 1/2, Vq = 1/6 / 4; Vs = 1/32 / 2 of each; df = 147/43
THREE = {"a/1": "RRRW", "a/2": "RRWW", "a/3": "RWWW", "b/1": "WWWW", "b/2": "WWWW", "b/3": "WWWW"}
# a 1, 2/3, 1/3, 0 less 0: d = 1/2, Vq = 5/27 / 4; Vs = 1/16 / 3 and 0; df = 5046/1043


@pytest.mark.parametrize(("runs", "parts", "p", "quantile"), [
    (TWO, (1 / 24, 1 / 64, 1 / 64, 1 / 32), 0.149789576519096, 2.972957566587921),
    (THREE, (5 / 108, 1 / 48, 0, 5 / 432), 0.11344875823544018, 2.5966939430556017),
])  # fmt: skip
def test_the_crossed_test_by_hand(
    tmp_path: Path, runs: dict[str, str], parts: tuple[float, ...], p: float, quantile: float
) -> None:
    systems = {run: system for run, system in SYSTEMS.items() if run in runs}
    design, file = Design(policies=POLICIES), judged(tmp_path, runs)
    compared = ave_score.compare(
        file, measures="answering_accuracy", replicates=systems, design=design
    )
    (found,) = compared.comparisons
    (pair,) = found.pairs
    assert (pair.run, pair.other, found.design.test) == ("a", "b", "crossed")
    assert pair.difference == Fraction(1, 2)
    assert pair.p == pytest.approx(p, rel=1e-9)
    (listed,) = json.loads(compared.to_text("json"))["measures"][0]["pairs"]
    of_what = "questions", "runs", "other_runs", "residual"
    assert listed["variance"] == pytest.approx(dict(zip(of_what, parts, strict=True)))
    variance = sum(parts[:3])
    assert listed["stderr"] == pytest.approx(variance**0.5)
    margin = quantile * variance**0.5
    assert pair.interval == pytest.approx((max(0.5 - margin, -1), min(0.5 + margin, 1)), rel=1e-9)
    assert "p covers differences between questions and between runs" in compared.to_text()
    assert compared.signature.split("|")[5:7] == [f"replicates:{len(runs) // 2}", "test:crossed"]


def test_a_system_has_the_mean_of_its_runs_and_their_spread(tmp_path: Path) -> None:
    """Accuracies 3/4, 1/2 and 1/4: SD 1/4. Its c@1 is the mean of those of its runs, too."""
    path = judged(tmp_path, THREE | {"b/1": "RUUW"})
    more = "-m", "answering_accuracy,c_at_1"
    given = path, "--letters", "respubliqa", "--replicates", table_of(tmp_path), *more
    a, b = document_of("score", *given, "--ci", "95")["runs"]
    assert (a["run"], a["runs"], a["measures"]["answering_accuracy"]) == ("a", 3, 0.5)
    assert a["spread"]["answering_accuracy"] == [0.25, 0.25, 0.75]
    assert a["counts"]["answered_right"] == 2
    # (1 + 2 * 1/4) / 4 and twice 0
    assert b["measures"]["c_at_1"] == pytest.approx(0.125)
    # Vq = 5/27 / 4 and Vs = 1/16 / 3 make 29/432, as above; t of df = 4.838 reaches below 0
    assert a["intervals"]["answering_accuracy"] == [0, 1]
    assert a["interval_methods"]["answering_accuracy"] == "crossed"
    text = output("score", *given)
    (line,) = [line for line in text.splitlines() if line.startswith("Accuracy  a")]
    assert line.split() == ["Accuracy", "a", "3", "0.50", "0.25", "0.25", "0.75"]
    row, _ = output("score", *given, "-f", "csv").splitlines()[1:]
    assert row.split(",")[-9:-2] == ["3", "0.25", "0.25", "0.75", "0.25", "0.25", "0.75"]
    standing, _ = document_of("compare", *given)["measures"][0]["runs"]
    assert (standing["runs"], standing["spread"]) == (3, [0.25, 0.25, 0.75])


def test_tests_of_questions_are_for_these_seeds(tmp_path: Path) -> None:
    """Means of questions differ by 1, 1/2, 1/2 and 0: of 8 ways of swapping, 2 are as extreme."""
    path = judged(tmp_path, TWO | {"c/1": "WRWW"})
    systems = put(tmp_path, "run\tsystem\na/1\ta\na/2\ta\nb/1\tb\nb/2\tb\nc/1\tc\n", "systems.tsv")
    given = ("--letters", "respubliqa", "--replicates", systems, "-m", "answering_accuracy")
    found = document_of("compare", path, *given, "--test", "randomisation")
    (p,) = [pair["p"] for pair in found["measures"][0]["pairs"] if pair["other"] == "b"][:1]
    assert p == 0.25
    said = "p is for these seeds: it does not cover differences between runs of the same system"
    assert found["notes"] == [f"{said}; 1 system has 1 run."]
    alone = document_of("compare", path, *given)
    assert alone["test"] == "randomisation"  # c has no variance over runs
    assert "for these seeds.\n" in output("compare", path, *given)
    said = refusal("compare", path, *given, "--test", "crossed")
    assert "crossed needs two runs of each system, and c has one" in said


def test_a_folder_is_a_system_of_validators(tmp_path: Path) -> None:
    """F is the mean of F of the runs, which are scored alone; one run may equal another."""
    gold, samples = Path("gold/ave2007-es.xml"), Path("sample_runs/ave2007-es")
    for system, names in {"ada": ("Tellez_1", "Rodrigo"), "bob": ("Tellez_2", "Tellez_2")}.items():
        (tmp_path / system).mkdir()
        for number, name in enumerate(names):
            shutil.copy(samples / f"{name}.txt", tmp_path / system / f"{number}.txt")
    given = ("compare", gold, tmp_path, "--replicates", "folder", "-m", "f1,auc,map")
    (f1, auc, _) = document_of(*given)["measures"]
    alone = document_of("score", gold, samples, "-m", "f1,auc")["runs"]
    values = {row["run"]: row["measures"] for row in alone}
    for measure in (f1, auc):
        found = {run["run"]: run for run in measure["runs"]}
        ends = sorted(values[name][measure["measure"]] for name in ("Tellez_1", "Rodrigo"))
        assert found["ada"]["value"] == pytest.approx(sum(ends) / 2)
        assert found["ada"]["spread"] == pytest.approx([(ends[1] - ends[0]) / 2**0.5, *ends])
        assert found["bob"]["spread"][0] == 0
        assert measure["test"] == "crossed"
    text = output(*given)
    assert "F: 2 systems on 170 questions" in text
    assert "it is rough, because 2 systems have 2 runs." in text
    # of single runs the systems have what these have: the same p and intervals
    single = ("compare", gold, tmp_path / "ada/0.txt", tmp_path / "bob/1.txt", "-m", "map,recall")
    named = put(tmp_path, "0\tA\n1\tB\n", "systems.tsv")
    one, other = document_of(*single), document_of(*single, "--replicates", named)
    for before, after in zip(one["measures"], other["measures"], strict=True):
        assert [pair["p"] for pair in after["pairs"]] == [pair["p"] for pair in before["pairs"]]
        assert [run["low"] for run in after["runs"]] == [run["low"] for run in before["runs"]]
    assert other["notes"][0].startswith("Each system has one run: differences between runs")


def test_clusters_of_equal_questions_are_questions_of_their_own(tmp_path: Path) -> None:
    """Each question three times, in a cluster: p is that of the questions once."""
    once = judged(tmp_path, THREE)
    thrice = judged(tmp_path, {run: 3 * letters for run, letters in THREE.items()}, "thrice.tsv")
    parts = "".join(f"{number + 1}\t{number % 4}\n" for number in range(12))
    clusters = put(tmp_path, parts, "clusters.tsv")
    named = "-m", "c_at_1,answering_accuracy"
    more = "--letters", "respubliqa", "--replicates", table_of(tmp_path), *named
    found = [
        [item["pairs"][0]["p"] for item in document_of("compare", *given, *more)["measures"]]
        for given in ((once,), (thrice, "--cluster", clusters))
    ]
    assert found[1] == pytest.approx(found[0], rel=1e-6)
    assert found[0][1] == pytest.approx(0.11344875823544018)


def test_systems_whose_runs_are_all_equal_are_tested_as_single_runs(tmp_path: Path) -> None:
    path = judged(tmp_path, {"a/1": "RRR", "a/2": "RRR", "b/1": "WWW", "b/2": "WWW"})
    table = put(tmp_path, "a/1\ta\na/2\ta\nb/1\tb\nb/2\tb\n", "systems.tsv")
    given = ("compare", path, "--letters", "respubliqa", "--replicates", table)
    text = output(*given, "-m", "answering_accuracy")
    same = "have the same outcomes, as at temperature 0, or from a cache: they count as one run."
    assert f"The 2 runs of a {same}" in text
    assert "Each system has one run" in text
    (of,) = document_of(*given, "-m", "answering_accuracy")["measures"]
    assert (of["test"], of["pairs"][0]["p"]) == ("randomisation", 2 / 2**3)
    assert of["runs"][0]["method"] == "wilson"  # of a run, since all are equal


@pytest.mark.parametrize(("table", "more", "said"), [
    ("a/7\ta\n", (), "there is no run 'a/7'"),
    ("a/1\tb/1\n", (), "replicates: 'b/1' is a system and another run"),
    ("a/1\ta\na/2\ta\nb/1\ta\nb/2\ta\n", (), "and there is only 'a'"),
    ("a/1\tb\n", ("--against", "a"), "there is no run 'a' to compare all others with"),
    ("a/1\ta\na/2\ta\nb/1\tb\nb/2\tb\n", ("--power",), "power is not computed for several"),
    ("a/1\ta\na/2\ta\n", ("-m", "c_at_1", "--test", "t"), "no mean of values of questions"),
])  # fmt: skip
def test_what_several_runs_cannot_have(
    tmp_path: Path, table: str, more: tuple[str, ...], said: str
) -> None:
    path = judged(tmp_path, TWO | {"b/2": "RUUW"})
    systems = put(tmp_path, table, "systems.tsv")
    given: tuple[str | Path, ...] = ("--letters", "respubliqa", "--replicates", systems, *more)
    assert said in refusal("compare", path, *given)


def test_a_table_of_systems_is_read_as_one_of_teams(tmp_path: Path) -> None:
    table = put(tmp_path, "run\tsystem\na/1\ta\na/1\tb\n", "systems.tsv")
    given = ("--letters", "respubliqa", "--replicates", table, "--keep-going")
    said = refusal("compare", judged(tmp_path, TWO), *given, code=1)
    assert "systems.tsv:3:5 AVE511 run 'a/1' belongs to 'b' here but to 'a' earlier" in said
    assert "AVE511" in ave("check", table)[1]


def test_a_page_of_a_team_names_no_system_of_others(tmp_path: Path) -> None:
    runs = {run.replace("b", "zeta"): letters for run, letters in TWO.items()}
    path = judged(tmp_path, runs)
    table = "".join(f"{run}\t{run.partition('/')[0]}\n" for run in runs)
    given = ("--letters", "respubliqa", "--replicates", put(tmp_path, table, "systems.tsv"))
    teams = put(tmp_path, "a\tAnn\nzeta\tBob\n", "teams.tsv")
    page = tmp_path / "page.html"
    for audience, names in {"Ann": (False, False), "organisers": (True, True)}.items():
        said = ("--teams", teams, "--audience", audience, "-o", page)
        assert output("report", path, *given, *said) == ""
        text = page.read_text("utf-8").replace("<wbr/>", "")
        assert ("a/1" in text, "zeta" in text) == names
    assert "it is rough, because 2 systems have 2 runs." in text
    assert "Runs of each system" in text


def test_counts_of_a_system_are_means_beside_which_c_at_1_is_another(tmp_path: Path) -> None:
    """c@1 is 3/4 of RRRW and (2 + 2 * 2/4) / 4 = 3/4 of RRUU; of mean counts it would be (2.5 + 1 *
    2.5/4) / 4 = 25/32."""
    path = judged(tmp_path, {"a/1": "RRRW", "a/2": "RRUU", "b/1": "WRWW", "b/2": "WWUW"})
    table = put(tmp_path, "a/1\ta\na/2\ta\nb/1\tb\nb/2\tb\n", "systems.tsv")
    given = ("score", path, "--letters", "respubliqa", "-m", "c_at_1,n_right,n_unanswered")
    of_system = document_of(*given, "--replicates", table)["runs"][0]
    assert of_system["measures"]["c_at_1"] == 0.75
    assert (of_system["counts"]["answered_right"], of_system["counts"]["unanswered"]) == (2.5, 1)
    note = "c@1 or F, which are computed for each run, need not follow from the counts."
    assert note in " ".join(output(*given, "--replicates", table).split())
    assert note not in " ".join(output(*given).split())


def test_a_ratio_is_no_mean_by_coincidence(tmp_path: Path) -> None:
    """All questions are units of recall, also one without a correct answer. Recall of run 1 is (1 +
    1 + 3) / 6, which is also the mean of 1, 1/2 and 1 by coincidence: the questions have 1, 2 and 3
    correct answers. Run 2 finds all. By hand: the mean is 11/12. Vs = the variance 1/72 of the runs
    by 2. Without a question it is 9/10, 1, 5/6 or 11/12, and Vq is (4 - 1)^2 / 4 times their
    variance; df = V^2 / (Vs^2 + Vq^2 / 3)."""
    answers = [(q, a, a <= q) for q in (1, 2, 3) for a in range(1, 4)] + [(4, 1, False)]
    labels = "REJECTED", "VALIDATED"
    rows = "".join(f"{q},{a},{labels[right]}\n" for q, a, right in answers)
    gold = put(tmp_path, f"q_id,a_id,label\n{rows}", "gold.csv")
    for number, missed in ((1, (2, 2)), (2, None)):
        lines = [
            f"{q} {a} {('SELECTED' if a == 1 else 'VALIDATED') if right else 'REJECTED'} 1\n"
            for q, a, label in answers
            for right in [label and (q, a) != missed]
        ]
        put(tmp_path, "".join(lines), f"run{number}.txt")
    table = put(tmp_path, "run1\ta\nrun2\ta\n", "systems.tsv")
    runs = (tmp_path / "run1.txt", tmp_path / "run2.txt")
    given = ("score", gold, *runs, "--replicates", table, "-m", "recall", "--ci", "95")
    low, _ = document_of(*given)["runs"][0]["intervals"]["recall"]
    between, over = 1 / 72 / 2, 9 / 4 * np.var([9 / 10, 1, 5 / 6, 11 / 12], ddof=1)
    free = (between + over) ** 2 / (between**2 + over**2 / 3)
    expected = 11 / 12 - stats.t.ppf(0.975, free) * (between + over) ** 0.5
    assert low == pytest.approx(expected, abs=1e-9)
