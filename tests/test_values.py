"""`score --format value`, `trec`, `scores`: numbers for programs, and lines as trec_eval's. Sources
of expected output: hand calculations; the output of trec_eval 9 that Homebrew's formula tests;
pytrec_eval; the print formats in trec_eval's source (`%-22s\\t%s\\t%6.4f`, `%ld`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import ave_score
from ave_score import UsageError
from tests import each
from tests.helpers_command import ave, output, refusal

GOLD = [("1", "1_1", "VALIDATED"), ("1", "1_2", "REJECTED"), ("2", "2_1", "VALIDATED"),
        ("3", "3_1", "REJECTED")]  # fmt: skip
RUN = [("1", "1_1", "SELECTED", "0.9"), ("1", "1_2", "VALIDATED", "0.4"),
       ("2", "2_1", "REJECTED", "0.3"), ("3", "3_1", "SELECTED", "0.6")]  # fmt: skip
"""Validated 3, one of the two correct answers: precision 1/3, recall 1/2, F 2/5; 1 of 3 right."""

SILENT = [(*line[:2], "REJECTED", "0.1") for line in RUN]
"""A run that validates nothing."""


def put(path: Path, rows: Iterable[Sequence[str]], head: str = "") -> str:
    """Write rows, separated by tabs if there is a head; return the path."""
    texts = [head, *map("\t".join, rows)] if head else [*map(" ".join, rows)]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work beside gold.tsv, run.txt and silent.txt."""
    put(tmp_path / "gold.tsv", GOLD, "q_id\ta_id\tlabel")
    put(tmp_path / "run.txt", RUN)
    put(tmp_path / "silent.txt", SILENT)
    monkeypatch.chdir(tmp_path)


SCORE = ("score", "gold.tsv", "run.txt")


@each("words, said", [
    ("-m f1", "0.4\n"),
    ("-m n_right", "1\n"),
    # unrounded unless digits are given
    ("-m precision", f"{1 / 3!r}\n"),
    ("-m precision --digits 3", "0.333\n"),
    # in tables it is 50.00: one of the two questions with a correct answer
    ("-m normalized_qa_accuracy", "0.5\n"),
    # run by run
    ("silent.txt -m recall,f1", "0.5\n0.4\n0\n0\n"),
])  # fmt: skip
def test_each_value_is_a_line(words: str, said: str) -> None:
    assert output(*SCORE, *words.split(), "-f", "value") == said


def test_an_undefined_value_is_no_number_and_has_an_exit_code() -> None:
    """No answer of question 3 is correct: recall is 0/0."""
    Path("third.tsv").write_text("q_id\ta_id\tlabel\n3\t3_1\tREJECTED\n")
    Path("third.txt").write_text("3 3_1 REJECTED 0.5\n")
    third = ("score", "third.tsv", "third.txt", "-m", "recall,accuracy")
    assert ave(*third, "-f", "value")[:2] == (3, "n/a\n1\n")
    assert ave(*third, "-f", "csv")[0] == ave(*third, "-f", "trec")[0] == 0


def test_measures_that_do_not_apply_are_no_number_and_have_no_line() -> None:
    """A QA system has no decisions on candidate answers."""
    Path("judged.tsv").write_text("q_id\trun\tjudgement\n1\ta\tR\n2\ta\tW\n")
    _, out, err = ave("score", "judged.tsv", "-m", "f1,c_at_1,mcc", "-f", "trec")
    assert parsed(out) == {"a": {("num_q", "all"): 2, ("c_at_1", "all"): 0.5}}, err
    assert ave("score", "judged.tsv", "-m", "f1,c_at_1", "-f", "value")[:2] == (3, "n/a\n0.5\n")


@each("options, said", [
    ((), "name the measures, e.g. -m f1"),
    (("--sweep", "f1"), "prints scores of runs, not --sweep"),
    (("-m", "f1", "--ci", "95"), "prints scores of runs, not --ci"),
    (("-m", "f1", "--breakdown", "gold.tsv"), "prints scores of runs, not --breakdown"),
])  # fmt: skip
def test_what_has_no_single_value_is_refused(options: Sequence[str], said: str) -> None:
    assert said in refusal(*SCORE, "-f", "value", *options)


@each("command", ["compare", "stability", "swap", "stats"])
def test_only_scores_have_these_formats(command: str) -> None:
    for format_ in ("value", "trec", "scores"):
        err = refusal(command, "gold.tsv", "run.txt", "silent.txt", "-f", format_)
        formats = "'table', 'json', 'csv', 'markdown', 'latex'"
        assert f"'{format_}' is not one of {formats}" in err


