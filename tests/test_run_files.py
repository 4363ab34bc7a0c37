"""Run files: every defect is found once, at its position, without further findings."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score import Collection, Run, Severity, UsageError, Verdict
from ave_score.core.findings import KEPT_PER_RULE
from tests.helpers_files import (
    ROWS,
    RUN,
    assert_safe,
    broken,
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
def big(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """A collection of 10,000 questions with two answers each."""
    questions = "".join(
        f'<q id="{q:05}"><a id="{q:05}_1" value="VALIDATED"/>'
        f'<a id="{q:05}_2" value="REJECTED"/></q>\n'
        for q in range(BIG // 2)
    )
    return collection_of(tmp_path_factory.mktemp("big"), f"<ave>{questions}</ave>")


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


# --- one defect in one line -------------------------------------------------------------------
# Line 4 is the row of answer 2_2, selected in a question whose other answer is VALIDATED: a line
# that is complained of must not make its answer missing, nor its question without a SELECTED.

VERDICT_COLUMN = len("2 2_2 ") + 1
CONFIDENCE_COLUMN = len("2 2_2 SELECTED ") + 1

ONE_LINE: list[tuple[str, Sequence[tuple[str, int | None]]]] = [
    # where a field is wanting, or where the first one too many begins
    ("2 2_2", [("AVE101", len("2 2_2") + 1)]),
    ("2 2_2 SELECTED  ", [("AVE101", len("2 2_2 SELECTED") + 1)]),
    ("2 2_2 SELECTED 0.7 0.8", [("AVE101", len("2 2_2 SELECTED 0.7 ") + 1)]),
    ("2 2_2 SELECTED 0.7 2 2_2 SELECTED 0.7", [("AVE101", len("2 2_2 SELECTED 0.7 ") + 1)]),
    ("2 2_2 SELECTED 0 7", [("AVE101", len("2 2_2 SELECTED 0 ") + 1)]),
    ("2 2_2 selected 0.7", [("AVE103", VERDICT_COLUMN)]),
    ("2 2_2 Selected 0.7", [("AVE103", VERDICT_COLUMN)]),
    ("2 2_2 SELECTD 0.7", [("AVE102", VERDICT_COLUMN)]),
    ("2 2_2 SI 0.7", [("AVE102", VERDICT_COLUMN)]),
    ("2 2_2 1 0.7", [("AVE102", VERDICT_COLUMN)]),
    ("2 2_2 0.7 SELECTED", [("AVE102", VERDICT_COLUMN)]),
    ("2 2_2 0,7 REJECTED", [("AVE102", VERDICT_COLUMN)]),
    *(
        (f"2 2_2 {word} 0.7", [("AVE104", VERDICT_COLUMN)])
        for word in ("UNKNOWN", "YES", "NO", "R", "W", "U", "X", "TRUE", "FALSE", "yes", "r")
    ),
    *(
        (f"2 2_2 SELECTED {word}", [("AVE105", CONFIDENCE_COLUMN)])
        for word in ("high", "0x1", "1_000", "1e", "e5", "--1", "0.7.1", "70%", ".", "1,5,0")
    ),
    *(
        (f"2 2_2 SELECTED {word}", [("AVE105", CONFIDENCE_COLUMN)])
        for word in ("٠.٧", "０.７", "०.७", "²", "½", "\N{MINUS SIGN}0.7")
    ),
    *(
        (f"2 2_2 SELECTED {word}", [("AVE106", CONFIDENCE_COLUMN)])
        for word in ("NaN", "nan", "-nan", "inf", "-inf", "+Infinity", "1e999", "-1e999", "9" * 400)
    ),
    ("2 2_2 SELECTED 0,7", [("AVE107", CONFIDENCE_COLUMN)]),
    ("2 2_2 SELECTED -,7", [("AVE107", CONFIDENCE_COLUMN)]),
    ("2 2_2 selected 0,7", [("AVE103", VERDICT_COLUMN), ("AVE107", CONFIDENCE_COLUMN)]),
    ("2  2_2\tselected  0,7", [("AVE103", VERDICT_COLUMN + 1), ("AVE107", CONFIDENCE_COLUMN + 2)]),
    ("2 2_2 SELECTED\u00a00.7", [("AVE113", CONFIDENCE_COLUMN - 1)]),
    ("2 2_2 SELECTED 0.7\u200b", [("AVE113", CONFIDENCE_COLUMN + 3)]),
    ("2 2_2 \u202eSELECTED 0.7", [("AVE113", VERDICT_COLUMN)]),
    ("2 2_2 SELECTED 0.7\x1b[0m", [("AVE113", CONFIDENCE_COLUMN + 3)]),
]


@pytest.mark.parametrize(("line", "expected"), ONE_LINE, ids=lambda value: ascii(value)[:60])
def test_a_bad_line_is_found_at_its_column_and_nothing_else_is(
    tmp_path: Path, line: str, expected: Sequence[tuple[str, int | None]]
) -> None:
    run, findings = check(tmp_path, with_line(4, line))
    assert positions(findings) == [(code, 4, column) for code, column in expected]
    assert run is None
    assert_safe(findings)


def test_a_latin1_line_is_found_and_nothing_else_is(tmp_path: Path) -> None:
    _, findings = check(tmp_path, with_line(4, "2 2_2 SELECTÉD 0.7").encode("latin-1"))
    assert positions(findings) == [("AVE110", 4, len("2 2_2 SELECTÉ"))]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("SELECTD", "SELECTED"),
        ("SELECTED,", "SELECTED"),
        ("VALID", "VALIDATED"),
        ("Validate", "VALIDATED"),
        ("REJECT", "REJECTED"),
        ("Rejeted", "REJECTED"),
        ("SI", "VALIDATED"),
        ("Sí", "VALIDATED"),
        ("VALIDADA", "VALIDATED"),
        ("SELECCIONADA", "SELECTED"),
        ("rechazada", "REJECTED"),
        ("maybe", None),
        ("1", None),
    ],
)
def test_an_unknown_verdict_is_repeated_with_what_was_probably_meant(
    tmp_path: Path, word: str, meant: str | None
) -> None:
    _, findings = check(tmp_path, with_line(4, f"2 2_2 {word} 0.7"))
    hint = f"; did you mean {meant}?" if meant else ""
    expected = "SELECTED, VALIDATED, REJECTED"
    assert only(findings) == f"found '{word}', expected one of {expected}{hint}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2 2_2 SELECTED", "found 3 fields, expected 4"),
        ("2 2_2 selected 0.7", "found 'selected', expected SELECTED"),
        ("2 2_2 SELECTED 0,75", "found '0,75', expected '0.75'"),
        ("2 2_2 SELECTED 1e999", "confidence is '1e999', expected a finite number"),
        ("2 2_2 SELECTED high", "confidence is 'high', expected a number such as"),
        ("2 2_2 YES 0.7", "found 'YES', a gold label or a judgement"),
    ],
)
def test_messages_say_what_was_found_and_what_was_expected(
    tmp_path: Path, line: str, message: str
) -> None:
    assert message in only(check(tmp_path, with_line(4, line))[1])


def test_a_decimal_comma_is_not_corrected_to_digits_that_are_refused_too(tmp_path: Path) -> None:
    _, findings = check(tmp_path, with_line(4, "2 2_2 SELECTED ٠,٧"))
    assert positions(findings) == [("AVE105", 4, CONFIDENCE_COLUMN)]


@pytest.mark.parametrize("word", ["1.5", "-0.1", "100", "1e3", "+7", "-1e-3"])
def test_a_confidence_outside_0_1_is_warned_about_and_kept(tmp_path: Path, word: str) -> None:
    run, findings = check(tmp_path, with_line(4, f"2 2_2 SELECTED {word}"))
    assert positions(findings) == [("AVE108", 4, CONFIDENCE_COLUMN)]
    assert not findings.errors
    assert columns(run)[1][3] == float(word)


@pytest.mark.parametrize("word", ["0", "1", "1.", ".5", "5e-1", "+0.5", "-0.0", "1e-999", "0" * 99])
def test_plain_decimal_numbers_are_confidences(tmp_path: Path, word: str) -> None:
    run, findings = check(tmp_path, with_line(4, f"2 2_2 SELECTED {word}"))
    assert not len(findings)
    assert columns(run)[1][3] == float(word)


@pytest.mark.parametrize(
    "header",
    [
        "q_id a_id verdict confidence",
        "Question\tAnswer\tDecision\tScore",
        "q_id a_id value",
        "qid aid",
        "topic answer verdict score rank",
    ],
)
def test_a_header_is_called_a_header(tmp_path: Path, header: str) -> None:
    run, findings = check(tmp_path, f"{header}\n{RUN}")
    assert positions(findings) == [("AVE109", 1, 1)]
    assert run is None


# --- ids --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "code", "column", "message"),
    [
        ("9 9_1 REJECTED 0.5", "AVE201", 1, "question '9' is not in the collection"),
        (
            "02 2_2 REJECTED 0.5",
            "AVE201",
            1,
            "question '02' is not in the collection; did you mean 2?",
        ),
        (
            "3 31 REJECTED 0.5",
            "AVE202",
            3,
            "the collection has no answer '31' of question '3'; did you mean 3_1?",
        ),
        (
            "3 3_01 REJECTED 0.5",
            "AVE202",
            3,
            "the collection has no answer '3_01' of question '3'; did you mean 3_1?",
        ),
        ("3 foo REJECTED 0.5", "AVE202", 3, "the collection has no answer 'foo' of question '3'"),
        (
            "3 2_2 REJECTED 0.5",
            "AVE203",
            1,
            "answer '2_2' belongs to question '2', found under '3'",
        ),
        (
            "1 1_2 REJECTED 0.2",
            "AVE205",
            3,
            "answer '1_2' of question '1' is repeated: same as line 2",
        ),
        (
            "1 1_2 REJECTED 0.3",
            "AVE206",
            3,
            "answer '1_2' of question '1' is repeated: conflicts with line 2",
        ),
        (
            "1 1_2 SELECTED 0.2",
            "AVE206",
            3,
            "answer '1_2' of question '1' is repeated: conflicts with line 2",
        ),
    ],
)
def test_a_line_too_many_is_explained(
    tmp_path: Path, row: str, code: str, column: int, message: str
) -> None:
    run, findings = check(tmp_path, f"{RUN}{row}\n")
    assert positions(findings) == [(code, 6, column)]
    assert only(findings) == message
    assert run is None


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("9 9_9 NO 0.5", [("AVE201", 6, 1), ("AVE104", 6, 7)]),
        ("2 9_9 SELECTED nan", [("AVE202", 6, 3), ("AVE106", 6, 16)]),
        ("9 9_9 SELECTED", [("AVE101", 6, 15)]),  # which field is wanting, nobody knows
        # a row that can be nothing but a header is one wherever it stands
        ("q_id a_id verdict confidence", [("AVE109", 6, 1)]),
        (  # one that could be something else is one at the top of a file alone
            "question answer verdict confidence",
            [("AVE201", 6, 1), ("AVE102", 6, 17), ("AVE105", 6, 25)],
        ),
    ],
)
def test_a_bad_line_about_an_unknown_answer_has_every_defect_it_surely_has(
    tmp_path: Path, row: str, expected: list[tuple[str, int, int]]
) -> None:
    _, findings = check(tmp_path, f"{RUN}{row}\n")
    assert positions(findings) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [("2 2_2 selected 0.7", ROWS[3]), (ROWS[3], "2 2_2 selected 0.7")],
    ids=["bad-then-good", "good-then-bad"],
)
def test_a_bad_line_that_says_the_same_is_a_repetition_too(
    tmp_path: Path, first: str, second: str
) -> None:
    _, findings = check(tmp_path, with_line(4, f"{first}\n{second}"))
    case = ("AVE103", 4 if "selected" in first else 5, 7)
    assert positions(findings) == sorted(
        [case, ("AVE205", 5, 3)], key=lambda position: position[1:]
    )


@pytest.mark.parametrize("bad", ["2 2_2 SELECTD 0.7", "2 2_2 YES 0.7", "2 2_2 SELECTED"])
def test_a_line_that_says_nothing_sound_is_no_repetition(tmp_path: Path, bad: str) -> None:
    for first, second in [(bad, ROWS[3]), (ROWS[3], bad)]:
        (found,) = check(tmp_path, with_line(4, f"{first}\n{second}"))[1]
        assert found.rule.code in ("AVE101", "AVE102", "AVE104")


def test_a_bad_line_repeats_a_good_line_of_another_block(
    tmp_path: Path, big: Collection, big_rows: list[str]
) -> None:
    rows = [big_rows[0].lower(), *big_rows[1:], big_rows[0]]
    assert positions(check(tmp_path, text_of(rows), big)[1]) == [
        ("AVE103", 1, len("00000 00000_1  ")),
        ("AVE205", BIG + 1, len("00000  ")),
    ]


def test_a_missing_answer_is_an_error(tmp_path: Path) -> None:
    run, findings = check(tmp_path, RUN.replace("1 1_2 REJECTED 0.2\n", ""))
    assert positions(findings) == [("AVE204", None, None)]
    assert only(findings) == "no line for answer '1_2' of question '1'"
    assert run is None


def test_a_missing_answer_is_rejected_with_a_warning_if_asked_for(tmp_path: Path) -> None:
    run, findings = check(tmp_path, RUN.replace(f"{ROWS[0]}\n", ""), missing="rejected")
    assert positions(findings) == [("AVE207", None, None)]
    assert not findings.errors
    assert only(findings) == "no line for answer '1_1' of question '1'; read as REJECTED"
    assert run is not None
    assert run.verdicts[0] == Verdict.REJECTED
    assert run.lines[0] == 0


def test_a_rejected_missing_answer_may_leave_a_question_without_a_selected_answer(
    tmp_path: Path,
) -> None:
    run, findings = check(tmp_path, RUN.replace(f"{ROWS[3]}\n", ""), missing="rejected")
    assert positions(findings) == [("AVE302", 3, VERDICT_COLUMN), ("AVE207", None, None)]
    assert run is None


def test_an_unknown_policy_for_missing_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only error, rejected, excluded"):
        check(tmp_path, RUN, missing="ignore")


def test_a_run_of_another_collection_does_not_list_every_answer_as_missing(tmp_path: Path) -> None:
    _, findings = check(tmp_path, "8 8_1 SELECTED 0.9\n9 9_1 REJECTED 0.2\n")
    assert positions(findings) == [("AVE201", 1, 1), ("AVE201", 2, 1)]


# --- verdicts of a question -------------------------------------------------------------------


def test_a_second_selected_is_found_at_its_position(tmp_path: Path) -> None:
    _, findings = check(tmp_path, with_line(3, "2 2_1 SELECTED 0.6"))
    assert positions(findings) == [("AVE301", 4, VERDICT_COLUMN)]
    assert only(findings) == "question '2' already has a SELECTED answer, at line 3"


def test_the_second_selected_is_the_later_line_whatever_the_order(tmp_path: Path) -> None:
    rows = [ROWS[3], *ROWS[:2], "2 2_1 SELECTED 0.6", ROWS[4]]
    _, findings = check(tmp_path, text_of(rows))
    assert positions(findings) == [("AVE301", 4, VERDICT_COLUMN)]
    assert only(findings).endswith("at line 1")


def test_a_validated_answer_needs_a_selected_answer(tmp_path: Path) -> None:
    _, findings = check(tmp_path, with_line(4, "2 2_2 REJECTED 0.7"))
    assert positions(findings) == [("AVE302", 3, VERDICT_COLUMN)]
    assert only(findings) == "question '2' has a VALIDATED answer but no SELECTED one"


def test_a_question_without_validated_answers_needs_no_selected_answer(tmp_path: Path) -> None:
    run, findings = check(tmp_path, with_line(1, "1 1_1 REJECTED 0.4"))
    assert run is not None
    assert not len(findings)


# --- the piece of the line that is meant ------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "line", "code", "piece"),
    [
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
    ],
)
def test_a_finding_marks_its_field_at_any_column(
    tmp_path: Path, at: int, line: str, code: str, piece: str
) -> None:
    _, findings = check(tmp_path, text_of([*ROWS[: at - 1], line, *ROWS[at:]]))
    (found,) = (found for found in findings if found.rule.code == code)
    column = line.index(piece) + 1
    assert (found.line, found.column, found.end_column) == (at, column, column + len(piece))
    assert found.text == found.quote.text == line.replace("\t", r"\t")
    assert found.text[found.quote.start :][: found.quote.length] == piece


def test_where_a_field_is_wanting_nothing_is_marked_behind_the_line(tmp_path: Path) -> None:
    _, findings = check(tmp_path, with_line(4, "2 2_2 SELECTED"))
    (found,) = findings
    assert found.quote == ("2 2_2 SELECTED", len("2 2_2 SELECTED"), 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip(),
    ],
    ids=["BOM", "CRLF", "CR", "no-final-newline"],
)
def test_a_mark_has_the_right_position_with_all_line_ends(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    rows = ["1 x SELECTED 0.9", *ROWS, "7 7_1 REJECTED 0.5"]
    _, findings = check(tmp_path, change(text_of(rows)))
    quoted = [
        (found.line, found.column, found.end_column, found.quote)
        for found in findings
        if found.rule.code in {"AVE201", "AVE202"}
    ]
    assert quoted == [(1, 3, 4, (rows[0], 2, 1)), (7, 1, 2, (rows[6], 0, 1))]


# --- several at once --------------------------------------------------------------------------


def test_everything_is_reported_at_once_in_file_order_and_each_once(tmp_path: Path) -> None:
    text = """\
