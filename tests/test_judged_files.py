"""Judged question-answering runs: header, rows, letters, and consistency with the gold labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from ave_score import DefectError, Findings, QARun, Severity, UsageError, read_judged
from ave_score.core.judgements import CAMPAIGNS
from ave_score.files.judged import check_judged
from ave_score.files.source import Source
from tests.helpers_files import (
    COLLECTION,
    RUN,
    Position,
    assert_safe,
    broken,
    checked,
    collection_of,
    fuzzed,
    is_safe,
    only,
    positions,
    put,
)

HEADER = "q_id\trun\tjudgement\n"
ROWS = "1\tA\tR\n2\tA\tW\n3\tA\tX\n"
JUDGED = HEADER + ROWS


def check(
    folder: Path, data: str | bytes, campaign: str = "qa-clef"
) -> tuple[list[QARun] | None, Findings]:
    source = Source(put(folder, data, "judged.tsv"))
    return checked(check_judged(source, collection_of(folder), campaign))


def letters(runs: list[QARun] | None) -> dict[str, dict[str, str]]:
    """Return run -> question -> judgement."""
    assert runs is not None
    return {run.name: {row.q_id: row.judgement for row in run.answers} for run in runs}


def errors(findings: Findings) -> list[Position]:
    return [
        position
        for position, found in zip(positions(findings), findings, strict=True)
        if found.rule.severity is Severity.ERROR
    ]


# --- what is read -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        JUDGED,
        JUDGED.rstrip(),
        JUDGED.replace("\n", "\r\n"),
        "\ufeff" + JUDGED,
        "\n \n" + JUDGED.replace("\n", "\n\n"),
        JUDGED.replace("\t", " \t "),
        "judgement\tq_id\trun\nR\t1\tA\nW\t2\tA\nX\t3\tA\n",
        'run\tanswer\tjudgement\tdoc\tq_id\nA\tx y\tR\td\t1\nA\t\tW\t\t2\nA\t"\tX\td\t3\n',
    ],
    ids=["plain", "no-newline", "CRLF", "BOM", "blank-lines", "blanks", "reordered", "more"],
)
def test_a_sound_file_gives_the_judgement_of_every_row(tmp_path: Path, text: str) -> None:
    runs, findings = check(tmp_path, text)
    assert not findings.errors
    assert letters(runs) == {"A": {"1": "R", "2": "W", "3": "X"}}


def test_a_file_may_hold_many_runs_in_any_order_of_rows(tmp_path: Path) -> None:
    runs, findings = check(
        tmp_path, HEADER + "3\tB\tR\n1\tA\tR\n1\tB\tW\n2\tB\tU\n2\tA\t\n3\tA\tX\n"
    )
    assert letters(runs) == {
        "B": {"3": "R", "1": "W", "2": "U"},
        "A": {"1": "R", "2": "", "3": "X"},
    }
    assert [position[0] for position in positions(findings)] == [
        "AVE507"
    ]  # question 3 has no VALIDATED


@pytest.mark.parametrize(
    ("word", "answered"),
    [("YES", True), ("yes", True), ("No", False), ("NO", False), ("", None)],
)
def test_answered_is_yes_no_or_empty(tmp_path: Path, word: str, answered: bool | None) -> None:
    rows = f"1\tA\tW\t{word}\n2\tA\tW\t\n3\tA\tW\tNO\n"
    runs, findings = check(tmp_path, f"{HEADER.rstrip()}\tanswered\n{rows}")
    assert not len(findings)
    assert runs is not None
    assert [row.answered for row in runs[0].answers] == [answered, None, False]


# --- the header -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("1\tA\tR", "no column q_id, run, judgement"),
        ("question\trun\tjudgement", "no column q_id"),
        ("q_id\trun\tjudgment", "no column judgement"),
        ("q_id\tRun\tjudgement", "no column run"),
        ("q_id\trun\tjudgement\trun", "the column run twice"),
        ("q_id\trun\tjudgement\tq_id\tq_id\trun", "the column q_id, run twice"),
    ],
)
def test_a_header_without_the_needed_columns_stops_the_reading(
    tmp_path: Path, header: str, problem: str
) -> None:
    runs, findings = check(tmp_path, f"\n{header}\n{ROWS}")
    assert positions(findings) == [("AVE501", 2, 1)]
    assert problem in only(findings)
    assert runs is None


@pytest.mark.parametrize("separator", [",", ";"])
def test_separation_by_commas_changes_nothing(tmp_path: Path, separator: str) -> None:
    runs, findings = check(tmp_path, JUDGED.replace("\t", separator))
    expected, _ = check(tmp_path, JUDGED)
    assert not len(findings)
    assert runs is not None
    assert expected is not None
    assert [run.answers for run in runs] == [run.answers for run in expected]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("confidance", "confidence"), ("a_i", "a_id"), ("Answer", "answer"), ("zzz", None)],
)
def test_an_unknown_column_is_warned_about_and_not_read(
    tmp_path: Path, name: str, meant: str | None
) -> None:
    rows = ROWS.replace("\n", "\t?\n")
    runs, findings = check(tmp_path, f"{HEADER.rstrip()}\t{name}\n{rows}")
    assert positions(findings) == [("AVE510", 1, len(HEADER) + 1)]
    hint = f"; did you mean {meant}?" if meant else ""
    assert only(findings) == f"unknown column '{name}', ignored{hint}"
    assert letters(runs) == {"A": {"1": "R", "2": "W", "3": "X"}}


def test_an_unknown_column_is_located_though_others_contain_its_name(
    tmp_path: Path,
) -> None:
    _, findings = check(tmp_path, HEADER.rstrip() + "\tid\n" + ROWS.replace("\n", "\t1\n"))
    assert positions(findings) == [("AVE510", 1, len(HEADER) + 1)]


# --- the rows ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "position", "message"),
    [
        ("2\tA", ("AVE502", 3, 4), "found 2 fields, expected 3"),
        ("2\tA  ", ("AVE502", 3, 4), "found 2 fields, expected 3"),
        ("2\tA\tW\t", ("AVE502", 3, 7), "found 4 fields, expected 3"),
        ("2\tA\tWW\tx\ty", ("AVE502", 3, 8), "found 5 fields, expected 3"),
        ("2 A W", ("AVE502", 3, 6), "found 1 field, expected 3"),
        ("\tA\tW", ("AVE505", 3, 1), "the field q_id is empty"),
        ("2\t \tW", ("AVE505", 3, 3), "the field run is empty"),
        ("2\tA\tr", ("AVE503", 3, 5), "found 'r', expected one of R, W, U, X, (empty)"),
        ("2\tA\tQ", ("AVE503", 3, 5), "found 'Q'"),
        ("2\tA\tVALIDATED", ("AVE503", 3, 5), "found 'VALIDATED'"),
    ],
)
def test_a_bad_row_is_found_at_its_column(
    tmp_path: Path, row: str, position: Position, message: str
) -> None:
    runs, findings = check(tmp_path, JUDGED.replace("2\tA\tW", row))
    assert positions(findings) == [position]
    assert message in only(findings)
    assert runs is None


@pytest.mark.parametrize("word", ["maybe", "1", "TRUE", "YES!"])
def test_answered_otherwise_is_an_error(tmp_path: Path, word: str) -> None:
    rows = f"1\tA\tR\tYES\n2\tA\tW\t{word}\n3\tA\tW\tno\n"
    _, findings = check(tmp_path, f"{HEADER.rstrip()}\tanswered\n{rows}")
    assert errors(findings) == [("AVE504", 3, 7)]
    assert f"answered is '{word}', expected YES or NO" in only(findings)


def test_everything_wrong_with_a_row_is_reported(tmp_path: Path) -> None:
    text = "q_id\trun\tjudgement\tanswered\n\t\tZ\tperhaps\n1\tA\n2\tA\tw\tYES\n"
    assert errors(check(tmp_path, text)[1]) == [
        ("AVE505", 2, 1),
        ("AVE505", 2, 2),
        ("AVE503", 2, 3),
        ("AVE504", 2, 5),
        ("AVE502", 3, 4),
        ("AVE503", 4, 5),
    ]


@pytest.mark.parametrize(
    ("letter", "campaign", "hint"),
    [
        ("r", "qa-clef", "; did you mean R?"),
        ("x", "qa-clef-lenient", "; did you mean X?"),
        ("x", "respubliqa", ""),
        ("X", "respubliqa", ""),
        ("RIGHT", "qa-clef", ""),
    ],
)
def test_an_unknown_letter_is_reported_with_the_letters_of_the_campaign(
    tmp_path: Path, letter: str, campaign: str, hint: str
) -> None:
    text = f"{HEADER}1\tA\tR\n2\tA\t{letter}\n3\tA\tW\n"
    _, findings = check(tmp_path, text, campaign)
    assert positions(findings) == [("AVE503", 3, 5)]
    assert f"found '{letter}', expected one of " in only(findings)
    assert only(findings).endswith(f"(empty) under campaign {campaign}{hint}")


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_every_letter_of_a_campaign_is_accepted(tmp_path: Path, campaign: str) -> None:
    for letter in CAMPAIGNS[campaign].table:
        text = HEADER + "".join(f"{q}\tA\t{letter}\n" for q in (1, 2, 3))
        assert not check(tmp_path, text, campaign)[1].errors


def test_an_unknown_campaign_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no campaign 'respublica'.*did you mean respubliqa\?"):
        check(tmp_path, JUDGED, "respublica")


@pytest.mark.parametrize(
    "answer",
    ["5\u00a0km", "می\u200cشود", "Wort\u00adtrennung", "👩\u200d🔬", "\u200eabc"],
    ids=ascii,
)
def test_an_answer_may_hold_the_invisible_characters_of_its_language(
    tmp_path: Path, answer: str
) -> None:
    rows = ROWS.replace("\n", f"\t{answer}\n")
    runs, findings = check(tmp_path, f"{HEADER.rstrip()}\tanswer\n{rows}")
    assert not findings.errors
    assert letters(runs) == {"A": {"1": "R", "2": "W", "3": "X"}}


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x9b", "\x7f"], ids=ascii)
def test_an_answer_may_hold_nothing_that_a_terminal_would_obey(
    tmp_path: Path, character: str
) -> None:
    rows = f"1\tA\tR\tx\n2\tA\tW\t{character}[31mred\n3\tA\tW\ty\n"
    _, findings = check(tmp_path, f"{HEADER.rstrip()}\tanswer\n{rows}")
    allowed = character in "\x9b\x7f"  # by XML
    assert errors(findings) == ([] if allowed else [("AVE113", 3, 7)])
    assert positions(findings) == [("AVE119" if allowed else "AVE113", 3, 7)]
    assert_safe(findings)


def test_a_latin1_row_is_found(tmp_path: Path) -> None:
    text = f"{HEADER.rstrip()}\tanswer\n1\tA\tR\tCádiz\n2\tA\tR\tOslo\n3\tA\tW\t?\n"
    _, findings = check(tmp_path, text.encode("latin-1"))
    assert errors(findings) == [("AVE110", 2, 8)]


def test_a_latin1_header_is_found_and_no_row_is_taken_for_a_header(tmp_path: Path) -> None:
    text = f"{HEADER.rstrip()}\tréponse\n1\tA\tR\tx\n2\tA\tW\tx\n3\tA\tW\tx\n"
    _, findings = check(tmp_path, text.encode("latin-1"))
    assert errors(findings) == [("AVE110", 1, len(HEADER) + 2)]


def test_a_bad_row_of_a_big_file_has_its_number(tmp_path: Path) -> None:
    rows = "".join(f"{q}\tsystem-{n}\tW\n" for n in range(5_000) for q in (1, 2, 3))
    _, findings = check(tmp_path, f"{HEADER}{rows}1\tlast\tw\n")
    assert errors(findings) == [("AVE503", 15_002, len("1\tlast\t") + 1)]


# --- against the collection -------------------------------------------------------------------


def test_a_second_answer_is_warned_about_and_the_first_counts(tmp_path: Path) -> None:
    runs, findings = check(tmp_path, JUDGED + "1\tA\tW\n1\tA\tR\n")
    assert positions(findings) == [("AVE506", 5, 1), ("AVE506", 6, 1)]
    assert {found.message for found in findings} == {
        "run 'A' answers question '1' again; its first answer, at line 2, counts"
    }
    assert letters(runs)["A"]["1"] == "R"


def test_a_question_without_a_row_is_warned_about(tmp_path: Path) -> None:
    runs, findings = check(tmp_path, JUDGED.replace("2\tA\tW\n", ""))
    assert positions(findings) == [("AVE508", None, None)]
    assert only(findings) == "run 'A' has no row for question '2'; counted as answered wrongly"
    assert "2" not in letters(runs)["A"]


def test_rows_outside_the_collection_are_warned_about_once_a_question(tmp_path: Path) -> None:
    runs, findings = check(tmp_path, JUDGED + "9\tA\tR\n9\tA\tR\n8\tA\tW\n")
    assert positions(findings) == [("AVE509", 5, 1), ("AVE509", 7, 1)]
    assert letters(runs) == {"A": {"1": "R", "2": "W", "3": "X"}}


@pytest.mark.parametrize(
    ("campaign", "letter", "answered", "codes"),
    [
        ("qa-clef", "R", "", ["AVE507"]),
        ("qa-clef", "R", "YES", ["AVE507"]),
        ("qa-clef", "R", "NO", []),
        ("qa-clef", "X", "", []),
        ("qa-clef-lenient", "X", "", ["AVE507"]),
        ("respubliqa", "U", "", []),
    ],
)
def test_a_right_answer_to_a_question_without_correct_answers_gets_a_warning(
    tmp_path: Path, campaign: str, letter: str, answered: str, codes: list[str]
) -> None:
    # question 3 of the collection has no VALIDATED answer
    rows = f"1\tA\tW\t\n2\tA\tW\t\n3\tA\t{letter}\t{answered}\n"
    runs, findings = check(tmp_path, f"{HEADER.rstrip()}\tanswered\n{rows}", campaign)
    assert positions(findings) == [(code, 4, len("3\tA\t") + 1) for code in codes]
    assert runs is not None


def test_warnings_point_at_their_cell_in_any_order_of_columns(
    tmp_path: Path,
) -> None:
    rows = [
        "run\ta_id\tjudgement\tq_id",
        "qa\t1_2\tR\t1",
        "qa\t9_9\tW\t2",
        "qa\t\tR\t3",
        "qa\t\tW\t1",
        "qa\t\tW\t77",
    ]
    _, findings = check(tmp_path, "\n".join(rows))
    assert [
        (*position, found.end_column)
        for position, found in zip(positions(findings), findings, strict=True)
    ] == [
        ("AVE513", 2, 8, 9),  # R, of 1_2 that is REJECTED
        ("AVE512", 3, 4, 7),  # 9_9
        ("AVE507", 4, 5, 6),  # R, of a question without a VALIDATED answer
        ("AVE506", 5, 7, 8),  # 1, for the second time
        ("AVE509", 6, 7, 9),  # 77
    ]
    for found, piece in zip(findings, ["R", "9_9", "R", "1", "77"], strict=True):
        assert found.text == rows[(found.line or 0) - 1].replace("\t", r"\t")
        assert found.text[found.quote.start :][: found.quote.length] == piece


def test_warnings_about_the_gold_wait_until_the_file_is_sound(tmp_path: Path) -> None:
    _, findings = check(tmp_path, HEADER + "1\tA\tw\n3\tA\tR\n")
    assert [position[0] for position in positions(findings)] == ["AVE503"]


# --- other files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "AVE115"),
        (b"\n\n", "AVE115"),
        (HEADER.encode(), "AVE115"),
        (COLLECTION.encode(), "AVE116"),
        (b'[{"q_id": 1}]', "AVE116"),
        (JUDGED.encode("utf-16"), "AVE118"),
        (b"PK\x03\x04\0\0", "AVE117"),
        (RUN.encode(), "AVE501"),
    ],
    ids=["empty", "blank", "header-only", "xml", "json", "utf-16", "zip", "run"],
)
def test_another_file_than_a_judged_file_gets_one_error(
    tmp_path: Path, data: bytes, code: str
) -> None:
    runs, findings = check(tmp_path, data)
    assert runs is None
    assert [position[0] for position in positions(findings)] == [code]


def test_python_callers_get_everything_in_one_exception(tmp_path: Path) -> None:
    path = put(tmp_path, JUDGED.replace("R", "r").replace("W", "w"), "judged.tsv")
    with pytest.raises(DefectError, match=r"judged\.tsv: 2 errors") as caught:
        read_judged(path, collection_of(tmp_path))
    assert positions(caught.value.findings) == [("AVE503", 2, 5), ("AVE503", 3, 5)]


@fuzzed
@given(broken(f"{HEADER.rstrip()}\tanswered\n1\tA\tR\tYES\n2\tB\tW\t\n3\tA\tU\tno\n"))
def test_damaged_files_are_refused_or_read_and_never_crash(tmp_path: Path, data: bytes) -> None:
    runs, findings = check(tmp_path, data)
    assert_safe(findings)
    for run in runs or ():
        assert is_safe(run.name)
        assert {row.q_id for row in run.answers} <= {"1", "2", "3"}
