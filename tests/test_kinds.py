"""The records of kinds of files: complete, with existing modules."""

from __future__ import annotations

from importlib import import_module

import pytest

from ave_score import FileKind
from ave_score.core.kinds import KINDS


def test_every_kind_has_a_record() -> None:
    assert {*KINDS} == {*FileKind}


def test_examples_of_each_kind_have_names_of_their_own() -> None:
    suffixes = {record.suffix for record in KINDS.values()}
    assert len(suffixes - {""}) == len(KINDS)


@pytest.mark.parametrize("kind", list(FileKind))
def test_a_record_names_a_module_that_checks_files_of_its_kind(kind: FileKind) -> None:
    record = KINDS[kind]
    module = import_module(f"ave_score.files.{record.module}")
    assert callable(module.examine)
    assert hasattr(module, "submitted") == (record.is_submitted and not record.no_run)
