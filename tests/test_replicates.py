"""Replicates of questions: shares, --epochs, standard errors, tests, attributes and scores. Two
systems on four questions. In question values, ada has 1, 1/2, 1/2, 0 and bob 1/2, 0, 0, 0."""

from __future__ import annotations

import csv
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ave_score
from tests import each
from tests.helpers_command import Call, assert_call, ave, calls, document_of, output, refusal
from tests.helpers_files import put

RESPUBLIQA = ("--letters", "respubliqa")
REPLICATES = {
    "ada": {"q1": "RR", "q2": "RW", "q3": "RU", "q4": "WWW."},  # . is not judged
    "bob": {"q1": "RW", "q2": "WW", "q3": "WU", "q4": "WW"},
}
PASSAGES = {"q1": "p1", "q2": "p1", "q3": "p2", "q4": "p2"}


def table(systems: dict[str, dict[str, str]] = REPLICATES) -> str:
    """Return a judged file: a row for each replicate, with the passage of the question."""
    rows = [
        f"{q_id}\t{run}\t{number}\t{letter.strip('.')}\t{PASSAGES.get(q_id, '')}\n"
        for run, questions in systems.items()
        for q_id, letters in questions.items()
        for number, letter in enumerate(letters, 1)
    ]
    return "q_id\trun\treplicate\tjudgement\tpassage\n" + "".join(rows)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, table(), "judged.tsv")
    return tmp_path


def scored(measures: str, *arguments: str) -> dict[str, Any]:
    """Return the rows of scores by the name of the run."""
    document = document_of("score", "judged.tsv", *RESPUBLIQA, "-m", measures, *arguments)
    return {row["run"]: row for row in document["runs"]}


BY_HAND = {  # of ada: ac = 1 + 1/2 + 1/2, aw = 1/2 + 1, u = 1/2
    "n_right": Fraction(2),
    "n_wrong": Fraction(3, 2),
    "n_unanswered": Fraction(1, 2),
    "answering_accuracy": Fraction(1, 2),
    "c_at_1": Fraction(9, 16),  # (2 + 1/2 · 2/4) / 4, not the mean over epochs
    "utility": Fraction(1, 8),
    "share_answered": Fraction(7, 8),
    "accuracy_given_answered": Fraction(4, 7),
    "simpleqa_f": Fraction(8, 15),  # 4 / (4 + 3.5)
    "pass@1": Fraction(1, 2),
    "pass@2": Fraction(3, 4),  # both replicates are drawn, of q4 two wrong ones
    "pass_all@2": Fraction(1, 4),  # of q1 alone
}


def test_a_question_counts_with_its_shares_over_judged_replicates() -> None:
    (row,) = (row for name, row in scored(",".join(BY_HAND)).items() if name == "ada")
    assert row["measures"] == {key: float(value) for key, value in BY_HAND.items()}
    counts = ["answered_right", "answered_wrong", "unanswered"]
    assert [row["counts"][name] for name in counts] == [2, 1.5, 0.5]
    assert "4 questions × 2 to 3 epochs." in output("score", "judged.tsv", *RESPUBLIQA)


@each("seed", range(5))
def test_shares_of_random_replicates_add_up_exactly(here: Path, seed: int) -> None:
    chance = random.Random(seed)
    letters = {f"q{n}": "".join(chance.choices("RWU", k=chance.randint(1, 7))) for n in range(30)}
    put(here, table({"ada": letters}), "judged.tsv")
    scores = ave_score.score("judged.tsv", [], policies=ave_score.Policies(letters="respubliqa"))
    ac, aw, u = (sum(Fraction(q.count(x), len(q)) for q in letters.values()) for x in "RWU")
    values = scores.rows[0].values
    assert {"n_right": ac, "n_wrong": aw, "n_unanswered": u}.items() <= values.items()
    assert values["c_at_1"] == (ac + u * ac / 30) / 30


