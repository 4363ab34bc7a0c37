"""The records of kinds of files: complete, with existing modules."""

from __future__ import annotations

import io

import ave_score
from ave_score import FileKind
from ave_score.core.kinds import KINDS
from tests import each


def test_every_kind_has_a_record() -> None:
    assert {*KINDS} == {*FileKind}


def test_examples_of_each_kind_have_names_of_their_own() -> None:
    suffixes = {record.suffix for record in KINDS.values()}
    assert len(suffixes - {""}) == len(KINDS)


@each("kind", list(FileKind))
def test_a_file_of_any_kind_is_checked(kind: FileKind) -> None:
    """The record names the module that does it; an empty file is a finding for each."""
    found = ave_score.check(io.BytesIO(b""), kind=kind)
    assert found.kind is kind
    assert found.findings.errors
