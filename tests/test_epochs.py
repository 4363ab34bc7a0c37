"""Epochs reduced as the reducers of Inspect reduce them, and what is said about those of a log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import ave_score
from ave_score import Policies, UsageError
from tests import each, slow
from tests.helpers_command import ave, document_of, output, refusal
from tests.helpers_files import put
from tests.test_systems import log

GRADES = {"q1": "CIIC", "q2": "CNNI", "q3": "CCCI", "q4": "IIII"}

REDUCED = {  # q1 to q4, by hand: what Inspect's functions say of C = 1 and of I and N = 0
    "mean": "0.5 0.25 0.75 0",
    "mode": "1 0 1 0",  # of q1 the first
    "median": "0.5 0 1 0",
    "max": "1 1 1 0",
    "at_least_1": "1 1 1 0",
    "at_least_2": "1 0 1 0",
    "at_least_3": "0 0 1 0",
    "at_least_4": "0 0 0 0",
    "majority": "0 0 1 0",  # none of Inspect: of q1 the least favourable
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, json.dumps(log(GRADES)), "log.json")
    letters = {"C": "R\t", "I": "W\t", "N": "\tNO"}
    rows = [
        f"{q_id}\ta\t{letters[grade]}\t{epoch}\n"
        for q_id, grades in GRADES.items()
        for epoch, grade in enumerate(grades)
    ]
    put(tmp_path, "q_id\trun\tjudgement\tanswered\treplicate\n" + "".join(rows), "judged.tsv")
    return tmp_path


@each("name", ["log.json", "judged.tsv"])
@each("epochs", REDUCED)
def test_epochs_count_as_they_are_reduced(epochs: str, name: str) -> None:
    """The same of logs and tables, of the command line and Python, and of each question."""
    expected = sum(map(float, REDUCED[epochs].split())) / 4
    chosen = "answering_accuracy", "--epochs", epochs, "--per-question", "each.jsonl"
    found = document_of("score", name, "-m", *chosen)
    assert found["runs"][0]["measures"]["answering_accuracy"] == expected
    assert (f"|epochs:{epochs}|" in found["signature"]) == (epochs != "mean")
    (row,) = ave_score.score(
        name, measures="answering_accuracy", policies=Policies(epochs=epochs)
    ).rows
    assert row.values["answering_accuracy"] == expected
    each = [json.loads(line) for line in Path("each.jsonl").read_text().splitlines()]
    shares = [one.get("right", one["answered"] == "answered_right") for one in each]
    assert shares == [*map(float, REDUCED[epochs].split())]


@each("least, said", {1: "1 replicate is", 2: "2 replicates are"}.items())
def test_a_page_says_how_epochs_are_reduced(least: int, said: str) -> None:
    made = ave_score.report(["log.json"], policies=Policies(epochs=f"at_least_{least}"))
    assert f"right if at least {said}" in dict(made.facts)["Epochs"]


def test_reduced_epochs_are_no_replicates() -> None:
    """The median of q1 is half right: no error is due to epochs, and no two answers have ranks."""
    given = "score", "log.json", "-m", "answering_accuracy,pass@1", "--ci", "95", "--epochs"
    (mean,), (median,) = (document_of(*given, epochs)["runs"] for epochs in ("mean", "median"))
    assert ("due_to_epochs" in mean, "due_to_epochs" in median) == (True, False)
    assert (mean["measures"]["pass@1"], median["measures"]["pass@1"]) == (0.375, None)
    assert "epochs" not in output("score", "judged.tsv", "--epochs", "median").partition("\n")[0]
    put(Path(), json.dumps(log(dict.fromkeys(GRADES, "IIII"), "table/bob")), "bob.json")
    said = output("compare", "log.json", "bob.json", "--epochs", "median", "--power")
    assert "Each question is the mean" not in said and "Due to" not in said


def test_fewer_right_answers_than_asked_for_are_not_right() -> None:
    """Inspect gives 0 to a question with one right answer of which two must be right."""
    put(Path(), json.dumps(log({"q1": "C-", "q2": "CC"})), "failed.json")
    given = "-m", "answering_accuracy,share_answered", "--epochs", "at_least_2", "-f", "json"
    code, out, err = ave("score", "failed.json", *given)
    assert (code, "AVE915" in err) == (0, True)
    expected = {"answering_accuracy": 0.5, "share_answered": 1}
    assert json.loads(out)["runs"][0]["measures"] == expected


def test_more_replicates_than_any_question_has_are_said_once() -> None:
    """The logs have four epochs; the table has two rows of a question for ada, and one for bob."""
    rows = ["q_id,run,judgement,replicate", "1,ada,R,1", "1,ada,R,2", "1,bob,R,1", "2,bob,W,1"]
    put(Path(), "\n".join([*rows, "2,ada,W,1", ""]), "table.csv")
    put(Path(), json.dumps(log(GRADES, "table/bob")), "bob.json")
    for files, needed, said in (
        ("log.json bob.json", "at_least_5", "No question has 5 replicates, so none is right."),
        ("table.csv", "at_least_3", "No question has 3 replicates, so none is right."),
        ("table.csv", "at_least_2", "No question of bob has 2 replicates, so none is right."),
        ("log.json bob.json", "at_least_4", ""),
        ("table.csv", "at_least_1", ""),
    ):
        q_ids = ["1", "2"] if files == "table.csv" else GRADES
        put(Path(), "".join(f"{q_id}\tx\n" for q_id in q_ids), "parts.tsv")
        for command in ("score", "compare", "score --breakdown parts.tsv", "score -f json"):
            words = [*command.split(), *files.split(), "--epochs", needed]
            out = " ".join(ave(*words, code=0).out.split())
            assert out.count("No question") == out.count(said or "-*-") == bool(said), command


@pytest.mark.parametrize("epochs", ["at_least_0", "at_least_", "at_least_K", "pass_at_2", "modes"])
def test_other_treatments_are_refused(epochs: str) -> None:
    said = "only mean, first, majority, mode, median, max, each or at_least_K"
    assert said in refusal("score", "log.json", "--epochs", epochs)
    with pytest.raises(UsageError, match="at_least_K"):
        Policies(epochs=epochs)


def reduced_by(*reducers: str, epochs: int = 4) -> dict[str, object]:
    made = log({q_id: grades[:epochs] for q_id, grades in GRADES.items()})
    made["eval"]["config"]["epochs_reducer"] = [*reducers]
    return made


@pytest.mark.parametrize(("reducers", "said"), [
    slow((["mean"], "")),
    (["mode"], "reduced by mode in the log: --epochs mode gives its figure."),
    (["mean", "pass_at_2", "at_least_1"],
        "reduced by mean, pass_at_2 and at_least_1 in the log: --epochs mean, -m pass@2 and "
        "--epochs at_least_1 give its figures."),
    slow((["mine"], "reduced by mine in the log: nothing here gives that of mine.")),
    (["max", "pass_k_2"], "--epochs max gives its figure; nothing here gives that of pass_k_2."),
])  # fmt: skip
def test_another_reducer_than_the_mean_is_said(reducers: Sequence[str], said: str) -> None:
    put(Path(), json.dumps(reduced_by(*reducers)), "log.json")
    few = "--resamples 100"
    for words in (
        "score log.json",
        f"report log.json -o - {few}",
        f"compare log.json bob.json {few}",
    ):
        put(Path(), json.dumps(log(GRADES, "table/bob")), "bob.json")
        out = " ".join(ave(*words.split(), code=0).out.split())
        # a page names no options
        told = said.partition(": --")[0] if words.startswith("report") else said
        assert told.removeprefix("--epochs max gives its figure; ") in out, words
        assert ("reduced by" in out) == bool(said)
        if len(reducers) == 1:  # what the user follows already is not advised
            out = ave(*words.split(), "--epochs", "mode", code=0).out
            assert ("reduced by" in out) == (reducers[0] not in ("mean", "mode"))
    put(Path(), json.dumps(reduced_by(*reducers, epochs=1)), "log.json")
    assert "reduced by" not in output("score", "log.json")


def test_the_results_say_it_where_the_header_does_not() -> None:
    made = log(GRADES) | {"results": {"scores": [{"name": "judge", "reducer": "max"}]}}
    put(Path(), json.dumps(made), "log.json")
    assert "--epochs max gives its figure" in " ".join(output("score", "log.json").split())


def test_pass_at_k_is_a_measure() -> None:
    """By hand 1 - C(4 - c, 2) / C(4, 2) of c = 2, 1, 3, 0: 5/6, 1/2, 1 and 0, the mean 7/12."""
    found = document_of("score", "log.json", "-m", "pass@2")["runs"][0]["measures"]
    assert found["pass@2"] == pytest.approx(7 / 12)
