"""Thresholds chosen on one collection and applied to another, by hand."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from tests.helpers_command import ave, document_of, output, refusal
from tests.helpers_files import put

DEV = """<ave>
<q id="1"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>
<q id="2"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
</ave>"""
DEV_RUNS = {
    # correct 0.9, 0.6, incorrect 0.4, 0.2: at 0.6, F is 1
    "mild": "1 1 REJECTED 0.9\n1 2 REJECTED 0.2\n2 1 REJECTED 0.4\n2 2 REJECTED 0.6\n",
    # correct 0.2, 0.1, incorrect 0.9, 0.8: F is highest if all are accepted, 2·2/(2·2 + 2)
    "blind": "1 1 REJECTED 0.2\n1 2 REJECTED 0.9\n2 1 REJECTED 0.8\n2 2 REJECTED 0.1\n",
}
TEST = """<ave>
<q id="a"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>
<q id="b"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
<q id="c"><a id="1" value="VALIDATED"/></q>
</ave>"""
TEST_RUN = """\
a 1 SELECTED 0.7
a 2 REJECTED 0.65
b 1 REJECTED 0.3
b 2 SELECTED 0.5
c 1 SELECTED 0.1
"""
"""Its own decisions are all right. At 0.6, a 1 and a 2 are accepted: F is 2·1/(2·1 + 2 + 1); at
0.1, everything: F is 2·3/(2·3 + 2), the best of all thresholds."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, DEV, "dev.xml")
    put(tmp_path, TEST, "test.xml")
    (tmp_path / "dev").mkdir()
    (tmp_path / "test").mkdir()
    for name, text in DEV_RUNS.items():
        put(tmp_path / "dev", text, f"{name}.txt")
        put(tmp_path / "test", TEST_RUN, f"{name}.run")
    return tmp_path


ONE = ["score", "test.xml", "test/mild.run", "--threshold-from", "dev.xml", "dev/mild.txt"]
BOTH = [
    "score",
    "test.xml",
    "test/mild.run",
    "test/blind.run",
    "--threshold-from",
    "dev.xml",
    "dev",
]


def test_each_run_gets_the_best_threshold_of_its_own_run(here: Path) -> None:
    found = document_of(*BOTH)
    mild, blind = found["thresholds"]["runs"]
    assert mild == {
        "run": "mild",
        "chosen_on": str(Path("dev", "mild.txt")),
        "threshold": 0.6,
        "in_sample": 1,
        "value": 0.4,  # 2/5
    }
    assert blind == {
        "run": "blind",
        "chosen_on": str(Path("dev", "blind.txt")),
        "threshold": 0.1,
        "in_sample": float(Fraction(4, 6)),
        "value": 0.75,  # 6/8
    }
    rows = {row["run"]: row for row in found["runs"]}
    assert rows["mild"]["measures"]["f1"] == 0.4
    assert rows["blind"]["measures"]["f1"] == 0.75
    # at 0.6, a 1 is selected, and b and c have no answer
    assert rows["mild"]["measures"]["qa_accuracy"] == pytest.approx(1 / 3)
    assert rows["mild"]["counts"]["unanswered"] == 2


def test_the_value_is_not_the_best_one_of_the_collection(here: Path) -> None:
    """Which --sweep finds: 0.75, if everything is accepted."""
    swept = document_of("score", "test.xml", "test/mild.run", "--sweep", "f1")
    assert swept["runs"][0]["best"]["value"] == 0.75
    (one,) = document_of(*ONE)["thresholds"]["runs"]
    assert one["value"] == 0.4


def test_the_same_as_the_threshold_given_by_hand(here: Path) -> None:
    by_hand = document_of("score", "test.xml", "test/mild.run", "--threshold", "0.6")
    assert document_of(*ONE)["runs"] == by_hand["runs"]


def test_the_table_names_the_origin_and_both_values(here: Path) -> None:
    text = output(*BOTH, "-m", "f1")
    assert "Thresholds chosen on dev.xml, by F" in text
    (line,) = (line for line in text.splitlines() if "mild.txt" in line)
    assert line.split() == ["mild", str(Path("dev", "mild.txt")), "0.6", "1.00", "0.40"]
    (line,) = (line for line in text.splitlines() if "blind.txt" in line)
    assert line.split() == ["blind", str(Path("dev", "blind.txt")), "0.1", "0.67", "0.75"]
    assert "In-sample: the value on the answers on which the threshold was chosen" in text


def test_the_signature_names_the_other_collection_and_the_measure(here: Path) -> None:
    found = document_of(*ONE, "--by", "accuracy")
    digest = found["thresholds"]["collection"]["sha256"]
    assert digest != found["collection"]["sha256"]
    assert found["signature"].endswith(f"|threshold-from:{digest[:12]}|by:accuracy")


def test_csv_has_the_threshold_in_its_last_columns(here: Path) -> None:
    text = output(*BOTH, "-m", "f1", "--format", "csv")
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(text))}
    assert list(rows["mild"])[-4:] == ["chosen_on", "threshold", "f1_in_sample", "f1_out_of_sample"]
    assert rows["mild"]["threshold"] == "0.6"
    assert rows["mild"]["f1_out_of_sample"] == rows["mild"]["f1"] == "0.4"
    assert rows["Perfect selection"]["threshold"] == ""


