"""Text-hypothesis pairs (AVE 2006, SPARTE): collections, runs, their figures, and fixing."""

from __future__ import annotations

import json
import math
import re
import tempfile
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

import ave_score
from ave_score import Collection, Findings, Label, Run, Verdict
from tests import each
from tests.helpers_check import FORMATS
from tests.helpers_command import ave, refusal
from tests.helpers_command import output as output_of
from tests.helpers_files import PAIRS, assert_safe, check, collection_of, only, positions, put

RUN = "1 YES 0.9\n2 NO 0.4\n3 NO 0.1\n4 YES 0.8\n"
ROWS = RUN.splitlines()

NO_SELECTION = "None: pairs belong to no question, so that nothing is selected or answered."


def pairs_of(labels: Sequence[str | None]) -> str:
    """Return a collection of pairs 1, 2, ... with these labels; None is no label at all."""
    body = "".join(
        f'<pair id="{number}"{"" if label is None else f" value={chr(34)}{label}{chr(34)}"}>'
        "<q>?</q><t>x</t><h>y</h></pair>\n"
        for number, label in enumerate(labels, 1)
    )
    return f"<entailment-corpus>\n{body}</entailment-corpus>\n"


def read(folder: Path, data: str | bytes) -> Collection:
    """Read a collection in which nothing is found."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ave_score.read_collection(put(folder, data, "pairs.xml"))


def refused(folder: Path, data: str) -> Findings:
    """Return what is found in a collection that cannot be scored against."""
    with pytest.raises(ave_score.DefectError) as error:
        read(folder, data)
    return error.value.findings


def labels_of(collection: Collection) -> list[str]:
    return [Label(code).name for code in collection.labels]


def with_line(number: int, line: str) -> str:
    """Return the sound run with one line replaced."""
    return "".join(f"{line if at == number else row}\n" for at, row in enumerate(ROWS, 1))


def verdicts(run: Run | None) -> list[str]:
    assert run is not None
    return [Verdict(code).name for code in run.verdicts]


output = partial(output_of, "score")


def test_pairs_are_answers_without_questions(tmp_path: Path) -> None:
    collection = collection_of(tmp_path, PAIRS)
    assert not collection.index.has_questions
    assert collection.index.questions == []
    assert collection.index.a_ids == ["1", "2", "3", "4"]
    assert labels_of(collection) == ["VALIDATED", "REJECTED", "UNKNOWN", "VALIDATED"]
    assert collection.languages == ("EN",)


def test_sparte_says_true_and_false(tmp_path: Path) -> None:
    collection = read(tmp_path, pairs_of(["TRUE", "FALSE", "UNKNOWN", "TRUE"]))
    assert labels_of(collection) == ["VALIDATED", "REJECTED", "UNKNOWN", "VALIDATED"]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "cp1252"])
def test_pairs_may_be_in_any_declared_encoding(tmp_path: Path, encoding: str) -> None:
    text = PAIRS.replace("UTF-8", encoding).replace("Ann", "Añà &amp; &lt;é>")
    text = text.replace('id="2"', 'id="zwei-ä"').replace("?>", "?>\n<!DOCTYPE c SYSTEM 'c.dtd'>")
    collection = read(tmp_path, text.encode(encoding))
    assert collection.index.a_ids == ["1", "zwei-ä", "3", "4"]


@pytest.mark.parametrize("xml", [
    PAIRS.replace('"', "'"),
    PAIRS.replace("<pair", "<x:pair").replace("</pair", "</x:pair").replace("-corpus lang",
        "-corpus xmlns:x='u' lang"),
    PAIRS.replace("-corpus lang", "-corpus xmlns='u' lang"),
    PAIRS.replace("\n", "\r\n"),
    PAIRS.replace("<pair ", "<pair\n\t").replace("\n</ent", "<!-- <pair id='9'/> --></ent"),
], ids=["quotes", "prefix", "namespace", "crlf", "blanks"])  # fmt: skip
def test_the_same_pairs_are_read_however_they_are_written(tmp_path: Path, xml: str) -> None:
    collection = read(tmp_path, xml)
    assert collection.index.a_ids == ["1", "2", "3", "4"]
    assert labels_of(collection) == ["VALIDATED", "REJECTED", "UNKNOWN", "VALIDATED"]


def test_a_collection_of_pairs_that_ends_in_a_tag_is_refused(tmp_path: Path) -> None:
    """Where the parsers notice it differs; `tests/data/files/pairs.toml` has the other defects."""
    findings = refused(tmp_path, '<c>\n<pair id="1" value="YES"/>\n<pair\n</c>')
    assert [code for code, _, _ in positions(findings)] == ["AVE401"]
    assert_safe(findings)


def test_a_label_that_is_written_otherwise_is_repeated_with_what_was_meant(tmp_path: Path) -> None:
    message = only(refused(tmp_path, pairs_of(["yes"])))
    assert message.startswith("found 'yes', expected one of YES, NO, UNKNOWN, TRUE, FALSE")
    assert "did you mean YES?" in message


def test_pairs_need_labels_to_be_scored_against_and_are_checked_without(tmp_path: Path) -> None:
    file = str(put(tmp_path, pairs_of([None, None]), "test.xml"))
    run = str(put(tmp_path, "1 YES\n2 NO\n"))
    err = refusal("score", file, run, code=1)
    assert "pair '1' has no gold label" in err
    code, out, _ = ave("check", file, "--format", "json")
    assert code == 0
    assert json.loads(out)["files"][0]["contents"] == {"pairs": 2, "unlabelled": 2}


def test_a_key_to_pairs_is_not_said_to_be_about_pairs_that_do_not_exist(tmp_path: Path) -> None:
    file = str(put(tmp_path, pairs_of([None]), "test.xml"))
    run, key = put(tmp_path, "1 YES\n"), put(tmp_path, "1 1 VALIDATED\n", "key.txt")
    code, _, err = ave("score", file, run, "--key", key)
    assert code in {1, 2}
    assert "has no pair '1'" not in err, "it has"


@pytest.fixture
def pairs(tmp_path: Path) -> Collection:
    """The small collection."""
    return collection_of(tmp_path, PAIRS)


def test_a_run_may_have_confidences_or_not_or_some(tmp_path: Path, pairs: Collection) -> None:
    run, findings = check(tmp_path, RUN, pairs)
    assert not len(findings)
    assert verdicts(run) == ["VALIDATED", "REJECTED", "REJECTED", "VALIDATED"]
    assert run is not None
    assert list(run.confidences) == [0.9, 0.4, 0.1, 0.8]
    run, findings = check(tmp_path, "4 YES\n2\tNO 0.5\n# all\n\n 3 NO\n1  YES \n", pairs)
    assert not len(findings)
    assert verdicts(run) == ["VALIDATED", "REJECTED", "REJECTED", "VALIDATED"]
    assert run is not None
    assert [math.isnan(one) for one in run.confidences] == [True, False, True, True]
    assert list(run.lines) == [6, 2, 5, 1]


def test_what_to_do_is_right_for_pairs_and_for_answers(tmp_path: Path, pairs: Collection) -> None:
    """One line of help serves both kinds: the words of neither are called an assessor's."""
    (label,) = check(tmp_path, with_line(2, "2 TRUE 0.4"), pairs)[1]
    of_runs, _, of_assessors = label.rule.help.partition(";")
    for word in ("SELECTED", "VALIDATED", "REJECTED", "YES", "NO"):  # AVE 2007-2008, AVE 2006
        assert re.search(rf"\b{word}\b", of_runs)
        assert not re.search(rf"\b{word}\b", of_assessors)
    (unknown, _) = check(tmp_path, with_line(2, "02 NO 0.4"), pairs)[1]
    assert unknown.rule.code == "AVE202"
    assert "0001 and 1 differ" in unknown.rule.help  # ids of pairs have no underscore
    (number,) = check(tmp_path, with_line(2, "2 NO low"), pairs)[1]
    assert "fourth" not in number.rule.help


