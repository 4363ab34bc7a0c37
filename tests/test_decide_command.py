"""`ave-score decide` as a command: output, errors and hostile files."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from ave_score import Collection, read_collection, read_run, score
from tests.conftest import ROOT
from tests.helpers_command import Call, assert_call, calls, here_with, output, put_all, refusal
from tests.helpers_command import ave as command
from tests.helpers_files import put

SCORES = """\
{"q_id": "1", "score": 0.2, "correct": false, "answer": "<b>Ann</b> & Bob", "question": "Who?"}
{"q_id": "1", "score": 0.90, "correct": true, "answer": "Ann"}
{"q_id": "2", "score": 0.4, "answer": "a\\r\\nb\\tc"}
"""
RUN = "1 1_1 REJECTED 0.2\n1 1_2 SELECTED 0.90\n2 2_1 SELECTED 0.4\n"
PLAIN = "1 1_1 0.2\n1 1_2 0.90\n2 2_1 0.4\n"


here = here_with({"scores.jsonl": SCORES, "scores.txt": PLAIN})


ave = partial(command, "decide")


def collection_at(path: Path) -> Collection:
    return read_collection(path)


def test_the_run_goes_to_stdout_and_the_summary_to_stderr(here: Path) -> None:
    code, out, err = ave("scores.jsonl")
    assert (code, out) == (0, RUN)
    assert err == (
        "2 questions: 2 answered, 0 withheld; 3 answers: 2 selected, 0 validated, 1 rejected\n"
    )
    assert ave("scores.txt")[1] == RUN


def test_options_decide(here: Path) -> None:
    assert ave("scores.txt", "--threshold", "0.5")[1] == RUN.replace("2_1 SELECTED", "2_1 REJECTED")
    assert ave("scores.txt", "--top-k", "2")[1] == RUN.replace("1_1 REJECTED", "1_1 VALIDATED")
    put(here, "1 a 1\n1 b 1\n", "tied.txt")
    said = {
        ties: [line.split()[2][0] for line in ave("tied.txt", "--ties", ties)[1].split("\n")
               if line]
        for ties in ("first", "last", "none")
    }  # fmt: skip
    assert said == {"first": ["S", "R"], "last": ["R", "S"], "none": ["R", "R"]}
    drawn = {ave("tied.txt", "--ties", "random", "--seed", str(n))[1] for n in range(20)}
    assert len(drawn) == 2
    again = [ave("tied.txt", "--ties", "random", "--seed", "3")[1] for _ in range(2)]
    assert again[0] == again[1]


def test_a_collection_and_its_run_are_scored(here: Path) -> None:
    code, out, _ = ave("scores.jsonl", "--write-collection", "gold.xml", "-o", "run.txt")
    assert (code, out) == (0, "")
    assert Path("run.txt").read_text() == RUN
    collection = collection_at(here / "gold.xml")
    assert collection.index.questions == ["1", "2"]
    assert collection.index.a_ids == ["1_1", "1_2", "2_1"]
    assert collection.labels == bytes([0, 1, 2])
    text = Path("gold.xml").read_text("utf-8")
    assert "<q_str>Who?</q_str>" in text
    assert "<a_str>&lt;b&gt;Ann&lt;/b&gt; &amp; Bob</a_str>" in text
    assert "<a_str>a&#13;\nb\tc</a_str>" in text
    output("check", "run.txt", "--collection", "gold.xml")
    command("score", "gold.xml", "run.txt", "-f", "json", code=0)


def test_the_figures_of_the_documentation(here: Path) -> None:
    """Best-of-4 is right in 3 of 5, the oracle in 4 of 5; pass@1 is (1 + 2 + 4 + 1 + 0) / 4 / 5."""
    sample = str(ROOT / "sample_runs/best-of-n.jsonl")
    ave(sample, "--write-collection", "gold.xml", "-o", "best.txt")
    ave(sample, "--threshold", "0.5", "-o", "sure.txt")
    collection = collection_at(here / "gold.xml")
    runs = [read_run(name, collection) for name in ("best.txt", "sure.txt")]
    scores = score(collection, runs, measures="qa_accuracy,headroom,precision,recall,c_at_1")
    rows = {row.run: row.values for row in scores.rows}
    best, sure = rows["best"], rows["sure"]
    assert best["qa_accuracy"] == Fraction(3, 5)
    assert rows["Perfect selection"]["qa_accuracy"] == Fraction(4, 5)
    assert rows["Random"]["qa_accuracy"] == Fraction(8, 20)
    assert best["headroom"] == Fraction(1, 2)
    assert [sure["precision"], sure["recall"]] == [Fraction(8, 10), Fraction(1)]
    assert sure["c_at_1"] == (3 + 1 * Fraction(3, 5)) / 5


def test_a_collection_at_hand_is_covered_in_its_order(here: Path) -> None:
    ave("scores.jsonl", "--write-collection", "gold.xml", "-o", "run.txt")
    put(here, "\n".join(reversed(PLAIN.splitlines())), "reversed.txt")
    code, out, _ = ave("reversed.txt", "--collection", "gold.xml")
    assert (code, out) == (0, RUN)
    put(here, PLAIN.replace("1_2", "1_9"), "other.txt")
    err = refusal("decide", "other.txt", "--collection", "gold.xml", "-o", "new.txt", code=1)
    assert "other.txt:2:3 AVE202 the collection has no answer '1_9'" in err
    assert "other.txt AVE204 no line for answer '1_2' of question '1'" in err
    assert "nothing written" in err
    assert not Path("new.txt").exists()


def test_labels_of_a_collection_are_not_looked_at(here: Path) -> None:
    ave("scores.jsonl", "--write-collection", "gold.xml", "-o", "run.txt")
    text = Path("gold.xml").read_text("utf-8").replace("VALIDATED", "REJECTED")
    put(here, text, "other.xml")
    said = [ave("scores.txt", "--collection", name) for name in ("gold.xml", "other.xml")]
    assert said[0] == said[1]


@calls(
    Call(words, 2, message)
    for words, message in (
        ("", "Missing argument 'SCORES'"),
        ("nowhere.txt", "nowhere.txt: no such file"),
        ("folder", "folder: is a directory"),
        ("scores.txt -o scores.txt", "is not overwritten"),
        ("scores.txt -o ./scores.txt", "is not overwritten"),
        ("scores.jsonl --write-collection scores.jsonl", "is not overwritten"),
        ("scores.jsonl --write-collection -", "name the same file"),
        ("scores.jsonl -o x --write-collection ./x", "name the same file"),
        ("scores.txt --collection gold.xml -o gold.xml", "is not overwritten"),
        ("- --collection -", "standard input (-) can be read only once"),
        ("scores.txt -o ''", "empty file name"),
        ("scores.txt --top-k 0", "--top-k"),
        ("scores.txt --threshold nan", "it must be a finite number"),
        ("scores.txt --threshold high", "--threshold"),
        ("scores.txt --ties best", "--ties"),
        ("scores.txt --columns q_id", "found 'q_id', expected field=name, e.g. q_id=problem"),
        ("scores.txt --columns q_id=a,", "--columns"),
        ("scores.txt --columns q_id=a,q_id=b", "contains q_id twice"),
        ("scores.txt --columns q_id=x,a_id=x", "'x' cannot be both q_id and a_id"),
        ("scores.txt --columns qid=a", "did you mean q_id?"),
        ("scores.txt --write-collection new.xml", "has no field correct"),
        ("scores.txt --collection nowhere.xml", "nowhere.xml: no such file"),
        ("scores.txt -o folder", "folder: cannot be written"),
        ("scores.txt -o no/where.txt", "cannot be written: its folder does not exist"),
        # all files or none: if one of two cannot be written, an old one stays
        ("scores.jsonl -o gold.xml --write-collection folder", "folder: cannot be written"),
        ("scores.jsonl -o folder --write-collection new.xml", "folder: cannot be written"),
    )
)
def test_impossible_requests_are_reported_and_write_nothing(here: Path, call: Call) -> None:
    put_all(here, {"folder/of/x": "", "gold.xml": "<ave/>"})
    assert_call(here, call, "decide")


@calls(
    Call("scores -o run.txt --write-collection gold.xml", 1,
         (message, "ave-score: nothing written\n"), puts={"scores": text})
    for text, message in (
        ("", "scores AVE115 the file has no scores in it"),
        ('{"q_id": 1, "score": 1}\n{"q_id": 1, "sco', "scores:2:13 AVE901"),
        ('{"q_id": 1, "score": 1}\n{"q_id": 1}\n', "scores:2:1 AVE902 no key 'score'"),
        ('{"q_id": 1, "score": 1}\n' + '{"x":' * 60_000 + "\n",
         "nested deeper than 100 levels"),
        ('{"q_id": 1, "score": ' + "9" * 100_000 + "}\n", "scores:1:22 AVE905"),
        ('{"q_id": "\\ud800", "score": 1}\n', "scores:1:10 AVE411"),
        ('{"q_id": 1, "score": 1}\n{"q_id": 1, "a_id": 2, "score": 1}\n',
         "scores:2:21 AVE908"),
        ("1 a 1\n1 a 2\n", "scores:2:3 AVE206"),
        ("1 a 1\n1 a\n", "scores:2:4 AVE101"),
        ("1 1_1 SELECTED 0.9\n", "a run already has verdicts"),
        ("q_id\trun\tjudgement\n1\ta\tR\n",
         "has no column score; --columns score=NAME chooses one; it has q_id, run, judgement"),
        ("<ave/>", "this looks like XML or HTML, expected the scores of a verifier"),
        ("\x00" * 50, "scores:1 AVE117"),
        ("PK\x03\x04 1 a 1\n", "a ZIP archive, which has to be unpacked"),
        # what XML cannot hold forbids only a collection
        (SCORES.replace('Ann"', '\\frac"'), "scores:2:57 AVE113 found U+000C"),
    )
)  # fmt: skip
def test_a_defective_file_ends_the_command_with_1(here: Path, call: Call) -> None:
    assert_call(here, call, "decide")


@calls([
    # a broken collection and broken scores are both reported
    Call("scores --collection broken.xml", 1, ("broken.xml:", "scores:4:7 AVE904"),
         puts={"broken.xml": "<ave>", "scores": PLAIN + "1 1_3 low\n"}),
    # pairs are no answers to questions
    Call("scores.txt --collection pairs.xml", 1, "AVE116",
         puts={"pairs.xml": '<c><pair id="1" value="YES"><q/><t/><h/></pair></c>'}),
    Call("odd.jsonl", 0, "2 answered", RUN, puts={"odd.jsonl": SCORES.replace('Ann"', '\\frac"')}),
])  # fmt: skip
def test_a_collection_beside_the_scores(here: Path, call: Call) -> None:
    assert_call(here, call, "decide")


@pytest.mark.slow
def test_forty_thousand_answers_of_one_question(here: Path) -> None:
    text = "".join(f"1 a{n} {n % 97}\n" for n in range(40_000))
    put(here, text, "many.txt")
    for ties in ("first", "none", "random"):
        _, out, err = ave("many.txt", "--ties", ties, "--top-k", "2000", code=0)
        accepted = 0 if ties == "none" else 2_000
        assert out.count("VALIDATED") + out.count("SELECTED") == accepted
        assert f"40,000 answers: {int(accepted > 0)} selected" in err
