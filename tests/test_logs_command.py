"""`ave-score decide` and `check` with logs."""

from __future__ import annotations

import csv
import json
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

from ave_score import read_collection, read_run, score
from tests.conftest import ROOT
from tests.helpers_command import Call, assert_call, ave, calls
from tests.helpers_files import put
from tests.helpers_logs import CHOICES, NESTED, Answer, eval_members, inspect_log, lines, packed


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with logs."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, inspect_log(), "log.json")
    put(tmp_path, packed(eval_members()), "log.eval")
    put(tmp_path, CHOICES, "choices.jsonl")
    put(tmp_path, NESTED, "nested.jsonl")
    return tmp_path


RUN = """\
sum sum_1 REJECTED 0.75
sum sum_2 REJECTED 0.25
sum sum_3 SELECTED 0.875
capital capital_1 SELECTED 0.5
capital capital_2 REJECTED 0.125
capital capital_3 REJECTED 0.5
"""


@pytest.mark.parametrize("name", ["log.json", "log.eval"])
def test_a_log_becomes_a_run_and_a_collection(here: Path, name: str) -> None:
    """By hand: a third of the answers to each question is correct, and both best ones are wrong.

    pass@2 is 1 - C(2, 2) / C(3, 2) = 2/3 of each question.
    """
    code, out, _ = ave("decide", name, "--write-collection", "gold.xml")
    assert (code, out) == (0, RUN)
    put(here, out, "run.txt")
    collection = read_collection("gold.xml")
    rows = score(collection, [read_run("run.txt", collection)], measures="qa_accuracy,hit@2").rows
    values = {row.run: row.values for row in rows}
    assert values["run"]["qa_accuracy"] == 0
    assert values["Random"]["qa_accuracy"] == Fraction(1, 3)
    assert values["Random"]["hit@2"] == Fraction(2, 3)
    assert values["Perfect selection"]["qa_accuracy"] == 1
    code, out, err = ave("check", name)
    assert (code, err) == (0, "")
    code, out, _ = ave("decide", name, "--collection", "gold.xml")
    assert (code, out) == (0, RUN)


def test_several_verifiers_are_written_to_a_folder(here: Path) -> None:
    code, out, err = ave("decide", "nested.jsonl", "-o", "runs")
    assert (code, out) == (0, "")
    assert {path.name for path in Path("runs").iterdir()} == {"prm.txt", "orm.txt"}
    assert Path("runs/prm.txt").read_text() == (
        "1 1_1 SELECTED 0.9\n1 1_2 REJECTED 0.1\nb b_1 REJECTED 1\nb b_2 SELECTED 2\n"
        "c c_1 SELECTED 0\n"
    )
    assert Path("runs/orm.txt").read_text() == (
        "1 1_1 REJECTED 0.2\n1 1_2 SELECTED 0.3\nb b_1 SELECTED 3.5\nb b_2 REJECTED 2\n"
        "c c_1 SELECTED -0.001\n"
    )
    assert [line.partition(":")[0] for line in err.splitlines()] == ["prm", "orm"]
    for given in ("prm,orm", "orm , prm"):
        assert ave("decide", "nested.jsonl", "-o", "again", "--log", f"score={given}")[0] == 0
    assert ave("decide", "nested.jsonl", "--log", "score=orm")[1] == (
        Path("runs/orm.txt").read_text()
    )


def test_names_of_verifiers_never_leave_the_folder(here: Path) -> None:
    names = ["../../out", "/etc/passwd", "..", ".hidden", "a b\n", "\x1b[31m", "x" * 300, "ü"]
    text = lines({"q_id": 1, "scores": dict.fromkeys(names, 0.5)})
    put(here, text, "hostile.jsonl")
    before = set(here.rglob("*"))
    code, _, err = ave("decide", "hostile.jsonl", "-o", "runs")
    assert code == 0, err
    assert {path.parent for path in {*here.rglob("*")} - before} == {here, here / "runs"}
    assert {path.name for path in Path("runs").iterdir()} == {
        "_._.._out.txt", "_etc_passwd.txt", "_..txt", "_hidden.txt", "a_b_.txt", "__31m.txt",
        "x" * 100 + ".txt", "ü.txt",
    }  # fmt: skip
    put(here, lines({"q_id": 1, "scores": {"a/b": 1, "a:b": 2}}), "hostile.jsonl")
    code, _, err = ave("decide", "hostile.jsonl", "-o", "others")
    assert code == 2
    assert "choose one at a time with --log score=NAME: their files have the same name" in err
    assert not Path("others").exists()


