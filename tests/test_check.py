"""`ave-score check`: findings, their order, and exit codes."""

from __future__ import annotations

import csv
import itertools
import json
import re
from pathlib import Path

import pytest

import ave_score
from ave_score import RULES, FileKind
from tests import each
from tests.helpers_broken import BROKEN, BY_HAND, gold_beside
from tests.helpers_check import DOCUMENTS, FORMATS, check, found
from tests.helpers_command import Call, assert_call, ave, calls, output
from tests.helpers_files import COLLECTION, RUN, put, with_line
from tools.broken import wrong_path

GOLD = ["--collection", "gold.xml"]
JUDGED = "q_id\trun\tjudgement\n1\tqa\tR\n2\tqa\tW\n3\tqa\tW\n"
KEY = "1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 VALIDATED\n3 3_1 UNKNOWN\n"
TEAMS = "run\tteam\ngood\tus\nbad\tthem\n"
QUESTIONS = "q_id\tquestion\tlang\n1\tWho?\tEN\n2\tWhere?\tEN\n3\tWhen?\tEN\n"
ANSWER_SETS = '{"questions": [{"id": "1", "sets": [{"answers": ["Ann"]}]}]}\n'
RESPONSES = "q_id\tanswer\tnuggets\n1\tAnn\t\n2\tNIL\t\n"
ANSWERS = """\
<output run_id="run1">
<question q_id="1" answered="YES"><answer a_id="1_1"/></question>
<question q_id="2" answered="NO"/>
<question q_id="3" answered="NO"><answer a_id="3_1"/></question>
</output>
"""


def kinds(*arguments: str) -> list[str | None]:
    _, out, _ = check(*arguments, "--format", "json")
    return [file["kind"] for file in json.loads(out)["files"]]


def by_hand() -> list[dict[str, str]]:
    with BY_HAND.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


OF_LABELS = {"AVE413", "AVE507", "AVE513"}
"""Rules that compare with gold labels, at which `check` does not look."""

OF_CAMPAIGNS = {"AVE705", "AVE706", "AVE707", "AVE708", "AVE711", "AVE712", "AVE713"}
"""Rules about what a campaign file names, at which `campaign` or `bundle` looks."""

OF_BUILDING = {"AVE522", "AVE523", "AVE524", "AVE525"}
"""Rules about rows of which a collection is built, which only `build` knows."""


OF_POLICIES = {
    **dict.fromkeys(("AVE207", "AVE209"), "AVE204"),
    **dict.fromkeys(("AVE606", "AVE607"), "AVE605"),
    **dict.fromkeys(("AVE516", "AVE517"), "AVE508"),
    "AVE214": "AVE211",
}
"""Rules of `score --missing rejected|excluded`, and the one without this option."""


OF_LIMITS = {"AVE216", "AVE217"}
"""Rules of --limit."""

OF_SYSTEMS = {"AVE915", "AVE916", "AVE917"}


@each("row", by_hand())
def test_the_broken_files_have_the_findings_that_were_written_down(row: dict[str, str]) -> None:
    kind = RULES[row["code"]].example_of
    places = [int(row[name]) if row[name] else None for name in ("line", "column")]
    expected = (
        [] if row["code"] in OF_LABELS | OF_BUILDING | OF_CAMPAIGNS else [(row["code"], *places)]
    )
    if row["code"] in OF_LIMITS:
        expected = []
    if row["code"] in OF_POLICIES:
        expected = [(OF_POLICIES[row["code"]], None, None)]
    alone = kind in (FileKind.COLLECTION, FileKind.TEAMS, FileKind.QUESTIONS, FileKind.SCORES)
    alone = alone or kind is FileKind.ANSWER_SETS
    alone = alone or row["code"] in OF_BUILDING
    is_response = kind is FileKind.RESPONSES
    gold = BROKEN / "answer-sets.json" if is_response else gold_beside(RULES[row["code"]])
    beside = [] if alone else ["--collection", str(gold)]
    of_system = row["code"] in OF_SYSTEMS  # what is found in a log unless it is for verifiers
    beside += [*["--kind", kind.value] * (not of_system), "--select", "AVE"]
    assert found(f"{BROKEN}/{row['file']}", *beside) == expected


