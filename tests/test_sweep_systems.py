"""Thresholds of QA systems: below them, answers are withheld, as if the file said so."""

from __future__ import annotations

import csv
import io
import json
import random
import warnings
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import ave_score
from ave_score import Policies, UsageError
from tests import each, examples
from tests.conftest import ROOT
from tests.helpers_command import ave, output, refusal
from tests.helpers_files import put
from tests.helpers_logs import ANSWERS, inspect_log

TWO = "q_id,run,judgement,confidence\n1,s,R,0.9\n2,s,W,0.1\n"
"""Right and sure, wrong and unsure: c@1 is 1 of 2, and (1 + 1 * 1/2) / 2 without the unsure one."""

HEAD = "q_id\trun\tjudgement\ta_id\tanswer\tanswered\tconfidence\treplicate\n"

MEASURES = "c_at_1,answering_accuracy,unanswered_as_right,n_withheld_right"
Row = dict[str, str]


def text_of(rows: list[Row], threshold: float = 0) -> str:
    """Return a judged file, in which answers below a threshold are withheld by hand."""

    def field(row: Row, name: str) -> str:
        below = name == "answered" and row["confidence"] and float(row["confidence"]) < threshold
        return "NO" if below else row[name]

    names = HEAD.split()
    return HEAD + "".join("\t".join(field(row, name) for name in names) + "\n" for row in rows)


def rows_of(chance: random.Random) -> list[Row]:
    """Return rows of two systems under ResPubliQA: of some questions, once or several times."""
    rows = []
    for run, q_id, replicate in product("ab", "1234", "12"):
        if chance.random() < 0.75:
            letter = chance.choice(["R", "R", "W", "W", "U", ""])
            given = "NO" if letter == "U" else chance.choice(["", "YES", "NO"])
            a_id = chance.choice(["", f"{q_id}_1", f"{q_id}_2"])
            row = {"q_id": q_id, "run": run, "judgement": letter, "a_id": a_id}
            row |= {"answer": "" if a_id else "NIL", "answered": given, "replicate": replicate}
            rows.append(row | {"confidence": str(chance.choice([0.1, 0.3, 0.5, 0.7]))})
    return rows


