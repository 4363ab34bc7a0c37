"""What the pages of a campaign say about its files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from ave_score.campaigns.task import FileReport, Task
from ave_score.core.entrants import READING
from ave_score.core.errors import AveScoreError, InputError, exhausted, for_settings
from ave_score.core.findings import Findings
from ave_score.core.labels import PAIR_VERDICTS, VERDICTS
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import Policies
from ave_score.reports.findings.concise import finding_lines
from ave_score.rules import Severity

if TYPE_CHECKING:
    from ave_score.inference.units import Gold


_WORD = re.compile(r"[^\s,;:|\"'{}\[\]()]+")

_SETTINGS = {
    *(name for name, record in Policies.records().items() if record.setting is not None),
    *READING,
}
"""The settings of a campaign file that commands have as options."""

Reports = list[FileReport]


def before_reading(task: Task) -> Reports:
    """Return what is known of the files of a task before any is read."""
    files = (*task.unusable, *task.strays)
    not_scored = [FileReport(task.shown(path), reason, not_scored=True) for path, reason in files]
    return [*not_scored, *task.notes]


def noted(task: Task, of_files: Iterable[Findings]) -> Reports:
    """Return the findings as reports, with paths relative to the campaign file."""
    reports = []
    for findings in of_files:
        if len(findings):
            told = findings.changed(lambda finding: finding._replace(said=_for_campaigns))
            shown = told.with_path(task.shown(findings.path))
            codes = ", ".join(
                f"{rule.code}: {times:,}"
                for rule, times in shown.tally().items()
                if rule.severity is Severity.ERROR
            )
            summary = shown.summary().removeprefix(f"{shown.path}: ")
            summary = f"{summary} ({codes})" if codes else summary
            lines = list(finding_lines(shown))
            if shown.is_foreign:
                summary, lines = foreign(shown), []
            about = None if shown.is_foreign else told
            reports.append(FileReport(shown.path, summary, lines, bool(findings.errors), about))
    return reports


def foreign(findings: Findings) -> str:
    """Return what pages say of a file that may be any file: a pattern may reach secrets."""
    codes = ", ".join(f"{rule.code}: {times:,}" for rule, times in findings.tally().items())
    return f"no line names an answer of the collection ({codes}); its lines are not shown"


def said_of(error: AveScoreError) -> str:
    """Return the message of an error for a campaign, whose file has settings, and no options."""
    return for_settings(error.for_commands, _SETTINGS)


def is_no_run(task: Task, path: str, gold: Gold) -> bool:
    """Tell whether a file in the folder of a team is a text without answers and verdicts.

    A folder that has no others, such as the notes of the organisers, is none of a team.
    """
    if isinstance(gold, OpenGold):
        return False
    try:
        words = {*_WORD.findall(task.source(path).head().decode())}
    except (UnicodeDecodeError, AveScoreError):
        return False
    known = chain(VERDICTS, PAIR_VERDICTS, gold.index.a_ids)
    return bool(words) and "\0" not in "".join(words) and words.isdisjoint(known)


def _for_campaigns(text: str) -> str:
    """Return what a finding says, or what is to be done about it, with settings."""
    return for_settings(text, _SETTINGS, "the setting ")


def failed(task: Task, path: str, error: Exception) -> FileReport:
    """Return the report on a file that cannot be read, whatever the reason."""
    if isinstance(error, InputError):
        path, reason = error.path, error.reason
    elif isinstance(error, AveScoreError):
        reason = said_of(error).replace(path, task.shown(path))
    elif isinstance(error, MemoryError | RecursionError):
        reason = exhausted(error)
    else:
        reason = f"cannot be read: internal error: {type(error).__name__}; please report it"
    may_pass = not isinstance(error, AveScoreError) or isinstance(error.__cause__, OSError)
    return FileReport(task.shown(path), reason, not_scored=True, may_pass=may_pass)
