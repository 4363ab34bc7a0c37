"""The formats for programs and pages: JSON, GitLab, SARIF, JUnit, Markdown."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator, FormatChecker
from junitparser import Error, Failure, JUnitXml
from lxml import etree

from ave_score import RULES
from tests import mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_broken import BROKEN
from tests.helpers_check import FORMATS, check, child, codes
from tests.helpers_files import RUN, broken, fuzzed, put

GOLD = ["--collection", "gold.xml", "--select", "AVE"]
SARIF = Draft4Validator(
    json.loads((ROOT / "tests/data/sarif-schema-2.1.0.json").read_text("utf-8")),
    format_checker=FormatChecker(),
)
NAMES = ["plain.txt", "two words.txt", "100%.txt", "a#b?c=d&e.txt", "ñandú.txt", "漢.txt",
         "a:b.txt", "two\nlines.txt", "%41.txt", "[x].txt", "a\\b.txt", "\u202e.txt", "w\ufffe.txt",
         "'\".txt", "<b>.txt", "~.txt", "a|b.txt", "-dash.txt"]  # fmt: skip


def document(format_: str, *arguments: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the JSON document that a check writes."""
    _, out, _ = check(*arguments, "--format", format_)
    assert out.isascii() and out.endswith("\n")
    return json.loads(out, parse_constant=pytest.fail)


def copies(folder: Path) -> list[str]:
    """Put the broken run under many names; return those that can be."""
    made = []
    for name in NAMES:
        try:
            shutil.copy(folder / "bad.txt", folder / name)
        except OSError:
            continue
        made.append(f"./{name}" if name.startswith("-") else name)
    return made


def test_json_by_hand(here: Path) -> None:
    found = document("json", "bad.txt", "good.txt", "missing.txt", *GOLD)
    assert list(found) == [
        "schema", "version", "strict", "exit_code", "errors", "warnings", "not_listed", "files"
    ]  # fmt: skip
    assert found["schema"] == "ave-score/findings/1"
    said = [found[key] for key in ("strict", "exit_code", "errors", "warnings", "not_listed")]
    assert said == [False, 2, 2, 1, 0]
    bad, good, missing = found["files"]
    assert bad["counts"] == {"AVE103": 1, "AVE107": 1, "AVE108": 1}
    expected = ("bad.txt", "run", None, None)
    assert (bad["path"], bad["kind"], bad["unreadable"], bad["contents"]) == expected
    assert bad["findings"][1] == {
        "code": "AVE103", "name": "verdict-case", "severity": "error", "line": 3, "column": 7,
        "end_column": 15,
        "message": "found 'Rejected', expected REJECTED: verdicts are written in capitals",
        "times": 1, "more": 0, "more_lines": "", "text": "2 2_1 Rejected 0,6",
        "help": "Change nothing but the case of its letters.", "fix": "safe",
    }  # fmt: skip
    assert good["contents"] == {
        "questions": 3, "answers": 5, "selected": 2, "validated": 1, "rejected": 2,
        "lowest_confidence": 0.1, "highest_confidence": 0.9,
    }  # fmt: skip
    assert good["findings"] == good["not_checked"] == []
    assert missing["kind"] is None and missing["unreadable"] == "no such file or directory"


@pytest.mark.parametrize("at_most", mostly_slow([None, "all", "7", "0", "1", "60"]))
def test_every_finding_is_accounted_for(here: Path, at_most: str | None) -> None:
    """30 systems leave out 49 questions each, 1,470 in all; 1,200 lines have two
    errors each, three more lines one each."""
    questions = "".join(f'<q id="{n}"><a id="1"/></q>' for n in range(50))
    put(here, f"<c>{questions}</c>", "big.xml")
    rows = "".join(f"0\ts{n}\tR\n" for n in range(30))
    put(here, f"q_id\trun\tjudgement\n{rows}", "judged.tsv")
    put(here, "".join(f"{n} 1 Selected x\n" for n in range(1_200)), "many.txt")
    put(here, "1 1 Selected 0.5\n" * 3, "few.txt")
    asked = [] if at_most is None else ["--max-findings", at_most]
    every: dict[str, Any] = {"files": [], "not_listed": 0}
    for kind, files in (("judged", ["judged.tsv"]), ("run", ["many.txt", "few.txt"])):
        arguments = [*files, "--kind", kind, "--collection", "big.xml", "--select", "AVE1,AVE5"]
        found = document("json", *arguments, *asked)
        listed = [one for file in found["files"] for one in file["findings"]]
        assert at_most in (None, "all") or len(listed) <= int(at_most)
        listed = sum(one["times"] + one["more"] for one in listed)
        total = found["errors"] + found["warnings"]
        assert listed + found["not_listed"] == total
        assert total == sum(sum(file["counts"].values()) for file in found["files"])
        assert total == {"judged": 1_470, "run": 2_403}[kind]
        every["files"] += found["files"]
        every["not_listed"] += found["not_listed"]
    if at_most in (None, "all"):
        # one of each system, three of each of two rules, three; a system of 20 is not kept
        sizes = [21, 6, 3] if at_most is None else [1_000, 2_000, 3]
        assert [len(file["findings"]) for file in every["files"]] == sizes
        # of 1,470 findings 1,000 are kept; of which systems the others were nobody knows
        assert every["not_listed"] == 470


