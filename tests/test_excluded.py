"""`--missing excluded`: a run is scored as if the collection had only the answers it mentions.

The oracle is a script that drops the other rows from the collection, whose scores by `--missing
error` are then expected. No expected value comes from the option itself.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import Clusters, Policies, UsageError
from tests import examples, slow
from tests.helpers_command import ave, refusal
from tests.helpers_latex import grids, plain
from tests.test_packed import numpy_used

Row = tuple[str, ...]

HEADS = {"gold": "q_id\ta_id\tlabel", "qa": "q_id\trun\tjudgement\ta_id"}


def made(seed: int, questions: int = 12) -> tuple[list[Row], list[Row]]:
    """Return gold rows, and lines of a run that lacks answers and whole questions."""
    chance = random.Random(seed)
    gold: list[Row] = []
    lines: list[Row] = []
    for number in range(questions):
        q_id = f"q{number:02}"
        a_ids = [f"{q_id}_{n}" for n in range(chance.randint(1, 5))]
        words = chance.choices(["VALIDATED", "REJECTED", "UNKNOWN"], [3, 4, 1], k=len(a_ids))
        gold += [(q_id, a_id, word) for a_id, word in zip(a_ids, words, strict=True)]
        share = chance.choice([0, 0.6, 1, 1]) if number else 0.6
        given = [a_id for a_id in a_ids if chance.random() < share] or a_ids[: number == 1]
        accepted = chance.sample(given, chance.randint(0, len(given)))
        for a_id in given:
            word = "VALIDATED" if a_id in accepted else "REJECTED"
            word = "SELECTED" if a_id in accepted[:1] else word
            lines.append((q_id, a_id, word, f"{chance.randint(0, 8) / 8}"))
    return gold, lines


def only_mentioned(gold: Iterable[Row], lines: Iterable[Row]) -> list[Row]:
    """The oracle: return the gold rows of answers that have a line."""
    named = {line[:2] for line in lines}
    return [row for row in gold if row[:2] in named]


def put(path: Path, rows: Iterable[Row], head: str = "") -> str:
    texts = [head, *map("\t".join, rows)] if head else [*map(" ".join, rows)]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def of(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Return the output of a command for the option, and for the oracle's collection."""

    def both(command: str, gold: list[Row], lines: list[Row], *options: str) -> tuple[str, str]:
        run = put(tmp_path / "run.txt", lines)
        whole = put(tmp_path / "whole.tsv", gold, HEADS["gold"])
        part = put(tmp_path / "part.tsv", only_mentioned(gold, lines), HEADS["gold"])
        excluded = ave(command, whole, run, *options, "--missing", "excluded")
        expected = ave(command, part, run, *options)
        assert (excluded[0], expected[0]) == (0, 0), excluded[2] + expected[2]
        return excluded[1], expected[1]

    return both


def run_of(text: str, name: str = "run") -> dict[str, Any]:
    """Return the row of a run in a document, without what says how much of it was scored."""
    row = next(row for row in json.loads(text)["runs"] if row["run"] == name)
    row.pop("scored_on", None)
    return dict(row)


OPTIONS: Sequence[Sequence[str]] = (
    ("-m", "all"),
    ("-m", "all", "--ties", "trec", "--unknown", "correct"),
    ("-m", "all", "--ties", "file", "--threshold", "0.5"),
    ("-m", "f1,qa_accuracy,map,auc,c_at_1", "--ci", "95", "--resamples", "200"),
)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_the_scores_are_those_of_a_collection_without_the_missing_rows(
    options: Sequence[str], of: Callable[..., tuple[str, str]]
) -> None:
    for seed in range(examples(18)):
        found, expected = of("score", *made(seed), *options, "-f", "json")
        assert run_of(found) == run_of(expected), seed


