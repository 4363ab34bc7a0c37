"""Questions tables: reading and defects."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from ave_score import Findings
from ave_score.files.check import check_file
from ave_score.files.questions import Question, check_questions
from ave_score.files.source import Source
from tests.helpers_files import Position, assert_safe, broken, checked, fuzzed, only, positions, put

QUESTIONS = """\
q_id\tquestion\tlang\ttopic\thypothesis
1\tWho wrote Emma?\tEN\tausten\t{answer} wrote Emma.
2\tWhen was it printed?\t\tausten\t
"""
READ = [
    Question("1", "Who wrote Emma?", "EN", "austen", "{answer} wrote Emma.", 2),
    Question("2", "When was it printed?", "", "austen", "", 3),
]


def read(
    folder: Path, data: str | bytes, *, needs_hypotheses: bool = False
) -> tuple[dict[str, Question] | None, Findings]:
    source = Source(put(folder, data, "questions.tsv"))
    return checked(check_questions(source, needs_hypotheses=needs_hypotheses))


@pytest.mark.parametrize(
    "text",
    [QUESTIONS, QUESTIONS.rstrip("\n"), QUESTIONS.replace("\n", "\r\n"), "\ufeff" + QUESTIONS,
     QUESTIONS.replace("\t", " \t ")],
    ids=["plain", "no-newline", "CRLF", "BOM", "blanks"],
)  # fmt: skip
def test_a_sound_table_gives_its_questions_in_their_order(tmp_path: Path, text: str) -> None:
    questions, findings = read(tmp_path, text)
    assert not findings.errors
    assert questions is not None
    assert list(questions.values()) == READ
    assert list(questions) == ["1", "2"]


def test_two_columns_are_enough_in_any_order(tmp_path: Path) -> None:
    questions, findings = read(tmp_path, "question\tq_id\nWho?\t0001\nWhen?\t1\n")
    assert not len(findings)
    assert questions == {
        "0001": Question("0001", "Who?", line=2),
        "1": Question("1", "When?", line=3),
    }


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("q_id\tlang\n1\tEN\n", ("AVE501", 1, 1), "question (it has q_id, lang); expected"),
        ("q_id;query\n1;Who?\n", ("AVE501", 1, 1), "separated by tabs, commas or semicolons"),
        ("q_id\tquestion\tlang\tlang\n", ("AVE501", 1, 1), "the column lang twice"),
        ("q_id\trun\tjudgement\n1\ta\tR\n", ("AVE501", 1, 1), "a judged file?"),
        ("q_id\tquestion\n1\n", ("AVE502", 2, 2), "found 1 field, expected 2"),
        ("q_id\tquestion\n1\tWho?\tEN\n", ("AVE502", 2, 8), "found 3 fields, expected 2"),
        ("q_id\tquestion\n\tWho?\n", ("AVE505", 2, 1), "the field q_id is empty"),
        ("q_id\tquestion\n1\t\n", ("AVE505", 2, 3), "the field question is empty"),
        ("q_id\tquestion\thyphotesis\n1\tWho?\tx\n", ("AVE510", 1, 15), "did you mean hypothesis"),
        ("q_id\tquestion\n1\tWho?\n1\tWho?\n", ("AVE520", 3, 1), "first at line 2"),
        ("q_id\tquestion\nq 1\tWho?\n", ("AVE411", 2, 1), "'q 1'"),
        ("q_id\tquestion\na\tWho?\n#1\tWho?\n", ("AVE411", 3, 1), "'#1'"),
        ("q_id\tquestion\n1\tWho\x07?\n", ("AVE113", 2, 6), "U+0007"),
        ("q_id\tquestion\n1\tWho\ufffe?\n", ("AVE113", 2, 6), "U+FFFE"),
        ("q_id\tquestion\n", ("AVE115", None, None), "the file has no questions in it"),
        ("", ("AVE115", None, None), "the file has no questions in it"),
        ("<ave/>", ("AVE116", 1, None), "XML"),
    ],
)  # fmt: skip
def test_a_defect_is_found_at_its_position(
    tmp_path: Path, text: str, position: Position, message: str
) -> None:
    _, findings = read(tmp_path, text)
    assert positions(findings) == [position]
    assert message in only(findings)


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("Jane Austen wrote Emma.", "has no {answer}"),
        ("{} wrote Emma.", "has no {answer}"),
        ("{Answer} wrote Emma.", "has no {answer}"),
        ("{0.__class__} wrote Emma.", "has no {answer}"),
        ("{answer wrote Emma.", "has no {answer}"),
        ("{answer} wrote {title}.", "has a brace that belongs to no {answer}"),
        ("{answer!r}", "has no {answer}"),
        ("{{answer}} wrote Emma.", "has a brace that belongs to no {answer}"),
        ("{answer} wrote Emma}.", "has a brace that belongs to no {answer}"),
        ("{answer}", ""),
        ("{answer}, {answer}!", ""),
        ("100 %s of {answer}", ""),
    ],
)
def test_a_hypothesis_has_the_slot_and_no_other_brace(
    tmp_path: Path, pattern: str, problem: str
) -> None:
    _, findings = read(tmp_path, f"q_id\tquestion\thypothesis\n1\tWho?\t{pattern}\n")
    if problem:
        assert positions(findings) == [("AVE521", 2, 8)]
        assert only(findings) == f"the hypothesis {problem}"
    else:
        assert not len(findings)


def test_pairs_need_a_hypothesis_for_every_question(tmp_path: Path) -> None:
    _, findings = read(tmp_path, QUESTIONS, needs_hypotheses=True)
    assert positions(findings) == [("AVE505", 3, len("2\tWhen was it printed?\t\tausten\t") + 1)]
    _, findings = read(tmp_path, "q_id\tquestion\n1\tWho?\n", needs_hypotheses=True)
    assert positions(findings) == [("AVE501", 1, 1)]
    assert "at least q_id, question and hypothesis" in only(findings)


def test_check_reports_the_contents_of_a_table(tmp_path: Path) -> None:
    checked = check_file(Source(put(tmp_path, QUESTIONS)))
    assert checked.kind == "questions"
    assert checked.contents == {"questions": 2, "topics": 1, "patterns": 1}


@fuzzed
@given(broken(QUESTIONS))
def test_damaged_tables_are_refused_or_read_and_never_crash(tmp_path: Path, data: bytes) -> None:
    questions, findings = read(tmp_path, data)
    assert_safe(findings)
    assert questions is None or all(questions)
