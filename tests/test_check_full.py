"""The format `full`: source line, caret and help, wrapped to the width."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import each, examples
from tests.helpers_check import check, posix
from tests.helpers_command import AVE_SCORE
from tests.helpers_files import fuzzed, put, with_line
from tests.helpers_terminal import in_terminal


def width_of(text: str) -> int:
    """Return how many columns a terminal gives a text, after Unicode's own tables."""
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


class Frame(NamedTuple):
    """A quoted line and what its caret stands under."""

    line: int
    text: str
    marked: str
    widest: int


def frames(out: str) -> list[Frame]:
    """Return every quoted line of the output with the characters above its caret."""
    found = []
    lines = out.splitlines()
    for place, line in enumerate(lines):
        quoted = re.fullmatch(r"  (\d+) \| (.*)", line)
        if not quoted:
            continue
        number, text = quoted.groups()
        margin = " " * len(number)
        assert lines[place - 1] == f"  {margin} |"
        caret = re.fullmatch(rf"  {margin} \| ( *)(\^+)", lines[place + 1])
        assert caret, lines[place + 1]
        start, stop = len(caret[1]), len(caret[1]) + len(caret[2])
        marked, column = "", 0
        for character in text:
            if start <= column < stop:
                marked += character
            column += width_of(character)
        found.append(Frame(int(number), text, marked, max(width_of(line), len(lines[place + 1]))))
    return found


def test_a_finding_by_hand(here: Path) -> None:
    put(here, with_line(3, "2 2_1 Rejected 0,6").replace("0.7", "0,7"), "bad.txt")
    code, out, err = check("bad.txt", "--collection", "gold.xml")
    assert (code, err) == (1, "")
    assert out.startswith(
        """\
bad.txt:3:7 AVE103 found 'Rejected', expected REJECTED: verdicts are written in capitals
    |
  3 | 2 2_1 Rejected 0,6
    |       ^^^^^^^^
    = help: Change nothing but the case of its letters.

bad.txt:3:16 AVE107 found '0,6', expected '0.6': the decimal separator is a point
    |
  3 | 2 2_1 Rejected 0,6
    |                ^^^
    = help: Use no comma in a number.

bad.txt:4:16 AVE107 found '0,7', expected '0.7': the decimal separator is a point
    |
  4 | 2 2_2 SELECTED 0,7
    |                ^^^

bad.txt: 3 errors"""
    )


def test_help_is_shown_once_per_rule_and_file(here: Path) -> None:
    for name in ("one.txt", "two.txt"):
        put(here, "1 1_1 Selected 0,5\n2 2_1 Rejected 0,5\n", name)
    _, out, _ = check("one.txt", "two.txt")
    assert out.count("= help: ") == 2 * 2
    assert out.count(" AVE103 found") == out.count(" AVE107 found") == 2 * 2


LINES = [
    ("1 1_1 Selected 0.5", "Selected"),
    ("1\t1_1\tSelected\t0.5", "Selected"),
    ("  1   1_1  Selected 0.5", "Selected"),
    ("漢字 漢字_1 Selected 0.5", "Selected"),
    ("e\u0301e\u0301 e\u0301 Selected 0.5", "Selected"),
    ("1 1_1 漢字漢字 0.5", "漢字漢字"),
    ("1 1_1 REJECTED 漢", "漢"),
    ("1 1_1 Se\u0301le\u0301cted 0.5", "Se\u0301le\u0301cted"),
    ("1 1_1\x01 REJECTED 0.5", r"\x01"),
    ("1\x1b[31m 1_1 REJECTED 0.5", r"\x1b"),
    ("漢\u202e 1_1 REJECTED 0.5", r"\u202e"),
    ("ﾊﾝｶｸ ｱ Selected 0.5", "Selected"),
    (f"{'x' * 300} 1 Selected 0.5", "Selected"),
    (f"{'漢' * 300} 1 Selected 0.5", "Selected"),
    (f"{'漢' * 60} 1 Selected 0.5", "Selected"),
    ("1 " + "e\u0301" * 150 + " Selected 0.5", "Selected"),
    (f"1 1_1 Selected 0.5{' ' * 300}", "Selected"),
    (f"1\t{'x' * 99}\tSelected\t0.5", "Selected"),
    (f"1\t{'x' * 100}\tSelected\t0.5", "Selected"),
    (f"1\t{'x' * 190}\tSelected\t0.5", "Selected"),
    (f"1 1_1 {'漢' * 12} 0.5", "漢" * 12),
    ("1 1_1 REJECTED 0.5 more", "more"),
]  # fmt: skip


