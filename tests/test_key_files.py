"""Key files: labels for an unlabelled collection, and their defects."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given

from ave_score import Collection, Findings, Label
from ave_score.files.gold import check_collection
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
    only,
    positions,
    put,
)

UNLABELLED = COLLECTION
for _word in ("VALIDATED", "REJECTED", "UNKNOWN"):
    UNLABELLED = UNLABELLED.replace(f' value="{_word}"', "")

KEY = """\
1 1_1 VALIDATED
1 1_2 REJECTED
2 2_1 REJECTED
2 2_2 VALIDATED
3 3_1 UNKNOWN
"""
"""The labels that `COLLECTION` has itself."""


def with_key(
    folder: Path, key: str | bytes, xml: str = UNLABELLED
) -> tuple[Collection | None, Findings]:
    """Return the labelled collection, and what was found in the key alone."""
    path = put(folder, key, "key.txt")
    collection, found = check_collection(Source(put(folder, xml, "test.xml")), Source(path))
    ours, theirs = found
    assert not len(ours), [*map(str, ours)]
    assert theirs.path == str(path)
    return checked((collection, [theirs]))


@pytest.mark.parametrize(
    "key",
    [
        KEY,
        "".join(sorted(KEY.splitlines(keepends=True), reverse=True)),
        KEY.replace(" ", "\t"),
        KEY.replace(" ", "  \t"),
        "# gold\n\n" + KEY.replace("\n", "\n\n"),
        KEY.rstrip(),
        KEY.replace("\n", "\r\n"),
        "\ufeff" + KEY,
    ],
    ids=["plain", "backwards", "tabs", "blanks", "comments", "no-newline", "CRLF", "BOM"],
)
def test_a_complete_key_gives_the_labels_that_the_collection_would_have(
    tmp_path: Path, key: str
) -> None:
    collection, findings = with_key(tmp_path, key)
    assert not findings.errors
    assert collection is not None
    assert collection.labels == collection_of(tmp_path).labels


def test_the_key_is_remembered_by_path_and_hash(tmp_path: Path) -> None:
    collection, _ = with_key(tmp_path, KEY)
    assert collection is not None
    assert collection.key_path == str(tmp_path / "key.txt")
    assert collection.key_sha256 == hashlib.sha256(KEY.encode()).hexdigest()
    assert collection.sha256 == hashlib.sha256(UNLABELLED.encode()).hexdigest()


def test_a_key_may_complete_or_repeat_the_collections_own_labels(tmp_path: Path) -> None:
    half = UNLABELLED.replace('<a id="1_1">', '<a id="1_1" value="VALIDATED">')
    for key in (KEY, KEY.replace("1 1_1 VALIDATED\n", "")):
        collection, findings = with_key(tmp_path, key, half)
        assert not len(findings)
        assert collection is not None
        assert collection.labels == collection_of(tmp_path).labels


def test_a_key_may_repeat_the_labels_of_the_collection(tmp_path: Path) -> None:
    collection, findings = with_key(tmp_path, KEY, COLLECTION)
    assert not len(findings)
    assert collection is not None


def test_a_label_unlike_the_collections_own_is_a_conflict(tmp_path: Path) -> None:
    _, findings = with_key(tmp_path, KEY.replace("2 2_1 REJECTED", "2 2_1 VALIDATED"), COLLECTION)
    assert positions(findings) == [("AVE413", 3, len("2 2_1 ") + 1)]
    assert only(findings) == "the key says VALIDATED, but the collection says REJECTED"


def test_answers_without_a_label_are_named(tmp_path: Path) -> None:
    _, findings = with_key(tmp_path, "1 1_1 VALIDATED\n2 2_1 REJECTED\n2 2_2 VALIDATED\n")
    assert [found.message for found in findings] == [
        "answer '1_2' of question '1' has no gold label",
        "answer '3_1' of question '3' has no gold label",
    ]
    assert positions(findings) == [("AVE407", None, None)] * 2


@pytest.mark.parametrize(
    ("row", "position", "message"),
    [
        ("9 9_1 REJECTED", ("AVE201", 6, 1), "question '9' is not in the collection"),
        ("02 2_1 REJECTED", ("AVE201", 6, 1), "did you mean 2?"),
        ("3 31 REJECTED", ("AVE202", 6, 3), "did you mean 3_1?"),
        ("3 2_1 REJECTED", ("AVE203", 6, 1), "belongs to question '2'"),
        ("1 1_2 REJECTED", ("AVE205", 6, 3), "same as line 2"),
        ("1 1_2 UNKNOWN", ("AVE206", 6, 3), "conflicts with line 2"),
    ],
)
def test_a_line_too_many_is_explained(
    tmp_path: Path, row: str, position: Position, message: str
) -> None:
    _, findings = with_key(tmp_path, f"{KEY}{row}\n")
    assert positions(findings) == [position]
    assert message in only(findings)


@pytest.mark.parametrize(
    ("line", "code", "column", "message"),
    [
        ("2 2_1", "AVE101", 6, "found 2 fields, expected 3"),
        ("2 2_1  ", "AVE101", 6, "found 2 fields, expected 3"),
        ("2 2_1 REJECTED 0.5", "AVE101", 16, "found 4 fields, expected 3"),
        ("2 2_1 rejected", "AVE406", 7, "found 'rejected'"),
        ("2\t2_1  Valid", "AVE406", 8, "did you mean VALIDATED?"),
        ("2 2_1 SELECTED", "AVE406", 7, "expected one of VALIDATED, REJECTED, UNKNOWN"),
        ("2 2_1 R", "AVE406", 7, "found 'R'"),
        ("2 2_1 2_1 ", "AVE406", 7, "found '2_1'"),
        ("2 2_1 REJECTED\u00a0", "AVE113", 15, "no-break space"),
    ],
)
def test_a_bad_line_is_found_at_its_column_and_its_answer_is_not_called_unlabelled(
    tmp_path: Path, line: str, code: str, column: int, message: str
) -> None:
    _, findings = with_key(tmp_path, KEY.replace("2 2_1 REJECTED", line))
    assert positions(findings) == [(code, 3, column)]
    assert message in only(findings)


def test_a_run_given_as_a_key_has_a_finding_in_every_line(tmp_path: Path) -> None:
    _, findings = with_key(tmp_path, RUN)
    columns = [16, 16, 17, 16, 16]  # of the confidence; VALIDATED, in line 3, is a letter longer
    assert positions(findings) == [("AVE101", line, at) for line, at in enumerate(columns, 1)]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (b"", "AVE115"),
        (b"# nothing\n\n", "AVE115"),
        (b'{"1": "VALIDATED"}', "AVE116"),
        (COLLECTION.encode(), "AVE116"),
        (KEY.encode("utf-16"), "AVE118"),
        (b"\x89PNG\r\n\x1a\n\0\0", "AVE117"),
    ],
    ids=["empty", "comments", "json", "xml", "utf-16", "png"],
)
def test_another_file_than_a_key_gets_one_error(tmp_path: Path, key: bytes, code: str) -> None:
    _, findings = with_key(tmp_path, key)
    assert [position[0] for position in positions(findings)] == [code]


def test_a_bad_line_of_a_big_key_has_its_number(tmp_path: Path) -> None:
    padding = "# a line of a key that has nothing to say\n" * 20_000
    _, findings = with_key(tmp_path, padding + KEY.replace("UNKNOWN", "UNKOWN"))
    assert positions(findings) == [("AVE406", 20_005, 7)]


def test_a_broken_collection_is_reported_without_its_key(tmp_path: Path) -> None:
    source = Source(put(tmp_path, UNLABELLED[:-10], "test.xml"))
    collection, found = check_collection(source, Source(put(tmp_path, KEY, "key.txt")))
    assert collection is None
    assert [code for part in found for code, _, _ in positions(part)] == ["AVE401"]


@fuzzed
@given(broken(KEY))
def test_damaged_keys_are_refused_or_read_and_never_crash(tmp_path: Path, data: bytes) -> None:
    collection, findings = with_key(tmp_path, data)
    assert_safe(findings)
    if collection is not None:
        assert Label.NONE not in collection.labels
