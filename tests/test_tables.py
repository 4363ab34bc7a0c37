"""Runs, keys and collections as TSV, CSV and JSON Lines: the same content in every notation."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import ave_score
from ave_score import Collection, DefectError, Findings, Label, Run, read_clusters, read_teams
from tests.helpers_command import ave, output, refusal
from tests.helpers_files import UNLABELLED, Held, collection_of, only, put, read_file

Cells = Sequence[Sequence[str]]
Names = dict[str, str]

RUN: Cells = [
    ("q_id", "a_id", "verdict", "confidence"), ("1", "1_1", "SELECTED", "0.9"),
    ("1", "1_2", "REJECTED", "0.25"), ("2", "2_1", "VALIDATED", "1e-1"),
    ("2", "2_2", "SELECTED", "0.7"), ("3", "3_1", "REJECTED", "0"),
]  # fmt: skip
GOLD: Cells = [
    ("q_id", "a_id", "label", "question", "answer", "text", "doc", "type"),
    ("1", "1_1", "VALIDATED", "Who, then?", 'Ann "A" Lee', "a\nb", "d1", "person"),
    ("1", "1_2", "REJECTED", "Who, then?", "Bob", "", "", "person"),
    ("2", "2_1", "UNKNOWN", "Where?", "Rome; Italy", "t", "", "place"),
    ("2", "2_2", "VALIDATED", "Where?", "Oslo", "t\tu", "", "place"),
    ("3", "3_1", "REJECTED", "When?", "1999", "", "", ""),
]


def separated(delimiter: str) -> Callable[[Cells], str]:
    def write(rows: Cells) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
        return out.getvalue()

    return write


def json_lines(rows: Cells) -> str:
    """Write numbers as JSON numbers with their spelling."""
    header, *others = rows
    lines = []
    for row in others:
        members = []
        for name, cell in zip(header, row, strict=True):
            is_number = name.casefold() == "confidence"
            value = cell if is_number else json.dumps(cell, ensure_ascii=False)
            members.append(f"{json.dumps(name)}: {value}")
        lines.append("{" + ", ".join(members) + "}\n")
    return "".join(lines)


WRITERS: dict[str, Callable[[Cells], str]] = {
    "tsv": separated("\t"),
    "csv": separated(","),
    "csv2": separated(";"),
    "jsonl": json_lines,
}
every_notation = pytest.mark.parametrize("notation", WRITERS)


def run_of(
    folder: Path, text: str, columns: Names | None = None, values: Names | None = None
) -> tuple[Run | None, Findings]:
    collection = collection_of(folder)
    return read_file("run", text, collection, columns=columns or {}, values=values or {})


def gold_of(
    text: str, columns: Names | None = None, values: Names | None = None
) -> tuple[Collection | None, Findings]:
    return read_file("collection", text, columns=columns or {}, values=values or {}, texts=True)


@every_notation
def test_a_collection_has_labels_texts_and_attributes(tmp_path: Path, notation: str) -> None:
    gold, findings = gold_of(WRITERS[notation](GOLD))
    assert gold is not None, [*map(str, findings)]
    assert not len(findings)
    assert gold.index.questions == ["1", "2", "3"]
    assert gold.index.a_ids == [row[1] for row in GOLD[1:]]
    assert [Label(code).name for code in gold.labels] == [row[2] for row in GOLD[1:]]
    assert gold.texts is not None
    assert gold.texts.questions == ["Who, then?", "Where?", "When?"]
    assert gold.texts.answers == [row[4] for row in GOLD[1:]]
    assert gold.texts.supports == [row[5] for row in GOLD[1:]]
    assert gold.texts.docs == [row[6] for row in GOLD[1:]]
    assert gold.attributes == {"type": {"1": "person", "2": "place"}}


@every_notation
def test_a_key_labels_a_collection(tmp_path: Path, notation: str) -> None:
    key = [row[:3] for row in GOLD]
    collection, findings = read_file("key", WRITERS[notation](key), UNLABELLED)
    assert not len(findings)
    assert [Label(code).name for code in collection.labels] == [row[2] for row in GOLD[1:]]


@every_notation
def test_pairs(tmp_path: Path, notation: str) -> None:
    gold = [
        ("pair_id", "label", "question", "text", "hypothesis", "task"),
        ("1", "YES", "Who?", "t", "Ann did.", "QA"),
        ("2", "NO", "Who?", "", "Bob did.", "IE"),
        ("3", "UNKNOWN", "", "", "", ""),
    ]
    collection, findings = gold_of(WRITERS[notation](gold))
    assert collection is not None, [*map(str, findings)]
    assert not collection.index.has_questions
    assert [*collection.labels] == [Label.VALIDATED, Label.REJECTED, Label.UNKNOWN]
    assert collection.texts is not None
    assert collection.texts.answers == ["Ann did.", "Bob did.", ""]
    assert collection.attributes == {"task": {"1": "QA", "2": "IE"}}
    rows = [("pair_id", "verdict"), ("3", "NO"), ("1", "YES"), ("2", "NO")]
    run, _ = read_file("run", WRITERS[notation](rows), collection)
    assert [*run.verdicts] == [2, 1, 1]


@every_notation
def test_columns_and_words_of_ones_own(tmp_path: Path, notation: str) -> None:
    words = {"SELECTED": "best", "VALIDATED": "true", "REJECTED": "false"}
    rows = [("cand", "label", "id", "score")]
    rows += [(a_id, words[verdict], q_id, number) for q_id, a_id, verdict, number in RUN[1:]]
    rows = [("id", "cand", "label", "confidence"), *((r[2], r[0], r[1], r[3]) for r in rows[1:])]
    names = {"q_id": "id", "a_id": "cand", "verdict": "label"}
    meant = {word: verdict for verdict, word in words.items()}
    run, findings = run_of(tmp_path, WRITERS[notation](rows), names, meant)
    assert run is not None, [*map(str, findings)]
    assert [*run.verdicts] == [3, 1, 2, 3, 1]
    run, findings = run_of(tmp_path, WRITERS[notation](rows), names)
    assert run is None
    assert {found.rule.code for found in findings} == {"AVE102", "AVE104"}


@pytest.mark.parametrize("word", ["true", "1"])
def test_words_of_labels_are_read_only_if_they_are_named(tmp_path: Path, word: str) -> None:
    text = f'{{"q_id": 1, "a_id": "a", "label": {word}}}\n'
    gold, findings = gold_of(text)
    assert gold is None
    assert only(findings).startswith(f"found '{word}', expected one of VALIDATED")
    gold, _ = gold_of(text, {}, {word: "VALIDATED"})
    assert gold is not None
    assert [*gold.labels] == [Label.VALIDATED]


HEAD = "q_id,a_id,verdict,confidence\n"
SOUND = "".join(",".join(row) + "\n" for row in RUN[1:])


def test_a_quoted_field_of_several_lines_is_one_field(tmp_path: Path) -> None:
    text = 'q_id,a_id,label,text\n1,1_1,VALIDATED,"a\n\n""b""\n"\n1,1_2,REJECTED,"x\ny"\n'
    gold, _ = gold_of(text)
    assert gold is not None
    assert gold.texts is not None
    assert gold.texts.supports == ['a\n\n"b"\n', "x\ny"]


@every_notation
def test_a_collection_without_labels_needs_them_for_scoring(tmp_path: Path, notation: str) -> None:
    rows = [[*row[:2], *row[3:]] for row in GOLD]
    gold, findings = gold_of(WRITERS[notation](rows))
    assert gold is None
    assert [found.rule.code for found in findings] == ["AVE407"] * 5
    checked = ave_score.check(Held(WRITERS[notation](rows)))
    assert checked.contents == {"questions": 3, "answers": 5, "unlabelled": 5}


@every_notation
def test_a_question_may_have_no_answers(tmp_path: Path, notation: str) -> None:
    rows = [*GOLD, ("4", "", "", "Why?", "", "", "", "reason")]
    gold, findings = gold_of(WRITERS[notation](rows))
    assert gold is not None
    assert gold.index.questions == ["1", "2", "3", "4"]
    assert [found.rule.code for found in findings] == ["AVE405"]


def test_swapped_files_are_told_apart(tmp_path: Path) -> None:
    gold, findings = gold_of(HEAD + SOUND)
    assert gold is None
    assert "swapped" in only(findings)
    with pytest.raises(DefectError, match="swapped"):
        ave_score.score(collection_of(tmp_path), Held(separated(",")(GOLD)))
    # a run with confidences, whose verdicts are in a column of labels
    rows = [("q_id", "a_id", "label", "confidence"), *RUN[1:]]
    with pytest.raises(DefectError, match="in the column label: columns verdict=label"):
        ave_score.score(collection_of(tmp_path), Held(separated(",")(rows)))
    run, findings = run_of(tmp_path, separated(",")(rows), {"verdict": "label"})
    assert run is not None, findings


def test_columns_are_named_on_the_command_line(tmp_path: Path) -> None:
    text = (HEAD + SOUND).replace("a_id", "cand").replace("SELECTED", "yes")
    run = str(put(tmp_path, text.replace("VALIDATED", "yes2"), "run.csv"))
    options = ["--columns", "a_id=cand", "--values", "yes=SELECTED,yes2=VALIDATED"]
    assert ave("check", run, *options).code == 0
    assert "the header has no column a_id" in ave("check", run, code=1).out
    assert "unknown value 'GOOD'" in refusal("check", run, "--values", "yes=GOOD")
    assert "--columns: found 'cand'" in refusal("check", run, "--columns", "cand")


@pytest.mark.parametrize("with_texts", [False, True])
@pytest.mark.parametrize(("xml", "labels"), [
    (
        '<c><pair id="1" entailment="ENTAILMENT"/><pair id="2" entailment="CONTRADICTION"/>'
        '<pair id="3" entailment="UNKNOWN"/><pair id="4" value="YES"/></c>', "VRUV"),
    (
        '<c><q id="1"><a id="1" value="ENTAILMENT"/><a id="2" value="CONTRADICTION"/>'
        '<a id="3" value="UNKNOWN"/></q></c>', "VRU"),
], ids=["pairs", "questions"])  # fmt: skip
def test_labels_of_xml_may_have_other_words(xml: str, labels: str, *, with_texts: bool) -> None:
    words = {"ENTAILMENT": "VALIDATED", "CONTRADICTION": "REJECTED"}
    collection = ave_score.read_collection(Held(xml), values=words, texts=with_texts)
    assert "".join(Label(label).name[0] for label in collection.labels) == labels
    collection, findings = read_file("collection", xml)
    assert collection is None
    assert {found.rule.code for found in findings} == {"AVE406"}
    assert all("--values says" in found.rule.help for found in findings)


def test_labels_and_verdicts_may_have_the_same_name(tmp_path: Path) -> None:
    gold = put(tmp_path, "id;cand;ok\n1;a;yes\n1;b;no\n", "gold.csv")
    run = put(tmp_path, "id;cand;ok;p\n1;a;best;0.5\n1;b;no;0.2\n", "run.csv")
    columns = "q_id=id,a_id=cand,label=ok,verdict=ok,confidence=p"
    values = "yes=VALIDATED,no=REJECTED,best=SELECTED"
    options = ["--columns", columns, "--values", values, "-m", "qa_accuracy", "-f", "csv"]
    printed = output("score", gold, run, *options)
    assert printed.splitlines()[1].endswith(",1.0,,")  # the question is right


def test_missing_answers_become_rows(tmp_path: Path) -> None:
    collection = collection_of(tmp_path)
    text = HEAD.replace("a_id", "x,cand") + "".join(
        f"{q},,{a},{verdict},{number}\n".replace("REJECTED", "no")
        for q, a, verdict, number in RUN[1:-1]
    )
    path = str(put(tmp_path, text, "run.csv"))
    options = ["--columns", "a_id=cand", "--values", "no=REJECTED", "--unsafe", "-o", "-"]
    code, out, _ = ave("fix", path, "--collection", collection.path, *options)
    assert (code, out) == (0, text + "3,,3_1,REJECTED,0\n")


@pytest.mark.parametrize("kind", ["run", "collection", "scores"])
def test_an_object_of_several_lines_belongs_on_one(kind: str) -> None:
    row = {"q_id": "1", "a_id": "1_1", "label": "VALIDATED", "verdict": "SELECTED", "confidence": 1}
    (finding,) = read_file(kind, json.dumps(row, indent=2))[1]
    assert finding.rule.code == "AVE116"
    assert "write each object on one line" in finding.message


def test_csv_of_a_spreadsheet_is_read_without_a_warning(tmp_path: Path) -> None:
    """CRLF is the line end of CSV (RFC 4180), and empty rows have separators only."""
    text = (HEAD + SOUND + ",,,\n,,,\n").replace("\n", "\r\n")
    run, findings = run_of(tmp_path, text)
    assert run is not None
    assert not len(findings)
    _, findings = run_of(tmp_path, WRITERS["tsv"](RUN).replace("\n", "\r\n"))
    assert [found.rule.code for found in findings] == ["AVE112"]


@pytest.mark.parametrize("notation", ["csv", "csv2", "jsonl"])
@pytest.mark.parametrize("names", [
    ("question", "answer", "verdict", "confidence"),
    ("Question", "ANSWER", "Verdict", "Confidence"),
    ("Question_ID", "A_Id", "VERDICT", "confidence"),
    ("q_id", "answer", "verdict", "Confidence"),
])  # fmt: skip
def test_headers_of_a_spreadsheet(tmp_path: Path, notation: str, names: tuple[str, ...]) -> None:
    """Capitals, the words for the ids, and the first line by which Excel knows the separator."""
    text = WRITERS[notation]([names, *RUN[1:]])
    mark = {"csv": "sep=,\r\n", "csv2": '"sep=;"\n', "jsonl": ""}[notation]
    of_usual, _ = run_of(tmp_path, WRITERS["csv"](RUN))
    assert of_usual is not None
    for begin in {"", mark}:
        run, findings = run_of(tmp_path, begin + text)
        assert not len(findings)
        assert run is not None
        assert (run.verdicts, run.confidences) == (of_usual.verdicts, of_usual.confidences)
    # texts beside ids are texts
    both = [(*names, "question")] + [(*row, "Who?") for row in RUN[1:]]
    if names[0].casefold() != "question":
        _, findings = run_of(tmp_path, WRITERS["csv"](both))
        assert {found.rule.code for found in findings} == {"AVE510"}


def test_a_table_with_sep_is_read_fixed_and_converted(tmp_path: Path) -> None:
    text = "sep=;\nQuestion;Answer;Verdict;Confidence\n1;1_1;Selected;0,9\n"
    run = put(tmp_path, text, "run.csv")
    right = text.replace("Selected", "SELECTED").replace("0,9", "0.9")
    assert ave("fix", str(run), "-o", "-").out == right
    sound = put(tmp_path, right, "right.csv")
    assert output("convert", sound, "--to", "lines") == "1 1_1 SELECTED 0.9\n"
    assert output("convert", sound, "--to", "csv").splitlines()[0] == "q_id,a_id,verdict,confidence"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("has_header", [True, False])
def test_teams_and_clusters_may_be_csv(tmp_path: Path, mark: str, has_header: bool) -> None:
    text = f"run{mark}team\n" * has_header + f"a{mark}U. Jaén\nb{mark}UNED\n"
    assert read_teams(put(tmp_path, text, "teams")) == {"a": "U. Jaén", "b": "UNED"}
    two = Collection.from_frame([{"q_id": q, "a_id": "1", "label": "REJECTED"} for q in "12"])
    text = f"q_id{mark}cluster\n" * has_header + f"1{mark}x\n2{mark}y\n"
    clusters = read_clusters(put(tmp_path, text, "clusters"), two)
    assert clusters.of == {"1": "x", "2": "y"}


def test_a_tab_separates_even_if_there_are_commas(tmp_path: Path) -> None:
    teams = read_teams(put(tmp_path, "a\tx, y, z\nb\tu\n", "teams"))
    assert teams == {"a": "x, y, z", "b": "u"}
