"""Thresholds that replace the decisions of a run."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Collection, Run, Verdict, decided_at, parse_measures
from ave_score.inference.sweep import threshold_curve
from tests import examples
from tests.helpers_command import ave, document_of, here_with, output, refusal
from tests.helpers_files import put
from tests.oracle import make_campaign
from tests.test_oracle import read as read_campaign

SEEDS = st.integers(0, 10**9)
SWEEPABLE = (
    "f1, precision, recall, e_alpha, macro_f1, qa_accuracy, qa_accuracy_max, c_at_1, romip_e, "
    "nil_recall, mrc"
)

GOLD = """<ave>
<q id="1"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/><a id="3" value="VALIDATED"/></q>
<q id="2"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
<q id="3"><a id="1" value="REJECTED"/></q>
</ave>"""
RUN = "1 1 REJECTED 0.8\n1 2 REJECTED 0.9\n1 3 REJECTED 0.8\n"
RUN += "2 1 REJECTED 0.3\n2 2 REJECTED 0.6\n3 1 REJECTED 0.6\n"


here = here_with({"gold.xml": GOLD, "run.txt": RUN})


def read(here: Path) -> tuple[Collection, Run]:
    collection = ave_score.read_collection(here / "gold.xml")
    return collection, ave_score.read_run(here / "run.txt", collection)


def words(run: Run) -> str:
    """Return the verdicts as letters: S, V or R."""
    return "".join(Verdict(code).name[0] for code in run.verdicts)


@pytest.mark.parametrize(("threshold", "expected"), [
    (1.0, "RRRRRR"),
    (0.9, "RSRRRR"),
    (0.85, "RSRRRR"),
    (0.8, "VSVRRR"),
    (0.6, "VSVRSS"),
    (0.0, "VSVVSS"),
    (-1.0, "VSVVSS"),
])  # fmt: skip
def test_decisions_at_a_threshold_by_hand(here: Path, threshold: float, expected: str) -> None:
    _, run = read(here)
    assert words(decided_at(run, threshold)) == expected


def test_the_first_of_equally_sure_answers_is_selected(here: Path) -> None:
    put(here, RUN.replace("0.9", "0.1"), "run.txt")
    _, run = read(here)
    assert words(decided_at(run, 0.5)) == "SRVRSS"


def test_the_curve_by_hand(here: Path) -> None:
    """Correct are 1 1, 1 3 and 2 2. At 0.9 one wrong answer is accepted; at 0.8 two right ones,
    too: F = 4/6; at 0.6 three right and two wrong: 6/8; at 0.3 three and three: 6/9."""
    collection, run = read(here)
    (measure,) = parse_measures("f1")
    found = threshold_curve(run, collection, measure)
    assert found.submitted == 0
    known = (0.8, 3, Fraction(4, 6)), (0.6, 5, Fraction(6, 8)), (0.3, 6, Fraction(6, 9))
    assert [tuple(point) for point in found.points] == [(None, 0, 0), (0.9, 1, 0), *known]
    assert found.best(measure).threshold == 0.6


def test_of_equally_good_thresholds_the_highest_is_best(here: Path) -> None:
    """By QA accuracy 0.6 and 0.3 are alike: only 2 2 is selected rightly."""
    collection, run = read(here)
    (measure,) = parse_measures("qa_accuracy")
    found = threshold_curve(run, collection, measure)
    assert [point.value for point in found.points] == [0, 0, 0, Fraction(1, 3), Fraction(1, 3)]
    assert found.best(measure).threshold == 0.6


@given(SEEDS)
@settings(max_examples=examples(60))
def test_every_point_is_what_the_run_scores_with_these_decisions(seed: int) -> None:
    """The curve adds up changes; here every threshold is decided and scored by itself."""
    rng = random.Random(seed)
    campaign = make_campaign(seed, questions=rng.randint(1, 6), runs=1)
    collection, (run,) = read_campaign(campaign)
    for measure in parse_measures(SWEEPABLE):
        found = threshold_curve(run, collection, measure)
        for point in found.points:
            limit = 2.0 if point.threshold is None else point.threshold
            decided = decided_at(run, limit)
            (row, *_) = ave_score.score(collection, [decided], measures=[measure]).rows
            assert row.values[measure.key] == point.value
            assert point.accepted == sum(code != Verdict.REJECTED for code in decided.verdicts)
        (row, *_) = ave_score.score(collection, [run], measures=[measure]).rows
        assert row.values[measure.key] == found.submitted
        assert {point.threshold for point in found.points} == {None, *run.confidences}


def test_pairs_are_validated_and_not_selected(tmp_path: Path) -> None:
    gold = '<c><pair id="1" value="YES"/><pair id="2" value="NO"/><pair id="3" value="YES"/></c>'
    collection = ave_score.read_collection(put(tmp_path, gold, "gold.xml"))
    run = ave_score.read_run(put(tmp_path, "1 NO 0.9\n2 NO 0.5\n3 NO 0.2\n", "run.txt"), collection)
    assert words(decided_at(run, 0.5)) == "VVR"
    (measure,) = parse_measures("recall")
    values = [point.value for point in threshold_curve(run, collection, measure).points]
    assert values == [0, Fraction(1, 2), Fraction(1, 2), 1]
    (selection,) = parse_measures("qa_accuracy")
    with pytest.raises(ave_score.UsageError, match="pairs have no questions"):
        threshold_curve(run, collection, selection)
    silent = ave_score.read_run(put(tmp_path, "1 NO\n2 NO\n3 YES\n", "silent.txt"), collection)
    with pytest.raises(ave_score.UsageError, match="has no confidences"):
        decided_at(silent, 0.5)


def test_a_threshold_in_python_is_signed(here: Path) -> None:
    collection, run = read(here)
    policies = ave_score.Policies(threshold=0.6)
    scores = ave_score.score(collection, [run], policies=policies, measures="f1")
    assert scores.rows[0].values["f1"] == Fraction(6, 8)
    assert "|threshold:0.6|" in scores.signature


def test_a_threshold_on_the_command_line(here: Path) -> None:
    arguments = ["score", "gold.xml", "run.txt", "--threshold", "0.6"]
    out = output(*arguments, "-m", "f1", "--per-question", "rows.csv")
    assert "0.75" in out
    assert "threshold:0.6" in out
    rows = list(csv.DictReader(io.StringIO((here / "rows.csv").read_text())))
    assert [row["selected"] for row in rows] == ["2", "2", "1"]
    assert "not a finite number" in refusal("score", "gold.xml", "run.txt", "--threshold", "nan")


@pytest.mark.parametrize(("threshold", "below", "shown"), [
    ("0.61234567", "0.6", "0.6123"),
    ("0.61234567", "0.6123", "0.61234"),  # rounded to 0.6123, it would accept one more
    ("0.61234567", "0.612345669", "0.61234567"),
    ("0.60006", "0.5", "0.6000"),  # rounded up, it would accept two less
    ("0.6", "0.5", "0.6"),
])  # fmt: skip
def test_a_threshold_has_the_digits_that_accept_the_same_answers(
    here: Path, threshold: str, below: str, shown: str
) -> None:
    run = RUN.replace("REJECTED 0.6", f"REJECTED {threshold}").replace("0.3", below)
    put(here, run, "run.txt")
    table = output("score", "gold.xml", "run.txt", "--sweep", "recall")
    (row,) = (line.split() for line in table.splitlines() if line.startswith("1  run"))
    assert row[2:4] == [shown, "5"]


def test_a_sweep_in_every_format(here: Path) -> None:
    put(here, RUN.replace("REJECTED 0.6", "SELECTED 0.6"), "other.txt")
    put(here, "run\tteam\nrun\tus\n", "t.tsv")
    arguments = ["score", "gold.xml", "run.txt", "other.txt", "--sweep", "f1", "--teams", "t.tsv"]
    table = output(*arguments)
    assert "Best threshold, by F" in table
    assert "1=" in table
    assert "0.75" in table
    assert "Signature: ave-score:" in table
    rows = list(csv.DictReader(io.StringIO(output(*arguments, "--format", "csv"))))
    of_run = {"run": "run", "team": "us"}
    assert rows[0] == of_run | {"threshold": "", "accepted": "0", "f1": "0"}
    assert rows[3] == of_run | {"threshold": "0.6", "accepted": "5", "f1": "0.75"}
    assert len(rows) == 10
    assert [row["team"] for row in rows] == ["us"] * 5 + [""] * 5
    # two answers of confidence 0.8 and one of 0.9 with two of three correct: 2·2 / (2·2 + 1 + 1)
    rounded = output(*arguments, "--format", "csv", "--digits", "2").splitlines()
    assert rounded[1:4] == ["run,us,,0,0.00", "run,us,0.9,1,0.00", "run,us,0.8,3,0.67"]
    document = document_of(*arguments)
    assert document.keys() == {"schema", "signature", "measure", "runs", "not_scored", "notes"}
    (note,) = document["notes"]
    assert note.startswith("The best threshold is in-sample")
    assert note in " ".join(table.split())
    assert document["runs"][0]["best"] == {"threshold": 0.6, "accepted": 5, "value": 0.75}
    assert [run["team"] for run in document["runs"]] == ["us", None]
    assert [run["submitted"] for run in document["runs"]] == [0.0, 0.4]  # 2·1 / (2·1 + 2 + 1)
    for format_ in ("markdown", "latex"):
        assert "0.75" in output(*arguments, "--format", format_)


DEV = """<ave>
<q id="1"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>
<q id="2"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
</ave>"""
MILD = "1 1 REJECTED 0.9\n1 2 REJECTED 0.2\n2 1 REJECTED 0.4\n2 2 REJECTED 0.6\n"
"""Correct 0.9 and 0.6, incorrect 0.4 and 0.2: at 0.6, F is 1."""
BLIND = "1 1 REJECTED 0.2\n1 2 REJECTED 0.9\n2 1 REJECTED 0.8\n2 2 REJECTED 0.1\n"
"""Correct 0.2 and 0.1, incorrect 0.9 and 0.8: F is highest if all are accepted, 2·2/(2·2 + 2)."""
FINAL = """<ave>
<q id="a"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>
<q id="b"><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q>
<q id="c"><a id="1" value="VALIDATED"/></q>
</ave>"""
FINAL_RUN = "a 1 SELECTED 0.7\na 2 REJECTED 0.65\nb 1 REJECTED 0.3\nb 2 SELECTED 0.5\n"
FINAL_RUN += "c 1 SELECTED 0.1\n"


@pytest.mark.parametrize(("run", "measure", "best", "in_sample", "value"), [
    # at 0.6, a 1 and a 2 are accepted: F is 2·1/(2·1 + 2 + 1)
    (MILD, "f1", 0.6, 1, 0.4),
    # everything is accepted: F is 2·3/(2·3 + 2)
    (BLIND, "f1", 0.1, 4 / 6, 0.75),
    # E(2): nothing 2/(3·2 + 2); at 0.9 a wrong answer is worse; everything 4/(3·2 + 4)
    (BLIND, "e_alpha", None, 0.25, None),
])  # fmt: skip
def test_a_threshold_chosen_on_one_collection_scores_another(
    here: Path, run: str, measure: str, best: float | None, in_sample: float, value: float | None
) -> None:
    for text, name in ((DEV, "dev.xml"), (FINAL, "final.xml"), (run, "dev.txt")):
        put(here, text, name)
    put(here, FINAL_RUN, "final.txt")
    (swept,) = document_of("score", "dev.xml", "dev.txt", "--sweep", measure)["runs"]
    assert swept["best"]["threshold"] == best
    assert swept["best"]["value"] == pytest.approx(in_sample)
    if best is not None:
        given = ["final.xml", "final.txt", "--threshold", str(best), "-m", measure]
        assert document_of("score", *given)["runs"][0]["measures"][measure] == value


def test_policies_change_the_best_threshold(here: Path) -> None:
    """With 2 2 UNKNOWN and counted as correct, 0.6 is the best threshold; ignored, it is 0.9."""
    put(here, DEV.replace('id="2" value="VALIDATED"', 'id="2" value="UNKNOWN"'), "dev.xml")
    put(here, MILD, "dev.txt")
    given = ["score", "dev.xml", "dev.txt", "--sweep", "f1", "--unknown"]
    best = [document_of(*given, policy)["runs"][0]["best"] for policy in ("correct", "ignore")]
    assert [point["threshold"] for point in best] == [0.6, 0.9]


@pytest.mark.parametrize(("arguments", "said"), [
    (["--sweep", "mrr"], "cannot sweep by mrr"),
    (["--sweep", "f1,recall"], "takes one measure"),
    (["--sweep", "ff1"], "did you mean f1"),
    (["--sweep", "f1", "--threshold", "0.5"], "combined with --threshold"),
    (["--sweep", "f1", "-m", "f1", "--ci", "95"], "combined with --ci, --measures"),
    (["--sweep", ""], "'' is not a measure name"),
    (["--sweep", "f1", "--per-question", "x.csv"], "combined with --per-question"),
])  # fmt: skip
def test_what_cannot_be_swept_is_said(here: Path, arguments: list[str], said: str) -> None:
    err = refusal("score", "gold.xml", "run.txt", *arguments)
    assert said in err
    assert not (here / "x.csv").exists()


def test_a_sweep_names_teams_of_no_run(here: Path) -> None:
    put(here, "run\tteam\nrun\tus\nrum\tthem\n", "teams.tsv")
    code, _, err = ave("score", "gold.xml", "run.txt", "--sweep", "f1", "--teams", "teams.tsv")
    assert (code, err) == (0, "ave-score: --teams: no run or system rum\n")


BARE_RUNS = {
    "bare.txt": re.sub("REJECTED ", "", RUN),
    "bare.csv": "q_id,a_id,confidence\n" + re.sub("REJECTED ", "", RUN).replace(" ", ","),
    "bare.jsonl": "".join(
        json.dumps({"q_id": q_id, "a_id": a_id, "confidence": float(number)}) + "\n"
        for q_id, a_id, _, number in map(str.split, RUN.splitlines())
    ),
}
"""The run without its verdicts, in each notation."""


@pytest.mark.parametrize("name", BARE_RUNS)
def test_a_run_of_confidences_is_scored_at_a_threshold(here: Path, name: str) -> None:
    """As the run with verdicts, which a threshold ignores; `check` takes what `score` takes."""
    put(here, BARE_RUNS[name], name)
    given = ["gold.xml", name, "-m", "f1,qa_accuracy", "-f", "csv"]
    for threshold in ("0.6", "0.85", "-1"):
        of_verdicts = output("score", "gold.xml", "run.txt", *given[2:], "--threshold", threshold)
        found = output("score", *given, "--threshold", threshold)
        assert found.replace("bare,", "run,") == of_verdicts
    assert "no findings" in output("check", name, "--collection", "gold.xml", "--threshold", "0.6")
    policies = ave_score.Policies(threshold=0.6)
    assert not ave_score.check(name, "gold.xml", policies=policies).findings.errors
    scores = ave_score.score("gold.xml", name, policies=policies, measures="f1")
    assert scores.rows[0].values["f1"] == Fraction(6, 8)
    for command in (["score", *given], ["check", name, "--collection", "gold.xml"]):
        code, _, _ = ave(*command)
        assert code == 1  # nobody decides


@pytest.mark.parametrize("suffix", ["txt", "csv"])
def test_pairs_with_confidences_are_scored_at_a_threshold(tmp_path: Path, suffix: str) -> None:
    """At 0.5, pair 1 of the correct pairs 1 and 3 is accepted, and 2 is: F = 2 / (2 + 1 + 1)."""
    gold = '<c><pair id="1" value="YES"/><pair id="2" value="NO"/><pair id="3" value="YES"/></c>'
    rows = ["1 0.9", "2 0.5", "3 0.2"]
    text = "\n".join(rows) if suffix == "txt" else "pair_id confidence\n" + "\n".join(rows)
    run = put(tmp_path, text.replace(" ", "," if suffix == "csv" else " ") + "\n", f"run.{suffix}")
    given = ["score", str(put(tmp_path, gold, "gold.xml")), str(run), "-m", "f1", "-f", "json"]
    document = json.loads(output(*given, "--threshold", "0.5"))
    assert document["runs"][0]["measures"]["f1"] == 0.5


@pytest.mark.parametrize(("text", "place", "code"), [
    ("1 1 0.8\n1 2 x\n1 3 0.8\n2 1 0\n2 2 0\n3 1 0\n", "2:5", "AVE105"),
    ("1 1 0.8\n1 2\n1 3 0.8\n2 1 0\n2 2 0\n3 1 0\n", "2:4", "AVE101"),
    ("1 1 SELECTED 0.8\n1 2 0.9\n1 3 nan\n2 1 0\n2 2 0\n3 1 0\n", "3:5", "AVE106"),
])  # fmt: skip
def test_defects_of_runs_of_confidences_found(here: Path, text: str, place: str, code: str) -> None:
    put(here, text, "bad.txt")
    for command in ("check bad.txt --collection gold.xml -f concise", "score gold.xml bad.txt"):
        code_, out, err = ave(*command.split(), "--threshold", "0.5")
        assert code_ == 1
        assert f"bad.txt:{place} {code} " in out + err
