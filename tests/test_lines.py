"""Text files as blocks of lines: encodings, line ends, line numbers, binary and foreign files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score import Findings
from ave_score.files import source as source_module
from ave_score.files.limits import CHUNK
from ave_score.files.lines import MAX_LINE, LineReader
from ave_score.files.source import Source
from tests import each
from tests.helpers_files import Position, assert_safe, broken, fuzzed, is_safe, only, positions, put

SOUND = "one 1\ntwo 2\nthree 3\nfour 4\n"


def lines_of(folder: Path, data: str | bytes) -> tuple[list[str], Findings]:
    """Return the lines of a file, "" for those refused; check the numbers of its blocks."""
    path = put(folder, data)
    findings = Findings(str(path))
    lines: list[str] = []
    for block in LineReader(Source(path), findings, "a test").blocks():
        assert block.first == len(lines) + 1
        assert block.text.endswith("\n")
        rows = enumerate(block.text.split("\n")[:-1], block.first)
        lines += ["" if number in block.bad else row for number, row in rows]
    return lines, findings


@pytest.mark.parametrize("data", ["", "one", "one\n", "one\n\n", "\n", "one\ntwo", SOUND])
def test_lines_are_those_of_the_file_and_last_may_lack_its_end(tmp_path: Path, data: str) -> None:
    lines, findings = lines_of(tmp_path, data)
    assert lines == data.removesuffix("\n").split("\n") if data else lines == []
    assert not len(findings)


def test_each_kind_of_line_end_is_warned_about_once(tmp_path: Path) -> None:
    lines, findings = lines_of(tmp_path, "a\r\nb\rc\r\nd\re\n" * 3)
    assert lines == list("abcde") * 3
    said = sorted(found.message.split(",")[0] for found in findings)
    assert said == [f"the lines end with {end}" for end in ("CR (old Mac)", "CRLF (Windows)")]


@fuzzed
@given(
    st.lists(st.text("ab é\t", max_size=30), min_size=1, max_size=60),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(64, 99),
)
def test_lines_do_not_depend_on_where_chunks_end(
    tmp_path: Path, content: list[str], end: str, chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "CHUNK", chunk)
        lines, findings = lines_of(tmp_path, end.join([*content, "last"]))
    assert lines == [*content, "last"]
    assert [code for code, _, _ in positions(findings)] == ["AVE112"] * (end != "\n")


NOT_UTF8: list[tuple[bytes, list[Position]]] = [
    ("one\ntwo\nthré\n".encode("latin-1"), [("AVE110", 3, 4)]),
    ("caf\u00e9 \u2192\nna\u00efve\n".encode() + b"\xe9\n", [("AVE110", 3, 1)]),
    ("é".encode() + b"\xff\nsound\n\xe9 \xe8\n", [("AVE110", 1, 2), ("AVE110", 3, 1)]),
    (b"one\ntwo \xc3", [("AVE110", 2, 5)]),
    (b"one\n\xc0\xaf\n", [("AVE110", 2, 1)]),
    (b"one\n\xed\xa0\x80\n", [("AVE110", 2, 1)]),
    (b"x" * CHUNK + b"\n\n\xff", [("AVE110", 3, 1)]),
    (b"one\r\n\r\ntwo\xff\r\n", [("AVE110", 3, 4), ("AVE112", None, None)]),
    (b"\xef\xbb\xbfone \xff\n", [("AVE111", 1, None), ("AVE110", 1, 5)]),
]


@pytest.mark.parametrize(("data", "expected"), NOT_UTF8)
def test_the_first_byte_of_a_line_that_is_not_utf8_is_found(
    tmp_path: Path, data: bytes, expected: list[Position]
) -> None:
    lines, findings = lines_of(tmp_path, data)
    assert positions(findings) == expected
    refused = {line for code, line, _ in expected if code == "AVE110"}
    assert all(lines[line - 1] == "" for line in refused if line)
    assert_safe(findings)


def test_lines_around_a_bad_line_are_read_and_the_bad_byte_is_named(tmp_path: Path) -> None:
    lines, findings = lines_of(tmp_path, b"one\ntw\xe9\nthree\n")
    assert lines == ["one", "", "three"]
    assert "0xE9" in only(findings)
    assert "Latin-1" in only(findings)


CONTROL = "\x01\x07\x08\x0b\x0c\x1b\x1c\x1d\x1e\x7f\x85"
BLANK = "\xa0\u2009\u2028\u2029\u202f\u3000"
INVISIBLE = "\xad\u061c\u200b\u200e\u202e\u2060\u2066\ufeff"
RARE = "\u180e\ufff9\U000e0041"
"""Format characters all the same: a vowel separator, an annotation mark, an A among the tags."""


@each("character", CONTROL + BLANK + INVISIBLE + RARE)
def test_control_and_invisible_characters_found_and_named(tmp_path: Path, character: str) -> None:
    lines, findings = lines_of(tmp_path, f"one\n\ntwo é{character}2\nlast\n")
    assert lines == ["one", "", "", "last"]
    assert positions(findings) == [("AVE113", 3, 6)]
    assert f"U+{ord(character):04X}" in only(findings)
    assert_safe(findings)
    assert all(is_safe(found.text) for found in findings)


def test_a_nul_behind_the_head_of_the_file_is_a_control_character(tmp_path: Path) -> None:
    _, findings = lines_of(tmp_path, "one\n" * 5000 + "a\0b\n")
    assert positions(findings) == [("AVE113", 5001, 2)]


def test_letters_of_all_scripts_and_tabs_are_plain(tmp_path: Path) -> None:
    text = "Ελλάς\tРоссия 日本 عربى हिन्दी e\u0301 𝛼 🙂"
    assert lines_of(tmp_path, text)[0] == [text]
    assert not len(lines_of(tmp_path, text)[1])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("before", "length", "after"), [
    (["one"], 2 * MAX_LINE, ["three", "four"]),
    ([], 3 * MAX_LINE + 5, ["two"]),
    (["one", "two"], MAX_LINE + CHUNK, []),
    (["one"], 2 * MAX_LINE, ["x" * (2 * CHUNK), "four"]),
], ids=["in-the-middle", "first", "last", "before-a-long-one"])  # fmt: skip
def test_an_endless_line_is_skipped_and_shifts_no_number(
    tmp_path: Path, before: list[str], length: int, after: list[str], end: str
) -> None:
    lines, findings = lines_of(tmp_path, end.join([*before, "x" * length, *after, ""]))
    assert lines == [*before, "", *after]
    found = [position for position in positions(findings) if position[0] != "AVE112"]
    assert found == [("AVE114", len(before) + 1, None)]
    assert f"{MAX_LINE:,}" in next(f.message for f in findings if f.rule.code == "AVE114")


def test_an_endless_last_line_without_end_is_found(tmp_path: Path) -> None:
    lines, findings = lines_of(tmp_path, "one\n" + "x" * (2 * MAX_LINE))
    assert lines == ["one", ""]
    assert positions(findings) == [("AVE114", 2, None)]


@pytest.mark.parametrize(
    ("length", "expected"), [(MAX_LINE, []), (MAX_LINE + 1, [("AVE114", 2, None)])]
)
def test_the_longest_line_is_as_long_as_the_message_says(
    tmp_path: Path, length: int, expected: list[Position]
) -> None:
    assert positions(lines_of(tmp_path, "one\n" + "x" * length + "\nthree\n")[1]) == expected


@fuzzed
@given(broken(SOUND.encode("utf-8-sig")))
def test_damaged_files_keep_their_line_numbers(tmp_path: Path, data: bytes) -> None:
    lines, findings = lines_of(tmp_path, data)
    body = data.removeprefix(b"\xef\xbb\xbf")
    ends = [*re.finditer(rb"\r\n|\r|\n", body)]
    number = len(ends) + bool(body[ends[-1].end() if ends else 0 :])
    refused = {"AVE116", "AVE117", "AVE118"} & {code for code, _, _ in positions(findings)}
    assert len(lines) == (0 if refused else number)
    assert all((found.line or 1) <= max(number, 1) for found in findings)
    assert_safe(findings)


def test_a_line_full_of_odd_characters_is_reported_once_with_their_number(tmp_path: Path) -> None:
    # hundreds of thousands in one line: to look at each again from the start would take minutes
    blanks = 300_000
    path = put(tmp_path, f"1 1_1 SELECTED 0.5{chr(0x3000) * blanks}\n")
    findings = Findings(str(path))
    list(LineReader(Source(path), findings, "a test").blocks())
    (found,) = findings
    assert (found.line, found.column) == (1, 19)
    assert found.message.endswith(f"(and {blanks - 1:,} more in this line)")
