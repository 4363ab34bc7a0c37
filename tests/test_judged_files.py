"""Judged question-answering runs: header, rows, letters, and consistency with the gold labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from ave_score import DefectError, Findings, QARun, Severity, UsageError, read_judged
from ave_score.core.judgements import LETTERS
from tests.helpers_files import Position, assert_safe, collection_of, positions, put, read_file

HEADER = "q_id\trun\tjudgement\n"
ROWS = "1\tA\tR\n2\tA\tW\n3\tA\tX\n"
JUDGED = HEADER + ROWS


def check(
    folder: Path, data: str | bytes, campaign: str = "qa-clef"
) -> tuple[list[QARun] | None, Findings]:
    return read_file("judged", data, collection_of(folder), name="judged.tsv", letters=campaign)


def letters(runs: list[QARun] | None) -> dict[str, dict[str, str]]:
    """Return run -> question -> judgement."""
    assert runs is not None
    return {run.name: {row.q_id: row.judgement for row in run.answers} for run in runs}


def errors(findings: Findings) -> list[Position]:
    pairs = zip(positions(findings), findings, strict=True)
    return [position for position, one in pairs if one.rule.severity is Severity.ERROR]


@pytest.mark.parametrize("text", [
    *(JUDGED.replace("\t", mark) for mark in "\t,;"),
    "judgement\tq_id\trun\nR\t1\tA\nW\t2\tA\nX\t3\tA\n",
    'run\tanswer\tjudgement\tdoc\tq_id\nA\tx y\tR\td\t1\nA\t\tW\t\t2\nA\t"\tX\td\t3\n',
], ids=["plain", "commas", "semicolons", "reordered", "more"])  # fmt: skip
def test_a_sound_file_gives_the_judgement_of_every_row(tmp_path: Path, text: str) -> None:
    runs, findings = check(tmp_path, text)
    assert not findings.errors
    assert letters(runs) == {"A": {"1": "R", "2": "W", "3": "X"}}


def test_a_file_may_hold_many_runs_in_any_order_of_rows(tmp_path: Path) -> None:
    text = HEADER + "3\tB\tR\n1\tA\tR\n1\tB\tW\n2\tB\tU\n2\tA\t\n3\tA\tX\n"
    runs, findings = check(tmp_path, text)
    b, a = {"3": "R", "1": "W", "2": "U"}, {"1": "R", "2": "", "3": "X"}
    assert letters(runs) == {"B": b, "A": a}
    # question 3 has no VALIDATED
    assert [position[0] for position in positions(findings)] == ["AVE507"]


@pytest.mark.parametrize(
    ("word", "answered"), [("YES", True), ("yes", True), ("No", False), ("NO", False), ("", None)]
)
def test_answered_is_yes_no_or_empty(tmp_path: Path, word: str, answered: bool | None) -> None:
    rows = f"1\tA\tW\t{word}\n2\tA\tW\t\n3\tA\tW\tNO\n"
    runs, findings = check(tmp_path, f"{HEADER.rstrip()}\tanswered\n{rows}")
    assert not len(findings)
    assert runs is not None
    assert [row.answered for row in runs[0].answers] == [answered, None, False]


@pytest.mark.parametrize("campaign", LETTERS)
def test_every_letter_of_a_campaign_is_accepted(tmp_path: Path, campaign: str) -> None:
    for letter in LETTERS[campaign].table:
        text = HEADER + "".join(f"{q}\tA\t{letter}\n" for q in (1, 2, 3))
        assert not check(tmp_path, text, campaign)[1].errors


def test_an_unknown_campaign_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no letters 'respublica'.*did you mean respubliqa\?"):
        check(tmp_path, JUDGED, "respublica")


@pytest.mark.parametrize(
    "answer",
    ["5\u00a0km", "می\u200cشود", "Wort\u00adtrennung", "👩\u200d🔬", "\u200eabc"],
    ids=ascii,
)
def test_an_answer_may_hold_invisible_characters_of_language(tmp_path: Path, answer: str) -> None:
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


def test_a_bad_row_of_a_big_file_has_its_number(tmp_path: Path) -> None:
    rows = "".join(f"{q}\tsystem-{n}\tW\n" for n in range(5_000) for q in (1, 2, 3))
    _, findings = check(tmp_path, f"{HEADER}{rows}1\tlast\tw\n")
    assert errors(findings) == [("AVE503", 15_002, len("1\tlast\t") + 1)]


def test_warnings_point_at_their_cell_in_any_order_of_columns(tmp_path: Path) -> None:
    rows = [
        "run\ta_id\tjudgement\tq_id", "qa\t1_2\tR\t1", "qa\t9_9\tW\t2", "qa\t\tR\t3", "qa\t\tW\t1",
        "qa\t\tW\t77",
    ]  # fmt: skip
    _, findings = check(tmp_path, "\n".join(rows))
    pairs = zip(positions(findings), findings, strict=True)
    assert [(*position, found.end_column) for position, found in pairs] == [
        ("AVE513", 2, 8, 9),  # R, of 1_2 that is REJECTED
        ("AVE512", 3, 4, 7),  # 9_9
        ("AVE507", 4, 5, 6),  # R, of a question without a VALIDATED answer
        ("AVE506", 5, 7, 8),  # 1, for the second time
        ("AVE509", 6, 7, 9),  # 77
    ]
    for found, piece in zip(findings, ["R", "9_9", "R", "1", "77"], strict=True):
        assert found.text == rows[(found.line or 0) - 1].replace("\t", r"\t")
        assert found.text[found.quote.start :][: found.quote.length] == piece


def test_python_callers_get_everything_in_one_exception(tmp_path: Path) -> None:
    path = put(tmp_path, JUDGED.replace("R", "r").replace("W", "w"), "judged.tsv")
    with pytest.raises(DefectError, match=r"judged\.tsv: 2 errors") as caught:
        read_judged(path, collection_of(tmp_path))
    assert positions(caught.value.findings) == [("AVE503", 2, 5), ("AVE503", 3, 5)]