def rows_of(text: str) -> list[list[str]]:
    """Return the figures of the run in each table, without rank and marks of the best."""
    if r"\begin{tabular}" in text:
        return [row[row.index("run") :] for grid in grids(text) for row in grid if "run" in row]
    lines = [[part.strip("*|_ ") for part in line.split()] for line in text.splitlines()]
    lines = [line for line in lines if "run" in line and not {"on", "would"} & {*line}]  # no notes
    return [line[line.index("run") :] for line in lines]


@pytest.mark.parametrize("format_", ["table", "markdown", "latex"])
def test_every_table_shows_the_same_figures_and_says_what_was_scored(
    format_: str, of: Callable[..., tuple[str, str]]
) -> None:
    gold, lines = made(1)
    found, expected = of("score", gold, lines, "-m", "all", "-f", format_)
    assert len(rows_of(found)) > 4
    for row, other in zip(rows_of(found), rows_of(expected), strict=True):
        assert other == row
    part = only_mentioned(gold, lines)
    questions, rows = len({row[0] for row in part}), len(part)
    note = f"run on {questions} questions and {rows} answers"
    words = " ".join(plain(found).split())
    assert words.count(note) == (found.count(r"\label") or len(rows_of(found)))
    assert f"the collection has 12 questions and {len(gold)} answers" in words
    assert "missing:excluded" in words


def test_rows_on_other_answers_are_not_ranked_nor_best(of: Callable[..., tuple[str, str]]) -> None:
    found, expected = of("score", *made(1), "-m", "f1")
    ranked = [[line.split()[:2] for line in text.splitlines()] for text in (found, expected)]
    assert ["1", "run"] in ranked[1] and ["1", "run"] not in ranked[0]
    assert "best of its column" in expected
    assert "best of its column" not in found


def test_csv_has_the_same_figures_and_two_more_columns(of: Callable[..., tuple[str, str]]) -> None:
    gold, lines = made(2)
    both = of("score", gold, lines, "-m", "all", "-f", "csv")
    found, expected = (next(csv.DictReader(io.StringIO(text))) for text in both)
    part = only_mentioned(gold, lines)
    assert found.pop("scored_questions") == str(len({row[0] for row in part}))
    assert found.pop("scored_answers") == str(len(part)) and found == expected
    whole = [*csv.DictReader(io.StringIO(both[0]))][-1]
    assert (whole["kind"], whole["scored_answers"]) == ("baseline", str(len(gold)))


def test_baselines_are_those_of_the_whole_collection(tmp_path: Path) -> None:
    gold, lines = made(3)
    whole = put(tmp_path / "whole.tsv", gold, HEADS["gold"])
    rows = [(*row[:2], "REJECTED", "0.1") for row in gold]
    complete = put(tmp_path / "complete.txt", rows)
    put(tmp_path / "run.txt", lines)
    _, found, _ = ave("score", whole, str(tmp_path / "run.txt"), "-f", "json",
                      "--missing", "excluded")  # fmt: skip
    _, expected, _ = ave("score", whole, complete, "-f", "json")
    for name in ("100% VALIDATED", "Perfect selection", "Random"):
        assert run_of(found, name) == run_of(expected, name)


def test_a_complete_run_has_the_same_scores_and_no_finding(tmp_path: Path) -> None:
    gold, _ = made(4)
    whole = put(tmp_path / "whole.tsv", gold, HEADS["gold"])
    run = put(tmp_path / "run.txt", [(*row[:2], "REJECTED", "0.5") for row in gold])
    excluded = ave("score", whole, run, "--missing", "excluded")
    plain = ave("score", whole, run)
    assert excluded[1].replace("missing:excluded", "missing:error") == plain[1]
    assert excluded[2] == ""


@pytest.mark.parametrize("options", [("--sweep", "f1"), ("--sweep", "qa_accuracy")])
def test_thresholds_are_swept_over_the_answers_of_the_run(
    options: Sequence[str], of: Callable[..., tuple[str, str]]
) -> None:
    for seed in range(examples(12)):
        found, expected = of("score", *made(seed), *options, "-f", "csv")
        assert found == expected, seed
    found, _ = of("score", *made(1), *options)
    assert "Missing answers are excluded" in found