def test_a_missing_pair_is_no_under_the_policy(tmp_path: Path, pairs: Collection) -> None:
    with pytest.warns(ave_score.AveScoreWarning, match=r"AVE207 .*\n.* AVE207 "):
        run = ave_score.read_run(put(tmp_path, "1 YES\n4 YES\n"), pairs, missing="rejected")
    assert verdicts(run) == ["VALIDATED", "REJECTED", "REJECTED", "VALIDATED"]


@pytest.mark.parametrize(("text", "is_pairs"), [
    (RUN, True),
    ("1 YES\n", True),
    ("1 no\n", True),
    ("\ufeff# a\r\n\r\npair_id entailment confidence\r\n1\tYES\t0.5\r\n", True),
    ("1 1_1 SELECTED 0.5\n", False),
    ("YES NO SELECTED 0.5\n", False),
])  # fmt: skip
def test_without_a_collection_first_lines_tell(tmp_path: Path, text: str, is_pairs: bool) -> None:
    findings = ave_score.check(put(tmp_path, f"{text}1 2 3 4 5\n")).findings
    (message,) = [one.message for one in findings if one.rule.code == "AVE101"]
    assert ("expected 2 or 3: pair_id" in message) == is_pairs


def test_a_run_of_the_other_kind_is_reported(tmp_path: Path, pairs: Collection) -> None:
    ave_collection = collection_of(tmp_path)
    _, findings = check(tmp_path, RUN, ave_collection)
    assert {code for code, _, _ in positions(findings)} == {"AVE101"}
    assert "pairs (AVE 2006)" in next(iter(findings)).message
    _, findings = check(tmp_path, "1 1_1 SELECTED 0.5\n1 1_2 REJECTED 0.5\n", pairs)
    assert {code for code, _, _ in positions(findings)} == {"AVE101"}
    assert "pair_id YES|NO" in next(iter(findings)).message