@calls(
    Call(words, 2, message)
    for words, message in (
        ("nested.jsonl", "nested.jsonl has the scores of 2 verifiers: prm, orm; choose one with "
         "--log score=NAME, or name a folder for all runs with --output"),
        ("nested.jsonl -o log.json", "log.json: cannot be created: a file has this name"),
        ("nested.jsonl -o new --write-collection new/orm.txt",
         "ave-score: --output (new/orm.txt) and --write-collection name the same file"),
        ("nested.jsonl --log score=rpm", "no scorer 'rpm', only prm, orm; did you"),
        ("nested.jsonl --log scorer=gold", "no scorer 'gold', only prm, orm"),
        ("log.json --log task=sums", "--log has no key 'task', only scorer, filter"),
        ("log.json --log filter=none", "log.json: no filter 'none'"),
        ("choices.jsonl --log filter=strict", "choices.jsonl: no filter 'strict', only none"),
        ("plain.txt --log score=prm", "plain.txt is no log"),
        ("one.jsonl --write-collection gold.xml", "--log scorer=NAME may name a scorer"),
    )
)  # fmt: skip
def test_what_is_unclear_is_asked_for_and_nothing_is_written(here: Path, call: Call) -> None:
    put(here, "1 a 0.5\n", "plain.txt")
    put(here, lines({"q_id": 1, "scores": {"prm": 1}}), "one.jsonl")
    assert_call(here, call, "decide")


VERIFIERS = "q_id\ta_id\tprm\torm\n1\t1_1\t0.5\t0.7\n1\t1_2\t0.4\t0.2\n"
RESPONSES = '{"doc_id": 0, "doc": {}, "target": "a", "resps": [["x"]], "filtered_resps": ["x"]}\n'
METRIC = RESPONSES.replace("}\n", ', "exact_match": 1.0}\n').replace(
    '"doc": {}', '"doc": {"id": 1}'
)


@calls(
    Call(words, code, err, out)
    for words, code, err, out in (
        ("verifiers.tsv", 1, (), "the header has no column verdict, confidence; "
         "`ave-score decide --columns score=NAME` makes a run of scores; it has q_id"),
        ("verifiers.tsv --columns score=prm,score=orm", 0, (),
         "2 answers, 2 verifiers, score 0.2..0.7"),
        ("verifiers.tsv --columns score=prm --kind scores", 0, (), "2 answers, score 0.4..0.5"),
        ("verifiers.tsv --columns score=prm,score=rpm", 1, (), "the header has no column rpm (it"),
        ("nested.jsonl --log score=orm", 0, (), "scores: "),
        ("nested.jsonl --log score=rpm", 2, "no scorer 'rpm', only prm, orm", ()),
        ("verifiers.tsv --columns score=prm,score=orm --kind run", 2,
         "the scores of verifiers need --kind scores, not run", ()),
        ("verifiers.tsv --columns score=prm,score=orm --log score=x", 2, "mutually exclusive", ()),
        ("verifiers.tsv --columns q_id=q_id,q_id=a_id", 2, "--columns contains q_id twice", ()),
        ("responses.jsonl", 1, (), "AVE910 the log is without scores"),
        ("metric.jsonl", 0, (), "1 question, scorer exact_match: 1 right"),
        ("metric.jsonl --log score=exact_match", 0, (), "1 answer, score 1..1"),
    )
)  # fmt: skip
def test_check_takes_and_refuses_what_decide_does(here: Path, call: Call) -> None:
    files = {"verifiers.tsv": VERIFIERS, "responses.jsonl": RESPONSES, "metric.jsonl": METRIC}
    for name, text in files.items():
        put(here, text, name)
    assert_call(here, call, "check", "-f", "concise")
    if call.code and "--kind" not in call.words:
        assert ave("decide", *call.words.split()).code


def test_a_comma_after_an_object_is_named(here: Path) -> None:
    put(here, '{"q_id": 1, "score": 0.5},\n', "commas.jsonl")
    assert (
        "AVE901 the line is not a JSON object: a comma follows it"
        in ave("decide", "commas.jsonl", code=1).err
    )