def test_a_run_with_errors_prints_no_number() -> None:
    Path("bad.txt").write_text("1 1_1 SELECTED 0.9\n")
    assert "AVE204" in refusal("score", "gold.tsv", "bad.txt", "-m", "f1", "-f", "value", code=1)


def test_engines_print_the_same() -> None:
    measures = ("-m", "f1,qa_accuracy", "-f")
    expected = {name: ave(*SCORE, *measures, name) for name in ("value", "trec", "scores")}
    put(Path("run.tsv"), RUN, "q_id\ta_id\tverdict\tconfidence")
    for name, (code, out, _) in expected.items():
        found = ave("score", "gold.tsv", "run.tsv", *measures, name, "--engine", "duckdb")
        assert found[:2] == (code, out)


def test_the_lines_are_those_of_trec_eval() -> None:
    """Homebrew's formula expects this text for qrels 301 (no relevant document) and 302."""
    gold = [("301", "q1", "REJECTED"), ("302", "q2", "VALIDATED")]
    lines = [("301", "q1", "REJECTED", "0.5"), ("302", "q2", "REJECTED", "0.6")]
    put(Path("gold.tsv"), gold, "q_id\ta_id\tlabel")
    put(Path("testid.txt"), lines)
    assert output("score", "gold.tsv", "testid.txt", "-m", "map", "-f", "trec") == (
        "runid                 \tall\ttestid\n"
        "num_q                 \tall\t2\n"
        "map                   \tall\t0.5000\n"
    )


def test_numbers_are_whole_and_undefined_values_are_nan() -> None:
    measures = "n_right,map(norm=found)@1,mrr"
    out = ave("score", "gold.tsv", "silent.txt", "-m", measures, "-f", "trec").out
    assert out.splitlines()[2] == "n_right               \tall\t0"
    Path("third.tsv").write_text("q_id\ta_id\tlabel\n3\t3_1\tREJECTED\n")
    Path("third.txt").write_text("3 3_1 REJECTED 0.5\n")
    _, out, _ = ave("score", "third.tsv", "third.txt", "-m", "recall", "-f", "trec")
    assert parsed(out)["third"]["recall", "all"] != parsed(out)["third"]["recall", "all"]


def test_digits_are_those_requested() -> None:
    _, out, _ = ave(*SCORE, "-m", "precision", "-f", "trec", "--digits", "6")
    assert out.splitlines()[-1] == "precision             \tall\t0.333333"


def parsed(text: str) -> dict[str, dict[tuple[str, str], float]]:
    """Read lines as programs do that read trec_eval's: three fields; numbers, but for runid."""
    runs: dict[str, dict[tuple[str, str], float]] = {}
    waiting: dict[tuple[str, str], float] = {}
    name = ""
    for line in text.splitlines():
        measure, query, value = line.split()
        if measure == "runid":
            name = value
            runs[name], waiting = waiting, {}
        elif query == "all":
            runs[name][measure, query] = float(value)
        else:
            waiting[measure, query] = float(value)
    return runs


def test_lines_of_several_runs_begin_with_their_names() -> None:
    """They are those of a leaderboard of TIRA: run, query, measure, value, and a line for all."""
    Path("run.txt").rename("my run.txt")
    score = ("score", "gold.tsv", "my run.txt", "silent.txt", "-m", "f1,recall", "-f", "trec")
    out = output(*score)
    assert out.splitlines() == [
        "my_run\tall\tnum_q\t3", "my_run\tall\tf1\t0.4000", "my_run\tall\trecall\t0.5000",
        "silent\tall\tnum_q\t3", "silent\tall\tf1\t0.0000", "silent\tall\trecall\t0.0000",
    ]  # fmt: skip
    lines = output(*score, "--per-question", "-").splitlines()
    assert lines[:2] == ["my_run\t1\tf1\t0.6667", "my_run\t1\trecall\t1.0000"]


