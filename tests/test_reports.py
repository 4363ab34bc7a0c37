"""The report in every format: its content, and its stable layout for other programs."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import ave_score
from ave_score import parse_measures
from ave_score.commands import run
from tests import slow
from tests.helpers_command import ave
from tests.helpers_command import output as output_of
from tests.helpers_files import COLLECTION, KEY, RUN, UNLABELLED, put

TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
QA = ["--qa", "gold/tiny.qa.tsv"]


output = partial(output_of, "score")


def test_json_has_the_documented_keys() -> None:
    document = json.loads(output(*TINY, *QA, "--format", "json"))
    assert document.keys() == {"schema", "signature", "collection", "runs", "not_scored", "notes"}
    assert document["schema"] == "ave-score/scores/1"
    collection = document["collection"]
    digest = collection.pop("sha256")
    # counted by hand in gold/tiny.xml
    assert collection == {
        "path": "gold/tiny.xml", "questions": 5, "answers": 10, "validated": 4, "rejected": 5,
        "unknown": 1, "questions_with_correct": 3, "is_pairs": False, "languages": ["EN"],
        "available": None,
    }  # fmt: skip
    assert re.fullmatch("[0-9a-f]{64}", digest)
    assert f"collection:{digest[:12]}" in document["signature"]
    for row in document["runs"]:
        assert row.keys() == {"run", "team", "kind", "counts", "measures", "not_applicable"}
        assert row["kind"] in {"AV", "QA", "baseline"}
        names = "validation,selection,answering"
        assert row["measures"].keys() == {one.key for one in parse_measures(names)}
    kinds = [row["kind"] for row in document["runs"]]
    assert kinds == ["AV"] * 2 + ["QA"] * 2 + ["baseline"] * 5


TREC = {"q.qrels": "1 0 D1 1\n1 0 D2 0\n2 0 D3 1\n", "a.run": "1 Q0 D1 1 2 a\n2 Q0 D3 1 1 a\n"}
LISTS = ["gold/lists.json", "sample_runs/lists/brief.tsv"]


@pytest.mark.parametrize(
    ("files", "kinds"),
    [(TINY, "AV"), ([*TINY, *QA], "AV QA"), (["gold/tiny.qa.tsv"], "QA"), (LISTS, "responses")],
)
def test_the_sort_of_gold_says_what_its_rows_are(files: list[str], kinds: str) -> None:
    rows = csv.DictReader(io.StringIO(output(*files, "--format", "csv")))
    assert {row["kind"] for row in rows} - {"baseline"} == {*kinds.split()}


def test_a_run_that_ranks_documents_is_none_of_answer_validation(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in TREC]
    for path in paths:
        path.write_text(TREC[path.name])
    (tmp_path / "by.tsv").write_text("1\tx\n2\tx\n")
    for by in ([], ["--breakdown", str(tmp_path / "by.tsv")]):
        document = json.loads(output(*paths, *by, "-m", "map", "--format", "json"))
        assert [row["kind"] for row in document["runs"]] == ["TREC"]
    scores = ave_score.score(*map(str, paths))
    assert [row.kind for row in scores.rows] == [ave_score.Kind.TREC]
    assert [*scores.to_frame()["kind"]] == ["TREC"]


def test_json_figures_are_unrounded_and_null_where_undefined() -> None:
    document = json.loads(output(*TINY, *QA, "--format", "json"))
    by_name = {row["run"]: row for row in document["runs"]}
    careful = by_name["careful"]
    # by hand: selected 1_1 and 3_1 rightly, withheld 2 and 4, selected 5_1 wrongly
    assert careful["counts"] | {"expected_random": 0} == {
        "validated_correct": 3, "validated_incorrect": 1, "rejected_correct": 1,
        "rejected_incorrect": 4, "validated_unknown": 0, "rejected_unknown": 1,
        "selected_right": 2, "selected_wrong_answerable": 0, "withheld_answerable": 1,
        "selected_wrong_unanswerable": 1, "withheld_unanswerable": 1, "selected_unknown": 0,
        "expected_random": 0, "questions_with_correct": 3, "answered_right": 2,
        "answered_wrong": 1, "unanswered": 2, "withheld_right": 0, "withheld_wrong": 0,
        # 1 and 3 have a correct and a validated answer, 2 only a correct one, 5 only a validated
        # one, 4 neither
        "questions_correct_and_validated": 2, "questions_correct_or_validated": 4,
        "sum_of_f1": 2,  # 1 + 0 + 1 + 0
    }  # fmt: skip
    # 1/3 + 1/2 + 2/2 + 0 + 0 over five questions
    assert careful["measures"]["random_qa_accuracy"] == float(Fraction(11, 30))
    assert careful["measures"]["normalized_qa_accuracy"] == 2 / 3
    assert by_name["qa_a"]["measures"]["f1"] is None
    assert by_name["Perfect selection"]["measures"]["f1"] is None
    assert by_name["100% VALIDATED"]["measures"]["qa_accuracy"] is None
    assert by_name["50% VALIDATED"]["counts"]["validated_incorrect"] == 2.5


def test_json_names_the_key_where_labels_come_from_one(tmp_path: Path) -> None:
    texts = {"gold.xml": COLLECTION, "bare.xml": UNLABELLED, "key.txt": KEY, "run.txt": RUN}
    gold, bare, key, run = (put(tmp_path, text, name) for name, text in texts.items())
    with_key = json.loads(output(bare, run, "--key", key, "--format", "json"))
    without = json.loads(output(gold, run, "--format", "json"))
    assert with_key["runs"] == without["runs"]
    assert with_key["collection"]["key"]["path"] == str(key)
    assert "|key:" in with_key["signature"]


def measures_of(*arguments: str) -> dict[str, dict[str, float]]:
    document = json.loads(output(*arguments, "--format", "json"))
    return {row["run"]: row["measures"] for row in document["runs"]}


def test_unknown_counts_as_the_policy_says() -> None:
    """`bold` validated and selected 4_2, which is labelled UNKNOWN: 4 right, 4 wrong without it."""
    figures = {
        policy: measures_of(*TINY, "--unknown", policy)["bold"]
        for policy in ("ignore", "incorrect", "correct")
    }
    assert [one["precision"] for one in figures.values()] == [4 / 8, 4 / 9, 5 / 9]
    assert [one["qa_accuracy"] for one in figures.values()] == [2 / 5, 2 / 5, 3 / 5]
    assert [one["normalized_qa_accuracy"] for one in figures.values()] == [2 / 3, 2 / 3, 3 / 4]


def test_an_inexact_answer_counts_alike_in_runs_and_systems() -> None:
    """qa_a: R on question 1, X on question 4, whose UNKNOWN answer `bold` selected as well."""
    for policy, right in (("ignore", 1), ("incorrect", 1), ("correct", 2)):
        rows = measures_of(*TINY, *QA, "--unknown", policy)
        assert rows["qa_a"]["qa_accuracy"] == right / 5
        assert rows["bold"]["qa_accuracy"] == (right + 1) / 5


def test_lenient_systems_are_measured_by_the_same_perfect_selection() -> None:
    """qa_a and qa_b are both right twice, qa_a once beyond what the collection calls correct."""
    arguments = [*TINY, *QA, "--letters", "qa-clef-lenient"]
    captured = ave("score", *arguments, "--format", "json")
    assert captured.code == 0
    assert "AVE507 warning: run 'qa_a' is judged right on question '4'" in captured.err
    rows = {row["run"]: row for row in json.loads(captured.out)["runs"]}
    for key in ("qa_accuracy", "normalized_qa_accuracy", "headroom"):
        assert rows["qa_a"]["measures"][key] == rows["qa_b"]["measures"][key]
    assert rows["qa_a"]["measures"]["normalized_qa_accuracy"] == 2 / 3
    assert "without a correct answer. qa_a: 1." in ave("score", *arguments, code=0).out


def test_the_line_above_the_tables_agrees_with_perfect_selection() -> None:
    """With UNKNOWN as correct question 4 can be answered too: 4 of 5."""
    out = output(*TINY, "--unknown", "correct")
    assert "5 questions, 4 with a correct answer" in out
    assert body(out, "Selection")[0] == ["Perfect selection", "baseline", "0.80", "100.00"]


def test_every_policy_is_in_the_signature() -> None:
    out = output(*TINY, "--unknown", "incorrect", "--missing", "rejected")
    assert "letters:qa-clef|missing:rejected|unknown:incorrect|collection:" in out
    assert f"ave-score:{ave_score.__version__}|" in out


def body(text: str, title: str) -> list[list[str]]:
    """Return the cells of a terminal table, split where two blanks or more stand."""
    lines = text[text.index(title) :].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("─")) + 1
    cells = []
    for line in lines[start:]:
        if not line or line.startswith("Selected"):
            break
        cells.append(re.split(r"  +", line.strip()))
    return cells


def test_terminal_tables() -> None:
    """By hand: bold F = 8/12, careful 6/8; baselines 8/13, 4/8.5 and 0; half up."""
    out = output(*TINY, *QA)
    assert "5 questions, 3 with a correct answer; 10 answers: 4 validated, 5 rejected" in out
    assert body(out, "Validation, by F") == [
        ["1", "careful", "AV", "0.75*", "0.75*", "0.75"],
        ["2", "bold", "AV", "0.67", "0.50", "1.00*"],
        ["100% VALIDATED", "baseline", "0.62", "0.44", "1.00"],
        ["50% VALIDATED", "baseline", "0.47", "0.44", "0.50"],
        ["0% VALIDATED", "baseline", "0.00", "0.00", "0.00"],
    ]
    assert body(out, "Selection, by QA accuracy") == [
        ["Perfect selection", "baseline", "0.60", "100.00"],
        ["1=", "bold", "AV", "0.40*", "66.67*"],
        ["1=", "careful", "AV", "0.40*", "66.67*"],
        ["1=", "qa_b", "QA", "0.40*", "66.67*"],
        ["Random", "baseline", "0.37", "61.11"],
        ["4", "qa_a", "QA", "0.20", "33.33"],
    ]
    assert "Selected answers labelled UNKNOWN are counted as not correct. bold: 1, qa_a: 1." in out
    assert "\x1b" not in out


def test_lower_is_better_where_the_record_says_so() -> None:
    rows = body(output(*TINY, "-m", "error,f1"), "Validation, by Error")
    # errors: careful 2/9, bold 4/9
    assert [row[:2] for row in rows[:1]] == [["1", "careful"]]
    values = [float(row[-2].strip("*")) for row in rows]
    assert values == sorted(values)
    assert rows[0][-2] == "0.22*"


def test_a_measure_before_a_group_that_has_it_ranks_and_is_shown_once() -> None:
    said = output(*TINY, "-m", "recall,ave2007")
    by_recall = body(said, "Validation, by Recall")
    assert [row[1] for row in by_recall[:1]] == ["bold"]
    assert [said.count(head) for head in ("   Recall", "   Precision")] == [1, 1]


def test_wide_characters_take_two_columns(tmp_path: Path) -> None:
    run_file = tmp_path / "東京大学.txt"
    run_file.write_bytes(Path(TINY[1]).read_bytes())
    out = output(TINY[0], str(run_file))
    line = next(line for line in out.splitlines() if "東京" in line)
    baseline = next(line for line in out.splitlines() if "100% VALIDATED" in line)
    assert line.index("AV") + 4 == baseline.index("baseline")


def test_teams_make_a_column(tmp_path: Path) -> None:
    teams = tmp_path / "teams.tsv"
    teams.write_text("run\tteam\nbold\tU. Somewhere\n", encoding="utf-8")
    out = output(*TINY, "--teams", str(teams))
    assert body(out, "Validation")[1][:4] == ["2", "bold", "U. Somewhere", "AV"]


def test_digits() -> None:
    assert body(output(*TINY, "--digits", "4"), "Validation")[1][3] == "0.6667"
    assert body(output(*TINY, "--digits", "0"), "Validation")[1][3] == "1"


def test_markdown_escapes_what_would_break_a_table(tmp_path: Path) -> None:
    run_file = tmp_path / "a|b*<c>`.txt"
    run_file.write_bytes(Path(TINY[1]).read_bytes())
    out = output(TINY[0], str(run_file), "--format", "markdown")
    assert r"| 1 | a\|b\*\<c\>\` | AV |" in out


def test_csv_has_one_row_per_run() -> None:
    rows = list(csv.DictReader(io.StringIO(output(*TINY, *QA, "--format", "csv"))))
    assert [row["run"] for row in rows][:4] == ["bold", "careful", "qa_a", "qa_b"]
    careful = rows[1]
    assert careful["f1"] == "0.75"
    assert float(careful["normalized_qa_accuracy"]) == 2 / 3
    assert careful["validated_correct"] == "3"
    assert rows[2]["f1"] == ""
    rounded = output(*TINY, "--format", "csv", "--digits", "3", "-m", "f1")
    assert [row["f1"] for row in csv.DictReader(io.StringIO(rounded))][:2] == ["0.667", "0.750"]


PER_QUESTION = [  # by hand from gold/tiny.xml and sample_runs/tiny/careful.txt
    ("1", "1_1", "VALIDATED", "selected_right", (1, 0, 0, 2, 0, 0)),
    ("2", "", "", "withheld_answerable", (0, 0, 1, 1, 0, 0)),
    ("3", "3_1", "VALIDATED", "selected_right", (2, 0, 0, 0, 0, 0)),
    ("4", "", "", "withheld_unanswerable", (0, 0, 0, 1, 0, 1)),
    ("5", "5_1", "REJECTED", "selected_wrong_unanswerable", (0, 1, 0, 0, 0, 0)),
]


def test_per_question_csv(tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    output(TINY[0], TINY[2], "--per-question", str(path))
    with path.open(encoding="utf-8", newline="") as lines:
        head, *rows = csv.reader(lines)
    assert head[:5] == ["run", "question", "selected", "selected_label", "outcome"]
    # by hand: 1_1, 3_1 selected rightly, 2 and 4 withheld, 5_1 selected wrongly
    answered = [f"answered_{worth}" for worth in ("right", "", "right", "", "wrong")]
    answered[1] = answered[3] = "unanswered"
    assert rows == [
        ["careful", *names, *map(str, counts), worth, *[""] * 4]  # no replicates, but their columns
        for (*names, counts), worth in zip(PER_QUESTION, answered, strict=True)
    ]


def test_per_question_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    output(*TINY, *QA, "--per-question", str(path))
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(records) == 4 * 5
    withheld = records[6]
    assert (withheld["run"], withheld["question"]) == ("careful", "2")
    assert (withheld["selected"], withheld["selected_label"]) == (None, None)
    judged = records[13]  # qa_a on question 4: judged X
    assert (judged["selected"], judged["selected_label"]) == ("4_2", "UNKNOWN")
    assert judged["validated_correct"] is None


def test_data_frame() -> None:
    collection = ave_score.read_collection(TINY[0])
    runs = [ave_score.read_run(path, collection) for path in TINY[1:]]
    systems = ave_score.read_judged("gold/tiny.qa.tsv", collection)
    frame = ave_score.score(collection, runs, systems, measures="f1, qa_accuracy").to_frame()
    assert list(frame.columns) == ["kind", "team", "f1", "qa_accuracy"]
    assert frame.loc["careful", "f1"] == 0.75
    assert frame["f1"].isna().sum() == 4  # two systems, perfect and random
    assert frame.dtypes["qa_accuracy"] == "float64"


def test_values_are_easy_on_the_eye() -> None:
    collection = ave_score.read_collection(TINY[0])
    run_read = ave_score.read_run(TINY[1], collection, name="mine")
    assert repr(collection) == "<Collection gold/tiny.xml: 5 questions, 10 answers>"
    assert repr(run_read) == "<Run mine: 10 answers>"
    assert repr(collection.index) == "<AnswerIndex: 5 questions, 10 answers>"


def test_each_system_is_named_that_is_incomplete(tmp_path: Path) -> None:
    """Rows: alpha answers questions 1 and 2 of five, beta only 1."""
    judged = tmp_path / "qa.tsv"
    judged.write_text("q_id\trun\tjudgement\n1\talpha\tR\n2\talpha\tW\n1\tbeta\tW\n")
    err = ave("score", *TINY, "--qa", judged, code=0).err
    assert (
        "run 'alpha' has no row for question '3'; counted as answered wrongly (and 2 more)" in err
    )
    assert "run 'beta' has no row for question '2'; counted as answered wrongly (and 3 more)" in err


def test_judgements_that_contradict_the_collection_are_reported(tmp_path: Path) -> None:
    judged = tmp_path / "qa.tsv"
    rows = ["q_id\trun\tjudgement\ta_id", "1\ts\tR\t1_2", "2\ts\tW\t2_2", "3\ts\tR\t9_9"]
    judged.write_text("\n".join([*rows, "4\ts\tX\t4_1", "5\ts\tW\t5_1", ""]))
    err = ave("score", *TINY, "--qa", judged, code=0).err
    assert ":2:5 AVE513 warning: run 's': answer '1_2' of question '1' is judged R" in err
    assert ":3:5 AVE513 warning: run 's': answer '2_2'" in err  # labelled VALIDATED
    assert ":4:7 AVE512 warning: run 's' gives answer '9_9' to question '3'" in err


def test_the_signature_says_how_runs_were_read(tmp_path: Path) -> None:
    collection = ave_score.read_collection(TINY[0])
    part = tmp_path / "part.txt"
    part.write_text("1 1_1 SELECTED 0.5\n")
    with pytest.warns(ave_score.AveScoreWarning, match="AVE207"):
        taken = ave_score.read_run(part, collection, missing="rejected")
    assert "missing:rejected" in ave_score.score(collection, [taken]).signature
    with pytest.warns(ave_score.AveScoreWarning, match="AVE507"):
        systems = ave_score.read_judged("gold/tiny.qa.tsv", collection, letters="qa-clef-lenient")
    with pytest.raises(ave_score.UsageError, match="with the letters of qa-clef-lenient"):
        ave_score.score(collection, [], systems)
    with pytest.raises(ave_score.UsageError, match="no policy 'none'"):
        ave_score.score(collection, [], policies=ave_score.Policies.of(missing="none"))
    with pytest.raises(ave_score.UsageError, match="not read against this collection"):
        ave_score.score(ave_score.read_collection("gold/ave2007-es.xml"), [taken])
    again = ave_score.read_collection(TINY[0])  # the same answers
    assert ave_score.score(again, [taken]) == ave_score.score(collection, [taken])


def test_measures_may_be_a_list_of_names() -> None:
    collection = ave_score.read_collection(TINY[0])
    scores = ave_score.score(collection, [], measures=["f1", "f_beta(2)"])
    assert [measure.key for measure in scores.measures] == ["f1", "f_beta(2)"]


def test_the_report_lists_what_is_left_out(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("1 1_1 NO 0.5\n")
    arguments = ["score", *TINY, str(bad), str(tmp_path / "none.txt"), "--keep-going"]
    not_scored = json.loads(ave(*arguments, "--format", "json", code=1).out)["not_scored"]
    assert not_scored == [str(bad), str(tmp_path / "none.txt")]
    assert f"Not scored because of errors: {bad}, " in ave(*arguments, code=1).out


def test_the_library_warns_of_what_does_not_forbid_scoring(tmp_path: Path) -> None:
    collection = ave_score.read_collection(TINY[0])
    wide = tmp_path / "wide.txt"
    wide.write_text(Path(TINY[2]).read_text().replace("0.92", "1.92"))
    with pytest.warns(ave_score.AveScoreWarning, match="AVE108 confidence 1.92 is outside"):
        ave_score.read_run(wide, collection)


def test_every_finding_of_a_line_quotes_it(tmp_path: Path) -> None:
    collection = ave_score.read_collection(TINY[0])
    text = Path(TINY[2]).read_text().replace("2 2_2", "2 2_9").replace("5 5_1", "4 5_1")
    bad = tmp_path / "bad.txt"
    bad.write_text(text.replace("3 3_2 VALIDATED", "3 3_2 SELECTED") + "1 1_1 SELECTED 0.92\n")
    with pytest.raises(ave_score.DefectError) as error:
        ave_score.read_run(bad, collection)
    lines = bad.read_text().splitlines()
    found = {one.rule.name: one for one in error.value.findings if one.line}
    assert found.keys() == {
        "unknown-answer", "answer-of-another-question", "two-selected", "answer-repeated",
    }  # fmt: skip
    for one in found.values():
        assert one.text == lines[(one.line or 0) - 1]


def test_a_table_that_is_too_wide_goes_on_below_under_the_same_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of gold/tiny.xml by hand: careful selects 2 of 5 rightly and withholds 1 of 2 rightly."""
    monkeypatch.setenv("COLUMNS", "60")
    text = output(*TINY, *QA, "--measures", "ave2008")
    assert max(map(len, text.splitlines()[:-1])) <= 60
    selection = text[text.index("Selection") : text.index("Selected answers labelled")]
    first, second = selection.rstrip().split("\n\n")
    head = [line for line in first.splitlines() if "#" in line]
    assert head[0].split() == ["#", "Run", "Kind", "Estimated", "accuracy"]
    (careful,) = (line for line in first.splitlines() if "careful" in line)
    assert careful.split() == ["1", "careful", "AV", "0.48*", "0.40*"]  # 2/5 + 1/5 · 2/5, 2 of 5
    head = [line for line in second.splitlines() if "#" in line]
    assert head[0].split() == ["#", "Run", "perfect", "acc.", "max"]
    (careful,) = (line for line in second.splitlines() if "careful" in line)
    assert careful.split() == ["1", "careful", "66.67*", "0.20*", "0.60*"]  # the first 2 of 3