@pytest.mark.parametrize(("data", "code", "line"), [
    (RUN.encode() + b"5 \0YES\n", "AVE117", 1),
    (RUN.encode() + b"x" * 3_000_000 + b" NO\n", "AVE114", 5),
    (b"1 YES 0.9\n2 NO\xe9 0.4\n3 NO\n4 NO\n", "AVE110", 2),
    (RUN.encode("utf-16"), "AVE118", 1),
    (b"<?xml version='1.0'?>\n<output/>", "AVE116", 1),
    (b"[1, 2]", "AVE116", 1),
    (b"", "AVE115", None),
], ids=["NUL", "long", "latin-1", "utf-16", "xml", "json", "empty"])  # fmt: skip
def test_what_is_no_run_is_called_what_it_is(
    tmp_path: Path, pairs: Collection, data: bytes, code: str, line: int | None
) -> None:
    run, findings = check(tmp_path, data, pairs)
    assert run is None
    assert [(found, at) for found, at, _ in positions(findings)] == [(code, line)]
    assert len(only(findings)) < 500
    assert_safe(findings)


# By hand: of 7 judged pairs (the eighth is UNKNOWN) 3 are right; YES is said of 1 and 2 rightly, of
# 4 wrongly, NO of 3 wrongly and of 5, 6, 7 rightly: precision and recall are 2/3, so F is 2/3.
GOLD = ["YES", "YES", "YES", "NO", "NO", "NO", "NO", "UNKNOWN"]
SAID = ["YES", "YES", "NO", "YES", "NO", "NO", "NO", "YES"]
BY_HAND = {"f1": 2 / 3, "precision": 2 / 3, "recall": 2 / 3, "accuracy": 5 / 7, "fp_rate": 1 / 4}


def files(folder: Path, gold: Sequence[str] = GOLD, *, number: str = " 0.5") -> list[str]:
    rows = "".join(f"{at} {word}{number}\n" for at, word in enumerate(SAID, 1))
    return [str(put(folder, pairs_of(gold), "gold.xml")), str(put(folder, rows, "mine.txt"))]


@pytest.mark.parametrize("number", ["", " 0.5"])
@pytest.mark.parametrize("sparte", [False, True])
def test_pairs_have_validation_measures_and_no_others(
    tmp_path: Path, number: str, sparte: bool
) -> None:
    words = {"YES": "TRUE", "NO": "FALSE"} if sparte else {}
    gold = [words.get(label, label) for label in GOLD]
    out = output(*files(tmp_path, gold, number=number), "--format", "json")
    document = json.loads(out)
    assert document["collection"] | {"path": "", "sha256": ""} == {
        "path": "", "sha256": "", "questions": 0, "answers": 8, "validated": 3, "rejected": 4,
        "unknown": 1, "questions_with_correct": 0, "is_pairs": True, "languages": [],
        "available": None,
    }  # fmt: skip
    mine, *baselines = document["runs"]
    assert mine["counts"].items() >= {
        "validated_correct": 2, "validated_incorrect": 1, "rejected_correct": 1,
        "rejected_incorrect": 3, "validated_unknown": 1, "rejected_unknown": 0,
    }.items()  # fmt: skip
    assert {name: mine["measures"][name] for name in BY_HAND} == pytest.approx(BY_HAND)
    assert not {"qa_accuracy", "headroom", "c_at_1", "utility", "macro_f1"} & {*mine["measures"]}
    assert not {"selected_right", "answered_right", "unanswered"} & mine["counts"].keys()
    names = [row["run"] for row in baselines]
    assert names == ["100% VALIDATED", "50% VALIDATED", "0% VALIDATED"]
    assert baselines[0]["measures"]["precision"] == pytest.approx(3 / 7)


