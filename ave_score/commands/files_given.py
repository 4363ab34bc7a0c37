"""The files that `check` and `fix` are given: a folder stands for the files in it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from ave_score.core.errors import InputError
from ave_score.core.kinds import FileKind
from ave_score.core.labels import PAIR_VERDICTS, VERDICTS
from ave_score.files.sniff import head_of, sniff
from ave_score.files.source import Source
from ave_score.reports.findings.concise import finding_lines

if TYPE_CHECKING:
    from ave_score.core.findings import Finding, Findings
    from ave_score.core.model import Collection
    from ave_score.core.open_questions import OpenGold

Value = TypeVar("Value")

_OWN = r".*\.fixed\.(?:txt|csv|tsv|jsonl)|.*\.bak\d*"
"""Files that `ave-score fix` writes."""

_INPUT = (
    rf"(?m)^\S+[ \t]+(?:\S+[ \t]+)?(?:(?i:{'|'.join(VERDICTS)})|{'|'.join(PAIR_VERDICTS)})"
    r"[ \t]+\S+[ \t]*$"
    r"|\A\W*(?:q_id|pair_id)\b|<(?:q|pair|topic)\b"
)
"""What a run, a table or a collection has, and a report about them has not."""


def files_of(paths: Sequence[str], *, without: Sequence[str | None] = ()) -> list[str]:
    """Return the paths, with each folder replaced by the files directly in it, sorted by name.

    Hidden files, the files that `ave-score fix` writes, and those in `without` are skipped. A
    folder without other files stays as it is: see `check_is_no_folder`.
    """
    others = {os.path.realpath(path) for path in without if path not in (None, "-")}
    files = []
    for path in paths:
        files += _files_in(path, others) if os.path.isdir(path) else [path]
    return files


def check_is_no_folder(path: str) -> None:
    """Raise `InputError` for a folder that `files_of` found no files in."""
    if os.path.isdir(path):
        raise InputError(path, "is a directory without files to read directly in it")


def report_in(path: str) -> str | None:
    """Return the path of an output that is no input; a run named by mistake is not skipped."""
    try:
        is_input = os.path.isfile(path) and re.search(_INPUT, head_of(Source(path)))
    except InputError:
        is_input = False
    return None if is_input else path


def _files_in(folder: str, others: set[str]) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return [folder]
    paths = [
        os.path.join(folder, name)
        for name in names
        if not name.startswith(".") and not re.fullmatch(_OWN, name)
    ]
    return [path for path in paths if os.path.realpath(path) not in others] or [folder]


def read_test_collection(source: Source) -> Collection:
    """Return a collection without its labels.

    Raises `InputError` if it is invalid, with the findings printed on stderr. Columns are omitted,
    because they would reveal the length of the labels before them.
    """
    from ave_score.files.gold import check_test_collection  # many files are checked alone

    collection, (findings,) = check_test_collection(source)
    return _valid(collection, findings.changed(_without_columns), "collection", "it")


def read_reference(source: Source) -> Collection | OpenGold:
    """Return a collection without its labels, or answer sets; raises as `read_test_collection`."""
    if sniff(source) is not FileKind.ANSWER_SETS:
        return read_test_collection(source)
    from ave_score.files.answer_sets import check_answer_sets

    gold, (findings,) = check_answer_sets(source)
    return _valid(gold, findings, "answer sets", "them")


def _valid(value: Value | None, findings: Findings, what: str, pronoun: str) -> Value:
    """Return what was read, unless it is invalid."""
    if value is None:
        for line in finding_lines(findings):
            click.echo(line, err=True)
        reason = f"invalid {what}: no file can be checked against {pronoun}"
        raise InputError(findings.path, reason)
    return value


def _without_columns(finding: Finding) -> Finding:
    return finding._replace(column=None, end_column=None)
