"""Group files: the groups of runs, and defects of the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from ave_score import DefectError, Findings, read_groups
from ave_score.files.groups import read_groups as groups_of
from ave_score.files.source import Source
from tests.helpers_files import Position, assert_safe, broken, fuzzed, only, positions, put

GROUPS = "run\tgroup\ncareful\tUniversity of A\nbold\tB & C\n"
READ = {"careful": "University of A", "bold": "B & C"}


def read(folder: Path, data: str | bytes) -> tuple[dict[str, str], Findings]:
    path = put(folder, data, "groups.tsv")
    findings = Findings(str(path))
    return groups_of(Source(path), findings), findings


@pytest.mark.parametrize(
    "text",
    [
        GROUPS,
        GROUPS.removeprefix("run\tgroup\n"),
        "# who is who\n\n" + GROUPS.replace("\n", "\n\n"),
        GROUPS.replace("\t", " \t "),
        GROUPS.rstrip(),
        GROUPS.replace("\n", "\r\n"),
        "\ufeff" + GROUPS,
    ],
    ids=["header", "no-header", "comments", "blanks", "no-newline", "CRLF", "BOM"],
)
@pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")  # CRLF and BOM
def test_a_sound_table_gives_a_group_for_each_run(tmp_path: Path, text: str) -> None:
    groups, findings = read(tmp_path, text)
    assert groups == READ
    assert not findings.errors
    assert read_groups(tmp_path / "groups.tsv") == READ


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        # just behind the end where a field is wanting, or where the first one too many begins
        ("careful", 8, "found 1 field, expected 2"),
        ("careful  ", 8, "found 1 field, expected 2"),
        ("careful University of A", 24, "found 1 field, expected 2"),
        ("careful,University of A", 24, "found 1 field, expected 2"),
        ("careful\tUniversity of A\tEN", 25, "found 3 fields, expected 2"),
        ("careful\tUniversity of A\tEN\t", 25, "found 4 fields, expected 2"),
    ],
)
def test_a_line_without_two_fields_is_found(
    tmp_path: Path, line: str, column: int, message: str
) -> None:
    groups, findings = read(tmp_path, GROUPS.replace("careful\tUniversity of A", line))
    assert positions(findings) == [("AVE101", 2, column)]
    assert message in only(findings)
    assert groups == {"bold": "B & C"}
    with pytest.raises(DefectError) as caught:
        read_groups(tmp_path / "groups.tsv")
    assert positions(caught.value.findings) == [("AVE101", 2, column)]


def test_a_group_without_a_run_is_found(tmp_path: Path) -> None:
    _, findings = read(tmp_path, GROUPS.replace("careful", ""))
    assert positions(findings) == [("AVE505", 2, 1)]
    assert "found 2 fields, expected 2" not in only(findings)


def test_two_groups_for_a_run_are_an_error(tmp_path: Path) -> None:
    _, findings = read(tmp_path, GROUPS + "careful\tD\n")
    assert positions(findings) == [("AVE511", 4, len("careful\t") + 1)]
    assert [found.end_column for found in findings] == [len("careful\tD") + 1]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<groups/>", ("AVE116", 1, None)),
        (b'{"careful": "A"}', ("AVE116", 1, None)),
        (GROUPS.encode("utf-16"), ("AVE118", 1, None)),
        (b"\x89PNG\r\n\x1a\n\0\0", ("AVE117", 1, None)),
        ("careful\tUniversität\n".encode("latin-1"), ("AVE110", 1, len("careful\tUniversitä"))),
        (b"careful\t\x1b[31mA\n", ("AVE113", 1, 9)),
        (b"", ("AVE115", None, None)),
        (b"run\tgroup\n", ("AVE115", None, None)),
    ],
    ids=["xml", "json", "utf-16", "png", "latin-1", "escape", "empty", "header-only"],
)
def test_another_file_than_a_table_gets_one_error(
    tmp_path: Path, data: bytes, expected: Position
) -> None:
    _, findings = read(tmp_path, data)
    assert positions(findings) == [expected]


@fuzzed
@given(broken(GROUPS))
def test_damaged_tables_are_refused_or_read_and_never_crash(tmp_path: Path, data: bytes) -> None:
    groups, findings = read(tmp_path, data)
    assert_safe(findings)
    assert all(groups)
