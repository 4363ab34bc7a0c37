"""Run files: what they say, the marks of findings, and files of several blocks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning, Collection, DefectError, Run, Verdict, read_run
from tests import slow
from tests.helpers_files import (
    ROWS,
    RUN,
    check,
    collection_of,
    fuzzed,
    only,
    positions,
    put,
    with_line,
)

BIG = 20_000
"""Rows of a run of several blocks: at 20 bytes a row, six of 64 KB."""


def columns(run: Run | None) -> tuple[list[int], list[float]]:
    """Return what a sound run says, wherever its lines stand."""
    assert run is not None
    return list(run.verdicts), list(run.confidences)


@pytest.fixture(scope="module")
def big() -> Collection:
    """A collection of 10,000 questions with two answers each."""
    labels = {"1": "VALIDATED", "2": "REJECTED"}.items()
    ids = [(f"{q:05}", f"{q:05}_{a}", label) for q in range(BIG // 2) for a, label in labels]
    rows = [dict(zip(("q_id", "a_id", "label"), row, strict=True)) for row in ids]
    return Collection.from_frame(rows)


@pytest.fixture(scope="module")
def big_rows() -> list[str]:
    """A sound run of that collection, line by line."""
    return [
        f"{q:05} {q:05}_{a} {'SELECTED' if a == 1 else 'REJECTED'} 0.5"
        for q in range(BIG // 2)
        for a in (1, 2)
    ]


def text_of(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def test_a_sound_run_has_no_findings_and_keeps_what_it_says(tmp_path: Path) -> None:
    run, findings = check(tmp_path, RUN)
    assert not len(findings)
    assert run is not None
    named = [Verdict(code).name for code in run.verdicts]
    assert named == ["SELECTED", "REJECTED", "VALIDATED", "SELECTED", "REJECTED"]
    assert list(run.confidences) == [0.9, 0.2, 0.6, 0.7, 0.1]
    assert list(run.lines) == [1, 2, 3, 4, 5]
    assert run.name == "run"


CONFIDENCE_COLUMN = len("2 2_2 SELECTED ") + 1


INSIDE = ["0", "1", "1.", ".5", "5e-1", "+0.5", "-0.0", "1e-999", "0" * 99]


@pytest.mark.parametrize("word", [*INSIDE, "1.5", "-0.1", "100", "1e3", "+7", "-1e-3"])
def test_decimal_numbers_are_confidences_with_a_warning(tmp_path: Path, word: str) -> None:
    run, findings = check(tmp_path, with_line(4, f"2 2_2 SELECTED {word}"))
    assert positions(findings) == [("AVE108", 4, CONFIDENCE_COLUMN)] * (word not in INSIDE)
    assert not findings.errors
    assert columns(run)[1][3] == float(word)


def test_a_missing_answer_is_rejected_with_a_warning_if_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, RUN.replace(f"{ROWS[0]}\n", ""))
    told = "no line for answer '1_1' of question '1'; read as REJECTED$"
    with pytest.warns(AveScoreWarning, match=f"1 warning\n  {path} AVE207 {told}"):
        run = read_run(path, collection_of(tmp_path), missing="rejected")
    assert run.verdicts[0] == Verdict.REJECTED
    assert run.lines[0] == 0


def test_a_rejected_missing_answer_may_leave_a_question_without_a_selected_answer(
    tmp_path: Path,
) -> None:
    path = put(tmp_path, RUN.replace(f"{ROWS[3]}\n", ""))
    with pytest.raises(DefectError) as caught:
        read_run(path, collection_of(tmp_path), missing="rejected")
    expected = [("AVE302", 3, len("2 2_1 ") + 1), ("AVE207", None, None)]
    assert positions(caught.value.findings) == expected


@pytest.mark.parametrize(("line", "is_table"), [("9,9_1,REJECTED", True), ("9 1,2,3", False)])
def test_only_a_line_of_one_field_may_be_one_of_a_table(
    tmp_path: Path, line: str, is_table: bool
) -> None:
    _, findings = check(tmp_path, text_of([*ROWS, line]))
    (message,) = (found.message for found in findings if found.rule.code == "AVE101")
    assert ("separated by commas?" in message) == is_table


@pytest.mark.parametrize(("at", "line", "code", "piece"), [
    (6, "99 2_2 SELECTED 0.7", "AVE201", "99"),
    (6, " \t99\t 2_2 SELECTED 0.7", "AVE201", "99"),
    (6, "2  nobody\tSELECTED 0.7", "AVE202", "nobody"),
    (6, "  3 2_2 SELECTED 0.7", "AVE203", "3"),
    (6, "2\t2_1  VALIDATED 0.6", "AVE205", "2_1"),
    (6, "2 \t 2_1 REJECTED 0.6", "AVE206", "2_1"),
    (2, "1\t\t1_2   SELECTED 0.7", "AVE301", "SELECTED"),
    (5, "3\t3_1 VALIDATED 0.1", "AVE302", "VALIDATED"),
    (4, "2 2_2 Größe 0.7", "AVE102", "Größe"),
    (4, "2 2_2 SELECTED 0.7 🙂  0.8", "AVE101", "🙂"),
    (4, "2 2_2 SELECTED 0,7 ", "AVE107", "0,7"),
])  # fmt: skip
def test_a_finding_marks_its_field_at_any_column(
    tmp_path: Path, at: int, line: str, code: str, piece: str
) -> None:
    text = text_of([*ROWS[: at - 1], line, *ROWS[at:]])
    column = line.index(piece) + 1
    other_ends = (text.replace("\n", end) for end in ("\r\n", "\r"))
    for written in (text, text[:-1], "\ufeff" + text, *other_ends):
        _, findings = check(tmp_path, written)
        (found,) = (found for found in findings if found.rule.code == code)
        assert (found.line, found.column, found.end_column) == (at, column, column + len(piece))
        assert found.text == found.quote.text == line.replace("\t", r"\t")
        assert found.text[found.quote.start :][: found.quote.length] == piece


def test_where_a_field_is_wanting_nothing_is_marked_behind_the_line(tmp_path: Path) -> None:
    _, findings = check(tmp_path, with_line(4, "2 2_2 SELECTED"))
    (found,) = findings
    assert found.quote == ("2 2_2 SELECTED", len("2 2_2 SELECTED"), 0)


def test_findings_beyond_a_thousand_of_a_rule_are_only_counted(
    tmp_path: Path, big: Collection, big_rows: list[str]
) -> None:
    rows = [row.lower() for row in big_rows]
    _, findings = check(tmp_path, text_of([*rows[:-1], big_rows[-1].replace("0.5", "inf")]), big)
    assert findings.errors == len(findings) == BIG
    assert len([*findings]) == 1_000 + 1
    assert positions(findings)[-1] == ("AVE106", BIG, 24)


BLANKS = st.text(" \t", max_size=3)


@fuzzed
@given(st.permutations(ROWS), BLANKS, BLANKS.filter(bool), BLANKS)
def test_order_and_blanks_are_free(
    tmp_path: Path, rows: list[str], before: str, between: str, behind: str
) -> None:
    lines = [f"{before}{between.join(row.split())}{behind}" for row in rows]
    run, findings = check(tmp_path, "\n".join(lines))
    assert not len(findings)
    assert columns(run) == columns(check(tmp_path, RUN)[0])
    assert run is not None
    assert [rows[line - 1] for line in run.lines] == ROWS


def test_a_big_run_is_same_in_order(tmp_path: Path, big: Collection, big_rows: list[str]) -> None:
    ordered, findings = check(tmp_path, text_of(big_rows), big)
    assert not len(findings)
    assert ordered is not None
    assert list(ordered.lines) == list(range(1, BIG + 1))
    rows = random.Random(1).sample(big_rows, len(big_rows))
    shuffled, findings = check(tmp_path, text_of(rows), big)
    assert not len(findings)
    assert shuffled is not None
    assert columns(shuffled) == columns(ordered)
    assert [rows[line - 1] for line in shuffled.lines] == big_rows


@pytest.mark.parametrize("line", [1, slow(2), 3277, slow(12_345), slow(BIG - 1), BIG])
@pytest.mark.parametrize("end", ["\n", ""], ids=["final-newline", "no-final-newline"])
def test_a_bad_line_of_a_big_run_has_its_number(
    tmp_path: Path, big: Collection, big_rows: list[str], line: int, end: str
) -> None:
    rows = [*big_rows]
    rows[line - 1] = rows[line - 1].replace("0.5", "0,5")
    _, findings = check(tmp_path, text_of(rows)[:-1] + end, big)
    assert positions(findings) == [("AVE107", line, 24)]


@pytest.mark.parametrize(("questions", "answers"), [(1, 500), slow((2_000, 10))])
def test_a_run_that_names_every_answer_wrongly_is_reported(
    tmp_path: Path, questions: int, answers: int
) -> None:
    # what each may have been meant to be is worth no more than a moment
    pairs = [(f"{q:05}", a) for q in range(questions) for a in range(answers)]
    rows = [{"q_id": q, "a_id": f"{q}_{a}", "label": "REJECTED"} for q, a in pairs]
    run = text_of([f"{q} {q}-{a} REJECTED 0.5" for q, a in pairs])
    _, findings = check(tmp_path, run, Collection.from_frame(rows))
    message = only(findings)
    counts = f"names 0 of {len(pairs):,} answers of the collection, and {len(pairs):,} others; "
    assert message.startswith(counts)
    assert "did you mean 00000" in message


@pytest.mark.parametrize("width", [70_000, 500_000])
def test_a_row_longer_than_a_block_is_read(tmp_path: Path, width: int) -> None:
    long = ROWS[1].replace(" ", " " * width, 1)
    run, findings = check(tmp_path, with_line(2, long))
    assert not len(findings)
    assert columns(run) == columns(check(tmp_path, RUN)[0])
    _, findings = check(tmp_path, with_line(2, long) + "6 6_1 REJECTED 0.1\n")
    assert positions(findings) == [("AVE201", 6, 1)]


def test_an_id_longer_than_a_block_is_an_id(tmp_path: Path) -> None:
    name = "x" * 100_000
    xml = f'<c><q id="{name}"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q></c>'
    collection = collection_of(tmp_path, xml)
    run, findings = check(tmp_path, f"{name} 2 REJECTED 0.1\n{name} 1 SELECTED 0.9\n", collection)
    assert not len(findings)
    assert columns(run) == ([Verdict.SELECTED, Verdict.REJECTED], [0.9, 0.1])
    _, findings = check(tmp_path, f"{name}y 2 REJECTED 0.1\n", collection)
    assert len(only(findings)) < 300, "a message repeats no more than the beginning of an id"


def test_a_collection_given_as_a_run_is_asked_about(tmp_path: Path) -> None:
    collection = collection_of(tmp_path)
    _, findings = check(tmp_path, Path(collection.path).read_bytes(), collection)
    assert only(findings).endswith("were collection and run swapped?")


def test_positions_name_file_as_user_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(put(tmp_path, "", "here").parent)
    _, findings = check(Path(), with_line(4, "2 2_2 SELECTED inf"))
    (found,) = findings
    assert found.place == f"run.txt:4:{CONFIDENCE_COLUMN}"
    assert str(found).startswith(f"run.txt:4:{CONFIDENCE_COLUMN} AVE106 confidence is 'inf'")
    assert found.text == "2 2_2 SELECTED inf"


@pytest.mark.parametrize(("lowest", "size", "warned"), [
    *((20, 20, True), (19, 19, False), (19, 20, False), (28, 30, True), (27, 30, False)),
    *((150, 200, True), (149, 200, False), (825, 1100, True), (824, 1100, False)),
])  # fmt: skip
def test_confidences_of_decisions_are_told(
    tmp_path: Path, lowest: int, size: int, warned: bool
) -> None:
    """Three of four questions, and more than chance: 2^-20, (435 + 30 + 1) / 2^30 < 1e-6. 2^-19, 21
    / 2^20 and (4060 + 466) / 2^30 are above it. Questions of equal confidences do not count."""
    lines = [
        f"{q} {q}_1 SELECTED 0.7\n{q} {q}_2 REJECTED {0.9 if q < lowest else 0.1}\n"
        for q in range(size)
    ]
    equal = [f"{q} {q}_1 SELECTED 0.5\n{q} {q}_2 REJECTED 0.5\n" for q in range(size, size + 70)]
    path = put(tmp_path, "".join(lines + equal), "run.txt")
    codes = [finding.rule.code for finding in ave_score.check(path).findings]
    assert codes == ["AVE303"] * warned