RUN_FILES = [row["file"] for row in by_hand() if RULES[row["code"]].example_of is FileKind.RUN]


@each("name", RUN_FILES)
def test_check_and_score_agree_on_a_run(name: str) -> None:
    rule = next(rule for rule in RULES.values() if wrong_path(rule) == name)
    path, gold = f"{BROKEN}/{name}", str(gold_beside(rule))
    of_score = ave("score", gold, path).err
    _, of_check, _ = check(path, "--collection", gold, "--format", "concise")
    finding = re.compile(rf"{re.escape(path)}[\d:]* AVE\d\d\d .*")
    assert finding.findall(of_check) or rule.code == "AVE108"  # which only check tells, if asked
    assert finding.findall(of_score) == finding.findall(of_check)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("last", [True, False], ids=["ended", "open"])
def test_blanks_comments_and_line_ends_shift_no_number(here: Path, end: str, last: bool) -> None:
    # longer than a block, so that numbers are carried from one to the next
    lines = ["", "# comment", "   ", "\t", *["# " + "x" * 97] * 1_500, "1 1_1 REJECTED 0.5", ""]
    lines += ["# c", "", "1 1_2 Rejected 0.5"]
    put(here, end.join(lines) + end * last, "run.txt")
    assert ("AVE103", len(lines), 7) in found("run.txt", *GOLD)


@pytest.mark.slow
def test_the_last_of_a_million_lines_has_its_number(here: Path) -> None:
    rows = "".join(f"{n // 10} {n} REJECTED 0.5\n" for n in range(999_999))
    put(here, f"{rows}99999 999999 rejected 0.5", "million.txt")
    assert found("million.txt") == [("AVE103", 1_000_000, 14)]


@pytest.mark.parametrize("format_", ["full", "concise", "markdown", "json"])
@pytest.mark.parametrize("name", ["good.txt", "key.txt", "judged.tsv"])
def test_parts_unchecked_for_lack_of_gold_are_told(here: Path, name: str, format_: str) -> None:
    put(here, KEY, "key.txt")
    put(here, JUDGED, "judged.tsv")
    kind = {"good.txt": "run", "key.txt": "key", "judged.tsv": "judged"}[name]
    out = output("check", name, "--kind", kind, "--format", format_)
    assert re.search("not.checked", out) and "collection" in out


def test_a_sound_run_of_the_collection_leaves_nothing_unchecked(here: Path) -> None:
    out = output("check", "good.txt", *GOLD)
    # 5 answers of 3 questions, 2 SELECTED, 1 VALIDATED, 2 REJECTED, confidences 0.1 to 0.9
    assert out.splitlines() == [
        "good.txt: no findings; run: 3 questions, 5 answers, 2 selected (40.0 %), "
        "1 validated (20.0 %), 2 rejected (40.0 %), confidence 0.1..0.9"
    ]


@pytest.mark.parametrize(
    "text",
    [COLLECTION, JUDGED, TEAMS, KEY, ANSWER_SETS, RESPONSES, "", "<", "{}", "run\tteam\n",
     "q_id\trun\tjudgement\n"],
)  # fmt: skip
@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_nothing_but_a_run_gets_through_as_a_run(here: Path, text: str, strict: list[str]) -> None:
    put(here, text, "upload")
    code, out, err = check("upload", *GOLD, *strict)
    assert (code, err) == (1, "")
    assert "upload: no findings" not in out


@pytest.mark.parametrize(
    ("text", "kind"),
    [(JUDGED, "judged"), (TEAMS, "teams"), (QUESTIONS, "questions"), (RESPONSES, "responses")],
)
def test_a_table_beside_a_collection_is_not_read_as_a_run(here: Path, text: str, kind: str) -> None:
    put(here, text, "upload")
    assert found("upload", *GOLD) == [("AVE116", 1, None)]
    assert f"--kind {kind}" in check("upload", *GOLD)[1]