def test_questions_come_before_all() -> None:
    """Question 2: nothing is validated; question 3: nothing is correct, so that recall is 0/0."""
    _, out, err = ave(*SCORE, "-m", "recall,qa_accuracy", "-f", "trec", "--per-question", "-")
    assert out.splitlines() == [
        "recall                \t1\t1.0000", "qa_accuracy           \t1\t1.0000",
        "recall                \t2\t0.0000", "qa_accuracy           \t2\t0.0000",
        "recall                \t3\t   nan", "qa_accuracy           \t3\t0.0000",
        "runid                 \tall\trun", "num_q                 \tall\t3",
        "recall                \tall\t0.5000", "qa_accuracy           \tall\t0.3333",
    ]  # fmt: skip
    assert err == ""


def test_a_run_on_fewer_questions_has_their_number() -> None:
    put(Path("part.txt"), RUN[:3])
    options = ("-m", "recall", "-f", "trec", "--missing", "excluded", "--per-question", "-")
    _, out, _ = ave("score", "gold.tsv", "part.txt", *options)
    of_questions = {("recall", "1"): 1, ("recall", "2"): 0}
    assert parsed(out) == {"part": of_questions | {("num_q", "all"): 2, ("recall", "all"): 0.5}}


def test_thresholds_and_systems_have_questions_too() -> None:
    """At 0.35 both answers of question 1 and that of question 3 are accepted; judged: 1 of 3."""
    options = ("-m", "answering_accuracy", "-f", "trec", "--per-question", "-")
    _, out, _ = ave(*SCORE, *options, "--threshold", "0.35")
    each_one = {("answering_accuracy", q): float(q == "1") for q in "123"}
    assert parsed(out)["run"].items() >= each_one.items()
    # a threshold needs the confidences of systems, too: none of these is withheld
    judged = ("1", "R", "1_1"), ("2", "W", ""), ("3", "W", "3_1")
    rows = [(q, "run", item, a, "0.4") for q, item, a in judged]
    put(Path("qa.tsv"), rows, "q_id\trun\tjudgement\ta_id\tconfidence")
    both = output(*SCORE, *options, "--threshold", "0.35", "--qa", "qa.tsv")
    lines = [("1", "1.0000"), ("2", "0.0000"), ("3", "0.0000"), ("all", "0.3333")]
    once = [f"run\t{query}\tanswering_accuracy\t{value}" for query, value in lines]
    once.insert(3, "run\tall\tnum_q\t3")
    assert both.splitlines() == once + once


def test_a_file_of_questions_is_as_before() -> None:
    _, _, _ = ave(*SCORE, "--per-question", "expected.csv")
    _, out, _ = ave(*SCORE, "-m", "f1", "-f", "trec", "--per-question", "found.csv")
    assert Path("found.csv").read_text() == Path("expected.csv").read_text()
    assert len(out.splitlines()) == 3
    code, _, err = ave(*SCORE, "--per-question", "-")
    assert code == 2
    assert "--output and --per-question name the same file" in err


def test_python_has_the_formats() -> None:
    found = ave_score.score("gold.tsv", "run.txt", measures="f1")
    assert found.to_text("value") == "0.4\n"
    printed = output(*SCORE, "-m", "f1", "-f", "trec", "--digits", "2")
    assert found.to_text("trec", digits=2) == printed
    compared = ave_score.compare("gold.tsv", ["run.txt", "silent.txt"])
    with pytest.raises(UsageError, match="only scores of runs have values"):
        compared.to_text("value")


def test_scores_are_a_flat_object() -> None:
    measures = ("-m", "precision,f_beta(2),n_right", "-f", "scores")
    # F(2) = 5 * 1/3 * 1/2 / (4 * 1/3 + 1/2)
    expected = {"precision": 1 / 3, "f_beta_2": 5 / 11, "n_right": 1}
    assert json.loads(output(*SCORE, *measures)) == expected
    rounded = {"precision": 0.33, "f_beta_2": 0.45, "n_right": 1}
    assert json.loads(output(*SCORE, *measures, "--digits", "2")) == rounded


def test_scores_have_no_undefined_values() -> None:
    put(Path("third.tsv"), [("3", "3_1", "REJECTED")], "q_id\ta_id\tlabel")
    put(Path("third.txt"), [("3", "3_1", "REJECTED", "0.5")])
    call = ("score", "third.tsv", "third.txt", "-m", "recall,accuracy", "-f", "scores")
    assert ave(*call)[:2] == (0, '{"accuracy": 1.0}\n')


def test_scores_are_of_one_run() -> None:
    call = (*SCORE, "silent.txt", "-f", "scores", "-o", "scores.json")
    assert "an object has the scores of one run, not of 2 runs" in refusal(*call)
    assert not Path("scores.json").exists()