def values(*arguments: str) -> dict[str, dict[str, float | None]]:
    """Return the measures of each system."""
    code, out, err = ave("score", *arguments, "-f", "json", "--letters", "respubliqa")
    assert code == 0, err
    return {row["run"]: row["measures"] for row in json.loads(out)["runs"] if row["kind"] == "QA"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    labels = ("1", "VALIDATED"), ("2", "REJECTED")
    gold = [f"{q}\t{q}_{a}\t{word}" for q in "1234" for a, word in labels]
    put(tmp_path, "\n".join(["q_id\ta_id\tlabel", *gold, ""]), "gold.tsv")
    put(tmp_path, TWO, "two.csv")
    return tmp_path


@each("missing", ["error", "rejected", "excluded"])
def test_an_answer_below_the_threshold_is_one_that_file_withholds(missing: str, here: Path) -> None:
    """The other file says `answered NO` where the threshold withholds: alone and beside runs."""
    for seed in range(examples(6, 2)):
        rows = rows_of(random.Random(seed))
        put(here, text_of(rows), "judged.tsv")
        asked = ["--missing", missing, "-m"]
        for threshold in (0.1, 0.3, 0.4, 0.7, 0.9):
            put(here, text_of(rows, threshold), "withheld.tsv")
            at = ["--threshold", str(threshold)]
            for measures, *given in ((MEASURES,), (f"{MEASURES},qa_accuracy", "gold.tsv", "--qa")):
                found = values(*given, "judged.tsv", *at, *asked, measures)
                assert found == values(*given, "withheld.tsv", *asked, measures), (seed, threshold)


@each("given", [("judged.tsv",), ("gold.tsv", "--qa", "judged.tsv")])
def test_every_point_of_sweep_is_value_at_its_threshold(given: tuple[str, ...], here: Path) -> None:
    """The sweep judges only what changes again; here each threshold is scored by itself."""
    for seed in range(examples(6, 2)):
        rows = rows_of(random.Random(seed))
        put(here, text_of(rows), "judged.tsv")
        for measure in ("c_at_1", "answering_accuracy"):
            campaign = ["--letters", "respubliqa"]
            _, text, _ = ave("score", *given, *campaign, "--sweep", measure, "-f", "csv")
            points = list(csv.DictReader(io.StringIO(text)))
            assert {point["run"] for point in points} == {row["run"] for row in rows}
            for point in points:
                at = float(point["threshold"] or 2)
                whole = values(*given, "--threshold", str(at), "-m", measure)
                assert float(point[measure]) == pytest.approx(whole[point["run"]][measure])
                mine = [row for row in rows if row["run"] == point["run"]]
                said = [row for row in mine if row["answered"] != "NO"]
                given_ones = sum(float(row["confidence"]) >= at for row in said)
                assert int(point["accepted"]) == given_ones


def test_a_threshold_of_two_answers_by_hand(here: Path) -> None:
    for door in (["two.csv"], ["gold.tsv", "--qa", "two.csv"]):
        _, out, _ = ave("score", *door, "--threshold", "0.5", "-m", "c_at_1", "-f", "json")
        runs = json.loads(out)["runs"]
        (value,) = [row["measures"]["c_at_1"] for row in runs if row["run"] == "s"]
        expected = Fraction(3, 4) if door == ["two.csv"] else Fraction(1 + Fraction(1, 4), 4)
        assert value == float(expected)  # of two questions, or of four: two are answered wrongly
        assert "|threshold:0.5|" in json.loads(out)["signature"]
    output("score", "two.csv", "--threshold", "0.5", "--per-question", "rows.csv")
    rows = csv.DictReader(io.StringIO((here / "rows.csv").read_text()))
    assert [row["answered"] for row in rows] == ["answered_right", "withheld_wrong"]
    swept = json.loads(output("score", "two.csv", "--sweep", "c_at_1", "-f", "json"))["runs"][0]
    assert swept["best"] == {"threshold": 0.9, "accepted": 1, "value": 0.75}
    assert swept["submitted"] == 0.5


def test_a_threshold_in_python(here: Path) -> None:
    collection, systems = ave_score.read_judged_gold("two.csv")
    policies = Policies(threshold=0.5)
    scores = ave_score.score(collection, systems, policies=policies, measures="c_at_1")
    assert scores.rows[0].values["c_at_1"] == Fraction(3, 4)
    decided = ave_score.decided_at(systems[0], 0.5)
    assert [answer.answered for answer in decided.answers] == [None, False]
    assert [answer.answered for answer in systems[0].answers] == [None, None]
    again = ave_score.score(collection, [decided], measures="c_at_1")
    assert again.rows[0].values == scores.rows[0].values
    none = ave_score.decided_at(systems[0], None)
    nothing = ave_score.score(collection, [none], measures="c_at_1")
    assert nothing.rows[0].values["c_at_1"] == 0
    assert ave_score.sweep(collection, systems, "c_at_1").best("s").threshold == 0.9


def test_a_threshold_of_a_log(here: Path) -> None:
    """By the scorer judge, 0.5 withholds 5 and Lyon. Right are 4 of sum and Paris of capital."""
    put(here, inspect_log([answer for answer in ANSWERS if answer[1] < 3]), "log.json")
    asked = ["log.json", "--log", "scorer=match", "--log", "confidence=judge"]
    said = output("score", *asked, "--threshold", "0.5", "-f", "json", "-m", "c_at_1")
    document = json.loads(said)
    # sum: right or withheld; capital: wrong or withheld: ac = 1/2, u = 1, of 2 questions
    assert document["runs"][0]["measures"]["c_at_1"] == (0.5 + 1 * 0.5 / 2) / 2
    assert "c@1" in output("score", *asked, "--threshold", "0.5")  # as logs that withhold
    assert "c@1" not in output("score", *asked)
    rows = csv.DictReader(output("score", *asked, "--sweep", "c_at_1", "-f", "csv").splitlines())
    assert [float(row["c_at_1"]) for row in rows if row["threshold"] == "0.5"] == [0.375]


REFUSED = [
    (["none.csv", "--threshold", "0.5"], "system 's' has no confidence for a threshold in 1 of 2"),
    (["none.csv", "--sweep", "c_at_1"], "system 's' has no confidence for a threshold in 1 of 2"),
    (["two.csv", "--sweep", "f1"], "cannot sweep by f1: a QA system decides on no candidate"),
    (["two.csv", "--sweep", "qa_accuracy"], "without a collection there are no candidates"),
]  # fmt: skip


@each("arguments, said", REFUSED)
def test_a_threshold_that_does_not_apply_is_refused(
    arguments: list[str], said: str, here: Path
) -> None:
    put(here, TWO.replace("0.1", ""), "none.csv")
    assert said in " ".join(refusal("score", *arguments).split())


def test_systems_beside_runs_may_have_no_confidences() -> None:
    """The shipped systems have none: of 5 questions they answer 1 and 2 rightly, as without it."""
    runs = [f"{ROOT}/sample_runs/tiny", "--qa", f"{ROOT}/gold/tiny.qa.tsv"]
    said = output("score", f"{ROOT}/gold/tiny.xml", *runs, "--threshold", "0.7", "-f", "json")
    found = {row["run"]: row["measures"]["qa_accuracy"] for row in json.loads(said)["runs"]}
    assert (found["qa_a"], found["qa_b"]) == (1 / 5, 2 / 5)
    table = output("score", f"{ROOT}/gold/tiny.xml", *runs, "--threshold", "0.7")
    assert "QA systems without confidences have their own answers at any threshold." in table


def test_answers_that_a_system_withholds_itself_need_no_confidence(here: Path) -> None:
    put(here, "q_id,run,judgement,answered,confidence\n1,s,R,,0.9\n2,s,W,NO,\n", "own.csv")
    out = output("score", "own.csv", "--threshold", "0.5", "-m", "c_at_1", "-f", "json")
    assert json.loads(out)["runs"][0]["measures"]["c_at_1"] == 0.75


@pytest.fixture
def kinds(here: Path) -> Iterator[dict[str, tuple[str, str]]]:
    """Kind of gold standard -> its file, and a run."""
    put(here, "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n", "qrels.txt")
    put(here, "1 Q0 d1 1 0.9 tag\n1 Q0 d2 2 0.5 tag\n2 Q0 d2 1 0.7 tag\n", "trec.txt")
    factoid = '{"id": "%s", "type": "factoid", "sets": [{"answers": [["a"]]}]}'
    lists = '{"questions": [' + ", ".join(factoid % q_id for q_id in "12") + "]}"
    put(here, lists, "sets.json")
    put(here, "q_id\tanswer\n1\ta\n2\tb\n", "responses.tsv")
    put(here, "\n".join(f"{q} {q}_{a} REJECTED 0.5" for q in "1234" for a in "12"), "run.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ave_score.AveScoreWarning)
        yield {
            "qrels": ("qrels.txt", "trec.txt"),
            "answer sets": ("sets.json", "responses.tsv"),
            "runs": ("gold.tsv", "run.txt"),
        }


OTHERS: dict[str, object] = {
    "letters": "respubliqa", "missing": "rejected", "unknown": "correct", "ties": "file",
    "epochs": "first", "threshold": 0.5, "intervals": ave_score.IntervalPolicy(90, resamples=50),
    "logs": ave_score.Choice(scorer="match"),
}  # fmt: skip
"""Every policy, with another choice than its default."""


def test_a_policy_that_does_not_apply_to_the_gold_standard_is_refused(
    kinds: dict[str, tuple[str, str]],
) -> None:
    """In Python and on the command line; what is not refused is in the signature."""
    assert OTHERS.keys() == Policies.records().keys()
    options = {
        name: [f"--{name}", str(value)] for name, value in OTHERS.items() if name != "logs"
    } | {"intervals": ["--ci", "90", "--resamples", "50"], "logs": ["--log", "scorer=match"]}
    for kind, (gold, run) in kinds.items():
        for name, value in OTHERS.items():
            code, out, err = ave("score", gold, run, *options[name])
            try:
                scores = ave_score.score(gold, [run], policies=Policies.of(**{name: value}))
            except UsageError as refused:
                assert code == 2, (kind, name)
                expected = "no log is given" if name == "logs" else f"not available for {kind}"
                assert expected in str(refused)
                assert expected in err
            else:
                assert code == 0, (kind, name, err)
                ranks = name == "ties" and kind == "runs"  # F does not rank
                assert ranks or f"|{name}:" in scores.signature, (kind, name)
                assert ranks or f"|{name}:" in "".join(out.split()), (kind, name)


@each("call, refused", [
    (lambda run, p: ave_score.agree([run, run], policies=p), "letters ties epochs threshold"),
    (lambda run, p: ave_score.sweep("gold.tsv", [run], policies=p), "intervals threshold"),
    (lambda run, p: ave_score.compare("gold.tsv", [run], design=ave_score.Design(policies=p)),
        "intervals"),
    (lambda run, p: ave_score.stability("gold.tsv", [run], policies=p), "intervals"),
    (lambda run, p: ave_score.swap("gold.tsv", [run], policies=p), "intervals"),
])  # fmt: skip
def test_a_policy_that_a_function_does_not_follow_is_refused(
    call: object, refused: str, kinds: dict[str, tuple[str, str]]
) -> None:
    assert callable(call)
    _, run = kinds["runs"]
    for name in refused.split():
        with pytest.raises(UsageError, match=f"^{name}: not available for "):
            call(run, Policies.of(**{name: OTHERS[name]}))