@each("epochs, right, wrong, unanswered", [
    ("first", {"ada": 3, "bob": 1}, {"ada": 1, "bob": 3}, {"ada": 0, "bob": 0}),
    # ties are not right: q2 of ada is wrong, its q3 unanswered
    ("majority", {"ada": 1, "bob": 0}, {"ada": 2, "bob": 4}, {"ada": 1, "bob": 0}),
])  # fmt: skip
def test_one_replicate_counts(
    epochs: str, right: dict[str, int], wrong: dict[str, int], unanswered: dict[str, int]
) -> None:
    rows = scored("n_right,n_wrong,n_unanswered", "--epochs", epochs)
    for key, expected in {"n_right": right, "n_wrong": wrong, "n_unanswered": unanswered}.items():
        assert {name: row["measures"][key] for name, row in rows.items()} == expected
    line = document_of("score", "judged.tsv", *RESPUBLIQA, "--epochs", epochs)["signature"]
    assert f"|epochs:{epochs}|" in line


def test_each_replicate_is_a_system(here: Path) -> None:
    put(here, table({"ada": {"q1": "RW", "q2": "RRWWUUWWWR"[:2]}}), "judged.tsv")
    rows = scored("n_right", "--epochs", "each")
    found = {name: row["measures"]["n_right"] for name, row in rows.items()}
    assert found == {"ada/1": 2, "ada/2": 1}


def test_standard_errors_plain_and_clustered() -> None:
    """By hand; both equal Inspect's `stderr()` and `stderr(cluster=...)`."""
    plain = scored("answering_accuracy", "--ci", "95")["ada"]
    # (1/4 + 0 + 0 + 1/4) / 3 by 4
    assert plain["stderr"]["answering_accuracy"] == pytest.approx((1 / 24) ** 0.5, abs=1e-9)
    # variances inside 0, 1/2, 1/2, 0; numbers 2, 2, 2, 3: 1/4 · 11/6 / 16 by 1/24
    assert plain["due_to_epochs"]["answering_accuracy"] == pytest.approx(11 / 16, abs=1e-9)
    arguments = "answering_accuracy", "--ci", "95", "--cluster", "passage"
    clustered = scored(*arguments)["ada"]
    # the passages deviate by 1/2 and -1/2: 2/1 · 1/2 by 16
    assert clustered["stderr"]["answering_accuracy"] == pytest.approx(1 / 4, abs=1e-9)
    text = output("score", "judged.tsv", *RESPUBLIQA, "-m", *arguments, "-f", "csv")
    rows = {row["run"]: row for row in csv.DictReader(text.splitlines())}
    assert float(rows["ada"]["answering_accuracy_stderr"]) == pytest.approx(1 / 4, abs=1e-9)


def test_a_measure_without_a_value_has_no_standard_error(here: Path) -> None:
    """Accuracy with withheld answers is n/a if answers are unanswered; so is its error."""
    put(here, table({"ada": {"q1": "R", "q2": "W", "q3": "U"}}), "judged.tsv")
    measures = "answering_accuracy,accuracy_with_withheld"
    for words in (["--ci", "stderr"], ["--ci", "95", "--resamples", "9"]):
        row = scored(measures, *words)["ada"]
        assert row["measures"]["accuracy_with_withheld"] is None
        assert [*row["stderr"]] == ["answering_accuracy"]


def test_a_question_with_one_replicate_has_the_mean_variance(here: Path) -> None:
    """By hand: means 1/2, 1, 1, 0 have 11/16 by 3 by 4; 1/2 and 0 inside, 1/4 · 3 by 16."""
    put(here, table({"ada": {"q1": "RW", "q2": "RR", "q3": "R", "q4": "W"}}), "judged.tsv")
    ada = scored("answering_accuracy", "--ci", "95")["ada"]
    assert ada["stderr"]["answering_accuracy"] == pytest.approx((11 / 192) ** 0.5, abs=1e-9)
    assert ada["due_to_epochs"]["answering_accuracy"] == pytest.approx(9 / 11, abs=1e-9)