def test_a_measure_that_is_better_if_low_may_accept_nothing(here: Path) -> None:
    """E(2) of blind: accept nothing 2/(3·2 + 2); 0.9 is wrong, and worse; everything 4/(3·2 + 4).

    On the test collection nothing is accepted either: 3/(3·2 + 3).
    """
    (one,) = document_of(
        *["score", "test.xml", "test/blind.run", "--by", "e_alpha"],
        "--threshold-from", "dev.xml", "dev/blind.txt",
    )["thresholds"]["runs"]  # fmt: skip
    assert one["threshold"] is None
    assert one["in_sample"] == 0.25
    assert one["value"] == pytest.approx(1 / 3)


def test_records_of_questions_are_of_the_decisions_at_the_threshold(here: Path) -> None:
    output(*ONE, "--per-question", "questions.csv")
    rows = list(csv.DictReader(io.StringIO((here / "questions.csv").read_text("utf-8"))))
    assert [row["selected"] for row in rows] == ["1", "", ""]
    assert rows[0]["validated_incorrect"] == "1"  # a 2


def test_policies_apply_to_both_collections(here: Path) -> None:
    """With 2 2 UNKNOWN and counted as correct, 0.6 is the best threshold; ignored, it is 0.9."""
    put(here, DEV.replace('id="2" value="VALIDATED"', 'id="2" value="UNKNOWN"'), "dev.xml")
    thresholds = [
        document_of(*ONE, "--unknown", policy)["thresholds"]["runs"][0]["threshold"]
        for policy in ("correct", "ignore")
    ]
    assert thresholds == [0.6, 0.9]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["test/mild.run", "--threshold-from", "test.xml", "test/mild.run"],
            "--threshold-from test.xml: the same collection as test.xml",
        ),
        (
            ["test/mild.run", "test/blind.run", "--threshold-from", "dev.xml", "dev/mild.txt"],
            "dev/mild.txt is one run for 2 RUNs; name a folder",
        ),
        (
            ["test/new.run", "--threshold-from", "dev.xml", "dev"],
            "--threshold-from: dev has no run new",
        ),
        (["test/mild.run", "--by", "f1"], "--by is the measure of --threshold-from"),
        ([*ONE[2:], "--threshold", "0.5"], "cannot be combined with --threshold"),
        ([*ONE[2:], "--sweep", "f1"], "cannot be combined with --sweep"),
        ([*ONE[2:], "--by", "auc"], "auc"),
        ([*ONE[2:], "--by", "f1,recall"], "takes one measure"),
        ([*ONE[2:], "--output", "dev/mild.txt"], "dev/mild.txt is also an input file"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str, here: Path) -> None:
    put(here / "test", TEST_RUN, "new.run")
    err = refusal("score", "test.xml", *arguments)
    assert message in err
    assert (here / "dev" / "mild.txt").read_text("utf-8") == DEV_RUNS["mild"]


def test_two_runs_of_one_name_in_the_folder_are_refused(here: Path) -> None:
    put(here / "dev", DEV_RUNS["mild"], "mild.tsv")
    assert "dev has several runs mild: mild.tsv, mild.txt" in refusal(*BOTH)


def test_runs_of_the_same_name_are_found_in_folders_of_the_same_name(here: Path) -> None:
    for team, name in (("x", "mild"), ("y", "blind")):
        for folder, text in (("dev", DEV_RUNS[name]), ("test", TEST_RUN)):
            (here / folder / team).mkdir()
            put(here / folder / team, text, "run.txt")
    runs = ["test/x/run.txt", "test/y/run.txt"]
    found = document_of("score", "test.xml", *runs, "--threshold-from", "dev.xml", "dev")
    thresholds = {one["run"]: one["threshold"] for one in found["thresholds"]["runs"]}
    assert thresholds == {"x/run": 0.6, "y/run": 0.1}


def test_a_run_with_errors_on_the_other_collection_chooses_nothing(here: Path) -> None:
    put(here / "dev", "1 1 REJECTED high\n", "mild.txt")
    err = refusal(*ONE, code=1)
    assert "mild.txt:1:14" in err
    assert "no threshold can be chosen, nothing scored" in err


@pytest.mark.parametrize("option", ["--qa", "--groups"])
def test_another_file_with_errors_is_left_out(option: str, here: Path) -> None:
    put(here, "no\x00table\n", "bad.tsv")
    said = refusal(*ONE, option, "bad.tsv", code=1)
    assert "1 of 2 files refused, nothing scored: bad.tsv" in said
    code, out, err = ave(*ONE, option, "bad.tsv", "--keep-going")
    assert code == 1
    assert "Thresholds chosen on dev.xml" in out
    assert "bad.tsv" in err
    assert "nothing scored" not in err


def test_a_measure_undefined_at_every_threshold_is_refused(here: Path) -> None:
    put(here, DEV.replace("VALIDATED", "REJECTED"), "dev.xml")
    assert "Recall of dev/mild.txt is undefined at every threshold" in refusal(
        *ONE, "--by", "recall"
    )