def test_choices_are_ranked_by_what_is_asked_for(here: Path) -> None:
    """-3/3 < -6.5/13 and -1/2 < -2.25/9, so acc_norm prefers the second choice of both."""
    code, out, _ = ave("decide", "choices.jsonl")
    assert code == 0
    assert [line.split()[2][0] for line in out.splitlines()] == ["S", "R", "S", "R"]
    code, out, _ = ave("decide", "choices.jsonl", "--log", "score=acc_norm")
    assert [line.split()[2:] for line in out.splitlines()] == [
        ["REJECTED", "-1.0"], ["SELECTED", "-0.5"], ["REJECTED", "-0.5"], ["SELECTED", "-0.25"],
    ]  # fmt: skip


def test_a_defect_is_reported_once_with_the_way_out(here: Path) -> None:
    answers: list[Answer] = [("sum", epoch, "4", "C", 0.5) for epoch in range(1, 52)]
    log = json.loads(inspect_log(answers))
    for one in log["samples"][1:]:
        one["scores"] = None
    put(here, json.dumps(log, indent=1), "log.json")
    code, out, err = ave("decide", "log.json")
    assert (code, out) == (1, "")
    assert "AVE911 the answer has no scores (and 47 more: lines 117, " in err
    assert err.count("AVE911 the answer") == 3
    assert err.count("inspect eval-retry LOG") == 1
    assert err.endswith("ave-score: nothing written\n")


def test_the_shipped_logs(here: Path) -> None:
    """By hand: orm is right twice, prm once of two; acc once, acc_norm twice of two."""
    for name, expected in (
        ("inspect.json", {"orm": 1, "prm": Fraction(1, 2)}),
        ("lm-eval.jsonl", {"acc": Fraction(1, 2), "acc_norm": 1}),
    ):
        log = str(ROOT / "sample_runs/logs" / name)
        chosen = ["--log", f"score={','.join(expected)}"]
        arguments = ["decide", log, *chosen, "-o", name[:2], "--write-collection", "gold.xml"]
        assert ave(*arguments)[0] == 0
        collection = read_collection("gold.xml")
        paths = [f"{name[:2]}/{verifier}.txt" for verifier in expected]
        with warnings.catch_warnings(action="ignore"):  # log-likelihoods are no probabilities
            runs = [read_run(path, collection) for path in paths]
        rows = score(collection, runs, measures="qa_accuracy").rows
        values = {row.run: row.values["qa_accuracy"] for row in rows if row.run in expected}
        assert values == expected


def test_the_shipped_logs_of_two_models() -> None:
    """Accuracy and standard errors are those of Inspect 0.3.285; others are counted by hand.

    Of 24 questions, bob has 13.5 right and 3 wrong. p are shares of all 2^24 swaps of questions,
    and of all 2^12 swaps of topics, counted by a program of its own.
    """
    models = [str(ROOT / f"sample_runs/logs/{name}.json") for name in ("ada", "bob")]
    rows = {row.run: row.values for row in score(models).rows}
    assert rows["ada"]["answering_accuracy"] == Fraction("19.5") / 24
    assert {key: value for key, value in rows["bob"].items() if not key.startswith("n_")} == {
        "answering_accuracy": Fraction("0.5625"),
        "c_at_1": Fraction("13.5") / 24 * (1 + Fraction("7.5") / 24),
        "share_answered": Fraction("16.5") / 24,
        "accuracy_given_answered": Fraction("13.5") / Fraction("16.5"),
        "simpleqa_f": Fraction(27) / (24 + Fraction("16.5")),
    }
    errors = {
        (): (0.0660238483483, 0.0966490176292),
        ("--cluster", "topic"): (0.0696650536278, 0.0929575090288),
    }
    for words, expected in errors.items():
        _, out, _ = ave("score", *models, *words, "--ci", "95", "--resamples", "9", "-f", "csv")
        found = [float(r["answering_accuracy_stderr"]) for r in csv.DictReader(out.splitlines())]
        assert found == pytest.approx(expected, abs=1e-9)
    for words, p in (((), 27 / 1024), (("--cluster", "topic"), 0.0390625)):
        _, out, _ = ave("compare", *models, *words, "-m", "answering_accuracy", "-f", "csv")
        (row,) = csv.DictReader(out.splitlines())
        assert [row[key] for key in ("won", "tied", "lost")] == (
            ["8", "2", "2"] if words else ["9", "13", "2"]
        )
        assert float(row["p"]) == p
    _, out, _ = ave(
        "score", *models, "--breakdown", "subject", "-m", "answering_accuracy", "-f", "csv"
    )
    shares = [row["answering_accuracy"] for row in csv.DictReader(out.splitlines())]
    assert shares[:3] == ["0.9375", "0.8125", "0.6875"]
