"""Quotations: lines read again by number, and the part of a line that is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score.core.text import QUOTED_CHARACTERS, Quote, find_odd, quote, visible
from ave_score.files import source as source_module
from ave_score.files.limits import CHUNK
from ave_score.files.lines import MAX_LINE
from tests import each, mostly_slow
from tests.helpers_files import COLLECTION, Held, fuzzed, is_safe

ENDS = pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])


def unknown(number: int) -> str:
    """Return a line about an answer that there is not; lines of such findings are read again."""
    return f"{number} é🙂 REJECTED 0.5"


def quoted(data: str | bytes) -> dict[int | None, str]:
    """Return what is quoted for unknown questions of a run."""
    collection = ave_score.read_collection(Held(COLLECTION))
    findings = ave_score.check(Held(data), collection, kind="run").findings
    return {found.line: found.text for found in findings if found.rule.code == "AVE201"}


@ENDS
@each("last", [True, False])
@each("length", [3, CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1])
def test_lines_are_found_by_their_numbers(end: str, last: bool, length: int) -> None:
    data = end.join(["#" * length, unknown(7), "", unknown(8), unknown(9)]) + end * last
    expected = {2: unknown(7), 4: unknown(8), 5: unknown(9)}
    assert quoted(data) == quoted("\ufeff" + data) == expected


def test_line_ends_may_be_mixed_and_other_separators_of_unicode_end_no_line() -> None:
    data = f"#\r\n{unknown(6)}\r{unknown(7)}\n\r{unknown(8)}\r\r\n{unknown(9)}"
    assert quoted(data) == {2: unknown(6), 3: unknown(7), 5: unknown(8), 7: unknown(9)}
    line = "# a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"
    assert quoted(f"{line}\n{unknown(9)}\n") == {2: unknown(9)}


@pytest.mark.parametrize("before", [CHUNK - 3, CHUNK - 2, CHUNK - 1])
def test_a_character_split_between_two_chunks_is_decoded(before: int) -> None:
    comment = "#" * (before - len("\n9 é".encode()))
    assert quoted(f"{comment}\n{unknown(9)}\n{unknown(8)}") == {2: unknown(9), 3: unknown(8)}


@fuzzed
@given(
    st.lists(st.sampled_from(["", " \t", "# é🙂", unknown(8), "1 1_1 SELECTED 0.9"]), max_size=9),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(64, 99),
)
def test_lines_do_not_depend_on_where_chunks_end(content: list[str], end: str, chunk: int) -> None:
    content = [*content, unknown(9)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "CHUNK", chunk)
        found = quoted(end.join(content))
    assert found == {n: s for n, s in enumerate(content, 1) if s in {unknown(8), unknown(9)}}


def test_bytes_that_are_not_text_shift_no_number() -> None:
    data = f"1 tw\n\n{unknown(9)}\n\n{unknown(8)}\n".encode().replace(b"tw", b"tw\xe9", 1)
    assert quoted(data + b"\xff\xfe\n\xc3\n") == {3: unknown(9), 5: unknown(8)}


@ENDS
@pytest.mark.parametrize("length", mostly_slow([MAX_LINE + 1, MAX_LINE + CHUNK, 3 * MAX_LINE], 1))
def test_a_line_too_long_to_quote_is_left_out_and_shifts_no_number(end: str, length: int) -> None:
    rows = [f'<q id="{n}"><a id="1"/><a id="2" value="REJECTED"/></q>' for n in (1, 2)]
    data = end.join([f"<c>{'x' * length}{rows[0]}", rows[1], "</c>"])
    with pytest.raises(ave_score.DefectError) as caught:
        ave_score.read_collection(Held(data))
    assert [(found.line, found.text) for found in caught.value.findings] == [(1, ""), (2, rows[1])]


def marked(quoted: Quote) -> str:
    """Return what a quotation marks."""
    assert 0 <= quoted.start <= quoted.start + quoted.length <= len(quoted.text)
    return quoted.text[quoted.start : quoted.start + quoted.length]


@each("line, columns, expected", [
    ("2 2_2 SELECTED 0.7", range(3, 6), ("2 2_2 SELECTED 0.7", 2, 3)),
    ("2 2_2", range(1, 1), ("2 2_2", 0, 0)),  # nothing in particular
    ("2 2_2", range(6, 7), ("2 2_2", 5, 0)),  # just behind the end
    ("2 2_2", range(1, 6), ("2 2_2", 0, 5)),
    ("", range(1, 2), ("", 0, 0)),
    ("1\tA\tR", range(3, 4), (r"1\tA\tR", 3, 1)),
    ("a\x1bb", range(2, 3), (r"a\x1bb", 1, 4)),
    ("a\x1bb", range(3, 4), (r"a\x1bb", 5, 1)),
    ("\u202ea\u2066b\u200bc", range(2, 5), (r"\u202ea\u2066b\u200bc", 6, 8)),
])  # fmt: skip
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


@each("at", [1, 2, 60, 61, 100, 101, 102, 150, 199, 201, 5_000, 9_990, 9_997])
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
def test_any_quotation_is_safe_and_marks_part_of_itself(example: tuple[str, range]) -> None:
    quoted = quote(*example)
    assert is_safe(quoted.text), ascii(quoted.text)
    assert marked(quoted)