@pytest.mark.parametrize("format_", FORMATS)
def test_equal_findings_are_listed_three_times_in_every_format(here: Path, format_: str) -> None:
    """Lines 1, 2, 4 to 6, 8 and 9 are wrong: of seven, the last four are counted."""
    rows = [f"{n} 1 {'SELECTED' if n in (3, 7) else 'Selected'} 0.5\n" for n in range(1, 10)]
    put(here, "".join(rows), "run.txt")
    for asked, times in (([], 3), (["--max-findings", "all"], 7), (["--max-findings", "2"], 2)):
        _, out, _ = check("run.txt", "--format", format_, *asked)
        assert out.count("found 'Selected'") == times
        if format_ == "json":
            last = json.loads(out)["files"][0]["findings"][-1]
            assert (last["more"], last["more_lines"]) == (
                (4, "5-6, 8-9") if times == 3 else (0, "")
            )
        else:
            assert out.count("(and 4 more: lines 5-6, 8-9)") == (times == 3)


@pytest.mark.parametrize(("wrong", "codes"), [
    ("1 1_2 Rejected x\n", ""),
    ("1 1_2 Rejected x\n1 1_3 Rejected 1\n", " (AVE103: 2, AVE105: 1)"),
])  # fmt: skip
def test_rules_are_counted_unless_findings_show_it(here: Path, wrong: str, codes: str) -> None:
    put(here, "1 1_1 SELECTED 0.5\n" + wrong, "part.txt")
    _, out, _ = check("part.txt", "--format", "concise")
    assert f"part.txt: {wrong.count('R') + 1} errors{codes}\n" in out


@pytest.mark.parametrize("format_", FORMATS)
def test_missing_answers_of_a_question_are_named_in_one_line(here: Path, format_: str) -> None:
    """Answers 1_2, 2_1, 2_2 and 3_1 have no line; of one question with many, ten are named."""
    put(here, "1 1_1 SELECTED 0.5\n", "part.txt")
    _, out, _ = check("part.txt", *GOLD, "--format", format_)
    out = html.unescape(out).replace("\\", "")
    assert out.count("no line for answer '1_2' of question '1'") == 1
    assert out.count("no line for answers '2_1' and '2_2' of question '2'") == 1
    assert "part.txt: 4 errors\n" in out or format_ not in ("full", "concise")
    answers = "".join(f'<a id="1_{n}"/>' for n in range(1, 14))
    put(here, f'<c><q id="1">{answers}</q></c>', "big.xml")
    _, out, _ = check("part.txt", "--collection", "big.xml", "-f", "concise")
    named = ", ".join(f"'1_{n}'" for n in range(2, 12))
    assert f"no line for answers {named} and 2 more of question '1'\n" in out


@pytest.mark.parametrize("format_", mostly_slow(FORMATS, 2))
def test_a_thousand_files_with_harmless_findings_fit(here: Path, format_: str) -> None:
    """GitHub takes 10 MB of SARIF: of a file with 700 equal findings, 10 kB."""
    put(here, "".join(f"{n} 1 Selected 7\n" for n in range(700)), "many.txt")
    sizes = [len(check(*["many.txt"] * files, "-f", format_)[1]) for files in (1, 4)]
    assert (sizes[1] - sizes[0]) / 3 < 10_000


