"""`ave-score check`: its options and its output."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests import each, mostly_slow
from tests.conftest import ROOT
from tests.helpers_check import FORMATS, check, child, found, posix
from tests.helpers_command import ave, modules_after, output, process, refusal
from tests.helpers_files import put, with_line

GOLD = ["--collection", "gold.xml", "--select", "AVE"]


@pytest.mark.parametrize(("options", "expected"), [
    ([], ["AVE103", "AVE107"]),
    (["--select", "AVE1"], ["AVE108", "AVE103", "AVE107"]),
    (["--select", "ave103"], ["AVE103"]),
    (["--select", "AVE103, ave108 ,"], ["AVE108", "AVE103"]),
    (["--select", "AVE2"], []),
    (["--ignore", "AVE103"], ["AVE107"]),
    (["--ignore", "aVe10"], []),
    (["--select", "AVE1", "--ignore", "AVE107,AVE108"], ["AVE103"]),
    (["--select", "AVE103", "--ignore", "AVE1"], []),
    (["--select", "A"], ["AVE108", "AVE103", "AVE107"]),
])  # fmt: skip
def test_select_and_ignore(here: Path, options: list[str], expected: list[str]) -> None:
    files = ["bad.txt", *GOLD[:2]]
    assert [code for code, _, _ in found(*files, *options)] == expected
    _, out, _ = check(*files, *options, "--format", "concise")
    assert re.findall(r"^bad\.txt:\d+:\d+ (AVE\d+)", out, re.M) == expected


OF_FILES = {
    "score": "gold.xml marked.txt", "compare": "gold.xml marked.txt good.txt",
    "report": "gold.xml marked.txt -o page.html",
    "stability": "gold.xml marked.txt good.txt --resamples 10 --unit questions",
    "swap": "gold.xml marked.txt good.txt --resamples 10 --unit questions",
    "agree": "marked.txt good.txt", "convert": "marked.txt --to csv", "decide": "scores.csv",
    "stats": "table.csv", "build": "judged.tsv --questions questions.tsv",
    "check": "marked.txt -f concise", "fix": "marked.txt --diff",
}  # fmt: skip
"""Calls of every command that reports findings; a file has a byte order mark."""


@pytest.mark.parametrize("name", mostly_slow(OF_FILES, 6))
def test_every_command_ignores_findings(here: Path, name: str) -> None:
    for file, text in {
        "marked.txt": (here / "good.txt").read_text().replace("0.9", "7"),
        "scores.csv": "q_id,score\n1,0.5\n",
        "table.csv": "q_id,a_id,label\n1,1,VALIDATED\n",
        "judged.tsv": "q_id\trun\tjudgement\ta_id\tanswer\ttext\n1\ts\tR\t1\tAnn\tAnn did.\n",
        "questions.tsv": "q_id\tquestion\tlang\n1\tWho?\ten\n",
    }.items():
        put(here, "\ufeff" + text, file)
    call = [name, *OF_FILES[name].split()]
    selects = ["--select AVE112", "--select AVE1"] * (name in ("check", "fix"))
    told = {option: " ".join(ave(*call, *option.split(), code=0)[1:]) for option in (
        "", "--ignore AVE111", "--ignore AVE112", *selects,
    )}  # fmt: skip
    others = {"", "--ignore AVE112", *selects[1:]}
    assert {option for option, text in told.items() if "AVE111" in text} == others
    # a confidence outside 0..1 is allowed: results name the measures that need another
    assert {option for option, text in told.items() if "AVE108" in text} == {*selects[1:]}
    assert "no rule code starts with 'E5'" in ave(*call, "--ignore", "E5", code=2).err


def test_an_error_that_refuses_a_run_cannot_be_ignored(here: Path) -> None:
    _, out, err = ave("score", "gold.xml", "bad.txt", "--ignore", "AVE1", code=1)
    assert not out
    assert re.findall("AVE1..", err) == ["AVE103", "AVE107"] * 2  # and the help of each


def test_what_is_ignored_is_not_fixed(here: Path) -> None:
    """bad.txt has `Rejected 0,6` in line 3."""
    for options, fixed in (
        ("--ignore AVE103", "Rejected 0.6"),
        ("--select AVE103", "REJECTED 0,6"),
    ):
        out = ave("fix", "bad.txt", "-o", "-", *options.split(), code=0).out
        assert out.splitlines()[2] == f"2 2_1 {fixed}"
        _, out, _ = check("bad.txt", *options.split())
        assert f"to fix 1: ave-score fix {options} bad.txt\n" in out


@pytest.mark.parametrize(
    ("options", "where"),
    [("-f table", "out"), ("-f csv", "err"), ("-f trec", "err"), ("--breakdown part.tsv", "err")],
)
def test_confidences_outside_0_to_1_are_told_once_where_a_measure_needs_them(
    here: Path, options: str, where: str
) -> None:
    put(here, with_line(1, "1 1_1 SELECTED 7"), "wide.txt")
    put(here, with_line(1, "1 1_1 SELECTED -7"), "low.txt")
    put(here, "1\ta\n2\ta\n3\tb\n", "part.tsv")
    call = ["score", "gold.xml", "good.txt", "wide.txt", "low.txt", *options.split()]
    assert "AVE108" not in " ".join(ave(*call, "-m", "f1,auc", code=0)[1:])
    said = ave(*call, "-m", "f1,brier", code=0)
    runs = "wide, low" if where == "out" else "2 of 3 runs"
    message = f"no Brier for {runs}: confidences are outside 0..1 (AVE108)"
    assert message in getattr(said, where).replace("No Brier", "no Brier")
    assert (said.out + said.err).count("AVE108") == 1
    compared = ave("compare", *call[1:5], "-m", "f1,brier", code=2)
    assert compared.err.endswith("no brier of 2 of 3 runs: confidences are outside 0..1 (AVE108)\n")


@each("at_most", range(8))
@each("format_", FORMATS)
def test_no_more_findings_are_listed_than_asked_for(here: Path, at_most: int, format_: str) -> None:
    """bad.txt has three findings, and is given twice: six in all."""
    put(here, (here / "bad.txt").read_bytes(), "worse.txt")
    arguments = ["bad.txt", "good.txt", "worse.txt", *GOLD, "--max-findings", str(at_most)]
    out = check(*arguments, "--format", format_, code=1).out
    listed, left = min(at_most, 6), max(6 - at_most, 0)
    finding = r"\.txt:\d+:\d+ AVE" if format_ in {"full", "concise", "junit"} else ""
    finding = {
        "json": '"line": ', "markdown": r"^\| \d", "github": "^::(error|warning) ",
        "gitlab": '"fingerprint"', "sarif": '"ruleId"',
    }.get(format_, finding)  # fmt: skip
    assert len(re.findall(finding, out, re.M)) == listed
    if format_ == "json":
        assert json.loads(out)["not_listed"] == left
    if format_ in {"full", "concise"}:
        noun = "finding" if left == 1 else "findings"
        assert (f"{left} {noun} not listed" in out) == bool(left)
    if format_ == "markdown":
        assert (f"{left} more not listed" in out) == bool(left)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_output_gets_what_stdout_would(here: Path, format_: str, option: str) -> None:
    code, out, _ = check("bad.txt", *GOLD, "--format", format_)
    put(here, "old", "out.txt")
    assert check("bad.txt", *GOLD, "--format", format_, option, "out.txt") == (code, "", "")
    assert (here / "out.txt").read_text(encoding="utf-8") == out and not [*here.glob(".*")]


def test_a_document_of_unreadable_files_is_written_all_the_same(here: Path) -> None:
    err = refusal("check", "missing.txt", "--format", "json", "-o", "out.json")
    assert "missing.txt" in err
    assert json.loads((here / "out.json").read_text())["files"][0]["unreadable"]


def test_a_variable_sets_the_format_and_an_option_wins(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AVE_SCORE_FORMAT", "github")
    assert check("bad.txt")[1].startswith("::error ")
    assert check("bad.txt", "--format", "concise")[1].startswith("bad.txt:3:7 AVE103")
    monkeypatch.setenv("AVE_SCORE_FORMAT", "")
    assert check("bad.txt")[1] == check("bad.txt", "--format", "full")[1]
    monkeypatch.setenv("AVE_SCORE_FORMAT", "nonsense")
    err = refusal("check", "bad.txt")
    assert "AVE_SCORE_FORMAT" in err and "nonsense" in err


@pytest.mark.parametrize("format_", FORMATS)
def test_a_variable_gives_way_to_quiet(
    here: Path, format_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = check("bad.txt", "-q", *(["-f", "concise"] if format_ == "concise" else []))
    assert expected[0] != 2
    monkeypatch.setenv("AVE_SCORE_FORMAT", format_)
    assert check("bad.txt", "-q") == expected


@pytest.mark.parametrize("format_", ["full", "concise"])
def test_plain_checking_imports_nothing_heavy(here: Path, format_: str) -> None:
    arguments = ["check", "bad.txt", *GOLD, "--format", format_]
    assert "AVE103" in ave(*arguments).out
    modules = modules_after(*arguments)
    assert "ave_score.files.check" in modules
    assert not modules & {"pandas", "numpy", "rich", "rich.cells", "json", "difflib", "tomllib"}
    assert not modules & {"locale", "narwhals", "lxml.etree", "ave_score.measures"}


def test_standard_input_is_checked_like_a_file(here: Path) -> None:
    data = (here / "bad.txt").read_bytes()
    done = child("-", *GOLD, "--format", "concise", stdin=data)
    assert done.code == 1 and done.out.splitlines()[1].startswith("stdin:3:7 AVE103 ")


@pytest.mark.parametrize("path", ["ave2007-en", "tiny"])
def test_the_sample_runs_have_no_errors(path: str) -> None:
    files = sorted(str(file) for file in (ROOT / "sample_runs" / path).glob("*.txt"))
    assert len(files) > 1
    output("check", *files)


@pytest.fixture
def folder(here: Path) -> Path:
    folder = here / "runs"
    (folder / "sub").mkdir(parents=True)
    good = (here / "good.txt").read_text()
    for name in ("b.txt", "a.txt", "c.tsv", "sub/d.txt"):
        put(folder, good, name)
    for name in (".hidden", "a.fixed.txt", "a.txt.bak", "b.txt.bak2"):
        put(folder, "not a run\n", name)
    return folder


SKIPPED = (
    "ave-score: 1 file that fix wrote (a.fixed.txt) and 2 files without a known suffix "
    "(a.txt.bak, b.txt.bak2) not checked\n"
)


def paths(out: str) -> list[str]:
    return [file["path"] for file in json.loads(out)["files"]]


def test_a_folder_stands_for_its_files(folder: Path) -> None:
    code, out, err = check("runs", "good.txt", *GOLD, "-f", "json")
    assert (code, err) == (0, SKIPPED)
    assert paths(out) == ["runs/a.txt", "runs/b.txt", "runs/c.tsv", "runs/sub/d.txt", "good.txt"]


def test_the_collection_and_the_output_in_a_folder_are_not_checked(here: Path) -> None:
    put(here, "old", "out.json")
    assert check(".", *GOLD, "-f", "json", "-o", "./out.json")[0] == 1
    assert paths((here / "out.json").read_text()) == ["./bad.txt", "./good.txt"]
    for name, text in {
        "report.txt": "5 files checked, no findings\n",
        "report.xml": "<?xml version='1.0'?>\n<testsuites name='a'/>\n",
        "report.md": "| 1 | 7 | AVE103 verdict-case | found 'rejected', expected REJECTED |\n",
    }.items():
        put(here, text, name)
        assert check(".", *GOLD, "--select", "AVE8", "-o", name) == (0, "", "")
        assert "no findings" in (here / name).read_text()
        (here / name).unlink()


@pytest.mark.parametrize("text", [
    "1 1_1 Selected 0,9\n", "#\n1 YES 0.5\n", "q_id,a_id\n", '{"q_id": 1}\n', '<x><q id="1"/></x>',
])  # fmt: skip
def test_a_run_in_a_folder_is_not_overwritten_by_the_report(here: Path, text: str) -> None:
    put(here, text, "mine.txt")
    err = refusal("check", ".", "-o", "mine.txt")
    assert err == "ave-score: mine.txt is also an input file and is not overwritten\n"
    assert (here / "mine.txt").read_text() == text


@posix
def test_an_empty_folder_is_an_error(here: Path) -> None:
    (here / "empty").mkdir()
    (here / "empty" / ".hidden").touch()
    os.mkfifo(here / "empty" / "pipe")
    err = check("empty", "good.txt", *GOLD, code=2).err
    said = ["1 special file (pipe) not checked", "empty: is a folder without files to read"]
    assert err.splitlines() == [f"ave-score: {line}" for line in said]


@pytest.mark.parametrize("format_", ["full", "concise"])
def test_files_without_findings_are_one_line(folder: Path, format_: str) -> None:
    assert check("runs", *GOLD, "-f", format_) == (0, "4 files checked, no findings\n", SKIPPED)
    out = check("runs", "-f", format_)[1]
    assert out.splitlines() == [
        "4 files checked, no findings",
        "  not checked: unknown and missing answers (AVE201-AVE204): no collection was given",
    ]
    _, out, _ = check("runs", "bad.txt", *GOLD, "--select", "AVE2", "-f", format_)
    assert out == "5 files checked, no findings, 2 of rules that were not selected\n"


@pytest.mark.parametrize("format_", ["full", "concise"])
@pytest.mark.parametrize("quiet", ["-q", "--quiet"])
def test_quiet_prints_findings_only(folder: Path, format_: str, quiet: str) -> None:
    assert check("runs", *GOLD, quiet, "-f", format_) == (0, "", "")
    code, out, _ = check("runs", "bad.txt", *GOLD, "-f", format_)
    assert (code, out.count("bad.txt: 2 errors")) == (1, 1)
    short = check("runs", "bad.txt", *GOLD, quiet, "-f", format_, code=1).out
    assert short and out.startswith(short)
    assert "bad.txt: " not in short
    err = refusal("check", "missing.txt", quiet, "-f", format_)
    assert "missing.txt" in err


@pytest.mark.parametrize("options", [["-f", "json"], ["-f", "github"]])
def test_quiet_is_for_texts(here: Path, options: list[str]) -> None:
    err = refusal("check", "good.txt", "--quiet", *options)
    assert "--quiet" in err


@pytest.mark.parametrize(
    "name",
    ["it's my run $HOME;.txt", pytest.param("a\n\x1b'b\\\udcff::c.txt", marks=pytest.mark.slow)],
)
def test_a_fix_is_a_command_that_works(here: Path, name: str) -> None:
    """The commands are run by a shell, as they are printed."""
    put(here, with_line(3, "2 2_1 Rejected 0,6").replace("1 1_2", "1 1_1"), name)
    _, out, _ = check(name, *GOLD)
    commands = re.findall(r"^  to fix \d+(?: more)?: (ave-score fix .*)$", out, re.M)
    assert len(commands) == 2
    for command, code in zip(commands, (1, 0), strict=True):
        shell = ["bash", "-c", command.replace("ave-score", f"{sys.executable} -m ave_score", 1)]
        done = process(command=shell, XDG_CACHE_HOME=str(here / "cache"))
        assert (done.code, done.out) == (code, ""), done.err
        assert "not checked" not in done.err
    assert check(f"{name.removesuffix('.txt')}.fixed.txt", *GOLD)[0] == 0
