"""Responses to list, factoid and definition questions: reading and defects."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, DefectError, FileKind, Findings, UsageError
from ave_score.commands import run
from ave_score.core.open_questions import OpenGold, Response, ResponseRun
from ave_score.files.answer_sets import check_answer_sets
from ave_score.files.responses import check_responses
from ave_score.files.source import Source
from tests import examples
from tests.conftest import ROOT
from tests.helpers_check import Capture, ave, codes
from tests.helpers_files import (
    COLLECTION,
    Position,
    broken,
    checked,
    fuzzed,
    only,
    positions,
    put,
)

GOLD = """\
{"questions": [
  {"id": "1", "sets": [{"answers": [["Spain", "España"], "France"]}]},
  {"id": "2", "sets": []},
  {"id": "3", "type": "factoid", "sets": [{"answers": [["1492"]]}]},
  {"id": "4", "type": "definition", "nuggets": [
    {"id": "1", "vital": true, "text": "a"}, {"id": "b.2", "vital": false, "text": "c"}]}
]}
"""
ROWS = """\
q_id\tanswer\tnuggets
1\tEspaña\t
1\tItaly\t
2\tnil\t
3\tin 1492\t
4\ta, and c\t1, b.2
4\tc again\tb.2 b.2
"""
READ = {
    "1": [Response(2, "1", "España"), Response(3, "1", "Italy")],
    "2": [Response(4, "2", "nil")],
    "3": [Response(5, "3", "in 1492")],
    "4": [Response(6, "4", "a, and c", ("1", "b.2")), Response(7, "4", "c again", ("b.2",))],
}


@pytest.fixture(scope="module")
def gold() -> OpenGold:
    """Two list questions, one of them without an answer, a factoid and a definition question."""
    checked, (findings,) = check_answer_sets(Source.holding("gold", GOLD.encode()))
    assert checked is not None
    assert not len(findings)
    return checked


def read(data: str | bytes, gold: OpenGold | None) -> tuple[list[ResponseRun] | None, Findings]:
    """Check a file called mine.tsv; where it is sound, there are runs."""
    data = data.encode() if isinstance(data, str) else data
    return checked(check_responses(Source.holding("mine.tsv", data), gold))


# --- what is read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [ROWS, ROWS.rstrip("\n"), ROWS.replace("\n", "\r\n"), "\ufeff" + ROWS,
     ROWS.replace("\t", " \t ")],
    ids=["plain", "no-newline", "CRLF", "BOM", "blanks"],
)  # fmt: skip
def test_a_sound_table_gives_its_responses_in_their_order(text: str, gold: OpenGold) -> None:
    runs, findings = read(text, gold)
    assert not findings.errors
    assert runs == [ResponseRun("mine", "mine.tsv", READ)]
    assert [*runs[0].responses] == ["1", "2", "3", "4"]


def test_two_columns_are_enough_in_any_order(gold: OpenGold) -> None:
    runs, findings = read("answer\tq_id\nx\t4\nSpain\t1\nNIL\t2\nNil\t3\n", gold)
    assert not len(findings)
    assert runs is not None
    assert [*runs[0].responses] == ["4", "1", "2", "3"]
    assert [one.is_nil for given in runs[0].responses.values() for one in given] == [
        *(False, False, True, True)
    ]


@pytest.mark.parametrize("answer", ["NILL", "NIL.", "N I L", "nıl", "0", "no answer", "'NIL'"])
def test_nil_is_exactly_this_word(answer: str) -> None:
    assert not Response(1, "1", answer).is_nil


def test_a_file_may_contain_many_runs(gold: OpenGold) -> None:
    rows = "run\tq_id\tanswer\nb\t3\t1492\na\t3\t1493\nb\t1\tSpain\na\t1\tNIL\n"
    rows += "".join(f"{name}\t{q_id}\tNIL\n" for name in "ab" for q_id in "24")
    runs, findings = read(rows, gold)
    assert not len(findings)
    assert runs is not None
    assert [one.name for one in runs] == ["b", "a"]
    assert runs[1].responses["3"] == [Response(3, "3", "1493")]
    assert runs[0].responses["1"] == [Response(4, "1", "Spain")]


def test_a_run_without_a_column_is_called_by_its_file_or_as_wanted(
    tmp_path: Path, gold: OpenGold
) -> None:
    path = put(tmp_path, gzip.compress(ROWS.encode()), "team_1.tsv.gz")
    (alone,) = ave_score.read_responses(path, gold)
    assert (alone.name, alone.responses) == ("team_1", READ)
    (named,) = ave_score.read_responses(path, gold, name="other")
    assert named.name == "other"
    several = put(tmp_path, "run\tq_id\tanswer\nx\t3\tNIL\n", "several.tsv")
    with pytest.warns(AveScoreWarning):
        (its_own,) = ave_score.read_responses(several, gold, name="other")
    assert its_own.name == "x"


def test_the_shipped_runs_are_sound() -> None:
    asked = ave_score.read_answer_sets(ROOT / "gold/lists.json")
    broad, brief = (
        ave_score.read_responses(ROOT / f"sample_runs/lists/{name}.tsv", asked)[0]
        for name in ("broad", "brief")
    )
    assert [*broad.responses] == [*brief.responses] == [*asked.questions]
    # read off the files
    assert [len(given) for given in broad.responses.values()] == [5, 1, 1, 1, 1, 1]
    assert [one.answer for one in brief.responses["1"]] == ["Birk", "Cole"]
    assert broad.responses["2"][0].is_nil
    assert broad.responses["5"][0].nuggets == ("1", "2")
    assert brief.responses["4"][0].is_nil


# --- what is wrong ------------------------------------------------------------------------------

ALL = "2\tNIL\n3\t1492\n4\tx\n"
"""Rows that leave only question 1."""

WRONG: list[tuple[str, Position, str]] = [
    ("", ("AVE115", None, None), "no responses"),
    ("q_id\tanswer\n", ("AVE115", None, None), "no responses"),
    ("q_id\tjudgement\n1\tR\n", ("AVE501", 1, 1), "a judged file? --kind judged"),
    ("q_id\tquestion\n1\tWho?\n", ("AVE501", 1, 1), "no column answer (a questions table?"),
    ("q_id,answer,run\n1,x\n", ("AVE502", 2, 4), "found 2 fields, expected 3"),
    ("q_id\tanswer\tanswer\n", ("AVE501", 1, 1), "the column answer twice"),
    ("q_id\tanswer\n1\tx\ty\n", ("AVE502", 2, 5), "found 3 fields, expected 2"),
    ("q_id\tanswer\n1\n", ("AVE502", 2, 2), "found 1 field, expected 2"),
    ("q_id\tanswer\n1\t\n", ("AVE505", 2, 3), "the field answer is empty"),
    ("q_id\tanswer\n\tx\n", ("AVE505", 2, 1), "the field q_id is empty"),
    ("q_id\tanswer\trun\n1\tx\t\n", ("AVE505", 2, 5), "the field run is empty"),
    ("q_id\tanswer\na b\tx\n", ("AVE411", 2, 1), "'a b'"),
    (ROWS.replace("nuggets", "nugget").replace("1, b.2", "1"), ("AVE510", 1, 13), "mean nuggets?"),
    ("q_id\tanswer\n1\tx\x07\n", ("AVE113", 2, 4), "U+0007"),
    ("q_id\tanswer\n1\tx\n".encode("utf-16").decode("latin-1"), ("AVE118", 1, None), ""),
    ("<questions/>", ("AVE116", 1, None), "XML"),
    ('["questions"]', ("AVE116", 1, None), "JSON"),
    ('{"q_id": "1"}', ("AVE902", 1, 1), "no key 'answer'"),
    # against the questions
    (f"q_id\tanswer\n1\tx\n{ALL}01\tx\n", ("AVE201", 6, 1), "question '01' is not in"),
    (f"q_id\tanswer\n{ALL}", ("AVE811", None, None), "run 'mine' has no row for question '1'"),
    (f"q_id\tanswer\n1\tx\n{ALL}3\tNile\n", ("AVE814", 6, 1), "gives one at line 4"),
    (f"q_id\tanswer\n1\tx\n{ALL}3\t1492\n", ("AVE814", 6, 1), "question '3' takes one answer"),
    (f"q_id\tanswer\n1\tx\n{ALL}3\tNIL\n", ("AVE815", 6, 3), "another row for it, at line 4"),
    (f"q_id\tanswer\n1\tnil\n1\tx\n{ALL}1\ty\n", ("AVE815", 2, 3), "at line 3"),
    (f"q_id\tanswer\n1\tNIL\n1\tNIL\n{ALL}", ("AVE815", 2, 3), "at line 3"),
    (ROWS.replace("b.2\n", "2\n", 1), ("AVE812", 6, 12), "question '4' has no nugget '2'"),
    (ROWS.replace("1, b.2", "01"), ("AVE812", 6, 12), "no nugget '01'"),
    (ROWS.replace("Italy\t", "Italy\t1"), ("AVE813", 3, 9), "question '1', which is of type list"),
    (ROWS.replace("1492\t", "1492\tx"), ("AVE813", 5, 11), "which is of type factoid"),
    (ROWS.replace("nil\t", "nil\t1"), ("AVE813", 4, 7), "NIL, which holds nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position", "message"), WRONG)
def test_a_defect_is_found_at_its_position(
    text: str, position: Position, message: str, gold: OpenGold
) -> None:
    data = text.encode("latin-1") if position[0] == "AVE118" else text.encode()
    _, findings = read(data, gold)
    assert positions(findings) == [position]
    assert message in only(findings)


def test_each_nugget_that_there_is_not_is_named(gold: OpenGold) -> None:
    _, findings = read(ROWS.replace("1, b.2", "x,1 y"), gold)
    assert positions(findings) == [("AVE812", 6, 12)] * 2
    assert [found.facts["nugget"] for found in findings] == ["x", "y"]


def test_each_run_is_looked_at_alone(gold: OpenGold) -> None:
    rows = "run\tq_id\tanswer\na\t3\t1492\nb\t3\tNIL\n"
    rows += "".join(f"{name}\t{q_id}\tNIL\n" for name in "ab" for q_id in "12")
    _, findings = read(rows, gold)
    assert positions(findings) == [("AVE811", None, None)] * 2
    assert [found.facts for found in findings] == [
        {"run": "a", "q_id": "4"},
        {"run": "b", "q_id": "4"},
    ]


def test_a_run_about_other_questions_is_not_said_to_miss_all_of_these(gold: OpenGold) -> None:
    _, findings = read("q_id\tanswer\n7\tx\n8\tx\n", gold)
    assert positions(findings) == [("AVE201", 2, 1), ("AVE201", 3, 1)]


def test_where_rows_cannot_be_read_no_question_is_said_to_be_missing(gold: OpenGold) -> None:
    _, findings = read("q_id\tanswer\n1\tx\n2\t\n", gold)
    assert positions(findings) == [("AVE505", 3, 3)]
    assert any("AVE811" in what for what in findings.unchecked)


def test_without_answer_sets_all_that_can_be_known_is_checked() -> None:
    rows = "q_id\tanswer\tnuggets\n9\tx\t7\n9\tnil\t\n8\tNIL\t1\n# \tx\t\n7\t\t\n"
    runs, findings = read(rows, None)
    assert runs is None
    assert positions(findings) == [
        ("AVE815", 3, 3),
        ("AVE813", 4, 7),
        ("AVE411", 5, 1),
        ("AVE505", 6, 3),
    ]
    assert any("no answer sets were given" in what for what in findings.unchecked)
    runs, findings = read("q_id\tanswer\n9\tx\n9\ty\n", None)
    assert not len(findings)
    assert runs is not None


def test_the_api_raises_what_is_wrong(tmp_path: Path, gold: OpenGold) -> None:
    with pytest.raises(DefectError, match="AVE814"):
        ave_score.read_responses(put(tmp_path, ROWS + "3\tx\t\n"), gold)


# --- the command line ---------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with answer sets and responses, a collection, and other files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AVE_SCORE_FORMAT", raising=False)
    put(tmp_path, GOLD, "gold.json")
    put(tmp_path, ROWS, "mine.tsv")
    put(tmp_path, COLLECTION, "ave.xml")
    return tmp_path


def document(capsys: Capture, *arguments: str) -> tuple[int, dict[str, object]]:
    """Return the exit code of a check and what it says of its only file."""
    code, out, err = ave(capsys, *arguments, "--format", "json")
    assert err == ""
    (file,) = json.loads(out)["files"]
    return code, file


def test_check_reports_the_contents_of_responses(here: Path, capsys: Capture) -> None:
    for beside in ([], ["--collection", "gold.json"]):
        code, file = document(capsys, "mine.tsv", *beside)
        assert (code, file["kind"]) == (0, "responses")
        assert file["contents"] == {"runs": 1, "questions": 4, "responses": 6}
        assert bool(file["not_checked"]) == (not beside)
    checked = ave_score.check("mine.tsv", kind="responses")
    assert (checked.kind, checked.findings.errors) == (FileKind.RESPONSES, 0)


def test_beside_answer_sets_every_file_is_taken_for_responses(here: Path, capsys: Capture) -> None:
    put(here, ROWS + "3\tx\t\n", "twice.tsv")
    _, out, _ = ave(capsys, "twice.tsv", "--collection", "gold.json", "--format", "json")
    assert codes(json.loads(out)) == [("AVE814", 8, 1)]
    for name in ("ave.xml", "gold.json"):
        code, file = document(capsys, name, "--collection", "gold.json")
        assert (code, file["kind"]) == (1, "responses")
    code, out, err = ave(capsys, "mine.tsv", "--collection", "gold.json", "--kind", "run")
    assert (code, out) == (2, "")
    assert "only responses are checked against these" in err
    gold = ave_score.read_answer_sets("gold.json")
    with pytest.raises(UsageError):
        ave_score.check("mine.tsv", gold, kind="judged")
    assert ave_score.check("mine.tsv", gold).contents is not None


def test_answer_sets_with_defects_end_the_command(here: Path, capsys: Capture) -> None:
    put(here, GOLD.replace('"1"', "1", 1), "bad.json")
    code, out, err = ave(capsys, "mine.tsv", "--collection", "bad.json")
    assert (code, out) == (2, "")
    assert "bad.json:2:10 AVE804" in err
    assert "invalid answer sets: no file can be checked against them" in err


def test_answer_sets_may_be_compressed_standard_input(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin:
        buffer = (here / "packed").open("wb+")

    Stdin.buffer.write(gzip.compress(GOLD.encode()))
    Stdin.buffer.seek(0)
    monkeypatch.setattr("sys.stdin", Stdin)
    code, file = document(capsys, "mine.tsv", "--collection", "-")
    Stdin.buffer.close()
    assert (code, file["findings"]) == (0, [])


def test_beside_a_collection_responses_are_no_run(here: Path, capsys: Capture) -> None:
    _, out, _ = ave(capsys, "mine.tsv", "--collection", "ave.xml", "--format", "json")
    assert codes(json.loads(out)) == [("AVE116", 1, None)]
    assert "--kind responses" in out


@pytest.mark.parametrize(
    "command",
    [["score", "mine.tsv"], ["score", "ave.xml", "mine.tsv"], ["stats", "mine.tsv"],
     ["build", "mine.tsv"], ["fix", "mine.tsv"]],
    ids=" ".join,
)  # fmt: skip
def test_other_commands_refuse_responses(here: Path, command: list[str], capsys: Capture) -> None:
    before = sorted(here.iterdir())
    code = run(command)
    out, err = capsys.readouterr()
    assert code in (1, 2)
    assert not out
    assert "Traceback" not in err
    assert "mine.tsv" in err
    assert sorted(here.iterdir()) == before


# --- any responses ------------------------------------------------------------------------------

answers = st.text("aB é,.<>&\"'{}😀\u00a0", min_size=1, max_size=8).map(str.strip).filter(bool)


@settings(fuzzed)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("124"), answers), min_size=1))
def test_whatever_is_written_is_read(gold: OpenGold, given: list[tuple[str, str, str]]) -> None:
    table = "run\tq_id\tanswer\n" + "".join("\t".join(row) + "\n" for row in given)
    runs, findings = read(table, gold)
    assert not findings.errors
    assert runs is not None
    found = {
        one.line: (run.name, one.q_id, one.answer)
        for run in runs
        for listed in run.responses.values()
        for one in listed
    }
    assert [found[line] for line in sorted(found)] == given
    assert sorted(found) == [*range(2, len(given) + 2)]


@settings(fuzzed, max_examples=examples(200))
@given(data=broken(ROWS))
def test_damaged_tables_are_refused_or_read_and_never_crash(gold: OpenGold, data: bytes) -> None:
    for beside in (gold, None):
        runs, _ = read(data, beside)
        assert runs is None or all(one.responses for one in runs)