def test_github_gets_the_first_finding_of_each_rule_first(here: Path) -> None:
    """GitHub shows ten annotations of a step."""
    rows = [f"{n} 1 {'Selected' if n < 30 else 'SELECTED'} 0.5\n" for n in range(100)]
    put(here, "".join([*rows, "100 1 SELECTED 0,5\n", "101 1 SELECTED low\n"]), "many.txt")
    _, out, _ = check(*["many.txt"] * 3, "--format", "github")
    titles = re.findall("title=(AVE...)", out)
    assert titles == ["AVE103", "AVE107", "AVE105"] * 3 + ["AVE103"] * 6


def fingerprints(issues: list[dict[str, Any]]) -> list[str]:
    return [issue["fingerprint"] for issue in issues]


def test_gitlab_by_hand(here: Path) -> None:
    issues = document("gitlab", "bad.txt", "missing.txt", *GOLD)
    assert [{**issue, "fingerprint": ""} for issue in issues[1:2]] == [
        {
            "description": "AVE103 found 'Rejected', expected REJECTED: verdicts are written in "
            "capitals",
            "check_name": "verdict-case",
            "fingerprint": "",
            "severity": "major",
            "location": {"path": "bad.txt", "lines": {"begin": 3}},
        }
    ]
    assert [issue["severity"] for issue in issues] == ["minor", "major", "major", "blocker"]
    assert issues[3]["location"]["path"] == "missing.txt"
    assert all(re.fullmatch(r"[0-9a-f]{16,}", one) for one in fingerprints(issues))


def test_fingerprints_are_unique(here: Path) -> None:
    put(here, "1 1_1 Selected x\n" * 40 + "1 1_1 REJECTED 0.5\n" * 40 + "2 2_1 NO\n" * 9, "alike")
    put(here, "1 1_1 Selected x\n" * 40, "other")
    files = ["alike", "other", "alike", "./alike", "missing", "./missing", "missing", "folder"]
    (here / "folder").mkdir()
    for beside in ([], GOLD):
        issues = document("gitlab", *files, *beside)
        assert len(set(fingerprints(issues))) == len(issues)


BAD = """\
1 1_1 Selected 0,9
1 1_2 REJECTED 0.2
1 1_2 REJECTED 0.2
2 2_1 SELECTED 0.6
2 2_2 SELECTED 0.7
2 2_2 REJECTED 0.8
9 9_9 REJECTED 0.8
"""


@pytest.mark.parametrize("before", ["# a comment\n", "\n\n\n", "3 3_1 REJECTED 0.1\n" * 1])
@pytest.mark.parametrize("beside", [[], GOLD], ids=["alone", "collection"])
def test_fingerprints_stay_when_lines_move(here: Path, before: str, beside: list[str]) -> None:
    put(here, f"{BAD}3 3_1 REJECTED 0.1\n", "run.txt")
    issues = document("gitlab", "run.txt", *beside)
    assert {issue["check_name"] for issue in issues} >= {
        "verdict-case", "decimal-comma", "answer-repeated", "answer-conflict", "two-selected",
    }  # fmt: skip
    after = "" if "3_1" in before else "3 3_1 REJECTED 0.1\n"
    put(here, f"{before}{BAD}{after}", "run.txt")
    moved = document("gitlab", "run.txt", *beside)
    assert fingerprints(moved) == fingerprints(issues) and moved != issues


def test_fingerprints_differ_between_files_and_findings(here: Path) -> None:
    put(here, BAD, "one.txt")
    put(here, BAD.replace("0,9", "0,8"), "two.txt")
    one, two = (fingerprints(document("gitlab", name)) for name in ("one.txt", "two.txt"))
    assert not set(one) & set(two)


