"""Quotations: lines read again by number, and the part of a line that is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score.core.text import QUOTED_CHARACTERS, Quote, find_odd, quote, visible
from ave_score.files import positions
from ave_score.files import source as source_module
from ave_score.files.limits import CHUNK
from ave_score.files.positions import MAX_QUOTED
from ave_score.files.source import Source
from tests.helpers_files import fuzzed, is_safe, put

ENDS = pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])


def lines_of(folder: Path, data: str | bytes, *wanted: int) -> dict[int, str]:
    """Return the lines of a file that have these numbers."""
    return dict(positions.lines_of(Source(put(folder, data)), set(wanted)))


# --- lines by their numbers -------------------------------------------------------------------


@ENDS
@pytest.mark.parametrize("last", [True, False], ids=["final-newline", "no-final-newline"])
def test_lines_are_found_by_their_numbers(tmp_path: Path, end: str, last: bool) -> None:
    data = end.join(["one", "", " two\t", "naïve 🙂"]) + end * last
    assert lines_of(tmp_path, data, 1) == {1: "one"}
    assert lines_of(tmp_path, data, 2, 4) == {2: "", 4: "naïve 🙂"}
    assert lines_of(tmp_path, data, 1, 2, 3, 4) == {1: "one", 2: "", 3: " two\t", 4: "naïve 🙂"}


def test_line_ends_may_be_mixed(tmp_path: Path) -> None:
    data = "a\r\nb\rc\n\rd\r\r\ne"
    expected = {1: "a", 2: "b", 3: "c", 4: "", 5: "d", 6: "", 7: "e"}
    assert lines_of(tmp_path, data, *range(1, 8)) == expected


def test_other_separators_of_unicode_end_no_line(tmp_path: Path) -> None:
    line = "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"
    assert lines_of(tmp_path, f"{line}\ntwo\n", 1, 2) == {1: line, 2: "two"}


@ENDS
@pytest.mark.parametrize("length", [CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1])
def test_a_line_end_counts_once_even_between_two_chunks(
    tmp_path: Path, end: str, length: int
) -> None:
    data = end.join(["x" * length, "two", "", "four"])
    expected = {1: "x" * length, 2: "two", 3: "", 4: "four"}
    assert lines_of(tmp_path, data, 1, 2, 3, 4) == expected


@pytest.mark.parametrize("before", [CHUNK - 3, CHUNK - 2, CHUNK - 1])
def test_a_character_split_between_two_chunks_is_decoded(tmp_path: Path, before: int) -> None:
    assert lines_of(tmp_path, "x" * before + "🙂\ntwo", 1, 2) == {1: "x" * before + "🙂", 2: "two"}


@fuzzed
@given(
    st.lists(st.text("ab é🙂", max_size=30), min_size=1, max_size=60),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(7, 99),
)
def test_lines_do_not_depend_on_where_chunks_end(
    tmp_path: Path, content: list[str], end: str, chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "CHUNK", chunk)
        found = lines_of(tmp_path, end.join([*content, "last"]), *range(1, len(content) + 2))
    assert found == dict(enumerate([*content, "last"], 1))


def test_numbers_beyond_the_end_have_no_line(tmp_path: Path) -> None:
    assert lines_of(tmp_path, "one\ntwo", 2, 3, 1_000_000) == {2: "two"}
    assert lines_of(tmp_path, "one\ntwo\n", 4, 1_000_000) == {}
    assert lines_of(tmp_path, "", 2) == {}


def test_a_file_is_not_opened_for_nothing(tmp_path: Path) -> None:
    assert list(positions.lines_of(Source(tmp_path / "missing"), set())) == []


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    assert lines_of(tmp_path, "\ufeffone\ntwo\n", 1, 2) == {1: "one", 2: "two"}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@ENDS
def test_utf16_is_detected_by_its_mark(tmp_path: Path, encoding: str, end: str) -> None:
    data = "\ufeff" + end.join(["one", "日本 🙂", "", "four"])
    expected = {1: "one", 2: "日本 🙂", 4: "four"}
    assert lines_of(tmp_path, data.encode(encoding), 1, 2, 4) == expected


@pytest.mark.parametrize(
    ("encoding", "word"),
    [("ISO-8859-1", "naïve"), ("windows-1251", "Россия"), ("Shift_JIS", "日本")],
)
def test_xml_is_read_in_the_encoding_that_it_declares(
    tmp_path: Path, encoding: str, word: str
) -> None:
    first = f'<?xml version="1.0" encoding="{encoding}"?>'
    data = f"{first}\n<c>{word}\n</c>\n".encode(encoding)
    assert lines_of(tmp_path, data, 1, 2, 3) == {1: first, 2: f"<c>{word}", 3: "</c>"}


@pytest.mark.parametrize("encoding", ["no-such-encoding", "hex", "rot13"])
def test_a_file_of_no_known_encoding_is_read_as_utf8(tmp_path: Path, encoding: str) -> None:
    first = f'<?xml version="1.0" encoding="{encoding}"?>'
    assert lines_of(tmp_path, f"{first}\n<é/>\n", 1, 2) == {1: first, 2: "<é/>"}


@pytest.mark.parametrize("encoding", ["idna", "utf-16", "utf-32"])
def test_an_encoding_that_cannot_be_read_is_quoted_as_far_as_it_goes(
    tmp_path: Path, encoding: str
) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?>\n<c>é</c>\n'.encode()
    assert "".join(lines_of(tmp_path, data, 1, 2, 3).values()) == ""


def test_bytes_that_are_not_text_are_replaced_and_shift_no_number(tmp_path: Path) -> None:
    data = b"one\ntw\xe9\n\xff\xfe\n\xc3\nfive\n"
    assert lines_of(tmp_path, data, *range(1, 6)) == {
        1: "one",
        2: "tw\ufffd",
        3: "\ufffd\ufffd",
        4: "\ufffd",
        5: "five",
    }


@ENDS
@pytest.mark.parametrize("length", [MAX_QUOTED + 1, MAX_QUOTED + CHUNK, 3 * MAX_QUOTED])
def test_a_line_too_long_to_quote_is_left_out_and_shifts_no_number(
    tmp_path: Path, end: str, length: int
) -> None:
    data = end.join(["one", "x" * length, "three", "y" * length, "", "six"])
    assert lines_of(tmp_path, data, *range(1, 7)) == {1: "one", 3: "three", 5: "", 6: "six"}


@ENDS
def test_the_longest_line_is_quoted(tmp_path: Path, end: str) -> None:
    data = end.join(["x" * MAX_QUOTED, "two"])
    assert lines_of(tmp_path, data, 1, 2) == {1: "x" * MAX_QUOTED, 2: "two"}


def test_a_last_line_too_long_to_quote_is_left_out(tmp_path: Path) -> None:
    assert lines_of(tmp_path, "one\n" + "x" * (2 * MAX_QUOTED), 1, 2) == {1: "one"}


# --- the piece that is shown ------------------------------------------------------------------


def marked(quoted: Quote) -> str:
    """Return what a quotation marks."""
    assert 0 <= quoted.start <= quoted.start + quoted.length <= len(quoted.text)
    return quoted.text[quoted.start : quoted.start + quoted.length]


@pytest.mark.parametrize(
    ("line", "columns", "expected"),
    [
        ("2 2_2 SELECTED 0.7", range(3, 6), ("2 2_2 SELECTED 0.7", 2, 3)),
        ("2 2_2", range(1, 1), ("2 2_2", 0, 0)),  # nothing in particular
        ("2 2_2", range(6, 7), ("2 2_2", 5, 0)),  # just behind the end
        ("2 2_2", range(1, 6), ("2 2_2", 0, 5)),
        ("", range(1, 2), ("", 0, 0)),
        ("1\tA\tR", range(3, 4), (r"1\tA\tR", 3, 1)),
        ("a\x1bb", range(2, 3), (r"a\x1bb", 1, 4)),
        ("a\x1bb", range(3, 4), (r"a\x1bb", 5, 1)),
        ("\u202ea\u2066b\u200bc", range(2, 5), (r"\u202ea\u2066b\u200bc", 6, 8)),
    ],
)
def test_a_short_line_is_quoted_whole_with_what_cannot_be_seen_shown(
    line: str, columns: range, expected: tuple[str, int, int]
) -> None:
    assert quote(line, columns) == expected


def test_a_line_of_the_length_that_is_quoted_is_not_cut() -> None:
    line = "x" * (QUOTED_CHARACTERS - 3) + "end"
    for columns in (range(1, 2), range(QUOTED_CHARACTERS - 2, QUOTED_CHARACTERS + 1)):
        quoted = quote(line, columns)
        assert quoted.text == line
        assert marked(quoted) == line[columns.start - 1 : columns.stop - 1]


@pytest.mark.parametrize("at", [1, 2, 60, 61, 100, 101, 102, 150, 199, 201, 5_000, 9_990, 9_997])
def test_a_long_line_is_truncated_around_the_position(at: int) -> None:
    line = "x" * (at - 1) + "HERE" + "y" * (10_000 - at - 3)
    quoted = quote(line, range(at, at + 4))
    assert marked(quoted) == "HERE"
    assert len(quoted.text) <= QUOTED_CHARACTERS + 2
    shown = quoted.text.strip("…")
    assert shown in line
    assert quoted.text.startswith("…") == (not line.startswith(shown))
    assert quoted.text.endswith("…") == (not line.endswith(shown))


def test_a_piece_too_long_to_be_shown_is_marked_as_far_as_it_is() -> None:
    for at in (1, 80, 500):
        line = "-" * (at - 1) + "x" * 1_000 + "-" * 500
        quoted = quote(line, range(at, at + 1_000))
        assert set(marked(quoted)) == {"x"}
        assert quoted.text == quoted.text[: quoted.start] + marked(quoted) + "…"
        assert quoted.length > 100


def test_the_end_of_a_long_line_is_shown_where_something_is_wanting() -> None:
    quoted = quote("x" * 500 + "end", range(504, 505))
    assert quoted.text.startswith("…x")
    assert quoted.text.endswith("end")
    assert (quoted.start, quoted.length) == (len(quoted.text), 0)


@st.composite
def pieces(draw: st.DrawFn, characters: st.SearchStrategy[str]) -> tuple[str, range]:
    """Strategy: a line, sometimes a long one, and columns in it."""
    line = draw(st.text(characters, min_size=1, max_size=40)) * draw(st.sampled_from([1, 7, 40]))
    first = draw(st.integers(1, len(line)))
    return line, range(first, draw(st.integers(first + 1, len(line) + 1)))


@fuzzed
@given(pieces(st.characters(codec="utf-8").filter(lambda one: one != "\n" and not find_odd(one))))
def test_what_is_marked_is_the_piece_unless_cut(example: tuple[str, range]) -> None:
    line, columns = example
    quoted = quote(line.replace("\t", " "), columns)
    piece = line.replace("\t", " ")[columns.start - 1 : columns.stop - 1]
    assert marked(quoted) == visible(piece)[: quoted.length]
    if len(piece) <= 100:
        assert quoted.length == len(visible(piece))


@fuzzed
@given(pieces(st.characters()))
def test_a_quotation_of_anything_is_safe_and_marks_part_of_itself(
    example: tuple[str, range],
) -> None:
    quoted = quote(*example)
    assert is_safe(quoted.text), ascii(quoted.text)
    assert marked(quoted)
