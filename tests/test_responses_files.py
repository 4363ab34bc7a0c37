"""Responses to list, factoid and definition questions: reading and defects."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import ave_score
from ave_score import (
    AveScoreWarning,
    DefectError,
    FileKind,
    Findings,
    OpenGold,
    Response,
    ResponseRun,
    UsageError,
)
from tests import each
from tests.helpers_check import check, codes
from tests.helpers_command import ave, here_with
from tests.helpers_files import COLLECTION, OPEN, Held, positions, put, read_file

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
    return ave_score.read_answer_sets(Held(OPEN, "gold"))


def read(data: str | bytes, gold: OpenGold | None) -> tuple[list[ResponseRun] | None, Findings]:
    """Check a file called mine.tsv; where it is sound, there are runs."""
    return read_file("responses", data, gold, name="mine.tsv")


def test_a_sound_table_gives_its_responses_in_their_order(gold: OpenGold) -> None:
    runs, findings = read(ROWS, gold)
    assert not findings.errors
    assert runs == [ResponseRun("mine", "mine.tsv", READ)]
    assert [*runs[0].responses] == ["1", "2", "3", "4"]


def test_two_columns_are_enough_in_any_order(gold: OpenGold) -> None:
    runs, findings = read("answer\tq_id\nx\t4\nSpain\t1\nNIL\t2\nNil\t3\n", gold)
    assert not len(findings)
    assert runs is not None
    assert [*runs[0].responses] == ["4", "1", "2", "3"]
    given = [one for several in runs[0].responses.values() for one in several]
    assert [one.is_nil for one in given] == [False, False, True, True]


@each("answer", ["NILL", "NIL.", "N I L", "nıl", "0", "no answer", "'NIL'"])
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


def test_a_run_without_column_called_by_file_or_as_wanted(tmp_path: Path, gold: OpenGold) -> None:
    path = put(tmp_path, gzip.compress(ROWS.encode()), "team_1.tsv.gz")
    (alone,) = ave_score.read_responses(path, gold)
    assert (alone.name, alone.responses) == ("team_1", READ)
    (named,) = ave_score.read_responses(path, gold, name="other")
    assert named.name == "other"
    several = put(tmp_path, "run\tq_id\tanswer\nx\t3\tNIL\n", "several.tsv")
    with pytest.warns(AveScoreWarning):
        (its_own,) = ave_score.read_responses(several, gold, name="other")
    assert its_own.name == "x"


ALL = "2\tNIL\n3\t1492\n4\tx\n"
"""Rows that leave only question 1."""


def test_each_run_is_looked_at_alone(gold: OpenGold) -> None:
    rows = "run\tq_id\tanswer\na\t3\t1492\nb\t3\tNIL\n"
    rows += "".join(f"{name}\t{q_id}\tNIL\n" for name in "ab" for q_id in "12")
    _, findings = read(rows, gold)
    assert positions(findings) == [("AVE811", None, None)] * 2
    assert [found.facts for found in findings] == [{"run": run, "q_id": "4"} for run in "ab"]


@pytest.mark.parametrize("first", [True, False])
def test_rows_of_json_lines_name_all_a_run_or_none(first: bool) -> None:
    """As in a table, where a row has all columns."""
    rows = ['{"q_id": "1", "answer": "x"}\n', '{"q_id": "2", "answer": "y", "run": "a"}\n']
    _, findings = read("".join(rows if first else rows[::-1]), None)
    assert positions(findings) == [("AVE505", 1 if first else 2, None)]


def test_what_is_not_checked_is_said(gold: OpenGold) -> None:
    """Where rows cannot be read no question is missing, nor without answer sets."""
    _, findings = read("q_id\tanswer\n1\tx\n2\t\n", gold)
    assert positions(findings) == [("AVE505", 3, 3)]
    assert any("AVE811" in what for what in findings.unchecked)
    runs, findings = read("q_id\tanswer\n9\tx\n9\ty\n", None)
    assert runs is not None
    assert any("no answer sets were given" in what for what in findings.unchecked)


def test_the_api_raises_what_is_wrong(tmp_path: Path, gold: OpenGold) -> None:
    with pytest.raises(DefectError, match="AVE814"):
        ave_score.read_responses(put(tmp_path, ROWS + "3\tx\t\n"), gold)


here = here_with({"gold.json": OPEN, "mine.tsv": ROWS, "ave.xml": COLLECTION})


def document(*arguments: str) -> tuple[int, dict[str, object]]:
    """Return the exit code of a check and what it says of its only file."""
    code, out, err = check(*arguments, "--format", "json")
    assert err == ""
    (file,) = json.loads(out)["files"]
    return code, file


def test_check_reports_the_contents_of_responses(here: Path) -> None:
    for beside in ([], ["--collection", "gold.json"]):
        code, file = document("mine.tsv", *beside)
        assert (code, file["kind"]) == (0, "responses")
        assert file["contents"] == {"runs": 1, "questions": 4, "responses": 6}
        assert bool(file["not_checked"]) == (not beside)
    checked = ave_score.check("mine.tsv", kind="responses")
    assert (checked.kind, checked.findings.errors) == (FileKind.RESPONSES, 0)


def test_beside_answer_sets_every_file_is_taken_for_responses(here: Path) -> None:
    put(here, ROWS + "3\tx\t\n", "twice.tsv")
    _, out, _ = check("twice.tsv", "--collection", "gold.json", "--format", "json")
    assert codes(json.loads(out)) == [("AVE814", 8, 1)]
    for name in ("ave.xml", "gold.json"):
        code, file = document(name, "--collection", "gold.json")
        assert (code, file["kind"]) == (1, "responses")
    code, out, err = check("mine.tsv", "--collection", "gold.json", "--kind", "run")
    assert (code, out) == (2, "")
    assert "only responses are checked against these" in err
    gold = ave_score.read_answer_sets("gold.json")
    with pytest.raises(UsageError):
        ave_score.check("mine.tsv", gold, kind="judged")
    assert ave_score.check("mine.tsv", gold).contents is not None


def test_answer_sets_with_defects_end_the_command(here: Path) -> None:
    put(here, OPEN.replace('"1"', "1", 1), "bad.json")
    code, out, err = check("mine.tsv", "--collection", "bad.json")
    assert (code, out) == (2, "")
    assert "bad.json:2:10 AVE804" in err
    assert "invalid answer sets: no file can be checked against them" in err


def test_answer_sets_may_be_compressed_standard_input(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin:
        buffer = (here / "packed").open("wb+")

    Stdin.buffer.write(gzip.compress(OPEN.encode()))
    Stdin.buffer.seek(0)
    monkeypatch.setattr("sys.stdin", Stdin)
    code, file = document("mine.tsv", "--collection", "-")
    Stdin.buffer.close()
    assert (code, file["findings"]) == (0, [])


def test_beside_a_collection_responses_are_no_run(here: Path) -> None:
    _, out, _ = check("mine.tsv", "--collection", "ave.xml", "--format", "json")
    assert codes(json.loads(out)) == [("AVE116", 1, None)]
    assert "--kind responses" in out


@pytest.mark.parametrize(
    "command",
    [["score", "mine.tsv"], ["score", "ave.xml", "mine.tsv"], ["stats", "mine.tsv"],
     ["build", "mine.tsv"], ["fix", "mine.tsv"]],
    ids=" ".join,
)  # fmt: skip
def test_other_commands_refuse_responses(here: Path, command: list[str]) -> None:
    before = sorted(here.iterdir())
    code, out, err = ave(*command)
    assert code in (1, 2)
    assert not out
    assert "Traceback" not in err
    assert "mine.tsv" in err
    assert sorted(here.iterdir()) == before
