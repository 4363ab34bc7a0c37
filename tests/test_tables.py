"""Runs, keys and collections as TSV, CSV and JSON Lines: the same content in every notation."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score.commands import run as ave_score
from ave_score.core.findings import Findings
from ave_score.core.kinds import FileKind
from ave_score.core.model import Collection, Label, Run
from ave_score.files.check import check_file, check_submission
from ave_score.files.clusters import check_clusters
from ave_score.files.gold import check_collection
from ave_score.files.groups import check_groups
from ave_score.files.key import check_key
from ave_score.files.run import check_run
from ave_score.files.source import Naming, Source
from ave_score.tasks.fix import fix_run
from tests.helpers_files import broken, collection_of, fuzzed, only, positions, put

Cells = Sequence[Sequence[str]]

RUN: Cells = [
    ("q_id", "a_id", "verdict", "confidence"),
    ("1", "1_1", "SELECTED", "0.9"),
    ("1", "1_2", "REJECTED", "0.25"),
    ("2", "2_1", "VALIDATED", "1e-1"),
    ("2", "2_2", "SELECTED", "0.7"),
    ("3", "3_1", "REJECTED", "0"),
]
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
            value = cell if name == "confidence" else json.dumps(cell, ensure_ascii=False)
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


def run_of(folder: Path, text: str, naming: Naming | None = None) -> tuple[Run | None, Findings]:
    source = Source(put(folder, text, "run"), naming or Naming())
    run, (findings,) = check_run(source, collection_of(folder).index)
    return run, findings


def gold_of(
    folder: Path, text: str, naming: Naming | None = None, *, needs_labels: bool = True
) -> tuple[Collection | None, Findings]:
    source = Source(put(folder, text, "gold"), naming or Naming())
    gold, (findings, *_) = check_collection(source, needs_labels=needs_labels, with_texts=True)
    return gold, findings


# --- the same content -----------------------------------------------------------------------------


@every_notation
def test_a_run_is_that_of_its_lines(tmp_path: Path, notation: str) -> None:
    lines = "".join(" ".join(row) + "\n" for row in RUN[1:])
    expected, _ = run_of(tmp_path, lines)
    run, findings = run_of(tmp_path, WRITERS[notation](RUN))
    assert run is not None
    assert expected is not None
    assert not len(findings)
    assert (run.verdicts, run.confidences) == (expected.verdicts, expected.confidences)
    assert [*run.lines] == [n + (notation != "jsonl") for n in (1, 2, 3, 4, 5)]


@every_notation
def test_a_collection_has_labels_texts_and_attributes(tmp_path: Path, notation: str) -> None:
    gold, findings = gold_of(tmp_path, WRITERS[notation](GOLD))
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
    collection = collection_of(tmp_path)
    source = Source(put(tmp_path, WRITERS[notation](key), "key"))
    labels, (findings,) = check_key(source, collection.index)
    assert not len(findings)
    assert labels is not None
    assert [Label(code).name for code in labels] == [row[2] for row in GOLD[1:]]


@every_notation
def test_pairs(tmp_path: Path, notation: str) -> None:
    gold = [
        ("pair_id", "label", "question", "text", "hypothesis", "task"),
        ("1", "YES", "Who?", "t", "Ann did.", "QA"),
        ("2", "NO", "Who?", "", "Bob did.", "IE"),
        ("3", "UNKNOWN", "", "", "", ""),
    ]
    collection, findings = gold_of(tmp_path, WRITERS[notation](gold))
    assert collection is not None, [*map(str, findings)]
    assert collection.index.is_pairs
    assert [*collection.labels] == [Label.VALIDATED, Label.REJECTED, Label.UNKNOWN]
    assert collection.texts is not None
    assert collection.texts.answers == ["Ann did.", "Bob did.", ""]
    assert collection.attributes == {"task": {"1": "QA", "2": "IE"}}
    rows = [("pair_id", "verdict"), ("3", "NO"), ("1", "YES"), ("2", "NO")]
    source = Source(put(tmp_path, WRITERS[notation](rows), "run"))
    run, (findings,) = check_run(source, collection.index)
    assert run is not None, [*map(str, findings)]
    assert [*run.verdicts] == [2, 1, 1]


@every_notation
def test_the_kind_is_detected(tmp_path: Path, notation: str) -> None:
    for rows, kind in ((RUN, FileKind.RUN), (GOLD, FileKind.COLLECTION)):
        checked = check_file(Source(put(tmp_path, WRITERS[notation](rows), "file")))
        assert (checked.kind, len(checked.findings)) == (kind, 0)


# --- names and values -----------------------------------------------------------------------------


@every_notation
def test_columns_and_words_of_ones_own(tmp_path: Path, notation: str) -> None:
    words = {"SELECTED": "best", "VALIDATED": "true", "REJECTED": "false"}
    rows = [("cand", "label", "id", "score")]
    rows += [(a_id, words[verdict], q_id, number) for q_id, a_id, verdict, number in RUN[1:]]
    rows = [("id", "cand", "label", "confidence"), *((r[2], r[0], r[1], r[3]) for r in rows[1:])]
    names = {"q_id": "id", "a_id": "cand", "verdict": "label"}
    naming = Naming(names, {word: verdict for verdict, word in words.items()})
    run, findings = run_of(tmp_path, WRITERS[notation](rows), naming)
    assert run is not None, [*map(str, findings)]
    assert [*run.verdicts] == [3, 1, 2, 3, 1]
    run, findings = run_of(tmp_path, WRITERS[notation](rows), Naming(names))
    assert run is None
    assert {found.rule.code for found in findings} == {"AVE102", "AVE104"}


@pytest.mark.parametrize("word", ["true", "1"])
def test_words_of_labels_are_read_only_if_they_are_named(tmp_path: Path, word: str) -> None:
    text = f'{{"q_id": 1, "a_id": "a", "label": {word}}}\n'
    gold, findings = gold_of(tmp_path, text)
    assert gold is None
    assert only(findings).startswith(f"found '{word}', expected one of VALIDATED")
    gold, _ = gold_of(tmp_path, text, Naming({}, {word: "VALIDATED"}))
    assert gold is not None
    assert [*gold.labels] == [Label.VALIDATED]


# --- defects --------------------------------------------------------------------------------------

HEAD = "q_id,a_id,verdict,confidence\n"
SOUND = "".join(",".join(row) + "\n" for row in RUN[1:])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HEAD + SOUND.replace("SELECTED,0.7", "selected,0.7"), [("AVE103", 5, 7)]),
        (HEAD + SOUND.replace("SELECTED,0.7", "best,0.7"), [("AVE102", 5, 7)]),
        (HEAD + SOUND.replace("0.25", '"0,25"'), [("AVE107", 3, 16)]),
        (HEAD + SOUND.replace("0.25", "low"), [("AVE105", 3, 16)]),
        (HEAD + SOUND.replace("0.25", "NaN"), [("AVE106", 3, 16)]),
        (HEAD + SOUND.replace("0.25", "25"), [("AVE108", 3, 16)]),
        (HEAD + SOUND.replace("0.25", ""), [("AVE505", 3, 16)]),
        (HEAD + SOUND.replace("0.25", "0,25"), [("AVE502", 3, 18)]),
        (HEAD + SOUND.replace("3,3_1", "3,3_9"), [("AVE202", 6, 3), ("AVE204", None, None)]),
        (HEAD + SOUND.replace("3,3_1", "3,3 1"), [("AVE204", None, None), ("AVE411", 6, 3)]),
        (HEAD + SOUND + "1,1_1,SELECTED,0.9\n", [("AVE205", 7, 3)]),
        (HEAD + SOUND.replace("1,1_1,SELECTED", "1,1_1,VALIDATED"), [("AVE302", 2, 7)]),
        (HEAD + SOUND.replace("2,2_1,VALIDATED", "2,2_1,SELECTED"), [("AVE301", 5, 7)]),
        (HEAD.replace("a_id", "x") + SOUND, [("AVE501", 1, 1)]),
        (HEAD.replace("confidence", "prob") + SOUND, [("AVE501", 1, 1)]),
        (HEAD.replace("a_id", "q_id") + SOUND, [("AVE501", 1, 1)]),
        (HEAD, [("AVE115", None, None)]),
        (HEAD + SOUND.replace("1,1_1", '1,"1_1"x'), [("AVE204", None, None), ("AVE515", 2, 3)]),
        (HEAD + SOUND.replace("3,3_1", '3,"3_1'), [("AVE204", None, None), ("AVE515", 6, 3)]),
    ],
)  # fmt: skip
def test_a_defect_of_csv_is_found_at_its_position(
    tmp_path: Path, text: str, found: list[tuple[str, int | None, int | None]]
) -> None:
    _, findings = run_of(tmp_path, text)
    assert sorted(positions(findings), key=str) == sorted(found, key=str)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"q_id": "3", "a_id": "3_1", "verdict": "no", "confidence": 0}', ("AVE104", 5, 41)),
        ('{"q_id": "3", "a_id": "3_1", "verdict": [], "confidence": 0}', ("AVE906", 5, 41)),
        ('{"q_id": "3", "a_id": "3_1", "verdict": "REJECTED"}', ("AVE902", 5, 1)),
        ('{"q_id": "3", "a_id": "3_1", "verdict": "REJECTED", "confidence": "x"}',
         ("AVE105", 5, 67)),
        ('{"q_id": "3", "a_id": "3_1", "verdict": "REJECTED", "confidence": NaN}',
         ("AVE106", 5, 67)),
        ('{"q_id": "3", "q_id": "3", "a_id": "3_1", "verdict": "REJECTED", "confidence": 0}',
         ("AVE903", 5, 23)),
    ],
)  # fmt: skip
def test_a_defect_of_json_is_found_at_its_position(
    tmp_path: Path, line: str, found: tuple[str, int, int]
) -> None:
    text = "".join(json_lines(RUN).splitlines(keepends=True)[:4]) + line + "\n"
    _, findings = run_of(tmp_path, text)
    assert positions(findings) == [found]


def test_a_quoted_field_of_several_lines_is_one_field(tmp_path: Path) -> None:
    text = 'q_id,a_id,label,text\n1,1_1,VALIDATED,"a\n\n""b""\n"\n1,1_2,MAYBE,"x\ny"\n'
    gold, findings = gold_of(tmp_path, text)
    assert gold is None
    assert positions(findings) == [("AVE406", 6, 7)]
    text = text.replace("MAYBE", "REJECTED")
    gold, _ = gold_of(tmp_path, text)
    assert gold is not None
    assert gold.texts is not None
    assert gold.texts.supports == ['a\n\n"b"\n', "x\ny"]


def test_a_finding_in_a_later_line_of_a_row_has_that_line(tmp_path: Path) -> None:
    text = 'text,q_id,a_id,label\n"a\nb",1,1_1,MAYBE\n'
    _, findings = gold_of(tmp_path, text)
    assert positions(findings) == [("AVE406", 3, 10)]  # b",1,1_1,MAYBE
    (finding,) = findings
    assert finding.text == 'b",1,1_1,MAYBE'


@every_notation
def test_a_collection_without_labels_needs_them_for_scoring(tmp_path: Path, notation: str) -> None:
    rows = [[*row[:2], *row[3:]] for row in GOLD]
    gold, findings = gold_of(tmp_path, WRITERS[notation](rows))
    assert gold is None
    assert [found.rule.code for found in findings] == ["AVE407"] * 5
    gold, findings = gold_of(tmp_path, WRITERS[notation](rows), needs_labels=False)
    assert gold is not None
    assert {*gold.labels} == {Label.NONE}


@every_notation
def test_a_question_may_have_no_answers(tmp_path: Path, notation: str) -> None:
    rows = [*GOLD, ("4", "", "", "Why?", "", "", "", "reason")]
    gold, findings = gold_of(tmp_path, WRITERS[notation](rows))
    assert gold is not None
    assert gold.index.questions == ["1", "2", "3", "4"]
    assert [found.rule.code for found in findings] == ["AVE405"]


def test_what_differs_within_a_question_is_reported(tmp_path: Path) -> None:
    text = "q_id,a_id,label,question,type\n1,a,VALIDATED,Who?,x\n1,b,REJECTED,Whom?,y\n"
    gold, findings = gold_of(tmp_path, text)
    assert positions(findings) == [("AVE909", 3, 14), ("AVE510", 3, 20)]
    assert gold is not None
    assert gold.attributes == {}


def test_swapped_files_are_told_apart(tmp_path: Path) -> None:
    gold, findings = gold_of(tmp_path, HEAD + SOUND)
    assert gold is None
    assert "swapped" in only(findings)
    source = Source(put(tmp_path, separated(",")(GOLD), "run"))
    runs, (findings,) = check_submission(source, collection_of(tmp_path))
    assert runs is None
    assert "swapped" in only(findings)


# --- the command line -----------------------------------------------------------------------------


@every_notation
def test_score_prints_the_same_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], notation: str
) -> None:
    xml = "".join(
        f'<q id="{q}">' + "".join(f'<a id="{r[1]}" value="{r[2]}"/>' for r in GOLD if r[0] == q)
        + "</q>" for q in ("1", "2", "3")
    )  # fmt: skip
    gold = put(tmp_path, f"<ave>{xml}</ave>", "gold.xml")
    run = put(tmp_path, "".join(" ".join(row) + "\n" for row in RUN[1:]), "run.txt")
    assert ave_score(["score", str(gold), str(run), "-f", "csv"]) == 0
    expected = capsys.readouterr().out
    (tmp_path / "other").mkdir()
    gold = put(tmp_path / "other", WRITERS[notation](GOLD), "gold.data")
    run = put(tmp_path / "other", WRITERS[notation](RUN), "run.data")
    assert ave_score(["score", str(gold), str(run), "-f", "csv"]) == 0
    assert capsys.readouterr().out == expected


def test_columns_are_named_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (HEAD + SOUND).replace("a_id", "cand").replace("SELECTED", "yes")
    run = str(put(tmp_path, text.replace("VALIDATED", "yes2"), "run.csv"))
    options = ["--columns", "a_id=cand", "--values", "yes=SELECTED,yes2=VALIDATED"]
    assert ave_score(["check", run, *options]) == 0
    assert ave_score(["check", run]) == 1
    assert "the header has no column a_id" in capsys.readouterr().out
    assert ave_score(["check", run, "--values", "yes=GOOD"]) == 2
    assert "unknown value 'GOOD'" in capsys.readouterr().err
    assert ave_score(["check", run, "--columns", "cand"]) == 2
    assert "--columns: found 'cand'" in capsys.readouterr().err


@pytest.mark.parametrize("with_texts", [False, True])
@pytest.mark.parametrize(
    ("xml", "labels"),
    [
        (
            '<c><pair id="1" entailment="ENTAILMENT"/><pair id="2" entailment="CONTRADICTION"/>'
            '<pair id="3" entailment="UNKNOWN"/><pair id="4" value="YES"/></c>',
            "VRUV",
        ),
        (
            '<c><q id="1"><a id="1" value="ENTAILMENT"/><a id="2" value="CONTRADICTION"/>'
            '<a id="3" value="UNKNOWN"/></q></c>',
            "VRU",
        ),
    ],
    ids=["pairs", "questions"],
)
def test_labels_of_xml_may_have_other_words(xml: str, labels: str, *, with_texts: bool) -> None:
    words = {"ENTAILMENT": "VALIDATED", "CONTRADICTION": "REJECTED"}
    source = Source.holding("gold.xml", xml.encode(), Naming(values=words))
    collection, (findings, *_) = check_collection(source, with_texts=with_texts)
    assert collection is not None, [*map(str, findings)]
    assert "".join(Label(label).name[0] for label in collection.labels) == labels
    collection, (findings, *_) = check_collection(Source.holding("gold.xml", xml.encode()))
    assert collection is None
    assert {found.rule.code for found in findings} == {"AVE406"}
    assert all("--values says" in found.rule.help for found in findings)


def test_labels_and_verdicts_may_have_the_same_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = put(tmp_path, "id;cand;ok\n1;a;yes\n1;b;no\n", "gold.csv")
    run = put(tmp_path, "id;cand;ok;p\n1;a;best;0.5\n1;b;no;0.2\n", "run.csv")
    columns = "q_id=id,a_id=cand,label=ok,verdict=ok,confidence=p"
    values = "yes=VALIDATED,no=REJECTED,best=SELECTED"
    options = ["--columns", columns, "--values", values, "-m", "qa_accuracy", "-f", "csv"]
    assert ave_score(["score", str(gold), str(run), *options]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(",1.0")  # the question is right


@fuzzed
@given(data=st.one_of(broken(HEAD + SOUND), broken(json_lines(GOLD)), broken(separated(";")(GOLD))))
def test_damaged_tables_raise_nothing(data: bytes) -> None:
    for kind in (None, FileKind.RUN, FileKind.COLLECTION, FileKind.KEY):
        checked = check_file(Source.holding("file", data), kind)
        assert checked.contents is not None or checked.findings.errors


# --- fixing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("notation", ["csv", "tsv", "csv2", "jsonl"])
def test_fix_changes_nothing_but_the_defects(tmp_path: Path, notation: str) -> None:
    """By hand: a verdict in lowercase, a decimal comma, a repetition, and an unknown column."""
    head = (*RUN[0], "note")
    notes = ['a "quoted" text', "x;y", "", "a,b", ""]
    right = [head, *([*row, note] for row, note in zip(RUN[1:], notes, strict=True))]
    text = WRITERS[notation](right)
    wrong = text.replace("VALIDATED", "validated")
    wrong += wrong.splitlines(keepends=True)[-1]
    source = Source.holding("run", wrong.encode())
    fixed = fix_run(source, collection_of(tmp_path).index)
    assert fixed.text == text
    assert [change.rule.code for change in fixed.changes] == ["AVE103", "AVE205"]
    assert not fixed.left.errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a decimal comma
        ('q_id;a_id;verdict;confidence\n1;1_1;SELECTED;0,5\n',
         'q_id;a_id;verdict;confidence\n1;1_1;SELECTED;0.5\n'),
        ('q_id,a_id,verdict,confidence\n1,1_1,SELECTED,"0,5"\n',
         'q_id,a_id,verdict,confidence\n1,1_1,SELECTED,"0.5"\n'),
        ('{"q_id": 1, "a_id": "1_1", "verdict": "SELECTED", "confidence": "0,5"}\n',
         '{"q_id": 1, "a_id": "1_1", "verdict": "SELECTED", "confidence": "0.5"}\n'),
        # a verdict of JSON keeps its quotes
        ('{"verdict": "selected", "q_id": 1, "a_id": "1_1", "confidence": 1}\n',
         '{"verdict": "SELECTED", "q_id": 1, "a_id": "1_1", "confidence": 1}\n'),
        # no SELECTED answer, the more confident is selected
        ('verdict\tq_id\ta_id\tconfidence\nVALIDATED\t1\ta\t0.2\nVALIDATED\t1\tb\t0.3\n',
         'verdict\tq_id\ta_id\tconfidence\nVALIDATED\t1\ta\t0.2\nSELECTED\t1\tb\t0.3\n'),
        ('{"q_id": 1, "a_id": "a", "verdict": "VALIDATED", "confidence": 0.2}\n'
         '{"q_id": 1, "a_id": "b", "verdict": "VALIDATED", "confidence": 0.3}\n',
         '{"q_id": 1, "a_id": "a", "verdict": "VALIDATED", "confidence": 0.2}\n'
         '{"q_id": 1, "a_id": "b", "verdict": "SELECTED", "confidence": 0.3}\n'),
    ],
)  # fmt: skip
def test_fixes_of_tables_by_hand(text: str, expected: str) -> None:
    assert fix_run(Source.holding("run", text.encode()), unsafe=True).text == expected


def test_missing_answers_become_rows(tmp_path: Path) -> None:
    index = collection_of(tmp_path).index
    naming = Naming({"a_id": "cand"}, {"no": "REJECTED"})
    text = HEAD.replace("a_id", "x,cand") + "".join(
        f"{q},,{a},{verdict},{number}\n".replace("REJECTED", "no")
        for q, a, verdict, number in RUN[1:-1]
    )
    fixed = fix_run(Source.holding("run", text.encode(), naming), index, unsafe=True)
    assert fixed.text == text + "3,,3_1,REJECTED,0\n"
    text = "".join(json_lines(RUN).splitlines(keepends=True)[:-1])
    fixed = fix_run(Source.holding("run", text.encode()), index, unsafe=True)
    added = '{"q_id": "3", "a_id": "3_1", "verdict": "REJECTED", "confidence": 0}\n'
    assert fixed.text == text + added


def test_fix_writes_a_copy_with_the_suffix_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = put(tmp_path, (HEAD + SOUND).replace("VALIDATED", "validated"), "run.csv")
    assert ave_score(["fix", str(path)]) == 0
    assert (tmp_path / "run.fixed.csv").read_text() == HEAD + SOUND
    assert ave_score(["fix", str(tmp_path)]) == 0  # replaces its own copy, and does not read it
    assert [*sorted(file.name for file in tmp_path.glob("run*"))] == ["run.csv", "run.fixed.csv"]
    text = HEAD + '1,1_1,selected,0.5\n1,1_2,"a\nb",0.5\n'  # rows of several lines stay as they are
    assert fix_run(Source.holding("run", text.encode()), unsafe=True).text == text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"q_id": null, "a_id": "1_1", "verdict": "SELECTED", "confidence": 1}', ("AVE505", 10)),
        ('{"q_id": "1", "a_id": null, "verdict": "SELECTED", "confidence": 1}', ("AVE505", 23)),
        ('{"q_id": "1", "a_id": ["x"], "verdict": "SELECTED", "confidence": 1}', ("AVE906", 23)),
        ('{"q_id": {"x": 1}, "a_id": "1", "verdict": "SELECTED", "confidence": 1}', ("AVE906", 10)),
        ('{"pair_id": null, "verdict": "YES"}', ("AVE505", 13)),
        ('{"pair_id": [], "verdict": "YES"}', ("AVE906", 13)),
    ],
)
def test_no_row_of_json_without_an_id_is_skipped_silently(
    tmp_path: Path, line: str, expected: tuple[str, int]
) -> None:
    sound = line.replace("null", '"0"').replace('["x"]', '"0"').replace("[]", '"0"')
    path = put(tmp_path, sound.replace('{"x": 1}', '"0"') + "\n" + line + "\n", "run.jsonl")
    code, column = expected
    assert positions(check_file(Source(path), FileKind.RUN).findings) == [(code, 2, column)]


@pytest.mark.parametrize("kind", [FileKind.RUN, FileKind.COLLECTION, FileKind.SCORES])
def test_an_object_of_several_lines_belongs_on_one(tmp_path: Path, kind: FileKind) -> None:
    row = {"q_id": "1", "a_id": "1_1", "label": "VALIDATED", "verdict": "SELECTED", "confidence": 1}
    path = put(tmp_path, json.dumps(row, indent=2), "rows.json")
    (finding,) = check_file(Source(path), kind).findings
    assert finding.rule.code == "AVE116"
    assert "write each object on one line" in finding.message


def test_a_column_that_is_read_is_not_what_a_missing_one_was_meant_to_be(tmp_path: Path) -> None:
    path = put(tmp_path, '{"a_id": "1", "verdict": "SELECTED", "confidence": 1}\n', "run.jsonl")
    (finding,) = check_file(Source(path), FileKind.RUN).findings
    assert finding.message == "no key 'q_id' in the object"


# --- files of spreadsheets ------------------------------------------------------------------------


def test_csv_of_a_spreadsheet_is_read_without_a_warning(tmp_path: Path) -> None:
    """CRLF is the line end of CSV (RFC 4180), and empty rows have separators only."""
    text = (HEAD + SOUND + ",,,\n,,,\n").replace("\n", "\r\n")
    run, findings = run_of(tmp_path, text)
    assert run is not None
    assert not len(findings)
    _, findings = run_of(tmp_path, WRITERS["tsv"](RUN).replace("\n", "\r\n"))
    assert [found.rule.code for found in findings] == ["AVE112"]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("has_header", [True, False])
def test_groups_and_clusters_may_be_csv(tmp_path: Path, mark: str, has_header: bool) -> None:
    text = f"run{mark}group\n" * has_header + f"a{mark}U. Jaén\nb{mark}UNED\n"
    groups, (findings,) = check_groups(Source(put(tmp_path, text, "groups")))
    assert not len(findings)
    assert groups == {"a": "U. Jaén", "b": "UNED"}
    text = f"q_id{mark}cluster\n" * has_header + f"1{mark}x\n2{mark}y\n"
    clusters, (findings,) = check_clusters(Source(put(tmp_path, text, "clusters")), ["1", "2"])
    assert not len(findings)
    assert clusters is not None
    assert clusters.of == {"1": "x", "2": "y"}


def test_a_tab_separates_even_if_there_are_commas(tmp_path: Path) -> None:
    groups, (findings,) = check_groups(Source(put(tmp_path, "a\tx, y, z\nb\tu\n", "groups")))
    assert not len(findings)
    assert groups == {"a": "x, y, z", "b": "u"}