@pytest.mark.parametrize("runs", [2, 8, slow(40)])
def test_tables_in_terminals_fold_names_and_keep_figures_and_heads(
    runs: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = [tmp_path / f"a-run-with-a-long-name-{number:02}.txt" for number in range(runs)]
    for file in files:
        file.write_bytes(Path(TINY[1]).read_bytes())
    arguments = [TINY[0], *map(str, files), "-m", "validation"]
    figures = re.compile(r"\d+\.\d\d\*?")
    expected = sorted(figures.findall(output(*arguments)))
    for width in (60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        text = output(*arguments)
        assert sorted(figures.findall(text)) == expected
        parts = [part.splitlines() for part in text.split("\n\n") if " Run " in part]
        assert len(parts) > 1
        for lines in parts:
            assert max(map(len, lines)) <= width
            start = next(line.index("Run") for line in lines if " Run " in line)
            names = "".join(line[start:].split("  ")[0] for line in lines)
            assert all(file.stem in names for file in files)


FEW = ["--resamples", "100"]


@pytest.mark.parametrize(("name", "columns", "lines"), [
    ("ITNLP-AiKF_primary", 62, ["ITNLP-AiKF_primary"]),
    ("ITNLP-AiKF_primary", 56, ["ITNLP-AiKF_", "primary"]),
    ("a.very.long-name_of_a.run", 56, ["a.very.long-", "name_of_a.run"]),
    ("an unbreakable_one", 56, ["an unbreakable_", "one"]),
    ("temperature-2_run-1.0", 56, ["temperature-2_", "run-1.0"]),
    ("unbreakableandratherlong", 56, ["unbreakableandratherlong"]),  # columns go on below
    ("x" * 60, 40, ["x" * 30, "x" * 30]),
    ("x" * 60, 80, ["x" * 40, "x" * 20]),  # up to half of the width, names are whole
    ("三つの_" * 4, 56, ["三つの_三つの_", "三つの_三つの_"]),
])  # fmt: skip
def test_names_wrap_at_their_marks(
    name: str, columns: int, lines: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The other columns of this table take 39 characters beside it, or go on below."""
    monkeypatch.setenv("COLUMNS", str(columns))
    shutil.copy(TINY[2], tmp_path / f"{name}.txt")
    text = output_of("compare", TINY[0], str(tmp_path / f"{name}.txt"), TINY[1], "-m", "f1", *FEW)
    table, start = text.partition("By F")[0], len("1  ")
    shown = [line[start:].split("  ")[0] for line in table.splitlines()[3:]]
    assert shown[: len(lines)] == lines


class Stream(io.TextIOWrapper):
    """Standard output in an encoding; perhaps a terminal, which shows colours."""

    def __init__(self, encoding: str, is_terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def shown_on(encoding: str, is_terminal: bool, *arguments: str, **environment: str) -> str:
    """Return what a command writes to a stream."""
    with pytest.MonkeyPatch.context() as patch:
        stream = Stream(encoding, is_terminal)
        patch.setattr(sys, "stdout", stream)
        patch.setenv("TERM", "xterm")
        patch.delenv("NO_COLOR", raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        assert run([*arguments]) == 0
        stream.flush()
        return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined, no-any-return]


def test_tables_are_ascii_where_the_terminal_is() -> None:
    plain = shown_on("utf-8", False, "score", *TINY)
    assert "─" in plain
    assert shown_on("ascii", False, "score", *TINY) == plain.replace("─", "-")


@pytest.mark.parametrize("command", [
    ["score", *TINY, *QA],
    ["compare", *TINY, "--pairs", "--resamples", "100"],
    ["stats", TINY[0]],
    ["agree", *TINY[1:]],
], ids=lambda command: command[0])  # fmt: skip
def test_colours_change_no_letter(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are for terminals, and for pipes if FORCE_COLOR asks; NO_COLOR wins."""
    coloured = shown_on("utf-8", True, *command)
    assert "\x1b[1m" in coloured
    plain = shown_on("utf-8", False, *command)
    lines = re.sub(r"\x1b\[[\d;]*m", "", coloured).splitlines()
    assert [line.rstrip() for line in lines] == plain.splitlines()
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert shown_on("utf-8", False, *command) == coloured
    for name, value in (("TERM", "dumb"), ("NO_COLOR", "1")):
        assert shown_on("utf-8", True, *command, **{name: value}) == plain
