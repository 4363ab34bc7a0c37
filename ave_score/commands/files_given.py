"""The files that commands are given: a folder stands for the files below it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import click

from ave_score.commands.output_files import check_output_paths, say
from ave_score.core.errors import InputError, RefusedError
from ave_score.core.kinds import FileKind
from ave_score.core.labels import PAIR_VERDICTS, VERDICTS
from ave_score.files.folders import Unfolded, unfolded_logs, unfolded_runs
from ave_score.files.sniff import has_systems, head_of, sniff
from ave_score.files.source import Source

if TYPE_CHECKING:
    from ave_score.commands.options import GivenRuns
    from ave_score.core.findings import Findings
    from ave_score.core.model import Collection
    from ave_score.core.open_questions import OpenGold
    from ave_score.files.run_limits import RunLimits

Value = TypeVar("Value")

_INPUT = (
    rf"(?m)^\S+[ \t]+(?:\S+[ \t]+)?(?:(?i:{'|'.join(VERDICTS)})|{'|'.join(PAIR_VERDICTS)})"
    r"[ \t]+\S+[ \t]*$"
    r"|\A\W*(?:q_id|pair_id)\b|<(?:q|pair|topic)\b"
)
"""What a run, a table or a collection has, and a report about them has not."""


def runs_of(options: GivenRuns, done: str) -> Unfolded:
    """Return the runs of a command, with those below each folder; say what is not read.

    Raises `InputError` for a folder without any, `UsageError` if a run would be overwritten.
    """
    outputs = [path for path in options.written.values() if path]
    others = [*{*options.read} - {*options.runs}, *map(report_in, outputs)]
    found = unfolded_runs(options.runs, others, options.naming)
    check_output_paths(found.paths, options.written)
    say_skipped(found, done)
    return found


def logs_of(options: GivenRuns, given: Sequence[str], first: Source, done: str) -> list[Source]:
    """Return the logs of a command whose first file or folder is of logs, else none, as `runs_of`.

    `first` is the first of the given paths.
    """
    folder, others = given[0], [path for path in options.written.values() if path]
    are_logs = False
    with suppress(InputError):  # the reader of the file reports it
        are_logs = bool(unfolded_logs([folder])) if os.path.isdir(folder) else has_systems(first)
    if not are_logs:
        return []
    found = unfolded_logs([*given], others)
    check_output_paths(found.paths, options.written)
    say_skipped(found, done)
    return [first if path == folder else Source(path, options.naming) for path in found.paths]


def say_skipped(found: Unfolded, done: str) -> None:
    """Print on stderr which files in folders are not read; `done` says what is not done to them."""
    if found.skipped:
        click.echo(f"ave-score: {found.remark(done)}", err=True)


def report_in(path: str) -> str | None:
    """Return the path of an output that is no input; a run named by mistake is not skipped."""
    try:
        is_input = os.path.isfile(path) and re.search(_INPUT, head_of(Source(path)))
    except InputError:
        is_input = False
    return None if is_input else path


def read_test_collection(source: Source) -> Collection:
    """Return a collection without its labels.

    Raises `InputError` if it is invalid, with the findings printed on stderr. Columns are omitted,
    because they would reveal the length of the labels before them.
    """
    from ave_score.files.gold import check_test_collection  # many files are checked alone

    collection, (findings,) = check_test_collection(source)
    findings = findings.changed(lambda found: found._replace(column=None, end_column=None))
    return _valid(collection, findings, "collection", "it")


def read_reference(source: Source) -> Collection | OpenGold:
    """Return a collection without its labels, or answer sets; raises as `read_test_collection`."""
    if sniff(source) is not FileKind.ANSWER_SETS:
        return read_test_collection(source)
    from ave_score.files.answer_sets import check_answer_sets

    gold, (findings,) = check_answer_sets(source)
    return _valid(gold, findings, "answer sets", "them")


def read_limits(limits: Mapping[str, int | str]) -> RunLimits:
    """Return what runs may have; raises as `read_test_collection`, for a list of documents."""
    from ave_score.tasks.inputs import Inputs  # few runs have limits

    inputs = Inputs(collects=True, entrants=limits)
    try:
        return inputs.limits
    except RefusedError:
        for error in inputs.unreadable:
            raise error from None
        raise _invalid(inputs.told[0], "list of documents", "it") from None


def _valid(value: Value | None, findings: Findings, what: str, pronoun: str) -> Value:
    """Return what was read, unless it is invalid."""
    if value is None:
        raise _invalid(findings, what, pronoun)
    return value


def _invalid(findings: Findings, what: str, pronoun: str) -> InputError:
    """Return the error about a file that nothing can be checked against; print its findings."""
    from ave_score.reports.findings.concise import finding_lines  # most are valid

    say(finding_lines(findings))
    return InputError(findings.path, f"invalid {what}: no file can be checked against {pronoun}")