# a comment
1 1_1 SELECTED 0,9

1 1_2 REJECTED 1.2
2 2_1 VALIDATED
2 2_2 Selected nan
4 4_1 REJECTED 0.1
2 1_1 REJECTED 0.1
1 1_2 REJECTED 0.2
1 1_2
"""
    run, findings = check(tmp_path, text)
    assert positions(findings) == [
        ("AVE107", 2, 16),
        ("AVE108", 4, 16),
        ("AVE101", 5, 16),
        ("AVE103", 6, 7),
        ("AVE106", 6, 16),
        ("AVE201", 7, 1),
        ("AVE203", 8, 1),
        ("AVE206", 9, 3),
        ("AVE101", 10, 6),
        ("AVE204", None, None),  # 3_1, the only answer without any line
    ]
    assert run is None
    assert findings.of(Severity.WARNING) == 1
    assert findings.errors == 9


def test_findings_beyond_a_thousand_of_a_rule_are_only_counted(
    tmp_path: Path, big: Collection, big_rows: list[str]
) -> None:
    rows = [row.lower() for row in big_rows]
    _, findings = check(tmp_path, text_of([*rows[:-1], big_rows[-1].replace("0.5", "inf")]), big)
    assert findings.errors == len(findings) == BIG
    assert len([*findings]) == KEPT_PER_RULE + 1
    assert positions(findings)[-1] == ("AVE106", BIG, 24)


# --- the lines of the file --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "line", "codes"),
    [
        (lambda text: text, 4, []),
        (lambda text: text.replace("\n", "\r\n"), 4, ["AVE112"]),
        (lambda text: text.replace("\n", "\r"), 4, ["AVE112"]),
        (lambda text: "\ufeff" + text, 4, ["AVE111"]),
        (lambda text: text.replace("\n", "\n\n"), 7, []),
        (lambda text: text.replace("\n", "\n \t\n"), 7, []),
        (lambda text: "# q_id a_id\n\n#\n" + text, 7, []),
        (
            lambda text: "\ufeff# Größe\r\n\r\n" + text.replace("\n", "\r\n"),
            6,
            ["AVE111", "AVE112"],
        ),
    ],
    ids=["LF", "CRLF", "CR", "BOM", "empty-lines", "blank-lines", "comments", "all"],
)
def test_line_numbers_are_true_and_the_rest_of_the_file_is_read(
    tmp_path: Path, change: Callable[[str], str], line: int, codes: list[str]
) -> None:
    run, findings = check(tmp_path, change(RUN))
    assert sorted(code for code, _, _ in positions(findings)) == codes
    assert columns(run) == columns(check(tmp_path, RUN)[0])
    _, findings = check(tmp_path, change(with_line(4, "2 2_2 SELECTED inf")))
    assert [position for position in positions(findings) if position[0] not in codes] == [
        ("AVE106", line, CONFIDENCE_COLUMN)
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: text.replace(" ", " \t"),
        lambda text: " " + text.replace("\n", "\n\t")[:-1],
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("\n", "\t\n"),
        lambda text: text[:-1],
        lambda text: text[:-1].replace("\n", "\r\n") + " ",
    ],
    ids=[
        "tabs", "several-blanks", "mixed", "indented", "blank-at-the-end", "tab-at-the-end",
        "no-final-newline", "blank-for-the-final-newline",
    ],
)  # fmt: skip
def test_any_blanks_separate_fields(tmp_path: Path, change: Callable[[str], str]) -> None:
    run, findings = check(tmp_path, change(RUN))
    assert not findings.errors
    assert columns(run) == columns(check(tmp_path, RUN)[0])


@fuzzed
@given(st.permutations(ROWS), st.sampled_from([" ", "\t", "  "]))
def test_the_order_of_rows_is_free(tmp_path: Path, rows: list[str], separator: str) -> None:
    run, findings = check(tmp_path, text_of(rows).replace(" ", separator))
    assert not len(findings)
    assert columns(run) == columns(check(tmp_path, RUN)[0])
    assert run is not None
    assert [rows[line - 1] for line in run.lines] == ROWS


@pytest.mark.parametrize(
    "text",
    [
        "1 1_1 SELECTED\n0.9 1 1_2 REJECTED 0.2\n",
        "1 1_1\nSELECTED 0.9 1 1_2 REJECTED 0.2\n",
        "1 1_1 SELECTED 0.9 1\n1_2 REJECTED 0.2\n",
        "1\n1_1 SELECTED 0.9 1 1_2 REJECTED 0.2\n",
    ],
)
def test_a_row_over_two_lines_is_found_though_the_fields_add_up(tmp_path: Path, text: str) -> None:
    run, findings = check(tmp_path, text + text_of(ROWS[2:]))
    assert [position[:2] for position in positions(findings) if position[0] == "AVE101"] == [
        ("AVE101", 1),
        ("AVE101", 2),
    ]
    assert run is None


# --- files of several blocks ------------------------------------------------------------------


def test_a_big_run_is_the_same_in_any_order(
    tmp_path: Path, big: Collection, big_rows: list[str]
) -> None:
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


@pytest.mark.parametrize("line", [1, 2, 3277, 12_345, BIG - 1, BIG])
@pytest.mark.parametrize("end", ["\n", ""], ids=["final-newline", "no-final-newline"])
def test_a_bad_line_of_a_big_run_has_its_number(
    tmp_path: Path, big: Collection, big_rows: list[str], line: int, end: str
) -> None:
    rows = [*big_rows]
    rows[line - 1] = rows[line - 1].replace("0.5", "0,5")
    _, findings = check(tmp_path, text_of(rows)[:-1] + end, big)
    assert positions(findings) == [("AVE107", line, 24)]


def test_a_repetition_in_another_block_names_the_first_line(
    tmp_path: Path, big: Collection, big_rows: list[str]
) -> None:
    _, findings = check(tmp_path, text_of([*big_rows, big_rows[6]]), big)
    assert positions(findings) == [("AVE205", BIG + 1, len("00003 ") + 1)]
    assert only(findings).endswith("same as line 7")


@pytest.mark.parametrize(("questions", "answers"), [(1, 500), (2_000, 10)])
def test_a_run_that_names_every_answer_wrongly_is_reported(
    tmp_path: Path, questions: int, answers: int
) -> None:
    # what each may have been meant to be is worth no more than a moment
    pairs = [(f"{q:05}", a) for q in range(questions) for a in range(answers)]
    xml = "".join(
        f'<q id="{q:05}">'
        + "".join(f'<a id="{q:05}_{a}" value="REJECTED"/>' for a in range(answers))
        + "</q>"
        for q in range(questions)
    )
    collection = collection_of(tmp_path, f"<c>{xml}</c>")
    _, findings = check(
        tmp_path, text_of([f"{q} {q}-{a} REJECTED 0.5" for q, a in pairs]), collection
    )
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


def test_an_endless_line_does_not_shift_the_numbers_behind_it(tmp_path: Path) -> None:
    text = f"# {'x' * (3 << 20)}\n" + with_line(4, "2 2_2 SELECTED inf")
    assert positions(check(tmp_path, text)[1]) == [
        ("AVE114", 1, None),
        ("AVE106", 5, CONFIDENCE_COLUMN),
    ]


# --- other files ------------------------------------------------------------------------------

OTHER: list[tuple[str, bytes, str, str]] = [
    ("xml", b"<?xml version='1.0'?>\n<ave/>", "AVE116", "XML or HTML"),
    ("json", b'{"1": {"1_1": "SELECTED"}}', "AVE116", "JSON"),
    ("trec", b"1 Q0 1_1 1 0.9 tag\n2 Q0 2_1 1 0.8 tag\n", "AVE116", "a TREC run"),
    ("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "AVE116", "a PDF document"),
    ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "AVE117", "expected an AVE run"),
    ("utf-16", RUN.encode("utf-16"), "AVE118", "UTF-16"),
    ("utf-16-le", RUN.encode("utf-16-le"), "AVE118", "UTF-16"),
    ("utf-32", RUN.encode("utf-32"), "AVE118", "UTF-32"),
    ("empty", b"", "AVE115", "no answers"),
    ("blank", b" \n\t\n\n", "AVE115", "no answers"),
    ("comments", b"# nothing\n#\n", "AVE115", "no answers"),
    ("bom-only", b"\xef\xbb\xbf", "AVE115", "no answers"),
]


@pytest.mark.parametrize(
    ("data", "code", "message"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER]
)
def test_another_file_than_a_run_gets_one_error(
    tmp_path: Path, data: bytes, code: str, message: str
) -> None:
    run, findings = check(tmp_path, data)
    assert run is None
    (found,) = (found for found in findings if found.rule.severity is Severity.ERROR)
    assert found.rule.code == code
    assert message in found.message


def test_a_collection_given_as_a_run_is_asked_about(tmp_path: Path) -> None:
    collection = collection_of(tmp_path)
    _, findings = check(tmp_path, Path(collection.path).read_bytes(), collection)
    assert only(findings).endswith("were collection and run swapped?")


@fuzzed
@given(broken(RUN))
def test_damaged_runs_are_refused_or_read_and_never_crash(tmp_path: Path, data: bytes) -> None:
    run, findings = check(tmp_path, data)
    rows = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    assert all((found.line or 1) <= len(rows) for found in findings)
    if run is not None:
        assert set(run.verdicts) <= {Verdict.SELECTED, Verdict.VALIDATED, Verdict.REJECTED}


def test_positions_name_the_file_as_the_user_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(put(tmp_path, "", "here").parent)
    _, findings = check(Path(), with_line(4, "2 2_2 SELECTED inf"))
    (found,) = findings
    assert found.place == f"run.txt:4:{CONFIDENCE_COLUMN}"
    assert str(found).startswith(f"run.txt:4:{CONFIDENCE_COLUMN} AVE106 confidence is 'inf'")
    assert found.text == "2 2_2 SELECTED inf"