@pytest.mark.parametrize("format_", ["table", "markdown", "latex"])
def test_the_table_of_selections_says_why_it_is_absent(tmp_path: Path, format_: str) -> None:
    out = output(*files(tmp_path), "--format", format_)
    assert NO_SELECTION not in out  # nobody asked
    out = output(*files(tmp_path), "--format", format_, "--measures", "ave2007")
    assert NO_SELECTION in out
    assert "8 pairs: 3 validated, 4 rejected, 1 unknown" in out
    assert "0.67" in out
    assert "Perfect" not in out


def test_asking_for_selections_alone_gives_the_reason_alone(tmp_path: Path) -> None:
    out = output(*files(tmp_path), "--measures", "selection")
    assert NO_SELECTION in out
    assert "Validation" not in out


@pytest.mark.parametrize("unknown", ["incorrect", "correct"])
def test_unknown_pairs_count_as_they_are_told_to(tmp_path: Path, unknown: str) -> None:
    out = output(*files(tmp_path), "--unknown", unknown, "--format", "json")
    counts = json.loads(out)["runs"][0]["counts"]
    right = unknown == "correct"  # pair 8, of which YES is said
    assert counts["validated_correct"] == 2 + right
    assert counts["validated_incorrect"] == 1 + (not right)


def test_csv_has_no_columns_of_selections(tmp_path: Path) -> None:
    head, row, *_ = output(*files(tmp_path), "--format", "csv").splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert cells["run"] == "mine"
    assert cells["validated_correct"] == "2"
    assert not {"selected_right", "answered_right", "qa_accuracy", "macro_f1"} & cells.keys()
    assert [name for name, cell in cells.items() if cell == ""] == ["team", "note", "primary"]


def test_a_qa_system_has_no_row_where_there_are_no_questions(tmp_path: Path) -> None:
    judged = str(put(tmp_path, "q_id\trun\tjudgement\n1\tqa\tR\n", "qa.tsv"))
    code, out, _ = ave("score", *files(tmp_path), "--qa", judged)
    assert code in {0, 1, 2}
    assert "n/a" not in out, "a table of nothing, where the reason should stand"


def fixed_text(text: str, collection: Collection | None, *, unsafe: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        done = ave_score.fix(put(Path(folder), text), collection, unsafe=unsafe)
    return done.document.encoded().decode()


def test_what_can_be_fixed_safely_is(pairs: Collection) -> None:
    text = "\ufeffpair_id answer confidence\r\n1 yes 0,9\r\n2\u00a0NO 0.4\r\n3 No\r\n4 YES 0.8\r\n"
    for collection in (pairs, None):
        fixed = fixed_text(text, collection, unsafe=False)
        assert fixed == "# pair_id answer confidence\n1 YES 0.9\n2 NO 0.4\n3 NO\n4 YES 0.8\n"


@pytest.mark.parametrize("other", ["1 NO", "1 NO 0.9\n1 YES"])
def test_without_confidences_neither_of_two_lines_is_chosen(pairs: Collection, other: str) -> None:
    text = RUN.replace("1 YES 0.9", "1 YES") + other + "\n"
    fixed = fixed_text(text, pairs, unsafe=True)
    said = {line.split()[1] for line in fixed.splitlines() if line.startswith("1 ")}
    assert said == {"YES", "NO"}


BARE, TWICE = RUN.replace("1 YES 0.9", "1 YES"), RUN + "1 NO 0.95\n2 YES 0.4\n"
LACKING = "1 YES 0.9\n2 NO 0.9\n4 YES 0.9\n"


@each("text, safe, unsafe", [
    *((text,) * 3 for text in (RUN, "# x\n1\tYES\n\n2  NO 0.5\n3 NO\n4 YES")),
    # a line that is said twice goes; of two lines the more confident is kept
    (RUN + "1 YES 0.9\n", RUN, RUN),
    (BARE + "1 YES\n", BARE, BARE),
    (TWICE, TWICE, "2 NO 0.4\n3 NO 0.1\n4 YES 0.8\n1 NO 0.95\n"),
    # a missing pair is NO, with a confidence if others have one
    (LACKING, LACKING, LACKING + "3 NO 0\n"),
    (LACKING.replace(" 0.9", ""), LACKING.replace(" 0.9", ""), "1 YES\n2 NO\n4 YES\n3 NO\n"),
    # a pair whose line is unreadable is not added again
    *((with_line(3, line),) * 3 for line in ("3", "3 perhaps", "3 UNKNOWN 0.5", "3 NO 0.1 x")),
])  # fmt: skip
def test_a_run_of_pairs_is_fixed(pairs: Collection, text: str, safe: str, unsafe: str) -> None:
    assert fixed_text(text, pairs, unsafe=False) == safe
    assert fixed_text(text, pairs, unsafe=True) == unsafe


@pytest.mark.parametrize("format_", FORMATS)
def test_check_reveals_nothing_about_the_labels_of_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, RUN, "good.txt")
    put(tmp_path, RUN.replace("2 NO", "1 no").replace("4 YES", "9 YES 0,1 x"), "bad.txt")
    put(tmp_path, "1 1 VALIDATED\n", "key.txt")
    put(tmp_path, "q_id\trun\tjudgement\ta_id\n1\tA\tR\t1\n", "judged.tsv")
    put(tmp_path, "<output><question q_id='1' answered='NO'/></output>", "answers.xml")
    names = ["good.txt", "bad.txt", "key.txt", "judged.tsv", "answers.xml"]
    shown = set()
    for labels in (
        [None] * 4, ["YES"] * 4, ["NO", "YES", "UNKNOWN", "NO"], ["TRUE", "FALSE", "PSST", ""],
    ):  # fmt: skip
        put(tmp_path, pairs_of(labels), "gold.xml")
        shown.add(ave("check", *names, "--collection", "gold.xml", "--format", format_))
    assert len(shown) == 1
    code, out, err = next(iter(shown))
    assert code == 1
    assert "AVE103" in out
    assert "PSST" not in out + err