def test_paired_standard_error_of_clusters_of_several_sizes(here: Path) -> None:
    """Inspect's formula by hand: differences 1, 1 in a passage and -1 in another, 1/3 on average.
    Sums of deviations are 4/3 and -4/3, so the squared error is 2/1 · 32/9 by 3². (Of a run that
    were always wrong, two passages would not show how much it varies: see test_denominators.)"""
    right, wrong = {"q1": "R", "q2": "R", "q3": "W"}, {"q1": "W", "q2": "W", "q3": "R"}
    put(here, table({"ada": right, "bob": wrong}), "judged.tsv")
    asked = "-m", "answering_accuracy", "--cluster", "passage", "--power"
    (of,) = document_of("compare", "judged.tsv", *RESPUBLIQA, *asked)["measures"]
    (power,) = of["power"]
    assert power["deviation"] / 2**0.5 == pytest.approx(8 / 9, abs=1e-9)


def test_questions_are_compared_whole() -> None:
    """Three questions differ by 1/2 each, all for ada: p is 2 · 2^-3."""
    compared = ["compare", "judged.tsv", *RESPUBLIQA, "-m", "answering_accuracy"]
    (of,) = document_of(*compared, "--power")["measures"]
    (pair,), (power,) = of["pairs"], of["power"]
    assert (pair["won"], pair["tied"], pair["lost"]) == (3, 1, 0)
    assert (pair["difference"], pair["p"], pair["exact"]) == (3 / 8, 0.25, True)
    # differences 1/2, 1/2, 1/2, 0: deviation 1/4; of bob only q1 and q4's equal ones vary: 1/8, 1/2
    assert power["stderr"] == pytest.approx(1 / 8)
    assert power["with_twice_questions"] == pytest.approx(1 / 8 / 2**0.5)
    within = (1 / 4 * 11 / 6 + 1 / 8 * 4 / 2) / 16
    assert power["due_to_epochs"] == pytest.approx(within * 64, abs=1e-6)
    assert [run["method"] for run in of["runs"]] == ["bca", "bca"]
    said = output(*compared)
    assert "Each question is the mean of 2 to 3 epochs." in said
    assert "Each system has one run" in said


@calls([
    Call("score judged.tsv --letters respubliqa -m pass@3,cws,hit@1", code=0,
        out=["a question has only 2 judged replicates", "replicates of a question have no order",
            "questions have several replicates, and it ranks one answer to each"]),
    # two are several, too
    Call("score two.tsv -m n_right,cws", code=0,
        puts={"two.tsv": "q_id\trun\tjudgement\treplicate\n1\ta\tR\t1\n1\ta\tW\t2\n"},
        out="questions have several replicates, and it ranks one answer to each"),
    Call("compare judged.tsv --letters respubliqa -m answering_accuracy --test mcnemar", code=2,
        err="of single questions is not always 0 or 1; --epochs first takes one replicate"),
    Call("score judged.tsv --letters respubliqa --epochs each", code=2,
        err="replicate '3' of ada lacks 3 questions: choose --missing excluded"),
    Call("score judged.tsv --letters respubliqa -m n_right --breakdown passage", code=0,
        out="2 groups of questions, by passage"),
    Call("score twice.tsv -m n_right", code=0,
        puts={"twice.tsv": "q_id\trun\tjudgement\treplicate\n1\ta\tR\t1\n1\ta\tW\t1\n"}, out="1",
        err="AVE506 warning: run 'a' answers question '1' again in replicate '1'"),
    Call("score cost.tsv -m n_right", code=0,
        puts={"cost.tsv": "q_id\trun\tjudgement\tcost\n1\ta\tR\t3\n1\tb\tW\t4\n"}, out="1",
        err="AVE510 warning: unknown column 'cost', ignored: it differs within question '1'"),
    Call("score cost.jsonl -m n_right --breakdown cost", code=2,
        puts={
            "cost.jsonl": '{"q_id": 1, "run": "a", "judgement": "R", "cost": 3, "lang": "en"}\n'
            '{"q_id": 1, "run": "b", "judgement": "W", "cost": 4, "lang": "en"}\n'},
        err="no file or attribute 'cost'; questions have lang\n"),
    # NIL is right in one of two replicates
    Call("score nil.tsv -m nil_recall", code=0, out="0.50", puts={"nil.tsv":
        "q_id\trun\tjudgement\treplicate\tanswer\n1\ta\tR\t1\tNIL\n1\ta\tW\t2\tx\n"}),
    Call("score grades.jsonl --columns judgement=grade --letters respubliqa -m simpleqa_f "
        "--values CORRECT=R,INCORRECT=W,NOT_ATTEMPTED=U --breakdown topic", code=0,
        puts={"grades.jsonl": '{"q_id": 1, "run": "m", "grade": "CORRECT", "topic": "art"}\n'
            '{"q_id": 2, "run": "m", "grade": "INCORRECT", "topic": "law", "raw": [1]}\n'
            '{"q_id": 3, "run": "m", "grade": "NOT_ATTEMPTED", "topic": "law"}\n'},
        out=["micro          3        0.40"]),  # 2 · 1 / (3 + 2)
])  # fmt: skip
def test_commands(here: Path, call: Call) -> None:
    assert_call(here, call)