def sarif(*arguments: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the one run of a valid SARIF document."""
    found = document("sarif", *arguments)
    assert [error.message for error in SARIF.iter_errors(found)] == []
    (run,) = found["runs"]
    return run


def test_sarif_by_hand(here: Path) -> None:
    run = sarif("bad.txt", "missing.txt", *GOLD)
    assert [one["id"] for one in run["tool"]["driver"]["rules"]] == ["AVE103", "AVE107", "AVE108"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert [one["location"]["uri"] for one in run["artifacts"]] == ["bad.txt", "missing.txt"]
    invocation = run["invocations"][0]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "no such file or directory"
    assert [one["level"] for one in run["results"]] == ["warning", "error", "error"]
    verdict = run["results"][1]
    assert (verdict["ruleId"], verdict["ruleIndex"]) == ("AVE103", 0)
    assert verdict["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "bad.txt"},
                "region": {
                    "startLine": 3, "startColumn": 7, "endColumn": 15,
                    "snippet": {"text": "2 2_1 Rejected 0,6"},
                },
            }
        }
    ]  # fmt: skip


@pytest.mark.parametrize("arguments", [
    ["good.txt"],
    ["bad.txt", "bad.txt"],
    ["bad.txt", "./bad.txt", "folder/../bad.txt"],
    ["missing.txt", "missing.txt"],
    ["bad.txt", "--max-findings", "0"],
    ["bad.txt", "--select", "AVE2"],
    ["bad.txt", "--strict"],
    ["folder", "/dev/null"],
    ["gold.xml"],
])  # fmt: skip
def test_sarif_is_valid(here: Path, arguments: list[str]) -> None:
    (here / "folder").mkdir()
    for beside in ([], GOLD):
        sarif(*arguments, *beside)


@pytest.mark.slow
def test_sarif_of_every_broken_file_is_valid() -> None:
    files = sorted(map(str, BROKEN.glob("*.*")))
    run = sarif(*files)
    named = [unquote(urlsplit(one["location"]["uri"]).path) for one in run["artifacts"]]
    assert {*named} >= {*files}  # campaign files name others
    assert {one["id"] for one in run["tool"]["driver"]["rules"]} <= RULES.keys()
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]


RELATIVE = re.compile(r"(?!/)(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+")
"""A relative reference of RFC 3986; a colon in its first part would make that a scheme."""


def test_uris_are_encoded_and_lead_back_to_the_files(here: Path) -> None:
    names = copies(here)
    run = sarif(*names, *GOLD)
    uris = [one["location"]["uri"] for one in run["artifacts"]]
    for name, uri in zip(names, uris, strict=True):
        assert RELATIVE.fullmatch(uri), uri
        assert urlsplit(uri).path == uri
        assert unquote_to_bytes(uri) == os.fsencode(name.removeprefix("./"))
    places = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in
              run["results"]}  # fmt: skip
    assert places == set(uris)


@pytest.mark.parametrize("format_", ["sarif", "gitlab", "github"])
def test_paths_are_those_of_a_repository(here: Path, format_: str) -> None:
    """Below the present folder relative, however they were given; outside absolute."""
    inner = here / "in"
    inner.mkdir()
    shutil.copy(here / "bad.txt", inner / "bad.txt")
    os.chdir(inner)
    for given_path, expected in (
        ("bad.txt", "bad.txt"),
        ("./bad.txt", "bad.txt"),
        (f"{inner}/bad.txt", "bad.txt"),
        (f"{inner}/../in//bad.txt", "bad.txt"),
        ("../bad.txt", f"{here}/bad.txt"),
        (f"{here}/bad.txt", f"{here}/bad.txt"),
    ):
        _, out, _ = check(given_path, "--format", format_)
        scheme = "file://" if format_ == "sarif" and expected != "bad.txt" else ""
        before = {"sarif": '"uri": "', "gitlab": '"path": "', "github": "file="}[format_]
        after = "," if format_ == "github" else '"'
        assert f"{before}{scheme}{expected}{after}" in out


def junit(text: str) -> JUnitXml:
    """Return what junitparser reads, after lxml has found nothing to complain of."""
    root = etree.fromstring(text.encode())
    read = JUnitXml.fromstring(text.encode())
    cases = root.findall(".//testcase")
    for name, tag in (("tests", None), ("failures", "failure"), ("errors", "error")):
        said = int(root.get(name, "-1"))
        assert said == sum(tag is None or case.find(tag) is not None for case in cases)
        assert said == sum(int(suite.get(name, "-1")) for suite in root)
    return read


@pytest.mark.parametrize(("strict", "failures"), [([], 2), (["--strict"], 3)])
def test_junit_by_hand(here: Path, strict: list[str], failures: int) -> None:
    files = ["bad.txt", "good.txt", "missing.txt"]
    out = check(*files, *GOLD, "--format", "junit", *strict, code=2).out
    read = junit(out)
    assert (read.tests, read.failures, read.errors) == (3 + 1 + 1, failures, 1)
    suites = list(read)
    expected = [("bad.txt", 3, failures, 0), ("good.txt", 1, 0, 0), ("missing.txt", 1, 0, 1)]
    assert [(suite.name, suite.tests, suite.failures, suite.errors) for suite in suites] == expected
    cases = [case for suite in suites for case in suite]
    rules = ["AVE103 verdict-case", "AVE107 decimal-comma", "AVE108 confidence-range"]
    assert [case.name for case in cases[:3]] == rules
    (failure,) = cases[0].result
    assert isinstance(failure, Failure) and failure.text is not None
    assert failure.text.startswith("bad.txt:3:7 AVE103 found 'Rejected'")
    (error,) = cases[4].result
    assert isinstance(error, Error) and error.message == "no such file or directory"


def test_junit_counts_findings_not_listed(here: Path) -> None:
    put(here, "1 1 Selected x\n" * 60, "many.txt")
    _, out, _ = check("many.txt", "--format", "junit", "--max-findings", "3")
    read = junit(out)
    assert (read.tests, read.failures) == (3, 3)
    assert "59 x AVE206" in out  # each line but the first contradicts that
    assert "60 x AVE103" in out and "60 x AVE105" in out


@pytest.mark.parametrize("encoding", ["utf-8", slow("latin-1"), "ascii", slow("utf-16")])
def test_junit_is_xml_in_any_locale(here: Path, encoding: str) -> None:
    put(here, "é漢 1 NO 0.5\n", "é漢.txt")
    done = child("é漢.txt", "--format", "junit", PYTHONIOENCODING=encoding)
    assert done.code == 1
    data = os.fsencode(done.out)
    etree.fromstring(data if encoding != "utf-16" else data.decode(encoding).encode())


def test_nothing_in_a_file_breaks_a_document(here: Path) -> None:
    text = st.text(max_size=20) | st.sampled_from(["]]>", "</failure>", "&lt;", "\ufffe", "\x0b"])

    @fuzzed
    @given(
        data=broken(RUN) | st.lists(text, max_size=8).map(" ".join).map(str.encode),
        name=text.filter(
            lambda name: name.isprintable() and "/" not in name and 0 < len(name.encode()) < 80
        ),
        strict=st.booleans(),
    )
    def holds(data: bytes, name: str, strict: bool) -> None:
        put(here, data, f"{name}.txt")
        arguments = [f"./{name}.txt", f"./no{name}.txt", *["--strict"] * strict, *GOLD]
        junit(check(*arguments, "--format", "junit")[1])
        sarif(*arguments)
        issues = document("gitlab", *arguments)
        found = codes(document("json", *arguments))
        rows = re.findall(r"^\|.*\|$", check(*arguments, "--format", "markdown")[1], re.M)
        unreadable = 2 - sum(file["unreadable"] is None for file in
                             document("json", *arguments)["files"])  # fmt: skip
        assert len(issues) == len(found) + unreadable
        assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} <= {5}
        (here / f"{name}.txt").unlink()

    holds()


def test_markdown_by_hand(here: Path) -> None:
    _, out, _ = check("bad.txt", "good.txt", "missing.txt", *GOLD, "--format", "markdown")
    lines = out.splitlines()
    assert lines[0].startswith("**bad.txt: 2 errors, 1 warning**")
    assert lines[2:7] == [
        "| Line | Column | Rule | Finding |",
        "| --: | --: | --- | --- |",
        "| 1 | 16 | AVE108 confidence-range (warning) | confidence 7 is outside 0..1 |",
        "| 3 | 7 | AVE103 verdict-case (error) | found 'Rejected', expected REJECTED: verdicts are "
        "written in capitals |",
        "| 3 | 16 | AVE107 decimal-comma (error) | found '0,6', expected '0.6': the decimal "
        "separator is a point |",
    ]
    assert "**good.txt: no findings**" in out
    assert "**missing.txt** could not be read: no such file or directory" in out


def test_markdown_is_utf_8(here: Path) -> None:
    put(here, "é漢 1 NO 0.5\n", "é漢.txt")
    assert "**é漢.txt: 1 error**" in child("é漢.txt", "--format", "markdown").out