@each("table", [False, True])
def test_a_label_of_a_key_that_cannot_be_read_is_not_missing(here: Path, table: bool) -> None:
    """The label of 1_2 does not exist, and no line names answer 3_1."""
    key = KEY.replace("1 1_2 REJECTED", "1 1_2 REJECTD").replace("3 3_1 UNKNOWN\n", "")
    put(here, f"q_id a_id label\n{key}".replace(" ", ",") if table else key, "key")
    of_key = ("key", "--kind", "key", *GOLD)
    assert found(*of_key) == [("AVE406", 2 + table, 7), ("AVE407", None, None)]
    assert "answer '3_1' of question '3' has no gold label" in check(*of_key)[1]


@pytest.mark.slow
@each("kind", list(FileKind))
@each("text", [RUN, COLLECTION, KEY, JUDGED, TEAMS, QUESTIONS, ANSWERS, ANSWER_SETS, RESPONSES])
def test_a_kind_that_is_given_is_not_questioned(here: Path, kind: FileKind, text: str) -> None:
    put(here, text, "file")
    texts = {
        "run": RUN, "collection": COLLECTION, "key": KEY, "judged": JUDGED, "teams": TEAMS,
        "questions": QUESTIONS, "answers": ANSWERS, "answer-sets": ANSWER_SETS,
        "responses": RESPONSES,
    }  # fmt: skip
    for beside in ([], GOLD):
        assert kinds("file", "--kind", kind.value, *beside) == [kind]
        code, out, _ = check("file", "--kind", kind.value, *beside)
        assert code == int(texts.get(kind) != text), out