GOLD_OF_WORDS = {
    "gold.xml": '<c><pair id="1" value="x"/><pair id="2" value="-"/><pair id="3" value="x"/></c>',
    "gold.csv": "pair_id,label\n1,x\n2,-\n3,x\n",
}
RUNS_OF_WORDS = {
    "run.txt": "1 x 0.9\n2 - 0.8\n3 - 0.7\n",
    "bare.txt": "1 x\n2 -\n3 -\n",
    "run.csv": "pair_id,verdict,confidence\n1,x,0.9\n2,-,0.8\n3,-,0.7\n",
    "run.jsonl": '{"pair_id": "1", "verdict": "x"}\n{"pair_id": "2", "verdict": "-"}\n'
    '{"pair_id": "3", "verdict": "-"}\n',
}


@each("values", ["x=YES,-=NO", "x=VALIDATED,-=REJECTED"])
def test_words_of_pairs_are_named_by_yes_and_no(
    values: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two correct pairs is validated, and no other: F = 2 * 1 / (2 * 1 + 1)."""
    monkeypatch.chdir(tmp_path)
    for name, text in (GOLD_OF_WORDS | RUNS_OF_WORDS).items():
        put(tmp_path, text, name)
    signatures = set()
    for gold in GOLD_OF_WORDS:
        for run in RUNS_OF_WORDS:
            out = output_of("score", gold, run, "--values", values, "-m", "f1", "-f", "json")
            document = json.loads(out)
            assert document["runs"][0]["measures"]["f1"] == pytest.approx(2 / 3), (gold, run)
            signatures.add(document["signature"].partition("|collection:")[0])
            output_of("check", run, "--collection", gold, "--values", values)
    assert len(signatures) == 1  # both ways to name them mean the same
    for run in RUNS_OF_WORDS:
        assert "3 pairs, 1 validated" in output_of("check", run, "--values", values), run
        written = output_of("convert", run, "--values", values, "--to", "csv")
        assert [row.split(",")[1] for row in written.split()] == ["verdict", "YES", "NO", "NO"]


def test_named_words_of_lines_are_converted(tmp_path: Path) -> None:
    run = put(tmp_path, "1 1_1 x 0.9\n1 1_2 - 0.8\n", "run.txt")
    out = output_of("convert", run, "--values", "x=SELECTED,-=REJECTED", "--to", "csv")
    assert out == "q_id,a_id,verdict,confidence\n1,1_1,SELECTED,0.9\n1,1_2,REJECTED,0.8\n"
