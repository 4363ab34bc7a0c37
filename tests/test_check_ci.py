"""What `ave-score check` writes into the log of a build: commands where they are wanted, no others.

`obeyed` is an independent reader of workflow commands that follows GitHub's runner.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import examples, mostly_slow
from tests.helpers_check import ATTACKS, FORMATS, Command, check, child, obeyed
from tests.helpers_files import RUN, fuzzed, put

GOLD = ["--collection", "gold.xml", "--select", "AVE"]

HOSTILE = [
    "::error::x", "::error file=x::y", "  ::error::x", "\u3000::error::x", "\u00a0::error::x",
    "\u2003 ::error::x", "::stop-commands::token", "##[error]x", "x##[error]x",
    "x ##[stop-commands]x", "####[error]x", "##vso[task.setvariable variable=x]y",
    "two\n::error::x", "two\r::error::x", "two\r\n::error::x", "two\x85::error::x",
    "two\u2028::error::x", "a ::error::x b ::error::y", "%0A::error::x", "%250A::error::x",
    "a,line=9,b", "a,col=9::b", "a:b:c", "100%", "title=x",
]  # fmt: skip
"""Names of files that a workflow command might be made of."""


def named(folder: Path, name: str) -> str:
    try:
        shutil.copy(folder / "bad.txt", folder / name)
    except OSError:
        pytest.skip(f"no file can be named {name!r} here")
    return name


def test_the_reader_reads_as_the_runner_does() -> None:
    assert obeyed("::error::x") == [Command("error", {}, "x")]
    found = obeyed("  ::error file=a%3Ab,line=1::x%0Ay%25")
    assert found == [Command("error", {"file": "a:b", "line": "1"}, "x\ny%")]
    assert obeyed("\u3000::error::") == [Command("error", {}, "")]
    assert obeyed("text ##[error a=b]x") == [Command("error", {}, "x")]
    for harmless in (
        "x ::error::x",
        "::nothing::x",
        "::error:x",
        "##[nothing]x",
        "##[error",
        "#[error]",
    ):
        assert obeyed(harmless) == [], harmless
    assert len(obeyed("::error::a\r::error::b\r\n\n::error::c")) == 3


def test_commands_by_hand(here: Path) -> None:
    code, out, err = check("bad.txt", *GOLD, "--format", "github")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "::warning file=bad.txt,line=1,col=16,endColumn=16,title=AVE108 confidence-range"
        "::confidence 7 is outside 0..1",
        "::error file=bad.txt,line=3,col=7,endColumn=14,title=AVE103 verdict-case"
        "::found 'Rejected', expected REJECTED: verdicts are written in capitals",
        "::error file=bad.txt,line=3,col=16,endColumn=18,title=AVE107 decimal-comma"
        "::found '0,6', expected '0.6': the decimal separator is a point",
    ]


def test_the_escapes_are_githubs(here: Path) -> None:
    put(here, "1 1_1 100%,a:b 0.5\n", "a,b:c%0A.txt")
    _, out, _ = check("a,b:c%0A.txt", "--format", "github")
    assert out.startswith("::error file=a%2Cb%3Ac%250A.txt,line=1,col=7,endColumn=14,title=AVE102 ")
    assert "::found '100%25,a:b', expected" in out


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_each_finding_is_one_command_for_any_file_name(here: Path, name: str) -> None:
    named(here, name)
    _, out, err = check(name, f"no{name}", "bad.txt", *GOLD, "--format", "github")
    commands = obeyed(out)
    assert len(commands) == out.count("\n") == 3 + 1 + 3
    assert obeyed(err) == []
    allowed = {"file", "line", "col", "endColumn", "title"}
    for command in commands[:3]:
        assert command.name in {"error", "warning"} and set(command.properties) == allowed
        assert command.properties["line"] in {"1", "3"}
        assert command.properties["title"].startswith("AVE10")
    assert {command.properties["file"] for command in commands[4:]} == {"bad.txt"}
    assert commands[3].properties["title"] == "ave-score"
    if name.isprintable() and "#" not in name and not re.search(r"(^|\s)::", name):
        assert commands[0].properties["file"] == name  # nothing in it was escaped


@pytest.mark.parametrize("word", ATTACKS)
@pytest.mark.parametrize("field", mostly_slow(range(4), 1))
def test_each_finding_is_one_command_for_any_content(here: Path, word: str, field: int) -> None:
    fields = ["1", "1_1", "NO", "0.5"]
    fields[field] = word
    put(here, f"{' '.join(fields)}\n" * 2, "run.txt")
    _, out, _ = check("run.txt", *GOLD, "--format", "json")
    findings = json.loads(out)["files"][0]["findings"]
    _, out, _ = check("run.txt", *GOLD, "--format", "github")
    commands = obeyed(out)
    assert len(commands) == len(findings) == out.count("\n")
    for command, finding in zip(commands, findings, strict=True):
        assert command.properties["file"] == "run.txt"
        assert command.properties.get("line") == (finding["line"] and str(finding["line"]))
        assert command.data.startswith(finding["message"])


OTHERS = [format_ for format_ in FORMATS if format_ != "github"]


def assert_harmless(log: str) -> None:
    """Assert that no line is a command, nor would be for a runner that knows others."""
    assert obeyed(log) == []
    for line in re.split(r"\r\n|\r|\n", log):
        assert not line.lstrip().startswith("::"), ascii(line)
        assert "##[" not in line, ascii(line)
        assert not re.search(r"##\w+\[", line), ascii(line)


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "")


words = st.lists(
    st.sampled_from(
        ["::", "error", "##", "#", "[", "]", " ", "\t", "\r", "\n", "x", "\\", "%0A", "\u3000", "|",
         "'", "::error::", "##[error]", "\x0b", "\x1e", "\x85", "\u2028", "漢", "\u00ad", "y" * 30]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("format_", mostly_slow(OTHERS, 3))
def test_no_text_in_a_file_is_a_command(here: Path, format_: str) -> None:
    @settings(fuzzed, max_examples=examples(40))
    @given(
        text=st.lists(words, max_size=6).map("\n".join),
        head=st.sampled_from(
            [
                "",
                "1 1_1 ",
                "q_id\trun\tjudgement\n1\tqa\t",
                "run\tteam\n",
                '<ave>\n<q id="',
                "<ave>",
            ]
        ),
        width=st.sampled_from(["", "20", "25", "33", "40", "60"]),
        name=words.filter(lambda name: 0 < len(name.encode()) < 80 and "/" not in name),
    )
    def holds(text: str, head: str, width: str, name: str) -> None:
        os.environ["COLUMNS"] = width
        put(here, head + text, "file")
        put(here, head + text, f"{name}.txt")
        for arguments in (["file"], ["file", *GOLD], [f"./{name}.txt"], [f"{here}/{name}.txt"]):
            _, out, err = check(*arguments, "--format", format_)
            assert_harmless(out + err)
        if not name.startswith("-"):
            _, out, err = check(f"{name}.txt", "--format", format_)
            assert_harmless(out + err)

    holds()


def test_no_mistyped_option_is_a_command(here: Path) -> None:
    """`check *` takes a file called `--format=##[error]x` for an option."""
    options = ["--select", "--ignore", "--kind", "--letters", "--format", "-o", "--max-findings"]
    for name in HOSTILE:
        for option in options:
            _, out, err = check("bad.txt", option, f"{name}/x")
            assert_harmless(out + err)
        for argument in (f"--{name}", f"-{name}", f"--format={name}"):
            _, out, err = check("bad.txt", argument)
            assert_harmless(out + err)


@pytest.mark.slow
def test_a_log_in_another_encoding_is_harmless_too(here: Path) -> None:
    named(here, "\u3000::error::x")
    formats = ("full", "concise", "markdown", "junit")
    for encoding, format_ in zip(["ascii", "latin-1"] * 2, formats, strict=True):
        done = child("\u3000::error::x", "--format", format_, PYTHONIOENCODING=encoding)
        assert done.code == 1
        assert_harmless(os.fsencode(done.out + done.err).decode(encoding))


def test_a_sound_run_writes_no_command(here: Path) -> None:
    put(here, RUN, "good.txt")
    assert check("good.txt", *GOLD, "--format", "github") == (0, "", "")