def test_questions_have_records_of_the_oracle(
    of: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    gold, lines = made(5)
    records = []
    for kept in (gold, only_mentioned(gold, lines)):  # the second time nothing is missing
        path = tmp_path / "questions.csv"
        of("score", kept, lines, "--per-question", str(path))
        records.append(path.read_text())
    assert records[0] == records[1]
    questions = [row["question"] for row in csv.DictReader(io.StringIO(records[0]))]
    assert questions == [*dict.fromkeys(q_id for q_id, *_ in lines)]


@pytest.mark.parametrize("options", [(), ("--ci", "90", "--resamples", "100")], ids=len)
def test_groups_have_the_figures_of_the_oracle(options: Sequence[str], tmp_path: Path) -> None:
    gold, lines = made(6)
    ids = dict.fromkeys(q_id for q_id, *_ in gold)
    rows = [(q_id, f"{q_id}\t{'early' if n < 7 else 'late'}") for n, q_id in enumerate(ids)]
    texts = []
    for kept, policy in ((gold, "excluded"), (only_mentioned(gold, lines), "error")):
        named = {row[0] for row in kept}
        groups = put(tmp_path / "groups.tsv", [row[1:] for row in rows if row[0] in named])
        whole = put(tmp_path / "gold.tsv", kept, HEADS["gold"])
        run = put(tmp_path / "run.txt", lines)
        asked = ["--breakdown", groups, "-m", "f1,qa_accuracy,map,auc", *options]
        texts += [
            ave("score", whole, run, *asked, "--missing", policy, "-f", format_)[1]
            for format_ in ("csv", "table")
        ]
    assert texts[0] == texts[2] != "" and "Missing answers are excluded" in texts[1]


THREE = [(q, f"{q}_{a}", word) for q in "123" for a, word in ((1, "VALIDATED"), (2, "REJECTED"))]


def test_every_missing_answer_is_a_warning(tmp_path: Path) -> None:
    gold = [("1", "1_1", "VALIDATED"), ("1", "1_2", "REJECTED"), ("2", "2_1", "REJECTED")]
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    run = put(tmp_path / "run.txt", [("1", "1_1", "SELECTED", "0.9")])
    _, out, err = ave("score", whole, run, "--missing", "excluded", "-f", "json", code=0)
    assert "AVE209 warning: no line for answer '1_2' of question '1'" in err
    assert "AVE209 warning: no line for answer '2_1' of question '2'" in err
    assert run_of(out)["measures"]["recall"] == 1
    assert run_of(out)["counts"]["validated_correct"] == 1
    assert json.loads(out)["runs"][0]["scored_on"] == {"questions": 1, "answers": 1}
    assert "run on 1 question and 1 answer." in json.loads(out)["notes"][0]


def test_a_question_whose_selected_line_is_missing_is_an_error(tmp_path: Path) -> None:
    """Without the missing answer, the question has a VALIDATED answer and none that is SELECTED."""
    gold = [("1", "1_1", "VALIDATED"), ("1", "1_2", "REJECTED")]
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    run = put(tmp_path / "run.txt", [("1", "1_2", "VALIDATED", "0.9")])
    err = refusal("score", whole, run, "--missing", "excluded", code=1)
    assert "AVE302" in err


def test_pairs_without_a_line_are_left_out(tmp_path: Path) -> None:
    """Pairs a and b of four: one right, one wrong; accuracy 1/2, recall 1/1, precision 1/2."""
    pairs = [("a", "YES"), ("b", "NO"), ("c", "YES"), ("d", "NO")]
    whole = put(tmp_path / "gold.tsv", pairs, "pair_id\tlabel")
    run = put(tmp_path / "run.txt", [("a", "YES", "0.9"), ("b", "YES", "0.8")])
    command = ["score", whole, run, "--missing", "excluded"]
    _, out, err = ave(*command, "-m", "accuracy,precision,recall", "-f", "json")
    assert run_of(out)["measures"] == {"accuracy": 0.5, "precision": 0.5, "recall": 1}, err
    assert json.loads(out)["runs"][0]["scored_on"] == {"questions": 0, "answers": 2}
    assert "the collection has 4 pairs: run on 2 pairs." in json.loads(out)["notes"][0]


@pytest.mark.parametrize("used", [True, False])
def test_readers_of_large_files_give_the_same(*, used: bool, tmp_path: Path) -> None:
    gold, lines = made(7, 60)
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    runs = [put(tmp_path / f"run{n}.txt", lines[: len(lines) - n]) for n in range(3)]
    command = ["score", whole, *runs, "--missing", "excluded", "-m", "all", "-f", "json"]
    expected = ave(*command)
    with numpy_used(used=used):
        assert ave(*command) == expected
    assert expected[0] == 0


def test_an_engine_counts_the_same(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    gold, lines = made(8, 30)
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    head = "q_id\ta_id\tverdict\tconfidence"
    run = put(tmp_path / "run.tsv", lines, head)
    command = ["score", whole, run, "--missing", "excluded", "-f", "json"]
    _, plain, _ = ave(*command)
    _, counted, err = ave(*command, "--engine", "duckdb", code=0)
    assert json.loads(counted)["runs"] == json.loads(plain)["runs"]
    assert json.loads(counted)["notes"] == json.loads(plain)["notes"]
    assert json.loads(counted)["signature"] == json.loads(plain)["signature"]
    assert "AVE209" in err


JUDGED = [
    ("1", "full", "R", "1_1"), ("2", "full", "W", "2_1"), ("3", "full", "R", "3_1"),
    ("1", "some", "R", "1_1"), ("3", "some", "W", "3_2"),
]  # fmt: skip
"""System `some` has no row for question 2: 1 of 2 right, and not 1 of 3."""


def test_a_judged_system_is_scored_on_its_questions(tmp_path: Path) -> None:
    path = put(tmp_path / "judged.tsv", JUDGED, HEADS["qa"])
    shared = [row for row in JUDGED if row[0] != "2"]
    oracle = put(tmp_path / "oracle.tsv", shared, HEADS["qa"])
    asked = ["-m", "all", "-f", "json"]
    _, found, err = ave("score", path, "--missing", "excluded", *asked, code=0)
    _, expected, _ = ave("score", oracle, *asked)
    assert run_of(found, "some") == run_of(expected, "some")
    assert run_of(found, "some")["measures"]["answering_accuracy"] == 0.5
    assert run_of(found, "full")["measures"]["answering_accuracy"] == pytest.approx(2 / 3)
    assert "AVE516 warning: run 'some' has no row for question '2'" in err
    assert "the collection has 3 questions: some on 2 questions." in json.loads(found)["notes"][0]


def test_a_system_that_mentions_no_question_has_no_values(tmp_path: Path) -> None:
    whole = put(tmp_path / "gold.tsv", [("1", "1_1", "VALIDATED")], HEADS["gold"])
    qa = put(tmp_path / "qa.tsv", [("9", "other", "R", "9_1")], HEADS["qa"])
    asked = ["--qa", qa, "--missing", "excluded", "-m", "all", "-f", "json"]
    for intervals in ([], ["--ci", "95"]):
        found = ave("score", whole, *asked, *intervals, code=0).out
        measures = run_of(found, "other")["measures"]
        assert not any(measures.values()) and measures["answering_accuracy"] is None
        assert "other on 0 questions" in found


def test_systems_beside_runs_are_scored_on_their_questions(tmp_path: Path) -> None:
    whole = put(tmp_path / "gold.tsv", THREE, HEADS["gold"])
    part = put(tmp_path / "part.tsv", THREE[:2] + THREE[4:], HEADS["gold"])
    qa = put(tmp_path / "qa.tsv", [row for row in JUDGED if row[1] == "some"], HEADS["qa"])
    asked = ["--qa", qa, "-m", "all", "-f", "json"]
    _, found, _ = ave("score", whole, "--missing", "excluded", *asked, code=0)
    _, expected, _ = ave("score", part, *asked)
    assert run_of(found, "some") == run_of(expected, "some")


def test_a_question_without_answers_is_one_of_a_collection_alone_too(tmp_path: Path) -> None:
    """By definition, a wrong answer to it is in category c, whatever the other system answers."""
    gold = put(tmp_path / "gold.tsv", [("1", "1_1", "VALIDATED"), ("2", "", "")], HEADS["gold"])
    rows = [("1", "both", "R", ""), ("2", "both", "R", ""), ("2", "alone", "W", "")]
    qa = put(tmp_path / "qa.tsv", rows, HEADS["qa"])
    asked = ["--qa", qa, "--missing", "excluded", "-m", "all", "-f", "json"]
    found = ave("score", gold, *asked, code=0).out
    counts = run_of(found, "alone")["counts"]
    assert (counts["answered_unanswerable"], counts["none_right_answerable"]) == (1, 0)
    assert counts["selected_wrong_unanswerable"] == 1


def test_answers_in_xml_are_scored_on_the_questions_they_have(tmp_path: Path) -> None:
    whole = put(tmp_path / "gold.tsv", THREE, HEADS["gold"])
    part = put(tmp_path / "part.tsv", THREE[:2] + THREE[4:], HEADS["gold"])
    given = (("1", "1_1"), ("3", "3_2"))
    elements = "".join(
        f'<question q_id="{q}" answered="YES"><answer a_id="{a}"/></question>' for q, a in given
    )
    (tmp_path / "run.xml").write_text(f'<output run_id="r">{elements}</output>')
    run = str(tmp_path / "run.xml")
    code, found, err = ave("score", whole, run, "--missing", "excluded", "-m", "all", "-f", "json")
    _, expected, _ = ave("score", part, run, "-m", "all", "-f", "json")
    assert code == 0
    assert run_of(found) == run_of(expected) and run_of(found)["measures"]["c_at_1"] == 0.5
    assert "AVE607" in err


def complete_in_all(gold: Iterable[Row], runs: Iterable[Iterable[Row]]) -> list[Row]:
    """The oracle: return the gold rows of questions for which every run has all answers."""
    named = [{line[:2] for line in lines} for lines in runs]
    short = {row[0] for row in gold if not all(row[:2] in ids for ids in named)}
    return [row for row in gold if row[0] not in short]


@pytest.mark.parametrize("asked", [
    ("compare", "-m", "f1,map,qa_accuracy", "--resamples", "100"),
    slow(["compare", "-m", "qa_accuracy", "--test", "mcnemar"]),
    ("stability", "-m", "f1,qa_accuracy", "--resamples", "50"),
    slow(["swap", "-m", "f1,qa_accuracy", "--resamples", "50"]),
], ids=" ".join)  # fmt: skip
def test_runs_are_compared_on_questions_that_all_have(asked: Sequence[str], tmp_path: Path) -> None:
    gold, first = made(9, 40)
    second = [(*row[:2], "SELECTED" if row[1][-1] == "0" else "REJECTED", "0.5") for row in gold]
    second = [row for row in second if row[0] != "q03" and row[1] != "q05_0"]
    rows = complete_in_all(gold, [first, second])
    kept = {row[0] for row in rows}
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    part = put(tmp_path / "part.tsv", rows, HEADS["gold"])
    runs = [put(tmp_path / f"{n}.txt", lines) for n, lines in enumerate((first, second))]
    parts = []
    for n, lines in enumerate((first, second)):
        (tmp_path / "part").mkdir(exist_ok=True)
        own = [line for line in lines if line[0] in kept]
        parts.append(put(tmp_path / "part" / f"{n}.txt", own))
    command, *options = asked
    code, found, err = ave(command, whole, *runs, *options, "-f", "csv", "--missing", "excluded")
    _, expected, _ = ave(command, part, *parts, *options, "-f", "csv")
    assert code == 0, err
    assert found == expected
    _, table, _ = ave(command, whole, *runs, *options, "--missing", "excluded")
    note = f"compared on the {len(kept)} of 40 questions for which every run has all answers"
    assert note in table.replace("\n", " ")
    assert 2 < len(kept) < 38


def test_runs_without_a_complete_question_in_common_are_not_compared(tmp_path: Path) -> None:
    gold = [(q, f"{q}_1", "VALIDATED") for q in "12"]
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    runs = [put(tmp_path / f"{q}.txt", [(q, f"{q}_1", "SELECTED", "1")]) for q in "12"]
    err = refusal("compare", whole, *runs, "--missing", "excluded")
    assert "no question has all its answers in every run" in err


def test_questions_in_common_may_have_no_answers(tmp_path: Path) -> None:
    """Nothing is answered or ranked: CWS is 0 of 2 questions, AUC has no pairs."""
    rows = [("1", "", ""), ("2", "", ""), ("3", "a", "VALIDATED"), ("4", "a", "REJECTED")]
    gold = put(tmp_path / "gold.tsv", rows, HEADS["gold"])
    runs = [put(tmp_path / f"{q}.txt", [(q, "a", "SELECTED", "0.5")]) for q in "34"]
    said = ave("compare", gold, *runs, "--missing", "excluded", "-m", "cws,auc", "-f", "json")
    values = [[one["value"] for one in load["runs"]] for load in json.loads(said.out)["measures"]]
    assert values == [[0, 0], [None, None]]


def test_campaigns_take_the_policy(tmp_path: Path) -> None:
    gold, lines = made(10)
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    run = put(tmp_path / "run.txt", lines)
    asked = ["--missing", "excluded", "-f", "json", "-m", "f1,map"]
    _, expected, _ = ave("score", whole, run, *asked)
    (tmp_path / "campaign.toml").write_text(
        '[editions.2020]\nmissing = "excluded"\nmeasures = "f1,map"\n[editions.2020.languages.en]\n'
        'collection = "gold.tsv"\nruns = "run.txt"\n'
    )
    ave("campaign", str(tmp_path / "campaign.toml"), "-o", str(tmp_path / "out"), code=0)
    pages = {path.name: path.read_text() for path in (tmp_path / "out").rglob("*.*")}
    for name in ("measures", "scored_on"):
        rows = [json.loads(text)["runs"] for text in (pages["en.json"], expected)]
        assert [row[name] for row in rows[0]] == [row[name] for row in rows[1]]
    for name in ("en.md", "en.tex", "best-validation.md"):
        assert "Missing answers are excluded" in pages[name], name
    assert "**" not in pages["best-validation.md"]


def test_python_takes_the_policy(tmp_path: Path) -> None:
    gold, lines = made(11)
    whole = put(tmp_path / "gold.tsv", gold, HEADS["gold"])
    run = put(tmp_path / "run.txt", lines)
    part = put(tmp_path / "part.tsv", only_mentioned(gold, lines), HEADS["gold"])
    policies = Policies(missing="excluded")
    with pytest.warns(ave_score.AveScoreWarning, match="AVE209"):
        found = ave_score.score(whole, run, policies=policies, measures="all")
    expected = ave_score.score(part, run, measures="all")
    assert found.rows[0].values == expected.rows[0].values
    collection = ave_score.read_collection(whole)
    with pytest.warns(ave_score.AveScoreWarning, match="AVE209"):
        read = ave_score.read_run(run, collection, missing="excluded")
    assert len(read.verdicts) == len(lines)
    again = ave_score.score(collection, read, measures="all")
    assert again.rows[0].values == expected.rows[0].values
    assert "missing:excluded" in again.signature
    said = [(row["q_id"], row["a_id"]) for _, row in read.to_frame().iterrows()]
    assert said == sorted(line[:2] for line in lines)


def test_a_system_read_earlier_follows_the_policy(tmp_path: Path) -> None:
    path = put(tmp_path / "judged.tsv", JUDGED, HEADS["qa"])
    with pytest.warns(ave_score.AveScoreWarning, match="AVE508"):
        collection, systems = ave_score.read_judged_gold(path)
    found = ave_score.score(
        collection, systems, measures="answering_accuracy", policies=Policies(missing="excluded")
    )
    assert {row.run: row.values["answering_accuracy"] for row in found.rows}["some"] == 0.5
    whole = put(tmp_path / "gold.tsv", THREE, HEADS["gold"])
    rows = put(tmp_path / "some.tsv", [row for row in JUDGED if row[1] == "some"], HEADS["qa"])
    with pytest.warns(ave_score.AveScoreWarning, match="AVE516"):
        _, again = ave_score.read_judged_gold(path, missing="excluded")
    with pytest.warns(ave_score.AveScoreWarning, match="AVE516"):
        again += ave_score.read_judged(rows, whole, missing="excluded")
    assert {one.missing for one in again} == {"excluded"}


def test_a_run_is_not_scored_against_a_collection_without_its_answers(tmp_path: Path) -> None:
    gold, lines = made(12)
    collection = ave_score.read_collection(put(tmp_path / "gold.tsv", gold, HEADS["gold"]))
    with pytest.warns(ave_score.AveScoreWarning, match="AVE209"):
        run = ave_score.read_run(put(tmp_path / "run.txt", lines), collection, missing="excluded")
    short = [row for row in gold if row[:2] != lines[0][:2]]
    other = ave_score.read_collection(put(tmp_path / "other.tsv", short, HEADS["gold"]))
    with pytest.raises(UsageError, match="was not read against this collection"):
        ave_score.score(other, run)
    groups = Clusters("groups", {row[0]: "one" for row in short})
    complete = ave_score.Run.from_frame(
        {"q_id": ["q00"], "a_id": ["q00_0"], "verdict": ["REJECTED"], "confidence": [0.5]},
        ave_score.read_collection(put(tmp_path / "one.tsv", [gold[0]], HEADS["gold"])),
    )
    with pytest.raises(UsageError, match="was not read against this collection"):
        ave_score.break_down(other, complete, groups)


def test_texts_stay_with_their_answers() -> None:
    """Answer 1_2 has no line: question 1 leaves the comparison, and question 2 keeps its texts."""
    rows = [
        {"q_id": q_id, "a_id": f"{q_id}_{n}", "label": label, "question": f"Q{q_id}"}
        | {"answer": text}
        for q_id, n, label, text in (
            ("1", 1, "VALIDATED", "one"), ("1", 2, "REJECTED", "two"),
            ("2", 1, "VALIDATED", "three"), ("2", 2, "REJECTED", "four"),
            ("3", 1, "VALIDATED", "five"), ("3", 2, "REJECTED", "six"),
        )
    ]  # fmt: skip
    gold = ave_score.read_collection(rows, texts=True)
    verdicts = [
        {"q_id": row["q_id"], "a_id": row["a_id"], "verdict": "REJECTED", "confidence": 0.5}
        for row in rows
    ]
    design = ave_score.Design(policies=ave_score.Policies(missing="excluded"))
    with pytest.warns(ave_score.AveScoreWarning, match="AVE209"):
        runs = {"all": verdicts, "part": verdicts[:1] + verdicts[2:]}
        found = ave_score.compare(gold, runs, measures="accuracy", design=design).gold
    assert isinstance(found, ave_score.Collection)
    frame = found.to_frame()
    assert [*frame["a_id"]] == ["2_1", "2_2", "3_1", "3_2"]
    assert [*frame["question"]] == ["Q2", "Q2", "Q3", "Q3"]
    assert [*frame["answer"]] == ["three", "four", "five", "six"]