@pytest.mark.parametrize("text", [COLLECTION, COLLECTION.replace("<", "\n<", 1), "<html></html>"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_xml_beside_a_collection_is_a_run_gone_wrong(here: Path, text: str, encoding: str) -> None:
    put(here, text.encode(encoding), "upload.xml")
    places = [place for place in found("upload.xml", *GOLD) if place[0] != "AVE111"]
    assert places == [("AVE118" if encoding == "utf-16" else "AVE116", 1, None)]
    assert check("upload.xml", *GOLD)[0] == 1


@each("kind, text, said", [
    ("teams", "\n", "the file has no teams in it"),
    ("times", "\n", "the file has no times in it"),
    ("run", "1 YES\n1 NO 0.5\n", "YES and NO are said of pairs (AVE 2006)"),
    ("run", "q_id,a_id,verdict,confidence\n1,1_1,SELECTED,7\n", "confidence 7 is outside 0..1"),
])  # fmt: skip
def test_what_is_lacking_or_odd_is_said(here: Path, kind: str, text: str, said: str) -> None:
    put(here, text, "file")
    beside = GOLD if kind == "run" else []
    assert said in check("file", "--kind", kind, *beside, "--select", "AVE1", "-f", "concise").out


def test_campaign_says_which_judgements_there_are(here: Path) -> None:
    put(here, JUDGED.replace("R", "X"), "judged.tsv")
    assert found("judged.tsv") == []
    assert found("judged.tsv", "--letters", "respubliqa") == [("AVE503", 2, 6)]


@pytest.mark.parametrize("format_", FORMATS)
def test_exit_codes(here: Path, format_: str) -> None:
    put(here, "\ufeff" + RUN, "warned.txt")
    for arguments, expected in (
        (["good.txt"], 0),
        (["warned.txt"], 0),
        (["warned.txt", "--strict"], 1),
        (["good.txt", "--strict"], 0),
        (["bad.txt"], 1),
        (["bad.txt", "--ignore", "AVE1"], 0),
        (["bad.txt", "--ignore", "AVE103,AVE107"], 0),
        (["bad.txt", "--ignore", "AVE103,AVE107", "--strict"], 0),
        (["bad.txt", "--select", "AVE108", "--strict"], 1),
        (["bad.txt", "--ignore", "AVE1", "--strict"], 0),
        (["bad.txt", "--select", "AVE2"], 0),
        (["bad.txt", "--max-findings", "0"], 1),
        (["good.txt", "missing.txt"], 2),
        (["bad.txt", "missing.txt"], 2),
    ):
        code, out, _ = check(*arguments, *GOLD, "--format", format_)
        assert code == expected, arguments
        if format_ == "json":
            assert json.loads(out)["exit_code"] == expected
        if format_ == "sarif":
            assert json.loads(out)["runs"][0]["invocations"][0]["exitCode"] == expected


@pytest.mark.parametrize("format_", DOCUMENTS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_unreadable_file_ends_no_other_check(here: Path, format_: str, place: int) -> None:
    files = ["bad.txt", "good.txt"]
    files.insert(place, "missing.txt")
    _, out, err = check(*files, *GOLD, "--format", format_, code=2)
    assert err == "ave-score: missing.txt: no such file or directory\n"
    assert "missing.txt" in out and "no such file or directory" in out
    assert out.count("AVE103") >= 1


@pytest.mark.parametrize("format_", ["full", "concise"])
def test_an_unreadable_file_is_reported_on_stderr(here: Path, format_: str) -> None:
    (here / "folder").mkdir()
    _, out, err = check("missing.txt", "bad.txt", "folder", *GOLD, "--format", format_, code=2)
    expected = ["missing.txt", "folder"]
    assert [line.partition(": ")[2].partition(":")[0] for line in err.splitlines()] == expected
    assert "bad.txt:3:7 AVE103" in out and "2 could not be read" in out.splitlines()[-1]


@calls(
    Call(words, 2, message)
    for words, message in (
        ("", "no FILE given"),
        ("good.txt --kind sheet", "'sheet' is not one of"),
        ("good.txt --format xml", "'xml' is not one of"),
        ("good.txt --letters respublica", "did you mean respubliqa?"),
        ("good.txt --max-findings -1", "-1 is not in the range"),
        ("good.txt --max-findings many", "many"),
        ("good.txt --select ''", "--select contains no code"),
        ("good.txt --ignore ' , '", "--ignore contains no code"),
        ("good.txt --select E501", "E501"),
        ("good.txt --ignore AVE999", "AVE999"),
        ("- -", "standard input (-) can be read only once"),
        ("- --collection -", "standard input (-) can be read only once"),
        ("good.txt -o good.txt", "good.txt is also an input file"),
        ("good.txt -o ./good.txt", "good.txt is also an input file"),
        ("good.txt -o link.txt", "link.txt is also an input file"),
        ("good.txt --collection gold.xml -o gold.xml", "gold.xml is also an input file"),
        ("good.txt -o nowhere/out.txt", "its folder does not exist"),
        ("good.txt -o .", "directory"),
        ("good.txt --collection missing.xml", "missing.xml: no such file"),
        ("good.txt --collection .", "is a directory"),
        ("good.txt --collection broken.xml", "broken.xml:1 AVE401"),
        ("good.txt --collection ''", "empty file name"),
        ("good.txt --collection bad.txt -o broken.xml", "bad.txt"),  # the old output stays
        ("''", "empty file name"),
        ("--nonsense", "--nonsense"),
        # swapped
        ("gold.xml --collection good.txt", ("AVE116", "swapped")),
        # every unknown prefix is named at once
        ("bad.txt --select AVE1,E1,AVE0 --ignore W,AVE103,Q", ("'E1'", "'AVE0'", "'W'", "'Q'")),
    )
)
def test_impossible_requests_exit_with_2_and_write_nothing(here: Path, call: Call) -> None:
    (here / "link.txt").symlink_to("good.txt")
    put(here, "<ave><q id='1'><a id='1'/></ave>", "broken.xml")
    assert_call(here, call, "check")


def test_a_mistyped_option_is_reported_before_files_are_read(here: Path) -> None:
    for option in (["--select", "nope"], ["--letters", "nope"], ["--format", "nope"]):
        err = check("missing.txt", *option, code=2).err
        assert "nope" in err.lower() and "no such file" not in err


def test_a_file_is_checked_in_python_too(here: Path) -> None:
    put(here, with_line(3, "2 2_1 Rejected 0.6"), "bad.txt")
    alone = ave_score.check(here / "bad.txt")
    assert [(one.rule.code, one.line, one.column) for one in alone.findings] == [("AVE103", 3, 7)]
    assert (alone.kind, alone.contents) == (ave_score.FileKind.RUN, None)
    gold = ave_score.check("gold.xml", kind="collection")
    # by hand, from the collection of these tests
    expected = {"questions": 3, "answers": 5, "validated": 2, "rejected": 2, "unknown": 1}
    assert gold.contents == expected
    with pytest.raises(ave_score.UsageError, match=r"'nonsense'.*run, collection"):
        ave_score.check("gold.xml", kind="nonsense")
    with pytest.raises(ave_score.UsageError, match="letters"):
        ave_score.check(
            "gold.xml", kind="judged", policies=ave_score.Policies.of(letters="nonsense")
        )


def test_ids_that_lost_their_zeros_are_recognised(here: Path) -> None:
    put(here, COLLECTION.replace('<q id="1">', '<q id="0001">'), "zeros.xml")
    put(here, RUN, "run.txt")
    checked = ave_score.check(here / "run.txt", ave_score.read_collection(here / "zeros.xml"))
    unknown = [one.message for one in checked.findings if one.rule.code == "AVE201"]
    assert unknown == ["question '1' is not in the collection; did you mean 0001?"] * 2


def test_a_check_of_many_files_ends_with_a_table(here: Path) -> None:
    """Eleven sound files are counted; one that is not read has no numbers."""
    sound = [f"run{number:02}.txt" for number in range(11)]
    for name in sound:
        put(here, RUN, name)
    put(here, "\ufeff" + RUN, "marked.txt")
    bad = ["--format", "concise", "bad.txt", "marked.txt", "missing.txt"]
    assert check(*sound, *bad)[1].splitlines()[-9:] == [
        "", "File            State     Errors  Warnings",
        "──────────────────────────────────────────", "bad.txt         errors         2         0",
        "marked.txt      warnings       0         1", "missing.txt     not read",
        "11 other files  ok             0         0", "",
        "1 of 14 files with errors, 2 errors, 1 warning, 1 could not be read",
    ]  # fmt: skip
    lines = check(*sound[:10], *bad)[1].splitlines()
    found = [line for line in lines if " ok " in line]
    assert found == [f"{name}    ok             0         0" for name in sound[:10]]
    _, out, _ = check("good.txt", "bad.txt", "--format", "markdown")
    assert "| good.txt | ok | 0 | 0 |\n| bad.txt | errors | 2 | 0 |\n" in out


@pytest.mark.parametrize("width", [60, 80])
def test_a_table_of_files_fits_the_terminal(
    here: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """Of long paths the names are left, which are cut in the middle only if they are too long."""
    monkeypatch.setenv("COLUMNS", str(width))
    folder = here / ("folder" * 20)
    folder.mkdir()
    for name in ("ITNLP-AiKF_primary.txt", "b" * 100 + ".txt"):
        put(folder, "1 1_1 Selected 0.5\n", name)
    lines = check(str(folder))[1].splitlines()[-5:-2]
    assert max(map(len, lines)) <= width and lines[1].startswith("ITNLP-AiKF_primary.txt ")
    assert re.match(r"b+…b+\.txt +errors ", lines[2])


def test_what_is_found_in_a_run_depends_on_no_run_before_it(here: Path) -> None:
    """Runs of the same answers, in one order or another, with one less or twice, and of others."""
    rows = [
        f"{q} {q}_{a} {'SELECTED' if a == 1 else 'VALIDATED'} 0.5" for q in "123" for a in (1, 2)
    ]
    texts = {
        "plain": rows,
        "same": [row.replace("0.5", "7") for row in rows],
        "backwards": rows[::-1],
        "mixed": rows[::2] + rows[1::2],
        "fewer": rows[:-2],
        "part": rows[:-1],
        "twice": [*rows, rows[0]],
        "unread": [*rows[:-1], "3 3_2 SELECTED"],
        "two": [row.replace("VALIDATED", "SELECTED") for row in rows],
        "none": [row.replace("SELECTED", "VALIDATED") for row in rows],
        "other": [row.replace("1", "4") for row in rows],
    }
    for name, lines in texts.items():
        put(here, "".join(f"{line}\n" for line in lines), name)
    said: dict[str, set[str]] = {name: set() for name in texts}
    for name, before in itertools.product(texts, repeat=2):
        check(before)
        said[name].add(check(name)[1])
    assert {len(outputs) for outputs in said.values()} == {1}
    assert "run: 3 questions, 6 answers, 3 selected" in said["backwards"].pop()
    assert "run: 2 questions, 4 answers" in said["fewer"].pop()
    assert "two:2:7 AVE301" in said["two"].pop()