@each("rows, expected", [
    ("q1\t1\tR\t1\nq1\t2\t\t0.5\nq2\t1\tW\t0\nq3\t1\t\t\n", 3 / 8),  # (3/4 + 0) / 2
    ("q1\t1\tR\t1\nq2\t1\tW\t\nq3\t1\tW\t\n", "2 judged answers without a score"),
])  # fmt: skip
def test_mean_score(here: Path, rows: str, expected: float | str) -> None:
    lines = "".join(f"m\t{row}\n" for row in rows.splitlines())
    put(here, f"run\tq_id\treplicate\tjudgement\tscore\n{lines}", "judged.tsv")
    row = scored("mean_score")["m"]
    assert (row["measures"] | row["not_applicable"])["mean_score"] == expected


def test_lines_of_questions_have_the_shares(here: Path) -> None:
    ave("score", "judged.tsv", *RESPUBLIQA, "--per-question", "lines.jsonl", code=0)
    ave("score", "judged.tsv", *RESPUBLIQA, "--per-question", "lines.csv", code=0)
    lines = [json.loads(line) for line in (here / "lines.jsonl").read_text().splitlines()]
    rows = [*csv.DictReader((here / "lines.csv").read_text().splitlines())]
    keys = "answered", "replicates", "right", "wrong", "unanswered"
    assert [lines[2][key] for key in keys] == [None, 2, 0.5, 0, 0.5]
    assert [rows[2][key] for key in keys] == ["", "2", "0.5", "0", "0.5"]
    assert [lines[3][key] for key in keys] == ["answered_wrong", 3, 0, 1, 0]


def test_a_page_has_the_shares_of_questions(here: Path) -> None:
    ave("report", "judged.tsv", *RESPUBLIQA, "--resamples", "100", "-o", "page.html", code=0)
    page = (here / "page.html").read_text()
    assert '<td class="mix-0-1-2">0/2</td>' in page  # q3 of bob is wrong, and unanswered
    assert "1 × no answer · judged right (R); 1 × no answer · judged wrong (W)" in page


def test_letters_of_judgements_are_no_labels() -> None:
    # YES and NO name the words of pairs
    refused = refusal("score", "judged.tsv", "--values", "CORRECT=Q")
    assert "unknown value 'Q', expected one of NO, R, REJECTED, SELECTED, U, UNKNOWN" in refused