@each("width", ["", "120", "60", "40"])
@each("line, field", LINES)
def test_the_caret_is_under_the_field(
    here: Path, monkeypatch: pytest.MonkeyPatch, line: str, field: str, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    put(here, f"# comment\n{line}\n", "run.txt")
    _, out, _ = check("run.txt", "--kind", "run")
    (frame,) = frames(out)
    assert frame.line == 2 and frame.marked == field
    if width:
        assert frame.widest <= int(width)


@pytest.mark.parametrize("width", ["60", "40"])
def test_a_field_wider_than_the_terminal_is_cut(
    here: Path, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    for field in ("x" * 150, "漢" * 75, "x" * 500, "漢" * 500):
        for before in ("1 1_1 ", f"1 {'y' * 150} ", f"{'漢' * 80} 1 "):
            put(here, f"{before}{field} 0.5\n", "run.txt")
            (frame,) = frames(check("run.txt", "--kind", "run")[1])
            assert frame.widest <= int(width) and frame.marked.strip("…")
            assert set(frame.marked.strip("…")) == set(field)


@pytest.mark.parametrize("width", ["", "60", "40"])
@pytest.mark.parametrize("line", ["1 1_1 REJECTED", "漢字 1_1 REJECTED", f"{'x' * 250} 1 REJECTED"])
def test_the_caret_is_behind_the_line_where_a_field_is_wanting(
    here: Path, monkeypatch: pytest.MonkeyPatch, line: str, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    put(here, f"{line}\n", "run.txt")
    _, out, _ = check("run.txt", "--kind", "run")
    quoted, caret = re.findall(r"^  (?:1| ) \| (.+)$", out, re.M)
    assert quoted.endswith("1_1 REJECTED" if "1_1" in line else "1 REJECTED")
    assert caret == " " * width_of(quoted) + "^"


def test_a_finding_without_a_line_has_no_frame(here: Path) -> None:
    put(here, "", "run.txt")
    _, out, _ = check("run.txt")
    assert " | " not in out and "^" not in out
    assert "= help: " in out


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_no_line_is_wider_than_the_terminal_unless_a_word_is(
    here: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    put(here, with_line(3, "2 2_1 Rejected 0,6").replace("0.9", "7"), "bad.txt")
    _, out, _ = check("bad.txt", "missing.txt")
    for line in out.splitlines():
        # a command is in one piece, to be copied
        is_command = line == "  to fix 2: ave-score fix bad.txt"
        assert len(line) <= width or " " not in line.strip() or is_command, line
    words = out.partition("\nFile ")[0].split()
    monkeypatch.setenv("COLUMNS", "")
    whole = check("bad.txt", "missing.txt")[1].partition("\nFile ")[0]
    assert words == whole.split()  # folding loses no word


def test_a_pipe_is_not_folded_and_has_no_colours(here: Path) -> None:
    put(here, f"1 1_1 {'x' * 150} 0.5\n", "run.txt")
    _, out, _ = check("run.txt")
    assert "\x1b" not in out and f"  1 | 1 1_1 {'x' * 150} 0.5\n" in out


def shown(*arguments: str, **environment: str) -> str:
    return in_terminal([*AVE_SCORE, "check", *arguments], 0, **environment)[0].replace("\r\n", "\n")


@pytest.mark.slow
@posix
def test_colours_are_for_terminals_that_want_them(here: Path) -> None:
    put(here, with_line(3, "2 2_1 Rejected 0.6").replace("0.9", "7"), "bad.txt")
    plain = check("bad.txt")[1]
    coloured = shown("bad.txt", COLUMNS="200")
    assert coloured.count("\x1b[") > 6 and re.sub(r"\x1b\[\d*m", "", coloured) == plain
    assert shown("bad.txt", COLUMNS="200", NO_COLOR="1") == plain
    assert shown("bad.txt", COLUMNS="200", TERM="dumb") == plain
    assert "\x1b" not in shown("bad.txt", "--format", "concise")
    assert shown("bad.txt", "-o", "out.txt") == ""
    assert (here / "out.txt").read_text() == plain


@posix
def test_a_terminal_in_colour_wraps_lines_equally(here: Path) -> None:
    put(here, with_line(3, "2 2_1 Rejected 0,6").replace("0.9", "7"), "bad.txt")
    plain = shown("bad.txt", COLUMNS="40", NO_COLOR="1")
    coloured = shown("bad.txt", COLUMNS="40")
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain
    assert max(map(len, plain.splitlines())) <= 40


WORDS = st.lists(st.sampled_from(["a", "b", "漢", "é"]), min_size=1, max_size=90)


@settings(fuzzed, max_examples=examples(100))
@given(words=st.tuples(*[WORDS.map("".join)] * 3), width=st.integers(30, 90))
def test_any_width_marks_the_field(here: Path, words: tuple[str, str, str], width: int) -> None:
    put(here, f"{' '.join(words)} 0.5\n", "run.txt")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", str(width))
        (frame,) = frames(check("run.txt", "--kind", "run")[1])
    assert frame.widest <= width
    marked = frame.marked.strip("…")
    assert marked and marked in words[2]
    if width_of(words[2]) <= width // 2 - len("  1 | "):
        assert marked == words[2]


def test_what_is_of_the_file_as_a_whole_quotes_no_line(here: Path) -> None:
    """A byte order mark, or line ends, that was skipped: one line, and how to fix it."""
    cases = {
        "\ufeff1 1_1 SELECTED 0.9\n": "a byte order mark, which was skipped",
        "1 1_1 SELECTED 0.9\r": "accepted as line endings",
    }
    for text, ends in cases.items():
        (here / "run.txt").write_bytes(text.encode())
        found, *rest = check("run.txt", code=0).out.splitlines()
        assert found.endswith(ends)
        assert not [line for line in rest if "|" in line or "= help" in line]
        assert rest[-1] == "  to fix 1: ave-score fix run.txt"
